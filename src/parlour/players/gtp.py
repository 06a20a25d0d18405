"""Programs that speak GTP, the Go Text Protocol, as players of Othello.

`GtpEngine` is the dialogue with a running program; `Gtp` is the bot that starts one. GTP is sent
moves, while a player is given positions: so the moves from the position the engine knows to the one
on the board are searched for, mostly the opponent's one reply, and sent.

Rows are counted from the top, as all Othello programs do, though Go counts them from below.
"""

from __future__ import annotations

import re
import shutil
import time
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from parlour.core import BadText, Game, IllegalMove, Resigns, option, quote, registry, settle, whole
from parlour.engine import empties
from parlour.players.othello import require_othello
from parlour.players.process import External, Pipe, ProcessEnded, ProcessError
from parlour.rules import PASS, Othello, OthelloState, Square

T = TypeVar("T")

LETTERS = "ABCDEFGHJKLMNOPQ"  # of the columns; GTP leaves out I
SET_UP = ("set_position", "grhino-setup_board")  # commands that take a whole position
GAMES = "/usr/games"  # where Debian puts gtp-rhino; it is not on the path of root
MAX_LINES = 1_000  # of one answer
MAX_ANSWER = 1 << 16  # characters
MAX_POSITIONS = 20_000  # searched on the way to another
SHORT = 3  # discs placed since a position the engine knows


class CommandRefused(ProcessError):
    """The program refused a command."""


class BadAnswer(ProcessError):
    """The program answered with something that is not GTP, or not a move."""


# Moves and squares as GTP writes them


def write_vertex(move: Square) -> str:
    """Write a move as `D3` or `pass`."""
    return "pass" if move == PASS else f"{LETTERS[move[0]]}{move[1] + 1}"


def read_vertex(game: Othello, text: str) -> Square:
    """Return the square or pass of a text in any case; raise `BadText` for anything else."""
    if text.casefold() == "pass":
        return PASS
    found = re.fullmatch(r"([A-HJ-Z])([0-9]+)", text.upper(), re.ASCII)
    if found and found[1] in LETTERS:
        square = (LETTERS.index(found[1]), whole(found[2]) - 1)
        if square in game.board.bits:
            return square
    corner = write_vertex((game.columns - 1, game.rows - 1))
    left_out = ", without the letter I" if game.columns > LETTERS.index("J") else ""
    raise BadText(
        f"{quote(text)} is not a square here; they are A1 to {corner}{left_out}, and pass"
    )


