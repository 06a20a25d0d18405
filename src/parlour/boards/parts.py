"""What all boards are made of: drawings, marks that say what a move is worth, and controls.

The markup is well-formed XML as well as HTML, with neither style nor script in it. A win is a
triangle that points up, a draw a circle, a loss a triangle that points down. Proven values are
filled; estimates are outlined, and their figures begin with ≈. Those who may not move see the same
controls, disabled and without a form around them.

A position is set up by a form: its fields are typed, or the squares of its board are pressed. What
comes out is text for the game to read, so that an impossible position is refused in its own words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any

import markupsafe

from parlour import core
from parlour.core import Game, Move, ParlourError, State, Text, join, say, seat_name, sentences

# The shapes, about 60 wide, around the middle of their own square of 100.
SHAPES = {
    "win": '<path class="shape win{}" d="M50 22L81 76H19Z"/>',
    "draw": '<circle class="shape draw{}" cx="50" cy="50" r="28"/>',
    "loss": '<path class="shape loss{}" d="M50 78L19 24H81Z"/>',
}
SIZES = ((2, 30), (3, 27), (4, 24), (7, 20), (99, 16))  # font sizes, by number of letters
WORD = 7  # letters of the usual word and figure
MAX_WORDY_COLUMNS = 5  # boards up to this wide have squares large enough for a word
MAX_RUNS = 12  # values in a list, before the rest is only counted
MAX_BUTTONS = 60  # for moves; with more of them, any can be typed
MAX_ANSWER = 700  # characters of a field

Answers = Mapping[str, str]  # what was typed to set up a position


def in_language(text: object) -> str:
    """A text in the language of whoever reads now."""
    language = sentences.current_language.get()
    return str(text) if language is sentences.ENGLISH else language.say(text)


def escape(text: object) -> str:
    """Escape text for markup, in the reader's language.

    The control characters that XML forbids are left out.
    """
    plain = in_language(text)
    if not plain.isprintable():
        plain = "".join(c for c in plain if c.isprintable() or c in "\n\t ")
    return str(markupsafe.escape(plain))


def drawing(kind: str, box: str, title: str, inside: str, role: str = "img") -> str:
    """An SVG with its title; `box` is its view box, and a group has labelled parts."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" viewBox="{box}" role="{role}">'
        f"<title>{escape(title)}</title>{inside}</svg>"
    )


@dataclass(frozen=True)
class Drawn:
    """A position as one drawing, before it becomes part of a board or a picture of its own."""

    kind: str  # of board: nim, othello, squares, text
    title: str
    wide: int
    high: int
    inside: str
    listed: tuple[str, ...] = ()  # moves whose values the drawing has no place for
    scale: float = 0.8  # pixels to a unit, in a picture of its own
    largest: int = 440  # pixels of such a picture to either side
    role: str = "img"  # or "group", where its parts have labels of their own
    edge: str = ""  # the names of squares, above and beside it
    margin: int = 0  # where they are, which a small picture leaves out

    def svg(self, kind: str = "drawing") -> str:
        """The drawing inside a board, or of another kind."""
        box = f"0 0 {self.wide} {self.high}"
        return drawing(kind, box, self.title, self.inside + self.edge, self.role)

    def picture(self) -> str:
        """The drawing as a small picture."""
        x, wide, high = self.margin, self.wide - self.margin, self.high - self.margin
        kind = f"picture picture-{self.kind}"
        return drawing(kind, f"{x} {x} {wide} {high}", self.title, self.inside, self.role)


def felt(wide: int, high: int) -> str:
    """A table to draw on."""
    return f'<rect class="felt" x="2" y="2" width="{wide - 4}" height="{high - 4}" rx="12"/>'


# Marks


@dataclass(frozen=True)
class Mark:
    """What a move is worth to the player who makes it: "win", "draw" or "loss", and by how much."""

    outcome: str
    plies: int | None = None
    score: float | None = None  # discs ahead, in Othello
    exact: bool = True

    @property
    def outcome_name(self) -> str:
        """The outcome in a word that can be translated."""
        return sentences.OUTCOME_NAMES.get(self.outcome, self.outcome)

    @property
    def words(self) -> str:
        """`win in 5`, `loss by 12`, `draw`; `probably a win, by about 3.2`"""
        outcome, score = self.outcome_name, abs(self.score or 0)
        if not self.exact:
            if self.outcome == "draw":
                return say("about even")
            if self.score is None:
                return say("probably a {outcome}", outcome=outcome)
            return say("probably a {outcome}, by about {score:.3g}", outcome=outcome, score=score)
        if self.outcome == "draw":
            return outcome
        if self.score is not None:
            return say("{outcome} by {score:g}", outcome=outcome, score=score)
        if self.plies is None:
            return outcome
        return say("{outcome} in {plies}", outcome=outcome, plies=self.plies)

    @property
    def figure(self) -> str:
        """The small figure beside the shape: `5`, `+12`, `≈+3.2`, or nothing."""
        figure = "" if self.plies is None else str(self.plies)
        if self.score is not None:
            digits = 1 if 0 < abs(self.score) < 1 else 0
            figure = f"{self.score:+.{digits}f}".replace("-", "−") if self.score else "0"
        return figure if self.exact else f"≈{figure}"


