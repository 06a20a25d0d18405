"""Chopsticks in plain words: who hits whom with which hand, and how fingers are shared out.

A line is read as the hands it mentions, each by its side, its fingers or its size, with whose it is
and what stands before it. A hit needs one hand of each; a split has only one's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from parlour.core import State, one_of
from parlour.host.understand.moves.unclear import Unclear
from parlour.rules import Chopsticks

Hands = tuple[int, int]

LEFT, RIGHT = "left", "right"
SIDES = {
    **dict.fromkeys(("left", "l", "lefty", "lefthand", "lefthanded"), LEFT),
    **dict.fromkeys(("right", "r", "righty", "righthand", "righthanded"), RIGHT),
}
BIGGER = set("bigger biggest larger largest stronger strongest fuller fullest higher".split())
SMALLER = set("smaller smallest weaker weakest lesser lower lowest littlest least".split())
ALIVE = set("last only remaining alive living live surviving lone single".split())
DEAD = {"dead", "empty", "fallen", "killed"}
HAND = {"hand", "hands", "fist", "box", "boxes"}
FINGER = {"finger", "fingers", "feather", "feathers"}
MINE = {"my", "mine", "own", "myself"}
YOURS = set("your yours opponent opponents enemy his her their theirs benedict".split())
WITH = {"with", "use", "using", "by", "via", "from"}
ONTO = {"on", "onto", "to", "at", "against", "into", "for", "upon"}
HITS = set(
    """hit hits hitting tap taps tapping tapped smack smacks attack attacks attacking attacked
    strike strikes struck poke pokes poked slap slaps slapped kill kills killing killed whack whacks
    bash bashes touch touches touched punch punches knock knocks add adds adding boop bump bop thump
    prod flick smash crush destroy eliminate target clobber nudge thwack beat bonk jab clap finish
    kick hammer""".split()
)
SPLITS = set("split splits splitting divide dividing divided".split())
SHARES = set(
    """share sharing redistribute rearrange distribute balance even evenly equal equally equalise
    equalize revive reviving resurrect combine merge swap each fairly halve""".split()
)
MOVES = set(
    """move moves moving transfer shift put give gives lend lends pass bring send make go goes
    slide switch leave have place want become keep take""".split()
)
EVEN = set("even evenly equal equally balance equalise equalize half fairly halve".split())
ALL = {"all", "both", "everything", "whole", "combine", "merge"}
IDLE_RIGHT = set("now away then so okay there i let well time you about move".split())
REVIVES = {"revive", "reviving", "resurrect", "back", "life"}
MORE = {"from", "over", "across", "more", "another"}
BARE = {"i", "just", "will", "shall", "please", "now", "then", "let", "us", "okay", "so", "you"}
STRIKES = set("hit hits tap taps attack attacks strike strikes smack slap poke punch whack".split())
NOWHERE = set("middle centre central third top bottom front".split())  # where nobody has a hand
HALF_SAID = DEAD | set("hand hands box your my the it them a one with left right".split())
NO_BOX = set("efghjkmnopqstvwxyz")  # letters that could name a box, if there were more


@dataclass(frozen=True)
class Mention:
    """A hand as it is spoken of: how, whose it is, and what led to it."""

    how: str  # a side, a number of fingers, or a word that compares
    whose: str  # `mine`, `yours` or nothing
    after: str  # the word that led to it: `with`, `on`, a hit, or nothing
    own: bool  # said to be one's own

    def side(self, hands: Hands) -> str:
        """Which of these hands is meant; nothing where that is not clear."""
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
        return _only(hands)


def chopsticks_text(game: Chopsticks, state: State, words: Sequence[str]) -> str | Unclear:
    """The move that a sentence asks for."""
    if found := _boxed_hit(_plain(words), game.words[0] == "box"):
        return found
    if _is_half_said(words, game, state):
        return Unclear(how_to_hit(game, state))
    return _handled(game, state, words) or (
        Unclear(how_to_hit(game, state)) if _is_only_a_hit(words) else ""
    )


def _handled(game: Chopsticks, state: State, words: Sequence[str]) -> str | Unclear:
    """The move of a line that speaks of hands."""
    hands = ((state[1], state[2]), (state[3], state[4]))
    mine, yours = hands[state[0]], hands[1 - state[0]]
    words = _boxes(_plain(words), state[0], game.words[0] == "box")
    said = set(words)
    mentions = list(_mentions(words))
    numbers = [int(word) for word in words if word.isdecimal() and len(word) < 4]
    split = _split(mentions, words, numbers, mine)
    if any(each.whose == "yours" for each in mentions):
        return _hit(mentions, words, mine, yours)
    about = numbers or mentions or (FINGER | HAND | {"them", "it", "out", "up"}) & said
    if SPLITS & said or (SHARES & said and about and not {"sides", "seats", "places"} & said):
        splits = [text for text in map(game.write_move, game.moves(state)) if "split" in text]
        one = splits[0] if len(splits) == 1 else ""
        return split or one or Unclear(how_to_split(game, state))
    if HITS & said:
        return _hit(mentions, words, mine, yours)
    if MOVES & said and (numbers or FINGER & said or mentions[1:]):
        return split
    if ALL & said and mentions and (MOVES | ONTO) & said:
        return split
    if len(numbers) == 2 and sum(numbers) == sum(mine) and ("and" in said or {LEFT, RIGHT} <= said):
        return split
    if len(mentions) > 1 or (mentions and (mentions[0].whose or WITH & said)):
        return _hit(mentions, words, mine, yours)
    return ""


def _plain(words: Sequence[str]) -> list[str]:
    """Words where a hand stands beside its fingers, and `the one` that counts is a number."""
    line = re.sub(r"\bthe one\b(?! (?:on|with|that|which|at|in|to))", "the 1", " ".join(words))
    line = re.sub(r"(?<!left )(?<!right )\b(hand|box|one) (?:with|of|holding) (?=\d)", r"\1 ", line)
    line = re.sub(r"\b(?:none|nothing)\b", "0", line)
    return re.sub(r"\b(?:a|single) (?=finger\b|feather\b)", "1 ", line).split()


def _letters(words: Sequence[str], with_boxes: bool) -> list[int]:
    """Where the letters of boxes stand."""
    found: list[int] = []
    lead = {"", "box", "boxes", "and", "my", "your"} | HITS | WITH | ONTO | set("bcd")
    for at, (before, word, after) in enumerate(
        zip(("", *words), words, (*words[1:], ""), strict=False)
    ):
        boxed = before in ("box", "boxes") or (
            with_boxes and (word != "a" or (before in lead and after not in HAND | FINGER))
        )
        if boxed and word in ("a", "b", "c", "d"):
            found.append(at)
    return found


def _boxes(words: Sequence[str], turn: int, with_boxes: bool) -> list[str]:
    """Words with the letters of boxes told as hands: A and B are the first seat's."""
    found: list[str] = []
    letters = _letters(words, with_boxes)
    for at, word in enumerate(words):
        if at in letters:
            number = "abcd".index(word)
            found += ["my" if number // 2 == turn else "your", (LEFT, RIGHT)[number % 2]]
        else:
            found.append(word)
    return found


def _boxed_hit(words: Sequence[str], with_boxes: bool) -> str:
    """`C-A` for a hit between two boxes, whosesoever they are: it is the game that says no.

    The box that is named first hits, unless the second is the one it is done with.
    """
    letters = _letters(words, with_boxes)
    if len(letters) != 2:
        return ""
    one, two = (words[at] for at in letters)
    sides = {"abcd".index(each) // 2 for each in (one, two)}
    if len(sides) == 1 and (not HITS & set(words) or SPLITS & set(words)):
        return ""
    led = [word for word in words[: letters[1]] if word not in ("box", "my", "your", "the")]
    return f"{two}-{one}".upper() if led[-1] in WITH else f"{one}-{two}".upper()


# Hands


def _mentions(words: Sequence[str]) -> Iterator[Mention]:
    """The hands that a line speaks of, in order."""
    whose = after = how = ""
    own = False
    for at, word in enumerate((*words, "")):
        kind = _kind(words, at) if word else ""
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


def _kind(words: Sequence[str], at: int) -> str:
    """Whether a word tells which hand is meant (`how`), or stands for a hand (`noun`)."""
    word, before = words[at], words[at - 1] if at else ""
    after = words[at + 1] if at + 1 < len(words) else ""
    if word in SIDES:
        idle = before in ("all", "is", "are", "have") and after not in HAND
        if word == "right":
            starts = not at and (after in HITS | MINE | YOURS) and not after.endswith("s")
            idle = idle or starts or after in IDLE_RIGHT
        return "" if idle else "how"
    if word in ("one", "1") and before in BIGGER | SMALLER | set(SIDES):
        return "noun"
    if word.isdecimal() or word in BIGGER | SMALLER | DEAD:
        return "how"
    if word in ALIVE:
        return "how" if after in HAND | {"one"} else ""
    return "noun" if word in HAND | FINGER | {"one"} else ""


def _only(hands: Hands) -> str:
    """The hand that is meant when none is named: the one alive, or either of two alike."""
    alive = [side for side, held in zip((LEFT, RIGHT), hands, strict=True) if held]
    return alive[0] if len(alive) == 1 else LEFT if hands[0] == hands[1] else ""


def _other(side: str) -> str:
    return RIGHT if side == LEFT else LEFT


# Hits


def _hit(mentions: Sequence[Mention], words: Sequence[str], mine: Hands, yours: Hands) -> str:
    """The hit: one's own hand is named as such, or led by `with`, or named first."""
    if not mentions and (set(words) - HITS - BARE or "kill" in words):
        return ""
    own = [each for each in mentions if each.whose == "mine"]
    target = next((each for each in mentions if each.whose == "yours"), None)
    loose = [each for each in mentions if not each.whose]
    if not target and own and (len(own) > 1 or own[0].own):
        return _hit_own(own + loose, mine)
    hitter = own[0] if own else None
    if not hitter and (target or len(loose) > 1):
        hitter = next((each for each in loose if each.after == "with"), loose[0] if loose else None)
    elif not hitter and loose and loose[0].after in ("with", "" if HITS & set(words) else "with"):
        hitter = loose[0]
    target = target or next((each for each in loose if each is not hitter), None)
    one = hitter.side(mine) if hitter else _only(mine)
    two = target.side(yours) if target else _only(yours)
    return f"hit {one} {two}" if one and two else ""


def _hit_own(hands: Sequence[Mention], mine: Hands) -> str:
    """A hit on one's own other hand: the one with which it is done has to be found."""
    by = [each for each in hands if each.after == "with"]
    by = by or [each for each in hands if not each.own]
    side = by[0].side(mine) if by else _other(hands[0].side(mine))
    return f"hit {side} own" if side else ""


def _is_half_said(words: Sequence[str], game: Chopsticks, state: State) -> bool:
    """A hit of no hand, where several are possible, or of one that nobody has."""
    said = set(words)
    bare = not said - HITS - BARE
    if game.words[0] == "box" and NO_BOX & said and (STRIKES | ONTO | WITH) & said:
        return True
    return bool(STRIKES & said) and (bool(NOWHERE & said) or (bare and len(_hits(game, state)) > 1))


def _is_only_a_hit(words: Sequence[str]) -> bool:
    """A line that wants to hit and says nothing besides, though too little of it."""
    return bool(STRIKES & set(words)) and not set(words) - HITS - BARE - HALF_SAID


def _hits(game: Chopsticks, state: State) -> list[str]:
    """The hits there are, as one would type them who sees hands, or boxes."""
    texts = [game.write_move(move) for move in game.moves(state)]
    hits = [text for text in texts if text.startswith("hit")]
    if game.words[0] != "box":
        return hits
    mine, yours = ("AB", "CD") if state[0] == 0 else ("CD", "AB")
    letters = []
    for hit in hits:
        _, one, two = hit.split()
        by = one == RIGHT
        letters.append(f"{mine[by]}-{mine[not by] if two == 'own' else yours[two == RIGHT]}")
    return letters


def how_to_hit(game: Chopsticks, state: State) -> str:
    """What to say to somebody who wants to hit and does not say what."""
    return f"say which {game.words[0]} hits which: {one_of(_hits(game, state))}"


# Splits


def _split(
    mentions: Sequence[Mention], words: Sequence[str], numbers: Sequence[int], mine: Hands
) -> str:
    """The split, when the words tell which."""
    total, said = sum(mine), set(words)
    named = [each for each in mentions if not each.how.isdecimal() and each.how not in HAND]
    sides = [(each.side(mine), each.after) for each in named]
    if len(numbers) >= 2:
        pairs = list(pairwise(numbers))
        left, right = next((pair for pair in pairs if sum(pair) == total), pairs[0])
        turned = [side for side, _ in sides][:2] == [RIGHT, LEFT]
        return f"split {right} {left}" if turned else f"split {left} {right}"
    if numbers and ("each" in said or {"both", "hands"} <= said):
        return f"split {numbers[0]} {numbers[0]}"
    if "swap" in said and not numbers:
        return f"split {mine[1]} {mine[0]}"
    if EVEN & said and not numbers:
        return f"split {total // 2} {total - total // 2}"
    to = _towards(sides, said, mine)
    if not to or (not sides and total in numbers):
        return ""
    given = mine[to == LEFT]  # what the hand that gives has
    if numbers:
        has = mine[to == RIGHT]
        stays = {"put", "have", "make", "keep", "leave", "want"} & said and not MORE & said
        most = numbers[0] if stays else has + numbers[0]
    elif ALL & said or (len(sides) > 1 and "finger" not in said):
        most = total
    elif {"finger", "feather"} & said or DEAD & said or REVIVES & said:
        most = mine[to == RIGHT] + min(given, 1)
    else:
        return ""
    rest = max(total - most, 0)
    return f"split {most} {rest}" if to == LEFT else f"split {rest} {most}"


def _towards(sides: Sequence[tuple[str, str]], said: set[str], mine: Hands) -> str:
    """The hand that gets fingers: the last named, unless they come `from` there."""
    if sides:
        side, after = sides[-1]
        leaves = len(sides) == 1 and (after == "with" or "other" in said)
        return _other(side) if leaves else side
    return (LEFT if not mine[0] else RIGHT) if 0 in mine else ""


def how_to_split(game: Chopsticks, state: State) -> str:
    """What to say to somebody who wants to split and does not say how."""
    texts = [game.write_move(move) for move in game.moves(state)]
    splits = [text for text in texts if text.startswith("split")]
    if splits:
        return f"say how you want to split: {one_of(splits)}"
    return f"there is no split here; hit instead: {one_of(texts)}"
