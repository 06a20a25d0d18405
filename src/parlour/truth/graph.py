"""Any finite game, solved: all its situations are listed, and one compiled pass goes backwards.

A stranger's game is listed through its verbs, one situation for each key; chopsticks and
tic-tac-toe have compiled lists. The pass is the same for all, with or without loops.
"""

from __future__ import annotations

import functools
from array import array
from collections.abc import Callable, Hashable
from typing import Any, Protocol

from parlour.core import (
    DONE,
    OUTCOMES,
    TOTAL,
    Game,
    Solution,
    State,
    TooLarge,
    Unsolved,
    Value,
    Work,
    key,
    refuse_seats,
    roughly,
)
from parlour.rules import Chopsticks, TicTacToe

BYTES_A_MOVE = 8  # in both directions
BYTES_A_KEY = 300  # a key, its place in the dictionary and its arrays, through the verbs
BYTES_A_CODE = 40  # the same for a compiled family
MOST_BYTES = 8 * 2**30


class GraphSolution(Solution):
    """Every situation that can arise, with its value."""

    method = "retrograde analysis"

    def __init__(self, game: Game, index: Index, outcome: Any, plies: Any) -> None:
        super().__init__(game)
        self.index = index
        self.outcome = outcome  # 1 lost, 2 drawn, 3 won, for the mover
        self.plies = plies  # -1 for an unending draw, 0 for all that has ended

    def value(self, state: State) -> Value:
        number = self.index.find(state)
        if number is None:
            raise Unsolved(
                f"{self.game.write(state)!r} cannot arise from the start of this game, so it was "
                "not solved with it"
            )
        plies = int(self.plies[number])
        outcome = OUTCOMES[self.outcome[number] - 1]
        return Value(outcome, None if plies < 0 or outcome == "draw" else plies)

    def counts(self) -> dict[str, int]:
        import numpy as np

        going_on = np.bincount(self.outcome[self.plies != 0], minlength=4)
        won, lost, drawn = (int(going_on[code]) for code in (3, 1, 2))
        ended = self.outcome.size - won - lost - drawn
        return {"win": won, "loss": lost, "draw": drawn, "end": ended}

    def parts(self) -> dict[str, Any]:
        return {"outcome": self.outcome, "plies": self.plies, **self.index.parts()}


class Index(Protocol):
    """Where to find a state among the numbered situations."""

    def find(self, state: State) -> int | None:
        """The number of its situation, or None when it cannot arise."""

    def parts(self) -> dict[str, Any]:
        """What is saved of it."""


class KeyIndex:
    """By the keys themselves, for games of any kind."""

    def __init__(self, game: Game, numbers: dict[Hashable, int], states: list[State]) -> None:
        self.game, self.numbers, self.states = game, numbers, states

    def find(self, state: State) -> int | None:
        return self.numbers.get(key(self.game, state))

    def parts(self) -> dict[str, Any]:
        import numpy as np

        text = "\n".join(map(self.game.write, self.states))
        return {"positions": np.frombuffer(text.encode(), np.uint8)}


class CodeIndex:
    """By whole-number codes, for the compiled families."""

    def __init__(self, codes: Any, code: Callable[[State], int]) -> None:
        self.codes, self.code = codes, code

    @functools.cached_property
    def _order(self) -> tuple[Any, Any]:
        order = self.codes.argsort()
        return self.codes[order], order

    def find(self, state: State) -> int | None:
        codes, order = self._order
        wanted = self.code(state)
        place = int(codes.searchsorted(wanted))
        return int(order[place]) if place < codes.size and codes[place] == wanted else None

    def parts(self) -> dict[str, Any]:
        return {"codes": self.codes}


def available() -> int:
    """How many bytes a table may take: at most half of the memory there is."""
    try:
        import os

        return min(MOST_BYTES, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2)
    except (ValueError, OSError, AttributeError):
        return MOST_BYTES


def solve_graph(game: Game, work: Work) -> GraphSolution:
    """Any game, through its verbs."""
    import numpy as np

    refuse_seats(game)
    key_of = getattr(game, "key", None) or (lambda state: state)
    room = available()
    size = game.size() if hasattr(game, "size") else None
    work.cells[TOTAL] = min(size, 2**62) if size else 0
    moves_of, play, turn_of, result_of = game.moves, game.play, game.turn, game.result
    first_state = game.start()
    numbers: dict[Hashable, int] = {key_of(first_state): 0}
    states = [first_state]
    edges, first, outcome = array("i"), array("q", [0]), bytearray()
    position = 0
    while position < len(states):
        if not position & 0xFFF:
            work.cells[DONE] = position
            if work.stopped:
                raise Unsolved(f"stopped after {position:,} situations, before all were listed")
            if len(states) * BYTES_A_KEY + len(edges) * BYTES_A_MOVE > room:
                raise TooLarge(_too_many(game, len(states), size))
        state = states[position]
        seat = turn_of(state)
        moves = moves_of(state)
        for move in moves:
            after = play(state, move)
            name = key_of(after)
            number = numbers.get(name)
            if number is None:
                number = numbers[name] = len(states)
                states.append(after)
            edges.append(2 * number + (turn_of(after) == seat))
        first.append(len(edges))
        outcome.append(0 if moves else _ended(game, result_of(state), seat))
        position += 1
    work.cells[DONE] = position
    kinds = np.frombuffer(outcome, np.int8).copy()
    return _settled(
        game,
        KeyIndex(game, numbers, states),
        np.frombuffer(first, np.int64),
        np.frombuffer(edges, np.int32) if edges else np.empty(0, np.int32),
        kinds,
        work,
    )


