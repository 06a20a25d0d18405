"""What a review shows: the position, the verdict on each move, and the game told in plain words.

The same can begin a study: the moves, each mistake with its cost, and what was better as a
variation, marked as right, so that one question before it makes a lesson of one's own mistake.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from parlour import boards
from parlour.core import capital, join, protocol, say, seat_name, sentence, title
from parlour.faces.web import table
from parlour.faces.web.position import MAX_MOVES, walk_address
from parlour.faces.web.prefix import url
from parlour.faces.web.review.address import Line, list_formats, setup_address
from parlour.faces.web.review.service import Analysis
from parlour.faces.web.table import Point, mark_of, say_reason, say_winners, value_chart
from parlour.faces.web.texts import _, name_player, ngettext, passage, translate
from parlour.faces.web.workers import Answer
from parlour.lessons import MAX_TITLE, Study, follow_moves
from parlour.players import MoveReview, find_loss

MAX_AROUND = 60  # moves of the line before and after the current one
MAX_LINK_CHARACTERS = 60_000  # of links to moves: each holds the whole line

MAX_NAMED = 4  # moves in one sentence

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
        "title": title(line.game),
        "at": at,
        "known": analysis.found[at],
        "turn": _describe_turn(line, at),
        "opening": table.name_opening(line.game, line.states[: at + 1]),
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
        "story": _find_story(analysis, line),
        "ended": _describe_ending(line) if line.ended and at == len(line.moves) else "",
        "share": replace(line, reader="", table="").address(at=at),  # leads nobody to the table
        "worths": _list_worths(analysis, at)[:around],
        "unlisted": len(line.game.moves(line.states[at])) - around,
        "position": analysis.positions[at],
        "record": record.to_json() if record is not None else "",
        "downloads": [
            (kind, line.address(at=at).replace("/walk", f"/download/{kind}", 1))
            for kind in list_formats(line)
        ],
        "explorer": _explorer_address(line, at, analysis.positions[at]),
        "study": line.address().replace("/walk", "/study", 1),
        "set_up": setup_address(line.game, analysis.positions[at]),
    }


def _explorer_address(line: Line, at: int, position: str) -> str:
    """Return where to see what others played here, with the moves that led there if they fit."""
    if at > MAX_MOVES:
        return walk_address("explorer", line.game, position)
    return walk_address("explorer", line.game, line.position, line.moves[:at])


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


# Verdicts


def name_verdict(found: MoveReview) -> str:
    """Return the verdict on a move with what it cost: `mistake, draw → loss`."""
    verdicts = {
        "best": _("best"),
        "good": _("good"),
        "loses sooner": _("loses sooner"),
        "mistake": _("mistake"),
        "only move": _("only move"),
        "unknown": _("not known"),
    }
    verdict, cost = verdicts[found.verdict], describe_cost(found)
    return _("%(verdict)s, %(cost)s", verdict=verdict, cost=cost) if cost else verdict


def describe_cost(found: MoveReview) -> str:
    """Say what a move gave away: `draw → loss`, `6 discs`, `2 moves later`; the best, nothing."""
    before, after = found.before, found.after
    if before is None or after is None or found.verdict in ("best", "only move", "unknown"):
        return ""
    if before.score is not None and after.score is not None:
        discs = _count_discs(found.cost)
        if before.outcome == after.outcome or not found.exact:
            return discs
        return _("%(change)s, %(discs)s", change=_change(found), discs=discs)
    if before.outcome != after.outcome:
        return _change(found)
    moves = abs((after.plies or 0) - (before.plies or 0))
    if found.verdict == "loses sooner":
        return ngettext("by %(moves)s move", "by %(moves)s moves", moves) % {"moves": moves}
    return ngettext("%(moves)s move later", "%(moves)s moves later", moves) % {"moves": moves}


def _change(found: MoveReview) -> str:
    outcomes = {"win": _("win"), "draw": _("draw"), "loss": _("loss")}
    before, after = found.before, found.after
    return f"{outcomes[before.outcome]} → {outcomes[after.outcome]}" if before and after else ""


def _count_discs(discs: float) -> str:
    whole = discs == int(discs)
    return ngettext("%(discs)s disc", "%(discs)s discs", int(discs) if whole else 2) % {
        "discs": f"{discs:g}"
    }


# What each gave away


def tally(judged: Sequence[MoveReview], seat: int) -> Values:
    """Count the moves of a seat by their verdicts, and add up the discs they gave away.

    The number of discs, which there is only in Othello, is marked if it is an estimate.
    """
    own = [each for each in judged if each.seat == seat]
    kinds = [each.verdict for each in own]
    counted = [each for each in own if each.before and each.before.score is not None]
    exact = all(each.exact for each in counted)
    lost = sum(each.cost for each in counted)
    return {
        "best": kinds.count("best"),
        "good": kinds.count("good"),
        "mistakes": kinds.count("mistake"),
        "only": kinds.count("only move"),
        "sooner": kinds.count("loses sooner"),
        "discs": f"{'' if exact or not lost else '≈ '}{lost:.0f}" if counted else "",
    }


# Where it was lost


def name_seat(line: Line, seat: int) -> str:
    """Return what the page calls the player at a seat, as the table did: `You`, `Ann`, `black`."""
    if seat == line.you:
        return _("You")
    named = line.players[seat] if seat < len(line.players) else ""
    return name_player(named) if named else translate(line.name(seat))


def find_loser(line: Line) -> int | None:
    """Return the seat that lost a game for two, by the rules or because it stopped."""
    if line.game.seats != 2:
        return None
    result = line.game.result(line.states[-1])
    if result is not None:
        return result.index(-1) if -1 in result else None
    return line.loser


def _find_story(analysis: Analysis, line: Line) -> Values | None:
    """Return where the game was lost, or nothing as long as that is not known."""
    loser = find_loser(line)
    if loser is None:
        return None
    loss = find_loss(line.game, line.states, analysis.found, loser, line.opening)
    if loss is None:
        return None
    state, lost = line.states[loss.number - 1], loss.number and not loss.given_up
    best = [translate(boards.name_move(text, line.game, state)) for text in loss.best[:MAX_NAMED]]
    move = boards.name_move(line.moves[loss.number - 1], line.game, state) if lost else ""
    return {
        "loss": loss,
        "you": None if line.you is None else line.you == loser,
        "name": name_seat(line, loser),
        "other": name_seat(line, 1 - loser),
        "begins": "opening" if line.opening else "position" if line.position else "start",
        "moves": ", ".join(best),
        "move": translate(move),
    }


# As a study


def make_study(analysis: Analysis) -> Study:
    """Return the study of a reviewed line, as far as its moves are judged."""
    line = analysis.line
    named = [line.name(seat) for seat in range(line.game.seats)] if line.players else []
    title = " – ".join(named)[:MAX_TITLE]
    study = follow_moves(line.game, line.moves, title, line.position)
    for number, found in reversed([*enumerate(analysis.review(), start=1)]):
        if found is None or found.verdict != "mistake":
            continue
        study = study.change(number, comment=_tell(analysis, found))
        if found.best:  # added behind the line, so the numbers of earlier moves stay
            study, better = study.add(number - 1, found.best[0])
            study = study.change(better, right=True)
    return study


def _tell(analysis: Analysis, found: MoveReview) -> str:
    """Say what a move cost, and what was better."""
    game, state = analysis.line.game, analysis.line.states[found.number - 1]
    named = [translate(boards.name_move(move, game, state)) for move in found.best[:MAX_NAMED]]
    verdict = sentence(name_verdict(found))
    if not named:
        return verdict
    if len(named) == 1:
        return f"{verdict}\n{_('Best was %(moves)s.', moves=named[0])}"
    return f"{verdict}\n{_('Best were %(moves)s.', moves=', '.join(named))}"
