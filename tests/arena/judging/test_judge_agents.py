"""Every kind of player can be judged, and nothing that one does wrong ends the judge."""

import json
import random
import threading
from fractions import Fraction
from functools import partial
from types import SimpleNamespace

import pytest

import parlour
from parlour.arena.judging import runner
from parlour.core import IllegalMove, ParlourError, Resigns, referee

NIM = parlour.game("nim", piles=(1, 2, 3))


def first(game, state):
    return game.moves(state)[0]


class First:
    name = "first"

    def choose(self, game, state):
        return first(game, state)


class Drawing(First):
    """Draws from known chances: the first move twice as often as all others together."""

    def weights(self, game, state):
        head, *rest = game.moves(state)
        return {head: Fraction(2, 3), **dict.fromkeys(rest, Fraction(1, 3 * len(rest)))}

    def choose(self, game, state):
        raise AssertionError("one with weights need not be asked")


def count_wrong(found):
    return sum(each.wrong for each in found.findings if each.situation.is_critical)


def test_functions_objects_classes_and_names_are_agents():
    found = [parlour.judge(NIM, agent) for agent in (first, First(), First)]
    assert len({each.right for each in found}) == 1
    assert found[0].agent == "first"
    assert found[0].how == "choices"
    assert parlour.judge(NIM, "minimax depth=9").right == 1  # it sees the end of this small game
    assert parlour.judge(NIM, parlour.bot("perfect")).right == 1
    with pytest.raises(parlour.UnknownName):
        parlour.judge(NIM, "nobody")
    for thing in (None, 3, True):
        with pytest.raises(parlour.BadOption):
            parlour.judge(NIM, thing)


@pytest.mark.parametrize("name", ["minimax", "random"])
def test_an_agent_is_made_once(monkeypatch, name):
    made = []
    cls = type(parlour.bot(name))
    prepare = cls.__post_init__
    monkeypatch.setattr(cls, "__post_init__", lambda bot: made.append(bot) or prepare(bot))
    for agent in (name, cls):
        made.clear()
        parlour.judge(NIM, agent)
        assert len(made) == 1


def test_chances_are_taken_as_they_are():
    found = parlour.judge(NIM, Drawing())
    steady = parlour.judge(NIM, first)
    assert found.how == "weights"
    for one, other in zip(found.findings, steady.findings, strict=True):
        situation = one.situation
        if not situation.is_critical:
            continue
        wrong = [bool(regret) for regret in situation.regrets]
        rest = Fraction(sum(wrong[1:]), 3 * (len(wrong) - 1))
        assert one.wrong == Fraction(2, 3) * wrong[0] + rest
        assert other.wrong == wrong[0]


def test_chances_that_make_no_sense_are_faults():
    first_move = (0, 1)
    for odd in ({(9, 9): 1.0}, {first_move: -1}, {first_move: float("nan")}, {}, None):

        class Odd(First):
            def weights(self, game, state, odd=odd):
                return odd

        found = parlour.judge(NIM, Odd())
        assert found.right == 0
        assert sum(found.faults.values()) == len(found.findings)


def test_weights_are_divided_by_their_sum():
    class Counting(First):
        def weights(self, game, state):
            return dict.fromkeys(game.moves(state), 7)

    assert parlour.judge(NIM, Counting()).right == parlour.judge(NIM, "random").right


def crash(game, state):
    return 1 // 0


def failing(error):
    def choose(game, state):
        raise error

    return choose


FAULTS = {
    "crash": [crash, failing(SystemExit(1))],
    "illegal": [
        lambda game, state: (7, 7),
        lambda game, state: None,
        failing(IllegalMove("no legal move was named")),
    ],
    "resigned": [failing(Resigns("enough"))],
}


@pytest.mark.parametrize("kind", FAULTS)
def test_faults_are_counted_as_losses(kind):
    for agent in FAULTS[kind]:
        found = parlour.judge(NIM, agent)
        assert found.faults == {kind: len(found.findings)}
        assert found.right == 0
        assert found.regret == found.worst_regret == 1  # all positions of Nim that matter are won
        assert found.plies_lost is None
        assert kind in str(found)


