"""What a review shows: the position, the verdict on each move, and a summary."""

from __future__ import annotations

from collections import Counter
from typing import Any

from parlour.core import capital, sentence, title
from parlour.faces.web import boards
from parlour.faces.web.review.address import Line, setup_address
from parlour.faces.web.review.service import Analysis
from parlour.faces.web.table import Point, mark_of, use_board_names, value_chart
from parlour.faces.web.workers import Answer
from parlour.players import MoveReview, MoveValue, Worth

MOST_NAMED = 4  # best moves in a sentence
AROUND = 60  # moves of the line before and after the current one
LETTERS = 60_000  # of links to them: each holds the whole line, so a long line shows fewer
COUNTED = ("best", "good", "mistake", "only move")

Values = dict[str, Any]  # of a template


def show_review(analysis: Analysis, at: int) -> Values:
    """Return the values of the page, after `at` moves."""
    line = analysis.line
    reviewed = analysis.review()
    here = analysis.found[at]
    missing = len(analysis.missing)
    return {
        "line": line,
        "title": title(line.game),
        "players": _name_players(line),
        "at": at,
        "steps": list_steps(line, at),
        "moment": describe_move(line, at, reviewed),
        "turn": _describe_turn(line, at),
        "value": here and here.value and show_worth(here.value),
        "source": here.source if here else "",
        "why_not": here.why_not if here else "",
        "here_pending": here is None,
        "pending": missing > 0,
        "done": len(analysis.found) - missing,
        "total": len(analysis.found),
        "board": _draw_board(analysis, at),
        "chart": _draw_chart(analysis, at),
        "rows": _list_moves(line, at, reviewed),
        "earlier": max(0, at - _around(line)),
        "later": max(0, len(line.moves) - at - _around(line)),
        "sum": _summarize(line, reviewed, pending=missing > 0),
        "worths": _list_worths(analysis, at),
        "position": analysis.positions[at],
        "record": _record(line),
        "set_up": setup_address(line.game, analysis.positions[at]),
    }


def show_worth(worth: Worth) -> Values:
    """Return a value as the page shows it: in discs if they are counted, else in plies."""
    figure = None if worth.score is None else f"{worth.score:+g}".replace("-", "−")
    figure = "0" if worth.score == 0 else figure
    plies = worth.plies if worth.score is None and worth.outcome != "draw" else None
    return {
        "outcome": worth.outcome,
        "plies": plies or None,
        "score": figure,
        "exact": worth.exact,
        "words": mark_of(worth).words,
    }


def _name_players(line: Line) -> str:
    return " against ".join(line.players) if all(line.players) else ""


def _record(line: Line) -> str:
    record = line.record()
    return record.to_json() if record is not None else ""


# The current position


def list_steps(line: Line, at: int) -> list[Values]:
    """List the steps to the first, previous, next and last position; disabled ones have no link."""
    last = len(line.moves)
    ways = (
        ("first", "First", 0, at > 0, ""),
        ("back", "Back", at - 1, at > 0, "ArrowLeft"),
        ("on", "Next", at + 1, at < last, "ArrowRight"),
        ("last", "Last", last, at < last, ""),
    )
    return [
        {"id": way, "label": label, "key": key, "href": _address(line, to) if can else ""}
        for way, label, to, can, key in ways
    ]


def _address(line: Line, at: int) -> str:
    return f"{line.address(at=at)}#here"


def describe_move(line: Line, at: int, reviewed: list[MoveReview | None]) -> Values:
    """Describe the move that led here, with its verdict and what would have been better."""
    if not at:
        text = "Your position" if line.position else "Start of the game"
        return {"text": text, "verdict": None, "better": ""}
    if at <= line.opening:
        text = f"{at}. Opening: {line.moves[at - 1]}"
        return {"text": text, "verdict": None, "better": ""}
    seat = line.game.turn(line.states[at - 1])
    found = reviewed[at - 1]
    return {
        "text": f"{at}. {capital(line.name(seat))}: {line.moves[at - 1]}",
        "verdict": found and describe_verdict(found),
        "better": _name_best(found) if found else "",
        "why": f"{line.address(at=at, why='last')}#why",
        "move": line.moves[at - 1],
    }


def describe_verdict(found: MoveReview) -> Values:
    """Describe what a move was: `mistake, win → loss`; with `≈` if that is an estimate."""
    kind = found.verdict.replace(" ", "-")
    about = "" if found.exact or found.verdict in ("unknown", "only move") else "≈ "
    words = f", {found.words}" if found.words else ""
    name = "not known" if found.verdict == "unknown" else found.verdict
    return {"kind": kind, "text": f"{about}{name}{words}"}


