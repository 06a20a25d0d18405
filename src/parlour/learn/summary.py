"""Trained hats in words and data: their table, how well they play, and the strategy in them.

The strategy is read from the balls alone, only as far as they support it; the truth stands beside
it, and a proof follows. Lines are for people, plain values for programs.
"""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from parlour.core import Work, count, one_of, values
from parlour.learn.hat_set import Hats, Odds, Point, Tally, has_numbered_hats
from parlour.learn.training import compute_odds, find_truths, measure
from parlour.rules import Sticks
from parlour.truth import solve_once

CLEAR_FAVOURITE = 2 / 3  # a favourite is drawn at least so often
FEWEST_BALLS = 6  # balls in a hat before it is asked for a favourite
MOST_REPEATED = 3  # balls of a kind that are written out one by one
MOST_KINDS = 9  # a table names only the first few of more
FIRST_FEW = 5
NEGLIGIBLE = 1e-12  # rounding errors in sums of chances


# The table, as on paper


def format_table(hats: Hats, row: int, width: int = 80) -> str:
    """Return every stick hat with its content, its likeliest take and the right one."""
    known = find_truths(hats.boxes)
    columns = [("hat", "content", "likely", "right")]
    for box in sorted(hats.own_boxes(row), key=lambda box: int(hats.boxes.states[box][2])):
        texts = [ball.text for ball in hats.boxes.balls[box]]
        likely, right = hats.likeliest(row, box), known[box].right
        columns.append(
            (
                str(hats.boxes.states[box][2]),
                format_content(texts, hats.contents(row, box)),
                "any" if len(likely) == len(texts) else _join_few([texts[kind] for kind in likely]),
                "lost"
                if known[box].outcome == "loss"
                else _join_few([texts[k] for k in right]) or "any",
            )
        )
    return "\n\n".join(_blocks(columns, width))


def format_content(texts: Sequence[str], held: Sequence[int]) -> str:
    """Return `1,2,3,3`, with a count where there are many balls of a kind.

    Of many kinds the likeliest are written and the others counted: `7,7,1,2,3,4 … and 95 more`.
    """
    there = [(text, balls) for text, balls in zip(texts, held, strict=True) if balls]
    if len(there) > MOST_KINDS:
        there.sort(key=lambda kind: -kind[1])
    return _join_few([_repeat_text(text, balls) for text, balls in there]) or "empty"


def _repeat_text(text: str, balls: int) -> str:
    return ",".join([text] * balls) if balls <= MOST_REPEATED else f"{text}×{balls}"


def _join_few(words: Sequence[str]) -> str:
    if len(words) <= MOST_KINDS:
        return ",".join(words)
    return f"{','.join(words[:FIRST_FEW])} … and {len(words) - FIRST_FEW} more"


def _blocks(columns: Sequence[tuple[str, ...]], width: int) -> Iterable[str]:
    """Yield blocks of as many columns as fit side by side, each with the row names first."""
    names, *rest = columns
    while rest:
        block = [names]
        while rest and sum(3 + max(map(len, c)) for c in [*block, rest[0]]) - 3 <= width:
            block.append(rest.pop(0))
        if len(block) == 1:  # a column too wide for any screen
            block.append(rest.pop(0))
        wide = [max(map(len, column)) for column in block]
        lines = [
            " | ".join(f"{column[at]:{w}}" for column, w in zip(block, wide, strict=True)).rstrip()
            for at in range(len(names))
        ]
        lines.insert(1, " | ".join("-" * w for w in wide))
        yield "\n".join(lines)


# How well they play


