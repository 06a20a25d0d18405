"""The Go Text Protocol, version 2, for one game of Othello: a line comes in, an answer goes out.

Every line that holds a command gets exactly one answer, and a command that fails changes nothing.
A player who must pass need not say so: the opponent's next move implies it.
"""

from __future__ import annotations

import contextlib
import re
import sys
import time
from dataclasses import replace

from parlour import __version__, core
from parlour.core import Bot, IllegalMove, ParlourError, Resigns, describe, quote, suggest, whole
from parlour.faces.lines import open_input, read_lines, to_ascii
from parlour.players import LETTERS, read_vertex, write_vertex
from parlour.rules import PASS, Othello, OthelloState, Square

MAX_LINE = 10_000  # characters of a command
MAX_TIME = 1e9  # seconds
DIGITS = re.compile("[0-9]+")
SIDES = {"x": "X", "b": "X", "black": "X", "o": "O", "w": "O", "white": "O"}

# The usage of every command; what stands in brackets can be left out, dots repeat.
COMMANDS = {
    usage.partition(" ")[0]: usage
    for usage in (
        "protocol_version",
        "name",
        "version",
        "known_command COMMAND",
        "list_commands",
        "quit",
        "boardsize COLUMNS [ROWS]",
        "clear_board",
        "komi NUMBER",
        "play COLOUR SQUARE",
        "genmove COLOUR",
        "reg_genmove COLOUR",
        "undo",
        "showboard",
        "final_score",
        "time_settings MAIN EXTRA MOVES",
        "time_left COLOUR SECONDS MOVES",
        "set_position SQUARES [...] SIDE",
        "list_games",
        "set_game GAME",
    )
}
CONSTANT = {  # what is always answered
    "protocol_version": "2",
    "version": __version__,
    "list_commands": "\n".join(COMMANDS),
    "list_games": "Othello",
}


def serve(bot: Bot, game: Othello) -> int:
    """Answer standard input until `quit` or its end; return the exit code."""
    session = Session(bot, game)
    out = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):  # what a bot prints is not an answer
        try:
            for line in read_lines(open_input(), MAX_LINE):
                out.write(session.answer(line))
                out.flush()
                if session.over:
                    break
        except KeyboardInterrupt:
            return 130
    return 0


class BadSyntax(ParlourError):
    """A line that is not a command, or a word in it that is not what it should be."""

    def __str__(self) -> str:
        return f"syntax error: {super().__str__()}"


