"""What workers do for tournaments: games of an arena plan."""

from __future__ import annotations

from parlour.arena import Fixture, Plan, play_games
from parlour.core import BadText, Work, registry
from parlour.faces.web.workers import Payload, TaskFunction, field, seconds_of


def tournament_games(payload: Payload, work: Work) -> list[str]:
    """Play games of an arena plan, as many as begin within the time, and at least one.

    A bot that fails loses; so does one that is thinking when the work is stopped. Progress is how
    many games are over and, counted from 1, who is to move in the next: if nothing more is ever
    heard, that bot did not answer.
    """
    line, fixtures = field(payload, "plan", str), field(payload, "fixtures", list)
    try:
        plan = Plan.from_json(line)
        chosen = [Fixture(*map(int, fixture)) for fixture in fixtures]
        known = all({each.first, each.second} <= set(range(len(plan.entries))) for each in chosen)
    except (ValueError, TypeError, KeyError, AttributeError):
        known = False
    if not known:
        raise BadText("the plan of these games cannot be read")
    registry.find("games", plan.game)  # by its name: no file is opened
    return play_games(line, fixtures, seconds_of(payload, "within", 0.0), strong=True, work=work)


TASKS: dict[str, TaskFunction] = {"tournament-games": tournament_games}
