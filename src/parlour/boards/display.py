"""Positions, games, solutions and records as a notebook shows them, and the cells they are in.

A cell is one piece of HTML that brings its style and loads nothing. Text and lines have the colours
of the notebook around them, so that they read by day and by night; only pictures have paper of
their own. Whatever is not markup already is escaped.

All three kinds of notebook that we know, Jupyter, marimo and VS Code, ask an object for
`_repr_html_` first. A position is a plain tuple and cannot be asked; `show` puts it beside its game
and returns something that can.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from markupsafe import Markup

from parlour import core
from parlour.boards.by_game import name_move
from parlour.boards.parts import Mark, escape, shape
from parlour.boards.result_table import ResultTable
from parlour.boards.squares import describe_position
from parlour.boards.standalone import Picture, read_sheet, tokens
from parlour.core import BadOption, Game, Match, Move, ParlourError, Record, Solution, State, title

CELL = "parlour-cell"
MAX_MARKED = 60  # moves whose values are shown
MAX_NAMED = 6  # best moves in a sentence
MAX_MOVES = 120  # in a list


def show(
    game: Any,
    state: State | None = None,
    *,
    last: Move | str | None = None,
    before: State | None = None,
    values: Solution | None = None,
) -> Picture:
    """Return a position as something that a notebook draws and a terminal prints.

    The position is a state or text, and the start where none is given. `last` is the move that led
    to it, and `before` the state it was made in; `values`, a solution, puts the value of each move
    on the board.
    """
    game = core.registry.game(game)
    state = core.protocol.to_state(game, state)
    before = None if before is None else core.protocol.to_state(game, before)
    marks = None
    if values is not None:
        if not isinstance(values, Solution) or core.describe(values.game) != core.describe(game):
            raise BadOption("values", values, f"it must be a solution of {core.describe(game)}")
        marks = mark_moves(values, state)
    return Picture(game, state, last, before, marks)


def mark_moves(solution: Solution, state: State) -> dict[str, Mark]:
    """The values of the moves in a position, by the text of the move; only the first of many."""
    game, marks = solution.game, {}
    for move in game.moves(state)[:MAX_MARKED]:
        value = solution.after(state, move)
        marks[game.write_move(move)] = Mark(value.outcome, value.plies)
    return marks


def to_html(thing: Any) -> str:
    """A game, a solution or a record as HTML for a notebook."""
    if isinstance(thing, Record):
        return _show_record(thing)
    if isinstance(thing, Solution):
        return _show_solution(thing)
    return _show_game(thing)


def _show_game(game: Game) -> str:
    rules = "".join(paragraph(each) for each in core.protocol.rules_text(game))
    return cell(
        title(game),
        rules,
        paragraph(core.how_to_move(game), quiet=True),
        beside=Picture(game, game.start())._repr_html_(),
    )


def _show_solution(solution: Solution) -> str:
    game = solution.game
    start = game.start()
    marks: dict[str, Mark] = {}
    verdict = "The value of the start takes another search."
    try:
        if solution.is_proven(start):
            value = solution.value(start)
            who = f" for {core.seat_name(game, game.turn(start))}, who begins"
            verdict = worth(Mark(value.outcome, value.plies)) + (
                f"{who}{_name_best(solution, start)}."
            )
            marks = mark_moves(solution, start)
    except ParlourError as error:
        verdict = core.sentence(str(error))
    try:
        counts = solution.counts()
        words = {"win": "won", "loss": "lost", "draw": "drawn", "end": "over"}
        rows = [(f"{words.get(name, name)}", many) for name, many in counts.items() if many]
        head = ("situations, for the mover", "")
        listed = ResultTable(head, [*rows, ("in all", len(solution))]).to_html()
    except ParlourError as error:
        listed = paragraph(core.sentence(str(error)), quiet=True)
    return cell(
        f"{title(game)}, solved",
        paragraph(verdict),
        listed,
        paragraph(core.sentence(f"by {solution.method}"), quiet=True),
        beside=Picture(game, start, marks=marks)._repr_html_(),
    )


def _name_best(solution: Solution, state: State) -> str:
    game = solution.game
    best = [game.write_move(move) for move in solution.best(state)]
    if not best or len(best) == len(game.moves(state)):
        return ""
    named = [name_move(text, game, state) for text in best[:MAX_NAMED]]
    more = f" and {len(best) - MAX_NAMED} others" if len(best) > MAX_NAMED else ""
    return f"; best: {', '.join(named)}{more}"


def _show_record(record: Record) -> str:
    """The last position and the moves; only the moves where the game is not at hand."""
    against = " – ".join(record.players)
    try:
        match = Match.from_record(core.registry.build("games", record.game, record.options), record)
    except ParlourError:
        parts = (paragraph(_name_result(record, ())), numbered(record.moves))
        return cell(f"{core.capital(record.game)}: {against}", *parts)
    game = match.game
    pairs = zip(match.moves, match.states, strict=False)
    named = [name_move(text, game, state) for text, state in pairs]
    last = record.moves[-1] if record.moves else None
    before = match.states[-2] if record.moves else None
    seats = [core.seat_name(game, seat) for seat in range(game.seats)]
    about = describe_position(game, match.state) if record.result is None else ""
    return cell(
        f"{title(game)}: {against}",
        paragraph(about or _name_result(record, seats)),
        paragraph(f"{core.count(len(named), 'move')} of {core.describe(game)}", quiet=True),
        numbered(named),
        beside=Picture(game, match.state, last, before)._repr_html_(),
    )


def _name_result(record: Record, seats: Any) -> str:
    """`Won by random, player 1.`"""
    if record.result is None:
        return "It is not over."
    winners = []
    for at, payoff in enumerate(record.result):
        if payoff > 0:
            name = record.players[at] if at < len(record.players) else f"player {at + 1}"
            winners.append(f"{name}, {seats[at]}" if at < len(seats) else name)
    reason = f": {record.reason}" if record.reason else ""
    if not winners:
        return core.sentence(f"a draw{reason}")
    return core.sentence(f"won by {core.all_of(winners)}{reason}")


# Cells of a notebook


def cell(title: str, *parts: str, beside: str = "") -> str:
    """A piece of HTML with a heading, the parts below it, and perhaps a picture beside them."""
    style = "".join(read_sheet("cell.css").partition("*/")[2].splitlines())
    style = style.replace("SERIF", tokens()["--serif"])
    picture = f'<div class="picture">{beside}</div>' if beside else ""
    return (
        f'<div class="{CELL}"><style>{style}</style>{picture}'
        f'<div class="words"><h4>{escape(title)}</h4>{"".join(parts)}</div></div>'
    )


def paragraph(text: str, *, quiet: bool = False) -> str:
    """A sentence or two; lines below them stand one under the other, as in a table of letters."""
    kind = ' class="quiet"' if quiet else ""
    text, _, below = text.partition("\n")
    markup = f"<p{kind}>{_inline(text)}</p>" if text else ""
    return f"{markup}<pre>{_inline(below)}</pre>" if below else markup


def _inline(text: str) -> str:
    return str(text) if isinstance(text, Markup) else escape(text)


def numbered(texts: Sequence[str]) -> str:
    """A list of moves, each with its number."""
    items = "".join(
        f'<li><span class="quiet">{number}.</span> {escape(text)}</li>'
        for number, text in enumerate(texts[:MAX_MOVES], start=1)
    )
    more = f"<li>and {len(texts) - MAX_MOVES:,} more</li>" if len(texts) > MAX_MOVES else ""
    return f"<ol>{items}{more}</ol>" if texts else ""


def in_a_row(pictures: Iterable[str]) -> str:
    """Small pictures side by side."""
    return f'<div class="row">{"".join(f"<div>{each}</div>" for each in pictures)}</div>'


def worth(mark: Mark) -> Markup:
    """A value by shape, colour and words: `▲ win in 5`."""
    known = tokens()
    colour = known[f"--{mark.outcome}"]
    fill = colour if mark.exact else "none"
    return Markup(  # noqa: S704  # the words are escaped
        f'<svg class="icon" viewBox="0 0 100 100" aria-hidden="true" fill="{fill}" '
        f'stroke="{colour}" stroke-width="{6 if mark.exact else 11}" stroke-linejoin="round">'
        f'<rect width="100" height="100" rx="18" fill="{known["--chip"]}" stroke="none"/>'
        f"{shape(mark)}</svg>{escape(mark.words)}"
    )
