"""The same game in other words: an invented name, other rules text, and another move notation.

A language model has read about Nim and Othello, and may repeat what it has read. `reskin` gives it
the very same states, moves and results under rules that it has to read: piles become containers
with invented names, squares become words, a heap that shrinks becomes a gauge that rises. The
words, the order of things and the way a board is turned follow from a seed. As states and moves are
those of the game itself, whatever a player chooses can be judged by the game's own solution.
"""

from __future__ import annotations

import base64
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import blake2b
from itertools import product
from pathlib import Path
from typing import Any, ClassVar

from parlour import core
from parlour.core import BadText, Game, IllegalMove, Move, ParlourError, State, extra, protocol
from parlour.rules import HIT, OWN, PASS, SPLIT, Chopsticks, Nim, Othello, Sticks, TicTacToe

MAX_SHUFFLED = 1_000  # moves; a longer list keeps its order
MAX_GROUPS = 50  # winning groups of cells that rules list one by one
MAX_LABELS = 10_000  # moves that are numbered; those of a larger game are hashed
MAX_SHORT = 1_000  # those with a short word each
MAX_TEXT = 10_000  # characters of a position
MAX_SEED = 2**53
SHOWN_EMPTY = "."

# What a game may have besides its verbs, and a skin does not change.
KEPT = frozenset(
    (
        *("key", "size", "score", "loops", "impartial", "zero_sum", "out"),
        *("all_moves", "max_plies", "observe"),
    )
)


def reskin(game: Any, seed: int) -> Reskinned:
    """Return the same game under an invented name, with other words and another notation.

    States, moves and results are those of the game itself; the same seed gives the same words.
    """
    game = core.registry.game(game)
    if isinstance(game, Reskinned):
        raise ParlourError("this game is reskinned already; give the original")
    return Reskinned(game, core.check_argument("seed", seed, int, low=0, high=MAX_SEED))


@dataclass(frozen=True)
class Reskinned:
    """A game in other words; `original` is the game itself."""

    original: Game
    seed: int

    def __getattr__(self, name: str) -> Any:
        if name in KEPT:
            return getattr(self.original, name)
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def __getstate__(self) -> Any:
        return protocol.without_caches(self)

    @cached_property
    def skin(self) -> Skin:
        """The words of this game."""
        kind: type[Skin] = extra(self.original, "skin") or Skin
        return kind(self.original, self.seed)

    @property
    def name(self) -> str:
        return self.skin.name

    @property
    def seats(self) -> int:
        return self.original.seats

    def start(self) -> State:
        return self.original.start()

    def turn(self, state: State) -> int:
        return self.original.turn(state)

    def moves(self, state: State) -> Sequence[Move]:
        """The moves in an order of its own, so that their place says nothing."""
        moves = self.original.moves(state)
        if len(moves) > MAX_SHUFFLED:
            return moves
        shuffled = list(moves)
        random.Random(f"{self.seed} {state!r}").shuffle(shuffled)
        return tuple(shuffled)

    def play(self, state: State, move: Move) -> State:
        try:
            return self.original.play(state, move)
        except IllegalMove:  # whose words are not those of this game
            over = self.original.result(state) is not None
            reason = "the game is over" if over else "that move is not legal here"
            raise IllegalMove(reason) from None

    def result(self, state: State) -> protocol.Result | None:
        return self.original.result(state)

    def write_move(self, move: Move) -> str:
        return self.skin.write_move(move)

    def read_move(self, state: State, text: str) -> Move:
        if not self.original.moves(state):
            raise IllegalMove("the game is over")
        return protocol.check_move(self, state, self.skin.read_move(state, text))

    def describe_move(self, state: State, move: Move) -> str:
        return self.skin.describe_move(move)

    def write(self, state: State) -> str:
        """The position as letters that say nothing of the original's notation."""
        letters = base64.b32encode(self.original.write(state).encode()).decode().rstrip("=")
        return f"{self.name} {letters}"

    def read(self, text: str) -> State:
        letters = text[:MAX_TEXT].strip().upper().removeprefix(self.name.upper()).strip()
        padded = letters + "=" * (-len(letters) % 8)
        try:
            return self.original.read(base64.b32decode(padded).decode())
        except ValueError:  # every error of ours is one
            why = f"is not a position; write one like {self.write(self.start())}"
            raise BadText(f"{core.quote(text)} {why}") from None

    def draw(self, state: State) -> str:
        return self.skin.draw(state)

    def title(self, full: bool = False) -> str:
        return core.capital(self.name)

    def rules_text(self, general: bool = False) -> tuple[str, ...]:
        return tuple(self.skin.rules())

    def how_to_move(self) -> str:
        return self.skin.how_to_move()


