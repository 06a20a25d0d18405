"""The judge's numbers are those of a plain loop over the rules, and the specifications' own.

The loop knows who wins by the oracle, which has neither the solver nor the kernels, and counts in
fractions.
"""

import random
from fractions import Fraction
from types import SimpleNamespace

import pytest
from tests.conftest import LONG
from tests.oracle import oracle

import parlour
from parlour.arena.judging import situations
from parlour.arena.judging.situations import find_situations
from parlour.core import key
from parlour.rules.nim import CLASS_ENDINGS
from parlour.truth import geography, solve_once

POINTS = {"loss": Fraction(0), "draw": Fraction(1, 2), "win": Fraction(1)}


def plain_judgement(game, chances):
    """The figures of `chances(state)`, probabilities by move, by a plain loop, as fractions."""
    plain = oracle(game)
    right, regrets, late, kept = [], [], Fraction(0), Fraction(0)
    timed = 0
    for state in plain.playable:
        worth = dict(plain.moves(state))
        best = max(POINTS[outcome] for outcome, _ in worth.values())
        chance = chances(state)
        if any(POINTS[outcome] < best for outcome, _ in worth.values()):
            cost = {move: best - POINTS[outcome] for move, (outcome, _) in worth.items()}
            right.append(sum((p for move, p in chance.items() if not cost[move]), Fraction(0)))
            regrets.append(sum((p * cost[move] for move, p in chance.items()), Fraction(0)))
        keeping = {m: n for m, (o, n) in worth.items() if POINTS[o] == best and o != "draw"}
        if len(set(keeping.values())) > 1:
            timed += 1
            wins = best == 1
            ideal = min(keeping.values()) if wins else max(keeping.values())
            for move, p in chance.items():
                if move in keeping:
                    kept += p
                    late += p * abs(keeping[move] - ideal)
    return SimpleNamespace(
        right=sum(right) / len(right),
        regret=sum(regrets) / len(regrets),
        worst=max(regrets),
        plies=late / kept if kept else None,
        critical=len(right),
        timed=timed,
    )


GAMES = [
    parlour.game("nim"),
    parlour.game("nim", piles=(1, 3, 5), misere=True, endings=CLASS_ENDINGS),
    parlour.game("nim", piles=(4, 4, 3), take=2),
    parlour.game("sticks"),
    parlour.game("chopsticks", dies_at=4, overflow="wraps", hit_self=True),
    parlour.game("tictactoe", columns=3, rows=2, line=2),
]


def uniform(game):
    def chances(state):
        moves = game.moves(state)
        return {move: Fraction(1, len(moves)) for move in moves}

    return chances


def arbitrary(game, state):
    """A steady player without any sense, who treats positions of one key alike."""

    def rank(move):
        return random.Random(repr(key(game, game.play(state, move)))).random()

    return min(game.moves(state), key=rank)


def check(found, plain):
    """The figures are exactly those of a plain loop, and the parts add up to the whole."""
    figures = found.figures
    assert (figures.critical, figures.timed) == (plain.critical, plain.timed)
    assert (found.right, found.regret) == (float(plain.right), float(plain.regret))
    assert found.worst_regret == float(plain.worst)
    assert found.plies_lost == (None if plain.plies is None else float(plain.plies))
    assert found.right_interval is None  # nothing was drawn
    for parts in (found.by_kind, found.by_depth):
        assert sum(each.critical for each in parts.values()) == figures.critical
        assert sum(each.timed for each in parts.values()) == figures.timed
        shares = [each.right * each.critical for each in parts.values() if each.critical]
        assert sum(shares) == pytest.approx(found.right * figures.critical)
    assert all(each.critical == 0 for name, each in found.by_kind.items() if name == "lost")


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_random_play_and_a_steady_player_have_the_figures_of_a_plain_loop(game):
    check(parlour.judge(game, "random"), plain_judgement(game, uniform(game)))
    steady = plain_judgement(game, lambda state: {arbitrary(game, state): Fraction(1)})
    check(parlour.judge(game, arbitrary), steady)


# The specifications

SOLVED = [
    "nim piles=3,4,5 misere=yes",
    "nim piles=1,3,5,7 misere=yes endings=2,2,2;1,2,3;1,1,2,2",
    "sticks sticks=100",
    "chopsticks split_least=1",
    "chopsticks rules=feathers loops=allowed",
]


@pytest.mark.parametrize("game", SOLVED)
def test_perfect_play_is_always_right_in_the_variants_of_the_specifications(game):
    solved = parlour.game(game)
    perfect = parlour.bot("perfect")
    for agent in ("perfect", perfect.choose):
        found = parlour.judge(solved, agent)
        assert found.right == 1
        assert (found.regret, found.worst_regret) == (0, 0)
        assert not found.plies_lost
        assert not found.mistakes
    counts = parlour.solve(solved).counts()
    assert found.scope.situations == sum(counts.values()) - counts["end"]


@pytest.mark.slow
def test_perfect_play_is_always_right_where_solving_takes_seconds():
    for game in ("chopsticks rules=feathers", "othello columns=4 rows=4"):
        found = parlour.judge(game, "perfect", sample=20)
        assert (found.right, found.regret, found.worst_regret) == (1, 0, 0)
        assert found.figures.critical > 5
        assert not found.scope.estimate


