"""What people do in a browser before a game and in one: fill the menu, play a move by mouse, see it
arrive; and the same browser's requests without its pages, to come to a place quickly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from selenium.webdriver import Chrome

from tests.faces.web.browser import Server, fill, press, see, until
from tests.faces.web.house import Guest

# The shortest games there are, found by a search; the Othello of nine moves is an old one.
SHORT_GAMES = {
    "sticks": ["2", *["3"] * 6],
    "chopsticks": ["hit left left", "hit left left", "split 0 4", "hit left right"],
    "tictactoe": "a1 b1 a2 c1 a3".split(),
    "othello": "f5 d6 c5 f4 e7 f6 g5 e6 e3".split(),
}


def guest_of(driver: Chrome, server: Server) -> Guest:
    """The browser itself, sending requests without a page."""
    if not driver.current_url.startswith(server.url):
        driver.get(f"{server.url}/no-such-page")  # a small one; it gives the cookie too
    cookie = driver.get_cookie("parlour")
    assert cookie
    return Guest(server.port, cookie=cookie["value"])


def add_person(driver: Chrome, name: str) -> None:
    """Type a name and add it."""
    fill(driver, "#person-name", name)
    press(driver, "#add-person")
    see(driver, ".player b", name)


def add_bot(driver: Chrome, name: str, kind: str) -> None:
    """Type a name, choose a kind, and add it."""
    fill(driver, "#bot-name", name)
    press(driver, f".choice-list label:has([value='{kind}'])")
    press(driver, "#add-bot")
    see(driver, ".player b", f"{name} bot")


def players(driver: Chrome) -> list[str]:
    """The names in the list of players, in order."""
    return [each.text for each in driver.find_elements("css selector", ".player b")]


def begin(driver: Chrome) -> str:
    """Play!, and the table's own address."""
    press(driver, "#play")
    see(driver, "#turn")
    return driver.current_url


def play(driver: Chrome, *moves: str) -> None:
    """Make moves with the mouse, each when it is seen that the one before has arrived."""
    __tracebackhide__ = True
    played = len(driver.find_elements("css selector", ".played li"))
    for number, move in enumerate(moves, start=played + 1):
        amount, of_pile, pile = move.partition(" from ")
        if of_pile:
            fill(driver, f"#amount-{pile}", amount)
            press(driver, f"#take-{pile}")
        elif " " in move:  # in Chopsticks, by pressing hands
            hand = move.split()[1] if move.startswith("hit") else "left"
            press(driver, f"#hand-{hand}")
            if move.startswith("split") and driver.find_elements("css selector", f"#both-{hand}"):
                press(driver, f"#both-{hand}")
            press(driver, f"#press-{hand}-{_dashed(move)}")
        else:
            press(driver, ", ".join(f"#{kind}-{_dashed(move)}" for kind in ("sq", "take", "move")))
        arrived(driver, number, move)


def _dashed(move: str) -> str:
    return move.replace(" ", "-")


def arrived(driver: Chrome, number: int, move: str = "") -> str:
    """The move of this number, once it is in the list of moves."""
    __tracebackhide__ = True
    return see(driver, f".played li:nth-child({number})", move).text


def resign(driver: Chrome) -> None:
    """Give up, and mean it."""
    press(driver, "#resign")
    press(driver, "#resign-really")


def is_live(driver: Chrome) -> None:
    """Wait until the page hears of changes."""
    see(driver, "#connection", "Live")


def set_up_table(
    guest: Guest, game: str, *moves: str, people: Sequence[str] = ("Ann", "Bob"), **settings: Any
) -> str:
    """The path of a table that was set up in the menu of a game, after these moves."""
    for name in people:
        guest.post(f"/new/{game}/seats", {"do": "person", "name": name})
    if settings:
        guest.post(f"/new/{game}/settings", settings)
    at = guest.post(f"/new/{game}/play").headers["location"]
    for number, move in enumerate(moves):
        assert guest.post(f"{at}/move", {"move": move, "at": number}).status == 303
    return at


def table_of(server: Server, game: str, seats: Any = (), **more: Any) -> str:
    """The address of a new table, made by a program."""
    made = Guest(server.port).call("/tables", {"game": game, "seats": list(seats), **more})
    assert made.status == 201, made.text
    return f"{server.url}/tables/{made.json['id']}"


def sit(driver: Chrome, address: str, seat: int, name: str) -> None:
    """Open the link and take a free seat."""
    driver.get(address)
    fill(driver, f"#sit-{seat}", name)
    press(driver, f"#sit-down-{seat}")
    until(driver, f"{name} sits", lambda: name in players(driver))
