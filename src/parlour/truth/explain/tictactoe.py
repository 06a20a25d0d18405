"""Why a tic-tac-toe position is won or lost: lines about to be completed, and double threats.

A threat is a free square that completes a line. Two at once are a fork: only one can be blocked.
These hold on any board, whether or not it is small enough to be solved.
"""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

from parlour.core import Text, conjugate, join, seat_name
from parlour.rules import Square, TicTacToe, TicTacToeState
from parlour.truth.explain.explainer import Explainer, Fact, fact, name_sides
from parlour.truth.explain.phrases import Phrases
from parlour.truth.explain.sentences import ANY_GAME, Data, Sentences, Wording, list_some

PHRASES = Phrases("tictactoe.txt")
OF_SQUARES = ("blocks", "fatal", "missed-win", "allows-line", "makes-fork")  # kinds of facts


def threats(game: TicTacToe, own: int, other: int) -> dict[Square, int]:
    """Return the free squares that complete a line for the owner of `own`, with the line."""
    found = {}
    for square in game.board.squares(game.board.full & ~(own | other)):
        bit, lines = game._through[square]
        for line in lines:
            if (own | bit) & line == line:
                found[square] = line
                break
    return found


def forks(game: TicTacToe, own: int, other: int) -> dict[Square, dict[Square, int]]:
    """Return the squares that make two threats and leave the opponent none: a win in 3."""
    found = {}
    for square in game.board.squares(game.board.full & ~(own | other)):
        mine = own | game.board.bits[square]
        after = threats(game, mine, other)
        if len(after) > 1 and not threats(game, other, mine):
            found[square] = after
    return found


def _write_line(game: TicTacToe, line: int) -> list[str]:
    return [game.write_move(square) for square in game.board.squares(line)]


def _describe(game: TicTacToe, found: dict[Square, int]) -> list[Data]:
    return [
        {"square": game.write_move(square), "line": _write_line(game, line)}
        for square, line in found.items()
    ]


def _describe_forks(game: TicTacToe, found: dict[Square, dict[Square, int]]) -> list[Data]:
    return [
        {"move": game.write_move(square), "threats": _describe(game, after)}
        for square, after in found.items()
    ]


# Sentences


def _list_squares(squares: list[Data]) -> Text:
    return list_some([each["square"] for each in squares])


def say_wins_now(_: Wording, *, squares: list[Data], **_rest: Any) -> Text:
    """Say which squares win at once."""
    ways = [
        PHRASES("completing", square=each["square"], line=join(" ", each["line"]))
        for each in squares
    ]
    return PHRASES("wins-now", squares=list_some(ways))


def say_forks(wording: Wording, *, other: str, forks: list[Data], **_rest: Any) -> Text:
    """Say which moves make two threats."""
    ways = [
        PHRASES("fork", move=each["move"], threats=_list_squares(each["threats"])) for each in forks
    ]
    return PHRASES("forks", other=wording.call(other), forks=list_some(ways))


def say_allows_fork(wording: Wording, *, other: str, forks: list[Data], **_rest: Any) -> Text:
    """Say that a move lets the opponent make two threats."""
    moves = list_some([each["move"] for each in forks])
    return PHRASES("allows-fork", whom=wording.address(other), forks=moves)


def say_stands(_: Wording, *, line: list[str], **data: Any) -> Text:
    """Say who completed a line."""
    return PHRASES("stands", line=join(" ", line), **data)


def _say_of_squares(
    kind: str, wording: Wording, *, name: str, other: str, squares: list[Data], **data: Any
) -> Text:
    """Say what follows from the squares that complete a line."""
    return PHRASES(
        kind,
        name=wording.call(name),
        other=wording.call(other),
        whom=wording.address(other),
        completes=conjugate("complete", wording.call(other)),
        several=len(squares) > 1,
        squares=_list_squares(squares),
        safe=list_some(data.get("safe", ())),
    )


class TicTacToeExplainer(Explainer):
    """Adds threats, forks and completed lines."""

    sentences: ClassVar[Sentences] = {
        **ANY_GAME,
        "wins-now": say_wins_now,
        "forks": say_forks,
        "allows-fork": say_allows_fork,
        "stands": say_stands,
        **{kind: partial(_say_of_squares, kind) for kind in OF_SQUARES},
        **PHRASES.plain("full"),
    }

    def observe(self, game: TicTacToe, state: TicTacToeState) -> list[Fact]:
        """Return what the lines decide: wins at once, blocks and forks; or what to avoid."""
        own, other, _, _ = state
        mine = threats(game, own, other)
        who = name_sides(game, state)
        if mine:
            squares = _describe(game, mine)
            if not game.misere:
                return [fact("wins-now", **who, squares=squares)]
            safe = [game.write_move(square) for square in game.moves(state) if square not in mine]
            return [fact("fatal", **who, squares=squares, safe=safe)]
        facts: list[Fact] = []
        if game.misere:
            return facts
        if theirs := threats(game, other, own):
            facts.append(fact("blocks", **who, squares=_describe(game, theirs)))
        if found := forks(game, own, other):
            facts.append(fact("forks", **who, forks=_describe_forks(game, found)))
        return facts

    def observe_move(self, game: TicTacToe, state: TicTacToeState, move: Square) -> list[Fact]:
        """Return what a move missed, made and allowed."""
        own, other, _, _ = state
        reply, mine, _, over = game.play(state, move)
        who = name_sides(game, state)
        facts: list[Fact] = []
        if game.misere or over:
            return facts
        if missed := threats(game, own, other):
            facts.append(fact("missed-win", **who, squares=_describe(game, missed)))
        if theirs := threats(game, reply, mine):
            facts.append(fact("allows-line", **who, squares=_describe(game, theirs)))
        elif len(made := threats(game, mine, reply)) > 1:
            text, squares = game.write_move(move), _describe(game, made)
            facts.append(fact("makes-fork", **who, move=text, squares=squares))
        elif allowed := forks(game, reply, mine):
            facts.append(fact("allows-fork", **who, forks=_describe_forks(game, allowed)))
        return facts

    def ending(self, game: TicTacToe, state: TicTacToeState) -> list[Fact]:
        """Return the completed line, or that the board is full."""
        _, other, turn, over = state
        if not over:
            return [fact("full", squares=len(game.board.bits))]
        lines = (line for _, lines in game._through.values() for line in lines)
        line = next(line for line in lines if other & line == line)
        name = seat_name(game, 1 - turn)
        return [fact("stands", name=name, misere=game.misere, line=_write_line(game, line))]