@pytest.mark.parametrize("error", [TimeoutError("no answer"), referee.OutOfTime("too slow")])
def test_an_agent_that_is_late_again_and_again_is_not_asked_for_ever(error):
    found = parlour.judge("nim", failing(error))
    assert found.faults == {"time": 5}
    assert len(found.findings) == 5
    assert found.unasked == len(parlour.judge("nim", first).findings) - 5
    assert found.right_interval is not None


def test_a_fault_costs_what_a_loss_would():
    worth = {"win": 1, "draw": Fraction(1, 2), "loss": 0}
    found = parlour.judge("tictactoe", crash).findings
    assert all(each.regret == worth[each.situation.outcome] for each in found)
    outcomes = {each.situation.outcome for each in found}
    assert outcomes == set(worth)
    milder = [e for e in found if e.situation.outcome == "win" and max(e.situation.regrets) < 1]
    assert milder  # where no legal move would have lost


def test_thinking_longer_than_allowed_is_a_fault(monkeypatch):
    class Slow(First):
        def __init__(self):
            self.enough = threading.Event()

        def choose(self, game, state):
            assert self.enough.wait(60)  # until the judge asks for an answer
            self.enough.clear()
            return super().choose(game, state)

        def stop(self):
            self.enough.set()

    def ring_at_once(seconds, stop):
        assert seconds == pytest.approx(0.9 * 600)
        return threading.Timer(0, stop)

    monkeypatch.setattr(referee, "threading", SimpleNamespace(Timer=ring_at_once))
    assert not parlour.judge(NIM, Slow(), seconds=600, sample=1).faults
    times = iter(range(0, 1000, 3))
    monkeypatch.setattr(runner, "Timer", partial(referee.Timer, now=lambda: next(times)))
    monkeypatch.setattr(referee, "threading", threading)
    assert parlour.judge(NIM, first, seconds=2.9, sample=2).faults == {"time": 2}
    assert not parlour.judge(NIM, first, seconds=3, sample=2).faults


# Agents that draw their moves without saying how


def draw(game, state):
    return random.choice(game.moves(state))


def test_an_agent_that_draws_is_noticed_and_has_an_interval():
    found = parlour.judge("nim", draw)
    assert not found.steady
    assert "draws its moves" in str(found)
    more = parlour.judge("nim", draw, repeat=20)
    low, high = more.right_interval
    assert high - low < 0.3 * (found.right_interval[1] - found.right_interval[0])
    assert parlour.judge("nim", draw, repeat=20).right == more.right  # by the same seed
    assert parlour.judge("nim", draw, repeat=20, seed=1).right != more.right
    steady = parlour.judge("nim", first, repeat=3)
    assert (steady.steady, steady.right_interval) == (True, None)


def test_the_interval_of_an_agent_that_draws_covers_its_expectation():
    exact = parlour.judge("nim", "random").right
    found = [parlour.judge("nim", draw, repeat=10, seed=seed) for seed in range(40)]
    covered = sum(each.right_interval[0] <= exact <= each.right_interval[1] for each in found)
    assert covered >= 33  # 38 are expected, and fewer than 33 most unlikely
    mean = sum(each.right for each in found) / 40
    assert abs(mean - exact) < 4 * (exact * (1 - exact) / (39 * 10 * 40)) ** 0.5


def test_hats_are_judged_by_their_balls():
    hats = parlour.hats("sticks")
    fresh = parlour.judge("sticks", hats)
    expected = Fraction(0)
    for number in range(2, 21):
        if number % 4 == 1:
            continue  # lost, whatever is drawn
        take = (number - 1) % 4  # leaves one more than a multiple of 4
        balls = [min(ball, number) for ball in (1, 2, 3)]  # asking for too much takes all
        expected += Fraction(balls.count(take), 3)
    assert fresh.right == float(expected / 15)
    parlour.train(hats, 20_000)
    trained = parlour.judge("sticks", hats)
    assert trained.right > 0.8  # the specification: 0.82 to 0.96 after 100,000 games
    likeliest = parlour.judge("sticks", hats.player(likeliest=True))
    assert likeliest.right >= 13 / 15


