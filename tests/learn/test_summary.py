"""What is read out of hats: never more than they hold, and a proof that is one."""

import re
from collections import Counter

import pytest

import parlour
from parlour.learn.hat_set import hats
from parlour.learn.summary import (
    describe_play,
    describe_strategy,
    format_content,
    format_table,
    prove_strategy,
)
from parlour.learn.training import train


def trained(games, *, seed=1, **options):
    held = hats(parlour.game("sticks", **options), seed=seed)
    train(held, games, curve=False)
    return held


def test_hats_of_lost_positions_stay_near_where_they_began():
    """The balls of a lost position are thrown away as fast as luck brings them."""
    extra = []
    for seed in range(2):
        held = hats(parlour.game("sticks"), seed=seed)
        train(held, 100_000, curve=False)
        for sticks in (1, 5, 9, 13, 17):
            box = held.boxes.find(held.game.read(str(sticks)))
            extra.append(sum(held.contents(0, box)) - 3)
    assert sum(extra) / len(extra) < 2


def test_new_hats_say_nothing():
    said, right = describe_strategy(trained(0), 0)
    assert "nothing yet" in said[0]
    assert not right


@pytest.mark.parametrize(("take", "rule"), [(2, 3), (3, 4), (4, 5), (6, 7)])
def test_trained_hats_tell_the_rule_of_their_own_game(take, rule):
    said, right = describe_strategy(trained(200_000, take=take, sticks=30), 0)
    assert f"one more than a multiple of {rule}" in said[0]
    assert right


def test_hats_that_were_filled_otherwise_tell_otherwise():
    """The strategy is read from the balls, not from the truth."""
    held = hats(parlour.game("sticks"))
    for box in held.boxes.all():
        sticks = held.boxes.states[box][2]
        held.balls[0][held.boxes.first[box] + sticks % 3] = 50  # always leaves 2 more than 3k
    said, right = describe_strategy(held, 0)
    assert not right
    assert "a multiple of 3" in said[0]
    assert "a multiple of 4" not in " ".join(said)


def test_a_hat_that_disagrees_is_named():
    held = trained(100_000)
    box = held.boxes.find(held.game.read("7"))
    held.balls[0][held.boxes.first[box]] = 10**6
    said, right = describe_strategy(held, 0)
    assert right
    assert "Hat 7 says otherwise: it takes 1 and leaves 6." in said


def test_few_favourites_are_no_rule():
    held = hats(parlour.game("sticks"))
    for sticks in (2, 3, 4):
        held.balls[0][
            held.boxes.first[held.boxes.find(held.game.read(str(sticks)))] + sticks - 2
        ] = 9
    said, right = describe_strategy(held, 0)
    assert "not enough" in said[0]
    assert not right


def filled(balls, **options):
    """Hats in which each one holds these."""
    held = hats(parlour.game("sticks", **options))
    for box in held.boxes.all():
        for place, number in enumerate(balls, start=held.boxes.first[box]):
            held.balls[0][place] = number
    return held


def test_a_favourite_is_two_thirds_of_its_hat_and_of_six_balls():
    for balls in ([4, 1, 1], [5, 1]):
        held = filled(balls, take=len(balls))
        assert "nothing yet" not in describe_strategy(held, 0)[0][0], balls
    for balls in ([3, 1, 1], [5, 1, 2], [400, 100, 101], [4, 1]):
        held = filled(balls, take=len(balls))
        assert "nothing yet" in describe_strategy(held, 0)[0][0], balls


def rows_of(shown):
    rows = {}
    for line in shown.splitlines():
        name, *cells = [cell.strip() for cell in line.split("|")]
        rows.setdefault(name, []).extend(cells)
    return rows


def test_where_every_ball_wins_any_is_right():
    """With one stick a move, who has an even number before them wins whatever they draw."""
    rows = rows_of(format_table(trained(0, take=1, sticks=10), 0))
    assert rows["right"] == ["lost", "any"] * 5
    assert describe_play(trained(0, take=1, sticks=10), 0)[0] == "No ball can be wrong here."


def test_a_table_of_a_hundred_kinds_stays_within_its_width():
    held = trained(0, take=100, sticks=10)
    held.balls[0][held.boxes.first[0] + 8] = 90
    shown = format_table(held, 0, width=80)
    assert max(map(len, shown.splitlines())) <= 80
    rows = rows_of(shown)
    assert rows["content"][-1] == "9×90,1,2,3,4 … and 95 more"
    assert rows["likely"][-1] == "9"
    assert rows["right"] == ["lost", *map(str, range(1, 10))]


def test_the_table_holds_every_hat_with_its_balls_and_the_truth():
    held = trained(500)
    shown = format_table(held, 0, width=60)
    assert max(map(len, shown.splitlines())) <= 60
    rows = rows_of(shown)
    assert rows["hat"] == [str(n) for n in range(1, 21)]
    assert rows["right"] == ["lost" if n % 4 == 1 else str((n - 1) % 4) for n in range(1, 21)]
    for n, cell in zip(range(1, 21), rows["content"], strict=True):
        balls = held.contents(0, held.boxes.find(held.game.read(str(n))))
        counts = Counter()
        for part in cell.split(","):
            number, _, count = part.partition("×")
            counts[int(number)] += int(count or 1)
        assert [counts[number] for number in (1, 2, 3)] == balls


def test_content_as_the_seed_writes_it():
    assert format_content(["1", "2", "3"], [1, 1, 2]) == "1,2,3,3"
    assert format_content(["1", "2", "3"], [1, 812, 0]) == "1,2×812"
    assert format_content(["1"], [0]) == "empty"


@pytest.mark.parametrize("take", [1, 3, 7])
def test_the_proof_names_the_numbers_that_solving_finds_lost(take):
    game = parlour.game("sticks", sticks=15, take=take)
    solution = parlour.solve(game)
    lost = {n for n in range(1, 16) if solution.value(game.read(str(n))).outcome == "loss"}
    rule, *_, last = prove_strategy(game)
    assert rule == (
        f"Leave one more than a multiple of {take + 1}: 1, {take + 2}, {2 * take + 3}, …"
    )
    sentence = last.partition("sticks, ")[2]
    assert set(map(int, re.findall(r"\d+", sentence))) == lost


def test_the_verdict_never_rounds_to_never_or_always():
    text = "\n".join(describe_play(trained(100_000), 0))
    fares = re.search(r"drawing its balls:\n.*first,  against a random player +(.*)", text)
    assert fares
    assert fares[1] == "wins >99.9%, loses <0.1%"
