"""Learning from hats as a student writes it: dictionaries and the game's verbs, nothing else.

It draws by the same random numbers as the compiled training, so that both must come to the very
same balls.
"""

from collections import defaultdict

STEP = 0x9E3779B97F4A7C15
ALL = 2**64 - 1


class Numbers:
    """splitmix64, as its authors published it."""

    def __init__(self, seed):
        self.counter = seed

    def below(self, limit):
        self.counter = z = (self.counter + STEP) & ALL
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & ALL
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & ALL
        z ^= z >> 31
        return ((z >> 32) * limit) >> 32


def drawn(hat, numbers):
    left = numbers.below(sum(hat.values()))
    for ball, many in hat.items():
        left -= many
        if left < 0:
            return ball
    raise AssertionError


def sticks(games, *, heap=20, take=3, seed=0, shared=False, alternate=True):
    """The hats of two players after so many games."""
    numbers = Numbers(seed)
    one = {n: dict.fromkeys(range(1, take + 1), 1) for n in range(1, heap + 1)}
    two = one if shared else {n: dict(hat) for n, hat in one.items()}
    for number in range(games):
        players = (two, one) if alternate and number % 2 else (one, two)
        left, seat, beside = heap, 0, [[], []]
        while left:
            ball = drawn(players[seat][left], numbers)
            beside[seat].append((left, ball))
            left -= min(ball, left)
            seat = 1 - seat
        winner = seat  # the other took the last stick
        for who in (0, 1):
            for hat, ball in beside[who]:
                if who == winner:
                    players[who][hat][ball] += 1
                elif players[who][hat][ball] > 1:
                    players[who][hat][ball] -= 1
    return one, two


def menace(game, games, order, *, seed=0):
    """MENACE's boxes after so many games as the first player against a random one.

    The beads of a box are counted in the order given, else the same numbers would draw others.
    """
    numbers = Numbers(seed)
    boxes = {}

    def kinds(state):
        found = defaultdict(list)
        for move in game.moves(state):
            found[game.key(game.play(state, move))].append(move)
        return {leads: found[leads] for leads in order(game.key(state))}

    for _ in range(games):
        state, turn, beside = game.start(), 0, []
        payoff = None
        while game.result(state) is None:
            if len(game.moves(state)) == 1:
                state = game.play(state, game.moves(state)[0])
                continue
            here = kinds(state)
            if game.turn(state) == 0:
                box = boxes.setdefault(game.key(state), dict.fromkeys(here, 4 - turn))
                turn += 1
                if not any(box.values()):
                    numbers.below(1)  # it reached into the box all the same
                    payoff = -1
                    break
                chosen = drawn(box, numbers)
                beside.append((box, chosen))
            else:
                chosen = drawn({k: len(moves) for k, moves in here.items()}, numbers)
            state = game.play(state, here[chosen][0])
        if payoff is None:
            payoff = game.result(state)[0]
        for box, chosen in beside:
            box[chosen] += {1: 3, 0: 1, -1: -1}[payoff]
    return boxes
