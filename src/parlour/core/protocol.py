"""What a game is: a few pure methods over plain hashable values, and what it may say of itself.

A game is any frozen dataclass with the members of `Game`. A class that names `Game` as its base
writes five of them, `start`, `turn`, `moves`, `play` and `result`, and inherits the rest; nothing
ever asks whether it does. States and moves are plain tuples of ints, the fastest thing Python can
make, compare and hash. The methods never change their arguments, so a state can be kept, shared and
searched from.

`play` is called with moves that `moves` has listed, millions of times in a search, and need not
check them. Whoever has a move from elsewhere asks `check_move` first, as the referee does.

Whatever else a game can do or is called, it says by the optional members listed in `Game`. The
functions below read them and fall back on a default, so that no caller has to ask which game it
has.

A player is anything that chooses moves: a person, a bot, a foreign engine or a set of hats.
"""

from __future__ import annotations

import inspect
import re
from abc import abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import Field
from typing import Any, Protocol, TypeAlias, cast, runtime_checkable

from parlour.core import notation
from parlour.core.display import repr_html
from parlour.core.errors import IllegalMove
from parlour.core.notation import draw_rows, list_moves
from parlour.core.options import options_of, settle, unwrap, without_caches
from parlour.core.sentences import Text, capital, count, join, quote, say, sentence

State: TypeAlias = Any
Move: TypeAlias = Any
Result: TypeAlias = tuple[int, ...]
Square: TypeAlias = tuple[int, int]  # (column, row), from 0 at the top left
Grid: TypeAlias = tuple[tuple[str, ...], ...]  # what stands on each square, row by row

VERBS = (
    *("name", "seats", "start", "turn", "moves", "play", "result"),
    *("write_move", "read_move", "write", "read", "draw"),
)
REPETITION = say("when the same position comes up for the third time it is a draw")
METHODS = frozenset(VERBS[2:]) | {  # what an option cannot be called
    *("key", "size", "score", "hat_number", "compiled", "code", "all_moves", "max_plies"),
    *("tier", "ranking"),
    *("title", "rules_text", "rules_box", "how_to_move", "describe_move", "ended_by", "out"),
    *("grid", "squares", "observe", "extras"),
}


