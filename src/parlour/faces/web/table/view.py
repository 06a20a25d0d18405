"""What the page of a table shows: the board, the players, the clocks, values, and sentences."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from parlour import boards, core
from parlour.core import OUTCOMES, Game, Match, State, protocol, say, sentence, sides, title
from parlour.faces.web.clients import Visitor
from parlour.faces.web.prefix import url
from parlour.faces.web.services import Services
from parlour.faces.web.table import service
from parlour.faces.web.table.bots import Sources, describe_bot, source_of
from parlour.faces.web.table.presence import TablePresence
from parlour.faces.web.table.values import Point, Valuations, mark_of, value_chart
from parlour.faces.web.texts import name_player
from parlour.players import Assessment, Evaluation
from parlour.rules import find_opening, has_openings
from parlour.store import Table

JUST_NOW = 0.5  # seconds for which a move is animated

YOU = "You"  # a player without a name, to themselves
YOU_ENDED = {  # why you lost
    "time": say("You ran out of time."),
    "resigned": say("You resigned."),
    "left": say("You left the game."),
    "away": say("You stayed away too long."),
}


def table_context(services: Services, table: Table, visitor: Visitor, view: str) -> dict[str, Any]:
    """Return all values of the template of a table, for a visitor and the view they chose."""
    match = service.match_of(table)
    game, mine, full = match.game, service.seats_of(table, visitor), service.is_full(table)
    waits = service.waits_for_ok(table, match)
    for_two = service.is_for_two_people(table)
    values = _values(services, table, match, view)
    names = [service.player_name(table, at, mine) for at in range(len(table.seats))]
    return {
        "table": table,
        "title": title(game),
        "rules": list_rules(game),
        "position": game.write(match.state),
        "record": table.record().to_json(),
        "view": view,
        "mine": mine,
        "match": match,
        "names": names,
        "turn": None if match.over else match.turn,
        "opening": name_opening(game, match.states),
        "over": match.over,
        "full": full,
        "waits": waits,
        "announced": _describe_last_move(match, names) if table.moves else None,
        "ended": _describe_end(match, names),
        "end_reason": _describe_reason(match, names),
        "seats": [_seat(services, table, match, at, mine) for at in range(len(table.seats))],
        "own_menu": is_own_menu(table, visitor),
        "menu": f"/new/{table.setup.partition(' ')[0]}" if table.setup else "/",
        "among_people": service.is_between_people(table),
        "may_draw": not match.over and bool(mine) and service.can_agree_draw(table, match),
        "may_rate": for_two
        and bool(mine)
        and not (table.moves or table.rated or table.counts_for or match.over),
        "claim_in": _claim_in(services, table, match, visitor),
        "hosts": service.is_host(table, visitor),
        "easier": is_quick(table),
        "still": time.time() - table.turned > JUST_NOW,
        "waiting": _is_waiting(table, match, mine, waits) or bool(values["values_pending"]),
        "board": boards.board(
            game,
            match.state,
            last=match.moves[-1] if match.moves else "",
            before=match.states[-2] if match.moves else None,
            playable=not match.over and full and not waits and match.turn in mine,
            at=len(match.moves),
            action=url(f"/tables/{table.id}/move"),
            marks=values["marks"],
            viewer=mine[0] if mine else None,
            names=[name_player(name) for name in names],
        ),
        **values,
    }


def _seat(
    services: Services, table: Table, match: Match, at: int, mine: tuple[int, ...]
) -> dict[str, Any]:
    seat = table.seats[at]
    marks = sides(match.game)
    source = source_of(services.get(Sources), seat)
    return {
        "at": at,
        "name": service.player_name(table, at, mine),
        "kind": seat.kind,
        "about": describe_bot(match.game, seat.bot) if seat.bot and not source else "",
        "hats": source.link(table, match, at) if source else "",
        "mark": marks[at] if marks else "",
        "mine": at in mine,
        "left": service.seconds_left(table, match, at),
        "running": not match.over and match.turn == at and service.is_full(table),
        "presence": "" if at in mine else _where_is(services, table, at),
        "out": at in protocol.seats_out(match.game, match.state),
        "payoff": match.result[at] if match.result else None,
    }


def _where_is(services: Services, table: Table, seat: int) -> str:
    """Return whether a person is here, reconnecting, away or was never here.

    Nothing where it does not matter, and for somebody who has left for good.
    """
    if not service.is_for_two_people(table) or not table.seats[seat].owner:
        return ""
    found = services.get(TablePresence).where_is(table, seat)
    return found.state if found is not None else "expected"


def _claim_in(services: Services, table: Table, match: Match, visitor: Visitor) -> float | None:
    """Return the seconds until a visitor may claim the game; None while the other is here."""
    if not service.can_be_claimed(table, match, visitor):
        return None
    presence = services.get(TablePresence)
    found = presence.where_is(table, match.turn)
    return presence.countdown(table, match.turn) if found and found.state == "away" else None


def _values(services: Services, table: Table, match: Match, view: str) -> dict[str, Any]:
    """Return what the moves are worth, if asked for; not while that would help somebody."""
    reason = why_no_help(table)
    shown = view == "values" and not reason
    values = {"values": shown, "no_help": reason, "values_pending": False, "marks": {}}
    if not shown:
        return values
    found = services.get(Valuations).of_table(table)
    assessed = found[-1]
    values |= {"chart": value_chart(_series(match, found)), "values_pending": assessed is None}
    if assessed is None:
        return values
    return values | {
        "values_note": assessed.why_not,
        "values_source": assessed.source,
        "value": assessed.value,
        "valued": assessed.moves,
        "marks": {each.move: mark_of(each) for each in assessed.moves},
    }


def why_no_help(table: Table) -> str:
    """Say why nobody is told what moves are worth; nothing if they may be."""
    if not service.is_without_help(table):
        return ""
    if table.counts_for:
        return say("Values are hidden while a game counts.")
    return say("Values are hidden while two people play.")


def name_opening(game: Game, states: Sequence[State]) -> str:
    """Return the line that names the opening so far; nothing in games whose openings have none."""
    if not has_openings(game):
        return ""
    name = find_opening(game, states)
    return say("Opening: {name}", name=name) if name else say("Opening: no name yet")


def is_quick(table: Table) -> bool:
    """Whether the table is a quick game against Benedict, of which there is an easier one."""
    names = [seat.name for seat in table.seats if seat.kind == "bot"]
    quick = not table.setup and names == ["Benedict"]
    return quick and bool(core.extra(core.registry.find("games", table.game), "easier_bot"))


def is_own_menu(table: Table, visitor: Visitor) -> bool:
    """Whether the table was set up in the visitor's menu."""
    return bool(table.setup) and visitor.browser == table.setup.partition(" ")[2]


