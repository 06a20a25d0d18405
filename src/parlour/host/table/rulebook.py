"""What can be said of the very variant on the table: its name, its rules, and who wins.

All is made from the game's options, so that whatever somebody sets up can be told, and what cannot
be set up is refused in the same words. Every example of a move, in single quotes, is one that may
be played at the start. Who wins comes from the solution of the game, or nobody here knows.
"""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from parlour.core import Game, Move, count, declared, sentence, span
from parlour.host.language import listed
from parlour.rules import (
    CLASS_ENDINGS,
    HIT,
    LEFT,
    RIGHT,
    SPLIT,
    Chopsticks,
    Nim,
    Othello,
    Sticks,
    TicTacToe,
)

MOST_NAMED = 8  # piles that are read out one by one
MOST_IN_ENDINGS = 24  # numbers in all the endings together that are read out
MOST_IN_TITLE = 3  # endings, or changed rules, that are named one by one
OVER = "There is no move to say: it is over before it begins."
NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def title(game: Game) -> str:
    """The variant as people would name it, what is as usual left out: `Misère tic-tac-toe`."""
    named = _named(game, False)
    return named[0].upper() + named[1:]


def called(game: Game) -> str:
    """The variant in the middle of a sentence, with all that decides who wins it."""
    return _named(game, True)


def rules(game: Game, *, general: bool = False, spoken: bool = True) -> tuple[str, ...]:
    """The rules of this variant, in short sentences; where moves are spoken, how to say one last.

    In general, before anything is chosen, what can be chosen is told as usual.
    """
    told = tuple(sentence(text) for text in _rules(game, general))
    return (*told, how_to_move(game)) if spoken else told


def how_to_move(game: Game) -> str:
    """How to say a move, in one line, with an example that may be played at the start."""
    return _how_to_move(game) if game.moves(game.start()) else OVER


def said(game: Game, move: Move) -> str:
    """A first move as one would type it, with boxes where the variant has boxes."""
    return game._told(game.start(), move) if isinstance(game, Chopsticks) else game.write_move(move)


@singledispatch
def _named(game: Any, full: bool) -> str:
    """The name of a variant; in full, what is as usual is told too."""
    usual = type(game)() if declared(type(game)) else game
    changed = [
        f"{name.replace('_', ' ')} {option.write(getattr(game, name))}"
        for name, option in declared(type(game)).items()
        if getattr(game, name) != getattr(usual, name)
    ]
    return ", ".join([str(game.name), *changed])


@singledispatch
def _rules(game: Any, general: bool) -> tuple[str, ...]:
    """For a game of somebody else's, all that its verbs tell."""
    return (
        f"{game.name} is a guest here, and nobody has told me its rules in words",
        f"it is for {count(game.seats, 'player')}",
        f"at the start {count(len(game.moves(game.start())), 'move')} can be made",
    )


@singledispatch
def _how_to_move(game: Any) -> str:
    moves = game.moves(game.start())
    return f"Say a move as it is written, like '{game.write_move(moves[0])}'."


# Nim and the Game of Sticks


@_named.register
def _(game: Nim, full: bool) -> str:
    name = "misère nim" if game.misere else "nim"
    holds = []
    if full or game.misere or game.piles != Nim().piles:
        holds.append(_piles(game.piles))
    if game.endings:
        holds.append(_extra(game.endings))
    if holds:
        name += f" with {' and '.join(holds)}"
    if game.seats != 2:
        name += f" for {NUMBERS[game.seats]}"
    return name + _at_a_time(game.take)


def _piles(piles: tuple[int, ...]) -> str:
    if len(piles) == 1:
        return f"one pile of {count(piles[0], 'coin')}"
    if len(piles) > MOST_NAMED:
        return f"{len(piles)} piles of coins"
    return f"{listed(map(str, piles))} coins"


def _extra(endings: tuple[tuple[int, ...], ...]) -> str:
    """`the class endings`, `an extra ending at 1,1`"""
    ours = set(CLASS_ENDINGS) <= set(endings)
    others = [ending for ending in endings if not (ours and ending in CLASS_ENDINGS)]
    if not others:
        return "the class endings"
    shown = listed(",".join(map(str, ending)) for ending in others)
    if len(others) > MOST_IN_TITLE or len(shown) > MOST_IN_ENDINGS:
        extra = count(len(others), "extra ending")
    else:
        extra = f"{'an extra ending' if len(others) == 1 else 'extra endings'} at {shown}"
    return f"the class endings and {extra}" if ours else extra


def _at_a_time(take: int | None) -> str:
    if take is None:
        return ""
    return ", one at a time" if take == 1 else f", at most {take} at a time"


