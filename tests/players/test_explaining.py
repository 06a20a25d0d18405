"""Reasons where nothing is proven: the number and its source come first, and every count is right.

The counting is done again here on the written board, square by square and without the rules.
"""

import random
import re

import pytest

import parlour
from parlour.core.errors import IllegalMove
from parlour.core.protocol import seat_name
from parlour.players.move_values import explain
from parlour.rules.nim import Nim
from parlour.rules.othello import Othello
from parlour.rules.tictactoe import TicTacToe
from parlour.truth.explain.othello import Estimate
from parlour.truth.opening import find_bounds
from tests.conftest import LONG

STEPS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]


class Written:
    """A board as it is written, on which everything is counted by looking."""

    def __init__(self, game, state):
        cells, self.mover = game.write(state).split()
        self.wide, self.high = game.columns, game.rows
        self.cells = {(i % self.wide, i // self.wide): cell for i, cell in enumerate(cells)}

    def turns(self, square, mark):
        """The squares whose discs are turned if this mark is put there."""
        found = set()
        for dx, dy in STEPS:
            run, (x, y) = [], (square[0] + dx, square[1] + dy)
            while self.cells.get((x, y), "-") not in ("-", mark):
                run.append((x, y))
                x, y = x + dx, y + dy
            if self.cells.get((x, y)) == mark:
                found |= set(run)
        return found

    def open_to(self, mark):
        """The free squares this mark may take, by name."""
        free = [at for at, cell in self.cells.items() if cell == "-" and self.turns(at, mark)]
        return {"abcdefghijklmnop"[x] + str(y + 1) for x, y in free}

    def corners_for(self, mark):
        ends = "a" + "abcdefghijklmnop"[self.wide - 1]
        corners = {end + row for end in ends for row in ("1", str(self.high))}
        return self.open_to(mark) & corners


def facts_of(explanation):
    return {fact.kind: fact.data for fact in explanation.facts}


def positions(game, seeds):
    """Positions of random games, from the start on, of which nothing is proven."""
    for seed in range(seeds):
        chance, state = random.Random(seed), game.start()
        for _ in range(chance.randrange(len(game.board.bits) - 18)):
            if not game.moves(state):
                break
            state = game.play(state, chance.choice(game.moves(state)))
        if game.moves(state):
            yield state, chance


def test_the_number_comes_first_then_its_source_and_the_line_last():
    game = Othello()
    found = explain(game, game.start())
    number = r"About even: ≈ (0|[+−]\d) discs? for player 1 \(X\)"  # the four moves are one
    assert re.fullmatch(rf"{number}, to move\.", found.sentences[0])
    assert found.sentences[1].startswith("Estimated by engine, 12 moves ahead, 73 % sure, not prov")
    assert "60 squares are empty" in found.sentences[1]
    assert found.sentences[-1].startswith("The line it expects: ")
    of_move = explain(game, game.start(), (3, 2))
    assert re.fullmatch(rf"{number} after d3\.", of_move.sentences[0])
    assert "It flips 1 disc." in of_move.sentences
    assert "It leaves player 2 (O) 3 moves." in of_move.sentences  # c3, c5 and e3
    assert of_move.sentences[-1].startswith("The line it expects: d3, ")


def test_a_clear_lead_is_called_one_and_the_better_moves_are_named_best_first():
    game = Othello()
    d3, c4, f5, e6 = game.moves(game.start())
    guess = Estimate("engine", 8, {d3: -4.0, c4: 3.5, f5: 3.0, e6: 5.0})
    ahead = explain(game, game.start(), estimate=guess)
    assert ahead.sentences[0] == "Ahead: ≈ +5 discs for player 1 (X), to move."
    assert "Moves: e6 ≈ +5, c4 ≈ +3.5, f5 ≈ +3 and d3 ≈ −4." in ahead.sentences
    behind = explain(game, game.start(), d3, estimate=guess)
    assert behind.sentences[0] == "Behind: ≈ −4 discs for player 1 (X) after d3."
    assert "engine, 8 moves ahead" in behind.sentences[1]
    assert "Thought better: e6 ≈ +5, c4 ≈ +3.5 and f5 ≈ +3." in behind.sentences
    assert "No move is thought better." in explain(game, game.start(), e6, estimate=guess).sentences


@pytest.mark.parametrize("shape", [(8, 8), (10, 10)])
def test_every_count_on_the_board_is_right(shape):
    game = Othello(columns=shape[0], rows=shape[1])
    kinds = set()
    for state, chance in positions(game, 40 if LONG or shape == (8, 8) else 12):
        here = Written(game, state)
        mover, other = here.mover, "XO".replace(here.mover, "")
        facts = facts_of(explain(game, state, plies=2))
        kinds |= set(facts)
        if "estimate" not in facts:
            continue
        assert facts["mobility"]["moves"] == len(here.open_to(mover))
        assert facts["mobility"]["others"] == len(here.open_to(other))
        corners = facts.get("corners", {"mine": [], "theirs": []})
        assert set(corners["mine"]) == here.corners_for(mover)
        assert set(corners["theirs"]) == here.corners_for(other)
        move = chance.choice(game.moves(state))
        after, text = Written(game, game.play(state, move)), game.write_move(move)
        facts = facts_of(explain(game, state, move, plies=2))
        kinds |= set(facts)
        if text == "pass" or "estimate" not in facts:
            continue
        assert facts["turned"]["discs"] == len(here.turns(move, mover))
        assert facts["leaves-moves"]["moves"] == len(after.open_to(other))
        assert facts["leaves-moves"]["other"] == seat_name(game, 1 - game.turn(state))
        given = facts.get("gives-corners", {"opened": [], "left": []})
        now, before = after.corners_for(other), here.corners_for(other)
        assert set(given["opened"]) == now - before
        assert set(given["left"]) == now & before
        had = here.corners_for(mover)
        assert ("takes-corner" in facts) == (text in had)
        assert ("misses-corners" in facts) == bool(had and text not in had)
    if shape == (8, 8):
        assert {"corners", "takes-corner", "misses-corners", "gives-corners", "expected"} <= kinds


@pytest.mark.parametrize(
    "game", [Othello(), Othello(columns=10, rows=10), TicTacToe(columns=6, rows=6, line=4)]
)
def test_no_position_is_read_out_as_prose(game):
    chance, state = random.Random(2), game.start()
    for _ in range(4):
        move = chance.choice(game.moves(state))
        sentences = [*explain(game, state).sentences, *explain(game, state, move).sentences]
        assert not any(re.search("[XO-]{8}", sentence) for sentence in sentences), sentences
        state = game.play(state, move)
    nim = Nim(seats=3)
    assert "3,4" not in str(explain(nim, nim.start(), (0, 1)))


def test_an_estimate_that_is_proven_is_explained_as_a_proof():
    game = Othello()
    d3, c4, f5, e6 = game.moves(game.start())
    proven = Estimate("engine", 20, {d3: 2.0, c4: -4.0, f5: 0.0, e6: 2.0}, 100, exact=True)
    found = explain(game, game.start(), estimate=proven)
    assert found.sentences[:3] == (
        "Win: +2 discs for player 1 (X), to move.",
        "Proven by engine, which looked 20 moves ahead.",
        "Moves: d3 +2, e6 +2, f5 0 and c4 −4.",
    )
    level = explain(game, game.start(), f5, estimate=proven)
    assert level.sentences[0] == "Draw: 0 discs for player 1 (X) after f5."
    assert "Better: d3 +2 and e6 +2." in level.sentences
    assert "≈" not in str(found) + str(level)


def test_a_move_that_ends_the_game_needs_no_estimate():
    game = Othello()
    wiped = game.read("XXOO----" + "--------" * 7 + " X")
    found = explain(game, wiped, (4, 0))
    assert "estimate" not in facts_of(found)
    assert "The game is over: player 1 (X) won." in found.sentences


def test_a_solved_game_is_not_estimated_and_an_illegal_move_is_refused():
    small = Othello(columns=4, rows=4)
    assert "estimate" not in facts_of(explain(small, small.start()))
    assert explain(Nim(), Nim().start()) == parlour.explain(Nim(), Nim().start())
    with pytest.raises(IllegalMove):
        explain(Othello(), Othello().start(), (0, 0))


# The opening of Othello


def after(*moves):
    game = Othello()
    state = game.start()
    for text in moves:
        state = game.play(state, game.read_move(state, text))
    return game, state, Estimate("engine", 2, dict.fromkeys(game.moves(state), 0.0))


def test_proven_bounds_of_the_opening_name_their_author():
    game, state, guess = after("f5")
    found = explain(game, state, estimate=guess)
    proven = facts_of(found)["bounds"]
    assert (proven["least"], proven["most"], proven["keeping"]) == (0, 0, ["d6"])
    (sentence,) = (each for each in found.sentences if each.startswith("What is proven"))
    assert sentence.startswith("What is proven: a draw, derived here from bounds of H. Takizawa")
    assert "which are not proven again here" in sentence
    assert sentence.endswith("Proven to lead to no loss: d6.")
    parallel = explain(game, state, game.read_move(state, "f4"), estimate=guess)
    assert "What is proven after f4: player 1 (X) has at least a draw" in str(parallel)


def test_positions_off_the_proof_have_no_bounds():
    game, state, guess = after("f5", "d6", "c7", "d7")
    assert find_bounds(game, state) is None
    assert "bounds" not in facts_of(explain(game, state, estimate=guess))


def test_the_opening_is_named_and_the_move_that_makes_it():
    game, state, guess = after("f5", "d6", "c3", "d3")
    found = explain(game, state, estimate=guess)
    assert facts_of(found)["opening"] == {"name": "Perpendicular", "also": []}
    tiger = explain(game, state, game.read_move(state, "c4"), estimate=guess)
    assert "With it the opening is called Tiger." in tiger.sentences
    other = explain(game, state, game.read_move(state, "c5"), estimate=guess)
    assert "makes-opening" not in facts_of(other)
    heath = explain(*after("f5", "f6", "e6", "f4", "g5")[:2], estimate=None)
    assert "Opening: Heath, also called Tobidashi." in heath.sentences
