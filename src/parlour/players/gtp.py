"""Programs that speak GTP, the Go Text Protocol, as players of Othello.

`Engine` is the dialogue with a program that runs already; `Gtp` is the bot that starts one. GTP is
told moves while a player is shown positions: so the moves that lead from what the engine knows to
what is on the board are looked for, which mostly is the one reply, and are told to it.

Rows are counted from the top, as all Othello programs do, though Go counts them from below.
"""

from __future__ import annotations

import re
import shlex
import shutil
import time
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from parlour.core import (
    BadText,
    Game,
    IllegalMove,
    ParlourError,
    Resigns,
    option,
    quote,
    settle,
    whole,
)
from parlour.players.process import Gone, Pipe, Trouble
from parlour.rules import PASS, Othello, OthelloState, Square

T = TypeVar("T")

LETTERS = "ABCDEFGHJKLMNOPQ"  # of the columns; GTP leaves out I
COLOURS = ("black", "white")  # by seat
SET_UP = ("set_position", "grhino-setup_board")  # commands that are given a whole position
GAMES = "/usr/games"  # where Debian puts gtp-rhino; root has it not on the path
MOST_LINES = 1_000  # of one answer
LONGEST_ANSWER = 1 << 16  # characters
MOST_LOOKED_AT = 20_000  # positions on the way to another
SHORT = 3  # discs laid since a position the engine has seen


class Refused(Trouble):
    """It answered that it will not."""


class Garbled(Trouble):
    """It answered what is no GTP, or no move."""


# Moves and squares as GTP writes them


def write_vertex(move: Square) -> str:
    """`D3`, or `pass`"""
    return "pass" if move == PASS else f"{LETTERS[move[0]]}{move[1] + 1}"


def read_vertex(game: Othello, text: str) -> Square:
    """The square, or the pass, of this text in any case; `BadText` when there is none."""
    if text.casefold() == "pass":
        return PASS
    found = re.fullmatch(r"([A-HJ-Z])([0-9]+)", text.upper(), re.ASCII)
    if found and found[1] in LETTERS:
        square = (LETTERS.index(found[1]), whole(found[2]) - 1)
        if square in game.board.bits:
            return square
    corner = write_vertex((game.columns - 1, game.rows - 1))
    left_out = ", without the letter I" if game.columns > LETTERS.index("J") else ""
    raise BadText(f"{quote(text)} is no square here; they are A1 to {corner}{left_out}, and pass")


def line_between(game: Othello, start: OthelloState, goal: OthelloState) -> list[Square] | None:
    """Moves that lead from one position to another, if some are found soon.

    A disc is never taken away: only squares that are taken at the goal are worth trying.
    """
    taken = goal[0] | goal[1]
    if (start[0] | start[1]) & ~taken:
        return None
    seen: set[OthelloState] = set()
    line: list[Square] = []

    def arrives(state: OthelloState) -> bool:
        if state == goal:
            return True
        if state in seen or len(seen) >= MOST_LOOKED_AT:
            return False
        seen.add(state)
        for move in game.moves(state):
            if move == PASS or game.board.bits[move] & taken:
                line.append(move)
                if arrives(game.play(state, move)):
                    return True
                line.pop()
        return False

    return line if arrives(start) else None


