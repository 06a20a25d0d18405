"""Why a tic-tac-toe position is won or lost: lines about to be completed, and double threats.

A threat is a free square that completes a line. Two at once are a fork: only one can be blocked.
These hold on any board, whether or not it is small enough to be solved.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from parlour.core import capital, seat_name
from parlour.rules import Square, TicTacToe, TicTacToeState
from parlour.truth.explain.explainer import PHRASES, Data, Explainer, Fact, Phrase, join_texts


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


def _describe(game: TicTacToe, found: dict[Square, int]) -> list[Data]:
    return [
        {
            "square": game.write_move(square),
            "line": [game.write_move(part) for part in game.board.squares(line)],
        }
        for square, line in found.items()
    ]


def _describe_forks(game: TicTacToe, found: dict[Square, dict[Square, int]]) -> list[Data]:
    return [
        {"move": game.write_move(square), "threats": _describe(game, after)}
        for square, after in found.items()
    ]


# Sentences


def _squares(data: Data) -> str:
    return join_texts([threat["square"] for threat in data["squares"]])


def _phrase_wins_now(data: Data) -> str:
    lines = join_texts(
        [f"{threat['square']} ({' '.join(threat['line'])})" for threat in data["squares"]]
    )
    return f"Wins at once, by completing a line: {lines}."


def _phrase_blocks(data: Data) -> str:
    squares = _squares(data)
    if len(data["squares"]) == 1:
        return f"One square must be taken, or {data['other']} completes a line there: {squares}."
    return (
        f"More than one square completes a line for {data['other']}, {squares}, and only one of "
        "them can be taken."
    )


def _phrase_forks(data: Data) -> str:
    ways = join_texts(
        [
            f"{fork['move']} (then {join_texts([threat['square'] for threat in fork['threats']])})"
            for fork in data["forks"]
        ]
    )
    return f"A double threat, of which {data['other']} can block only one, is made by {ways}."


def _phrase_fatal(data: Data) -> str:
    squares = _squares(data)
    safe = f"what is left is {join_texts(data['safe'])}" if data["safe"] else "nothing else is left"
    return f"Completing a line loses in misère, so {data['name']} must avoid {squares}; {safe}."


def _phrase_missed_win(data: Data) -> str:
    return f"A line could have been completed at once, on {_squares(data)}."


def _phrase_allows_line(data: Data) -> str:
    return f"It lets {data['other']} complete a line on {_squares(data)}."


def _phrase_makes_fork(data: Data) -> str:
    return f"It makes a double threat, on {_squares(data)}, and {data['other']} can block only one."


def _phrase_allows_fork(data: Data) -> str:
    forks = join_texts([fork["move"] for fork in data["forks"]])
    return f"It lets {data['other']} make a double threat with {forks}."


def _phrase_full(data: Data) -> str:
    return f"All {data['squares']} squares are taken, and nobody has a line."


def _phrase_stands(data: Data) -> str:
    fate = "loses" if data["misere"] else "wins"
    line = " ".join(data["line"])
    return f"{capital(data['name'])} completed the line {line}, and who does so {fate}."


OWN_PHRASES: dict[str, Phrase] = {
    "wins-now": _phrase_wins_now,
    "blocks": _phrase_blocks,
    "forks": _phrase_forks,
    "fatal": _phrase_fatal,
    "missed-win": _phrase_missed_win,
    "allows-line": _phrase_allows_line,
    "makes-fork": _phrase_makes_fork,
    "allows-fork": _phrase_allows_fork,
    "full": _phrase_full,
    "stands": _phrase_stands,
}


class TicTacToeExplainer(Explainer):
    """Adds threats, forks and completed lines."""

    phrases: ClassVar[Mapping[str, Phrase]] = {**PHRASES, **OWN_PHRASES}

    def observe(self, game: TicTacToe, state: TicTacToeState) -> list[Fact]:
        """Return what the lines decide: wins at once, blocks and forks; or what to avoid."""
        own, other, turn, _ = state
        mine = threats(game, own, other)
        who = {"name": seat_name(game, turn), "other": seat_name(game, 1 - turn)}
        if game.misere:
            free = [game.write_move(square) for square in game.moves(state) if square not in mine]
            return (
                [Fact("fatal", {**who, "squares": _describe(game, mine), "safe": free})]
                if mine
                else []
            )
        if mine:
            return [Fact("wins-now", {**who, "squares": _describe(game, mine)})]
        facts = []
        if theirs := threats(game, other, own):
            facts.append(Fact("blocks", {**who, "squares": _describe(game, theirs)}))
        if found := forks(game, own, other):
            facts.append(Fact("forks", {**who, "forks": _describe_forks(game, found)}))
        return facts

    def observe_move(self, game: TicTacToe, state: TicTacToeState, move: Square) -> list[Fact]:
        """Return what a move missed, made and allowed."""
        own, other, turn, _ = state
        reply, mine, _, over = game.play(state, move)
        who = {"name": seat_name(game, turn), "other": seat_name(game, 1 - turn)}
        if game.misere or over:
            return []
        facts = []
        if missed := threats(game, own, other):
            facts.append(Fact("missed-win", {**who, "squares": _describe(game, missed)}))
        if theirs := threats(game, reply, mine):
            facts.append(Fact("allows-line", {**who, "squares": _describe(game, theirs)}))
        elif len(made := threats(game, mine, reply)) > 1:
            facts.append(
                Fact(
                    "makes-fork",
                    {**who, "move": game.write_move(move), "squares": _describe(game, made)},
                )
            )
        elif allowed := forks(game, reply, mine):
            facts.append(Fact("allows-fork", {**who, "forks": _describe_forks(game, allowed)}))
        return facts

    def ending(self, game: TicTacToe, state: TicTacToeState) -> list[Fact]:
        """Return the completed line, or that the board is full."""
        _, other, turn, over = state
        if not over:
            return [Fact("full", {"squares": len(game.board.bits)})]
        lines = (line for _, lines in game._through.values() for line in lines)
        line = next(line for line in lines if other & line == line)
        squares = [game.write_move(square) for square in game.board.squares(line)]
        who = {"name": seat_name(game, 1 - turn), "misere": game.misere}
        return [Fact("stands", {**who, "line": squares})]
