"""What sections need of a browser beyond test_browser.py: the host's pages, homework, frames, and
answers that are waited for.
"""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from parlour.faces.cli import main
from tests.faces.web.axe import axe, barriers
from tests.faces.web.browser import DESKTOP, PHONE, arrange, fill, press, see, shot, until
from tests.faces.web.house import Guest, waiting_workers
from tests.faces.web.studies.test_pages import LESSON
from tests.faces.web.test_browser import content
from tests.faces.web.visits import guest_of

pytestmark = pytest.mark.long

PASSPHRASE = "seven green bottles"  # noqa: S105


def make_token(server, capsys):
    assert main(["admin-token", "ann", "--database", server.database]) == 0
    return capsys.readouterr().out.splitlines()[0]


@pytest.mark.parametrize("scripts", [True, False])
def test_a_host_signs_in_hides_a_table_and_blocks_its_address(
    browser, start_server, capsys, scripts
):
    server = start_server()
    assert Guest(server.port).call("/tables", {"game": "sticks"}).status == 201
    look = "phone-dark" if scripts else "desktop"
    driver = browser(PHONE if scripts else DESKTOP, scripts=scripts, dark=scripts)
    driver.get(f"{server.url}/admin")
    fill(driver, "#token", "wrong")
    press(driver, "#sign-in")
    see(driver, "#notice", "not valid")
    fill(driver, "#token", make_token(server, capsys))
    press(driver, "#sign-in")
    see(driver, "h2", "Tables")
    press(driver, ".rows summary")
    shot(driver, f"admin-{look}")
    press(driver, ".rows a", "Hide")
    see(driver, "h1", "Hide this table from the lobby?")
    press(driver, "#really")
    see(driver, "table td", "hide")
    press(driver, ".rows summary")
    press(driver, ".rows a", "127.0.0.1")
    see(driver, "h1", "Block this visitor")
    shot(driver, f"admin-ask-{look}")
    press(driver, "#really")
    see(driver, ".rows", "until")
    assert Guest(server.port).call("/tables", {"game": "sticks"}).status == 403


def test_a_private_site_and_the_pages_of_its_host_are_without_barriers(
    browser, start_server, capsys, monkeypatch
):
    monkeypatch.setenv("PARLOUR_PASSPHRASE", PASSPHRASE)
    server = start_server("", "--private")
    driver = browser(PHONE, dark=True)
    driver.get(f"{server.url}/admin")
    see(driver, "#passphrase")
    assert barriers(driver) == []
    fill(driver, "#passphrase", "wrong one")
    press(driver, "#enter")
    see(driver, "#notice", "That is not the passphrase")
    fill(driver, "#passphrase", PASSPHRASE)
    press(driver, "#enter")
    see(driver, "#token")
    assert barriers(driver) == []
    fill(driver, "#token", make_token(server, capsys))
    press(driver, "#sign-in")
    see(driver, "h2", "Tables")
    entry = {"Parlour-Passphrase": PASSPHRASE}
    table = Guest(server.port).call("/tables", {"game": "sticks"}, **entry).json["id"]
    asking = ["bar?subject=192.0.2.7", f"rename?subject={table}", f"delete?subject={table}"]
    for language in ("en", "de", "es"):
        driver.add_cookie({"name": "language", "value": language})
        for path in ("/admin", *(f"/admin/{each}" for each in asking)):
            driver.get(f"{server.url}{path}")
            see(driver, "#find" if path == "/admin" else "#really")
            assert driver.execute_script("return document.documentElement.lang") == language
            assert barriers(driver) == [], (language, path)


def test_homework_is_set_and_done_on_phones(browser, server):
    teacher, pupil = browser(PHONE), browser(PHONE)
    teacher.get(f"{server.url}/classes")
    fill(teacher, "[action='/classes'] [name=name]", "7b")
    press(teacher, "#open")
    code = see(teacher, "#code").text
    at = teacher.current_url.removesuffix("/teach")
    pupil.get(f"{server.url}/classes/join?code={code}")
    fill(pupil, "[name=name]", "Ida")
    press(pupil, "button", "Join")
    see(pupil, "h1", "7b")
    press(teacher, "#set-homework")
    for kind in ("beat", "hats", "bot", "puzzles"):
        press(teacher, f"#kind-{kind}")
        see(teacher, f"#kind-{kind}[aria-current]")
        assert barriers(teacher) == [], kind
    press(teacher, "#set")
    see(teacher, "#asks")
    task = teacher.current_url
    press(pupil, "a", "5 puzzles")
    press(pupil, "#go-on")
    press(pupil, ".tabletop button", "Take 1")
    see(pupil, "#next")
    press(pupil, "aside a", "5 puzzles")
    see(pupil, "#score")
    assert barriers(pupil) == []
    see(teacher, "td", ": 1")  # right or wrong, it arrives by itself
    for size in (PHONE, DESKTOP):
        arrange(teacher, size, scripts=True, dark=True, motion=False)
        for page in (f"{at}/results", f"{at}/tournament", task):
            teacher.get(page)
            see(teacher, "h1")
            assert barriers(teacher) == [], page
    teacher.get(f"{at}/settings")
    press(teacher, "label:has(#f-sure)")
    press(teacher, "#delete")
    see(teacher, "#open")
    pupil.get(at)
    until(pupil, "the way in again", lambda: pupil.current_url == f"{server.url}/classes")


@pytest.fixture
def serve():
    """Serve a folder as another site."""
    started = []

    def start(folder):
        handler = partial(SimpleHTTPRequestHandler, directory=folder)
        other = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        started.append(other)
        threading.Thread(target=other.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{other.server_port}"

    yield start
    for each in started:
        each.shutdown()
        each.server_close()


def test_another_page_frames_a_study_and_nothing_else(browser, server, serve, tmp_path):
    driver = browser(DESKTOP)
    at = guest_of(driver, server).post("/studies/import", {"text": LESSON}).headers["location"]
    frames = f'<iframe id="study" src="{server.url}{at}/embed" title="a"></iframe>'
    frames += f'<iframe id="site" src="{server.url}{at}" title="b"></iframe>'
    (tmp_path / "page.html").write_text(f"<!doctype html><title>Mine</title>{frames}")
    driver.get(f"{serve(tmp_path)}/page.html")
    driver.switch_to.frame("study")
    see(driver, "h1", "Two piles")
    press(driver, "#question a", "1 from 2")
    see(driver, "#question", "Now copy the other.")
    assert axe(driver) == []
    driver.switch_to.default_content()
    driver.switch_to.frame("site")
    refused = "return !document.querySelector('main') && document.readyState === 'complete'"
    until(driver, "an empty frame", lambda: driver.execute_script(refused))
    driver.get_log("browser")  # the refusal is a complaint that was asked for


def test_a_slow_answer_comes_by_itself_and_leaves_alone_what_is_being_typed(browser, served_house):
    driver = browser()
    with waiting_workers(served_house):
        driver.get(f"{served_house.url}/lab/tictactoe?columns=4&rows=4&line=4")
        see(driver, "#answer", "Working it out…")
        fill(driver, "#f-line", "3")
    see(driver, "#answer", "A draw with best play")
    assert content(driver, "#f-line", "value") == "3"
