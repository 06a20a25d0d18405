"""What can be read out of hats: the table, the strategy as far as they support it, and its proof.

The strategy is read from the balls alone. The truth stands beside it, and the proof after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from parlour.core import count, one_of
from parlour.learn.hat_set import Hats, Odds
from parlour.learn.measure import compute_odds, find_truths, measure
from parlour.rules import Sticks
from parlour.truth import solve_once

SURE = 2 / 3  # a favourite is drawn at least so often
FEWEST = 6  # balls in a hat before it is asked for a favourite
LISTED = 3  # balls of a kind that are written out one by one
MOST_KINDS = 9  # of more, a table names only the first few
FEW = 5
NEVER = 1e-12  # what sums leave of nothing


# The table, as it is drawn on paper


def format_table(hats: Hats, row: int, width: int = 80) -> str:
    """Every hat with its content, the likeliest take and the right one, for the Game of Sticks."""
    known = find_truths(hats.boxes)
    columns = [("hat", "content", "likely", "right")]
    for box in sorted(hats.owned(row), key=lambda box: int(hats.boxes.states[box][2])):
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
    """`1,2,3,3`, with the numbers of many told by how many there are; of many kinds the likeliest.

    Those are written from the likeliest on, and the others counted: `7,7,1,2,3,4 … and 95 more`.
    """
    there = [(text, balls) for text, balls in zip(texts, held, strict=True) if balls]
    if len(there) > MOST_KINDS:
        there.sort(key=lambda kind: -kind[1])
    return _join_few([_repeat_text(text, balls) for text, balls in there]) or "empty"


def _repeat_text(text: str, balls: int) -> str:
    return ",".join([text] * balls) if balls <= LISTED else f"{text}×{balls}"


def _join_few(words: Sequence[str]) -> str:
    if len(words) <= MOST_KINDS:
        return ",".join(words)
    return f"{','.join(words[:FEW])} … and {len(words) - FEW} more"


def _blocks(columns: Sequence[tuple[str, ...]], width: int) -> Iterable[str]:
    """As many columns side by side as fit, the names of the rows before each block."""
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
    """How well these hats play, in lines; exact."""
    point = measure(hats, row)
    right = (
        f"The likeliest ball is right in {point.right} of {point.of} boxes where one can be wrong."
    )
    chance = f"A right ball is drawn with a chance of {point.chance:.2f} on average."
    told = [right, chance] if point.of else ["No ball can be wrong here."]
    empty = [box for box in hats.owned(row) if not any(hats.contents(row, box))]
    if empty:
        boxes = "1 box is" if len(empty) == 1 else f"{len(empty)} boxes are"
        told.append(f"{boxes} empty; there it gives up.")
    ways = (("drawing its balls", False), ("playing its likeliest ball", True))
    for how, likeliest in ways if hats.games else ways[:1]:
        told += ["", f"How it fares {how}:"]
        told += [
            f"  moving {SEATS[odds.seat]} against {OPPONENT[odds.opponent]}  {_format_odds(odds)}"
            for odds in compute_odds(hats, row, likeliest=likeliest)
        ]
    return told


SEATS = ("first, ", "second,")
OPPONENT = {"random": "a random player   ", "perfect": "the perfect player"}


def _format_odds(fortune: Odds) -> str:
    chances = {"wins": fortune.win, "draws": fortune.draw, "loses": fortune.loss}
    for word, chance in chances.items():
        if chance > 1 - NEVER:
            return f"always {word}"
    never = ", never loses" if fortune.loss < NEVER else ""
    return ", ".join(f"{word} {_percent(c)}" for word, c in chances.items() if c >= NEVER) + never


def _percent(chance: float) -> str:
    """Never rounded to what is not so."""
    if chance < 0.0005:
        return "<0.1%"
    return ">99.9%" if chance > 0.9995 else f"{chance:.1%}"


# The strategy


def describe_strategy(hats: Hats, row: int) -> tuple[list[str], bool]:
    """What the hats of the Game of Sticks seem to do, only as far as they support it.

    And whether that is the rule which `proof` proves.
    """
    favourite = {}
    for box in hats.owned(row):
        held, likely = hats.contents(row, box), hats.likeliest(row, box)
        if sum(held) >= FEWEST and len(likely) == 1 and max(held) >= SURE * sum(held):
            sticks = int(hats.boxes.states[box][2])
            favourite[sticks] = min(likely[0] + 1, sticks)
    favourite = dict(sorted(favourite.items()))
    if not favourite:
        return ["These hats say nothing yet: no ball is a clear favourite in any of them."], False
    leaves = {sticks: sticks - take for sticks, take in favourite.items()}
    pattern = _find_pattern(list(leaves.values()))
    told = []
    if pattern is None:
        seen = sorted(set(leaves.values()))
        told.append(
            f"{count(len(favourite), 'hat')} with a clear favourite: they leave {_or(seen)}. "
            "That is too little to see a rule in it."
        )
    else:
        every, rest = pattern
        agree = {sticks: left for sticks, left in leaves.items() if left % every == rest}
        seen = sorted(set(agree.values()))
        told.append(
            f"{len(agree)} of the {count(len(favourite), 'hat')} with a clear favourite leave "
            f"{_or(seen)}: {_more_than(rest)} a multiple of {every}."
        )
        told += [
            f"Hat {sticks} says otherwise: it takes {favourite[sticks]} and leaves {left}."
            for sticks, left in leaves.items()
            if sticks not in agree
        ]
    silent = sorted(int(hats.boxes.states[box][2]) for box in hats.owned(row))
    silent = [sticks for sticks in silent if sticks not in favourite]
    if silent:
        told.append(f"No clear favourite in hat{'s' if silent[1:] else ''} {_and(silent)}.")
    return told, pattern == (len(hats.boxes.balls[0]) + 1, 1)


def _find_pattern(leaves: Sequence[int]) -> tuple[int, int] | None:
    """The largest step and the rest that nearly all numbers share; None when nothing is seen."""
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
    """Why the rule of one more than a multiple wins, and that solving the game agrees."""
    most, step = game.take, game.take + 1
    takes = "1" if most == 1 else f"1 to {most}"
    solution = solve_once(game)
    states = {n: game.read(str(n)) for n in range(1, game.sticks + 1)}
    lost = [n for n, state in states.items() if solution.value(state).outcome == "loss"]
    return [
        f"Leave one more than a multiple of {step}: 1, {1 + step}, {1 + 2 * step}, …",
        "1 stick is lost for whoever must take it.",
        f"With {step}k + 1 sticks, whatever the opponent takes, {takes}, you take what is missing "
        f"to {step}. That is {takes} as well, and {step}(k - 1) + 1 are left: the same, {step} "
        "fewer. So it goes on down to the last stick, and the opponent takes it.",
        f"From any other number you get there at once: take the rest of (n - 1) divided by {step}, "
        f"which is {takes}. From {step}k + 1 you cannot, for that rest is 0.",
        f"Solving the game says the same: of 1 to {game.sticks} sticks, {_and(lost)} are lost for "
        "whoever is to move.",
    ]
