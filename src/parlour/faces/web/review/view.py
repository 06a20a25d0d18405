"""What is said of a line that is looked through: the moment, each move's verdict, and the sum."""

from __future__ import annotations

from collections import Counter
from typing import Any

from parlour.core import capital, sentence, title
from parlour.faces.web import boards
from parlour.faces.web.review.lines import Line, building_address
from parlour.faces.web.review.service import Analysis
from parlour.faces.web.table import Point, as_seen, mark_of, value_chart
from parlour.faces.web.workers import Answer
from parlour.players import Assessed, Reviewed, Worth

MOST_NAMED = 4  # best moves in a sentence
AROUND = 60  # moves of the line before the one at hand, and after it
LETTERS = 60_000  # of links to them: each tells the whole line, so of a long one fewer are shown
COUNTED = ("best", "good", "mistake", "only move")

Told = dict[str, Any]


def walk(analysis: Analysis, at: int) -> Told:
    """All that the page of a line shows, after so many moves."""
    line = analysis.line
    reviewed = analysis.reviewed()
    here = analysis.found[at]
    missing = len(analysis.missing)
    return {
        "line": line,
        "title": title(line.game),
        "against": _against(line),
        "at": at,
        "steps": steps(line, at),
        "moment": moment(line, at, reviewed),
        "turn": _turn(line, at),
        "value": here and here.value and shown(here.value),
        "source": here.source if here else "",
        "why_not": here.why_not if here else "",
        "here_pending": here is None,
        "pending": missing > 0,
        "done": len(analysis.found) - missing,
        "total": len(analysis.found),
        "board": _board(analysis, at),
        "chart": _chart(analysis, at),
        "rows": _rows(line, at, reviewed),
        "earlier": max(0, at - _around(line)),
        "later": max(0, len(line.moves) - at - _around(line)),
        "sum": _sum(line, reviewed, pending=missing > 0),
        "worths": _worths(analysis, at),
        "position": analysis.positions[at],
        "record": _record(line),
        "set_up": building_address(line.game, analysis.positions[at]),
    }


def shown(worth: Worth) -> Told:
    """A worth as a page shows it: with discs where they are counted, else with plies."""
    scored = None if worth.score is None else f"{worth.score:+g}".replace("-", "−")
    scored = "0" if worth.score == 0 else scored
    plies = worth.plies if worth.score is None and worth.outcome != "draw" else None
    return {
        "outcome": worth.outcome,
        "plies": plies or None,
        "score": scored,
        "exact": worth.exact,
        "words": mark_of(worth).words,
    }


def _against(line: Line) -> str:
    return " against ".join(line.players) if all(line.players) else ""


def _record(line: Line) -> str:
    record = line.record()
    return record.to_json() if record is not None else ""


# Where we are


def steps(line: Line, at: int) -> list[Told]:
    """First, back, on and last; nothing to press where there is nowhere to go."""
    last = len(line.moves)
    ways = (
        ("first", "First", 0, at > 0, ""),
        ("back", "Back", at - 1, at > 0, "ArrowLeft"),
        ("on", "On", at + 1, at < last, "ArrowRight"),
        ("last", "Last", last, at < last, ""),
    )
    return [
        {"id": way, "label": label, "key": key, "href": _there(line, to) if can else ""}
        for way, label, to, can, key in ways
    ]


def _there(line: Line, at: int) -> str:
    return f"{line.address(at=at)}#here"


def moment(line: Line, at: int, reviewed: list[Reviewed | None]) -> Told:
    """The move that led here, what was thought of it, and what would have been better."""
    if not at:
        text = "The position" if line.position else "The start"
        return {"text": text, "verdict": None, "better": ""}
    if at <= line.opening:
        text = f"{at}. Opening: {line.moves[at - 1]}"
        return {"text": text, "verdict": None, "better": ""}
    seat = line.game.turn(line.states[at - 1])
    found = reviewed[at - 1]
    return {
        "text": f"{at}. {capital(line.called(seat))}: {line.moves[at - 1]}",
        "verdict": found and verdict(found),
        "better": _better(found) if found else "",
        "why": f"{line.address(at=at, why='last')}#why",
        "move": line.moves[at - 1],
    }


def verdict(found: Reviewed) -> Told:
    """What a move is called: `mistake, win → loss`; `≈` where it is only estimated."""
    kind = found.verdict.replace(" ", "-")
    about = "" if found.exact or found.verdict in ("unknown", "only move") else "≈ "
    words = f", {found.words}" if found.words else ""
    name = "not known" if found.verdict == "unknown" else found.verdict
    return {"kind": kind, "text": f"{about}{name}{words}"}