def shape(mark: Mark) -> str:
    """The shape of a mark, outlined for an estimate."""
    return SHAPES.get(mark.outcome, SHAPES["draw"]).format("" if mark.exact else " is-guess")


def icon(mark: Mark) -> str:
    """The shape alone, for a line of text that says the rest."""
    return f'<svg class="icon" viewBox="0 0 100 100" aria-hidden="true">{shape(mark)}</svg>'


def badge(mark: Mark, x: int, y: int, *, wordy: bool = False) -> str:
    """The shape and its figure on a chip of paper, in a square of 100 whose corner is (x, y)."""
    figure = mark.figure
    if wordy:
        figure = f"{in_language(mark.outcome_name)} {figure}".rstrip()
    chip = (
        f'<g class="badge" transform="translate({x} {y})">'
        '<rect class="chip" x="8" y="8" width="84" height="84" rx="14"/>'
    )
    if not figure:
        return f'{chip}<g transform="translate(12 12) scale(.76)">{shape(mark)}</g></g>'
    letters = max(len(figure), WORD) if wordy else len(figure)  # all words in one size
    size = next(size for most, size in SIZES if letters <= most)
    return (
        f'{chip}<g transform="translate(22 6) scale(.56)">{shape(mark)}</g>'
        f'<text x="50" y="82" font-size="{size}">{escape(figure)}</text></g>'
    )


def legend(marks: Mapping[str, Mark]) -> str:
    """What the shapes and figures mean, if there are any."""
    if not marks:
        return ""
    shapes = [f"<li>{icon(each)}{escape(each.outcome_name)}</li>" for each in map(Mark, SHAPES)]
    some = marks.values()
    if any(mark.score is not None for mark in some):
        shapes.append(f"<li>{escape(say('number: discs ahead'))}</li>")
    elif any(mark.plies is not None for mark in some):
        shapes.append(f"<li>{escape(say('number: plies to the end'))}</li>")
    if not all(mark.exact for mark in some):
        guess = icon(Mark("win", exact=False))
        shapes.append(f"<li>{guess}{escape(say('outlined, ≈: an estimate'))}</li>")
    return f'<ul class="legend">{"".join(shapes)}</ul>'


# Controls


