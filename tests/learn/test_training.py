"""What hats learn, by the numbers that are known of them, and by a plain loop of the same rule."""

from functools import cache
from statistics import mean

import pytest

import parlour
from parlour.core.errors import ParlourError
from parlour.learn.hat_set import MAX_BALLS, hats
from parlour.learn.training import MAX_PLIES, compute_odds, measure, train
from tests.conftest import LONG
from tests.learn import plain
from tests.learn.toys import Again, Round

SEEDS = range(20 if LONG else 8)
STICKS = parlour.game("sticks")
TICTACTOE = parlour.game("tictactoe")


def trained(game, games, rule="hats", **how):
    held = hats(game, rule, **how)
    train(held, games, curve=False)
    return held


@cache
def stick_hats(seed, starts, against):
    return trained(STICKS, 100_000, seed=seed, starts=starts, against=against)


def by_number(held, row):
    """The balls of each hat by the number of sticks."""
    return {
        held.boxes.states[box][2]: dict(enumerate(held.contents(row, box), start=1))
        for box in held.boxes.all()
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("starts", "against", "right", "chance"),
    [
        ("first", "another", 13, 0.82),
        ("alternate", "another", 14, 0.92),
        ("alternate", "itself", 14, 0.92),
        ("first", "itself", 14, 0.92),
    ],
)
def test_a_hundred_thousand_games_of_sticks_teach_the_right_balls(starts, against, right, chance):
    for seed in SEEDS:
        held = stick_hats(seed, starts, against)
        for row in range(len(held.balls)):
            point = measure(held, row)
            assert point.of == 15
            assert right <= point.right <= 15, seed
            assert chance <= point.probability <= 1, seed
            assert min(held.balls[row]) == 1, "no hat ever lacks a number"


def test_the_player_who_always_begins_never_meets_19_and_the_other_never_20():
    held = stick_hats(0, "first", "another")
    assert by_number(held, 0)[19] == {1: 1, 2: 1, 3: 1}
    assert by_number(held, 1)[20] == {1: 1, 2: 1, 3: 1}
    assert [measure(held, row).right for row in (0, 1)] <= [14, 14]


@pytest.mark.parametrize(
    ("shared", "alternate", "heap", "take"),
    [(False, True, 20, 3), (False, False, 10, 2), (True, False, 13, 4)],
)
def test_the_plain_loop_comes_to_the_very_same_hats(shared, alternate, heap, take):
    held = trained(
        parlour.game("sticks", sticks=heap, take=take),
        1000,
        seed=7,
        starts="alternate" if alternate else "first",
        against="itself" if shared else "another",
    )
    expected = plain.sticks(1000, heap=heap, take=take, seed=7, shared=shared, alternate=alternate)
    for row in range(len(held.balls)):
        assert by_number(held, row) == expected[row]


def test_the_plain_loop_comes_to_the_very_same_boxes_of_menace():
    games = 1500 if LONG else 150
    held = trained(TICTACTOE, games, "menace", against="random", starts="first", seed=5)
    listed = held.boxes

    def order(key):
        return [ball.leads[0] for ball in listed.balls[listed.numbers[key]]]

    for key, box in plain.menace(TICTACTOE, games, order, seed=5).items():
        assert held.contents(0, listed.numbers[key]) == list(box.values())


def test_a_game_without_end_is_a_draw_after_a_thousand_plies():
    held = hats(Round(), "menace", against="itself")
    held.balls[0][1] = 0  # so neither ever ends it
    train(held, 3, curve=False)
    assert MAX_PLIES == 1000
    assert held.contents(0, 0) == [4 + 3 * 1000, 0]  # a draw adds one for each ball drawn
    assert (held.tally.wins, held.tally.draws) == ([0, 0], 3)


def test_chances_of_a_game_that_need_not_end_are_exact():
    """Who ends with chance e against one who ends with chance f wins e / (1 - (1 - e)(1 - f))."""
    held = hats(Round(), "menace", against="random")
    held.balls[0][0], held.balls[0][1] = 99, 1
    first, second = (f for f in compute_odds(held, 0) if f.opponent == "random")
    win = 0.01 / (1 - 0.99 * 0.5)
    assert first.win == pytest.approx(win, abs=1e-11)
    assert second.win == pytest.approx(0.5 * win, abs=1e-11)
    assert first.loss == pytest.approx(1 - win, abs=1e-11)


