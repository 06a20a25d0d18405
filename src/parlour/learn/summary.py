"""What the commands train and hats say of hats: lines for people, and plain values for programs."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from parlour.core import Work, values
from parlour.learn.hat_set import Hats, Point, Tally
from parlour.learn.measure import find_truths, measure
from parlour.learn.reading import describe_strategy
from parlour.rules import Sticks


def wrap_text(line: str, first: str = "", other: str = "") -> str:
    """A sentence on as many lines as the screen needs."""
    wide = min(100, shutil.get_terminal_size().columns)
    return textwrap.fill(line, wide, initial_indent=first, subsequent_indent=other)


# For people


def describe_schooling(hats: Hats) -> str:
    """How hats were trained, in a line."""
    return f"{describe_games(hats)}, by the rule {hats.rule.name}, seed {hats.seed}"


def describe_games(hats: Hats) -> str:
    """How often hats have played, against whom, and who began."""
    whom = {
        "another": "against another who learns too",
        "itself": "against themselves",
        "random": "against a random player",
        "perfect": "against the perfect player",
    }[hats.against]
    begins = "taking turns to begin" if hats.starts == "alternate" else "always beginning"
    if hats.against in ("another", "itself") and hats.starts == "first":
        begins = "the first always beginning"
    return f"{_count_games(hats.games)} {whom}, {begins}"


def _count_games(number: int) -> str:
    return f"{number:,} game{'' if number == 1 else 's'}"


def describe_learning(hats: Hats, row: int) -> str:
    """How well a player's hats played when they were measured last."""
    whose = f"Player {row + 1}: " if len(hats.curves) > 1 else ""
    if not hats.curves[row]:
        return f"{whose}nothing is measured yet."
    point = hats.curves[row][-1]
    if not point.of:
        return f"{whose}no ball can be wrong here."
    return (
        f"{whose}the likeliest ball is right in {point.right} of {point.of} boxes where one can be "
        f"wrong; a right ball is drawn with a chance of {point.chance:.2f} on average."
    )


def describe_last_games(last: Tally) -> str:
    """How the last games against somebody who does not learn went."""
    won, lost = last.wins
    played = _count_games(won + lost + last.draws)
    return f"Of the last {played} they won {won:,}, drew {last.draws:,} and lost {lost:,}."


def describe_dry(hats: Hats) -> list[str]:
    """That a player ran out of balls, if one did."""
    tally = hats.tally
    if tally.dry is None:
        return []
    given_up = _count_games(sum(tally.resigned))
    were = "was" if sum(tally.resigned) == 1 else "were"
    return [
        f"They ran dry: in game {tally.dry:,} no ball was left for their first move. "
        f"For want of balls {given_up} {were} given up."
    ]


# For programs


def to_dict(hats: Hats, name: str, points: Sequence[Point | None]) -> dict[str, Any]:
    """Hats with how well they play, without their balls."""
    return {
        "name": name,
        "game": hats.game.name,
        "options": values(hats.game),
        "rule": hats.rule.name,
        "against": hats.against,
        "starts": hats.starts,
        "seed": hats.seed,
        "games": hats.games,
        "tally": asdict(hats.tally),
        "players": [None if point is None else asdict(point) for point in points],
        "curves": [[asdict(point) for point in curve] for curve in hats.curves],
    }


def to_full_dict(hats: Hats, name: str, work: Work) -> dict[str, Any]:
    """Hats measured now, with every box of each player, and what they say where it can be read."""
    rows = range(len(hats.balls))
    found = to_dict(hats, name, [measure(hats, row, work) for row in rows])
    for row, player in enumerate(found["players"]):
        player["boxes"] = [box_to_dict(hats, row, box) for box in hats.owned(row)]
        if isinstance(hats.game, Sticks):
            player["strategy"] = describe_strategy(hats, row)[0]
    return found


def box_to_dict(hats: Hats, row: int, box: int) -> dict[str, Any]:
    """A box with its balls, what the position is worth to the mover, and the right balls."""
    texts = [ball.text for ball in hats.boxes.balls[box]]
    known = find_truths(hats.boxes)[box]
    return {
        "position": hats.game.write(hats.boxes.states[box]),
        "balls": dict(zip(texts, hats.contents(row, box), strict=True)),
        "value": known.outcome,
        "right": [texts[kind] for kind in known.right] or texts,
    }