class Session:
    """One conversation: the bot, the board with its history, and the clocks."""

    def __init__(self, bot: Bot, game: Othello) -> None:
        self.bot = bot
        self.game = game
        self.over = False  # whether `quit` was received
        self._state: OthelloState = game.start()
        self._past: list[OthelloState] = []  # the position before each play
        self._main: float | None = None  # seconds each side has from the start of a game
        self._left: list[float | None] = [None, None]

    def answer(self, line: str) -> str:
        """Return the answer to a line without control characters; nothing if it is empty."""
        line = line.partition("#")[0].lstrip(" ")
        words = [word for word in line.split(" ") if word]
        if not words:
            return ""
        number = words.pop(0) if DIGITS.fullmatch(words[0]) else ""
        if len(number) > MAX_LINE:
            number = ""
        try:
            mark, text = "=", self._execute(line, words)
        except Resigns:
            mark, text = "=", "resign"
        except ParlourError as error:
            mark, text = "?", " ".join(str(error).split())
        except (Exception, SystemExit) as error:
            mark, text = "?", f"something went wrong inside: {core.describe_error(error)}"
        return f"{mark}{number} {to_ascii(text)}".rstrip(" ") + "\n\n"

    def _execute(self, line: str, words: list[str]) -> str:
        if len(line) > MAX_LINE:
            raise BadSyntax(f"a line has at most {MAX_LINE:,} characters")
        if not words:
            raise ParlourError("unknown command: the line holds only a number")
        name, *given = words
        if name not in COMMANDS:
            hint = suggest(name, COMMANDS) or "; list_commands lists them all"
            raise ParlourError(f"unknown command {quote(name)}{hint}")
        expected = COMMANDS[name].split()[1:]
        least = sum(not word.startswith("[") for word in expected)
        if len(given) < least or (len(given) > len(expected) and "[...]" not in expected):
            raise BadSyntax(f"usage: {COMMANDS[name]}")
        if name in CONSTANT:
            return CONSTANT[name]
        answer: str = getattr(self, f"_{name}")(*given)
        return answer

    # About the program

    def _name(self) -> str:
        return f"Parlour {' '.join(describe(self.bot).split())}"

    def _known_command(self, name: str) -> str:
        return "true" if name in COMMANDS else "false"

    def _quit(self) -> str:
        self.over = True
        return ""

    def _set_game(self, game: str) -> str:
        if game.casefold() != "othello":
            raise ParlourError(f"unsupported game {quote(game)}; only Othello is played here")
        return ""

    # The board

    def _boardsize(self, columns: str, rows: str = "") -> str:
        sizes = [whole(each) for each in (columns, rows or columns) if DIGITS.fullmatch(each)]
        if len(sizes) != 2 or not all(4 <= size <= 16 for size in sizes):
            raise ParlourError(
                "unacceptable size: give a number from 4 to 16, or two for columns and rows"
            )
        game = replace(self.game, columns=sizes[0], rows=sizes[1])
        if game != self.game and not self.bot.plays(game):
            raise ParlourError(
                f"unacceptable size: {describe(self.bot)} does not play on {sizes[0]}x{sizes[1]}"
            )
        self.game = game
        return self._clear_board()

    def _clear_board(self) -> str:
        return self._set(self.game.start())

    def _set_position(self, *words: str) -> str:
        *squares, side = words
        if side.casefold() not in SIDES:
            raise BadSyntax(f"{quote(side)} is not a side; the last word must be black or white")
        try:
            return self._set(self.game.read(f"{''.join(squares)} {SIDES[side.casefold()]}"))
        except ParlourError as error:
            raise BadSyntax(str(error)) from None

    def _set(self, state: OthelloState) -> str:
        self._state, self._past = state, []
        self._left = [self._main, self._main]
        return ""

    def _showboard(self) -> str:
        """Draw the board, its columns named as GTP names them."""
        heading, *rows = self.game.draw(self._state).split("\n")
        letters = " ".join(LETTERS[: self.game.columns])
        heading = heading[: len(heading) - len(letters)] + letters
        return "\n".join([core.capital(self._describe_turn(self._state)), heading, *rows])

    def _describe_turn(self, state: OthelloState) -> str:
        """Say who may do what."""
        moves = self.game.moves(state)
        if not moves:
            return "the game is over"
        who = f"{Othello.sides[state[2]]} ({self.game.marks[state[2]]})"
        if moves[0] == PASS:
            return f"{who} must pass"
        return f"{who} may play {core.one_of(map(write_vertex, moves))}"

    def _final_score(self) -> str:
        if self.game.result(self._state) is None:
            raise ParlourError(f"cannot score: {self._describe_turn(self._state)}")
        score = self.game.score(self._state)
        return f"{'B' if score > 0 else 'W'}+{abs(score)}" if score else "0"

    def _komi(self, number: str) -> str:
        """Accept a komi and ignore it: Go programs send one to every engine."""
        if not re.fullmatch(r"[+-]?([0-9]+\.?|[0-9]*\.[0-9]+)", number):
            raise BadSyntax(f"komi must be a number, not {quote(number)}")
        return ""

    # Moves

    def _play(self, colour: str, vertex: str) -> str:
        seat = _seat(colour)
        try:
            move = read_vertex(self.game, vertex)
        except ParlourError as error:
            raise BadSyntax(str(error)) from None
        self._make(self._give_turn(seat), move)
        return ""

    def _genmove(self, colour: str) -> str:
        seat = _seat(colour)
        state = self._give_turn(seat)
        began = time.monotonic()
        move = self._choose(state, seat)
        self._make(state, move)
        if (left := self._left[seat]) is not None:
            self._left[seat] = max(0.0, left - (time.monotonic() - began))
        return write_vertex(move)

    def _reg_genmove(self, colour: str) -> str:
        seat = _seat(colour)
        return write_vertex(self._choose(self._give_turn(seat), seat))

    def _undo(self) -> str:
        if not self._past:
            raise ParlourError("cannot undo: nothing has been played")
        self._state = self._past.pop()
        return ""

    def _give_turn(self, seat: int) -> OthelloState:
        """Return the position with this seat to move, after a forced pass that was left out."""
        state, moves = self._state, self.game.moves(self._state)
        if state[2] == seat or not moves:
            return state
        if moves[0] == PASS:
            return self.game.play(state, PASS)
        raise IllegalMove(
            f"illegal move: it is not {Othello.sides[seat]}'s turn; {self._describe_turn(state)}"
        )

    def _make(self, state: OthelloState, move: Square) -> None:
        """Make a move; once the game is over both sides may go on passing, as in Go."""
        if move != PASS or self.game.moves(state):
            try:
                state = self.game.play(state, move)
            except IllegalMove:
                raise IllegalMove(
                    f"illegal move {write_vertex(move)}: {self._describe_turn(state)}"
                ) from None
        self._past.append(self._state)
        self._state = state

    def _choose(self, state: OthelloState, seat: int) -> Square:
        moves = self.game.moves(state)
        if not moves or moves[0] == PASS:
            return PASS
        clock, left = getattr(self.bot, "clock", None), self._left[seat]
        if clock is not None and left is not None:
            clock(left)
        move: Square = self.bot.choose(self.game, state)
        if move not in moves:
            raise ParlourError(
                f"{describe(self.bot)} chose {quote(move)}, which is not a legal move"
            )
        return move

    # Time

    def _time_settings(self, main: str, extra: str, moves: str) -> str:
        """Set the clocks; extra time without a number of moves means no limit."""
        total, more, count = _seconds(main), _seconds(extra), _count(moves)
        if count:
            total = total or more / count
        self._main = None if more and not count else total
        self._left = [self._main, self._main]
        return ""

    def _time_left(self, colour: str, seconds: str, moves: str) -> str:
        seat = _seat(colour)
        left, count = _seconds(seconds), _count(moves)
        self._left[seat] = left / count if count else left
        return ""


def _seat(colour: str) -> int:
    word = colour.casefold()
    for seat, name in enumerate(Othello.sides):
        if word in (name, name[0]):
            return seat
    raise BadSyntax(f"{quote(colour)} is not a colour; give black or white")


def _seconds(text: str) -> float:
    if not re.fullmatch(r"[0-9]+(\.[0-9]*)?", text):
        raise BadSyntax(f"{quote(text)} is not a time; give a number of seconds")
    return min(float(text), MAX_TIME)


def _count(text: str) -> int:
    if not DIGITS.fullmatch(text):
        raise BadSyntax(f"{quote(text)} is not a number of moves; give a whole number")
    return whole(text)
