"""The board stays where it is: at every turn, offer and end, in any font, with any name,
with clocks and without, on a phone and on a desk.
"""

import pytest

from tests.faces.web.browser import DESKTOP, PHONE, arrange, press, see, until
from tests.faces.web.visits import (
    add_bot,
    add_person,
    arrived,
    begin,
    is_live,
    play,
    resign,
    sit,
    table_of,
)

pytestmark = pytest.mark.long

SIZES = [(360, 740), PHONE, DESKTOP]
WIDE = ("W" * 40, "M" * 40)

# A font that is not on the machine is replaced by another, in which nothing may move either.
FONTS = {
    "the page's own": "",
    **{
        name: f":root {{ --serif: {name}; --sans: {name}; }}"
        for name in ('"DejaVu Serif"', '"Liberation Sans"', "monospace")
    },
    "letters far apart": "* { letter-spacing: 0.12em !important; }",
    "letters close together": "* { letter-spacing: -0.08em !important; }",
    "large and tall letters": """
        @font-face {
          font-family: Large;
          src: local("DejaVu Serif"), local("Liberation Serif"), local("Georgia"), local("Arial");
          size-adjust: 125%;
          ascent-override: 130%;
          descent-override: 50%;
        }
        :root { --serif: Large, serif; --sans: Large, sans-serif; }
    """,
}

# In each font: where the board and its drawing lie, and how far the page reaches beyond the window.
# A style element would be refused by the page's own rules; a sheet that a script has made is not.
MEASURE = """
const [fonts, done] = arguments;
const place = (css) => {
  const {left, top, width} = document.querySelector(css).getBoundingClientRect();
  return [left + scrollX, top + scrollY, width];
};
const measure = async () => {
  const found = {};
  for (const [name, css] of Object.entries(fonts)) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [sheet];
    await Promise.allSettled([...document.fonts].map((font) => font.load()));
    const drawing = place(".board :is(.field, .piles, svg.drawing)");
    const {scrollWidth, clientWidth} = document.documentElement;
    found[name] = [...place(".board"), ...drawing, scrollWidth - clientWidth];
  }
  document.adoptedStyleSheets = [];
  return found;
};
measure().then(done);
"""


class Stillness:
    """Remembers where the board was first seen, in each size and font, and expects it there."""

    def __init__(self):
        self.first = {}

    def check(self, state, *drivers):
        __tracebackhide__ = True
        moved = []
        for driver in drivers:
            for size in SIZES:
                resize(driver, size)
                for font, places in driver.execute_async_script(MEASURE, FONTS).items():
                    *board, beyond = places
                    before = self.first.setdefault((size, font), board)
                    if board != pytest.approx(before, abs=0.5):
                        moved.append(f"{state}, {size}, {font}: from {before} to {board}")
                    if beyond > 0:
                        moved.append(f"{state}, {size}, {font}: {beyond} px wider than the window")
            resize(driver, PHONE)
        assert not moved, "\n".join(moved)


def resize(driver, size):
    arrange(driver, size, scripts=True, dark=False, motion=False)
    wide = "return matchMedia(`(width: ${arguments[0]}px)`).matches"
    until(driver, f"a window of {size}", lambda: driver.execute_script(wide, size[0]))


@pytest.mark.parametrize(
    ("names", "clock"),
    [
        pytest.param(("Ann", "Bob"), None, id="short names"),
        pytest.param(WIDE, [600, 0], id="wide names, clocks"),
    ],
)
def test_between_two_people(browser, server, names, clock):
    still, ann, bob = Stillness(), browser(PHONE), browser(PHONE)
    address = table_of(server, "tictactoe", clock=clock)
    sit(ann, address, 0, names[0])
    see(ann, "#turn", "Waiting for a player")
    still.check("waiting", ann)
    sit(bob, address, 1, names[1])
    see(ann, "#turn", "Your move")
    see(bob, "#turn", f"{names[0]} to move")
    still.check("the first's turn", ann, bob)
    play(ann, "b2")
    arrived(bob, 1)
    see(ann, "#turn", f"{names[1]} to move")
    still.check("the second's turn", ann, bob)
    press(ann, "#undo")
    see(ann, ".offer", "You asked")
    see(bob, ".offer", f"{names[0]} wants to take back a move.")
    still.check("an offer", ann, bob)
    press(bob, "#decline")
    for each in (ann, bob):
        see(each, ".status:not(:has(.offer))")
    resign(bob)
    for each in (ann, bob):
        see(each, "#turn", f"{names[1]} resigned.")
        see(each, "#rematch")
    still.check("the end", ann, bob)
    press(bob, "#rematch")
    see(ann, ".offer", f"{names[1]} offers a rematch.")
    still.check("a rematch is offered", ann)


def test_against_a_bot_that_announces_its_moves(browser, server):
    still, driver = Stillness(), browser(PHONE)
    driver.get(f"{server.url}/new/nim")
    add_person(driver, WIDE[0])
    add_bot(driver, WIDE[1], "perfect")
    address = begin(driver)
    is_live(driver)
    still.check("the start", driver)
    play(driver, "1 from 3")
    see(driver, "#ok")
    still.check("an announcement", driver)
    press(driver, "#ok")
    see(driver, "#turn", "Your move")
    still.check("the next turn", driver)
    driver.get(f"{address}?view=values")
    still.check("values, at once or on their way", driver)
    see(driver, ".worths")
    still.check("values", driver)
    resign(driver)
    see(driver, "#back-to-menu")
    still.check("the end", driver)
