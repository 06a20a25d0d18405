"""Piles and sticks in plain words: how many, from which pile, and how many shall be left.

The piles that a line names, by number, place or size, are struck out of it first. The amount is
read from the rest: a number taken or left over, all, half, or as many as another pile has. A line
that takes from two piles, from none, or half an object, is `Unclear`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from parlour.core import State, one_of
from parlour.host.understand.grammar import Unclear
from parlour.rules import Nim, Sticks

N = r"\d{1,11}\b"
PILE = r"(?:pile|heap|row|stack|column|number|no|group|bunch)\b"
THING = (
    r"(?:coin|stick|object|match|matchstick|piece|counter|stone|bean|pebble|token|chip|item|thing"
    r"|marble|penny|pennies|button|seed|disc|nut|doubloon|toothpick|matche)s?\b"
)
ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
)
ORDINAL = rf"(?:{'|'.join(ORDINALS)})\b"
BIG = r"(?:bigg|larg|tall|full|great|high|long|fatt|heavi)(?:er|est)\b"
SMALL = r"(?:(?:small|short|littl|tini|low|thinn|light|slimm)(?:er|est)|least)\b"
LAST = r"(?:last|final|end|(?:furthest |far )?right(?:most)?(?: hand)?)\b"
EARLY = r"(?:(?:furthest |far )?left(?:most)?(?: hand)?)\b"
MIDDLE = r"(?:middle|centre|central|mid)\b"
PLACE = rf"(?:(?:{ORDINAL} )?(?:{BIG}|{SMALL})|{LAST}|{EARLY}|{MIDDLE}|{ORDINAL})"
OUT_OF = r"(?:from|off|out of|of|in|on)"

# How a pile is named, the surest way first: by its place, its number or its size. What leads to the
# name stays in the line.
NAMES = (
    rf"\b(?P<place>{ORDINAL}) (?:from|to|on) (?:the )?(?P<end>left|right|end|last)\b",
    r"\b(?P<place>penultimate|last but (?:one|1))\b",
    rf"\b(?P<place>{PLACE}) {PILE}",
    rf"\b(?P<lead>the |an )(?P<place>empty) {PILE}",
    rf"\b{PILE}(?: number| no)? (?P<number>{N})",
    rf"\b(?:{PILE}|one|that) (?:of|with|holding|(?:which |that )?(?:has|holds)) (?P<size>{N})",
    rf"\b(?P<lead>the )(?P<size>{N}) {PILE}",
    rf"\b(?P<place>(?:{ORDINAL} )?(?:{BIG}|{SMALL})|{MIDDLE})(?: one\b| 1\b)?",
    r"\b(?P<place>leftmost|rightmost)(?: one)?\b",
    rf"\b(?P<lead>the )(?P<place>{EARLY}|right(?: hand)?\b)(?: one\b)?",
    rf"\b(?P<lead>(?:from|off|in|of) (?:the )?)(?P<place>{PLACE})(?: one\b)?(?! {THING}| few)",
    rf"\b(?P<place>{ORDINAL})(?: one\b)?(?! {THING})",
    rf"\b(?P<lead>^|(?:and|empty|out) (?:the )?)(?P<place>last)\b(?: one\b)?(?! {THING}|.?\d)",
    rf"\b(?P<lead>from )(?P<size>{N})(?= to \d)",
    rf"\b(?P<lead>{OUT_OF} the )(?P<size>{N})(?! {THING})",
    rf"\b(?P<lead>(?:from|off|in|out of) )(?P<number>{N})",
)
BY_SIZE = rf"\b(?P<lead>(?:all|the) )(?P<size>{N})(?! {THING})"  # when nothing else names a pile
DIGITS = str.maketrans("0123456789", "ABCDEFGHIJ")  # so that a pile's number is no amount
BACK = str.maketrans("ABCDEFGHIJ", "0123456789")

SURELY = (
    r"(?:take|taking|took|takes|remov(?:e|es|ing|ed)|grab|grabbing|grabbed|pick|picking|picked"
    r"|snatch|nick|nicked|pinch|pinched|steal|stole|gimme|plunder|swipe|subtract|pluck|yoink)\b"
)
TAKES = (
    rf"(?:{SURELY}|(?:have|having|get|give me|draw|pull|nab|lift|want|minus|eat|pocket|collect"
    r"|claim|withdraw|drop|removal of|rid of|discard|bag|choose|chose|go with)\b)"
)
EMPTIES = (
    r"(?:empty|emptying|clear|clearing|wipe|finish|eliminate|destroy|demolish|annihilate|erase|kill"
    r"|sweep|exhaust|eradicate|obliterate|zap|nuke|scrap|drain)\b"
)
ALL = (
    r"(?:all|everything|whole|entire|entirely|entirety|completely|rest|lot|remainder|total"
    r"|every(?= (?:last|single)))\b"
)
ALL_BUT = r"(?:all|everything|lot|every)\b(?: [\w#]+){0,4}? but"
EQUAL = (
    r"(?:same|equal|equals|equali[sz]e|match|matches|matching|level|balance|identical|alike|size of"
    r"|as (?:big|large|small|many|tall|high) as(?= #| the #)"
    r"|even(?= (?:out|up|with|the|them|#)|$))(?!\w)"
)
KEPT = re.compile(
    rf"\b(?:(?:leave|leaves|leaving|left with|keep|keeping|except|bar|spare|until|{ALL_BUT})"
    rf" (?:(?!{TAKES})[\w#]+ ){{0,3}}?"
    r"|(?:to|into|becomes?|at|make (?:#|it|that|this)) (?:just |only |a |an |be |have |exactly )*)"
    rf"(?P<rest>{N})|(?<!the )\b(?P<some>{N}) (?:(?!the |my |on |{TAKES})\w+ ){{0,3}}?"
    r"(?:left|remain|remains|remaining|behind|stay|stays)\b"
)
TAKEN = re.compile(rf"\b{TAKES} (?:[\w#]+ ){{0,3}}?({N})")
MOST = re.compile(r"\b(?:as many|as much|most|maximum|max)\b")
LEAST = re.compile(r"\b(?:minimum|min|fewest|as few|as little|the least)\b")
ONE = re.compile(
    rf"(?<!last )(?<!er )(?<!nice )(?<!no )(?<!any )(?<!wise )(?<!good )(?<!# )\bone\b(?! {PILE})"
)
FEW = (
    (r"\b(?:\d+ |all )?(?:piles|heaps|rows|stacks)\b", "piles"),
    (r"\bpiles (\d+) (?:and|with) (\d+)\b", r"pile \1 and pile \2"),
    (r"\b(?:myself|me) to\b", "take"),
    (r"\b(leave|leaving)(?: you| me| just| only| the| last| final)* one\b", r"\1 1"),
    (r"\bhalf (?:a )?(?:dozen|12)\b", "6"),
    (r"\bboth(?! (?:the )?(?:pile|heap|row|stack|one)s)\b", "the 2"),
    (r"\b(?:couple|pair|duo|brace)\b", "2"),
    (r"\b(?:trio|triple)\b", "3"),
    (r"\bdozen\b", "12"),
    (r"\b(?:an?|the|just) (?:single|solitary|lone)(?: 1| one)?\b", "1"),
    (rf"\b(?:an?|another) (?={THING}(?<!s))", "1 "),
    (r"\b(?:nothing|none|nil)\b", "0"),
)
NO_TAKE = re.compile(
    rf"\bam {N}(?! {THING}|.*{SURELY})|\b(?:nice|good|great|this|that|bad|hard|silly) (?:1|one)\b"
    r"|\b1 (?:more )?(?:question|thing|moment|time|second|day)\b|\d+ (?:people|players)\b"
    rf"|\b{N} (?!{THING}|this|is|as|thanks|cheers|pls|yes|was|plus|boss|times)[a-z]+s\b(?!.*#)"
)
HALF_ONE = re.compile(rf"\bhalf (?:of )?(?:an?|1|one) {THING}(?<!s)")
PILES = r"(?:piles|heaps|rows|stacks|columns|groups|bunches)\b"
ALL_PILES = rf"(?:all|both)\b(?: of)?(?: the)?(?: \d+)? (?:{PILES}|of them\b|ones\b)"
EACH = r"(?:each|every)\b"
FROM_EACH = re.compile(
    rf"\b(?:from|off|out of) (?:{EACH}|{ALL_PILES}|both$|all$)|\bof {EACH} {PILE}"
    rf"|\b(?:{TAKES}|{EMPTIES}) (?=.*{PILES}){ALL_PILES}"
)
KEEPS = re.compile(rf"\b(?:leave|leaves|leaving|keep|keeping|make|making|{EQUAL})\b")
TAKE_OFF = rf"\b{N}(?: {THING})? (?:from|off|out of) (?:the )?#"
TWO_PILES = re.compile(rf"{TAKE_OFF}.*{TAKE_OFF}|{TAKE_OFF} and (?:from )?(?:the )?#")
NO_PILE = re.compile(
    rf"\b{SURELY} (?:just |only |exactly |out |up |away |me |the )*{N}"
    rf"(?= {THING}|$| please| now| then| away)"
    rf"|^(?:just |only |i |will |want |would |like |have )*{N}(?: {THING})?(?: please)?$"
    rf"|\b{SURELY} (?:them all|all of (?:them|it)|all|everything|the lot|the rest)$"
)  # an amount, where several piles could be meant
WHOLLY = set(
    """all the lot of them it everything rest whole please now i just that is left remaining as many
    much few little most maximum max minimum min fewest possible can pls may least allowed half a
    course""".split()
)  # words of which a short line may consist


def _write_amounts(words: Sequence[str]) -> str:
    """Write words for small amounts as digits."""
    line = " ".join(words)
    for pattern, number in FEW:
        line = re.sub(pattern, number, line)
    return line


def _read_amount(line: str, size: int, most: int) -> int | None:
    """Return how many a line takes from a pile of a size, where one move has a limit."""
    kept = KEPT.search(line)
    rest = line.replace(kept[0], " ") if kept else line
    if taken := TAKEN.search(rest):
        return int(taken[1])
    if kept:
        return size - int(kept["rest"] or kept["some"])
    if number := re.search(rf"\b{N}", rest):
        return int(number[0])
    if re.search(r"\bhal(?:f|ve|ves|ving)\b", line):
        return None if size % 2 else size // 2
    if MOST.search(line):
        return min(size, most)
    if LEAST.search(line):
        return 1
    if re.search(rf"\b(?:{ALL}|{EMPTIES})", line):
        return max(size, 1)
    return None


def _read_one_heap(line: str, size: int, most: int) -> int | None:
    """Return how many a line takes from the only heap, where no pile shows that it is a move."""
    short = len(line.split()) <= 5
    if NO_TAKE.search(line) and not re.search(rf"\b{SURELY}.*{THING}", line):
        return None
    acts = re.search(rf"\b(?:{TAKES}|{EMPTIES}|{THING}|{PILE})", line)
    takes = _read_amount(line, size, most)
    surely = re.search(rf"\b(?:{SURELY}|{THING}|{PILE}|table\b|{N})", line)
    clear = surely or WHOLLY.issuperset(line.split())
    if takes is not None and clear:
        return takes if acts or takes <= size else None
    if size == 1 and acts and re.search(r"\b(?:it|that|this|last|final|only|one)\b", line):
        return 1
    return 1 if takes is None and (short or acts) and ONE.search(line) else None


def read_sticks(game: Sticks, state: State, words: Sequence[str]) -> str | Unclear:
    """Return the take that a sentence asks for."""
    line = _write_amounts(words)
    if HALF_ONE.search(line):
        return Unclear("a stick cannot be halved; take whole ones")
    takes = _read_one_heap(line, state[2], game.take)
    return "" if takes is None else str(max(takes, 0))


# Nim


def read_nim(game: Nim, state: State, words: Sequence[str]) -> str | Unclear:
    """Return the take that a sentence asks for."""
    piles = list(state[2:])
    line = _write_amounts(words)
    if HALF_ONE.search(line):
        return Unclear("a coin cannot be halved; take whole ones")
    if found := _read_target(line, piles):
        return found
    line, named = _strike_piles(line, piles)
    filled = [number for number, size in enumerate(piles, start=1) if size]
    if found := _read_equal(line, piles, named, filled):
        return found
    if len(filled) > 1 and (why := _find_trouble(" ".join(words), line, named, filled)):
        return Unclear(why)
    if not named and len(filled) != 1:
        return ""
    pile = (named or filled)[0]
    size = piles[pile - 1] if 0 < pile <= len(piles) else 0
    takes = (_read_amount if named else _read_one_heap)(line, size, game.take or size)
    if takes is None and ONE.search(line):
        takes = 1
    if takes is None and named and _takes_whole(line):
        takes = max(size, 1)
    return "" if takes is None else f"{max(takes, 0)} from {pile}"


def _find_trouble(whole: str, line: str, named: Sequence[int], filled: Sequence[int]) -> str:
    """Say why a take is impossible: it is from several piles, or the pile is missing."""
    takes = re.search(rf"\b(?:{N}|{TAKES}|{EMPTIES}|{ALL}|one\b)", whole)
    if TWO_PILES.search(line) or (takes and FROM_EACH.search(whole) and not KEEPS.search(whole)):
        return "a move takes from one pile only; say which"
    if not named and NO_PILE.search(line):
        return f"say from which pile as well: {one_of(filled)}"
    return ""


def _takes_whole(line: str) -> bool:
    """Say whether a line takes a whole pile: `take the first pile`, and not `from` it."""
    gone = r"\b(?:rid of|bye) #|# (?:is |all )*(?:gone|away|disappears|vanishes|goes away)\b"
    return bool(
        re.search(gone, line)
        or (re.search(rf"\b{TAKES}", line) and not re.search(rf"\b{OUT_OF} (?:the )?#", line))
    )


def _strike_piles(line: str, piles: Sequence[int]) -> tuple[str, list[int]]:
    """Return the line with `#` for every pile it names, and these piles in order."""
    for pattern in (*NAMES, BY_SIZE):
        if pattern != BY_SIZE or "#" not in line:
            line = re.sub(pattern, lambda match: _strike_pile(match, piles), line)
    named = [int(pile.translate(BACK)) for pile in re.findall("#([A-J]+)", line)]
    return re.sub("#[A-J]+", "#", line), named


def _strike_pile(match: re.Match[str], piles: Sequence[int]) -> str:
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
    if re.search(f"{BIG}|{SMALL}", place):
        filled = [pile for pile, size in enumerate(piles, start=1) if size]
        big = bool(re.search(BIG, place))
        order = sorted(filled, key=lambda pile: piles[pile - 1], reverse=big)
        return order[rank] if rank < len(order) else 0
    if end in ("right", "end", "last"):
        return max(len(piles) - rank, 0)
    if place == "empty":
        return piles.index(0) + 1 if 0 in piles else 0
    if re.match(MIDDLE, place):
        return (len(piles) + 1) // 2 if len(piles) % 2 else 0
    if place.startswith(("penultimate", "last but")):
        return len(piles) - 1
    return len(piles) if re.match(LAST, place) else rank + 1


def _read_target(line: str, piles: Sequence[int]) -> str:
    """Read `make it 3, 4 and 1`: the one pile that differs from the target."""
    target = re.search(
        rf"\b(?:make|making|leave|leaving|get|so) (?:\w+ ){{0,2}}?((?:{N} (?:and )?)+{N})", line
    )
    wanted = [int(number) for number in re.findall(N, target[1])] if target else []
    differ = [at for at, pair in enumerate(zip(piles, wanted, strict=False)) if len(set(pair)) > 1]
    if len(wanted) != len(piles) or len(differ) != 1:
        return ""
    return f"{max(piles[differ[0]] - wanted[differ[0]], 0)} from {differ[0] + 1}"


def _read_equal(
    line: str, piles: Sequence[int], named: Sequence[int], filled: Sequence[int]
) -> str:
    """Read `make them equal` or `leave two in each`: the one pile that has to shrink."""
    number = re.search(rf"\b{N}", line)
    each = re.search(r"\b(?:leave|leaving|make|keep|have|with)\b.*\b(?:each|both|all)\b", line)
    if number and (not each or TAKEN.search(line)):
        return ""
    if not number and not re.search(rf"\b{EQUAL}", line):
        return ""
    some = [pile for pile in named if pile in filled] if len(named) > 1 else filled
    others = {piles[pile - 1] for pile in filled if pile not in named}
    if len(named) == 1 and len(others) > 1:
        return ""
    sizes = [piles[pile - 1] for pile in some]
    least = int(number[0]) if number else min(sizes, default=0)
    above = [pile for pile in some if piles[pile - 1] > least]
    return f"{piles[above[0] - 1] - least} from {above[0]}" if len(above) == 1 else ""