def line_between(game: Othello, start: OthelloState, goal: OthelloState) -> list[Square] | None:
    """Return moves that lead from one position to another, if some are found soon.

    Discs are never removed, so only squares occupied at the goal are worth trying.
    """
    taken = goal[0] | goal[1]
    if (start[0] | start[1]) & ~taken:
        return None
    seen: set[OthelloState] = set()
    line: list[Square] = []

    def arrives(state: OthelloState) -> bool:
        if state == goal:
            return True
        if state in seen or len(seen) >= MAX_POSITIONS:
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

    What goes wrong is raised as some `ProcessError` or as `IllegalMove`, whose text is the end of a
    sentence about the engine.
    """

    def __init__(self, pipe: Pipe, *, seconds: float = 60.0) -> None:
        self.pipe = pipe
        self.seconds = seconds  # for an answer
        self.until: float | None = None  # the deadline of all answers, if there is one
        self._commands: frozenset[str] = frozenset()
        self._size = (0, 0)
        self._game: Othello | None = None  # what it plays; None when it may be out of step
        self._states: list[OthelloState] = []  # from the position set up to the current one
        self._moves: list[Square] = []  # between these
        self._timed = False  # whether it knows that there is a clock

    def send(self, command: str, seconds: float | None = None) -> str:
        """Send a command and return the answer; raise `CommandRefused` when it is refused."""
        ends = time.monotonic() + (self.seconds if seconds is None else seconds)
        if self.until is not None:
            ends = min(ends, self.until)
        self.pipe.write_line(command, ends - time.monotonic())
        lines, length = list[str](), 0
        while not lines or lines[-1]:
            line = self.pipe.read_line(max(0.0, ends - time.monotonic())).rstrip()
            if not lines and line and line[0] not in "=?":
                raise BadAnswer(f"answered {quote(line)} to {quote(command)}, which is not GTP")
            if len(lines) > MAX_LINES:
                raise BadAnswer(f"answered more than {MAX_LINES:,} lines to {quote(command)}")
            if (length := length + len(line)) > MAX_ANSWER:
                raise BadAnswer(f"answered more than {MAX_ANSWER:,} characters to {quote(command)}")
            if line or lines:
                lines.append(line)
        answer = "\n".join([lines[0][1:].strip(), *lines[1:-1]])
        if lines[0][0] == "?":
            raise CommandRefused(
                f"refused {quote(command)}: {_one_line(answer) or 'it gave no reason'}"
            )
        return answer

    def set_board_size(self, game: Othello) -> None:
        """Set the board's size; raise `CommandRefused` when it does not play on it."""
        size = (game.columns, game.rows)
        if self._size != size:
            self._game = None
            self.send(f"boardsize {size[0]}" + (f" {size[1]}" if size[0] != size[1] else ""))
            self._size = size

    def choose(
        self,
        game: Othello,
        state: OthelloState,
        *,
        history: Sequence[str] = (),
        left: float | None = None,
    ) -> Square:
        """Return its move, checked to be legal; a forced pass is not asked for.

        `history` are the moves from the start to here, where they are known, and `left` the seconds
        it has left.
        """
        if game.moves(state)[0] == PASS:
            return PASS
        try:
            self._synchronise(game, state, history)
            move = self._generate_move(game, state, left)
        except BaseException:
            self._game = None  # what it knows now is unknown
            raise
        self._record(game, move)
        return move

    # Keeping it in step with the board

    def _synchronise(self, game: Othello, state: OthelloState, history: Sequence[str]) -> None:
        """Send the moves it does not know of the line to this position, or start over."""
        start, line = self._find_line(game, state, history)
        same = self._game == game and self._states[0] == start
        if not same or line[: len(self._moves)] != self._moves:
            self._start(game, start)
        for move in line[len(self._moves) :]:
            self._send_move(game, move)

    def _find_line(
        self, game: Othello, state: OthelloState, history: Sequence[str]
    ) -> tuple[OthelloState, list[Square]]:
        """Return the position to set up, and the moves from there to this one."""
        if (line := _replay(game, history, state)) is not None:
            return game.start(), line
        if self._game == game:
            for at in reversed(range(len(self._states))):
                known, last = self._states[at], at == len(self._moves)
                if last or 0 <= empties(game, known) - empties(game, state) <= SHORT:
                    line = line_between(game, known, state)
                    if line is not None:
                        return self._states[0], self._moves[:at] + line
        if self._set_up_command():
            return state, []
        line = line_between(game, game.start(), state)
        if line is None:
            raise ProcessError(
                f"cannot be given the position {game.write(state)}: it has no command that sets "
                f"one up, like {SET_UP[0]}, and no short line leads there from the start"
            )
        return game.start(), line

    def _set_up_command(self) -> str:
        """Return its command that sets up a position, if it has one that is known here."""
        if not self._commands:
            self._commands = frozenset(self.send("list_commands").split()) | {"list_commands"}
        return next((each for each in SET_UP if each in self._commands), "")

    def _start(self, game: Othello, start: OthelloState) -> None:
        """Start a game from this position."""
        self.set_board_size(game)
        self.send("clear_board")
        self._game = game
        self._states, self._moves, self._timed = [start], [], False
        if command := self._set_up_command():
            self.send(f"{command} {game.write(start)}")
        elif self._is_mirrored(game) and game.columns % 2:
            raise ProcessError(
                f"begins from another position than {game.opening!r}, and has no command that sets "
                f"one up, like {SET_UP[0]}"
            )

    def _is_mirrored(self, game: Othello) -> bool:
        """Return whether it sees the board mirrored.

        Every program begins with black on E4 and D5. Where black begins on D4 and E5, and nothing
        can be set up, left and right are exchanged in every move sent or read.
        """
        return game.opening == "benedict" and not self._set_up_command()

    def _mirror(self, game: Othello, move: Square) -> Square:
        """Return a move as the program sees it, or back again."""
        mirrored = move != PASS and self._is_mirrored(game)
        return (game.columns - 1 - move[0], move[1]) if mirrored else move

    def _send_move(self, game: Othello, move: Square) -> None:
        colour = game.sides[game.turn(self._states[-1])]
        try:
            self.send(f"play {colour} {write_vertex(self._mirror(game, move))}")
        except CommandRefused:
            if move != PASS:  # many programs pass by themselves, and some insist on it
                raise
        self._record(game, move)

    def _record(self, game: Othello, move: Square) -> None:
        self._states.append(game.play(self._states[-1], move))
        self._moves.append(move)

    # Asking for a move

    def _generate_move(self, game: Othello, state: OthelloState, left: float | None) -> Square:
        colour = game.sides[game.turn(state)]
        if left is not None:
            self._send_time(colour, left)
        answer = self.send(
            f"genmove {colour}", self.seconds if left is None else min(self.seconds, left)
        )
        if answer.casefold() == "resign":
            raise Resigns
        try:
            move = self._mirror(game, read_vertex(game, answer))
        except BadText as error:
            raise BadAnswer(f"answered {quote(answer)} to 'genmove {colour}': {error}") from None
        try:
            game.play(state, move)
        except IllegalMove as error:
            raise IllegalMove(f"chose {game.write_move(move)}: {error}") from None
        return move

    def _send_time(self, colour: str, left: float) -> None:
        """Send the time left, at least 1 s: GTP has whole seconds, and 0 means no limit to some."""
        seconds = max(1, int(left))
        for command in (f"time_settings {seconds} 0 0", f"time_left {colour} {seconds} 0"):
            name = command.partition(" ")[0]
            if name in self._commands and not (name == "time_settings" and self._timed):
                try:
                    self.send(command)
                except CommandRefused:  # it plays by a clock of its own
                    return
        self._timed = True