class GtpEngine:
    """The dialogue with a program that speaks GTP.

    What goes wrong is raised as `Trouble` of some kind or `IllegalMove`, whose text is the end of a
    sentence about the engine.
    """

    def __init__(self, pipe: Pipe, *, seconds: float = 60.0) -> None:
        self.pipe = pipe
        self.seconds = seconds  # for an answer
        self.until: float | None = None  # when the last answer must have come, if there is a time
        self._commands: frozenset[str] = frozenset()
        self._size = (0, 0)
        self._game: Othello | None = None  # what it plays; nothing before it was told, and after
        self._states: list[OthelloState] = []  # from where it was set up to where it stands
        self._moves: list[Square] = []  # between these
        self._timed = False  # whether it was told that there is a clock

    def ask(self, command: str, seconds: float | None = None) -> str:
        """What it answers; `Refused` when it answers that it will not."""
        ends = time.monotonic() + (self.seconds if seconds is None else seconds)
        if self.until is not None:
            ends = min(ends, self.until)
        self.pipe.say(command, ends - time.monotonic())
        lines, length = list[str](), 0
        while not lines or lines[-1]:
            line = self.pipe.hear(max(0.0, ends - time.monotonic())).rstrip()
            if not lines and line and line[0] not in "=?":
                raise Garbled(f"answered {quote(line)} to {quote(command)}, which is no GTP")
            if len(lines) > MOST_LINES:
                raise Garbled(f"answered more than {MOST_LINES:,} lines to {quote(command)}")
            if (length := length + len(line)) > LONGEST_ANSWER:
                much = f"more than {LONGEST_ANSWER:,} characters"
                raise Garbled(f"answered {much} to {quote(command)}")
            if line or lines:
                lines.append(line)
        said = "\n".join([lines[0][1:].strip(), *lines[1:-1]])
        if lines[0][0] == "?":
            raise Refused(f"refused {quote(command)}: {_short(said) or 'it gave no reason'}")
        return said

    def suits(self, game: Othello) -> None:
        """Have it take a board of this size; `Refused` when it does not play on it."""
        size = (game.columns, game.rows)
        if self._size != size:
            self._game = None
            self.ask(f"boardsize {size[0]}" + (f" {size[1]}" if size[0] != size[1] else ""))
            self._size = size

    def choose(
        self,
        game: Othello,
        state: OthelloState,
        *,
        told: Sequence[str] = (),
        left: float | None = None,
    ) -> Square:
        """Its move, which is a legal one; a forced pass is not worth a question.

        `told` are the moves that led here from the start, where somebody knows them, and `left` the
        seconds it has left.
        """
        if game.moves(state)[0] == PASS:
            return PASS
        try:
            self._bring(game, state, told)
            move = self._generated(game, state, left)
        except BaseException:
            self._game = None  # nobody knows what it knows now
            raise
        self._note(game, move)
        return move

    def close(self) -> None:
        """End the program; can be called twice."""
        self.pipe.close()

    # How it comes to know a position

    def _bring(self, game: Othello, state: OthelloState, told: Sequence[str]) -> None:
        """Tell it what it does not know of the way to this position, or begin anew."""
        start, line = self._way(game, state, told)
        same = self._game == game and self._states[0] == start
        if not same or line[: len(self._moves)] != self._moves:
            self._begin(game, start)
        for move in line[len(self._moves) :]:
            self._tell(game, move)

    def _way(
        self, game: Othello, state: OthelloState, told: Sequence[str]
    ) -> tuple[OthelloState, list[Square]]:
        """Where it should be set up, and the moves from there to this position."""
        if (line := _replayed(game, told, state)) is not None:
            return game.start(), line
        if self._game == game:
            for at in reversed(range(len(self._states))):
                known, last = self._states[at], at == len(self._moves)
                if last or 0 <= _discs(state) - _discs(known) <= SHORT:
                    line = line_between(game, known, state)
                    if line is not None:
                        return self._states[0], self._moves[:at] + line
        if self._setting_up():
            return state, []
        line = line_between(game, game.start(), state)
        if line is None:
            raise Trouble(
                f"cannot be told of the position {game.write(state)}: it has no command that sets "
                f"one up, like {SET_UP[0]}, and no few moves lead there from the start"
            )
        return game.start(), line

    def _setting_up(self) -> str:
        """Its command that sets up a position, if it has one that is known here."""
        if not self._commands:
            self._commands = frozenset(self.ask("list_commands").split()) | {"list_commands"}
        return next((each for each in SET_UP if each in self._commands), "")

    def _begin(self, game: Othello, start: OthelloState) -> None:
        self.suits(game)
        self.ask("clear_board")
        self._game = game
        self._states, self._moves, self._timed = [start], [], False
        if command := self._setting_up():
            self.ask(f"{command} {game.write(start)}")
        elif self._mirrored(game) and game.columns % 2:
            raise Trouble(
                f"begins otherwise than {game.opening!r} does, and has no command that sets up a "
                f"position, like {SET_UP[0]}"
            )

    def _mirrored(self, game: Othello) -> bool:
        """Whether it sees the board from behind.

        Every program begins with black on E4 and D5. Where black shall begin on D4 and E5, and
        nothing can be set up, left and right are exchanged in all that is said.
        """
        return game.opening == "benedict" and not self._setting_up()

    def _seen(self, game: Othello, move: Square) -> Square:
        """A move as it sees it, and back again."""
        mirrored = move != PASS and self._mirrored(game)
        return (game.columns - 1 - move[0], move[1]) if mirrored else move

    def _tell(self, game: Othello, move: Square) -> None:
        colour = COLOURS[game.turn(self._states[-1])]
        try:
            self.ask(f"play {colour} {write_vertex(self._seen(game, move))}")
        except Refused:
            if move != PASS:  # most programs see by themselves who must pass, and some insist
                raise
        self._note(game, move)

    def _note(self, game: Othello, move: Square) -> None:
        self._states.append(game.play(self._states[-1], move))
        self._moves.append(move)

    # What it answers

    def _generated(self, game: Othello, state: OthelloState, left: float | None) -> Square:
        colour = COLOURS[game.turn(state)]
        if left is not None:
            self._tell_time(colour, left)
        said = self.ask(
            f"genmove {colour}", self.seconds if left is None else min(self.seconds, left)
        )
        if said.casefold() == "resign":
            raise Resigns
        try:
            move = self._seen(game, read_vertex(game, said))
        except BadText as refusal:
            raise Garbled(f"answered {quote(said)} to 'genmove {colour}': {refusal}") from None
        try:
            game.play(state, move)
        except IllegalMove as refusal:
            raise IllegalMove(f"chose {game.write_move(move)}: {refusal}") from None
        return move

    def _tell_time(self, colour: str, left: float) -> None:
        """Whole seconds, and never none: GTP has no halves, and 0 means no limit to some."""
        seconds = max(1, int(left))
        for command in (f"time_settings {seconds} 0 0", f"time_left {colour} {seconds} 0"):
            name = command.partition(" ")[0]
            if name in self._commands and not (name == "time_settings" and self._timed):
                try:
                    self.ask(command)
                except Refused:  # it plays by a clock of its own
                    return
        self._timed = True


