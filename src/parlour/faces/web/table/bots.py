"""The bots people may choose from, and how well each plays a game."""

from __future__ import annotations

from typing import Any

from parlour.core import BadText, Game, ParlourError, UnknownName, describe, quote, registry, values
from parlour.faces.web.house import House
from parlour.faces.web.workers import TooMany

MOST_KEPT = 500
LONGEST = 200
MOST = {
    "games": 1_000_000,  # that train hats before they play
    "threads": 1,
    "hash": 256,  # megabytes
}
STRONGEST = ("perfect", "engine")  # which are offered first
ASK = 10.0  # seconds


async def bots_for(house: House, name: str, game: Game) -> list[dict[str, Any]]:
    """Those who play this game, each with its name, what it is and how well it plays."""
    variant = describe(game)
    if variant not in house.bots:
        if len(house.bots) > MOST_KEPT:
            house.bots.clear()
        payload = {"game": name, "options": values(game)}
        try:
            found = await house.thinkers.ask("plays", payload, seconds=ASK, whose="")
        except TooMany:
            raise
        except ParlourError:
            return []
        house.bots[variant] = sorted(found, key=lambda bot: bot["name"] not in STRONGEST)
    return house.bots[variant]


def read_bot(bots: list[dict[str, Any]], name: str, options: str = "") -> str:
    """A bot from the list as a seat keeps it; a name never opens a file.

    What is kept on this machine is its owner's: nobody plays with it here, or changes it.
    """
    if name not in [bot["name"] for bot in bots]:
        raise BadText(f"{quote(name)} does not play this; choose a bot from the list")
    try:
        bot = registry.read_bot(f"{name} {options}".strip()[:LONGEST])
    except UnknownName as refusal:  # the bot is there; an option of it is not
        raise BadText(str(refusal)) from None
    told = values(bot)
    if told.get("kept"):
        raise BadText("kept hats do not play here; leave out kept, or begin a class in the school")
    if told.get("learning"):
        raise BadText("nobody learns at these tables; leave out learning, or begin a class")
    for option, most in MOST.items():
        if isinstance(number := told.get(option), int) and number > most:
            raise BadText(f"{option} can be {most:,} at most here, not {number:,}")
    return describe(bot)
