"""A game told in plain words: the verdict on each move, where it was lost, what each gave away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from parlour import boards
from parlour.faces.web.review.address import Line
from parlour.faces.web.review.service import Analysis
from parlour.faces.web.texts import _, name_player, ngettext, translate
from parlour.players import Loss, MoveReview, find_loss

MAX_NAMED = 4  # moves in one sentence

Story = tuple[list[str], int]  # sentences, and the move to look at; 0 for none


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


@dataclass(frozen=True)
class Tally:
    """How well one seat played."""

    best: int
    good: int
    mistakes: int
    only: int
    sooner: int  # moves that lost sooner than necessary
    discs: str = ""  # that were given away, in Othello; an estimate is marked


def tally(judged: Sequence[MoveReview], seat: int) -> Tally:
    """Count the moves of a seat by their verdicts, and add up the discs they gave away."""
    own = [each for each in judged if each.seat == seat]
    kinds = [each.verdict for each in own]
    counted = [each for each in own if each.before and each.before.score is not None]
    exact = all(each.exact for each in counted)
    lost = sum(each.cost for each in counted)
    return Tally(
        kinds.count("best"),
        kinds.count("good"),
        kinds.count("mistake"),
        kinds.count("only move"),
        kinds.count("loses sooner"),
        f"{'' if exact or not lost else '≈ '}{lost:.0f}" if counted else "",
    )


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


def tell_loss(analysis: Analysis, line: Line) -> Story | None:
    """Say where the game was lost, or nothing as long as that is not known."""
    loser = find_loser(line)
    if loser is None:
        return None
    loss = find_loss(line.game, line.states, analysis.found, loser, line.opening)
    if loss is None:
        return None
    if loss.given_up:
        return _tell_given_up(line, loss, loser), 0
    if loss.number:
        return _tell_move(line, loss, loser) + _tell_length(line, loss, loser), loss.number
    return [_tell_lost_before(line, loser), *_tell_length(line, loss, loser)], 0


def _name_moves(line: Line, loss: Loss) -> str:
    state = line.states[loss.number - 1]
    some = [translate(boards.name_move(text, line.game, state)) for text in loss.best[:MAX_NAMED]]
    return ", ".join(some)


def _tell_lost_before(line: Line, loser: int) -> str:
    """Say that the game was lost before the loser could do anything about it."""
    name, other = (name_seat(line, seat) for seat in (loser, 1 - loser))
    if line.opening:
        if line.you == loser:
            text = _("After the given opening you were losing: with best play %(other)s wins "
                     "whatever you do.", other=other)  # fmt: skip
        elif line.you is not None:
            text = _("After the given opening %(name)s was losing: with best play you win whatever "
                     "%(name)s does.", name=name)  # fmt: skip
        else:
            text = _("After the given opening %(name)s was losing: with best play %(other)s wins "
                     "whatever %(name)s does.", name=name, other=other)  # fmt: skip
    elif line.position:
        if line.you == loser:
            text = _("You were losing from this position on: with best play %(other)s wins "
                     "whatever you do.", other=other)  # fmt: skip
        elif line.you is not None:
            text = _("%(name)s was losing from this position on: with best play you win whatever "
                     "%(name)s does.", name=name)  # fmt: skip
        else:
            text = _("%(name)s was losing from this position on: with best play %(other)s wins "
                     "whatever %(name)s does.", name=name, other=other)  # fmt: skip
    elif line.you == loser:
        text = _("You were losing from the start: with best play %(other)s wins whatever you do.",
                 other=other)  # fmt: skip
    elif line.you is not None:
        text = _("%(name)s was losing from the start: with best play you win whatever "
                 "%(name)s does.", name=name)  # fmt: skip
    else:
        text = _("%(name)s was losing from the start: with best play %(other)s wins "
                 "whatever %(name)s does.", name=name, other=other)  # fmt: skip
    return text


def _tell_given_up(line: Line, loss: Loss, loser: int) -> list[str]:
    if loss.could != "win":
        first = _("The game was not lost: with best play it was still a draw.")
    elif line.you == loser:
        first = _("The game was not lost: with best play you would even have won.")
    else:
        first = _("The game was not lost: with best play %(name)s would even have won.",
                  name=name_seat(line, loser))  # fmt: skip
    moves = _name_moves(line, loss)
    return [first, _("Good was %(moves)s.", moves=moves)] if moves else [first]


def _tell_move(line: Line, loss: Loss, loser: int) -> list[str]:
    text, state = line.moves[loss.number - 1], line.states[loss.number - 1]
    move = translate(boards.name_move(text, line.game, state))
    moves = _name_moves(line, loss)
    if line.you == loser:
        values = {"number": loss.number, "move": move, "moves": moves}
        if loss.exact:
            first = _("You lost the game at move %(number)s: %(move)s.", **values)
        else:
            first = _("It seems that you lost the game at move %(number)s: %(move)s.", **values)
        if loss.could == "win":
            return [first, _("Until then you could still have won, with %(moves)s.", **values)]
        return [first, _("Until then you could still have had a draw, with %(moves)s.", **values)]
    name = name_seat(line, loser)
    values = {"number": loss.number, "move": move, "moves": moves, "name": name}
    if loss.exact:
        first = _("%(name)s lost the game at move %(number)s: %(move)s.", **values)
    else:
        first = _("It seems that %(name)s lost the game at move %(number)s: %(move)s.", **values)
    if loss.could == "win":
        return [first, _("Until then %(name)s could still have won, with %(moves)s.", **values)]
    return [first, _("Until then %(name)s could still have had a draw, with %(moves)s.", **values)]


def _tell_length(line: Line, loss: Loss, loser: int) -> list[str]:
    """Say how long the loser held out, where that can be counted."""
    if loss.lasted is None or loss.possible is None:
        return []
    moves, you = loss.lasted - loss.possible, line.you == loser
    values = {"name": name_seat(line, loser), "moves": abs(moves)}
    if not moves and you:
        text = _("From there you held out as long as possible.")
    elif not moves:
        text = _("From there %(name)s held out as long as possible.", **values)
    elif moves > 0 and you:
        text = ngettext(
            "From there every move lost; you held out %(moves)s move longer than best play allows.",
            "From there every move lost; you held out %(moves)s moves longer than best play "
            "allows.",
            moves,
        )
    elif moves > 0:
        text = ngettext(
            "From there every move lost; %(name)s held out %(moves)s move longer than best play "
            "allows.",
            "From there every move lost; %(name)s held out %(moves)s moves longer than best play "
            "allows.",
            moves,
        )
    elif you:
        text = ngettext(
            "From there every move lost, but you could have held out %(moves)s move longer.",
            "From there every move lost, but you could have held out %(moves)s moves longer.",
            -moves,
        )
    else:
        text = ngettext(
            "From there every move lost, but %(name)s could have held out %(moves)s move longer.",
            "From there every move lost, but %(name)s could have held out %(moves)s moves longer.",
            -moves,
        )
    return [text % values if moves else text]