# Words

ONSETS, VOWELS, LAST_VOWELS = "bdfgklmnprtvz", "aeiou", "aiou"
CODAS, SECOND_ONSETS = "lmnrs", "bdgkvz"
KNOWN = re.compile(  # what would give a game away, or mean something to a reader
    r"nim|tic|tac|toe|oth|pil|mis|ludo|lingo|tango|bingo|mango|dingo"
    r"|bimb|bomb|dild|dork|dumb|kink|kurv|lesb|merd|ming|mong|nerd|perv|pinga|tard|turd|verga|vulv",
    re.IGNORECASE,
)
CONTAINERS = ("crate", "urn", "basket", "drawer", "vase", "jar")
ITEMS = ("shell", "bead", "acorn", "button", "pebble", "cork")
GAUGES = ("gauge", "meter", "needle", "dial")
LAMPS = ("lamp", "lantern", "beacon", "furnace")
CHARGES = ("spark", "volt", "ember", "watt")
CELLS = ("chamber", "plot", "station", "harbour")
TOKENS = ("#", "@", "%", "&", "$", "+")


def make_words(chance: random.Random, many: int) -> list[str]:
    """Return distinct invented words of five letters."""
    found: dict[str, None] = {}
    while len(found) < many:
        word = "".join(map(chance.choice, (ONSETS, VOWELS, CODAS, SECOND_ONSETS, LAST_VOWELS)))
        if not KNOWN.search(word):
            found[word] = None
    return list(found)


def make_syllables(chance: random.Random, many: int) -> list[str]:
    """Return distinct invented words of three letters, for the edges of a board."""
    words = ["".join(parts) for parts in product(ONSETS, VOWELS, "vz")]
    return chance.sample([word for word in words if not KNOWN.search(word)], many)


def _read_words(text: str) -> list[str]:
    """Return the words and numbers of a text, without what stands between them."""
    return re.findall(r"[a-z]+|[0-9]+", text.casefold())


# The skins