def role(table: Table, visitor: Visitor) -> tuple[Any, ...]:
    """Return what the page depends on besides the table: the visitor's seats and menu."""
    seats, host = service.seats_of(table, visitor), service.is_host(table, visitor)
    return (*seats, is_own_menu(table, visitor), host)


def _is_waiting(table: Table, match: Match, mine: tuple[int, ...], waits: bool) -> bool:
    """Whether somebody else has to act next, so that a page without scripts reloads itself."""
    if match.over:
        return bool(mine) and service.is_between_people(table) and not table.next
    if not service.is_full(table):
        return bool(mine)
    return not mine or not (waits or match.turn in mine)


def _describe_last_move(match: Match, names: Sequence[str]) -> str:
    """Say what the last move was."""
    text = boards.name_move(match.moves[-1], match.game, match.states[-2])
    did = say(
        "{name} {does}.",
        name=name_player(names[match.movers[-1]]),
        does=boards.announce_move(match.game, text),
    )
    return core.join(" ", [did, *(_say_out(names[seat]) for seat in match.newly_out)])


def _say_out(name: str) -> str:
    return say("You are out.") if name == YOU else say("{who} is out.", who=name_player(name))


def _describe_end(match: Match, names: Sequence[str]) -> str:
    """Say who won; nothing while the game goes on."""
    if match.result is None:
        return ""
    score = getattr(match.game, "score", None)
    by = score(match.state) if score and not match.reason else None
    pairs = zip(names, match.result, strict=True)
    return say_winners([name for name, payoff in pairs if payoff > 0], by)


def say_winners(names: Sequence[str], by: int | None) -> str:
    """Say who has won, and by how much where points are counted."""
    if not names:
        return say("It’s a draw.")
    if len(names) > 1:
        return say("{names} win.", names=core.all_of(map(name_player, names)))
    if names[0] == YOU:
        return say("You win.") if by is None else say("You win by {score}.", score=abs(by))
    name = name_player(names[0])
    if by is None:
        return say("{name} wins.", name=name)
    return say("{name} wins by {score}.", name=name, score=abs(by))


def _describe_reason(match: Match, names: Sequence[str]) -> str:
    """Say why the referee ended the game, with the player's own name: `Ann resigned.`"""
    if match.reason:
        return say_reason(match.reason, match.end, match.loser, names)
    ending = protocol.ended_by(match.game, match.state)
    return sentence(say("{ending} was reached", ending=ending)) if ending else ""


def say_reason(reason: str, end: str, loser: int | None, names: Sequence[str]) -> str:
    """Say why the referee ended a game, with the names of its players."""
    if loser is not None and names[loser] == YOU and end in YOU_ENDED:
        return YOU_ENDED[end]
    return sentence(protocol.name_seats(reason, [name_player(name) for name in names]))


def list_rules(game: Game) -> list[tuple[int, str]]:
    """List the rules; where they have a box, what stands in it, and how far each is indented."""
    found: list[tuple[int, str]] = []
    for indent, star, text in re.findall(
        r"(?m)^\| ( *)(\*?) ?(.*?) *\|$", protocol.rules_box(game)
    ):
        if star or (text and not indent):
            found.append((1 + len(indent) // 2 if star else 0, text))
        elif text:  # which goes on with the line above
            found[-1] = (found[-1][0], f"{found[-1][1]} {text}")
    return found or [(0, line) for line in protocol.rules_text(game)]


def _series(match: Match, values: Sequence[Assessment | None]) -> list[Point]:
    """Return the values of all positions so far, for the first seat; None where not known."""
    pairs = zip(match.moves, match.states, strict=False)
    names = ["", *(boards.name_move(text, match.game, state) for text, state in pairs)]
    points = []
    for name, seat, found in zip(names, (*match.movers, match.turn), values, strict=False):
        worth = found.value if found else None
        points.append(Point(name, worth.flip() if worth and seat else worth))
    if match.result is not None and (match.reason or points[-1].worth is None):
        points[-1] = replace(points[-1], worth=Evaluation(OUTCOMES[match.result[0] + 1], 0))
    return points