def _ended(game: Game, result: Any, seat: int) -> int:
    if result not in ((1, -1), (-1, 1), (0, 0)):
        raise Unsolved(
            f"{game.name} ends with {result}; only games that one wins and the other loses, or "
            "that are drawn, have a value"
        )
    return 2 + int(result[seat])


def _too_many(game: Game, found: int, size: int | None) -> str:
    bound = f", at most {roughly(size)}," if size else ","
    return (
        f"{game.name} has more than {found:,} situations{bound} too many to list; choose a smaller "
        "variant, or ask a bot that looks ahead"
    )


def _settled(
    game: Game, index: Index, first: Any, edges: Any, kinds: Any, work: Work
) -> GraphSolution:
    """The one pass over the listed graph."""
    import numpy as np

    from parlour.kernels import graph as retrograde

    plies = np.zeros(kinds.size, np.int32)
    ended = kinds != 0
    retrograde.settle(first, edges, kinds, plies, np.frombuffer(work.cells, np.int64))
    if work.stopped:
        raise Unsolved("stopped before every situation was settled")
    plies[ended] = 0
    return GraphSolution(game, index, kinds, plies)


def chopsticks_options(game: Chopsticks) -> list[int]:
    """The options as the compiled family takes them."""
    return [
        game.dies_at,
        game.overflow == "wraps",
        game.hit_self,
        game.split_least,
        game.revive,
        game.split_same,
    ]


def chopsticks_code(game: Chopsticks, state: State) -> int:
    """A situation as the compiled family numbers it."""
    a, b, c, d = game.key(state)[:4]
    return ((a * 32 + b) * 32 + c) * 32 + d


def solve_chopsticks(game: Chopsticks, work: Work) -> GraphSolution:
    """With loops allowed: from the compiled family."""
    from parlour.kernels import graph as families

    code = functools.partial(chopsticks_code, game)
    moves = 4 * game.dies_at + 8
    return _solve_family(
        game, families.after_chopsticks, chopsticks_options(game), code, moves, work
    )


def tictactoe_code(game: TicTacToe, state: State) -> int:
    """A position up to symmetry as the compiled family numbers it."""
    own, other = game.key(state)
    return own << len(game.board.bits) | other


def tictactoe_options(game: TicTacToe) -> list[int]:
    """Squares, symmetries, misère, lines; then the lines and where each byte of a board goes."""
    lines = sorted({line for _, lines in game._through.values() for line in lines})
    ways = game.board.symmetries
    tables = [pattern for way in ways for table in way for pattern in table]
    return [len(game.board.bits), len(ways), game.misere, len(lines), *lines, *tables]


def refuse_tictactoe(game: TicTacToe) -> None:
    """Boards whose code does not fit in 62 bits, or whose table would not fit at all."""
    squares = len(game.board.bits)
    bound = game.size() // len(game.board.symmetries)
    if squares > 31 or bound * BYTES_A_CODE > 64 * available():
        raise TooLarge(
            f"tic-tac-toe on {game.columns}x{game.rows} has too many situations to list, up to "
            f"{roughly(bound)}; solve a board of at most 16 squares, or ask a bot that looks ahead"
        )


def solve_tictactoe(game: TicTacToe, work: Work) -> GraphSolution:
    """From the compiled family."""
    from parlour.kernels import graph as families

    refuse_tictactoe(game)
    code = functools.partial(tictactoe_code, game)
    squares = len(game.board.bits)
    return _solve_family(
        game, families.after_tictactoe, tictactoe_options(game), code, squares, work
    )


def _solve_family(
    game: Game,
    successors: Any,
    options: list[int],
    code: Callable[[State], int],
    most_moves: int,
    work: Work,
) -> GraphSolution:
    import numpy as np

    from parlour.kernels import graph as explore

    cells = np.frombuffer(work.cells, np.int64)
    most = available() // (BYTES_A_CODE + 8 * BYTES_A_MOVE)
    codes, first, edges, ends = explore.explore(
        successors, np.array(options, np.int64), code(game.start()), most_moves, most, cells
    )
    if work.stopped:
        raise Unsolved(f"stopped after {work.done:,} situations, before all were listed")
    if first.size != codes.size + 1:
        raise TooLarge(_too_many(game, codes.size, getattr(game, "size", lambda: None)()))
    return _settled(game, CodeIndex(codes, code), first, edges, ends, work)