def describe_play(hats: Hats, row: int) -> list[str]:
    """Return how well these hats play, in lines; exact."""
    point = measure(hats, row)
    right = (
        f"The likeliest ball is right in {point.right} of {point.of} boxes where one can be wrong."
    )
    chance = f"A right ball is drawn with a chance of {point.chance:.2f} on average."
    lines = [right, chance] if point.of else ["No ball can be wrong here."]
    empty = [box for box in hats.own_boxes(row) if not any(hats.contents(row, box))]
    if empty:
        boxes = "1 box is" if len(empty) == 1 else f"{len(empty)} boxes are"
        lines.append(f"{boxes} empty; there it gives up.")
    ways = (("drawing its balls", False), ("playing its likeliest ball", True))
    for how, likeliest in ways if hats.games else ways[:1]:
        lines += ["", f"How it fares {how}:"]
        lines += [
            f"  moving {SEATS[odds.seat]} against {OPPONENT[odds.opponent]}  {_format_odds(odds)}"
            for odds in compute_odds(hats, row, likeliest=likeliest)
        ]
    return lines


SEATS = ("first, ", "second,")
OPPONENT = {"random": "a random player   ", "perfect": "the perfect player"}


def _format_odds(odds: Odds) -> str:
    chances = {"wins": odds.win, "draws": odds.draw, "loses": odds.loss}
    for word, chance in chances.items():
        if chance > 1 - NEGLIGIBLE:
            return f"always {word}"
    never = ", never loses" if odds.loss < NEGLIGIBLE else ""
    return (
        ", ".join(f"{word} {_format_chance(c)}" for word, c in chances.items() if c >= NEGLIGIBLE)
        + never
    )


def _format_chance(chance: float) -> str:
    """Return a percentage that never rounds to certainty."""
    if chance < 0.0005:
        return "<0.1%"
    return ">99.9%" if chance > 0.9995 else f"{chance:.1%}"


# The strategy


def describe_strategy(hats: Hats, row: int) -> tuple[list[str], bool]:
    """Return what the stick hats seem to do, as far as they support it.

    The second value says whether that is the rule that `prove_strategy` proves.
    """
    favourite = {}
    for box in hats.own_boxes(row):
        held, likely = hats.contents(row, box), hats.likeliest(row, box)
        if (
            sum(held) >= FEWEST_BALLS
            and len(likely) == 1
            and max(held) >= CLEAR_FAVOURITE * sum(held)
        ):
            sticks = int(hats.boxes.states[box][2])
            favourite[sticks] = min(likely[0] + 1, sticks)
    favourite = dict(sorted(favourite.items()))
    if not favourite:
        return ["These hats say nothing yet: no ball is a clear favourite in any of them."], False
    leaves = {sticks: sticks - take for sticks, take in favourite.items()}
    pattern = _find_pattern(list(leaves.values()))
    lines = []
    if pattern is None:
        seen = sorted(set(leaves.values()))
        lines.append(
            f"{count(len(favourite), 'hat')} with a clear favourite: they leave {_or(seen)}. "
            "That is too little to see a rule in it."
        )
    else:
        every, rest = pattern
        agree = {sticks: left for sticks, left in leaves.items() if left % every == rest}
        seen = sorted(set(agree.values()))
        lines.append(
            f"{len(agree)} of the {count(len(favourite), 'hat')} with a clear favourite leave "
            f"{_or(seen)}: {_more_than(rest)} a multiple of {every}."
        )
        lines += [
            f"Hat {sticks} says otherwise: it takes {favourite[sticks]} and leaves {left}."
            for sticks, left in leaves.items()
            if sticks not in agree
        ]
    silent = sorted(int(hats.boxes.states[box][2]) for box in hats.own_boxes(row))
    silent = [sticks for sticks in silent if sticks not in favourite]
    if silent:
        lines.append(f"No clear favourite in hat{'s' if silent[1:] else ''} {_and(silent)}.")
    return lines, pattern == (len(hats.boxes.balls[0]) + 1, 1)


def _find_pattern(leaves: Sequence[int]) -> tuple[int, int] | None:
    """Return the largest step and remainder that nearly all numbers share, or None."""
    if len(set(leaves)) < 3:
        return None
    for every in range(max(leaves), 1, -1):
        for rest in range(every):
            agree = [left for left in leaves if left % every == rest]
            if len(agree) >= 0.75 * len(leaves) and len(set(agree)) >= 3:
                return every, rest
    return None


