"""Any game at all: its own drawing in text, and a button for every move.

Where there are more moves than anybody would read, the first have buttons and any can be typed.
"""

from __future__ import annotations

from itertools import islice

from parlour.core import Game, State
from parlour.faces.web.boards.marks import legend
from parlour.faces.web.boards.markup import drawing, told
from parlour.faces.web.boards.view import View

MOST_BUTTONS = 60
PICTURED = (12, 36)  # lines, and letters in a line


def board(view: View) -> str:
    """The drawing and the moves."""
    game, state = view.game, view.state
    texts = [game.write_move(move) for move in islice(game.moves(state), MOST_BUTTONS + 1)]
    buttons = [
        view.button(text, text, f"move-{number}")
        for number, text in enumerate(texts[:MOST_BUTTONS], start=1)
    ]
    inside = f'<div class="moves">{"".join(buttons)}</div>'
    text = told(game.draw(state))
    drawn = f'<pre class="text" role="group" aria-label="board" tabindex="0">{text}</pre>'
    typed = ""
    if len(texts) > MOST_BUTTONS and view.playable:
        typed = view.form(
            '<label for="typed">Or type any move</label><input id="typed" name="move" '
            'required="" autocomplete="off"/><button class="move" id="play">Play</button>',
            "typed",
        )
    return (
        f'<div class="board board-stranger">{drawn}{view.form(inside, "play")}{typed}'
        f"{legend(view.marks)}</div>"
    )


def picture(game: Game, state: State) -> str:
    """The drawing in text, as far as it fits."""
    most, longest = PICTURED
    lines = [line[:longest] for line in game.draw(state).expandtabs().splitlines()[:most]]
    wide = 12 * max(map(len, lines), default=1) + 24
    inside = f'<rect class="sheet" width="{wide}" height="{22 * len(lines) + 24}" rx="10"/>'
    for number, line in enumerate(lines):
        inside += f'<text class="letters" x="12" y="{22 * number + 30}">{told(line)}</text>'
    box = f"0 0 {wide} {22 * len(lines) + 24}"
    return drawing("picture picture-stranger", box, game.name, inside)
