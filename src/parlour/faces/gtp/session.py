"""A conversation in GTP version 2 about one game of Othello: a line comes in, an answer goes out.

Whatever comes in, every line that holds a command gets exactly one answer, and one that cannot be
obeyed changes nothing. Who must pass need not say so: their opponent's move says it for them.
"""

from __future__ import annotations

import re
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from parlour import __version__
from parlour.core import (
    Bot,
    IllegalMove,
    ParlourError,
    Resigns,
    capital,
    describe,
    named,
    nearest,
    one_of,
    quote,
    whole,
)
from parlour.players import COLOURS, LETTERS, read_vertex, write_vertex
from parlour.rules import PASS, Othello, OthelloState

if TYPE_CHECKING:
    from parlour.rules import Square

LONGEST_LINE = 10_000  # characters of a command
LONGEST_TIME = 1e9  # seconds
DIGITS = re.compile("[0-9]+")
SIDES = {"x": "X", "b": "X", "black": "X", "o": "O", "w": "O", "white": "O"}

# Every command as one says it; what stands in brackets can be left out, dots repeat.
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


class Session:
    """One conversation: the bot, the board with its past, and the clocks."""

    def __init__(self, bot: Bot, game: Othello) -> None:
        self.bot = bot
        self.game = game
        self.over = False  # the conversation, once `quit` was said
        self._state: OthelloState = game.start()
        self._past: list[OthelloState] = []  # the position before each play
        self._main: float | None = None  # seconds each side has from the start of a game
        self._left: list[float | None] = [None, None]

    def answer(self, line: str) -> str:
        """What is answered to a line without its control characters; nothing if it is empty."""
        words = [word for word in line.split(" ") if word]
        if not words:
            return ""
        number = words.pop(0) if DIGITS.fullmatch(words[0]) else ""
        if len(number) > LONGEST_LINE:
            number = ""
        try:
            mark, text = "=", self._obeyed(line, words)
        except Resigns:
            mark, text = "=", "resign"
        except ParlourError as refusal:
            mark, text = "?", " ".join(str(refusal).split())
        except (Exception, SystemExit) as trouble:
            mark, text = "?", f"something went wrong inside: {named(trouble)}"
        return f"{mark}{number} {_ascii(text)}".rstrip(" ") + "\n\n"

    def _obeyed(self, line: str, words: list[str]) -> str:
        if len(line) > LONGEST_LINE:
            raise ParlourError(f"syntax error: no line is longer than {LONGEST_LINE:,} characters")
        if not words:
            raise ParlourError("unknown command: a number alone says nothing")
        name, *given = words
        if name not in COMMANDS:
            hint = nearest(name, COMMANDS) or "; list_commands lists those there are"
            raise ParlourError(f"unknown command {quote(name)}{hint}")
        expected = COMMANDS[name].split()[1:]
        least = sum(not word.startswith("[") for word in expected)
        if len(given) < least or (len(given) > len(expected) and "[...]" not in expected):
            raise ParlourError(f"syntax error: say {COMMANDS[name]}")
        obeyed: str = getattr(self, f"_{name}")(*given)
        return obeyed

    # About the program

    def _protocol_version(self) -> str:
        return "2"

    def _name(self) -> str:
        return f"Parlour {' '.join(describe(self.bot).split())}"

    def _version(self) -> str:
        return __version__

    def _known_command(self, name: str) -> str:
        return "true" if name in COMMANDS else "false"

    def _list_commands(self) -> str:
        return "\n".join(COMMANDS)

    def _quit(self) -> str:
        self.over = True
        return ""

    def _list_games(self) -> str:
        return "Othello"

    def _set_game(self, game: str) -> str:
        if game.casefold() != "othello":
            raise ParlourError(f"unsupported game {quote(game)}; it is Othello that is played here")
        return ""

    # The board

    def _boardsize(self, columns: str, rows: str = "") -> str:
        sizes = [whole(each) for each in (columns, rows or columns) if DIGITS.fullmatch(each)]
        if len(sizes) != 2 or not all(4 <= size <= 16 for size in sizes):
            raise ParlourError(
                "unacceptable size: say a number from 4 to 16, or two for columns and rows"
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
            raise ParlourError(
                f"syntax error: {quote(side)} does not move; the last word is black or white"
            )
        try:
            return self._set(self.game.read(f"{''.join(squares)} {SIDES[side.casefold()]}"))
        except ParlourError as refusal:
            raise ParlourError(f"syntax error: {refusal}") from None

    def _set(self, state: OthelloState) -> str:
        self._state, self._past = state, []
        self._left = [self._main, self._main]
        return ""

    def _showboard(self) -> str:
        """The drawing, its columns by the letters of GTP."""
        heading, *rows = self.game.draw(self._state).split("\n")
        letters = " ".join(LETTERS[: self.game.columns])
        heading = heading[: len(heading) - len(letters)] + letters
        return "\n".join([capital(self._standing(self._state)), heading, *rows])

    def _standing(self, state: OthelloState) -> str:
        """Who may do what, as a sentence."""
        moves = self.game.moves(state)
        if not moves:
            return "the game is over"
        who = f"{COLOURS[state[2]]} ({self.game.marks[state[2]]})"
        if moves[0] == PASS:
            return f"{who} must pass"
        return f"{who} may take {one_of(map(write_vertex, moves))}"

    def _final_score(self) -> str:
        if self.game.result(self._state) is None:
            raise ParlourError(f"cannot score: {self._standing(self._state)}")
        score = self.game.score(self._state)
        return f"{'B' if score > 0 else 'W'}+{abs(score)}" if score else "0"

    def _komi(self, number: str) -> str:
        """Discs are counted without it, but programs for Go tell it to everybody."""
        if not re.fullmatch(r"[+-]?([0-9]+\.?|[0-9]*\.[0-9]+)", number):
            raise ParlourError(f"syntax error: komi is a number, not {quote(number)}")
        return ""

    # Moves

    def _play(self, colour: str, vertex: str) -> str:
        seat = _seat(colour)
        try:
            move = read_vertex(self.game, vertex)
        except ParlourError as refusal:
            raise ParlourError(f"syntax error: {refusal}") from None
        self._make(self._turned(seat), move)
        return ""

    def _genmove(self, colour: str) -> str:
        seat = _seat(colour)
        state = self._turned(seat)
        began = time.monotonic()
        move = self._chosen(state, seat)
        self._make(state, move)
        if (left := self._left[seat]) is not None:
            self._left[seat] = max(0.0, left - (time.monotonic() - began))
        return write_vertex(move)

    def _reg_genmove(self, colour: str) -> str:
        seat = _seat(colour)
        return write_vertex(self._chosen(self._turned(seat), seat))

    def _undo(self) -> str:
        if not self._past:
            raise ParlourError("cannot undo: nothing was played")
        self._state = self._past.pop()
        return ""

    def _turned(self, seat: int) -> OthelloState:
        """The position with this seat to move: a pass that is forced need not be said."""
        state, moves = self._state, self.game.moves(self._state)
        if state[2] == seat or not moves:
            return state
        if moves[0] == PASS:
            return self.game.play(state, PASS)
        raise IllegalMove(
            f"illegal move: it is not {COLOURS[seat]}'s turn; {self._standing(state)}"
        )

    def _make(self, state: OthelloState, move: Square) -> None:
        """Make a move; once the game is over everybody may pass for ever, as in Go."""
        if move != PASS or self.game.moves(state):
            try:
                state = self.game.play(state, move)
            except IllegalMove:
                raise IllegalMove(
                    f"illegal move {write_vertex(move)}: {self._standing(state)}"
                ) from None
        self._past.append(self._state)
        self._state = state

    def _chosen(self, state: OthelloState, seat: int) -> Square:
        moves = self.game.moves(state)
        if not moves or moves[0] == PASS:
            return PASS
        clock, left = getattr(self.bot, "clock", None), self._left[seat]
        if clock is not None and left is not None:
            clock(left)
        move: Square = self.bot.choose(self.game, state)
        if move not in moves:
            raise ParlourError(f"{describe(self.bot)} chose {quote(move)}, which is no move here")
        return move

    # Time

    def _time_settings(self, main: str, extra: str, moves: str) -> str:
        """Extra time without moves to make in it means that there is no limit."""
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
    said = colour.casefold()
    for seat, name in enumerate(COLOURS):
        if said in (name, name[0]):
            return seat
    raise ParlourError(f"syntax error: {quote(colour)} is no colour; say black or white")


def _seconds(text: str) -> float:
    if not re.fullmatch(r"[0-9]+(\.[0-9]*)?", text):
        raise ParlourError(f"syntax error: {quote(text)} is no time; say a number of seconds")
    return min(float(text), LONGEST_TIME)


def _count(text: str) -> int:
    if not DIGITS.fullmatch(text):
        raise ParlourError(f"syntax error: {quote(text)} is no number of moves; say a whole number")
    return whole(text)


def _ascii(text: str) -> str:
    """The text in the characters that GTP knows."""
    return text.replace("…", "...").encode("ascii", "backslashreplace").decode()