def _replayed(game: Othello, moves: Sequence[str], goal: OthelloState) -> list[Square] | None:
    """The moves of these texts, if there are any and they lead to the position."""
    state, line = game.start(), []
    for text in moves:
        line.append(game.read_move(state, text))
        state = game.play(state, line[-1])
    return line if moves and state == goal else None


def _discs(state: OthelloState) -> int:
    return (state[0] | state[1]).bit_count()


def _short(text: str) -> str:
    """What a program wrote, on one line."""
    return " ".join(text.split())[:200]


# The bot


def argv(command: str) -> list[str]:
    """The words of a command, the program with its path where it is found."""
    try:
        words = shlex.split(command)
    except ValueError:
        raise BadText(f"{quote(command)} opens a quotation mark, and does not close it") from None
    if not words:
        raise BadText("the gtp bot needs a command to start, like 'gtp-rhino -l 3'")
    found = shutil.which(words[0]) or shutil.which(words[0], path=GAMES)
    return [found or words[0], *words[1:]]


@dataclass
class Gtp:
    """Any program that speaks GTP about Othello; it is started when it is first asked."""

    name: ClassVar[str] = "gtp"
    starts_programs: ClassVar[bool] = True  # so no web page and no talk may ask for it

    command: str = option("", "the program and its arguments, like gtp-rhino -l 3")
    seconds: float = option(60.0, "how long an answer may take", low=0.1, high=1_000_000)

    def __post_init__(self) -> None:
        settle(self)
        self._engine: GtpEngine | None = None
        self._end: Callable[[], object] = lambda: None
        self._told: Sequence[str] = ()
        self._left: float | None = None

    def plays(self, game: Game) -> str:
        """Nothing without a command: nobody is offered a program that was not named."""
        return "" if self.why_not(game) else "as the program does that speaks GTP"

    def why_not(self, game: Game) -> str:
        """What keeps it from playing this game; the program itself is asked about the board."""
        if not isinstance(game, Othello):
            return "GTP is spoken about Othello here"
        if not self.command.strip():
            return "it needs a command, like command='gtp-rhino -l 3'"
        try:
            self._asked(lambda engine: engine.suits(game))
        except Refused as refusal:
            return str(refusal)
        return ""

    def follow(self, game: Game, moves: Sequence[str]) -> None:
        """Be told how the position that comes next arose, from the start of the game."""
        self._told = moves

    def clock(self, seconds_left: float) -> None:
        """Be told how much time is left, before a choice."""
        self._left = seconds_left

    def choose(self, game: Game, state: OthelloState) -> Square:
        if not isinstance(game, Othello):
            raise ParlourError(f"gtp plays othello, not {game.name}")
        told, self._told = self._told, ()
        left, self._left = self._left, None
        return self._asked(lambda engine: engine.choose(game, state, told=told, left=left))

    def close(self) -> None:
        """End the program; it is started again when it is asked again."""
        self._engine = None
        self._end()

    def _asked(self, ask: Callable[[GtpEngine], T]) -> T:
        """What the engine answers; one that cannot be understood any more is ended."""
        try:
            if self._engine is None:
                pipe = Pipe(argv(self.command))
                self._end = weakref.finalize(self, pipe.close)
                self._engine = GtpEngine(pipe, seconds=self.seconds)
            return ask(self._engine)
        except (Refused, IllegalMove) as refusal:
            raise type(refusal)(f"{self.command} {refusal}") from None
        except Resigns:
            raise
        except BaseException as trouble:
            said = "" if self._engine is None else _short(self._engine.pipe.errors)
            self.close()
            if isinstance(trouble, Trouble):
                more = f"; it said: {said}" if said and isinstance(trouble, Gone) else ""
                raise type(trouble)(f"{self.command} {trouble}{more}") from None
            raise
