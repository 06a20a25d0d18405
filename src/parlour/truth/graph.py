"""Retrograde analysis: list every situation of a game, then solve them backwards from the ends.

Any game is listed through its own rules, one situation for each key. Chopsticks and tic-tac-toe
have compiled successor functions. One compiled pass solves all of them, with or without loops.
"""

from __future__ import annotations

import functools
import os
import random
import sys
from array import array
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from parlour import core, kernels
from parlour.core import (
    OUTCOMES,
    Game,
    Solution,
    State,
    Text,
    TooLarge,
    Unsolved,
    Value,
    Work,
    key,
    say,
)
from parlour.engine import EndSolution, refuse_empties
from parlour.rules import Chopsticks, Othello, TicTacToe
from parlour.truth.opening import OpeningSolution, is_drawn

BYTES_PER_MOVE = 8  # in both directions
BYTES_PER_KEY = 300  # a key, its place in the dictionary and its arrays, through the rules
BYTES_PER_CODE = 40  # the same for a compiled family
BYTES_PER_SITUATION = BYTES_PER_CODE + 8 * BYTES_PER_MOVE  # with the moves it has, about
MAX_BYTES = 8 * 2**30
MAX_STATED = 10**15  # bytes: more mean nothing to anybody
MAX_SEEN = 1_000_000  # states that are remembered besides the situations they belong to
MAX_COMPARED = 1_000  # situations in which a compiled function is compared with the rules
MAX_SOON = 20_000  # situations that are listed through the rules in a moment
MAX_TRIED = 300_000  # moves tried to find out whether a game is small: a second or two, once
MAX_SQUARES_SOON = 16  # of a tic-tac-toe board that is solved in a second
MAX_OTHELLO = 20  # squares: 4x4 takes seconds, 4x5 minutes, and 6x6 would take years this way

Parts: TypeAlias = dict[str, Any]  # the arrays that a solution is saved as, by name


class Method:
    """How a family of games is solved; this one lists any game through its rules."""

    keeps = False  # whether a solution takes so long to find that it is kept on disk
    whole = True  # whether positions are answered from a solution of the whole game

    def check(self, game: Any) -> None:
        """Raise `TooLarge` or `Unsolved`, with the numbers, if the game cannot be solved here."""
        core.refuse_seats(game)
        size = game.size() if hasattr(game, "size") else 0
        room = available() // BYTES_PER_KEY
        if size > 1000 * room:  # a bound may be far above what can arise, but not that far
            raise TooLarge(_describe_excess(game))

    def is_quick(self, game: Any) -> bool:
        """Return whether the game is certain to be solved within a second or two."""
        if hasattr(game, "size") and game.size() <= MAX_SOON:
            return True
        return _is_listed_within(game, MAX_TRIED)

    def recall(self, game: Any, work: Work) -> Solution | None:
        """Return what is proven of a game that is too large to be solved here, if anything is."""
        return None

    def solve(self, game: Any, work: Work) -> Solution:
        """Solve the game from its start."""
        return solve_graph(game, work)

    def solve_outcomes(self, game: Any) -> Solution:
        """Solve a quick game as soon as possible, perhaps without distances."""
        return self.solve(game, Work())

    def restore(self, game: Any, parts: Parts) -> Solution:
        """Rebuild a solution from its saved arrays."""
        states = [game.read(text) for text in parts["positions"].tobytes().decode().split("\n")]
        numbers = {key(game, state): number for number, state in enumerate(states)}
        index = KeyIndex(game, numbers, states)
        return GraphSolution(game, index, parts["outcome"], parts["plies"])

    def solve_at(self, game: Any, state: State, solution: Any, work: Work) -> Any:
        """Return a solution that covers this position: `solution`, unless it does not.

        It is None only for a family that does not need the `whole` game solved first.
        """
        return solution

    def list_kernels(self) -> list[Any]:
        """List the compiled functions that solve a game, to be loaded before a clock starts."""
        return [kernels.graph.solve_retrograde]


@dataclass(frozen=True)
class StartingAt:
    """A game that starts from another position and is otherwise the same."""

    game: Any
    state: State

    def start(self) -> State:
        return self.state

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # pickle and copy ask before there is a game
            raise AttributeError(name)
        return getattr(self.game, name)


