"""What cannot be set up, in people's words instead of the names of options."""

from __future__ import annotations

import re

from parlour.core import BadOption, ParlourError, declared, one_of, registry, sentence, whole
from parlour.rules import RULES

LIMITS = {  # what an option may be, by game and option; the least and the most are filled in
    "nim seats": "Nim is for {low} to {high} players.",
    "nim take": "The most that one move may take can be {low} to {high} coins.",
    "nim misere": "The last coin either wins or, misère, loses.",
    "nim endings": "An ending is told by the piles that are left, like 1, 2 and 3.",
    "nim piles": "Tell the piles by how many coins each holds, like 3, 4 and 5.",
    "sticks sticks": "The Game of Sticks is played with {low} to {high} sticks.",
    "sticks take": "The most that one move may take can be {low} to {high} sticks.",
    "chopsticks rules": f"We can play by {one_of(RULES.values())}.".replace("Benedict's", "my"),
    "chopsticks fingers": "A hand begins with {low} to {high} fingers.",
    "chopsticks dies_at": "A hand can die at {low} to {high} fingers.",
    "chopsticks overflow": "A hand with too many fingers either dies, or wraps and keeps the rest.",
    "chopsticks hit_self": "Either you may hit your own other hand, or you may not.",
    "chopsticks split_least": "The fewest that a split leaves on a hand can be {low} to {high}.",
    "chopsticks revive": "Either a split may wake a dead hand, or it may not.",
    "chopsticks split_same": "Either a split may leave the same pair, or it may not.",
    "chopsticks loops": "Either a situation may come back, or it may not.",
    "tictactoe columns": "A board has {low} to {high} columns.",
    "tictactoe rows": "A board has {low} to {high} rows.",
    "tictactoe line": "A line has {low} to {high} squares.",
    "tictactoe misere": "A line either wins or, misère, loses.",
    "othello columns": "An Othello board has {low} to {high} columns.",
    "othello rows": "An Othello board has {low} to {high} rows.",
    "othello opening": "The discs can lie as in the standard opening, in mine or in despacito.",
}
BELOW = {  # where hands die earlier than that
    "fingers": "A hand that dies at {dies} begins with 1 to {most}.",
    "split_least": "Where hands die at {dies}, the fewest that a split leaves can be 0 to {most}.",
}


def refusal(game_name: str, trouble: ParlourError) -> str:
    """Why there is no such variant, in people's words; else the sentence of the trouble itself."""
    own = sentence(str(trouble))
    limit = LIMITS.get(f"{game_name} {getattr(trouble, 'option', '')}")
    if not isinstance(trouble, BadOption) or limit is None:
        return own
    option = declared(registry.find("games", game_name))[trouble.option]
    if game_name == "nim" and trouble.option in ("piles", "endings"):
        return _of_piles(trouble, int(option.high or 0), option.longest) or limit
    if found := re.search(r"below dies_at, which is (\d+)", trouble.allowed):
        dies = int(found[1])
        return BELOW[trouble.option].format(dies=dies, most=dies - 1)
    if found := re.search(r"of (\d+) columns and (\d+) rows is longer than (\d+)", trouble.allowed):
        return f"No line on a {found[1]}x{found[2]} board is longer than {found[3]}."
    low, high = (f"{int(bound or 0):,}" for bound in (option.low, option.high))
    return limit.format(low=low, high=high)


def _of_piles(trouble: BadOption, largest: int, most: int | None) -> str:
    """What is wrong with some piles: too large, too many, or nothing in them."""
    numbers = _numbers(trouble.value)
    if any(number > largest for number in numbers):
        return f"A pile holds at most {largest:,} coins."
    if any(number < 0 for number in numbers):
        return "No pile holds less than 0 coins."
    if most is not None and (len(numbers) > most or trouble.value == ()):
        return f"There can be 1 to {most} piles."
    if numbers and not any(numbers) and most is not None:
        return "There must be a coin somewhere."
    return ""


def _numbers(value: object) -> list[int]:
    """All whole numbers in what was given for some piles, typed or not."""
    if isinstance(value, str):
        found = re.findall(r"-?[0-9]+", value)
        return [-1 if number[0] == "-" else whole(number) for number in found]
    if isinstance(value, tuple | list):
        return [number for item in value for number in _numbers(item)]
    return [value] if type(value) is int else []
