"""Three Men's Morris. Try: parlour play examples/short/three_mens_morris.py --seat human"""
import parlour

LINES = [tuple(map(int, line)) for line in "012 345 678 036 147 258 048 246".split()]
STEPS = sorted({step for a, b, c in LINES for step in ((a, b), (b, a), (b, c), (c, b))})

class ThreeMensMorris(parlour.Game):
    """Place three men each, then slide one along a line; three in a line win, no move loses."""
    marks = ("X", "O")

    def start(self): return (0, "-" * 9)  # whose turn, and the points row by row
    def turn(self, state): return state[0]
    def grid(self, state): return [state[1][row : row + 3] for row in (0, 3, 6)]
    def squares(self, move): return [(at % 3, at // 3) for at in move]
    def play(self, state, move): return (1 - state[0], "".join("-" if at == move[0] != move[-1]
        else self.marks[state[0]] if at in move else on for at, on in enumerate(state[1])))

    def moves(self, state):
        turn, board = state
        if any(board[a] == board[b] == board[c] != "-" for a, b, c in LINES): return []
        if board.count("-") > 3: return [(at,) for at in range(9) if board[at] == "-"]
        return [(a, b) for a, b in STEPS if board[a] == self.marks[turn] and board[b] == "-"]

    def result(self, state): return None if self.moves(state) else ((-1, 1), (1, -1))[state[0]]