class GraphSolution(Solution):
    """Every situation that can arise, with its value."""

    method = say("retrograde analysis")

    def __init__(self, game: Game, index: KeyIndex | CodeIndex, outcome: Any, plies: Any) -> None:
        super().__init__(game)
        self.index = index
        self.outcome = outcome  # 1 lost, 2 drawn, 3 won, for the mover
        self.plies = plies  # -1 for an unending draw, 0 in ended situations

    def value(self, state: State) -> Value:
        number = self.index.find(state)
        if number is None:
            raise Unsolved(
                "{write} cannot arise from the start of this game, so it was not solved with it",
                write=repr(self.game.write(state)),
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

    def parts(self) -> Parts:
        return {"outcome": self.outcome, "plies": self.plies, **self.index.parts()}


class KeyIndex:
    """Finds the number of a state's situation by its key, for any game."""

    def __init__(self, game: Game, numbers: dict[Hashable, int], states: list[State]) -> None:
        self.game, self.numbers, self.states = game, numbers, states

    def find(self, state: State) -> int | None:
        return self.numbers.get(key(self.game, state))

    def parts(self) -> Parts:
        import numpy as np

        text = "\n".join(map(self.game.write, self.states))
        return {"positions": np.frombuffer(text.encode(), np.uint8)}


class CodeIndex:
    """Finds the number of a state's situation by its integer code, for the compiled families."""

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

    def parts(self) -> Parts:
        return {"codes": self.codes}


def available() -> int:
    """Return how many bytes a table may take: at most half of the memory there is."""
    if sys.platform == "win32":  # which does not say
        return MAX_BYTES
    try:
        return min(MAX_BYTES, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2)
    except (ValueError, OSError):
        return MAX_BYTES


# Any game, through its rules


def solve_graph(game: Game, work: Work) -> GraphSolution:
    """Solve any game by listing it through its rules."""
    import numpy as np

    core.refuse_seats(game)
    key_of = getattr(game, "key", None)
    room = available()
    moves_of, play, turn_of, result_of = game.moves, game.play, game.turn, game.result
    start = game.start()
    states = [start]  # one for each situation
    numbers: dict[Hashable, int] = {key_of(start): 0} if key_of else {}
    seen = {start: turn_of(start)}  # states that were reached: twice their number, plus the turn
    edges, first, outcome = array("i"), array("q", [0]), bytearray()
    position = 0
    for state in states:  # it grows
        if not position & 0xFFF:
            work.done = position
            work.raise_if_stopped()
            if len(states) * BYTES_PER_KEY + len(edges) * BYTES_PER_MOVE > room:
                raise TooLarge(_describe_excess(game, more_than=len(states)))
            if key_of and len(seen) > MAX_SEEN:
                seen.clear()  # it only saves asking for keys
        seat = turn_of(state)
        moves = moves_of(state)
        for move in moves:
            after = play(state, move)
            reached = seen.get(after)
            if reached is None:
                number = numbers.setdefault(key_of(after), len(states)) if key_of else len(states)
                if number == len(states):
                    states.append(after)
                reached = seen[after] = 2 * number + turn_of(after)
            edges.append(reached ^ seat ^ 1)  # the last bit: the same seat again
        first.append(len(edges))
        outcome.append(0 if moves else _code_result(game, result_of(state), seat))
        position += 1
    if not key_of:
        numbers = {state: number for number, state in enumerate(states)}
    work.done = position
    return _solve_listed(
        game,
        KeyIndex(game, numbers, states),
        np.frombuffer(first, np.int64),
        np.frombuffer(edges, np.int32) if edges else np.empty(0, np.int32),
        np.frombuffer(outcome, np.int8).copy(),
        work,
    )


def _code_result(game: Game, result: Any, seat: int) -> int:
    """Return 1, 2 or 3 where a game has ended lost, drawn or won for this seat."""
    if result not in ((1, -1), (-1, 1), (0, 0)):
        raise Unsolved(
            "{name} ends with {result}; only games that one wins and the other loses, or "
            "that are drawn, have a value",
            name=game.name,
            result=str(result),
        )
    return 2 + int(result[seat])


def _describe_excess(game: Any, *, more_than: int = 0, **why: str) -> Text:
    """Say that a game has too many situations to be listed here."""
    from parlour.truth.disk import describe_excess  # which loads numba

    number = say("more than {number:,}", number=more_than) if more_than else ""
    return describe_excess(game, number=number, **why)


@functools.lru_cache(maxsize=64)
def _is_listed_within(game: Game, max_moves: int) -> bool:
    """Return whether all situations can be listed by trying at most this many moves."""
    start = game.start()
    seen, ahead = {key(game, start)}, [start]
    tried = 0
    for state in ahead:  # it grows
        for move in game.moves(state):
            tried += 1
            if tried > max_moves:
                return False
            after = game.play(state, move)
            name = key(game, after)
            if name not in seen:
                seen.add(name)
                ahead.append(after)
    return True


def _solve_listed(
    game: Game, index: KeyIndex | CodeIndex, first: Any, edges: Any, outcome: Any, work: Work
) -> GraphSolution:
    """Run the retrograde pass over a graph, given the outcomes of its ends."""
    import numpy as np

    going_on = outcome == 0
    outcome[going_on] = kernels.graph.DRAW  # until it is known better
    plies = np.where(going_on, np.int32(-1), np.int32(0))
    kernels.graph.solve_retrograde(
        first, edges, outcome, plies, np.frombuffer(work.cells, np.int64)
    )
    work.raise_if_stopped()
    return GraphSolution(game, index, outcome, plies)


# Families with compiled successors


class CompiledMethod(Method):
    """A family whose situations have integer codes and a compiled successor function.

    A game by anybody has one if it has two more members: `code(state)`, the code of its situation
    as the mover sees it, at least 0 and below 2**62; and `compiled()`, which returns a function of
    numba with the signature `int64(int64, int64[::1], int64[::1])`, numbers for it such as the
    game's options, and the most moves that a position can have. The function takes a code, those
    numbers and an array; it writes the codes of the next positions into the array and returns how
    many they are, or -9, -8 or -7 where the mover has lost, drawn or won. Seats move in turn.
    """

    def code(self, game: Any, state: State) -> int:
        """Return the code of a state's situation."""
        return int(game.code(state))

    def solve(self, game: Any, work: Work) -> Solution:
        successors, options, max_moves = game.compiled()
        _compare_successors(game, successors, options, max_moves)
        return self.explore_and_solve(game, successors, list(options), max_moves, work)

    def restore(self, game: Any, parts: Parts) -> Solution:
        index = CodeIndex(parts["codes"], functools.partial(self.code, game))
        return GraphSolution(game, index, parts["outcome"], parts["plies"])

    def explore_and_solve(
        self, game: Any, successors: Any, options: list[int], max_moves: int, work: Work
    ) -> GraphSolution:
        """List the situations from the start on, and solve them."""
        import numpy as np

        code = functools.partial(self.code, game)
        max_codes = available() // BYTES_PER_SITUATION
        codes, first, edges, ends = kernels.graph.explore(
            successors,
            np.array(options, np.int64),
            code(game.start()),
            max_moves,
            max_codes,
            np.frombuffer(work.cells, np.int64),
        )
        work.raise_if_stopped()
        if first.size != codes.size + 1:
            raise TooLarge(_describe_excess(game, more_than=codes.size))
        return _solve_listed(game, CodeIndex(codes, code), first, edges, ends, work)


def _compare_successors(game: Any, successors: Any, options: Any, max_moves: int) -> None:
    """Raise `Unsolved` where a compiled function disagrees with the rules it stands for."""
    import numpy as np

    out, numbers = np.zeros(max_moves, np.int64), np.array(options, np.int64)
    chance, state = random.Random(0), game.start()
    for _ in range(MAX_COMPARED):  # in random games, one after the other
        count = successors(game.code(state), numbers, out)
        after = [game.play(state, move) for move in game.moves(state)]
        if after:
            agreed = set(out[:count].tolist()) == {game.code(each) for each in after}
        else:
            agreed = count + 10 == _code_result(game, game.result(state), game.turn(state))
        if not agreed:
            raise Unsolved(
                "compiled() and the rules of {name} disagree in {write}; leave out compiled() "
                "until they agree",
                name=game.name,
                write=repr(game.write(state)),
            )
        state = chance.choice(after) if after else game.start()


class ChopsticksMethod(CompiledMethod):
    """Chopsticks with loops allowed: every variant is small."""

    def check(self, game: Chopsticks) -> None:
        """Every variant can be solved."""

    def is_quick(self, game: Chopsticks) -> bool:
        return True

    def list_kernels(self) -> list[Any]:
        graph = kernels.graph
        return [graph.explore, graph.chopsticks_successors, graph.solve_retrograde]

    def solve(self, game: Chopsticks, work: Work) -> Solution:
        successors, max_moves = kernels.graph.chopsticks_successors, 4 * game.dies_at + 8
        return self.explore_and_solve(game, successors, list(game.flags), max_moves, work)

    def solve_at(self, game: Any, state: State, solution: Any, work: Work) -> Any:
        try:
            solution.value(state)
        except Unsolved:
            return self.solve(cast(Chopsticks, StartingAt(game, state)), work)
        return solution


class TicTacToeMethod(CompiledMethod):
    """Tic-tac-toe, up to the symmetries of the board."""

    def check(self, game: TicTacToe) -> None:
        """Refuse boards whose situations, as they are counted, would not fit in memory."""
        from parlour.truth.disk import estimate, write_bytes

        if self.is_quick(game):
            return
        memory, room = estimate(game).positions * BYTES_PER_SITUATION, available()
        if memory > MAX_STATED:
            raise TooLarge(_describe_excess(game))
        if memory > room:
            need = say(
                "which take {memory} of memory where {room} may be used",
                memory=write_bytes(memory),
                room=write_bytes(room),
            )
            raise TooLarge(_describe_excess(game, why=need))

    def is_quick(self, game: TicTacToe) -> bool:
        return len(game.board.bits) <= MAX_SQUARES_SOON

    def code(self, game: TicTacToe, state: State) -> int:
        own, other = game.key(state)
        return own << len(game.board.bits) | other

    def decode(self, game: TicTacToe, code: int) -> State:
        """Return a state of the situation with this code."""
        squares = len(game.board.bits)
        own, other = code >> squares, code & game.board.full
        turn = (own | other).bit_count() % 2
        return game.read(game.write((own, other, turn, 0)))  # which sees whether it is over

    def list_kernels(self) -> list[Any]:
        graph = kernels.graph
        return [graph.explore, graph.tictactoe_successors, graph.solve_retrograde]

    def solve(self, game: TicTacToe, work: Work) -> Solution:
        # Squares, symmetries, misère, lines; then the lines and where each byte of a board goes.
        squares, ways = len(game.board.bits), game.board.symmetries
        lines = sorted({line for _, lines in game._through.values() for line in lines})
        tables = [pattern for way in ways for table in way for pattern in table]
        options = [squares, len(ways), game.misere, len(lines), *lines, *tables]
        return self.explore_and_solve(
            game, kernels.graph.tictactoe_successors, options, squares, work
        )


# Othello


class OthelloMethod(Method):
    """Othello: small boards are listed, and the last squares of any board are searched."""

    whole = False

    def check(self, game: Othello) -> None:
        if len(game.board.bits) > MAX_OTHELLO:
            raise Unsolved(_describe_excess(game))

    def is_quick(self, game: Othello) -> bool:
        return False

    def recall(self, game: Othello, work: Work) -> Solution | None:
        return OpeningSolution(game, work) if is_drawn(game, game.start()) else None

    def solve_at(self, game: Any, state: State, solution: Any, work: Work) -> Any:
        if isinstance(solution, EndSolution):
            solution.work = work  # what it searches is under the control of the caller
        if solution:
            return solution
        refuse_empties(game, state)
        if game.is_compiled:
            return EndSolution(game, work)
        return solve_graph(cast(Game, StartingAt(game, state)), work)