@dataclass(frozen=True)
class View:
    """A position as somebody sees it; `board` in by_game.py explains the fields."""

    game: Any
    state: Any
    last: str = ""
    before: Any = None
    playable: bool = False
    at: int = 0
    action: str = ""
    marks: Mapping[str, Mark] = field(default_factory=dict)
    viewer: int | None = None
    names: Sequence[str] = ()
    move: Any = None  # the last one itself, where only that is known

    @property
    def offers_moves(self) -> bool:
        """Whether moves are made here, now or later; elsewhere a board is only looked at."""
        return self.playable or bool(self.action)

    @cached_property
    def last_move(self) -> Any:
        """The last move as the game knows it, or None if it cannot be read."""
        if self.move is not None:
            return self.move
        if self.before is None or not self.last:
            return None
        try:
            return self.game.read_move(self.before, self.last)
        except ParlourError:
            return None

    def form(self, inside: str, kind: str) -> str:
        """A form around some controls, or only the controls for those who may not move."""
        if not self.playable:
            return f'<div class="{kind}">{inside}</div>'
        return (
            f'<form class="{kind}" method="post" action="{escape(self.action)}" data-send="">'
            f'<input type="hidden" name="at" value="{self.at}"/>{inside}</form>'
        )

    def press(
        self, move: str, label: str, attributes: str, kind: str = "", inside: str = ""
    ) -> str:
        """A button over a part of the drawing that makes a move; its label says the value too."""
        mark = self.marks.get(move)
        spoken = join(", ", (label, mark.words)) if mark else label
        about = f' class="{kind}"' if kind else ""
        return (
            f'<button{about} name="move" value="{escape(move)}" {attributes} '
            f'aria-label="{escape(spoken)}">{icon(mark) if mark and kind else ""}{inside}</button>'
        )

    def button(self, move: str, label: str, name: str) -> str:
        """A button that makes a move, with the value of the move on it."""
        mark = self.marks.get(move)
        value = f' <span class="value">{icon(mark)}{escape(mark.words)}</span>' if mark else ""
        off = "" if self.playable else ' disabled=""'
        return (
            f'<button class="move" name="move" value="{escape(move)}" id="{escape(name)}"{off}>'
            f"<span>{escape(label)}</span>{value}</button>"
        )

    def buttons(self, moves: Iterable[Move]) -> str:
        """A form with a button for each move, and a field to type one if there are too many."""
        texts = [self.game.write_move(move) for move in islice(moves, MAX_BUTTONS + 1)]
        buttons = [
            self.button(text, text, f"move-{number}")
            for number, text in enumerate(texts[:MAX_BUTTONS], start=1)
        ]
        markup = self.form(f'<div class="moves">{"".join(buttons)}</div>', "play")
        if len(texts) > MAX_BUTTONS and self.playable:
            markup += self.form(
                f'<label for="typed">{escape(say("Or type any move"))}</label>'
                '<input id="typed" name="move" required="" autocomplete="off"/>'
                f'<button class="move" id="play">{escape(say("Play"))}</button>',
                "typed",
            )
        return markup

    def amount(self, most: int, label: str, number: int = 1) -> str:
        """A field for an amount from 1 to the most that may be taken, and the button beside it."""
        off = "" if self.playable else ' disabled=""'
        how_many = escape(say("how many, 1 to {most}", most=most))
        return (
            f'<label class="unseen" for="amount-{number}">{how_many}</label>'
            f'<input id="amount-{number}" type="number" name="amount" min="1" max="{most}" '
            f'step="1" value="1" required="" inputmode="numeric" autocomplete="off"{off}/>'
            f'<button class="move" id="take-{number}" aria-label="{escape(label)}"{off}>'
            f"{escape(say('Take'))}</button>"
        )


def list_values(values: Iterable[tuple[int, Mark]]) -> str:
    """List the values of amounts, with neighbours of the same value as one item."""
    runs: list[tuple[int, int, Mark]] = []
    for amount, mark in values:
        if runs and runs[-1][1] == amount - 1 and runs[-1][2] == mark:
            runs[-1] = (runs[-1][0], amount, mark)
        else:
            runs.append((amount, amount, mark))
    if not runs:
        return ""
    items = [
        f"<li>{low if low == high else f'{low}–{high}'} {icon(mark)}{escape(mark.words)}</li>"
        for low, high, mark in islice(runs, MAX_RUNS)
    ]
    if len(runs) > MAX_RUNS:
        items.append(f"<li>{escape(count_more(len(runs) - MAX_RUNS))}</li>")
    return f'<ul class="values">{"".join(items)}</ul>'


def count_more(values: int) -> Text:
    """`and 2 more`, for the end of a list."""
    return say("and {number:,} more", number=values)


# Setting up a position


@dataclass(frozen=True)
class Input:
    """A field of the form."""

    name: str
    label: str
    value: str
    most: int | None = None  # of a number
    about: str = ""


@dataclass(frozen=True)
class Building:
    """A position being set up: fields to fill in, or a board whose squares are pressed."""

    fields: tuple[Input, ...] = ()
    turn: str = "1"
    turns: tuple[tuple[str, str], ...] = ()  # what is sent, and what is shown
    cells: str = ""
    names: tuple[str, ...] = ()  # what a square can hold, in turn
    squares: tuple[tuple[str, str], ...] = ()  # the name and the label of each
    picture: str = ""


def build_fields(game: Game, state: State, answers: Answers, *fields: Input) -> Building:
    """A form of fields, each with its answer if there is one, and whose turn it is."""
    turns = tuple(
        (str(seat + 1), core.capital(seat_name(game, seat))) for seat in range(game.seats)
    )
    filled = tuple(replace(each, value=answer(answers, each.name, each.value)) for each in fields)
    return Building(filled, answer(answers, "turn", state[0] + 1), turns)


def answer(answers: Answers, name: str, default: object = "") -> str:
    """What was typed in a field, as far as it is read."""
    return answers.get(name, str(default))[:MAX_ANSWER]