class Skin:
    """A game of which nothing is known but its protocol: a new name, and a word for each move.

    Its rules and boards are its author's, with the name replaced; as these speak of moves in their
    own way, every word for a move says what it stands for.
    """

    def __init__(self, game: Any, seed: int) -> None:
        self.game = game
        self.seed = seed
        self.chance = random.Random(f"{seed} {game.name}")
        self.name, *self.spare = make_words(self.chance, 6)

    def rules(self) -> Sequence[str]:
        """Return the rules in short sentences."""
        return [self._rename(each) for each in protocol.rules_text(self.game)]

    def draw(self, state: State) -> str:
        """Return the position in words."""
        return self._rename(str(self.game.draw(state)))

    def write_move(self, move: Move) -> str:
        """Return the move in the notation of this skin."""
        return self._label(self.game.write_move(move))

    def describe_move(self, move: Move) -> str:
        """Return the move as it is offered to a player."""
        return f"{self.write_move(move)} (which is {self.game.write_move(move)})"

    def read_move(self, state: State, text: str) -> Move:
        """Return the move that a text means, legal or not; `BadText` if it means none."""
        said = _read_words(text)
        found = [
            move
            for move in self.game.moves(state)
            if said[:1] == [self.write_move(move)]
            and said in ([said[0]], _read_words(self.describe_move(move)))
        ]
        if len(found) != 1:
            raise self._refuse(text)
        return found[0]

    def how_to_move(self) -> str:
        """Return how to type a move, in one line."""
        moves = self.game.moves(self.game.start())
        if not moves:
            return "There is no move to make."
        return f"Every move has a word of its own, like '{self.write_move(moves[0])}'."

    def _refuse(self, text: str) -> BadText:
        how = self.how_to_move().rstrip(".")
        return BadText(f"{core.quote(text)} is not a move; {how[:1].lower()}{how[1:]}")

    def _label(self, text: str) -> str:
        if text not in self._labels:
            if len(self._labels) > 2 * MAX_LABELS:
                del self._labels
            digest = blake2b(text.encode(), key=str(self.seed).encode(), digest_size=8).digest()
            self._labels[text] = "".join(make_words(random.Random(digest), 2))
        return self._labels[text]

    @cached_property
    def _labels(self) -> dict[str, str]:
        """A word for each move by its text: for all, where the game lists its moves."""
        moves = protocol.all_moves(self.game)
        if moves is None or len(moves) > MAX_LABELS:
            return {}
        texts = list(dict.fromkeys(map(self.game.write_move, moves)))
        chance = random.Random(f"{self.seed} moves")
        if len(texts) <= MAX_SHORT:
            words = make_words(chance, len(texts))
        else:
            pairs = ["".join(pair) for pair in product(make_words(chance, 150), repeat=2)]
            words = chance.sample(pairs, len(texts))
        return dict(zip(texts, words, strict=True))

    def _rename(self, text: str) -> str:
        return self._own_names.sub(self.name, text)

    @cached_property
    def _own_names(self) -> re.Pattern[str]:
        """The names of the original, in any case and with anything between their words."""
        spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", type(self.game).__name__)
        title = re.split(r"[,:(]", protocol.full_title(self.game))[0]
        names = {str(self.game.name), spaced, title}
        words = sorted({tuple(re.findall(r"\w+", name)) for name in names}, key=len, reverse=True)
        joined = ["[\\W_]*".join(map(re.escape, name)) for name in words if name]
        return re.compile(rf"\b(?:{'|'.join(joined)})\b", re.IGNORECASE)

    # What the skins of our own games share

    def _seat(self, seat: int) -> str:
        return f"player {seat + 1}"


class OwnSkin(Skin):
    """A skin in which nothing of the original's words is left; its texts stand in `skins.txt`."""

    block: ClassVar[str]  # of its rules there

    def rules(self) -> list[str]:
        """Return the rules in short sentences."""
        return self._read_lines(self.block)

    def how_to_move(self) -> str:
        """Return how to type a move, in one line."""
        return self._read_lines(f"{self.block}_move")[0]

    def describe_move(self, move: Move) -> str:
        """Return the move as it is offered to a player."""
        return self.write_move(move)

    def _read_lines(self, block: str) -> list[str]:
        """Return the lines of a block, with the words of this skin."""
        template = _load_texts()
        text = "".join(template.blocks[block](template.new_context(vars(self))))
        return [line for line in text.splitlines() if line.strip()]


