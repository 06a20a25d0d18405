"""The script of the board in a real browser, with a page in the place of a notebook."""

import json

import pytest
from selenium.webdriver import Keys

import parlour
from tests.faces.web.browser import keys, until

PAGE = """<!doctype html><meta charset="utf-8"><title>notebook</title>
<body style="background: white"><style>button { color: red; padding: 0 }</style>
<div id="cell"></div>"""
HOST = """
const [script, state, done] = arguments;
const heard = {};
window.sent = [];
window.wake = () => {};
window.model = {
  get: (name) => state[name],
  on: (name, call) => (heard[name] ??= []).push(call),
  off: (name, call) => { heard[name] = heard[name].filter((each) => each !== call); },
  send: (content) => { window.sent.push(content); window.wake(); },
};
window.change = (fresh) => {
  Object.assign(state, fresh);
  for (const name of Object.keys(fresh)) for (const call of heard[`change:${name}`] ?? []) call();
};
window.left = () => Object.values(heard).flat().length;
const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
import(address).then(({ default: widget }) => {
  const el = document.getElementById("cell");
  window.clear = widget.render({ model, el });
  window.root = el.firstElementChild.shadowRoot;
  requestAnimationFrame(() => requestAnimationFrame(done));
});
"""
TAKE_MESSAGES = """
const [done] = arguments;
const take = () => { window.wake = () => {}; done(window.sent.splice(0)); };
if (window.sent.length) take(); else window.wake = take;
"""


class Notebook:
    """A page that shows a widget, and carries messages between the two as Jupyter does."""

    def __init__(self, driver, widget):
        self.driver, self.widget = driver, widget
        driver.get("data:text/html;charset=utf-8," + PAGE)
        driver.execute_async_script(HOST, widget.get_state("_esm")["_esm"], self.state())

    def state(self):
        state = self.widget.get_state(
            ["title", "board", "status", "notice", "moves", "thinking", "can_undo"]
        )
        return json.loads(json.dumps(state))

    def ask(self, script, *arguments):
        return self.driver.execute_script(f"return {script}", *arguments)

    def carry(self):
        """Take what was sent to Python and what changed back; at least one message."""
        for content in self.driver.execute_async_script(TAKE_MESSAGES):
            self.widget._handle_custom_msg(content, [])
        self.driver.execute_script("change(arguments[0])", self.state())

    def press(self, css):
        self.driver.execute_script("root.querySelector(arguments[0]).click()", css)
        self.carry()

    def text(self, css):
        return self.ask("root.querySelector(arguments[0]).textContent", css)


@pytest.fixture
def notebook(browser):
    """Call it with a widget for a notebook that shows it."""
    return lambda widget: Notebook(browser((900, 900)), widget)


def test_a_game_is_played_by_mouse_and_arrow_keys(notebook):
    widget = parlour.widget("tictactoe", "perfect")
    page = notebook(widget)
    assert page.text("h4") == "Tic-tac-toe"
    while widget.record.result is None:
        free = page.ask("root.querySelector('.squares button[name=move]').id")
        page.press(f"#{free}")
        assert page.text(".status") == widget.status
    assert widget.record.result[0] <= 0
    assert not page.ask("root.querySelector('.squares button[name=move]')")
    page.press("#undo")
    assert widget.record.result is None
    page.press("#new")
    assert widget.moves == []
    assert page.ask("root.getElementById('undo').disabled")
    page.driver.execute_script("window.heard = 0; onkeydown = () => { window.heard += 1; }")
    page.driver.execute_script("root.getElementById('sq-a1').focus()")
    for key, square in ((Keys.ARROW_RIGHT, "sq-b1"), (Keys.ARROW_DOWN, "sq-b2")):
        keys(page.driver, key)
        assert page.ask("root.activeElement.id") == square
    keys(page.driver, Keys.ENTER)
    page.carry()
    assert widget.moves[0] == "b2"
    assert page.ask("root.activeElement.id") == "sq-b2"
    assert page.ask("window.heard") == 0  # the notebook has keys of its own for these


@pytest.mark.long
@pytest.mark.parametrize("ground", ["#111", "oklch(0.2 0.01 100)", "rgb(0 0 0)"])
def test_the_board_is_dark_where_the_notebook_is(notebook, ground):
    page = notebook(parlour.widget("othello"))
    colour = "getComputedStyle(root.querySelector('.cell')).backgroundColor"
    light = page.ask(colour)
    page.driver.execute_script("document.body.style.background = arguments[0]", ground)
    until(page.driver, "a dark board", lambda: page.ask("root.host.hasAttribute('data-night')"))
    assert page.ask(colour) != light


@pytest.mark.long
def test_a_board_keeps_its_style_to_itself_and_leaves_nothing_behind(notebook):
    page = notebook(parlour.widget("sticks"))
    assert page.ask("getComputedStyle(root.querySelector('button.move')).color") != "rgb(255, 0, 0)"
    assert page.ask("document.adoptedStyleSheets.length + document.styleSheets.length") == 1
    assert page.ask("left()") > 0
    page.driver.execute_script("clear()")
    assert page.ask("left()") == 0
    assert page.ask("document.getElementById('cell').childElementCount") == 0
