"""What test_browser.py leaves out: the host's pages, frames, answers that are waited for, motion,
and what has the focus.
"""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from selenium.webdriver import Keys

from parlour.faces.cli import main
from tests.faces.web.axe import axe, barriers
from tests.faces.web.browser import DESKTOP, PHONE, fill, keys, press, see, until
from tests.faces.web.house import Guest, waiting_workers
from tests.faces.web.studies.test_pages import LESSON
from tests.faces.web.test_browser import content
from tests.faces.web.visits import guest_of, is_live, play, set_up_table

pytestmark = pytest.mark.long

PASSPHRASE = "seven green bottles"  # noqa: S105

# Every animation and transition that begins from now on.
WATCH = """
window.moved = [];
const note = (event) => moved.push(event.animationName ?? event.propertyName);
for (const kind of ["animationstart", "transitionrun"]) document.addEventListener(kind, note);
"""

# An outline around what has the focus, or around what stands for it, within the window.
CAN_BE_SEEN = """
const held = document.activeElement;
const box = held.getBoundingClientRect();
let outlined = held;
while (outlined && !(getComputedStyle(outlined).outlineStyle !== "none"
    && parseFloat(getComputedStyle(outlined).outlineWidth) >= 2)) outlined = outlined.parentElement;
const inside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
return outlined && inside ? "" : held.outerHTML.slice(0, 200);
"""


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
    assert main(["admin-token", "ann", "--database", server.database]) == 0
    fill(driver, "#token", capsys.readouterr().out.splitlines()[0])
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


@pytest.fixture
def other_site(tmp_path):
    """The address of another site, which has the files of the test's folder."""
    handler = partial(SimpleHTTPRequestHandler, directory=tmp_path)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as found:
        threading.Thread(target=found.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{found.server_port}"
        found.shutdown()


def test_another_page_frames_a_study_and_nothing_else(browser, server, other_site, tmp_path):
    driver = browser(DESKTOP)
    at = guest_of(driver, server).post("/studies/import", {"text": LESSON}).headers["location"]
    frames = f'<iframe id="study" src="{server.url}{at}/embed" title="a"></iframe>'
    frames += f'<iframe id="site" src="{server.url}{at}" title="b"></iframe>'
    (tmp_path / "page.html").write_text(f"<!doctype html><title>Mine</title>{frames}")
    driver.get(f"{other_site}/page.html")
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


@pytest.mark.parametrize("motion", [True, False])
def test_a_move_is_animated_unless_motion_is_unwanted(browser, server, motion):
    driver = browser(motion=motion)
    driver.get(server.url + set_up_table(guest_of(driver, server), "othello"))
    is_live(driver)
    driver.execute_script(WATCH)
    play(driver, "d3")
    see(driver, "#turn", "Your move, Bob")
    assert driver.find_elements("css selector", ".disc.is-flipped")
    if motion:
        flip = {"put", "turn-black"}
        until(driver, "the flip", lambda: flip <= set(driver.execute_script("return moved")))
    else:
        assert driver.execute_script("return moved") == []
        assert driver.execute_script("return document.getAnimations().length") == 0


@pytest.mark.parametrize(
    "page", ["/", "/new/nim", "/new/chopsticks/settings", "/tournaments", "table"]
)
def test_every_stop_of_the_tab_key_can_be_seen(browser, server, page):
    driver = browser()
    guest = guest_of(driver, server)
    if page == "table":
        page = guest.post("/quick", {"game": "othello"}).headers["location"] + "?view=values"
    elif page == "/new/nim":
        guest.post("/new/nim/seats", {"do": "person", "name": "Ann"})
    driver.get(f"{server.url}{page}")
    if "values" in page:
        see(driver, ".worths")
    stops, unseen = 0, []
    keys(driver, Keys.TAB)
    while stops < 120 and not driver.execute_script(
        "return document.activeElement.matches('body')"
    ):
        unseen += filter(None, [driver.execute_script(CAN_BE_SEEN)])
        stops += 1
        keys(driver, Keys.TAB)
    assert not unseen, "\n".join(unseen)
    assert 10 < stops < 120
