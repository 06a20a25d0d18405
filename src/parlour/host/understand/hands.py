"""Chopsticks in plain words: who hits whom with which hand, and how fingers are shared out.

A line is read as the hands it mentions, each by its side, its fingers or its size, with its owner
and the word before it. A hit needs one hand of each player; a split only one's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from parlour.core import State, one_of
from parlour.host.language import texts
from parlour.host.understand.grammar import Illegal, Unclear, rewrite
from parlour.rules import HIT, SPLIT, Chopsticks

Hands = tuple[int, int]

LEFT, RIGHT = "left", "right"
EXPRESSIONS = texts.read_expressions("understand/expressions/hands.txt")
WORDS = texts.read_words("understand/words/hands.txt")
SIDES = {word: side for side in (LEFT, RIGHT) for word in WORDS[side]}
BIGGER, SMALLER = WORDS["bigger"], WORDS["smaller"]
ALIVE, DEAD = WORDS["alive"], WORDS["dead"]
HAND, FINGER = WORDS["hand"], WORDS["finger"]
MINE, YOURS = WORDS["mine"], WORDS["yours"]
WITH, ONTO = WORDS["with"], WORDS["onto"]
HITS, STRIKES = WORDS["hits"], WORDS["strikes"]
MOVES, ALL, BARE = WORDS["moves"], WORDS["all"], WORDS["bare"]
BOXES = "abcd"
FIVE = 5  # fingers that kill a hand
NO_BOX = set("efghjkmnopqstvwxyz")  # letters that could name a box, if there were more


@dataclass(frozen=True)
class Mention:
    """A hand as it is spoken of: how, whose it is, and what led to it."""

    how: str  # a side, a number of fingers, or a word that compares
    whose: str  # `mine`, `yours` or nothing
    after: str  # the word that led to it: `with`, `on`, a hit, or nothing
    own: bool  # named as one's own

    def side(self, hands: Hands) -> str:
        """Return which of these hands is meant; nothing where that is not clear."""
        if self.how in (LEFT, RIGHT):
            return self.how
        if self.how.isdecimal():
            return LEFT if hands[0] == int(self.how) else RIGHT if hands[1] == int(self.how) else ""
        if self.how in BIGGER:
            return LEFT if hands[0] >= hands[1] else RIGHT
        if self.how in SMALLER:
            return RIGHT if 0 < hands[1] < hands[0] or not hands[0] else LEFT
        if self.how in DEAD:
            return LEFT if hands[0] == 0 else RIGHT if hands[1] == 0 else ""
        return _find_only(hands)


def read_chopsticks(game: Chopsticks, state: State, words: Sequence[str]) -> str | Unclear:
    """Return the move that a sentence asks for."""
    simple = rewrite(" ".join(words), EXPRESSIONS).split()
    if hit := _read_box_hit(simple, game.words[0] == "box"):
        return hit
    incomplete = _is_incomplete(words, game, state)
    if not incomplete and (found := _read_hands(game, state, simple)):
        return found
    whom = (HAND | MINE | YOURS | {"you", "him"}) & set(words)
    half = STRIKES & set(words) or (whom and (HITS | {"use"}) & set(words))
    if not incomplete and not half:
        return ""
    hits = one_of(_list_moves(game, state, HIT))
    return Unclear(f"say which {game.words[0]} hits which: {hits}")


def _read_hands(game: Chopsticks, state: State, words: Sequence[str]) -> str | Unclear:
    hands = ((state[1], state[2]), (state[3], state[4]))
    mine, yours = hands[state[0]], hands[1 - state[0]]
    words = _name_boxes(words, state[0], game.words[0] == "box")
    terms = set(words)
    mentions = list(_find_mentions(words))
    numbers = [int(word) for word in words if word.isdecimal() and len(word) < 4]
    split = _read_split(mentions, words, numbers, mine)
    if found := _read_result(mentions, words, mine, yours):
        return found
    if any(each.whose == "yours" for each in mentions):
        return _read_hit(mentions, words, mine, yours)
    acts = HITS | MOVES | WORDS["splits"] | WORDS["shares"]
    if len(mentions) > 2 and not numbers and not acts & terms:
        return ""  # left, right, left
    about = numbers or mentions or (FINGER | HAND | {"them", "it", "out", "up"}) & terms
    shares = WORDS["shares"] & terms and about and not {"sides", "seats", "places"} & terms
    if WORDS["splits"] & terms or shares:
        splits = _list_moves(game, state, SPLIT)
        one = splits[0] if len(splits) == 1 else ""
        return split or one or Unclear(_explain_splits(game, state))
    if HITS & terms:
        return _read_hit(mentions, words, mine, yours)
    moves = MOVES & terms and (numbers or FINGER & terms or mentions[1:])
    joins = ALL & terms and mentions and (MOVES | ONTO) & terms
    pair = len(numbers) == 2 and sum(numbers) == sum(mine)
    if moves or joins or (pair and ("and" in terms or {LEFT, RIGHT} <= terms)):
        return split
    if len(mentions) > 1 or (mentions and (mentions[0].whose or WITH & terms)):
        return _read_hit(mentions, words, mine, yours)
    return ""


def _find_letters(words: Sequence[str], with_boxes: bool) -> list[int]:
    found: list[int] = []
    lead = {"", "box", "boxes", "and", "my", "your"} | HITS | WITH | ONTO | set("bcd")
    around = zip(("", *words), words, (*words[1:], ""), strict=False)
    for at, (before, word, after) in enumerate(around):
        article = word == "a" and (before not in lead or after in HAND | FINGER)
        boxed = before in ("box", "boxes") or (with_boxes and not article)
        if boxed and word in tuple(BOXES):
            found.append(at)
    return found


def _name_boxes(words: Sequence[str], turn: int, with_boxes: bool) -> list[str]:
    """Replace the letters of boxes by hands: A and B are the first seat's."""
    named = list(words)
    for at in _find_letters(words, with_boxes):
        number = BOXES.index(words[at])
        named[at] = f"{'my' if number // 2 == turn else 'your'} {(LEFT, RIGHT)[number % 2]}"
    return " ".join(named).split()