@_rules.register
def _(game: Nim, general: bool) -> tuple[str, ...]:
    turns = "you take turns, and a move takes" if game.seats > 1 else "a move takes"
    found = [_on_the_table(game.piles, general), f"{turns} {_amount(game)}"]
    found.append(f"whoever takes the last coin {'loses' if game.misere else 'wins'}")
    if game.misere:
        found[-1] = f"this is misère: {found[-1]}"
    elif general:
        found[-1] += ", or loses when it is played misère"
    if game.endings:
        found += _endings(game)
    if game.seats == 1:
        found.append("whoever plays alone has won before the first move")
    elif game.seats > 2 and game.misere:
        found.append(
            f"{game.seats} play: whoever loses a round is out, the others play a fresh one with "
            "the same piles, and the last one left wins"
        )
    elif game.seats > 2:
        found.append(f"{game.seats} play, and there is one winner")
    result = game.result(game.start())
    if result is not None and game.seats > 1:
        winner = result.index(1) + 1
        found.append(f"these piles are an ending already, and so player {winner} has won")
    return tuple(found)


def _on_the_table(piles: tuple[int, ...], general: bool) -> str:
    if general:
        return f"there are piles of coins, usually {listed(map(str, piles))}"
    if len(piles) == 1:
        return f"there is one pile, of {count(piles[0], 'coin')}"
    if len(piles) > MOST_NAMED:
        return f"there are {len(piles)} piles, with {count(sum(piles), 'coin')} in all"
    return f"there are {len(piles)} piles, of {listed(map(str, piles))} coins"


def _amount(game: Nim) -> str:
    if game.take is None:
        return "one or more coins from one pile"
    return f"{span(1, game.take)} {'coin' if game.take == 1 else 'coins'} from one pile"


def _endings(game: Nim) -> list[str]:
    if sum(map(len, game.endings)) > MOST_IN_ENDINGS:
        where = f"it also ends at {count(len(game.endings), 'other position')}"
    else:
        shown = "; ".join(listed(map(str, ending)) for ending in game.endings)
        where = f"it also ends when this is left, in any order of the piles: {shown}"
    return [where, f"whoever moves there {'loses' if game.misere else 'wins'}"]


@_how_to_move.register
def _(game: Nim) -> str:
    pile, most = game.moves(game.start())[-1]
    return f"Say how many from which pile, like '{said(game, (pile, min(2, most)))}'."


@_named.register
def _(game: Sticks, full: bool) -> str:
    name = "the Game of Sticks"
    if full or game.sticks != Sticks().sticks:
        name += f" with {game.sticks} sticks"
    return name + _at_a_time(game.take if full or game.take != Sticks().take else None)


@_rules.register
def _(game: Sticks, general: bool) -> tuple[str, ...]:
    most = min(game.take, game.sticks)
    heap = f"{'sticks' if general else f'{game.sticks} sticks'} on the table"
    return (
        f"there are {heap}{f', usually {game.sticks}' if general else ''}",
        f"you take turns, and a move takes {span(1, most)} {'stick' if most == 1 else 'sticks'}",
        "whoever takes the last stick loses",
    )


@_how_to_move.register
def _(game: Sticks) -> str:
    return f"Say how many you take, like '{min(2, game.take)}'."


# Chopsticks


RULES = {
    "benedict": "my rules",
    "feathers": "the feather rules",
    "feathers-revive": "the feather rules with revival",
}


@_named.register
def _(game: Chopsticks, full: bool) -> str:
    changed = _changed(game)
    by = "" if game.rules == "benedict" and (changed or not full) else f" by {RULES[game.rules]}"
    if full and len(changed) > MOST_IN_TITLE:
        return "chopsticks by these rules"
    name = f"chopsticks{by}"
    return f"{name}{',' if by else ''} in which {listed(changed)}" if changed else name


def _changed(game: Chopsticks) -> list[str]:
    """What is not as these rules usually have it."""
    usual = Chopsticks(rules=game.rules)
    hand, finger = game.words
    hands = "boxes" if hand == "box" else "hands"
    each = f"in each {hand}" if hand == "box" else f"on each {hand}"
    dies = f"{hands} die at {game.dies_at}" if game.dies_at != usual.dies_at else ""
    if game.overflow != usual.overflow:
        dies = f"{dies} and wrap" if dies else f"{hands} wrap at {game.dies_at}"
    told = {
        "fingers": f"there {'is' if game.fingers == 1 else 'are'} {count(game.fingers, finger)} "
        f"{each} at first",
        "hit_self": f"you {'may' if game.hit_self else 'may not'} hit your own other {hand}",
        "split_least": f"a split leaves at least {count(game.split_least, finger)} {each}"
        if game.split_least
        else f"a split may empty a {hand}",
        "revive": f"a split may wake a dead {hand}" if game.revive else f"a dead {hand} stays dead",
        "split_same": "a split may leave the same pair"
        if game.split_same
        else "a split must not leave the same pair",
        "loops": "situations may come back"
        if game.loops == "allowed"
        else "no situation may come back",
    }
    changed = [text for name, text in told.items() if getattr(game, name) != getattr(usual, name)]
    return [dies, *changed] if dies else changed


