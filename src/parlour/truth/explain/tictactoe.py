"""Why a tic-tac-toe position is won or lost: lines about to be completed, and double threats.

A threat is a free square that completes a line. Two at once are a fork: only one can be blocked.
These hold on any board, whether or not it is small enough to be solved.
"""

from __future__ import annotations

from typing import Any, ClassVar

from parlour.core import Text, conjugate, join, say, seat_name
from parlour.rules import Square, TicTacToe, TicTacToeState
from parlour.truth.explain.explainer import Explainer, Fact, fact, name_sides
from parlour.truth.explain.sentences import ANY_GAME, Data, Sentences, Wording, list_some


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


def _name_line(line: list[str]) -> Text:
    return join(" ", line)


def say_wins_now(_: Wording, *, squares: list[Data], **_rest: Any) -> Text:
    """Say which squares win at once."""
    ways = [
        say("{square} ({line})", square=each["square"], line=_name_line(each["line"]))
        for each in squares
    ]
    return say("Wins at once, by completing a line: {squares}.", squares=list_some(ways))


def say_blocks(wording: Wording, *, other: str, squares: list[Data], **_rest: Any) -> Text:
    """Say which squares the opponent threatens to take."""
    if len(squares) > 1:
        return say(
            "More than one square completes a line for {other}, {squares}, "
            "and only one of them can be taken.",
            other=wording.address(other),
            squares=_list_squares(squares),
        )
    who = wording.call(other)
    return say(
        "One square must be taken, or {other} {completes} a line there: {squares}.",
        other=who,
        completes=conjugate("complete", who),
        squares=_list_squares(squares),
    )


def say_forks(wording: Wording, *, other: str, forks: list[Data], **_rest: Any) -> Text:
    """Say which moves make two threats."""
    ways = [
        say("{move} (then {threats})", move=each["move"], threats=_list_squares(each["threats"]))
        for each in forks
    ]
    return say(
        "Double threats, which {other} cannot both block: {forks}.",
        other=wording.call(other),
        forks=list_some(ways),
    )


def say_fatal(
    wording: Wording, *, name: str, squares: list[Data], safe: list[str], **_rest: Any
) -> Text:
    """Say which squares lose in misère."""
    avoid = {"name": wording.call(name), "squares": _list_squares(squares)}
    if safe:
        return say(
            "Completing a line loses in misère, so {name} must avoid {squares}; "
            "what is left is {safe}.",
            safe=list_some(safe),
            **avoid,
        )
    return say(
        "Completing a line loses in misère, so {name} must avoid {squares}; nothing else is left.",
        **avoid,
    )


def say_missed_win(_: Wording, *, squares: list[Data], **_rest: Any) -> Text:
    """Say which squares would have won."""
    return say(
        "A line could have been completed at once, on {squares}.", squares=_list_squares(squares)
    )


def say_allows_line(wording: Wording, *, other: str, squares: list[Data], **_rest: Any) -> Text:
    """Say that a move lets the opponent complete a line."""
    return say(
        "It lets {other} complete a line on {squares}.",
        other=wording.address(other),
        squares=_list_squares(squares),
    )


def say_makes_fork(wording: Wording, *, other: str, squares: list[Data], **_rest: Any) -> Text:
    """Say that a move makes two threats."""
    return say(
        "It makes a double threat, on {squares}, and {other} can block only one.",
        squares=_list_squares(squares),
        other=wording.call(other),
    )


def say_allows_fork(wording: Wording, *, other: str, forks: list[Data], **_rest: Any) -> Text:
    """Say that a move lets the opponent make two threats."""
    return say(
        "It lets {other} make a double threat with {forks}.",
        other=wording.address(other),
        forks=list_some([each["move"] for each in forks]),
    )


def say_full(_: Wording, *, squares: int) -> Text:
    """Say that the board is full."""
    return say("All {squares} squares are taken, and nobody has a line.", squares=squares)


def say_stands(_: Wording, *, name: str, misere: bool, line: list[str]) -> Text:
    """Say who completed a line."""
    if misere:
        return say(
            "{name} completed the line {line}, which loses.", name=name, line=_name_line(line)
        )
    return say("{name} completed the line {line}, which wins.", name=name, line=_name_line(line))


class TicTacToeExplainer(Explainer):
    """Adds threats, forks and completed lines."""

    sentences: ClassVar[Sentences] = {
        **ANY_GAME,
        "wins-now": say_wins_now,
        "blocks": say_blocks,
        "forks": say_forks,
        "fatal": say_fatal,
        "missed-win": say_missed_win,
        "allows-line": say_allows_line,
        "makes-fork": say_makes_fork,
        "allows-fork": say_allows_fork,
        "full": say_full,
        "stands": say_stands,
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