def test_the_number_of_situations_is_that_of_the_specification():
    scope = find_situations(parlour.game("tictactoe"), work=parlour.Work())[1]
    assert scope.situations == 765 - 138
    won = list(find_situations(parlour.game("sticks"), work=parlour.Work())[0])
    assert len(won) == 15  # the winnable hats of 20 sticks
    assert all((s.right, s.outcome) == (1, "win") for s in won)  # the winning take is unique


# Samples


def test_a_sample_is_drawn_from_the_situations_and_its_interval_covers_the_whole():
    whole = parlour.judge("nim piles=4,5,6", "random")
    within = 0
    for seed in range(20):
        found = parlour.judge("nim piles=4,5,6", "random", sample=60, seed=seed)
        low, high = found.right_interval
        within += low <= whole.right <= high
        assert len(found.findings) == 60
        assert found.scope.kind == "drawn"
    assert within >= 17  # 95 % of 20 is 19


def test_each_situation_is_as_likely_to_be_drawn():
    game, times = parlour.game("sticks"), dict.fromkeys(range(20), 0)
    for seed in range(300):
        for situation in find_situations(game, sample=5, seed=seed, work=parlour.Work())[0]:
            times[game.hat_number(situation.state) - 1] += 1
    drawn = [number for number in times.values() if number]
    assert len(drawn) == 15
    assert sum(drawn) == 1500
    assert all(65 < number < 135 for number in drawn)  # 100 each, give or take 3.5 deviations


def test_games_too_large_to_list_are_drawn_from_their_solution(monkeypatch):
    monkeypatch.setattr(situations, "MAX_ALL", 100)
    game = parlour.game("tictactoe")
    found = parlour.judge(game, "random", sample=100)
    assert (found.scope.kind, found.scope.situations) == ("drawn", 765 - 138)
    solution = parlour.solve(game)
    for finding in found.findings:
        state = finding.situation.state
        assert game.read(game.write(state)) == state
        value = solution.value(state)
        assert (value.outcome, value.plies) == (finding.situation.outcome, finding.situation.plies)
    assert parlour.judge(game, "perfect", sample=50).right == 1


def test_where_only_a_closed_form_is_known_positions_come_from_random_games():
    found = parlour.judge("nim piles=300,400,500", "perfect", sample=30)
    assert found.scope.kind == "random games"
    assert found.right == 1
    assert found.right_interval[0] < 1
    for finding in found.findings:
        piles = finding.situation.state[2:]
        assert (piles[0] ^ piles[1] ^ piles[2]) != 0  # only then can a choice be wrong


def test_a_game_about_which_nothing_is_known_is_refused():
    with pytest.raises(parlour.TooLarge, match="solve it on disk"):
        parlour.judge("tictactoe columns=5 rows=5", "random")
    with pytest.raises(parlour.Unsolved, match="3 seats"):
        parlour.judge("nim seats=3", "random")


def test_states_of_one_key_are_judged_once_in_the_state_reached_first():
    game = parlour.game("tictactoe")
    found = parlour.judge(game, "random")
    states = {each.situation.state for each in found.findings}
    assert len(states) == len({key(game, state) for state in states})
    corner = game.play(game.start(), (0, 0))
    assert corner in states
    assert game.play(game.start(), (2, 0)) not in states


# Othello beyond solving


def negamax(game, state):
    """The margin in discs for the mover, by playing everything out."""
    moves = game.moves(state)
    if not moves:
        margin = game.score(state)
        return margin if game.turn(state) == 0 else -margin
    return max(-negamax(game, game.play(state, move)) for move in moves)


@pytest.mark.slow
def test_othello_is_judged_in_discs_exactly_near_the_end():
    game = parlour.game("othello", columns=6, rows=6)
    sample = 40 if LONG else 8
    found = parlour.judge(game, "random", sample=sample, seed=5)
    near = [each for each in found.findings if each.situation.plies <= 6]
    assert len(near) >= 1
    for finding in near:
        situation = finding.situation
        scores = [-negamax(game, game.play(situation.state, move)) for move in situation.moves]
        assert list(situation.regrets) == [max(scores) - score for score in scores]
        assert situation.exact
        expected = sum(max(scores) - score for score in scores) / len(scores)
        assert float(finding.regret) == pytest.approx(expected)
    assert any(not each.situation.exact for each in found.findings)
    assert found.scope.estimate
    assert found.to_dict()["scope"]["estimate"]
    again = parlour.judge(game, "random", sample=sample, seed=5)
    assert again.to_dict() == found.to_dict()


def test_positions_without_a_proof_are_left_out_and_counted(monkeypatch):
    """Positions of barred chopsticks have no value but by a search, which may be given up."""
    game = parlour.game("chopsticks", loops="barred")
    known = solve_once(game)
    prove = geography.BarredSolution._prove

    def give_up(self, here, visited):
        if visited.bit_count() > 8:
            raise parlour.Unsolved("the proof search was given up")
        return prove(self, here, visited)

    monkeypatch.setattr(geography.BarredSolution, "_prove", give_up)
    found = parlour.judge(game, "random", sample=40, seed=3)
    left_out = found.scope.left_out
    assert left_out > 0
    assert f"{left_out} more position" in found.describe_scope()
    assert found.to_dict()["scope"]["left_out"] == left_out
    for finding in found.findings:
        assert finding.situation.outcome == known.value(finding.situation.state).outcome
