"""Barred loops: who wins is proven by our search, and checked by a checker that trusts nothing."""

from __future__ import annotations

import copy
import json
import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar

import pytest

import parlour
from parlour.core.options import values
from parlour.core.value import TooLarge
from parlour.core.work import Work
from parlour.rules.chopsticks import Chopsticks
from parlour.rules.nim import CLASS_ENDINGS, Nim
from parlour.rules.sticks import Sticks
from parlour.rules.tictactoe import TicTacToe
from parlour.truth.proofs import checker, othello
from parlour.truth.proofs.certificates import certificate
from parlour.truth.proofs.checker import Refuted, check
from parlour.truth.solver import solve_at, solve_once
from tests.conftest import LONG

RESULTS = [
    (Chopsticks(rules="feathers"), "win"),
    (Chopsticks(rules="feathers-revive", split_same=False), "loss"),
    (Chopsticks(rules="feathers-revive"), "win"),
]


@pytest.mark.parametrize(("game", "outcome"), RESULTS, ids=str)
@pytest.mark.slow
def test_the_results_are_proven_and_pass_the_checker(game, outcome):
    solution = solve_once(game)
    assert solution.value(game.start()).outcome == outcome
    text = json.dumps(certificate(solution, game.start()))
    assert len(text) < 2_000_000
    assert f"is a {outcome} for the seat to move" in check(json.loads(text))


@pytest.mark.parametrize(("game", "outcome"), RESULTS, ids=str)
@pytest.mark.slow
def test_perfect_wins_from_the_winning_side(game, outcome):
    seat = 0 if outcome == "win" else 1
    perfect = parlour.bot("perfect")
    opponents = [parlour.bot("minimax", depth=depth) for depth in range(1, 8 if LONG else 5)]
    for seed in range(20 if LONG else 5):
        opponents.append(parlour.bot("random", seed=seed))
        opponents.append(parlour.bot("perfect", level=3, seed=seed))
    for opponent in opponents:
        bots = [perfect, opponent] if seat == 0 else [opponent, perfect]
        record = parlour.match(game, bots)
        assert record.result[seat] == 1, (opponent, record.moves)


@pytest.mark.slow
def test_perfect_wins_the_feather_game_within_17_plies_against_every_line():
    game, bot = Chopsticks(rules="feathers"), parlour.bot("perfect")

    @cache
    def longest(state):
        if not (moves := game.moves(state)):
            assert game.result(state) == (1, -1)
            return 0
        replies = [bot.choose(game, state)] if game.turn(state) == 0 else moves
        return 1 + max(longest(game.play(state, move)) for move in replies)

    assert longest(game.start()) <= 17


def plainly(game, state):
    """Whether the mover wins, by trying everything; for very small games."""
    result = game.result(state)
    if result is not None:
        return result[game.turn(state)] > 0
    return any(not plainly(game, game.play(state, move)) for move in game.moves(state))


@pytest.mark.parametrize(
    "game",
    [
        Chopsticks(dies_at=3, loops="barred"),
        Chopsticks(dies_at=3, loops="barred", split_same=True),
        Chopsticks(dies_at=3, fingers=2, loops="barred", hit_self=True),
        Chopsticks(dies_at=3, overflow="wraps", loops="barred", hit_self=True),
        Chopsticks(dies_at=4, loops="barred", revive=False),
    ],
    ids=repr,
)
def test_small_variants_agree_with_trying_everything(game):
    """Also in the middle of random games, with their histories."""
    solution = parlour.solve(game)
    chance = random.Random(3)
    for _ in range(15):
        state = game.start()
        while moves := game.moves(state):
            if len(state) > 12:  # then little enough is left to try everything
                assert (solution.value(state).outcome == "win") == plainly(game, state)
            state = game.play(state, chance.choice(moves))
        assert solution.value(state).plies == 0