@cache
def _load_texts() -> Any:
    import jinja2  # not needed before a game is reskinned

    environment = jinja2.Environment(  # noqa: S701 - it is plain text
        undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.globals |= {"all_of": core.all_of, "count": core.count, "span": core.span}
    environment.filters |= {"all_of": core.all_of}
    text = Path(__file__).with_name("skins.txt").read_text(encoding="utf-8")
    return environment.from_string(text)


class NimSkin(OwnSkin):
    """Containers with invented names, listed in another order."""

    block: ClassVar[str] = "nim"

    def __init__(self, game: Nim, seed: int) -> None:
        super().__init__(game, seed)
        self.container = self.chance.choice(CONTAINERS)
        self.item = self.chance.choice(ITEMS)
        self.names = make_words(self.chance, len(game.piles))
        self.order = self.chance.sample(range(len(game.piles)), len(game.piles))
        self.shown = [self.names[place] for place in self.order]
        self.held = [str(game.piles[place]) for place in self.order]

    def draw(self, state: State) -> str:
        piles = state[2:]
        shown = [
            f"{self.names[place]}: {core.count(piles[place], self.item)}" for place in self.order
        ]
        if self.game.seats > 2:
            left = [self._seat(seat) for seat in range(self.game.seats) if state[1] >> seat & 1]
            shown.append(f"still in: {core.all_of(left)}")
        return "\n".join(shown)

    def write_move(self, move: Move) -> str:
        place, amount = move
        return f"{self.names[place]} {amount}"

    def read_move(self, state: State, text: str) -> Move:
        words = _read_words(text)
        places = [self.names.index(word) for word in words if word in self.names]
        amounts = [core.whole(word) for word in words if word.isdigit()]
        fillers = {"remove", "take", "from", "out", "of", "the", self.item, f"{self.item}s"}
        extra = {*words} - {*self.names, *filter(str.isdigit, words)} - fillers
        if len(places) != 1 or len(amounts) != 1 or extra:
            raise self._refuse(text)
        return (places[0], amounts[0])


class SticksSkin(OwnSkin):
    """A gauge that rises by what would be taken."""

    block: ClassVar[str] = "sticks"

    def __init__(self, game: Sticks, seed: int) -> None:
        super().__init__(game, seed)
        self.gauge = self.chance.choice(GAUGES)
        self.verb = self.spare[0]

    def draw(self, state: State) -> str:
        return f"the {self.gauge} stands at {self.game.sticks - state[2]} of {self.game.sticks}"

    def write_move(self, move: Move) -> str:
        return f"{self.verb} {move[1]}"

    def read_move(self, state: State, text: str) -> Move:
        found = re.fullmatch(r"([a-z]* ?)(?:by )?([0-9]+)", " ".join(_read_words(text)))
        if not found or found[1].strip() not in ("", "raise", self.verb):
            raise self._refuse(text)
        return (0, core.whole(found[2]))


class ChopsticksSkin(OwnSkin):
    """Two lamps each, with invented names, perhaps the other way round."""

    block: ClassVar[str] = "chopsticks"

    def __init__(self, game: Chopsticks, seed: int) -> None:
        super().__init__(game, seed)
        self.lamp = self.chance.choice(LAMPS)
        self.charge = self.chance.choice(CHARGES)
        self.names = self.spare[:2]  # by side; the first is shown first
        self.sides = self.chance.sample((0, 1), 2)  # which of the original's each of them is
        self.send, self.share, self.own = self.spare[2:5]

    def _name(self, side: int) -> str:
        return self.names[self.sides.index(side)]

    def draw(self, state: State) -> str:
        lines = []
        for seat in range(2):
            held = state[1 + 2 * seat : 3 + 2 * seat]
            shown = [
                f"{name} {core.count(held[side], self.charge) if held[side] else 'out'}"
                for name, side in zip(self.names, self.sides, strict=True)
            ]
            lines.append(f"{self._seat(seat)}: {', '.join(shown)}")
        return "\n".join(lines)

    def write_move(self, move: Move) -> str:
        kind, one, two = move
        if kind == SPLIT:
            numbers = [(one, two)[side] for side in self.sides]
            return f"{self.share} {numbers[0]} {numbers[1]}"
        return f"{self.send} {self._name(one)} {self.own if two == OWN else self._name(two)}"

    def read_move(self, state: State, text: str) -> Move:
        words = _read_words(text)
        match words:
            case [self.share, one, two] if one.isdigit() and two.isdigit():
                numbers = (core.whole(one), core.whole(two))
                return (SPLIT, *(numbers[self.sides.index(side)] for side in (0, 1)))
            case [self.send, one, two] if one in self.names and two in (*self.names, self.own):
                target = OWN if two == self.own else self._side(two)
                return (HIT, self._side(one), target)
        raise self._refuse(text)

    def _side(self, name: str) -> int:
        return self.sides[self.names.index(name)]


class GridSkin(OwnSkin):
    """A board whose rows and columns have invented names, turned or mirrored."""

    def __init__(self, game: Any, seed: int) -> None:
        super().__init__(game, seed)
        self.turned = self.chance.random() < 0.5  # rows become columns
        wide, high = (game.rows, game.columns) if self.turned else (game.columns, game.rows)
        words = make_syllables(self.chance, wide + high)
        self.columns, self.rows = words[:wide], words[wide:]
        self.across = self.chance.choice((1, -1))
        self.down = self.chance.choice((1, -1))
        self.tokens = self.chance.sample(TOKENS, 2)

    def _place(self, square: tuple[int, int]) -> tuple[int, int]:
        """Return the column and row at which a square of the original is shown."""
        column, row = square[::-1] if self.turned else square
        column = column if self.across > 0 else len(self.columns) - 1 - column
        return column, row if self.down > 0 else len(self.rows) - 1 - row

    def _cell(self, square: tuple[int, int]) -> str:
        column, row = self._place(square)
        return f"{self.rows[row]}-{self.columns[column]}"

    @cached_property
    def _squares(self) -> dict[str, tuple[int, int]]:
        return {self._cell(square): square for square in self.game.board.bits}

    def draw(self, state: State) -> str:
        wide = max(map(len, self.rows))
        shown = [[SHOWN_EMPTY] * len(self.columns) for _ in self.rows]
        for number, line in enumerate(self.game.grid(state)):
            for place, mark in enumerate(line):
                if mark:
                    column, row = self._place((place, number))
                    shown[row][column] = self.tokens[self.game.marks.index(mark)]
        lines = [" " * wide + "  " + " ".join(self.columns)]
        for name, cells in zip(self.rows, shown, strict=True):
            padded = " ".join(cell.ljust(len(self.columns[0])) for cell in cells)
            lines.append(f"{name:{wide}}  {padded}".rstrip())
        legend = ", ".join(f"{token} {self._seat(seat)}" for seat, token in enumerate(self.tokens))
        return "\n".join([*lines, f"{legend}, {SHOWN_EMPTY} free"])

    def write_move(self, move: Move) -> str:
        return self._cell(move)

    def read_move(self, state: State, text: str) -> Move:
        words = _read_words(text)
        rows = [word for word in words if word in self.rows]
        columns = [word for word in words if word in self.columns]
        if len(words) != 2 or len(rows) != 1 or len(columns) != 1:
            raise self._refuse(text)
        return self._squares[f"{rows[0]}-{columns[0]}"]


class OthelloSkin(GridSkin):
    """Tokens that change their owner when they are shut in."""

    block: ClassVar[str] = "othello"

    def __init__(self, game: Othello, seed: int) -> None:
        super().__init__(game, seed)
        self.skip = "skip"  # what a pass is called
        own, other, _ = game.start()
        self.at = [[self._cell(each) for each in game.board.squares(held)] for held in (own, other)]

    def write_move(self, move: Move) -> str:
        return self.skip if move == PASS else self._cell(move)

    def read_move(self, state: State, text: str) -> Move:
        return PASS if _read_words(text) == [self.skip] else super().read_move(state, text)


class TicTacToeSkin(GridSkin):
    """Cells with invented names, and a list of the groups that decide; no board is left of it.

    Where the groups would be too many to list, it is a turned board.
    """

    block: ClassVar[str] = "tictactoe"

    def __init__(self, game: TicTacToe, seed: int) -> None:
        super().__init__(game, seed)
        self.cell = self.chance.choice(CELLS)
        squares = list(game.board.bits)
        self.labels = dict(zip(squares, make_words(self.chance, len(squares)), strict=True))
        self.order = self.chance.sample(squares, len(squares))
        self.shown = [self.labels[square] for square in self.order]
        self.groups = [
            self.chance.sample([self.labels[square] for square in line], len(line))
            for line in game.all_lines()
        ]
        self.chance.shuffle(self.groups)
        self.listed = len(self.groups) <= MAX_GROUPS  # and the board is gone

    def draw(self, state: State) -> str:
        if not self.listed:
            return super().draw(state)
        grid = self.game.grid(state)
        held: dict[str, list[str]] = {mark: [] for mark in (*self.game.marks, "")}
        for column, row in self.order:
            held[grid[row][column]].append(self.labels[column, row])
        names = [*map(self._seat, range(2)), "free"]
        return "\n".join(
            f"{name}: {', '.join(cells) or 'none'}"
            for name, cells in zip(names, held.values(), strict=True)
        )

    def write_move(self, move: Move) -> str:
        return self.labels[move] if self.listed else super().write_move(move)

    def read_move(self, state: State, text: str) -> Move:
        if not self.listed:
            return super().read_move(state, text)
        named = {label: square for square, label in self.labels.items()}
        words = [word for word in _read_words(text) if word != "claim"]
        if len(words) != 1 or words[0] not in named:
            raise self._refuse(text)
        return named[words[0]]
