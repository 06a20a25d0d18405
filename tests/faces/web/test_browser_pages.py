"""Every page is open to everybody: axe-core finds nothing, nothing hangs over the side, and no word
is too small. Each is looked at by day and by night, on a desk and on a phone, and in German and
Spanish on a phone, where long words have least room.
"""

import re
import secrets

import pytest

from tests.faces.web.axe import barriers
from tests.faces.web.browser import DESKTOP, PHONE, arrange, see, shot
from tests.faces.web.house import Guest, wait_until
from tests.faces.web.test_browser import wait_for_results
from tests.faces.web.visits import guest_of, set_up_table

MODES = {
    "desktop": (DESKTOP, False),
    "phone-dark": (PHONE, True),
    "desktop-dark": (DESKTOP, True),
    "phone": (PHONE, False),
}

OTHELLO = "f5 d6 c3 d3 c4 f4 f6 f3 e6 e7"


def lobby(guest):
    """The lobby with a table at which a seat is free, and one at which people play."""
    set_up_table(guest, "othello", people=["Ann"], do="table", listed="yes")
    set_up_table(guest, "nim", "2 from 1", do="table", listed="yes")
    return "/"


def menu(guest):
    for name in ("Ann", "Bartholomew the extraordinarily long"):
        guest.post("/new/nim/seats", {"do": "person", "name": name})
    guest.post("/new/nim/seats", {"do": "bot", "name": "Rex", "bot": "brute-force"})
    return "/new/nim"


def announced(guest):
    guest.post("/new/nim/seats", {"do": "bot", "name": "Rex", "bot": "perfect"})
    return set_up_table(guest, "nim", people=["Ann"])


def clocks(guest):
    guest.post("/new/tictactoe/settings", {"do": "save", "clock": "300+3", "listed": "yes"})
    return set_up_table(guest, "tictactoe", "b2", "a1")


def over(guest):
    return set_up_table(guest, "tictactoe", *"a1 b1 a2 c1 a3".split()) + "?view=values"


def own_review(guest):
    table = set_up_table(guest, "tictactoe", *"a1 b1 a2 c1 a3".split()).removeprefix("/tables/")
    return guest.get(f"/analyse?table={table}").headers["location"]


def tournament(guest):
    bots = "&".join(f"bot={kind}" for kind in ("perfect", "random", "standard", "one-at-a-time"))
    return guest.post("/tournaments", f"game=nim&rounds=1&{bots}").headers["location"]


def school(guest):
    form = {"game": "sticks", "games": "2000", "seed": "1"}
    return guest.post("/school", form).headers["location"] + "?position=7"


def puzzle(guest):
    return guest.get("/puzzles/next?game=nim").headers["location"]


def puzzle_answer(guest):
    return guest.post(f"{puzzle(guest)}/show").headers["location"]


LINES = (
    "(;GM[2]GN[Tiger and friends]C[Black begins; all four squares are alike.];B[f5]"
    ";W[d6]C[The perpendicular opening.];B[c3](;W[d3]ASK[marked]C[The tiger. What now?]"
    "(;B[c4]TE[1]C[The main line.])(;B[e3]C[Too early.]))(;W[f4];B[f6])(;W[g5]))"
)


def study(guest):
    """A study of one's own with variations, a question and comments."""
    return guest.post("/studies/import", {"text": LINES}).headers["location"]


def bot(guest):
    """A bot account of somebody else, which has offered a game to anybody."""
    name = f"Rex-{secrets.token_hex(4)}"
    new = {"name": name, "description": "Quick, and fond of corners."}
    token = Guest(guest.port).call("/accounts", new).json["token"]
    Guest(guest.port, "", token).call("/challenges", {"game": "othello", "days": 3})
    return f"/bots/{name}"


def challenge(guest):
    return guest.post(f"{bot(guest)}/challenge", {"game": "nim", "clock": "3d"}).headers["location"]


def slow(guest):
    guest.post("/new/tictactoe/settings", {"do": "save", "clock": "7d"})
    return set_up_table(guest, "tictactoe", "b2")


def with_somebody(guest):
    """A rated game with another person, who is away, after one that they lost."""
    other = Guest(guest.port)
    other.get("/")
    for each, name in ((guest, "Annabelle"), (other, "Bob")):
        each.post("/you/settings", {"name": name, "rated": "yes"})
    tables = []
    for _ in range(2):
        guest.post("/pair", {"game": "tictactoe"})
        tables.append(other.post("/pair", {"game": "tictactoe"}).headers["location"])
    other.post(f"{tables[0]}/resign")
    return tables[1]


def own_games(guest):
    with_somebody(guest)
    set_up_table(guest, "othello", people=["Ann"])
    return "/games"


