"""Connect Three. Try: parlour play examples/short/connect_three.py --seat human --seat perfect"""
import parlour

LINES = [tuple(x + i * u + 4 * (y + i * v) for i in range(3)) for x in range(4) for y in range(4)
         for u, v in ((1, 0), (0, 1), (1, 1), (-1, 1)) if 0 <= x + 2 * u < 4 and y + 2 * v < 4]

class ConnectThree(parlour.Game):
    """Drop a piece into one of four columns, four high; three in a line win."""
    loops, marks = "never", ("X", "O")
    def start(self): return (0, "-" * 16)  # whose turn, and the squares row by row from the top
    def turn(self, state): return state[0]
    def grid(self, state): return [state[1][row : row + 4] for row in (0, 4, 8, 12)]
    def moves(self, state): return [] if self.result(state) else [
        name for at, name in enumerate("abcd") if state[1][at] == "-"]
    def play(self, state, move):
        turn, board, column = *state, "abcd".index(move)
        at = column + 4 * board[column::4].rindex("-")  # the lowest empty square
        return (1 - turn, board[:at] + "XO"[turn] + board[at + 1 :])
    def result(self, state):
        turn, board = state
        for a, b, c in LINES:
            if board[a] == board[b] == board[c] != "-":
                return ((-1, 1), (1, -1))[turn]
        return None if "-" in board else (0, 0)