def _name_best(found: MoveReview) -> str:
    """Name the best moves, if another one was played."""
    if found.verdict not in ("good", "mistake") or not found.best:
        return ""
    more = len(found.best) - MOST_NAMED
    named = ", ".join(found.best[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
    return f"best {'was' if len(found.best) == 1 else 'were'} {named}"


def _describe_turn(line: Line, at: int) -> Values:
    """Say whose turn it is, or how the game ended."""
    game, state = line.game, line.states[at]
    result = game.result(state)
    if result is not None:
        winners = [line.name(seat) for seat, payoff in enumerate(result) if payoff > 0]
        if not winners:
            return {"over": True, "text": "It’s a draw.", "ended": ""}
        names = capital(" and ".join(winners))
        score = getattr(game, "score", None)
        by = f" by {abs(score(state))}" if score else ""
        wins = "wins" if len(winners) == 1 else "win"
        return {"over": True, "text": f"{names} {wins}{by}.", "ended": ""}
    ended = at == len(line.moves) and line.ended
    return {
        "over": False,
        "text": f"{capital(line.name(game.turn(state)))} to move.",
        "ended": f"The game ended here: {line.ended}." if ended else "",
    }


# The board, the chart, the moves


def _draw_board(analysis: Analysis, at: int) -> str:
    line = analysis.line
    found = analysis.found[at]
    marks = {each.move: mark_of(each.worth) for each in found.moves} if found else {}
    return boards.board(
        line.game,
        line.states[at],
        last=line.moves[at - 1] if at else "",
        before=line.states[at - 1] if at else None,
        playable=True,
        at=at,
        action=line.address(),
        marks=marks,
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
        points.append(Point(line.moves[number - 1] if number else "", worth))
    return value_chart(points, at) if any(point.worth for point in points) else ""


def _around(line: Line) -> int:
    return min(AROUND, LETTERS // len(line.address(at=0)))


def _list_moves(line: Line, at: int, reviewed: list[MoveReview | None]) -> list[Values]:
    """List the moves around the current one, each with its verdict and a link."""
    around = _around(line)
    first, last = max(0, at - around), min(len(line.moves), at + around)
    return [
        {
            "number": number,
            "name": line.name(line.game.turn(line.states[number - 1])),
            "seat": line.game.turn(line.states[number - 1]),
            "text": line.moves[number - 1],
            "href": _address(line, number),
            "here": number == at,
            "opening": number <= line.opening,
            "verdict": describe_verdict(found) if (found := reviewed[number - 1]) else None,
        }
        for number in range(first + 1, last + 1)
    ]


def _list_worths(analysis: Analysis, at: int) -> Values:
    """List what every move here is worth, the best first."""
    line, found = analysis.line, analysis.found[at]
    moves = found.moves if found else ()
    played = line.moves[at] if at < len(line.moves) else ""
    ordered = sorted(moves, key=lambda each: (not each.best, each.move != played))
    return {
        "moves": [_show_move(line, at, each, played) for each in ordered[: _around(line)]],
        "more": max(0, len(line.game.moves(line.states[at])) - _around(line)) if moves else 0,
    }


def _show_move(line: Line, at: int, each: MoveValue, played: str) -> Values:
    return {
        "text": each.move,
        "played": each.move == played,
        "why": f"{line.address(at=at, why=each.move)}#why",
        **show_worth(each.worth),
    }


# The summary


def _summarize(line: Line, reviewed: list[MoveReview | None], *, pending: bool) -> Values:
    """Count how often each player found the best move, and list every mistake with its cost."""
    known = [each for each in reviewed if each is not None and each.verdict != "unknown"]
    mistakes = [each for each in known if each.verdict == "mistake"]
    return {
        "opening": _describe_opening(line.opening),
        "text": _count_mistakes(line, known, mistakes, pending=pending),
        "rows": [_count_verdicts(line, known, seat) for seat in range(line.game.seats)]
        if known
        else [],
        "mistakes": [_show_mistake(line, each) for each in mistakes[: _around(line)]],
    }


def _describe_opening(moves: int) -> str:
    if not moves:
        return ""
    which = "The first move is" if moves == 1 else f"The first {moves} moves are"
    return f"{which} a given opening, not the players’ choice, and not judged."


def _count_mistakes(
    line: Line, known: list[MoveReview], mistakes: list[MoveReview], *, pending: bool
) -> str:
    if len(line.moves) == line.opening:
        return ""
    if not known:
        return "" if pending else "These moves cannot be judged."
    so_far = " so far" if pending else ""
    if not mistakes:
        return f"No mistakes{so_far}."
    first = mistakes[0]
    who = line.name(first.seat)
    if len(mistakes) == 1:
        return f"One mistake{so_far}, by {who} at move {first.number}."
    return f"{len(mistakes)} mistakes{so_far}; the first by {who} at move {first.number}."


def _count_verdicts(line: Line, known: list[MoveReview], seat: int) -> Values:
    verdicts = Counter(each.verdict for each in known if each.seat == seat)
    return {"name": capital(line.name(seat)), "counts": [verdicts[name] for name in COUNTED]}


def _show_mistake(line: Line, found: MoveReview) -> Values:
    return {
        "text": f"{found.number}. {found.move}",
        "name": line.name(found.seat),
        "href": _address(line, found.number),
        "cost": f"{'' if found.exact else '≈ '}{found.words}",
        "better": _name_best(found),
    }


def show_reason(line: Line, at: int, why: str, answer: Answer) -> Values:
    """Show why a position or a move is worth what it is."""
    move = line.moves[at - 1] if why == "last" and at else "" if why == "position" else why
    lines = use_board_names(line.game, answer.found["lines"]) if answer.found else []
    return {
        "title": f"Why {move}?" if move else "Why?",
        "pending": answer.pending,
        "lines": [sentence(str(answer.trouble))] if answer.trouble else lines,
    }
