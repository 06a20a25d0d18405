"""Hexapawn. Try: parlour play examples/short/hexapawn.py --seat human --seat perfect"""
from dataclasses import dataclass
import parlour
@dataclass(frozen=True)
class Hexapawn(parlour.Game):
    """A pawn goes one square on or captures diagonally; the far side wins, and no move loses."""
    loops, marks = "never", ("W", "B")
    n: int = parlour.option(3, "squares along each side", low=3, high=6)

    def start(self): return (0, "B" * self.n + "-" * self.n * (self.n - 2) + "W" * self.n)
    def turn(self, state): return state[0]
    def result(self, state): return None if self.moves(state) else ((-1, 1), (1, -1))[state[0]]
    def grid(self, state): return [state[1][row * self.n :][: self.n] for row in range(self.n)]
    def squares(self, move): return [(at % self.n, at // self.n) for at in move]
    def moves(self, state):
        turn, board, n = *state, self.n
        own, other, ahead, behind = (("W", "B", -n, board[-n:]), ("B", "W", n, board[:n]))[turn]
        return [] if other in behind else [(at, at + ahead + side) for at in range(n * n)
            if board[at] == own for side in (-1, 0, 1) if 0 <= at % n + side < n
            and board[at + ahead + side] == (other if side else "-")]
    def play(self, state, move):
        squares = list(state[1])
        squares[move[0]], squares[move[1]] = "-", squares[move[0]]
        return (1 - state[0], "".join(squares))
