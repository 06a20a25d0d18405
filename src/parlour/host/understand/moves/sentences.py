"""Moves in plain words: `take two from the last pile`, `hit your right hand with my left`.

Each game reads its own sentences into the text of a move; the game itself then says whether it may
be made. Questions, refusals and commands are no moves, and are sorted out here. A sentence that
asks for a move and leaves something open, or asks for the impossible, is returned as `Unclear`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from parlour.core import IllegalMove, State
from parlour.host.language import NUMBER, Line, read_expressions
from parlour.host.understand.grammar import WORDS, Unclear
from parlour.host.understand.moves.hands import read_chopsticks
from parlour.host.understand.moves.piles import read_nim, read_sticks
from parlour.host.understand.moves.squares import read_othello, read_tictactoe
from parlour.rules import Chopsticks, Nim, Othello, Sticks, TicTacToe

EXPRESSIONS = read_expressions("understand/expressions/moves.txt")
CONTINUES = EXPRESSIONS["goes on"]  # a move like the last one, rather than the game again
NO_MOVES = [EXPRESSIONS[name] for name in ("asks", "refuses", "commands", "you", "anew")]
MOST_WORDS, LONGEST_MOVE = 60, 5  # words of a sentence, and of a move in it
Reader = Callable[[Any, State, Sequence[str]], str | Unclear]
READERS: dict[type, Reader] = {  # how the sentences of each game are read
    Nim: read_nim,
    Sticks: read_sticks,
    Chopsticks: read_chopsticks,
    TicTacToe: read_tictactoe,
    Othello: read_othello,
}


def read_sentence(game: Any, state: State, line: Line) -> str | Unclear:
    """Return the move that a sentence asks for, as the game reads it; nothing if it has none."""
    plain = " ".join(EXPRESSIONS["idle"].sub(" ", line.plain).split())
    if any(other.search(plain) for other in NO_MOVES):
        return ""
    reader = next((READERS[base] for base in type(game).__mro__ if base in READERS), None)
    if reader is None:
        return _find_move(game, state, line.text)
    final = EXPRESSIONS["corrects"].split(plain)[-1]
    for words in (final.split(), plain.split()):
        odd = [word for word in words if NUMBER.fullmatch(word) and not word.isdecimal()]
        found = reader(game, state, ["1" if word in odd else word for word in words])
        if odd and found:
            return Unclear(f"{odd[0]} is no number for a move; say a whole one, from 1 up")
        if found := found or _explain_pass(game, words):
            return found
    return ""


def _explain_pass(game: Any, words: Sequence[str]) -> str | Unclear:
    """Refuse `I pass`; where passing is allowed, the reader has found it already."""
    at = next((at for at, word in enumerate(words) if word not in WORDS["preface"]), len(words))
    passes = EXPRESSIONS["passes"].match(" ".join(words[at:]))
    if not passes or isinstance(game, Othello):
        return ""
    return Unclear("there is no passing in this game; you have to make a move")


def _find_move(game: Any, state: State, text: str) -> str | Unclear:
    """Find a move as it is written, in a game of which no sentences are known."""
    words = re.findall(r"\S+", text)[:MOST_WORDS]
    refusal = ""
    for size in range(min(len(words), LONGEST_MOVE), 0, -1):
        for at in range(len(words) - size + 1):
            try:
                move = game.read_move(state, " ".join(words[at : at + size]).strip(".,;:!?"))
                return str(game.write_move(move))
            except IllegalMove as illegal:
                refusal = refusal or str(illegal)
            except Exception:  # noqa: S112  # others' games may fail on any word
                continue
    return Unclear(refusal) if refusal else ""