@pytest.mark.parametrize(
    "game",
    [
        Chopsticks(split_least=1),
        TicTacToe(misere=True),
        Nim(piles=(3, 4, 6), endings=CLASS_ENDINGS),
        Sticks(sticks=21),
    ],
    ids=repr,
)
def test_any_solved_position_has_a_certificate(game):
    solution = parlour.solve(game)
    chance = random.Random(5)
    state = game.start()
    while moves := game.moves(state):
        proof = json.loads(json.dumps(certificate(solution, state)))
        assert f"is a {solution.value(state).outcome} " in check(proof)
        state = game.play(state, chance.choice(moves))


def tampered(proof):
    """The certificate, each time with one thing changed that makes it false."""
    claims = "claims" in proof
    yield {**proof, "outcome": "loss" if proof["outcome"] == "win" else "win"}
    yield {**proof, "game": "nothing"}
    yield {**proof, "certificate": "parlour 0"}
    yield {key: value for key, value in proof.items() if key != "position"}
    rows = proof["claims" if claims else "entries"]
    for place in (0, len(rows) // 2, len(rows) - 1):
        bad = copy.deepcopy(proof)
        row = bad["claims" if claims else "entries"][place]
        row[1] = (1 - row[1]) if claims else {"win": "loss", "loss": "win", "draw": "win"}[row[1]]
        yield bad
        bad = copy.deepcopy(proof)
        del bad["claims" if claims else "entries"][place]
        yield bad
    if claims:
        for place, row in enumerate(rows):
            if not row[1] and row[2]:
                bad = copy.deepcopy(proof)
                bad["claims"][place][2].pop()  # a move left unanswered
                yield bad
                bad = copy.deepcopy(proof)
                bad["claims"][place][2][0][1] = -1  # said to be barred
                yield bad
                break


@pytest.mark.parametrize("game", [Chopsticks(rules="feathers"), TicTacToe()], ids=repr)
def test_a_false_certificate_is_refuted(game):
    proof = json.loads(json.dumps(certificate(solve_once(game), game.start())))
    check(proof)
    for bad in tampered(proof):
        with pytest.raises(Refuted):
            check(bad)
    for nonsense in (None, [], {}, {"certificate": "parlour 1"}, "x", 3):
        with pytest.raises(Refuted):
            check(nonsense)


def certificate_of(game, position, outcome, **proof):
    """A certificate written by hand."""
    return {
        "certificate": "parlour 1",
        "game": game.name,
        "options": values(game),
        "position": position,
        "outcome": outcome,
        **proof,
    }


FEATHERS = Chopsticks(rules="feathers")
TWENTY = Chopsticks(dies_at=20, loops="barred")
FALSE = {
    "won is neither 0 nor 1": certificate_of(
        FEATHERS, "1,0:5,0:2", "win",  # by helping the opponent to win
        situations=["1,0:5,0:2", "6,0:5,0:1", "6,0:0,0:2"],
        claims=[[2, 0, []], [1, 2, [[2, 0]]], [0, 1, [[1, 1]]]],
    ),
    "a win that rests on a win of the opponent": certificate_of(
        FEATHERS, "1,0:5,0:2", "win",
        situations=["1,0:5,0:2", "6,0:5,0:1", "6,0:0,0:2"],
        claims=[[2, 0, []], [1, 1, [[2, 0]]], [0, 1, [[1, 1]]]],
    ),
    "an end said to be won": certificate_of(
        FEATHERS, "1,0:6,0:1", "loss",
        situations=["1,0:6,0:1", "1,0:0,0:2"], claims=[[1, 1, []], [0, 0, [[1, 0]]]],
    ),
    "the opponent is dead, not the mover": certificate_of(
        FEATHERS, "1,1:0,0:1", "loss", situations=["1,1:0,0:1"], claims=[[0, 0, []]]
    ),
    "visited is not what looks like it": certificate_of(
        TWENTY, "0,11:0,9:1 seen 10,11:0,0:2", "loss",
        situations=["0,11:0,9:1", "0,11:0,0:2"], claims=[[0, 0, [[1, -1]]]],
    ),
    "a loss called a draw": certificate_of(
        FEATHERS, "0,0:1,1:1", "draw", situations=["0,0:1,1:1"], claims=[[0, 0, []]]
    ),
    "an unknown outcome": certificate_of(
        FEATHERS, "0,0:1,1:1", "banana", situations=["0,0:1,1:1"], claims=[[0, 0, []]]
    ),
    "a claim about another situation": certificate_of(
        FEATHERS, "1,0:1,0:1", "win",
        situations=["1,0:1,0:1", "1,0:2,0:2", "1,0:0,0:2"],
        claims=[[2, 0, []], [0, 1, [[1, 0]]]],
    ),
    "a situation listed twice": certificate_of(
        FEATHERS, "0,0:1,1:1", "loss", situations=["0,0:1,1:1"] * 2, claims=[[0, 0, []]]
    ),
    "more than two seats": certificate_of(
        Nim(piles=(1, 1, 1), seats=3), "1,1,1:1", "win", at_most=3,
        entries=[
            ["1,1,1:1", "win", 3, "1 from 1"],
            ["0,1,1:2", "loss", 2],
            ["0,0,1:3", "win", 1, "1 from 3"],
        ],
    ),
    "fewer plies than it takes": certificate_of(
        Nim(piles=(2, 1)), "2,1:1", "win", at_most=1,
        entries=[
            ["2,1:1", "win", 1, "1 from 1"], ["1,1:2", "loss", 1], ["0,1:1", "win", 1, "1 from 2"]
        ],
    ),
    "entries for a game with barred loops": certificate_of(
        FEATHERS, "1,1:1,1:1", "win", at_most=1, entries=[]
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", FALSE)
def test_a_false_certificate_written_by_hand_is_refuted(why):
    with pytest.raises(Refuted):
        check(FALSE[why])


def test_a_win_is_not_taken_for_a_draw():
    """All entries are true but one: a position that has a winning move is called drawn."""
    game = TicTacToe()
    state = game.read("-O-X--OXX O")
    solution = parlour.solve(game)
    assert {solution.after(state, m).outcome for m in game.moves(state)} == {"win", "draw"}
    proof = certificate(solution, state)
    entries = {entry[0]: entry for entry in proof["entries"]}
    for move in game.moves(state):
        after = game.play(state, move)
        if game.moves(after):
            entries |= {entry[0]: entry for entry in certificate(solution, after)["entries"]}
    entries[proof["position"]] = [proof["position"], "draw", None]
    false = {**proof, "outcome": "draw", "at_most": None, "entries": list(entries.values())}
    with pytest.raises(Refuted, match="not shown to be a draw"):
        check(false)


@dataclass(frozen=True)
class Toy:
    """Three situations: Z leads to Y, Y to X, and X back to Y. So from Z the first player loses."""

    name: ClassVar[str] = "toy"
    seats: ClassVar[int] = 2
    ways: ClassVar[dict] = {"Z": "Y", "Y": "X", "X": "Y"}

    loops: str = parlour.option("barred", "whether loops may be", choices=("barred", "allowed"))

    def read(self, text):
        return (int(text == "Y"), "ZYX".index(text), 0, 0, 0)

    def write(self, state):
        return "ZYX"[state[1]]

    def turn(self, state):
        return state[0]

    def moves(self, state):
        return (self.ways[self.write(state)],)

    def play(self, state, move):
        return self.read(move)

    def result(self, state):
        return None


@pytest.mark.parametrize(("claims", "why"), [
    ([[1, 0, [[2, -1]]], [2, 1, [[1, 0]]], [1, 0, [[2, 1]]], [0, 1, [[1, 2]]]], "once more"),
    ([[1, 0, [[2, -1]]], [0, 1, [[1, 0]]]], "does not hold after the history"),
    ([[0, 1, [[1, 0]]]], "does not rest on an earlier one"),
    ([[1, 1, [[2, -1]]], [0, 0, [[1, 0]]]], "does not rest on an earlier one"),
])  # fmt: skip
def test_a_winner_may_not_need_a_situation_twice(claims, why):
    proof = {
        "certificate": "parlour 1", "game": "toy", "options": {"loops": "barred"},
        "position": "Z", "outcome": "win", "situations": ["Z", "Y", "X"], "claims": claims,
    }  # fmt: skip
    with pytest.raises(Refuted, match=why):
        check(proof, Toy)


def test_a_true_certificate_written_by_hand_is_accepted():
    """The false ones above differ from such ones by one thing each."""
    game = Chopsticks(rules="feathers")
    proof = certificate_of(
        game, "1,0:6,0:1", "win",
        situations=["1,0:6,0:1", "1,0:0,0:2"], claims=[[1, 0, []], [0, 1, [[1, 0]]]],
    )  # fmt: skip
    assert "is a win for the seat to move, checked by 2 claims" in check(proof)
    nim = certificate_of(
        Nim(piles=(2, 1)), "2,1:1", "win", at_most=3,
        entries=[
            ["2,1:1", "win", 3, "1 from 1"], ["1,1:2", "loss", 2], ["0,1:1", "win", 1, "1 from 2"]
        ],
    )  # fmt: skip
    assert "is a win within 3 plies" in check(nim)


def test_closed_forms_and_large_positions_have_certificates_where_they_fit():
    game = Nim(piles=(300, 300, 300, 5, 300))
    solution = parlour.solve(game)
    assert solution.method == "closed form"
    small = game.read("0,0,0,1,2:1")
    assert "is a win within" in check(json.loads(json.dumps(certificate(solution, small))))
    with pytest.raises(TooLarge, match="the closed form itself is the proof"):
        certificate(solution, game.start())


def test_the_checker_is_small_and_shares_nothing_with_the_search():
    for module in (checker, othello):
        lines = Path(module.__file__).read_text(encoding="utf-8").splitlines()
        assert len(lines) <= 150
        imports = [line for line in lines if line.startswith(("import", "from"))]
        allowed = {"from parlour.truth.proofs import othello"}  # whose rules are its own
        searched = ("truth", "kernels", "engine", "rules")
        assert {each for each in imports if any(word in each for word in searched)} <= allowed


def test_a_search_that_is_stopped_says_so():
    work = parlour.Work()
    work.stop()
    with pytest.raises(parlour.Unsolved, match="stopped"):
        parlour.solve(Chopsticks(rules="feathers-revive"), work=work)


def test_a_certificate_of_too_many_moves_is_refused(monkeypatch):
    monkeypatch.setattr("parlour.truth.proofs.certificates.MAX_MOVES", 1000)
    with pytest.raises(TooLarge, match="more than 1,000 moves"):
        certificate(parlour.solve(TicTacToe()))


def test_a_solution_that_was_stopped_answers_the_next_question():
    game = Chopsticks(rules="feathers", dies_at=4)
    solution = solve_at(game, game.start())
    stopped = Work()
    stopped.stop()
    solution.work = stopped
    again = solve_at(game, game.start(), solution)
    following = game.play(game.start(), game.moves(game.start())[0])  # off the proof
    assert again.value(following).outcome in ("win", "loss")


def test_random_changes_never_prove_anything_false():
    """Whatever is still accepted after a change is true, as trying everything shows."""
    game = Chopsticks(dies_at=3, loops="barred", split_same=True)
    solution, chance = parlour.solve(game), random.Random(7)
    state = game.start()
    for _ in range(3):
        state = game.play(state, chance.choice(game.moves(state)))
    proof = json.loads(json.dumps(certificate(solution, state)))
    truth = "win" if plainly(game, state) else "loss"
    assert proof["outcome"] == truth
    for _ in range(3000 if LONG else 1000):
        bad = copy.deepcopy(proof)
        for _ in range(chance.randint(1, 3)):
            claim = chance.choice(bad["claims"])
            change = chance.randrange(5)
            if change == 0:
                claim[1] = chance.choice((0, 1, 2))
            elif change == 1:
                claim[0] = chance.randrange(len(bad["situations"]))
            elif change == 2 and claim[2]:
                chance.choice(claim[2])[1] = chance.randrange(-1, len(bad["claims"]))
            elif change == 3 and claim[2]:
                chance.choice(claim[2])[0] = chance.randrange(len(bad["situations"]))
            elif change == 4:
                bad["outcome"] = "loss" if truth == "win" else "win"
        try:
            check(bad)
        except Refuted:
            continue
        assert bad["outcome"] == truth