def _read_box_hit(words: Sequence[str], with_boxes: bool) -> str:
    """Read a hit between two boxes, as `C-A`; the game decides whether it is legal.

    The box that is named first hits, unless the second is the one it is done with.
    """
    letters = _find_letters(words, with_boxes)
    if len(letters) != 2:
        return ""
    one, two = (words[at] for at in letters)
    sides = {BOXES.index(each) // 2 for each in (one, two)}
    if len(sides) == 1 and (not HITS & set(words) or WORDS["splits"] & set(words)):
        return ""
    led = [word for word in words[: letters[1]] if word not in ("box", "my", "your", "the")]
    return f"{two}-{one}".upper() if led[-1] in WITH else f"{one}-{two}".upper()


# Hands


def _find_mentions(words: Sequence[str]) -> Iterator[Mention]:
    whose = after = how = ""
    own = False
    for at, word in enumerate((*words, "")):
        kind = _classify(words, at) if word else ""
        again = kind == "how" and (word in SIDES) == (how in (LEFT, RIGHT)) and how not in HAND
        if how and (again or not kind):
            if word == "of" and words[at + 1 : at + 2] in (["mine"], ["yours"]):
                whose = words[at + 1]
            yield Mention(how, whose, after, own)
            whose = after = how = ""
            own = False
        if kind == "how":
            how = SIDES.get(word, word) if word in SIDES or not how or how in HAND else how
        elif kind == "noun":
            how = how or (word if whose and word in HAND else "")
        elif word in MINE or word in YOURS:
            whose = "mine" if word in MINE else "yours"
            own = own or word in ("own", "myself")
        elif word in WITH or word in ONTO or word in HITS:
            after = "with" if word in WITH else "on" if word in ONTO else "hit"
            whose, own = "", False


def _classify(words: Sequence[str], at: int) -> str:
    """Say whether a word tells which hand is meant (`how`) or stands for a hand (`noun`)."""
    word, before = words[at], words[at - 1] if at else ""
    after = words[at + 1] if at + 1 < len(words) else ""
    if word in SIDES:
        idle = before in ("all", "is", "are", "have") and after not in HAND
        if word == "right":
            starts = not at and (after in HITS | MINE | YOURS) and not after.endswith("s")
            idle = idle or starts or after in WORDS["idle right"]
        return "" if idle else "how"
    if word in ("one", "1") and before in BIGGER | SMALLER | set(SIDES):
        return "noun"
    if word.isdecimal() or word in BIGGER | SMALLER | DEAD:
        return "how"
    if word in ALIVE:
        return "how" if after in HAND | {"one"} else ""
    return "noun" if word in HAND | FINGER | {"one"} else ""


def _find_only(hands: Hands) -> str:
    """Return the hand that is meant when none is named: the one alive, or either of two alike."""
    alive = [side for side, held in zip((LEFT, RIGHT), hands, strict=True) if held]
    return alive[0] if len(alive) == 1 else LEFT if hands[0] == hands[1] else ""


def _opposite(side: str) -> str:
    return RIGHT if side == LEFT else LEFT


# Hits


def _read_hit(mentions: Sequence[Mention], words: Sequence[str], mine: Hands, yours: Hands) -> str:
    """Read a hit: one's own hand is named as such, or led by `with`, or named first."""
    if not mentions and (set(words) - HITS - BARE or "kill" in words):
        return ""
    own = [each for each in mentions if each.whose == "mine"]
    target = next((each for each in mentions if each.whose == "yours"), None)
    loose = [each for each in mentions if not each.whose]
    if not target and own and (len(own) > 1 or own[0].own):
        return _read_own_hit(own + loose, mine)
    hitter = own[0] if own else None
    if not hitter and (target or len(loose) > 1):
        hitter = next((each for each in loose if each.after == "with"), loose[0] if loose else None)
    elif not hitter and loose and loose[0].after in ("with", "" if HITS & set(words) else "with"):
        hitter = loose[0]
    target = target or next((each for each in loose if each is not hitter), None)
    one = hitter.side(mine) if hitter else _find_only(mine)
    two = target.side(yours) if target else _find_only(yours)
    if two and not hitter and WORDS["kills"] & set(words):
        one = _find_hitter(mine, lambda held: held + yours[two == RIGHT] >= FIVE)
    return f"hit {one} {two}" if one and two else ""


def _read_result(
    mentions: Sequence[Mention], words: Sequence[str], mine: Hands, yours: Hands
) -> str | Unclear:
    """Read `make your three a four`: the hand that brings it there."""
    target = next((each for each in mentions if each.whose == "yours"), None)
    numbers = [word for word in words if word.isdecimal()]
    if target and target.how in numbers:
        numbers.remove(target.how)
    own = {"i", "my", "mine"} & set(words) and len(mentions) > 1 + len(numbers)
    becomes = WORDS["becomes"] & set(words) or words[-2:] == ["to", *numbers]
    if not target or len(numbers) != 1 or own or not becomes:
        return ""
    side, wanted = target.side(yours), int(numbers[0])
    one = _find_hitter(mine, lambda held: held + yours[side == RIGHT] == wanted)
    if side and not one:
        return Illegal(f"no hand of yours makes it {wanted}")
    return f"hit {one} {side}" if side else ""


def _find_hitter(mine: Hands, fits: Callable[[int], bool]) -> str:
    """Return the only hand whose fingers fit, or either of two alike."""
    sides = [side for side, held in zip((LEFT, RIGHT), mine, strict=True) if held and fits(held)]
    return sides[0] if len(sides) == 1 or (sides and mine[0] == mine[1]) else ""


def _read_own_hit(hands: Sequence[Mention], mine: Hands) -> str:
    """Read a hit on one's own other hand by finding the hand that hits."""
    by = [each for each in hands if each.after == "with"]
    by = by or [each for each in hands if not each.own]
    side = by[0].side(mine) if by else _opposite(hands[0].side(mine))
    return f"hit {side} own" if side else ""


def _is_incomplete(words: Sequence[str], game: Chopsticks, state: State) -> bool:
    """Say whether a hit names no hand, where several are possible, or one that nobody has."""
    terms = set(words)
    if game.words[0] == "box" and NO_BOX & terms and (STRIKES | ONTO | WITH) & terms:
        return True
    bare = not terms - HITS - BARE and len(_list_moves(game, state, HIT)) > 1
    return bool(STRIKES & terms and (bare or WORDS["nowhere"] & terms))


def _list_moves(game: Chopsticks, state: State, *kinds: int) -> list[str]:
    """List the hits or splits as people type them, with hands or with the letters of boxes."""
    return [game.describe_move(state, move) for move in game.moves(state) if move[0] in kinds]


# Splits


def _read_split(
    mentions: Sequence[Mention], words: Sequence[str], numbers: Sequence[int], mine: Hands
) -> str:
    total, terms = sum(mine), set(words)
    named = [each for each in mentions if not each.how.isdecimal() and each.how not in HAND]
    sides = [(each.side(mine), each.after) for each in named]
    if len(numbers) >= 2:
        pairs = list(pairwise(numbers))
        left, right = next((pair for pair in pairs if sum(pair) == total), pairs[0])
        reverse = [side for side, _ in sides][:2] == [RIGHT, LEFT]
        return f"split {right} {left}" if reverse else f"split {left} {right}"
    if numbers and ("each" in terms or {"both", "hands"} <= terms):
        return f"split {numbers[0]} {numbers[0]}"
    if "swap" in terms and not numbers:
        return f"split {mine[1]} {mine[0]}"
    if WORDS["even"] & terms and not numbers:
        return f"split {total // 2} {total - total // 2}"
    to = _find_receiver(sides, terms, mine)
    if not to or (not sides and total in numbers):
        return ""
    given = mine[to == LEFT]  # what the hand that gives has
    if numbers and not (ALL & terms and numbers == [total]):
        has = mine[to == RIGHT]
        stays = WORDS["stays"] & terms and not WORDS["more"] & terms
        most = numbers[0] if stays else has + numbers[0]
    elif ALL & terms or (len(sides) > 1 and "finger" not in terms):
        most = total
    elif {"finger", "feather"} & terms or DEAD & terms or WORDS["revives"] & terms:
        most = mine[to == RIGHT] + min(given, 1)
    else:
        return ""
    rest = max(total - most, 0)
    return f"split {most} {rest}" if to == LEFT else f"split {rest} {most}"


def _find_receiver(sides: Sequence[tuple[str, str]], terms: set[str], mine: Hands) -> str:
    """Find the hand that gets fingers: the last named, unless they come `from` there."""
    if sides:
        side, after = next((each for each in sides if each[1] == "on"), sides[-1])
        leaves = len(sides) == 1 and (after == "with" or "other" in terms)
        return _opposite(side) if leaves else side
    return (LEFT if not mine[0] else RIGHT) if 0 in mine else ""


def _explain_splits(game: Chopsticks, state: State) -> str:
    if splits := _list_moves(game, state, SPLIT):
        return f"say how you want to split: {one_of(splits)}"
    return f"there is no split here; hit instead: {one_of(_list_moves(game, state, HIT))}"