def _replay(game: Othello, moves: Sequence[str], goal: OthelloState) -> list[Square] | None:
    """Return the moves of these texts, if there are any and they lead to the position."""
    state, line = game.start(), []
    for text in moves:
        line.append(game.read_move(state, text))
        state = game.play(state, line[-1])
    return line if moves and state == goal else None


def _one_line(text: str) -> str:
    """Return what a program wrote on one line."""
    return " ".join(text.split())[:200]


# The bot


def argv(command: str) -> list[str]:
    """Split a command into words, the program with its path where it is found."""
    words = registry.split_command(command)
    if not words:
        raise BadText("the gtp bot needs a command to start, like 'gtp-rhino -l 3'")
    found = shutil.which(words[0]) or shutil.which(words[0], path=GAMES)
    return [found or words[0], *words[1:]]


@dataclass
class Gtp(External):
    """Any program that plays Othello by GTP; it is started when it is first needed."""

    name: ClassVar[str] = "gtp"
    needs_trust: ClassVar[str] = "starts a program"  # so web pages and Benedict do not offer it

    command: str = option("", "the program and its arguments, like gtp-rhino -l 3")
    seconds: float = option(60.0, "the seconds an answer may take", low=0.1, high=1_000_000)

    def __post_init__(self) -> None:
        settle(self)
        self._engine: GtpEngine | None = None
        self._end: Callable[[], object] = lambda: None

    def plays(self, game: Game) -> str:
        """Return nothing without a command: a program that was not named is not offered."""
        return "" if self.why_not(game) else "as the program does that speaks GTP"

    def why_not(self, game: Game) -> str:
        """Return why it cannot play this game; the program is asked about the board."""
        if not isinstance(game, Othello):
            return "GTP is spoken about Othello here"
        if game.misere:
            return "GTP has no word for misère, so such an engine would play for most discs"
        if not self.command.strip():
            return "it needs a command, like command='gtp-rhino -l 3'"
        try:
            self._ask(lambda engine: engine.set_board_size(game))
        except CommandRefused as error:
            return str(error)
        return ""

    def choose(self, game: Game, state: OthelloState) -> Square:
        othello = require_othello(self, game)
        history, left = self._take_given()
        return self._ask(lambda engine: engine.choose(othello, state, history=history, left=left))

    def close(self) -> None:
        """End the program; it is started again when it is needed."""
        self._engine = None
        self._end()

    def _ask(self, ask: Callable[[GtpEngine], T]) -> T:
        """Return what the engine answers; end one that is out of step."""
        try:
            if self._engine is None:
                pipe = Pipe(argv(self.command))
                self._end = weakref.finalize(self, pipe.close)
                self._engine = GtpEngine(pipe, seconds=self.seconds)
            return ask(self._engine)
        except (CommandRefused, IllegalMove) as error:
            raise type(error)(f"{self.command} {error}") from None
        except Resigns:
            raise
        except ProcessError as error:
            stderr = "" if self._engine is None else _one_line(self._engine.pipe.errors)
            more = f"; it said: {stderr}" if stderr and isinstance(error, ProcessEnded) else ""
            self.close()
            raise type(error)(f"{self.command} {error}{more}") from None
        except BaseException:
            self.close()
            raise