@_rules.register
def _(game: Chopsticks, general: bool) -> tuple[str, ...]:
    hand, finger = game.words
    hands = "boxes" if hand == "box" else "hands"
    own = f", or to your own other live {hand}" if game.hit_self else ""
    dies = f"a {hand} that comes to {game.dies_at} or more {finger}s is dead"
    if game.overflow == "wraps":
        dies = (
            f"a {hand} that comes to {game.dies_at} or more {finger}s loses {game.dies_at} of "
            "them, and is dead if none is left"
        )
    if game.loops == "allowed":
        loops = "when the same situation comes up for the third time it is a draw"
    else:
        loops = "no move may come back to a situation already seen; whoever has no move left loses"
    each = "in each" if hand == "box" else "on each"
    return (
        f"each of you has two {hands}, with {count(game.fingers, finger)} {each} at first",
        f"a hit adds the {finger}s of one of your live {hands} to a live {hand} of your "
        f"opponent's{own}",
        dies,
        f"a split moves {finger}s between your two {hands} and leaves {_left(game)} {each}",
        f"it {_split_limits(game, hand, hands)}",
        f"whoever has no live {hand} left has lost",
        loops,
    )


def _left(game: Chopsticks) -> str:
    low, high = game.split_least, game.dies_at - 1
    finger = game.words[1]
    return count(low, finger) if low == high else f"{span(low, high)} {finger}s"


def _split_limits(game: Chopsticks, hand: str, hands: str) -> str:
    dead = f"may wake a dead {hand}" if game.revive else f"needs both {hands} alive"
    same = "may leave the same pair" if game.split_same else "must not leave the same pair"
    return f"keeps their total, {dead} and {same}"


@_how_to_move.register
def _(game: Chopsticks) -> str:
    moves = game.moves(game.start())
    split = next((move for move in reversed(moves) if move[0] == SPLIT), None)
    if game.words[0] == "box":
        how = f"Say '{said(game, (HIT, LEFT, LEFT))}' to hit with box A on box C"
        rest = f"'{said(game, split)}' to split" if split else "the two numbers a split shall leave"
        return f"{how}, or {rest}; A and B are the first player's, C and D the second's."
    how = f"Say '{said(game, (HIT, LEFT, RIGHT))}' to hit with your left on their right"
    if split is None:
        return f"{how}, or split and what each hand shall hold."
    return f"{how}, or '{said(game, split)}' to hold {split[1]} and {split[2]}."


# Boards


@_named.register
def _(game: TicTacToe, full: bool) -> str:
    name = "misère tic-tac-toe" if game.misere else "tic-tac-toe"
    board = (game.columns, game.rows)
    if full or board != (3, 3):
        name += f" on {game.columns}x{game.rows}"
    return name if board == (3, 3) and game.line == 3 else f"{name}, {game.line} in a line"


@_rules.register
def _(game: TicTacToe, general: bool) -> tuple[str, ...]:
    across, down = game.columns >= game.line, game.rows >= game.line
    ways = ["across"] * across + ["down"] * down + ["diagonally"] * (across and down)
    line = f"{game.line} in a line, {listed(ways, 'or')}," if game.line > 1 else "a single mark"
    decides = f"this is misère: {line} loses" if game.misere else f"{line} wins"
    found = (
        _board(game, general),
        "X begins, and you take turns to mark a free square",
        decides,
    )
    return found if game.line == 1 else (*found, "a full board without such a line is a draw")


def _board(game: TicTacToe | Othello, general: bool) -> str:
    size = f"{count(game.columns, 'column')} and {count(game.rows, 'row')}"
    return f"the board usually has {size}" if general else f"the board has {size}"


@_how_to_move.register(TicTacToe)
@_how_to_move.register(Othello)
def _(game: Game) -> str:
    moves = game.moves(game.start())
    square = game.write_move(moves[len(moves) // 2])
    return f"Say a square by its column and row, like '{square}'."


@_named.register
def _(game: Othello, full: bool) -> str:
    opening = {"standard": "", "benedict": "my opening"}
    told = opening.get(game.opening, f"the {game.opening} opening")
    size = full or game.opening == "despacito" or (game.columns, game.rows) != (8, 8)
    board = f" on {game.columns}x{game.rows}" if size else ""
    return f"Othello{board}{f' with {told}' if told else ''}"


@_rules.register
def _(game: Othello, general: bool) -> tuple[str, ...]:
    own, other, _ = game.start()
    first, second = (
        listed(game.board.write_square(square) for square in game.board.squares(discs))
        for discs in (own, other)
    )
    return (
        _board(game, general),
        f"at first X is on {first}, O on {second}, and X begins",
        "place a disc so that it closes a straight run of opposing discs between itself and "
        "another disc of yours, in any of the 8 directions",
        "every run closed so turns over, and a move must turn at least one disc",
        "whoever has no such move must pass",
        "when neither can move it is over: more discs win, and equal numbers are a tie",
    )
