"""Positions, games, solutions and records as a notebook shows them.

All three kinds of notebook that we know, Jupyter, marimo and VS Code, ask an object for
`_repr_html_` first. A position is a plain tuple and cannot be asked; `show` puts it beside its game
and returns something that can.
"""

from __future__ import annotations

from typing import Any

from parlour.boards import cells
from parlour.boards.by_game import name_move
from parlour.boards.parts import Mark
from parlour.boards.result_table import ResultTable
from parlour.boards.squares import describe_position
from parlour.boards.standalone import Picture
from parlour.core import (
    BadOption,
    Game,
    Match,
    Move,
    ParlourError,
    Record,
    Solution,
    State,
    all_of,
    capital,
    count,
    describe,
    how_to_move,
    protocol,
    registry,
    seat_name,
    sentence,
    title,
)

MAX_MARKED = 60  # moves whose values are shown
MAX_NAMED = 6  # best moves in a sentence


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
    game = registry.game(game)
    state = protocol.to_state(game, state)
    before = None if before is None else protocol.to_state(game, before)
    marks = None
    if values is not None:
        if not isinstance(values, Solution) or describe(values.game) != describe(game):
            raise BadOption("values", values, f"it must be a solution of {describe(game)}")
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
    rules = "".join(cells.paragraph(each) for each in protocol.rules_text(game))
    return cells.cell(
        title(game),
        rules,
        cells.paragraph(how_to_move(game), quiet=True),
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
            who = f" for {seat_name(game, game.turn(start))}, who begins"
            verdict = cells.worth(Mark(value.outcome, value.plies)) + (
                f"{who}{_name_best(solution, start)}."
            )
            marks = mark_moves(solution, start)
    except ParlourError as error:
        verdict = sentence(str(error))
    try:
        counts = solution.counts()
        words = {"win": "won", "loss": "lost", "draw": "drawn", "end": "over"}
        rows = [(f"{words.get(name, name)}", many) for name, many in counts.items() if many]
        head = ("situations, for the mover", "")
        listed = ResultTable(head, [*rows, ("in all", len(solution))]).to_html()
    except ParlourError as error:
        listed = cells.paragraph(sentence(str(error)), quiet=True)
    return cells.cell(
        f"{title(game)}, solved",
        cells.paragraph(verdict),
        listed,
        cells.paragraph(sentence(f"by {solution.method}"), quiet=True),
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
        match = Match.from_record(registry.build("games", record.game, record.options), record)
    except ParlourError:
        parts = (cells.paragraph(_name_result(record, ())), cells.numbered(record.moves))
        return cells.cell(f"{capital(record.game)}: {against}", *parts)
    game = match.game
    pairs = zip(match.moves, match.states, strict=False)
    named = [name_move(text, game, state) for text, state in pairs]
    last = record.moves[-1] if record.moves else None
    before = match.states[-2] if record.moves else None
    seats = [seat_name(game, seat) for seat in range(game.seats)]
    about = describe_position(game, match.state) if record.result is None else ""
    return cells.cell(
        f"{title(game)}: {against}",
        cells.paragraph(about or _name_result(record, seats)),
        cells.paragraph(f"{count(len(named), 'move')} of {describe(game)}", quiet=True),
        cells.numbered(named),
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
        return sentence(f"a draw{reason}")
    return sentence(f"won by {all_of(winners)}{reason}")
