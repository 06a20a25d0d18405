"""Piles and sticks in plain words: how many, from which pile, and how many stay.

The piles that a line names, by number, place or size, are replaced by `#` first. The amount is
read from the rest: a number taken or left over, all, half, or as many as another pile has. A line
that takes from two piles, from none, or half an object, is `Unclear`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from parlour.core import State, one_of, span
from parlour.host.language import ORDINALS, texts
from parlour.host.understand.grammar import Illegal, Unclear, rewrite
from parlour.rules import Nim, Sticks

EXPRESSIONS = texts.read_expressions("understand/expressions/piles.txt")
NAMES = [name for name in EXPRESSIONS if name.startswith("name by ")]
WHOLLY = texts.read_words("understand/words/intents.txt")[
    "wholly"
]  # a short line may consist of these
DIGITS = str.maketrans("0123456789", "ABCDEFGHIJ")  # the number of a pile is not an amount
BACK = str.maketrans("ABCDEFGHIJ", "0123456789")


def _read_amount(line: str, size: int, most: int) -> int | None:
    """Return how many a line takes from a pile of a size, where one move has a limit."""
    kept = EXPRESSIONS["kept"].search(line)
    rest = line.replace(kept[0], " ") if kept else line
    if taken := EXPRESSIONS["taken"].search(rest):
        return int(taken[1])
    if kept:
        return size - int(kept["rest"] or kept["some"])
    if number := EXPRESSIONS["number"].search(rest):
        return int(number[0])
    if EXPRESSIONS["half"].search(line):
        return None if size % 2 else size // 2
    if EXPRESSIONS["most"].search(line):
        return min(size, most)
    if EXPRESSIONS["least"].search(line):
        return 1
    if EXPRESSIONS["all"].search(line):
        return max(size, 1)
    return None


def _read_one_heap(line: str, size: int, most: int) -> int | None:
    """Return how many a line takes from the only heap, where no pile shows that it is a move."""
    short = len(line.split()) <= 5
    if EXPRESSIONS["no take"].search(line) and not EXPRESSIONS["surely takes"].search(line):
        return None
    acts = EXPRESSIONS["acts"].search(line)
    takes = _read_amount(line, size, most)
    surely = EXPRESSIONS["surely"].search(line)
    clear = surely or WHOLLY.issuperset(line.split()) or EXPRESSIONS["extreme"].search(line)
    if takes is not None and clear:
        return takes if acts or takes <= size else None
    if size == 1 and acts and EXPRESSIONS["the one"].search(line):
        return 1
    return 1 if takes is None and (short or acts) and EXPRESSIONS["one"].search(line) else None


def read_sticks(game: Sticks, state: State, words: Sequence[str]) -> str | Unclear:
    """Return the take that a sentence asks for."""
    line = rewrite(" ".join(words), EXPRESSIONS)
    if EXPRESSIONS["half of one"].search(line):
        return Illegal("a stick cannot be halved; take whole ones")
    size, most = state[2], game.take
    rest = EXPRESSIONS["kept"].sub(" ", line)
    numbers = [int(number) for number in EXPRESSIONS["number"].findall(rest)]
    counts = numbers == list(range(1, len(numbers) + 1))
    if len(set(numbers)) > 1 and not counts:
        return Unclear("say one number")
    if counts and len(numbers) > 1:  # `one, two, three`
        return str(numbers[-1])
    takes = _read_one_heap(line, size, most)
    if takes is None:
        return _ask_how_many(line, f": {span(1, min(size, most))}")
    stays = takes > most and 0 < size - takes <= most and EXPRESSIONS["stays"].search(line)
    if stays and not EXPRESSIONS["taken"].search(line):
        takes = size - takes  # `make it 12`
    return str(max(takes, 0))


def _ask_how_many(line: str, which: str) -> str | Unclear:
    some = EXPRESSIONS["some"].search(line) and EXPRESSIONS["wants some"].search(line)
    return Unclear(f"say how many{which}") if some else ""


# Nim


def read_nim(game: Nim, state: State, words: Sequence[str]) -> str | Unclear:
    """Return the take that a sentence asks for."""
    piles = list(state[2:])
    line = rewrite(" ".join(words), EXPRESSIONS)
    if EXPRESSIONS["half of one"].search(line):
        return Illegal("a coin cannot be halved; take whole ones")
    if found := _read_target(line, piles):
        return found
    line, named = _replace_pile_names(line, piles)
    filled = [number for number, size in enumerate(piles, start=1) if size]
    if found := _read_equal(line, piles, named, filled):
        return found
    if not named and (number := EXPRESSIONS["number"].search(line)):
        enough = [pile for pile in filled if piles[pile - 1] >= int(number[0])]
        filled = enough if len(enough) == 1 else filled  # only one pile is large enough
    if named and EXPRESSIONS["adds"].search(line):
        return Illegal("coins are only taken away")
    if len(filled) > 1 and (why := _find_problem(" ".join(words), line, named, filled)):
        return Unclear(why)
    number = EXPRESSIONS["number"].search(line)
    if len(set(named)) > 1 or (named and not number and EXPRESSIONS["equal"].search(line)):
        return Unclear("say how many from which pile")
    if not named and len(filled) != 1:
        return _ask_how_many(line, " from which pile")
    pile = (named or filled)[0]
    size = piles[pile - 1] if 0 < pile <= len(piles) else 0
    takes = (_read_amount if named else _read_one_heap)(line, size, game.take or size)
    if takes is None and EXPRESSIONS["one"].search(line):
        takes = 1
    takes_it = EXPRESSIONS["take"].search(line) and not EXPRESSIONS["out of"].search(line)
    if takes is None and named and (takes_it or EXPRESSIONS["gone"].search(line)):
        takes = max(size, 1)
    if takes is None:
        if not named or EXPRESSIONS["states"].search(line):
            return _ask_how_many(line, "")
        return Unclear(f"say how many from pile {pile}")
    return f"{max(takes, 0)} from {pile}"


def _find_problem(whole: str, line: str, named: Sequence[int], filled: Sequence[int]) -> str:
    """Say why a take is impossible: it is from several piles, or the pile is missing."""
    takes = EXPRESSIONS["takes"].search(whole)
    if EXPRESSIONS["two piles"].search(line) or (
        takes and EXPRESSIONS["from each"].search(whole) and not EXPRESSIONS["keeps"].search(whole)
    ):
        return "a move takes from one pile only; say which"
    if not named and EXPRESSIONS["no pile"].search(line):
        return f"say from which pile as well: {one_of(filled)}"
    return ""


def _replace_pile_names(line: str, piles: Sequence[int]) -> tuple[str, list[int]]:
    """Return the line with `#` for every pile it names, and these piles in order."""
    *names, by_size = (EXPRESSIONS[name] for name in NAMES)
    for name in names:
        line = name.sub(lambda match: _replace_pile_name(match, piles), line)
    if "#" not in line:
        line = by_size.sub(lambda match: _replace_pile_name(match, piles), line)
    named = [int(pile.translate(BACK)) for pile in re.findall("#([A-J]+)", line)]
    return re.sub("#[A-J]+", "#", line), named


def _replace_pile_name(match: re.Match[str], piles: Sequence[int]) -> str:
    found = match.groupdict()
    if place := found.get("place"):
        pile = _find_pile(place, found.get("end") or "", piles)
    else:
        number, size = int(found.get("number") or 0), int(found.get("size") or 0)
        if "lead" in found and number > len(piles):
            size = number
        pile = piles.index(size) + 1 if size in piles and size else number
    lead = found.get("lead") or ""
    return f"{lead}#{str(pile).translate(DIGITS)}" if pile else match[0]


def _find_pile(place: str, end: str, piles: Sequence[int]) -> int:
    """Return the number of the pile at a place, or of the second biggest and the like."""
    rank = next((at for at, word in enumerate(ORDINALS) if place.startswith(word)), 0)
    if EXPRESSIONS["big or small"].search(place):
        filled = [pile for pile, size in enumerate(piles, start=1) if size]
        big = bool(EXPRESSIONS["big"].search(place))
        order = sorted(filled, key=lambda pile: piles[pile - 1], reverse=big)
        return order[rank] if rank < len(order) else 0
    if end in ("right", "end", "last"):
        return max(len(piles) - rank, 0)
    if place == "empty":
        return piles.index(0) + 1 if 0 in piles else 0
    if EXPRESSIONS["middle"].match(place):
        return (len(piles) + 1) // 2 if len(piles) % 2 else 0
    if place.startswith(("penultimate", "last but")):
        return len(piles) - 1
    return len(piles) if EXPRESSIONS["end"].match(place) else rank + 1


def _read_target(line: str, piles: Sequence[int]) -> str:
    """Read `make it 3, 4 and 1`: the one pile that differs from the target."""
    target = EXPRESSIONS["target"].search(line)
    wanted = [int(number) for number in re.findall(r"\d+", target[1])] if target else []
    differ = [at for at, pair in enumerate(zip(piles, wanted, strict=False)) if len(set(pair)) > 1]
    if len(wanted) != len(piles) or len(differ) != 1:
        return ""
    return f"{max(piles[differ[0]] - wanted[differ[0]], 0)} from {differ[0] + 1}"


def _read_equal(
    line: str, piles: Sequence[int], named: Sequence[int], filled: Sequence[int]
) -> str:
    """Read `make them equal` or `leave two in each`: the one pile that has to shrink."""
    number = EXPRESSIONS["number"].search(line)
    each = EXPRESSIONS["each"].search(line)
    pair = len(named) == 2 and EXPRESSIONS["equal"].search(line)
    if pair and not EXPRESSIONS["taken"].search(line):
        number = None  # what it then has may be said besides
    if number and (not each or EXPRESSIONS["taken"].search(line)):
        return ""
    if not number and not EXPRESSIONS["equal"].search(line):
        return ""
    some = [pile for pile in named if pile in filled] if len(named) > 1 else filled
    others = {piles[pile - 1] for pile in filled if pile not in named}
    if len(named) == 1 and len(others) > 1:
        return ""
    sizes = [piles[pile - 1] for pile in some]
    least = int(number[0]) if number else min(sizes, default=0)
    above = [pile for pile in some if piles[pile - 1] > least]
    return f"{piles[above[0] - 1] - least} from {above[0]}" if len(above) == 1 else ""