def _more_than(rest: int) -> str:
    words = ("", "one", "two", "three", "four", "five")
    return f"{words[rest] if rest < len(words) else rest} more than" if rest else "exactly"


def _or(numbers: Sequence[int]) -> str:
    return _and(numbers).replace(" and ", " or ")


def _and(numbers: Sequence[int]) -> str:
    if len(numbers) > 8:
        return f"{', '.join(map(str, numbers[:6]))} … {numbers[-1]}"
    return one_of(numbers).replace(" or ", " and ")


def prove_strategy(game: Sticks) -> list[str]:
    """Return why leaving one more than a multiple wins, and that solving the game agrees."""
    most, step = game.take, game.take + 1
    takes = "1" if most == 1 else f"1 to {most}"
    solution = solve_once(game)
    states = {n: game.read(str(n)) for n in range(1, game.sticks + 1)}
    lost = [n for n, state in states.items() if solution.value(state).outcome == "loss"]
    return [
        f"Leave one more than a multiple of {step}: 1, {1 + step}, {1 + 2 * step}, …",
        "1 stick is lost for the player who must take it.",
        f"With {step}k + 1 sticks, whatever the opponent takes, {takes}, you take what is missing "
        f"to {step}. That is {takes} as well, and {step}(k - 1) + 1 are left: the same, {step} "
        "fewer. So it goes on down to the last stick, and the opponent takes it.",
        f"From any other number you get there at once: take the rest of (n - 1) divided by {step}, "
        f"which is {takes}. From {step}k + 1 you cannot, for that rest is 0.",
        f"Solving the game says the same: of 1 to {game.sticks} sticks, {_and(lost)} are lost for "
        "the player to move.",
    ]


def wrap_text(line: str, first: str = "", other: str = "") -> str:
    """Return a sentence wrapped to the width of the screen."""
    wide = min(100, shutil.get_terminal_size().columns)
    return textwrap.fill(line, wide, initial_indent=first, subsequent_indent=other)


# For people


def describe_schooling(hats: Hats) -> str:
    """Return how hats were trained, in a line."""
    return f"{describe_games(hats)}, by the rule {hats.rule.name}, seed {hats.seed}"


def describe_games(hats: Hats) -> str:
    """Return how many games hats have played, against whom, and who began."""
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
    """Return how well a player's hats played when last measured."""
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
    """Return the results of the last games against a player who does not learn."""
    won, lost = last.wins
    played = _count_games(won + lost + last.draws)
    return f"Of the last {played} they won {won:,}, drew {last.draws:,} and lost {lost:,}."


def describe_dry(hats: Hats) -> list[str]:
    """Return a line about a player that ran out of balls, if one did."""
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
    """Return hats and how well they play as plain data, without their balls."""
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
    """Return hats measured now, with every box and, for sticks, the strategy."""
    rows = range(len(hats.balls))
    found = to_dict(hats, name, [measure(hats, row, work) for row in rows])
    for row, player in enumerate(found["players"]):
        player["boxes"] = [box_to_dict(hats, row, box) for box in hats.own_boxes(row)]
        if has_numbered_hats(hats.game):
            player["strategy"] = describe_strategy(hats, row)[0]
    return found


def box_to_dict(hats: Hats, row: int, box: int) -> dict[str, Any]:
    """Return a box with its balls, the value of the position, and the right balls."""
    texts = [ball.text for ball in hats.boxes.balls[box]]
    known = find_truths(hats.boxes)[box]
    return {
        "position": hats.game.write(hats.boxes.states[box]),
        "balls": dict(zip(texts, hats.contents(row, box), strict=True)),
        "value": known.outcome,
        "right": [texts[kind] for kind in known.right] or texts,
    }
