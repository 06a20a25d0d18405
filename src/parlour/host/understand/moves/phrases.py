"""Moves in plain words: `take two from the last pile`, `hit your right hand with my left`.

Each game reads its own sentences into the text of a move; the game itself then says whether it may
be made. What is not clearly a move is none: questions, refusals and commands are sorted out here.
What wants a move and tells too little, or what no game can do, comes back as the reason for that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import singledispatch
from typing import Any

from parlour.core import State
from parlour.host.language import NUMBER
from parlour.host.understand.moves.boards import othello_text, tictactoe_text
from parlour.host.understand.moves.hands import chopsticks_text
from parlour.host.understand.moves.piles import nim_text, sticks_text
from parlour.host.understand.moves.unclear import Unclear
from parlour.rules import Chopsticks, Nim, Othello, Sticks, TicTacToe

IDLE = re.compile(
    r"\b(?:why not|what the \w+|what a \w+|who (?:cares|knows)|(?:how|what) about"
    r"|how (?:lovely|nice)|if you (?:do not|would not|would|will) ?(?:mind|please|like|insist)?"
    r"|if (?:i|we) (?:may|might|must)|if it pleases you|after all|at all|all right|do not worry"
    r"|that is all|you know(?: what)?|no matter what|(?:do|should|must|have|will) not i|is not it"
    r"|i do not care|(?:so|and|then|because|while) (?:that )?(?:now )?(?:i (?:win|lose)"
    r"|you (?:get|have to|must|lose|will|cannot|win|are|can))\b.*)(?=\s|$)"
)
ASKS = re.compile(
    r"\b(?:why|y (?:did|do|does|you|that|not)|how|what|who|whose|whom|where|may (?:i|we|one|you)"
    r"|(?<!pile )(?<!heap )(?<!one )(?<!hand )(?<!square )(?<!box )which|might (?:i|we|one)"
    r"|(?:am|shall|should|do|did|must) (?:i|we)|(?:do|did|can|could|will|would|are|were|have) you"
    r"|(?:can|could) (?:i|we) (?:see|win|still|look|know|ask|undo|change|pass|lose|peek|be|hear)"
    r"|is it (?:a draw|over|my|your|legal|allowed|possible)"
    r"|does|wonder|tell me|explain|show|list|allowed to)\b|^(?:when|has|have (?:i|we))\b"
)
REFUSES = re.compile(
    r"\bnot (?!sure|bad|mind|much|that|yet|long)|\b(?:never|cannot) (?:take|hit|split|play)"
    r"|\b(?:avoid|instead of|rather than)\b"
)
COMMANDS = re.compile(
    r"\b(?:undo|redo|retract|rematch|restart|exit|quit|program|rules?|difficulty|hints?"
    r"|strength|forward|resign|surrender|concede|hats?|matchbox(?:es)?|beads?|undone|history|saved?|advice"
    r"|level(?! with| the| them| pile)|another (?:go|game|round|match|time|try)"
    r"|(?:new|this|the|our) game|start(?:ing)? over"
    r"|(?:that|last|previous|wrong|first) move|your move(?!$)|times"
    r"|(?:minute|hour|day|week|month|year)s?"
    r"|(?:take|took|taken|taking|put|have|give|get|want|go|went|step|read|move|moves|talk)"
    r" (?:(?!hand|finger|dead|right|left)\w+ ){0,4}back(?! to life| alive| my| the dead))\b"
)
CORRECTS = re.compile(r"\b(?:no wait|wait no|i mean|make that|scratch that|or rather|sorry)\b")
YOU = re.compile(
    r"^(?:(?:and|so|but|then|wow|oh|okay|no|ha|ah|hey|well|because|if|when) )*you"
    r" (?:take|took|remove|hit|play|went|move|put|had|did|are|were|just|should|can|could|must|may"
    r"|always|never|only|already|still|said|say|think|thought|forgot|made|make|owe|win|won)"
)
ANEW = re.compile(
    r"\b(?:play|games?|rounds?|start|begin|match)\b.*\b(?:again|another|more|anew|over)\b"
    r"|\b(?:again|another|once more|anew)\b.*\b(?:play|games?|rounds?|with)\b"
)
GOES_ON = re.compile(
    r"^(?:(?:okay|and|then|well|now) )*(?:another|(?:the )?same again|again|once more|only|just)"
    r" (?:\d+|(?<=only )one|(?<=just )one)"
    r"(?: sticks?| coins?| this| time| now| please| then| for| me)*$"
)  # a move of the same kind as the last, rather than the game again
PASSES = re.compile(
    r"^(?:pass(?:es|ing)?|skip(?:s|ping)?)"
    r"(?: (?:my|this|the|it|on|turn|go|move|one|1|time|round|now|thanks))*$"
)
PREFACE = set(
    """i we me let us will would shall must have to like want can please then well okay just rather
    think am going prefer so this turn time now""".split()
)


def move_text(game: Any, state: State, words: Sequence[str], text: str) -> str | Unclear:
    """The move that a sentence asks for, as the game reads it; nothing when it asks for none."""
    line = " ".join(IDLE.sub(" ", " ".join(words)).split())
    if any(other.search(line) for other in (ASKS, REFUSES, COMMANDS, YOU, ANEW)):
        return ""
    better = CORRECTS.split(line)[-1]
    return _read(game, state, better.split(), text) or _read(game, state, line.split(), text)


def _read(game: Any, state: State, words: Sequence[str], text: str) -> str | Unclear:
    """What a line says, where every number in it can be one of a move."""
    odd = [word for word in words if NUMBER.fullmatch(word) and not word.isdecimal()]
    found = _said(game, state, ["1" if word in odd else word for word in words], text)
    if odd and found:
        return Unclear(f"{odd[0]} is no number for a move; say a whole one, from 1 up")
    return found or _passed(game, words)


def _passed(game: Any, words: Sequence[str]) -> str | Unclear:
    """`I pass`, in a game where nobody can; where one can, the game has read it already."""
    at = next((at for at, word in enumerate(words) if word not in PREFACE), len(words))
    passes = PASSES.match(" ".join(words[at:]))
    if passes and isinstance(game, Nim | Sticks | Chopsticks | TicTacToe):
        return Unclear("there is no passing in this game; you have to make a move")
    return ""


@singledispatch
def _said(game: Any, state: State, words: Sequence[str], text: str) -> str | Unclear:
    """A stranger's game reads no sentences, so a word has to be a move as it stands."""
    for word in re.findall(r"\S+", text):
        try:
            return str(game.write_move(game.read_move(state, word)))
        except Exception:  # noqa: S112  # a stranger's game may fail on any word
            continue
    return ""


@_said.register
def _(game: Nim, state: State, words: Sequence[str], text: str) -> str | Unclear:
    return nim_text(game, state, words)


@_said.register
def _(game: Sticks, state: State, words: Sequence[str], text: str) -> str | Unclear:
    return sticks_text(game, state, words)


@_said.register
def _(game: Chopsticks, state: State, words: Sequence[str], text: str) -> str | Unclear:
    return chopsticks_text(game, state, words)


@_said.register
def _(game: TicTacToe, state: State, words: Sequence[str], text: str) -> str:
    return tictactoe_text(game, state, words)


@_said.register
def _(game: Othello, state: State, words: Sequence[str], text: str) -> str:
    return othello_text(game, state, words)