def test_a_box_that_is_empty_later_on_is_given_up_but_not_dry():
    held = hats(TICTACTOE, "menace", against="random", starts="first")
    for box in held.boxes.of(0)[1:]:
        for place in range(held.boxes.first[box], held.boxes.first[box + 1]):
            held.balls[0][place] = 0
    train(held, 1, curve=False)
    assert (held.tally.resigned, held.tally.ran_out_at, held.tally.wins) == ([1, 0], None, [0, 1])
    for place in range(held.boxes.first[1]):
        held.balls[0][place] = 0
    train(held, 2, curve=False)
    assert (held.tally.resigned, held.tally.ran_out_at, held.tally.wins) == ([3, 0], 2, [0, 3])


def test_an_empty_box_is_never_right():
    held = hats(TICTACTOE, "menace", against="random", starts="first")
    before = measure(held, 0)
    state = TICTACTOE.read("XX-OO---- X")
    box = held.boxes.find(state)
    first = held.boxes.first[box]
    held.balls[0][first + held.boxes.kind(state, (2, 0))] += 1  # c1, which wins
    assert measure(held, 0).right == before.right + 1
    for place in range(first, held.boxes.first[box + 1]):
        held.balls[0][place] = 0
    assert measure(held, 0).right == before.right


def test_the_fullest_hat_is_drawn_from_evenly_and_does_not_run_over():
    """13 sticks are lost against perfect play, so every game takes one of the balls drawn."""
    held = hats(parlour.game("sticks", sticks=13), against="perfect", starts="first", seed=1)
    for place in range(3):
        held.balls[0][place] = MAX_BALLS
    train(held, 3000, curve=False)
    lost = [MAX_BALLS - balls for balls in held.contents(0, 0)]
    assert sum(lost) == 3000
    assert all(900 < balls < 1100 for balls in lost)
    held = hats(parlour.game("sticks", sticks=10, take=1), against="random", starts="first")
    held.balls[0][0] = MAX_BALLS  # one stick each: who begins with 10 wins
    train(held, 5, curve=False)
    assert held.contents(0, 0) == [MAX_BALLS]


def test_menace_comes_to_beat_a_random_player_in_80_to_90_percent():
    """Each by itself, but for one in ten that may come out just beside it."""
    wins = []
    for seed in SEEDS:
        held = trained(TICTACTOE, 1800, "menace", against="random", starts="first", seed=seed)
        last = train(held, 200, curve=False)
        assert sum(last.wins) + last.draws == 200
        wins.append(last.wins[0] / 200)
    assert sum(0.80 <= each <= 0.90 for each in wins) >= 0.9 * len(SEEDS) - 1
    assert 0.75 <= min(wins) <= max(wins) <= 0.95


def test_menace_runs_dry_against_a_perfect_player():
    """Beginning, it dries up within some 25 games but for one in five, which learn to draw.

    Taking turns to begin, it always does.
    """
    dry = []
    for seed in SEEDS:
        held = trained(TICTACTOE, 500, "menace", against="perfect", starts="first", seed=seed)
        if held.tally.ran_out_at is None:
            assert train(held, 100, curve=False).draws > 90
        else:
            dry.append(held.tally.ran_out_at)
            assert not any(held.contents(0, 0)), "the box of the empty board is empty"
            assert held.tally.resigned[0] == 500 - held.tally.ran_out_at + 1
        both = trained(TICTACTOE, 500, "menace", against="perfect", seed=seed)
        assert both.tally.ran_out_at is not None
    assert 0.7 * len(SEEDS) <= len(dry) < len(SEEDS)  # 16 of 20
    assert max(dry) <= 25


def test_hats_alone_teach_the_first_player_of_tictactoe_not_to_lose_and_the_second_nothing():
    lost_to_random, lost_to_perfect = [], []
    for seed in SEEDS:
        held = trained(TICTACTOE, 30_000, starts="first", seed=seed)
        first = {f.opponent: f for f in compute_odds(held, 0, likeliest=True)}
        second = {f.opponent: f for f in compute_odds(held, 1, likeliest=True)}
        assert first["perfect"].loss == 0
        assert second["perfect"].win == 0
        lost_to_perfect.append(second["perfect"].loss)
        lost_to_random.append(second["random"].loss)
    assert 0.15 < mean(lost_to_random) < 0.45
    assert mean(lost_to_perfect) > 0.8