@runtime_checkable
class Game(Protocol):
    """The members every game has.

    A class with this one as its base needs `start`, `turn`, `moves`, `play` and `result`. It is
    called as its class is, `three_mens_morris` for `ThreeMensMorris`, and seats two unless it says
    otherwise; moves and positions are read, written and drawn by `parlour.core.notation`; and its
    options are checked. With options it is a frozen dataclass, without any it may be a plain class.

    A game may also have these; the defaults are in brackets.

    For solving and refereeing:

    - `key(state)`: one value for all states that are alike to play (the state).
    - `loops`: "allowed" where play may return to a position, "never" where it cannot, "barred"
      where the rules forbid it ("allowed").
    - `impartial`: whether both seats have the same moves everywhere (False).
    - `draws`: whether a game can end in a draw (unless it is impartial or bars loops).
    - `size()`: an upper bound on the number of keys, for estimates.
    - `score(state)`: the first seat's margin, for reports.
    - `compiled()` and `code(state)`: the rules compiled by numba, for solving; see
      `parlour.truth.graph.CompiledMethod` (none).
    - `all_moves()`: every move that can ever be legal, in a fixed order, for programs that number
      them; a sequence, which may be lazy (none).
    - `max_plies()`: an upper bound on the length of a game, in which the third occurrence of a
      position is a draw (none).
    - `observe(state, seat)`: the position as that seat sees it, for programs that learn: numbers
      from 0 to 1 in a tuple, or in nested tuples such as planes of rows, always of one shape (from
      `grid` and `marks`, else from the numbers in a state; see `parlour.rl.Encoding`).
    - `tier(state)`: a number that never falls as play goes on, such as the stones on the board,
      for solving on disk (none).
    - `ranking()`: beside `compiled()`, how many positions each tier has, and compiled functions
      from a code to a number and back; see `parlour.truth.disk` (none).
    - `zero_sum`: whether what one seat wins the others lose (whether it has two seats).
    - `hat_number(state)`: where a situation is just a number, that number, for learning by hats;
      the balls are then numbered up to the option `take` (none: a box for each situation).

    In words:

    - `title(full=False)`: the variant's name inside a sentence, without its usual options unless
      `full`: "misère tic-tac-toe" (the name and the options that were changed).
    - `rules_text(general=False)`: the rules in short sentences; `general` describes the game before
      its options are chosen (the class's docstring, the seats and repetition).
    - `rules_box()`: the rules of this variant as a drawing in text, where it has one (none).
    - `how_to_move()`: how to type a move, with an example that is legal at the start.
    - `describe_move(state, move)`: the move in the words of this variant (`write_move`).
    - `ended_by(state)`: the extra rule that ended the game, such as "the extra ending 2,2" (none).
    - `out(state)`: the seats that are out, in a game that the others go on with (none).
    - `marks`: the letters that stand for the seats in text, such as ("X", "O") (none).
    - `sides`: what the seats are called where the board is drawn, ("black", "white") (`marks`).

    For a board of squares:

    - `grid(state)`: what stands on each square, as rows from the top: a mark or other short text,
      empty or a hyphen for nothing (None: no such board).
    - `squares(move)`: the squares a move touches, in order: where a piece is placed, or from where
      to where it moves (none).

    What it has beyond its rules, such as a board, reasons and sentences of its own, is its
    `extras`, declared as `parlour.Extras` describes (none).
    """

    def __init_subclass__(cls) -> None:
        """Give a game that names this class as its base the name and seats it does not declare."""
        super().__init_subclass__()
        fields = {name for name, value in vars(cls).items() if isinstance(value, Field)}
        if taken := METHODS & fields:
            raise TypeError(
                f"{cls.__name__} cannot have an option called {min(taken)}, as a game has a method "
                "of that name; choose another"
            )
        if cls.name is Game.name:
            cls.name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", cls.__name__).lower()  # type: ignore[method-assign, assignment]
        if cls.seats is Game.seats:
            cls.seats = 2  # type: ignore[method-assign, assignment]
        if not hasattr(cls, "__post_init__"):
            cls.__post_init__ = settle  # type: ignore[attr-defined]
        if not hasattr(cls, "_repr_html_"):  # which is no part of what a game has to have
            cls._repr_html_ = repr_html  # type: ignore[attr-defined]

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)  # a dataclass compares its options

    def __hash__(self) -> int:
        return hash(type(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    def __getstate__(self) -> Any:
        return without_caches(self)

    @property
    def name(self) -> str:
        """The name, one lower-case word."""

    @property
    def seats(self) -> int:
        """The number of players."""

    @abstractmethod
    def start(self) -> State:
        """The first state."""

    @abstractmethod
    def turn(self, state: State) -> int:
        """The seat to move, from 0."""

    @abstractmethod
    def moves(self, state: State) -> Sequence[Move]:
        """All legal moves in a fixed order; none exactly when `result` is not None."""

    @abstractmethod
    def play(self, state: State, move: Move) -> State:
        """The next state after a move that `moves` lists; it may check that, with `IllegalMove`."""

    @abstractmethod
    def result(self, state: State) -> Result | None:
        """None while it goes on, else +1, 0 or -1 for every seat."""

    def write_move(self, move: Move) -> str:
        """The move as text that `read_move` takes back."""
        return notation.write_move(self, move)

    def read_move(self, state: State, text: str) -> Move:
        """The legal move that the text means, in any case and spacing; else `BadText` or
        `IllegalMove`.
        """
        return notation.read_move(self, state, text)

    def write(self, state: State) -> str:
        """The position on one line, to paste anywhere."""
        return notation.write(state)

    def read(self, text: str) -> State:
        """The position such a line describes; else `BadText`."""
        return notation.read(self, text)

    def draw(self, state: State) -> str:
        """The board as text, readable by a screen reader."""
        rows = grid(self, state)
        return draw_rows(rows) if rows else self.write(state)


def check_move(game: Game, state: State, move: Move) -> Move:
    """The legal move that equals this one; else `IllegalMove`, with the reason."""
    listed = game.moves(state)
    place = _find_place(listed, move)
    if place is None:
        place = _find_place(listed, to_tuple(move))
    if place is not None:
        return listed[place]
    try:
        game.play(state, move)
    except Exception as error:
        if isinstance(error, IllegalMove):
            raise  # the game has a better reason
    if not listed:
        raise IllegalMove(say("the game is over"))
    choice = list_moves(game, state)
    raise IllegalMove("{text} cannot be played here; {how}", text=quote(move), how=choice)


def _find_place(listed: Sequence[Move], move: Move) -> int | None:
    try:
        return int(listed.index(move))
    except (ValueError, TypeError):  # it may be anything, and not even comparable
        return None


def to_tuple(value: Any) -> Any:
    """The tuple that stands for an array or list, and a plain number for one of another library."""
    value = unwrap(value)
    return tuple(map(to_tuple, value)) if type(value) in (list, tuple) else value


def to_state(game: Game, state: State | None) -> State:
    """The state that an argument stands for: itself, a position as text, or None for the start."""
    if state is None:
        return game.start()
    if isinstance(state, str) and not isinstance(game.start(), str):
        return game.read(state)
    return to_tuple(state)


def to_move(game: Game, state: State, move: Move) -> Move:
    """The legal move that an argument stands for: itself, or the move as text."""
    if isinstance(move, str) and move not in game.moves(state):
        return game.read_move(state, move)
    return check_move(game, state, move)


def max_plies(game: Game) -> int | None:
    """An upper bound on the length of a game; None where none is known."""
    find = getattr(game, "max_plies", None)
    return int(find()) if find else None


def all_moves(game: Game) -> Sequence[Move] | None:
    """Every move that can ever be legal, in a fixed order; None where the game does not say."""
    find = getattr(game, "all_moves", None)
    found = find() if find else None
    return found if found is None or isinstance(found, Sequence) else tuple(found)


def is_zero_sum(game: Game) -> bool:
    """Whether what one seat wins the others lose."""
    return bool(getattr(game, "zero_sum", game.seats == 2))


def key(game: Game, state: State) -> Hashable:
    """The situation as the mover sees it: one key for all states that are alike to play."""
    find = getattr(game, "key", None)
    found: Hashable = find(state) if find else state
    return found


def can_repeat(game: Game) -> bool:
    """Whether play may return to a position, so that a referee has to watch for repetition."""
    return getattr(game, "loops", "allowed") == "allowed"


def can_be_drawn(game: Game) -> bool:
    """Whether a game can end in a draw, so that two people may agree on one."""
    decided = getattr(game, "impartial", False) or getattr(game, "loops", "") == "barred"
    return bool(getattr(game, "draws", not decided))


def title(game: Game) -> str:
    """The name of the variant as a heading, without its usual options: `Misère tic-tac-toe`."""
    return capital(_title(game, full=False))


def full_title(game: Game) -> str:
    """The name of the variant inside a sentence, with everything that decides who wins it."""
    return _title(game, full=True)


def _title(game: Any, *, full: bool) -> str:
    if hasattr(game, "title"):
        found: str = game.title(full=full)
        return found
    options = options_of(type(game))
    usual = type(game)() if options else game
    changed = [
        f"{name.replace('_', ' ')} {option.write(getattr(game, name))}"
        for name, option in options.items()
        if getattr(game, name) != getattr(usual, name)
    ]
    return join(", ", [str(game.name).replace("_", " "), *changed])


def rules_text(game: Game, *, general: bool = False) -> tuple[str, ...]:
    """The rules of this variant in short sentences; in general, before its options are chosen."""
    find = getattr(game, "rules_text", None)
    return tuple(map(sentence, find(general=general) if find else _default_rules(game)))


def _default_rules(game: Game) -> list[str]:
    cls = type(game)
    about = inspect.getdoc(cls) or ""
    found: list[str] = []
    if about and not about.startswith(f"{cls.__name__}("):  # what a dataclass writes by itself
        found.append(" ".join(about.partition("\n\n")[0].split()))
    found.append(say("it is a game for {players}", players=count(game.seats, "player")))
    if can_repeat(game):
        found.append(REPETITION)
    return found


def rules_box(game: Game) -> str:
    """The rules of this variant as a drawing in text; nothing where it has none."""
    find = getattr(game, "rules_box", None)
    return str(find()) if find else ""


def how_to_move(game: Any) -> str:
    """How to type a move, in one line, with an example that is legal at the start."""
    moves = game.moves(game.start())
    if not moves:
        return say("There is no move to make: the game is over before it begins.")
    if hasattr(game, "how_to_move"):
        return sentence(game.how_to_move())
    return say("Type a move as it is written, like '{move}'.", move=game.write_move(moves[0]))


def describe_move(game: Game, state: State, move: Move) -> str:
    """The move in the words of this variant, as one would type it."""
    find: Callable[[State, Move], str] | None = getattr(game, "describe_move", None)
    return find(state, move) if find else game.write_move(move)


def ended_by(game: Game, state: State) -> str:
    """The extra rule that ended the game; nothing where it ended as usual, or goes on."""
    find: Callable[[State], str] | None = getattr(game, "ended_by", None)
    return find(state) if find else ""


def seats_out(game: Game, state: State) -> tuple[int, ...]:
    """The seats that are out, in a game that the others go on with."""
    find = getattr(game, "out", None)
    return tuple(find(state)) if find else ()


def grid(game: Game, state: State) -> Grid | None:
    """What stands on each square, row by row from the top; None where there is no such board."""
    find = getattr(game, "grid", None)
    return tuple(tuple(map(_clear, row)) for row in find(state)) if find else None


def _clear(cell: object) -> str:
    """What stands on a square, where some write a hyphen or a point for nothing."""
    return "" if cell is None else str(cell).strip(" -.")


def squares(game: Game, move: Move) -> tuple[Square, ...]:
    """The squares a move touches, in order; none where that means nothing."""
    find = getattr(game, "squares", None)
    return tuple(find(move)) if find else ()


def sides(game: Game) -> tuple[str, ...]:
    """What the seats are called where the board is drawn; none where nothing tells them apart."""
    return tuple(getattr(game, "sides", ()) or getattr(game, "marks", ()))


def seat_name(game: Game, seat: int) -> Text:
    """`player 1`, or `player 1 (X)` where the seats have marks.

    Its values say which seat it is, as `at`, and what the board calls it instead, as `side`.
    """
    marks, values = getattr(game, "marks", ()), _seat_values(game, seat)
    if not marks:
        return say("player {seat}", seat=seat + 1, **values)
    return say("player {seat} ({mark})", seat=seat + 1, mark=marks[seat], **values)


def mark_name(game: Game, seat: int) -> Text:
    """`X`, the mark of a seat, for sentences in which the board may call it `black`."""
    return say("{mark}", mark=getattr(game, "marks", ())[seat], **_seat_values(game, seat))


def _seat_values(game: Game, seat: int) -> dict[str, Any]:
    own = sides(game)
    renamed = own and own != getattr(game, "marks", ())
    return {"at": seat, "side": own[seat]} if renamed else {"at": seat}


def name_seats(text: str, names: Sequence[str]) -> str:
    """Return a text with these names where it names seats."""
    return text if not isinstance(text, Text) else cast(str, _name_seats(text, names))


def _name_seats(value: Any, names: Sequence[str]) -> Any:
    if isinstance(value, list | tuple):
        return tuple(_name_seats(each, names) for each in value)
    if type(value) is not Text:
        return value
    if "at" in value.values:
        return Text("{name}", {"name": names[value.values["at"]]}, finish=value.finish)
    parts = {name: _name_seats(each, names) for name, each in value.values.items()}
    return Text(value.template, parts, value.plural, value.finish)


def side_name(game: Game, seat: int) -> str:
    """`black` where the seats have names of their own on the board, else the seat's name."""
    own: Sequence[str] = getattr(game, "sides", ())
    return own[seat] if own else seat_name(game, seat)


class Resigns(Exception):
    """Raised by `choose` to give the game up; the text says why, if there is a reason."""


@runtime_checkable
class Player(Protocol):
    """Chooses moves. Drivers may call these on players that have them:

    `clock(seconds_left)` comes before a choice, and `follow(game, moves)` with the moves that led
    there, as text; `stop()` may come from any thread and asks for an answer now; `learn(record)`
    comes after a game, and `close()` when no more will be asked.

    A player that draws its moves may say how likely each is by `weights(game, state)`, a mapping
    from moves to probabilities; moves that are left out are never made. `parlour.judge` then takes
    exact expectations, and asks other players for choices. It also shows what `report()` returns,
    a mapping from labels in words to numbers, texts, or mappings of these, such as a player's cost.
    """

    def choose(self, game: Game, state: State) -> Move:
        """A legal move in this state, which is never an ended one."""


class Bot(Player, Protocol):
    """A player with a name and options that knows which variants it can play."""

    @property
    def name(self) -> str:
        """The name, one lower-case word."""

    def plays(self, game: Game) -> str:
        """How well it plays this game, in a few words; empty when it does not."""
