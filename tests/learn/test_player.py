"""Hats at the table: they play as any bot does, may learn, and resign when a box is empty."""

import pytest

import parlour
from parlour.core import registry
from parlour.core.errors import ParlourError
from parlour.core.referee import Match, drive, teach
from parlour.learn import storage
from parlour.learn.hat_set import hats
from parlour.learn.player import HatsPlayer
from tests.learn.toys import Again
from tests.test_documents import ROOT

STICKS = parlour.game("sticks")
TICTACTOE = parlour.game("tictactoe")


def test_trained_hats_beat_a_random_player_of_sticks():
    bot = parlour.bot("hats", seed=1)
    records = [parlour.match(STICKS, [bot, parlour.bot("random", seed=s)]) for s in range(50)]
    assert all(record.result == (1, -1) for record in records)


def test_the_likeliest_ball_never_loses_tictactoe_to_perfect_play_when_it_begins():
    bot = parlour.bot("hats", likeliest=True, seed=1)
    for seed in range(20):
        other = parlour.bot("perfect", level=1 + seed % 10, seed=seed)
        assert parlour.match(TICTACTOE, [bot, other]).result != (-1, 1)


def test_hats_play_games_that_are_small_enough():
    bot = parlour.bot("hats", games=500)
    assert bot.plays(STICKS) == "trained on 500 games"
    assert bot.plays(parlour.game("othello")) == ""
    assert bot.plays(parlour.game("nim", seats=3)) == ""
    assert bot.plays(parlour.game("nim", piles=(10**9,))) == ""
    assert bot.plays(parlour.game("chopsticks", loops="barred", rules="feathers")) == ""
    assert "hats" in parlour.bots(TICTACTOE)


def naive(**how):
    return HatsPlayer(games=0, seed=3, **how)


def test_it_learns_from_a_game_only_when_it_is_let():
    for learning in (False, True):
        bot = naive(learning=learning)
        parlour.match(STICKS, [bot, parlour.bot("random", seed=1)])
        assert (bot.hats(STICKS).games == 1) == learning
        changed = max(bot.hats(STICKS).balls[0]) > 1
        assert changed == (learning and True)


def test_a_win_adds_one_ball_for_each_that_was_drawn_and_a_loss_takes_it_again():
    game = parlour.game("sticks", sticks=10)
    bot = naive(learning=True)
    match = Match(game, ["hats", "human"])
    for text in ("3", "2", "2", "2", "1"):  # 10, 7, 5, 3, 1: the other loses
        match.play(game.read_move(match.state, text))
    for state, move in match.record.replay(game):
        if move is not None and game.turn(state) == 0:
            while bot.choose(game, state) != move:
                pass
    record = match.record
    assert record.result == (-1, 1)
    held = bot.hats(game)

    def balls():
        return {n: held.contents(0, held.boxes.find(game.read(str(n)))) for n in (10, 5, 1)}

    held.learn({0: [(game.read("10"), 2), (game.read("5"), 1)]}, (1, -1))
    assert balls() == {10: [1, 1, 2], 5: [1, 2, 1], 1: [1, 1, 1]}
    bot.learn(record)
    assert balls() == {10: [1, 1, 1], 5: [1, 1, 1], 1: [1, 1, 1]}


def test_at_both_seats_it_learns_once_from_either_side():
    bot = naive(learning=True)
    record = parlour.match(STICKS, [bot, bot])
    held = bot.hats(STICKS)
    winner = record.result.index(1)
    won = [m for at, m in enumerate(record.moves) if at % 2 == winner]
    assert held.games == 1
    assert sum(held.balls[0]) == 60 + len(won)
    teach([bot], record)
    teach([bot], parlour.match(STICKS, [parlour.bot("random", seed=s) for s in (2, 3)]))
    assert (held.games, sum(held.balls[0])) == (1, 60 + len(won))  # once, and never from others


def test_it_learns_nothing_from_what_others_played_after_a_game_it_left():
    """It drew the very moves of the other in a game that was never finished."""
    game = parlour.game("sticks", sticks=10)
    perfect = parlour.bot("perfect")
    bot = naive(learning=True)
    for number in (10, 8, 7, 6, 4, 3, 2):  # all that the perfect player may meet
        state = game.read(f"{number}:1")
        while bot.choose(game, state) != perfect.choose(game, state):
            pass
    record = parlour.match(game, [perfect, bot])
    held = bot.hats(game)
    assert record.result == (1, -1)
    assert held.games == 1
    assert sum(held.tally.wins) == held.tally.wins[1] == 1  # of the other
    assert set(held.balls[0]) == {1}


def test_it_learns_nothing_where_another_move_than_its_own_was_played():
    game = parlour.game("sticks", sticks=10)
    bot = naive(learning=True)
    match = Match(game, ["hats", "human"])
    while not match.over:
        asked = bot.choose(game, match.state)
        others = [move for move in game.moves(match.state) if move != asked]
        match.play(others[0] if others else asked)
    teach([bot], match.record)
    assert bot.hats(game).games == 0


