"""The browser tests would be worth nothing if these did not find what they look for."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.faces.web.axe import axe, barriers
from tests.faces.web.browser import PHONE, clear, complaints, expect_no_shift, see

pytestmark = pytest.mark.long

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
WORDS = "<main><h1>A page</h1><p>Words.</p></main>"
FAULTS = """
<main><h1>A page</h1><img src="data:,"><button></button>
<p class="faint">Hardly to be read.</p></main>
"""
LAYOUT = '<meta name="viewport" content="width=device-width"><main><h1>A page</h1>'
LAYOUT += "<p style='width: 2000px'>Wide.</p><small>Tiny.</small></main>"


class Page(BaseHTTPRequestHandler):
    """Any path gives the page that the server holds now, under a policy like ours."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(
            b'<!doctype html><html lang="en"><title>A page</title><link rel="icon" href="data:,">'
            b"<style>.faint { color: #ddd; background: #fff }</style>" + self.server.html.encode()
        )

    def log_message(self, *_):
        pass


@pytest.fixture
def serve():
    """Call it with a page, for the address of that page."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,)).start()

        def put(html):
            server.html = html
            return f"http://127.0.0.1:{server.server_port}/"

        yield put
        server.shutdown()


def test_axe_finds_planted_faults_and_nothing_else(browser, serve):
    driver = browser()
    driver.get(serve(WORDS))
    assert axe(driver) == []
    driver.get(serve(FAULTS))
    assert {found.partition(":")[0] for found in axe(driver)} == {
        "button-name",
        "color-contrast",
        "image-alt",
    }


def test_small_words_and_a_wide_page_are_barriers(browser, serve):
    driver = browser(PHONE)
    driver.get(serve(LAYOUT))
    assert barriers(driver) == [
        "too small: Tiny.",
        "the page is 1618 px wider than the window",  # 2,000 and a margin of 8, of 390
    ]


def test_what_moves_by_itself_is_noticed(browser, serve):
    driver = browser()
    driver.get(serve(WORDS))
    expect_no_shift(driver)
    driver.execute_script("document.querySelector('h1').style.marginTop = '300px'")
    with pytest.raises(AssertionError, match=r"Words\."):
        expect_no_shift(driver)


def test_an_inline_script_is_complained_about(browser, serve):
    driver = browser()
    driver.get(serve(f"{WORDS}<script>document.title = 'bad'</script>"))
    assert [line for line in complaints(driver) if "Content Security Policy" in line]
    assert driver.title == "A page"


def test_a_browser_that_was_cleared_remembers_nothing(browser, serve):
    driver = browser()
    address = serve(WORDS)
    kept = "return [document.cookie, localStorage.length, sessionStorage.length, history.length]"
    driver.get(address)
    new = driver.execute_script(kept)
    driver.execute_script("document.cookie = 'a=1'; localStorage.b = sessionStorage.c = '2'")
    driver.get(address)
    assert driver.execute_script(kept)[:3] == ["a=1", 1, 1]
    clear(driver)
    driver.get(address)
    assert driver.execute_script(kept) == new


def test_a_failed_wait_reports_what_the_page_shows(browser, serve):
    driver = browser()
    driver.get(serve(WORDS))
    with pytest.raises(pytest.fail.Exception, match=r"#none 'Ok' did not come(.|\n)*Words\."):
        see(driver, "#none", "Ok", seconds=0.1)