# What an agent reports, answers that are kept, and stopping


def test_the_report_of_an_agent_about_itself_is_shown():
    class Reporting(First):
        asked = 0

        def choose(self, game, state):
            self.asked += 1
            return super().choose(game, state)

        def report(self):
            return {
                "questions": self.asked,
                "tokens": {"in": 10, "out": 2.5},
                "cost": "$0.04",
                "odd": object,
                "wild": float("inf"),
            }

    found = parlour.judge(NIM, Reporting())
    assert found.extra["questions"] >= len(found.findings)
    assert found.extra["tokens"] == {"in": 10, "out": 2.5}
    assert found.extra["wild"] is None
    assert isinstance(found.extra["odd"], str)
    assert json.loads(json.dumps(found.to_dict()))["report"]["cost"] == "$0.04"

    class Broken(First):
        def report(self):
            return 1 / 0

    assert "failed" in parlour.judge(NIM, Broken()).extra["report"]


def test_answers_are_kept_and_never_asked_for_again(tmp_path):
    asked = []

    def remember(game, state):
        asked.append(state)
        if len(asked) == 4:
            raise RuntimeError("lost the line")
        return first(game, state)

    file = tmp_path / "answers.jsonl"
    found = parlour.judge(NIM, remember, answers=file)
    number = len(asked)
    assert number >= len(found.findings)
    again = parlour.judge(NIM, remember, answers=file)
    assert len(asked) == number
    assert again.to_dict() == found.to_dict()
    assert again.faults["crash"] == 1
    with file.open("a") as stream:
        stream.write('{"agent": "remember", "ga')  # a line cut short
    assert parlour.judge(NIM, remember, answers=file).to_dict() == found.to_dict()
    other = parlour.judge(parlour.game("nim", piles=(1, 2, 3), misere=True), remember, answers=file)
    twice = max(1, len(other.findings) // 10)  # to see whether it draws its moves
    assert len(asked) == number + len(other.findings) + twice
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ann,\n")
    with pytest.raises(parlour.BadFile, match="does not hold answers"):
        parlour.judge(NIM, first, answers=letter)
    assert letter.read_text() == "Dear Ann,\n"


@pytest.mark.usefixtures("unconfined")
def test_a_file_that_changed_is_asked_again(tmp_path):
    bot, answers = tmp_path / "mine.py", tmp_path / "answers.jsonl"
    for place in (0, -1):
        bot.write_text(f"def choose(game, state):\n    return game.moves(state)[{place}]\n")
        known = parlour.judge(NIM, lambda game, state, place=place: game.moves(state)[place])
        assert parlour.judge(NIM, str(bot), answers=answers).right == known.right


def test_an_answer_that_was_broken_off_is_asked_for_again(tmp_path):
    work, file = parlour.Work(), tmp_path / "answers.jsonl"

    def hurry(game, state):
        if len(file.read_text().splitlines()) == 3:
            work.stop()
        return game.moves(state)[-1 if work.stopped else 0]

    stopped = parlour.judge(NIM, hurry, answers=file, work=work)
    assert stopped.unasked > 0
    with pytest.raises(parlour.Unsolved, match="stopped"):
        parlour.judge(NIM, hurry, work=work)
    work = parlour.Work()
    found = parlour.judge(NIM, hurry, answers=file)
    assert all(each.answer.moves == {each.situation.moves[0]: 1} for each in found.findings)


def test_a_position_that_a_sample_repeats_is_asked_about_once(tmp_path):
    game = parlour.game("chopsticks", loops="barred")  # positions are drawn from random games
    file = tmp_path / "answers.jsonl"
    found = parlour.judge(game, first, sample=30, answers=file)
    positions = [game.write(each.situation.state) for each in found.findings]
    assert len({*positions}) < len(positions)
    answers = [json.loads(line) for line in file.read_text().splitlines()]
    assert [each["number"] for each in answers].count(0) == len({*positions})


def test_checkpoints_make_a_curve():
    curve = parlour.judge("sticks", {"0": "random", "1": "perfect level=5", "2": "perfect"})
    assert list(curve) == ["0", "1", "2"]
    assert len(curve) == 3
    shares = [curve[label].right for label in curve]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert [each["agent"] for each in curve.to_dict()["checkpoints"]] == ["0", "1", "2"]
    frame = curve.to_frame()
    assert list(frame["label"]) == ["0", "1", "2"]
    assert list(frame["right"]) == shares
    with pytest.raises(parlour.BadOption):
        parlour.judge("sticks", {})


def test_arguments_are_checked():
    for wrong in ({"sample": 0}, {"repeat": 0}, {"seconds": 0}, {"seed": "x"}, {"answers": 3}):
        with pytest.raises(parlour.BadOption):
            parlour.judge(NIM, first, **wrong)
    for several in ([], ["random", "perfect"]):
        with pytest.raises(parlour.BadOption, match="one agent, or a mapping of labels"):
            parlour.judge(NIM, several)


# Bots in files


@pytest.mark.usefixtures("unconfined")
def test_a_bot_in_a_file_answers_all_questions_from_one_sandbox(tmp_path):
    bot = tmp_path / "counting.py"
    bot.write_text(
        """asked = 0
def choose(game, state):
    global asked
    asked += 1
    if asked == 7:
        raise ValueError('seven')
    return 'nonsense' if asked == 5 else game.moves(state)[0]
"""
    )
    found = parlour.judge("nim", str(bot))
    assert found.faults == {"illegal": 1, "crash": 1}  # it went on counting
    wrong = {each.answer.reason for each in found.findings if each.answer.faults}
    assert any("seven" in reason for reason in wrong)
    steady = parlour.judge("nim", first)
    assert count_wrong(found) - count_wrong(steady) in (0, 1, 2)


DYING = """#!/bin/sh
while read line; do case "$line" in
*'"start"'*) echo '{"type": "ready"}';;
*'"3 from 3"'*) END;;
*) m=${line#*moves*: [?}; echo "{\\"type\\": \\"move\\", \\"move\\": \\"${m%%\\"*}\\"}";;
esac; done
"""


@pytest.mark.usefixtures("unconfined")
def test_a_program_that_ends_or_hangs_is_started_again(tmp_path):
    bot = tmp_path / "dying.sh"
    bot.write_text(DYING.replace("END", "exit 3"))
    bot.chmod(0o755)
    found = parlour.judge(NIM, str(bot))
    dead = [each for each in found.findings if (2, 3) in each.situation.moves]
    assert 0 < len(dead) < len(found.findings)
    assert found.faults == {"crash": len(dead)}
    steady = parlour.judge(NIM, first).findings
    for one, other in zip(found.findings, steady, strict=True):
        assert one in dead or one.wrong == other.wrong
    bot.write_text(DYING.replace("END", "kill -9 $$"))
    with pytest.raises(ParlourError, match="the process of dying was lost 3 times"):
        parlour.judge(NIM, str(bot))
    bot.write_text('#!/bin/sh\nread line; echo \'{"type": "ready"}\'; exec sleep 600\n')
    work = parlour.Work()
    threading.Timer(0.1, work.stop).start()
    with pytest.raises(parlour.Unsolved, match="stopped"):  # it is not waited for
        parlour.judge(NIM, str(bot), seconds=3600, work=work)


@pytest.mark.usefixtures("unconfined")
def test_a_file_that_cannot_be_loaded_is_refused_with_the_reason(tmp_path):
    bot = tmp_path / "misprint.py"
    bot.write_text("LEVELS = rnage(3)\ndef choose(game, state):\n    return None\n")
    with pytest.raises(ParlourError, match="could not start: NameError"):
        parlour.judge(NIM, str(bot))
    bot = tmp_path / "fine.py"
    bot.write_text("def choose(game, state):\n    return game.moves(state)[0]\n")

    class Mine(type(NIM)):
        pass

    with pytest.raises(ParlourError, match="file"):
        parlour.judge(Mine(piles=(1, 2)), str(bot))
