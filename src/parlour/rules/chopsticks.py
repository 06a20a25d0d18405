"""Chopsticks: two hands each; hit to add fingers, split to move them, lose with both hands dead.

A state is `(turn, a, b, c, d, *seen)`: the fingers on the left and right hand of the first seat,
then of the second. Where loops are barred the numbers of all situations met so far follow in order,
the present one included. A move is `(HIT, own hand, target)` or `(SPLIT, left, right)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, NoReturn, TypeAlias

from parlour import core
from parlour.core import BadText, Extras, IllegalMove, Text, all_of, join, option, quote, say
from parlour.rules.board import find_sentences

ChopsticksState: TypeAlias = tuple[int, ...]  # (turn, a, b, c, d, *seen)
Hands: TypeAlias = tuple[int, int, int, int]
ChopsticksMove: TypeAlias = tuple[int, int, int]

HIT, SPLIT = 0, 1
LEFT, RIGHT, OWN = 0, 1, 2  # a target is the opponent's left or right hand, or one's own other
SIDES = ("left", "right", "own")
SIDE_NAMES = (say("left"), say("right"), say("own"))
BOXES = "abcd"
MAX_IN_TITLE = 3  # changed rules that the full title lists

SENTENCES = find_sentences("chopsticks")

PRESETS = {
    "benedict": {
        "fingers": 1, "dies_at": 5, "overflow": "dies", "hit_self": False,
        "split_least": 0, "revive": True, "split_same": False, "loops": "allowed",
    },
    "feathers": {
        "fingers": 1, "dies_at": 7, "overflow": "dies", "hit_self": True,
        "split_least": 2, "revive": False, "split_same": True, "loops": "barred",
    },
    "feathers-revive": {
        "fingers": 1, "dies_at": 7, "overflow": "dies", "hit_self": True,
        "split_least": 1, "revive": True, "split_same": True, "loops": "barred",
    },
}  # fmt: skip

RULES = {  # what the presets are called
    "benedict": say("Benedict's rules"),
    "feathers": say("the feather rules"),
    "feathers-revive": say("the feather rules with revival"),
}


@dataclass(frozen=True)
class Chopsticks(core.Game):
    """Chopsticks by any of its many rules, with hands and fingers or boxes and feathers."""

    name: ClassVar[str] = "chopsticks"
    seats: ClassVar[int] = 2
    extras: ClassVar[Extras] = Extras(
        method="parlour.truth.graph:ChopsticksMethod",
        barred_method="parlour.truth.geography:GeographyMethod",
        explainer="parlour.truth.explain.chopsticks:ChopsticksExplainer",
        choices={
            "dies_at": range(3, 11),
            "overflow": ("dies", "wraps"),
            "hit_self": (False, True),
            "split_least": range(10),
            "revive": (False, True),
            "split_same": (False, True),
            "fingers": (1,),
            "loops": ("allowed",),
        },
        minimax="parlour.players.minimax:BY_FINGERS",
        benedict="parlour.players.benedict:CHOPSTICKS",
        skin="parlour.players.skins:ChopsticksSkin",
        board="parlour.boards.chopsticks",
        reader="parlour.host.understand.hands:read_chopsticks",
        reader_words="hands",
        wish_numbers=("dies_at", "fingers"),
        facts="parlour.host.table.knowledge:describe_hands",
        facts_now="parlour.host.table.knowledge:describe_hands_now",
        draws_players=True,
        place=3,
        about=say("Two hands each. A hand with five fingers is out."),
        quick_bot="benedict",
        easier_bot="perfect level=2",
        puzzle_variants=({}, {"overflow": "wraps"}),
        solved_options={"loops": "allowed"},
    )

    rules: str = option(
        "benedict", say("the rules that the other options start from"), presets=PRESETS
    )
    fingers: int = option(about=say("the fingers on each hand at the start"), low=1, high=19)
    dies_at: int = option(
        about=say("the number of fingers at which a hand is dead"), low=2, high=20
    )
    overflow: str = option(
        about=say("whether a hand with too many fingers dies, or wraps around and keeps the rest"),
        choices=("dies", "wraps"),
    )
    hit_self: bool = option(about=say("a hand may hit its owner's other hand"))
    split_least: int = option(
        about=say("the fewest fingers a split may leave on a hand"), low=0, high=19
    )
    revive: bool = option(about=say("a split may bring a dead hand back to life"))
    split_same: bool = option(about=say("a split may leave the hands as they were, or swapped"))
    loops: str = option(
        about=say("whether a situation may come up again"), choices=("allowed", "barred")
    )

    def __post_init__(self) -> None:
        core.settle(self)
        limits = {"dies_at": self.dies_at, "most": self.dies_at - 1}
        for name in ("fingers", "split_least"):
            if getattr(self, name) >= self.dies_at:
                why = say("it must be below dies_at, which is {dies_at}", dies_at=self.dies_at)
                raise core.BadOption(name, getattr(self, name), why, **limits)

    @property
    def flags(self) -> tuple[int, bool, bool, int, bool, bool]:
        """The rules that decide what a move does, as the kernels take them."""
        wraps = self.overflow == "wraps"
        hits, splits = (wraps, self.hit_self), (self.split_least, self.revive, self.split_same)
        return (self.dies_at, *hits, *splits)

    def code(self, state: ChopsticksState) -> int:
        """The number that the kernels give to a situation, history aside."""
        a, b, c, d = self.key(state)[:4]
        return ((a * 32 + b) * 32 + c) * 32 + d

    # The verbs

    def start(self) -> ChopsticksState:
        return self._state_after(0, (self.fingers,) * 4, ())

    def turn(self, state: ChopsticksState) -> int:
        return state[0]

    def moves(self, state: ChopsticksState) -> Sequence[ChopsticksMove]:
        """Hits, with the left hand first and on the left first, one's own last; then splits."""
        if self._loser(state) is not None:
            return ()
        if self.loops == "allowed":
            return tuple(self._possible(state))
        return tuple(move for move in self._possible(state) if not self._repeats(state, move))

    def play(self, state: ChopsticksState, move: ChopsticksMove) -> ChopsticksState:
        if self._loser(state) is not None or move not in self._possible(state):
            raise IllegalMove(self._why_not(state, move))
        if self.loops == "barred" and self._repeats(state, move):
            raise IllegalMove(self._why_not(state, move))
        return self._state_after(1 - state[0], self._after(state, move), state[5:])

    def result(self, state: ChopsticksState) -> tuple[int, ...] | None:
        loser = self._loser(state)
        if loser is None and self.loops == "barred" and not self.moves(state):
            loser = state[0]
        return None if loser is None else ((-1, 1), (1, -1))[loser]

    def key(self, state: ChopsticksState) -> tuple[int, ...]:
        """The mover's hands and the other's, sorted; with barred loops also all situations met."""
        turn, a, b, c, d, *seen = state
        first, second = (a, b) if a <= b else (b, a), (c, d) if c <= d else (d, c)
        hands = first + second if turn == 0 else second + first
        return hands if self.loops == "allowed" else (*hands, turn, *seen)

    def size(self) -> int:
        pairs = self.dies_at * (self.dies_at + 1) // 2
        if self.loops == "allowed":
            return pairs**2
        return min(
            2 * pairs**2 << 2 * pairs**2, 10**100
        )  # as good as infinite, and still printable

    def all_moves(self) -> Sequence[ChopsticksMove]:
        """Hits, with the left hand first and on the left first, one's own last; then splits."""
        targets = (LEFT, RIGHT, OWN) if self.hit_self else (LEFT, RIGHT)
        hits = [(HIT, hand, target) for hand in (LEFT, RIGHT) for target in targets]
        sizes = range(self.split_least, self.dies_at)
        return (
            *hits,
            *((SPLIT, left, right) for left in sizes for right in sizes if left or right),
        )

    def max_plies(self) -> int:
        """A game passes each situation in which both live once, or twice where loops are allowed.

        The next time it is over, and so it is with a dead pair.
        """
        pairs = self.dies_at * (self.dies_at + 1) // 2 - 1
        times = 2 if self.loops == "allowed" else 1
        return times * 2 * pairs**2

    def observe(self, state: ChopsticksState, seat: int) -> tuple[int, ...]:
        """For each hand, the seat's own two first, 1 in the place of its fingers, from 0 up.

        Then whether it is the seat's turn; with barred loops also 1 for each situation that came up
        before, those with the seat to move first, its own pair before the other's.
        """
        turn, a, b, c, d, *seen = state
        shown = [0] * (4 * self.dies_at)
        for hand, fingers in enumerate((a, b, c, d) if seat == 0 else (c, d, a, b)):
            shown[hand * self.dies_at + fingers] = 1
        shown.append(int(turn == seat))
        if self.loops == "barred":
            pairs = self.dies_at * (self.dies_at + 1) // 2
            met = [0] * (2 * pairs**2)
            for situation in seen:
                rest, second = divmod(situation, pairs)
                mover, first = divmod(rest, pairs)
                if seat:
                    mover, first, second = 1 - mover, second, first
                met[(mover * pairs + first) * pairs + second] = 1
            shown += met
        return tuple(shown)

    def _loser(self, state: ChopsticksState) -> int | None:
        """The seat without a live hand, if there is one."""
        _, a, b, c, d = state[:5]
        if a or b:
            return None if c or d else 1
        return 0

    def _possible(self, state: ChopsticksState) -> Iterator[ChopsticksMove]:
        """All moves, those that repeat a situation included."""
        mine, theirs = self._hands(state)
        for hand in (LEFT, RIGHT):
            if mine[hand]:
                yield from ((HIT, hand, target) for target in (LEFT, RIGHT) if theirs[target])
                if self.hit_self and mine[1 - hand]:
                    yield (HIT, hand, OWN)
        if self.revive or all(mine):
            total = sum(mine)
            for left in range(max(self.split_least, total - self.dies_at + 1), self.dies_at):
                right = total - left
                if right < self.split_least:
                    break
                if self.split_same or (left, right) not in (mine, mine[::-1]):
                    yield (SPLIT, left, right)

    def _hands(self, state: ChopsticksState) -> tuple[tuple[int, int], tuple[int, int]]:
        turn, a, b, c, d = state[:5]
        return ((a, b), (c, d)) if turn == 0 else ((c, d), (a, b))

    def _after(self, state: ChopsticksState, move: ChopsticksMove) -> Hands:
        """All four hands after a move."""
        kind, one, two = move
        mine, theirs = self._hands(state)
        if kind == SPLIT:
            mine = (one, two)
        elif two == OWN:
            sums = self._sum(mine[one], mine[1 - one])
            mine = (mine[0], sums) if one == LEFT else (sums, mine[1])
        else:
            sums = self._sum(mine[one], theirs[two])
            theirs = (sums, theirs[1]) if two == LEFT else (theirs[0], sums)
        return (*mine, *theirs) if state[0] == 0 else (*theirs, *mine)

    def _sum(self, hand: int, target: int) -> int:
        fingers = hand + target
        if fingers < self.dies_at:
            return fingers
        return fingers - self.dies_at if self.overflow == "wraps" else 0

    # Loops: a situation is the side to move and both pairs of hands, each pair unordered

    def _situation(self, turn: int, hands: Hands) -> int:
        """The number of a situation."""
        pairs = self.dies_at * (self.dies_at + 1) // 2
        a, b, c, d = hands
        return (turn * pairs + _pair(a, b)) * pairs + _pair(c, d)

    def _repeats(self, state: ChopsticksState, move: ChopsticksMove) -> bool:
        return self._situation(1 - state[0], self._after(state, move)) in state[5:]

    def _state_after(self, turn: int, hands: Hands, seen: Iterable[int]) -> ChopsticksState:
        """The state with these hands, and with the situations met so far where loops are barred."""
        if self.loops == "barred":
            seen = sorted({*seen, self._situation(turn, hands)})
        return (turn, *hands, *seen)

    # Notation

    @property
    def words(self) -> tuple[Text, Text]:
        """What a hand and a finger are called under these rules."""
        return self._say("hand"), self._say("finger")

    @property
    def plurals(self) -> tuple[Text, Text]:
        """What hands and fingers are called."""
        return self._say("hands"), self._say("fingers")

    @property
    def has_boxes(self) -> bool:
        """Whether there are boxes of feathers, A to D, instead of hands."""
        return self.rules != "benedict"

    def _say(self, about: str, **values: Any) -> Text:
        return SENTENCES(about, boxes=self.has_boxes, **values)

    def count_fingers(self, fingers: int) -> Text:
        """`2 fingers`, or `1 feather`"""
        return self._say("count", number=fingers)

    def name_hand(self, seat: int, side: int) -> Text:
        """`left hand`, or `box A`"""
        return self._say("name", right=side, letter=BOXES[2 * seat + side].upper())

    def describe_move(self, state: ChopsticksState, move: ChopsticksMove) -> str:
        """The move as it is typed under these rules: with hands, or with boxes."""
        kind, one, two = move
        if not self.has_boxes:
            if kind == SPLIT:
                return SENTENCES("split", one=one, two=two)
            return SENTENCES("hit", sides=SIDE_NAMES[one], sides2=SIDE_NAMES[two])
        if kind == SPLIT:
            return f"{one}-{two}"
        turn = state[0]
        target = 2 * turn + 1 - one if two == OWN else 2 * (1 - turn) + two
        return f"{BOXES[2 * turn + one]}-{BOXES[target]}".upper()

    def write_move(self, move: ChopsticksMove) -> str:
        """`hit left right`: with the left, on the right; `hit left own`; `split 3 1`."""
        kind, one, two = move
        return f"split {one} {two}" if kind == SPLIT else f"hit {SIDES[one]} {SIDES[two]}"

    def read_move(self, state: ChopsticksState, text: str) -> ChopsticksMove:
        """Also `A-C` and `2-3`, where A and B are the first seat's, C and D the second's."""
        said = " ".join(text.casefold().split())
        if found := re.fullmatch(r"(?:split )?([0-9]+)(?: ?[-,] ?| )([0-9]+)", said):
            move = (SPLIT, core.whole(found[1]), core.whole(found[2]))
        elif found := re.fullmatch(r"hit (left|right|l|r) (?:on )?(left|right|own|l|r|o)", said):
            one, two = ("lro".index(word[0]) for word in found.groups())
            move = (HIT, one, two)
        elif found := re.fullmatch(r"([a-d])(?: ?- ?| )([a-d])", said):
            move = self._attack(state, *(BOXES.index(box) for box in found.groups()))
        elif self.has_boxes:
            raise BadText(self._why_not(state, text))
        else:
            raise BadText("{text} is not a move; {how}", text=quote(text), how=self.how_to_move())
        self.play(state, move)
        return move

    def _attack(self, state: ChopsticksState, origin: int, target: int) -> ChopsticksMove:
        if origin // 2 != state[0]:
            letters = BOXES.upper()
            mine = all_of(letters[2 * state[0] : 2 * state[0] + 2])
            raise IllegalMove(
                "{box} is not yours; yours are {mine}", box=letters[origin], mine=mine
            )
        if origin == target:
            raise IllegalMove("a {hand} cannot hit itself", hand=self.words[0])
        return (HIT, origin % 2, OWN if target // 2 == state[0] else target % 2)

    def _why_not(self, state: ChopsticksState, move: object) -> str:
        if not self.moves(state):
            return say("the game is over")
        choice = core.protocol.list_moves(self, state)
        match move:
            case (0, 0 | 1 as one, 0 | 1 | 2 as two):
                return join("; ", (self._why_no_hit(state, one, two), choice))
            case (1, int(left), int(right)):
                return join("; ", (self._why_no_split(state, left, right), choice))
        return say("{text} is not a move; {how}", text=quote(move), how=choice)

    def _why_no_hit(self, state: ChopsticksState, hand: int, target: int) -> Text:
        mine, _ = self._hands(state)
        if (HIT, hand, target) in self._possible(state):
            return self._meanings["loops"]
        if mine[hand] and target != OWN:
            hand_name = self.name_hand(1 - state[0], target)
            return say("their {name_hand} is dead", name_hand=hand_name)
        if mine[hand] and not self.hit_self:
            return self._meanings["hit_self"]
        dead = 1 - hand if mine[hand] else hand
        return say("your {name_hand} is dead", name_hand=self.name_hand(state[0], dead))

    def _why_no_split(self, state: ChopsticksState, left: int, right: int) -> Text:
        mine, _ = self._hands(state)
        if (SPLIT, left, right) in self._possible(state):
            return self._meanings["loops"]
        if not (self.revive or all(mine)):
            return self._meanings["revive"]
        if left + right != sum(mine):
            return say("a split keeps your {count}", count=self.count_fingers(sum(mine)))
        if max(left, right) >= self.dies_at:
            return say("a {hand} with {dies_at} would be dead", **self._values)
        if min(left, right) < self.split_least:
            return self._meanings["split_least"]
        return self._meanings["split_same"]

    def write(self, state: ChopsticksState) -> str:
        """`1,1:1,2:2`, the hands and the seat to move; with barred loops, what was seen before."""
        turn, a, b, c, d, *seen = state
        text = f"{a},{b}:{c},{d}:{turn + 1}"
        now = self._situation(turn, (a, b, c, d))
        before = [self.write_situation(number) for number in seen if number != now]
        return f"{text} seen {' '.join(before)}" if before else text

    def write_situation(self, situation: int) -> str:
        pairs = [(low, high) for high in range(self.dies_at) for low in range(high + 1)]
        rest, second = divmod(situation, len(pairs))
        turn, first = divmod(rest, len(pairs))
        (a, b), (c, d) = pairs[first], pairs[second]
        return f"{a},{b}:{c},{d}:{turn + 1}"

    def read(self, text: str) -> ChopsticksState:
        said = re.sub(" ?([,:]) ?", r"\1", " ".join(text.casefold().split()))
        position, _, others = said.partition(" seen ")
        turn, hands = self._read_situation(position, text)
        if others and self.loops == "allowed":
            self._refuse(text)
        seen = [self._situation(*self._read_situation(other, text)) for other in others.split()]
        return self._state_after(turn, hands, seen)

    def _read_situation(self, said: str, text: str) -> tuple[int, Hands]:
        number = "([0-9]{1,2})"
        found = re.fullmatch(rf"{number},{number}:{number},{number}(?::([12]))?", said)
        if not found:
            self._refuse(text)
        a, b, c, d = (int(fingers) for fingers in found.groups()[:4])
        if max(a, b, c, d) >= self.dies_at or not any((a, b, c, d)):
            self._refuse(text)
        return int(found[5] or 1) - 1, (a, b, c, d)

    def _refuse(self, text: str) -> NoReturn:
        raise BadText(
            "{text} is not a position; write the {fingers} on both seats' {hands}, each below "
            "{dies_at}, and the seat to move, like '1,1:1,2:2'",
            text=quote(text),
            fingers=self.plurals[1],
            hands=self.plurals[0],
            dies_at=self.dies_at,
        )

    def draw(self, state: ChopsticksState) -> str:
        _, a, b, c, d = state[:5]
        rows = ((1, "ab", a, b), (2, "cd", c, d))
        lines = [f"{self.plurals[1]} {self._values['each']}"]
        for seat, boxes, left, right in rows:
            names = tuple(boxes.upper()) if self.has_boxes else ("left", "right")
            shown = "   ".join(
                f"{name} {size:2} {'|' * size or 'dead':{self.dies_at - 1}}"
                for name, size in zip(names, (left, right), strict=True)
            )
            lines.append(f"player {seat}   {shown}".rstrip())
        return "\n".join(lines)

    # In words

    def title(self, full: bool = False) -> str:
        usual = PRESETS[self.rules]
        changed = [name for name in usual if getattr(self, name) != usual[name]]
        meanings = self._meanings
        changes = list(dict.fromkeys(meanings[name] for name in changed))
        return SENTENCES(
            "title",
            many=full and len(changes) > MAX_IN_TITLE,
            usual=self.rules == "benedict" and (changes or not full),
            rules=RULES[self.rules],
            changes=all_of(changes),
        )

    @property
    def _meanings(self) -> dict[str, Text]:
        """What each option comes to, in a sentence."""
        values = self._values
        found = {
            name: SENTENCES(f"option-{name}", **values)
            for name in PRESETS[self.rules]
            if name != "overflow"
        }
        return {**found, "overflow": found["dies_at"]}

    @property
    def _values(self) -> dict[str, Any]:
        """What the sentences of the rules are about, by the names in their templates."""
        return {
            **core.values(self),
            "number": self.fingers,
            "hand": self.words[0],
            "hands": self.plurals[0],
            "all_fingers": self.plurals[1],
            "each": self._say("each"),
            "fingers": self.count_fingers(self.fingers),
            "least": self.count_fingers(self.split_least),
        }

    def rules_text(self, general: bool = False) -> tuple[str, ...]:
        values, meanings = self._values, self._meanings
        low, high = self.split_least, self.dies_at - 1
        left = values["least"]
        if low != high:
            left = SENTENCES("range", span=core.span(low, high), **values)
        loops: Text = core.protocol.REPETITION
        if self.loops == "barred":
            loops = join("; ", (meanings["loops"], SENTENCES("no-move")))
        return (
            SENTENCES("start", **values),
            join("; ", (SENTENCES("hits", **values), meanings["hit_self"])),
            SENTENCES("dies", **values),
            SENTENCES("splits", left=left, **values),
            join("; ", (meanings["revive"], meanings["split_same"])),
            SENTENCES("lost", **values),
            loops,
        )

    def rules_box(self) -> str:
        """The box of rules that the feather server shows, where no option differs from them."""
        return _read_boxes().get(self.rules, "") if self == Chopsticks(rules=self.rules) else ""

    def how_to_move(self) -> Text:
        return self._say("how-to-move", hit="A-C" if self.has_boxes else "hit left right")


def _pair(one: int, two: int) -> int:
    """The number of an unordered pair of hands."""
    low, high = (one, two) if one <= two else (two, one)
    return high * (high + 1) // 2 + low


@cache
def _read_boxes() -> dict[str, str]:
    """Return the boxes of rules, by preset."""
    text = Path(__file__).with_name("feathers.txt").read_text(encoding="utf-8")
    return dict(re.findall(r"\[(.+)\]\n(\+-(?:.+\n)+.+\+)", text))