def test_a_ball_that_asks_for_too_much_is_the_one_that_is_taken_away():
    game = parlour.game("sticks", sticks=10)
    held = hats(game)
    last = held.boxes.first[held.boxes.find(game.read("1"))]
    held.balls[0][last + 2] = 10**9  # from the last stick it surely draws 3
    storage.save_hats(held, "them")
    bot = parlour.bot("hats", kept="them", learning=True)
    record = parlour.match(game, [parlour.bot("perfect"), bot])
    assert record.moves[-1] == "1"
    assert storage.load_hats("them").balls[0][last : last + 3].tolist() == [1, 1, 10**9 - 1]


def test_two_who_learn_by_one_name_add_to_the_same_hats():
    storage.save_hats(hats(STICKS), "share")
    one, two = (parlour.bot("hats", kept="share", learning=True, seed=s) for s in (1, 2))
    for seed in range(3):
        parlour.match(STICKS, [one, parlour.bot("random", seed=seed)])
        parlour.match(STICKS, [two, parlour.bot("random", seed=seed)])
    parlour.match(STICKS, [one, two])
    held = storage.load_hats("share")
    assert held.games == 8
    assert sum(held.tally.wins) == 8


def test_an_empty_box_gives_the_game_up_and_is_tallied():
    held = hats(TICTACTOE, "menace")
    for place in range(held.boxes.first[1]):
        held.balls[0][place] = 0
    storage.save_hats(held, "dry")
    bot = parlour.bot("hats", kept="dry", learning=True)
    record = parlour.match(TICTACTOE, [bot, parlour.bot("random")])
    assert record.result == (-1, 1)
    assert record.reason == "player 1 (X) resigned: its box for this position is empty"
    tally = storage.load_hats("dry").tally
    assert (tally.wins, tally.resigned, tally.ran_out_at) == ([0, 1], [1, 0], 1)


def test_it_says_why_it_does_not_play():
    bot = parlour.bot("hats")
    assert bot.why_not(STICKS) == ""
    assert "while you wait" in bot.why_not(parlour.game("nim", piles=(22, 683)))  # 5 million moves
    four = parlour.game("othello", columns=4, rows=4)
    assert bot.why_not(four).endswith(
        "train hats first: parlour train othello --columns 4 --rows 4"
    )
    assert "too many for a box each" in bot.why_not(parlour.game("othello"))
    storage.save_hats(hats(STICKS), "them")
    assert parlour.bot("hats", kept="them").why_not(parlour.game("sticks", take=4)) == (
        "they are for sticks with take=3, not with take=4"
    )


@pytest.mark.slow
def test_a_game_that_does_not_say_its_size_is_tried_before_it_is_promised():
    kayles = registry.find("games", ROOT / "examples" / "kayles.py")
    assert parlour.bot("hats").plays(kayles(pins=6)) == "trained on 100,000 games"
    assert parlour.bot("hats").plays(Again(5000)) == "trained on 100,000 games"
    assert parlour.bot("hats").plays(Again(12_000)) == ""


def test_a_stopped_preparation_leaves_no_half_trained_hats():
    bot, work = parlour.bot("hats", games=1000), parlour.Work()
    work.stop()
    bot.prepare(STICKS, work)
    assert work.done == 0
    assert bot.hats(STICKS).games == 1000  # trained anew


def test_open_shows_the_box_it_drew_from_where_it_never_moves():
    storage.save_hats(hats(TICTACTOE, against="random", starts="first"), "first")
    bot = parlour.bot("hats", kept="first", seed=1)
    replies = TICTACTOE.read("X-------- O")
    with pytest.raises(ParlourError, match="no box"):
        bot.inside(TICTACTOE, replies)
    bot.choose(TICTACTOE, TICTACTOE.start())
    assert bot.inside(TICTACTOE, replies).startswith("Box 1: tictactoe, player 1 (X) to move")


def test_kept_hats_play_their_own_game_only():
    storage.save_hats(hats(TICTACTOE), "them")
    bot = parlour.bot("hats", kept="them")
    assert bot.plays(TICTACTOE) == "trained on 0 games"
    assert bot.plays(STICKS) == ""
    with pytest.raises(ParlourError, match="for tictactoe, not for sticks"):
        bot.choose(STICKS, STICKS.start())
    with pytest.raises(ParlourError, match="no hats named 'those'"):
        parlour.bot("hats", kept="those").plays(STICKS)


def test_a_game_taken_back_is_learned_as_it_was_played_in_the_end():
    """What was drawn and then not played does not count."""
    game = parlour.game("sticks", sticks=10)
    bot = naive(learning=True)
    for _ in range(5):
        bot.choose(game, game.read("9:1"))  # never in the game below
    match = Match(game, ["hats", "random"])
    players = [bot, parlour.bot("random", seed=5)]
    for _ in drive(match, players):
        pass
    teach(players, match.record)
    held = bot.hats(game)
    assert held.contents(0, held.boxes.find(game.read("9"))) == [1, 1, 1]
