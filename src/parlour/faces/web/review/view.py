"""What a review shows: the position, the verdict on each move, and every mistake."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from parlour import boards
from parlour.core import capital, join, protocol, say, seat_name, sentence, title
from parlour.faces.web.position import MAX_MOVES, walk_address
from parlour.faces.web.prefix import url
from parlour.faces.web.review.address import Line, setup_address
from parlour.faces.web.review.files import list_formats
from parlour.faces.web.review.service import Analysis
from parlour.faces.web.review.story import (
    describe_cost,
    find_loser,
    name_seat,
    name_verdict,
    tally,
    tell_loss,
)
from parlour.faces.web.table import (
    Point,
    mark_of,
    name_opening,
    say_reason,
    say_winners,
    value_chart,
)
from parlour.faces.web.texts import _, name_player, passage, translate
from parlour.faces.web.workers import Answer

MAX_AROUND = 60  # moves of the line before and after the current one
MAX_LINK_CHARACTERS = 60_000  # of links to moves: each holds the whole line

Values = dict[str, Any]  # of a template


def show_review(analysis: Analysis, line: Line, at: int) -> Values:
    """Return the values of the page, after `at` moves; `line` knows its reader."""
    reviewed, missing = analysis.review(), len(analysis.missing)
    judged = [each for each in reviewed if each is not None and each.verdict != "unknown"]
    around = min(MAX_AROUND, MAX_LINK_CHARACTERS // len(line.address(at=0)))
    record = line.record()
    return {
        "line": line,
        "names": [name_seat(line, seat) for seat in range(line.game.seats)],
        "board_names": _list_names(line),
        "title": title(line.game),
        "at": at,
        "known": analysis.found[at],
        "turn": _describe_turn(line, at),
        "opening": name_opening(line.game, line.states[: at + 1]),
        "pending": missing > 0,
        "done": len(analysis.found) - missing,
        "total": len(analysis.found),
        "board": _draw_board(analysis, line, at),
        "chart": _draw_chart(analysis, at),
        "around": around,
        "reviewed": reviewed,
        "judged": judged,
        "mistakes": [each for each in judged if each.verdict == "mistake"],
        "sooner": [each for each in judged if each.verdict == "loses sooner"],
        "name_verdict": name_verdict,
        "describe_cost": describe_cost,
        "tallies": [tally(judged, seat) for seat in range(line.game.seats)],
        "was_lost": find_loser(line) is not None,
        "story": tell_loss(analysis, line),
        "ended": _describe_ending(line) if line.ended and at == len(line.moves) else "",
        "share": replace(line, reader="", table="").address(at=at),  # leads nobody to the table
        "worths": _list_worths(analysis, at)[:around],
        "unlisted": len(line.game.moves(line.states[at])) - around,
        "position": analysis.positions[at],
        "record": record.to_json() if record is not None else "",
        "downloads": [(kind, _download(line, at, kind)) for kind in list_formats(line)],
        "explorer": _explorer_address(line, at, analysis.positions[at]),
        "study": line.address().replace("/walk", "/study", 1),
        "set_up": setup_address(line.game, analysis.positions[at]),
    }


def _explorer_address(line: Line, at: int, position: str) -> str:
    """Return where to see what others played here, with the moves that led there if they fit."""
    if at > MAX_MOVES:
        return walk_address("explorer", line.game, position)
    return walk_address("explorer", line.game, line.position, line.moves[:at])


def _download(line: Line, at: int, kind: str) -> str:
    return line.address(at=at).replace("/walk", f"/download/{kind}", 1)


def _describe_turn(line: Line, at: int) -> str:
    """Say whose turn it is, or who won."""
    game, state = line.game, line.states[at]
    result = game.result(state)
    if result is None:
        seat = game.turn(state)
        if seat == line.you:
            return _("Your move.")
        return _("%(player)s to move.", player=capital(name_seat(line, seat)))
    winners = [seat for seat, payoff in enumerate(result) if payoff > 0]
    score = getattr(game, "score", None)
    names = _name_players(line)
    said = say_winners([names[seat] for seat in winners], score(state) if score else None)
    if ending := protocol.ended_by(game, state):
        return passage(join(" ", (said, sentence(say("{ending} was reached", ending=ending)))))
    return passage(said)


def _describe_ending(line: Line) -> str:
    """Say why the referee ended the game, with the player's own name: `Ann resigned.`"""
    names = _list_names(line)
    if line.loser is None or not names[line.loser]:
        return _("The game ended here: %(reason)s.", reason=translate(line.ended))
    names = [name or seat_name(line.game, seat) for seat, name in enumerate(names)]
    return passage(say_reason(line.ended, line.end, line.loser, names))


def _name_players(line: Line) -> list[str]:
    """Return the names of all players, or else what their sides are called."""
    names = _list_names(line)
    if all(names):
        return names
    return [capital(line.name(seat)) for seat in range(line.game.seats)]


def _list_names(line: Line) -> list[str]:
    """List the names at the seats as a table shows them; nothing for a seat without one."""
    names = [*line.players, *[""] * line.game.seats][: line.game.seats]
    return ["You" if seat == line.you else name for seat, name in enumerate(names)]


def _draw_board(analysis: Analysis, line: Line, at: int) -> str:
    found, names = analysis.found[at], _list_names(line)
    return boards.board(
        line.game,
        line.states[at],
        last=line.moves[at - 1] if at else "",
        before=line.states[at - 1] if at else None,
        playable=True,
        at=at,
        action=url(line.address()),
        marks={each.move: mark_of(each) for each in found.moves} if found else {},
        viewer=line.you,
        names=[name_player(name) for name in names] if all(names) else (),
    )


def _draw_chart(analysis: Analysis, at: int) -> str:
    """Draw the value over the line, if there is anything to show."""
    line = analysis.line
    if not line.moves or line.game.seats != 2:
        return ""
    points = []
    for number, (state, found) in enumerate(zip(line.states, analysis.found, strict=True)):
        worth = found.value if found else None
        if worth is not None and line.game.turn(state) != 0:
            worth = worth.flip()
        before = line.states[number - 1]
        move = boards.name_move(line.moves[number - 1], line.game, before) if number else ""
        points.append(Point(move, worth))
    return value_chart(points, at) if any(point.worth for point in points) else ""


def _list_worths(analysis: Analysis, at: int) -> list[Values]:
    """List what every move here is worth: the best first, then the one that was played."""
    line, found = analysis.line, analysis.found[at]
    played = line.moves[at] if at < len(line.moves) else ""
    moves = sorted(
        found.moves if found else (), key=lambda each: (not each.best, each.move != played)
    )
    return [
        {"text": each.move, "played": each.move == played, "mark": mark_of(each)} for each in moves
    ]


def show_reason(line: Line, at: int, why: str, answer: Answer) -> Values:
    """Show why a position or a move is worth what it is."""
    move, state = ("" if why == "position" else why), line.states[at]
    if why == "last" and at:
        move, state = line.moves[at - 1], line.states[at - 1]
    move = boards.name_move(move, line.game, state)
    lines = answer.found["lines"] if answer.found else []
    return {
        "title": say("Why {move}?", move=move) if move else say("Why?"),
        "pending": answer.pending,
        "lines": [sentence(answer.error.text)] if answer.error else lines,
    }