def _better(found: Reviewed) -> str:
    """The best moves there were, where another one was made."""
    if found.verdict not in ("good", "mistake") or not found.best:
        return ""
    more = len(found.best) - MOST_NAMED
    named = ", ".join(found.best[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
    return f"better {'was' if len(found.best) == 1 else 'were'} {named}"


def _turn(line: Line, at: int) -> Told:
    """Whose turn it is, or how it ended."""
    game, state = line.game, line.states[at]
    result = game.result(state)
    if result is not None:
        winners = [line.called(seat) for seat, payoff in enumerate(result) if payoff > 0]
        if not winners:
            return {"over": True, "text": "It is a draw.", "ended": ""}
        names = capital(" and ".join(winners))
        score = getattr(game, "score", None)
        by = f" by {abs(score(state))}" if score else ""
        wins = "wins" if len(winners) == 1 else "win"
        return {"over": True, "text": f"{names} {wins}{by}.", "ended": ""}
    ended = at == len(line.moves) and line.ended
    return {
        "over": False,
        "text": f"{capital(line.called(game.turn(state)))} is to move.",
        "ended": f"The record ends here: {line.ended}." if ended else "",
    }


# The board, the curve, the moves


def _board(analysis: Analysis, at: int) -> str:
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


def _chart(analysis: Analysis, at: int) -> str:
    """The value over the line; nothing where there is no line, or nothing to show."""
    line = analysis.line
    if not line.moves or line.game.seats != 2:
        return ""
    points = []
    for number, (state, found) in enumerate(zip(line.states, analysis.found, strict=True)):
        worth = found.value if found else None
        if worth is not None and line.game.turn(state) != 0:
            worth = worth.turned()
        points.append(Point(line.moves[number - 1] if number else "", worth))
    return value_chart(points, at) if any(point.worth for point in points) else ""


def _around(line: Line) -> int:
    return min(AROUND, LETTERS // len(line.address(at=0)))


def _rows(line: Line, at: int, reviewed: list[Reviewed | None]) -> list[Told]:
    """The moves around the one at hand, each with its verdict and a way there."""
    around = _around(line)
    first, last = max(0, at - around), min(len(line.moves), at + around)
    return [
        {
            "number": number,
            "name": line.called(line.game.turn(line.states[number - 1])),
            "seat": line.game.turn(line.states[number - 1]),
            "text": line.moves[number - 1],
            "href": _there(line, number),
            "here": number == at,
            "opening": number <= line.opening,
            "verdict": verdict(found) if (found := reviewed[number - 1]) else None,
        }
        for number in range(first + 1, last + 1)
    ]


def _worths(analysis: Analysis, at: int) -> Told:
    """What every move here is worth, the best first, and where it leads."""
    line, found = analysis.line, analysis.found[at]
    moves = found.moves if found else ()
    made = line.moves[at] if at < len(line.moves) else ""
    ordered = sorted(moves, key=lambda each: (not each.best, each.move != made))
    return {
        "moves": [_worth(line, at, each, made) for each in ordered[: _around(line)]],
        "more": max(0, len(line.game.moves(line.states[at])) - _around(line)) if moves else 0,
    }


def _worth(line: Line, at: int, each: Assessed, made: str) -> Told:
    return {
        "text": each.move,
        "made": each.move == made,
        "why": f"{line.address(at=at, why=each.move)}#why",
        **shown(each.worth),
    }


# The sum


def _sum(line: Line, reviewed: list[Reviewed | None], *, pending: bool) -> Told:
    """How often each player found the best, and every mistake with what it cost."""
    known = [each for each in reviewed if each is not None and each.verdict != "unknown"]
    mistakes = [each for each in known if each.verdict == "mistake"]
    return {
        "opening": _opening(line.opening),
        "text": _text(line, known, mistakes, pending=pending),
        "rows": [_of_seat(line, known, seat) for seat in range(line.game.seats)] if known else [],
        "mistakes": [_mistake(line, each) for each in mistakes[: _around(line)]],
    }


def _opening(many: int) -> str:
    if not many:
        return ""
    which = "The first move is" if many == 1 else f"The first {many} moves are"
    return f"{which} of the opening, which is not judged: it was not the players'."


def _text(line: Line, known: list[Reviewed], mistakes: list[Reviewed], *, pending: bool) -> str:
    if len(line.moves) == line.opening:
        return ""
    if not known:
        return "" if pending else "None of these moves can be judged."
    so_far = " so far" if pending else ""
    if not mistakes:
        return f"No mistake{so_far}."
    first = mistakes[0]
    who = line.called(first.seat)
    if len(mistakes) == 1:
        return f"One mistake{so_far}, by {who} at move {first.number}."
    return f"{len(mistakes)} mistakes{so_far}; the first by {who} at move {first.number}."


def _of_seat(line: Line, known: list[Reviewed], seat: int) -> Told:
    verdicts = Counter(each.verdict for each in known if each.seat == seat)
    return {"name": capital(line.called(seat)), "counts": [verdicts[name] for name in COUNTED]}


def _mistake(line: Line, found: Reviewed) -> Told:
    return {
        "text": f"{found.number}. {found.move}",
        "name": line.called(found.seat),
        "href": _there(line, found.number),
        "cost": f"{'' if found.exact else '≈ '}{found.words}",
        "better": _better(found),
    }


def reason(line: Line, at: int, why: str, answer: Answer) -> Told:
    """Why a position or a move is what it is."""
    move = line.moves[at - 1] if why == "last" and at else "" if why == "position" else why
    lines = as_seen(line.game, answer.found["lines"]) if answer.found else []
    return {
        "title": f"Why {move}?" if move else "Why?",
        "pending": answer.pending,
        "lines": [sentence(str(answer.trouble))] if answer.trouble else lines,
    }