def rated(guest):
    with_somebody(guest)
    return "/ratings?game=tictactoe"


def waiting_room(guest):
    guest.post("/pair", {"game": "chopsticks"})
    return "/waiting"


def attended(guest, *, as_teacher=True):
    """A class with two pupils: its address, the teacher and the pupils; the guest is the first."""
    teacher, pupil, other = guest, Guest(guest.port), Guest(guest.port)
    if not as_teacher:
        teacher, pupil = pupil, teacher
    for each in (teacher, pupil, other):
        each.get("/docs")
    at = teacher.post("/classes", {"name": "7b", "days": 28}).headers["location"]
    at = at.removesuffix("/teach")
    code = re.search(r'id="code">([\w-]+)<', teacher.get(f"{at}/teach").text)[1]
    for each, name in ((pupil, "Ida"), (other, "Alexandra-Sophie")):
        each.post("/classes/join", {"code": code, "name": name})
    return at, teacher, pupil, other


def classroom(guest, *, as_teacher):
    """A class after the truth was shown: two pupils, one of whom was wrong."""
    at, teacher, pupil, other = attended(guest, as_teacher=as_teacher)
    teacher.post(f"{at}/position/nim/ask?piles=3,4,5")
    for each, move in ((pupil, "1 from 3"), (other, "2 from 1")):
        each.post(f"{at}/answer", {"move": move, "at": 1})
    teacher.post(f"{at}/truth", {"number": 1})
    return f"{at}/teach" if as_teacher else at


def class_join(guest):
    """The way into a class that the guest does not teach."""
    wall = (other := Guest(guest.port)).get(attended(other)[0] + "/wall").text
    return "/classes/join?code=" + re.search(r'id="code">([\w-]+)<', wall)[1]


def one_pupil(guest):
    at = attended(guest)[0]
    return re.search(rf'href="({at}/pupils/\w+)"', guest.get(f"{at}/teach").text)[1]


def homework(guest, *, as_teacher=True):
    """Three puzzles of which one pupil has answered two, by a guess."""
    at, teacher, pupil, _ = attended(guest, as_teacher=as_teacher)
    form = {"kind": "puzzles", "game": "tictactoe", "number": 3, "due": "2099-12-24"}
    form["name"] = "Two lines and a trap"
    task = teacher.post(f"{at}/set", form).headers["location"]
    for number in range(2):
        board = pupil.get(f"{task}/puzzles/{number}").text
        move = re.search(r'name="move" value="([^"]+)"', board)[1]
        assert pupil.post(f"{task}/puzzles/{number}/answer", {"move": move}).status == 303
    return task


def results(guest):
    task = guest.get(homework(guest)).text
    return re.search(r'href="(/classes/\w+/results)"', task)[1]


def rounds(guest, *, as_teacher=True):
    """The first round of a tournament of a class."""
    at, teacher, *pupils = attended(guest, as_teacher=as_teacher)
    for each in pupils:
        each.get(at)
    wait_until(lambda: "2 pupils are here" in teacher.get(f"{at}/tournament").text)
    return teacher.post(f"{at}/tournament", {"game": "sticks"}).headers["location"]