def test_training_that_was_cut_short_goes_on_as_if_it_never_was():
    whole = trained(STICKS, 5000, seed=3)
    parts = hats(STICKS, seed=3)
    for games in (1, 999, 0, 4000):
        train(parts, games)
    assert parts.balls == whole.balls
    assert (parts.games, parts.rng_state) == (whole.games, whole.rng_state)


def test_a_stopped_work_ends_training_between_two_games_without_a_measure():
    work = parlour.Work()
    held = hats(parlour.game("tictactoe", columns=3, rows=2, line=2, misere=True))
    train(held, 300, work=work, curve=False)
    assert (work.done, work.total, held.games) == (300, 300, 300)
    balls = [list(row) for row in held.balls]
    work.stop()
    train(held, 10**8, work=work)
    assert held.games == 300
    assert [list(row) for row in held.balls] == balls
    assert held.curves == [[], []]
    assert held.boxes.truths == {}


def test_a_stopped_work_ends_a_measure():
    held, work = hats(TICTACTOE), parlour.Work()
    measure(held, 0)  # so that the truth is known already
    work.stop()
    with pytest.raises(ParlourError, match="stopped"):
        measure(held, 0, work)


def test_the_curve_has_one_point_for_as_many_games():
    held = hats(STICKS, seed=1)
    for _ in range(3):
        train(held, 0)
    train(held, 10)
    train(held, 0)
    assert [[point.games for point in curve] for curve in held.curves] == [[0, 10]] * 2


def test_measuring_on_the_way_changes_nothing():
    held = hats(STICKS, seed=1)
    train(held, 2000)
    assert [point.games for point in held.curves[0]] == sorted(
        {0, *(s * 10**p for p in range(4) for s in (10, 15, 20, 30, 50, 70) if s * 10**p <= 2000)}
    )
    assert trained(STICKS, 2000, seed=1).balls == held.balls


@pytest.mark.parametrize(
    "game",
    [
        parlour.game("tictactoe", columns=3, rows=2),
        Again(),
    ],
    ids=str,
)
@pytest.mark.parametrize(("rule", "likeliest"), [("hats", True), ("menace", False)])
def test_odds_are_those_of_playing_every_game_out(game, rule, likeliest):
    held = trained(game, 3000, rule, against="random", seed=2)

    @cache
    def fate(state, own):
        """The chances to win and to lose, by all moves of both."""
        result = game.result(state)
        if result is not None:
            return (float(result[own] > 0), float(result[own] < 0))
        moves = game.moves(state)
        if game.turn(state) != own:
            return both((1 / len(moves), fate(game.play(state, m), own)) for m in moves)
        box = held.boxes.find(state)
        balls = held.contents(0, box)
        if likeliest:
            balls = [int(b == max(balls) > 0) for b in balls]
        if not any(balls):
            return (0.0, 1.0)
        return both(
            (b / sum(balls), fate(game.play(state, held.boxes.moves(state, kind)[0]), own))
            for kind, b in enumerate(balls)
        )

    def both(parts):
        parts = list(parts)
        return (sum(c * w for c, (w, _) in parts), sum(c * lo for c, (_, lo) in parts))

    for each in compute_odds(held, 0, likeliest=likeliest):
        if each.opponent == "random":
            assert (each.win, each.loss) == pytest.approx(fate(game.start(), each.seat))
        assert each.win + each.draw + each.loss == pytest.approx(1)


def test_games_that_cannot_be_listed_are_refused_with_the_reason():
    with pytest.raises(parlour.TooLarge, match="up to 387,420,489 situations"):
        hats(parlour.game("tictactoe", columns=6, rows=3))
    with pytest.raises(parlour.TooLarge, match=r"up to about 10\^12 situations, too many"):
        hats(parlour.game("tictactoe", columns=5, rows=5))
    with pytest.raises(ParlourError, match="two players"):
        hats(parlour.game("nim", seats=3))
    with pytest.raises(ParlourError, match="500,000,000"):
        train(hats(STICKS), 10**9)
    with pytest.raises(ParlourError, match="not -1"):
        train(hats(STICKS), -1)
    with pytest.raises(ParlourError, match="menace"):
        hats(STICKS, "menac")
    with pytest.raises(ParlourError, match="another"):
        hats(STICKS, against="anyone")