# What each page is called, how one comes there, and what is to be seen before it is looked at.
PAGES = {
    "lobby": (lobby, ".rows"),
    "menu-empty": ("/new/sticks", "#play"),
    "menu": (menu, ".player"),
    "settings": ("/new/nim/settings", "#return"),
    "settings-chopsticks": ("/new/chopsticks/settings", "#return"),
    "nim": (lambda guest: set_up_table(guest, "nim", "2 from 1"), ".board"),
    "nim-announced": (announced, "#ok"),
    "nim-values": (
        lambda guest: set_up_table(guest, "nim") + "?view=values&why=position",
        ".worths",
    ),
    "sticks-values": (lambda guest: set_up_table(guest, "sticks", "3") + "?view=values", ".worths"),
    "chopsticks": (lambda guest: set_up_table(guest, "chopsticks", "hit left right"), ".board"),
    "feathers": (
        lambda guest: set_up_table(guest, "chopsticks", rules="feathers") + "?view=values",
        ".worths, #pending, #values-note",  # a slow machine gives up
    ),
    "tictactoe-clocks": (clocks, ".clocks"),
    "tictactoe-slow": (slow, "#slow-clock"),
    "tictactoe-over": (over, ".chart"),
    "othello": (lambda guest: set_up_table(guest, "othello", *OTHELLO.split()), ".board"),
    "othello-values": (
        lambda guest: set_up_table(guest, "othello", *OTHELLO.split()) + "?view=values",
        ".worths",
    ),
    "waiting": (lambda guest: set_up_table(guest, "othello", people=["Ann"]), "[id^=sit-down]"),
    "with-somebody": (with_somebody, ".presence"),
    "my-games": (own_games, ".rows"),
    "your-data": ("/you", "#delete-all"),
    "ratings": (rated, "table .interval"),
    "carry": ("/carry", "#carry"),
    "waiting-room": (waiting_room, "#stop-waiting"),
    "tournaments": ("/tournaments?game=othello", "#begin"),
    "tournament": (tournament, "header .tag:not(.on)"),
    "puzzles": ("/puzzles", "#solve-nim"),
    "puzzle": (puzzle, "#goal"),
    "puzzle-answer": (puzzle_answer, "#next"),
    "studies": (lambda guest: study(guest) and "/studies", "#mine"),
    "study-edit": (lambda guest: study(guest) + "?at=4", "#words"),
    "study-question": (lambda guest: study(guest) + "?at=4&read=1", "#question"),
    "docs": ("/docs", ".schema"),
    "bots": (lambda guest: bot(guest) and "/bots", "#offers"),
    "bot": (bot, "#challenge"),
    "challenge": (challenge, "#cancel"),
    "feed": ("/feed", "#renew-feed"),
    "problem": ("/nothing-here", ".empty"),
    "analyse": ("/analyse", "#look"),
    "analyse-begin": ("/analyse/tictactoe", "#built"),
    "analyse-walk": ("/analyse/othello/walk?moves=" + OTHELLO.replace(" ", "+"), ".walk"),
    "analyse-othello": ("/analyse/othello", "#built"),
    "analyse-chopsticks": ("/analyse/chopsticks", "#look-built"),
    "explorer": ("/explorer", ".cards"),
    "explorer-othello": ("/explorer/othello?move=f5", ".explored"),
    "lab": ("/lab", ".cards"),
    "lab-nim": ("/lab/nim", ".answer"),
    "lab-sticks": ("/lab/sticks", ".answer"),
    "school": ("/school", "#begin"),
    "school-class": (school, ".balls"),
    "classes": ("/classes", "#open"),
    "class-teacher": (lambda guest: classroom(guest, as_teacher=True), "#truth"),
    "class-pupil": (lambda guest: classroom(guest, as_teacher=False), "#refuted"),
    "class-position": (
        lambda guest: classroom(guest, as_teacher=True).replace("teach", "position/othello"),
        "#ask",
    ),
    "class-join": (class_join, "#join"),
    "class-wall": (lambda guest: attended(guest)[0] + "/wall", "#code"),
    "class-settings": (lambda guest: attended(guest)[0] + "/settings", "#secret-link"),
    "class-one-pupil": (one_pupil, "#remove"),
    "class-set": (lambda guest: attended(guest)[0] + "/set", "#set"),
    "homework-teacher": (homework, "table.results"),
    "homework-pupil": (lambda guest: homework(guest, as_teacher=False), "#go-on"),
    "class-results": (results, "table.results"),
    "class-tournament": (lambda guest: attended(guest)[0] + "/tournament", "#start"),
    "class-rounds-teacher": (rounds, "#next-round"),
    "class-rounds-pupil": (lambda guest: rounds(guest, as_teacher=False), "#my-game"),
    "study-print": (lambda guest: study(guest) + "/print", ".diagram"),
    "own-review": (own_review, "#keep-mistakes"),
    "study-embed": (lambda guest: study(guest) + "/embed?at=4", "#question"),
}

# The names of options in the sums of an atlas are still English in other languages.
LOOKED_AT = {**PAGES, "lab-atlas": ("/lab/sticks/atlas", "table.atlas")}


@pytest.mark.long
@pytest.mark.parametrize("name", LOOKED_AT)
def test_a_page_is_without_barriers(browser, server, name):
    driver = browser()
    where, ready = LOOKED_AT[name]
    path = where if isinstance(where, str) else where(guest_of(driver, server))
    driver.get(f"{server.url}{path}")
    see(driver, ready)
    wait_for_results(driver)
    look_at(driver, name)
    for language in ("de", "es"):
        driver.add_cookie({"name": "language", "value": language})
        driver.refresh()
        see(driver, ready)
        look_at(driver, f"{name}-{language}", {"phone": (PHONE, False)}, ["color-contrast"])
        assert driver.execute_script("return document.documentElement.lang") == language


def look_at(driver, name, modes=MODES, without=()):
    __tracebackhide__ = True
    for mode, (size, dark) in modes.items():
        arrange(driver, size, scripts=True, dark=dark, motion=False)
        shot(driver, f"{name}-{mode}")
        assert barriers(driver, without) == [], mode
