"""Language models judged: a server on this machine stands for one that knows the truth, or not."""

import json
import re

import pytest
from tests.endpoints import Answer, endpoint, say

import parlour
from parlour.core import ParlourError, Work
from parlour.faces.cli import main
from parlour.players import reskin
from parlour.truth import solve_once

GAME = parlour.game("nim", piles=(3, 4))
SEED = 9


def legal(asked):
    """The legal moves as the question lists them."""
    return re.search(r"The legal moves are: (.*)\.$", asked.question, re.MULTILINE)[1].split(", ")


def read_state(asked):
    """The position that the question shows."""
    rows = re.findall(r"^pile \d +(\d+)", asked.question, re.MULTILINE)
    turn = int(re.search(r"You are player (\d)", asked.question)[1])
    return GAME.read(f"{','.join(rows)}:{turn}")


def know(asked):
    """Answer with a best move, as one who knows the game by its name."""
    if "nim" not in asked.question.casefold():
        return say(f"MOVE: {legal(asked)[0]}")
    state = read_state(asked)
    return say(f"MOVE: {GAME.write_move(solve_once(GAME).best(state)[0])}")


def judge(url, agent="", game=GAME, **how):
    return parlour.judge(game, f"language-model url={url} model=m {agent}", **how)


def test_a_model_that_knows_the_game_is_always_right():
    with endpoint(know) as (url, asked):
        found = judge(url, "price_in=2 price_out=10")
    assert found.right == 1
    assert found.regret == 0
    assert found.extra["requests"]["choices"] == len(asked)
    assert found.extra["tokens"] == {"read": 100 * len(asked), "written": 10 * len(asked)}
    assert found.extra["cost"] == pytest.approx(len(asked) * (100 * 2 + 10 * 10) / 1e6)


def test_memory_of_the_name_does_not_help_in_other_words():
    """The answers in other words are those of a player of the first move that is listed."""
    with endpoint(know) as (url, _):
        plain, other = judge(url), judge(url, f"reskin={SEED}")
    skin = reskin(GAME, SEED)
    blind = parlour.judge(GAME, lambda game, state: skin.moves(state)[0])
    assert plain.right == 1
    assert (other.right, other.regret) == (blind.right, blind.regret)
    assert other.right < 1
    assert plain.compare(other).right == pytest.approx((1, blind.right))


@pytest.mark.slow
def test_illegal_answers_time_outs_and_garbage_are_faults_and_never_crash():
    answers = {
        "illegal": say("MOVE: 9 from 1"),
        "garbage": say("What is this?\nI give no move."),
        "late": Answer(hangs=True),
        "broken": Answer(b"\xff{"),
    }
    for kind, answer in answers.items():
        late = kind == "late"
        with endpoint(lambda _, sent=answer: sent) as (url, _):
            found = judge(url, f"retries=0 seconds={0.1 if late else 600}", sample=3)
        assert found.faults == {"time" if late else "illegal": 3}
        assert found.right == 0
        requests = found.extra["requests"]
        counted = {
            "illegal answers": kind == "illegal",
            "unreadable answers": kind in ("garbage", "broken"),
            "time-outs": late,
        }
        for label, counts in counted.items():
            assert (requests[label] >= 3) == counts


def test_answers_are_asked_for_and_paid_once(tmp_path):
    path = tmp_path / "answers.jsonl"
    with endpoint(know) as (url, asked):
        first = judge(url, answers=path)
        second = judge(url, "price_in=1", answers=path)
    assert first.right == second.right == 1
    for found in (first, second):
        assert found.extra["requests"]["requests"] == len(asked)


def test_a_model_that_is_waited_for_is_left_at_once_when_the_work_is_stopped():
    work = Work()

    def answer(_):
        work.stop()
        return Answer(hangs=True)

    with endpoint(answer) as (url, _), pytest.raises(ParlourError, match="stopped before"):
        judge(url, "seconds=3600", work=work)


def test_a_server_that_refuses_ends_it_with_what_was_answered():
    count = []

    def answer(asked):
        count.append(asked)
        return know(asked) if len(count) <= 4 else Answer(b'{"error": "no credit"}', 402)

    with endpoint(answer) as (url, _):
        found = judge(url)
    assert 0 < len(found.findings) <= 4
    assert found.right == 1
    assert "the error 402: no credit" in found.extra["ended early"]


def test_a_wrong_key_is_an_error_and_not_a_wrong_choice():
    refusal = Answer(b'{"error": {"message": "bad key"}}', 401)
    with endpoint(lambda _: refusal) as (url, asked), pytest.raises(ParlourError, match="bad key"):
        judge(url)
    assert len(asked) == 1


# The command


def test_the_command_compares_a_model_with_itself_in_other_words(capsys, tmp_path):
    page = tmp_path / "page.html"
    with endpoint(know) as (url, _):
        agent = f"language-model url={url} model=m price_in=3"
        flags = ["--agent", agent, "--reskin", str(SEED), "--html", str(page)]
        assert main(["judge", "nim", "--piles", "3,4", *flags, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    plain, other = data["judgements"]
    assert plain["right"] == 1 > other["right"]
    assert data["comparison"]["right"] == pytest.approx([1, other["right"]])
    assert plain["report"]["cost"] > 0
    assert (plain["agent"], other["agent"]) == ("m", f"m, reskinned by {SEED}")
    assert "illegal answers" in page.read_text(encoding="utf-8")
    assert url not in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        (["--agent", "random", "--reskin", "1"], "one language model with itself, not 'random'"),
        (["--reskin", "1"], "as in --agent 'language-model"),
        (["--agent", "random", "--unusual", "1", "--misere"], "leave them out"),
        (["--agent", "language-model"], "language-model does not play"),
    ],
)
def test_flags_that_do_not_go_together_are_refused(capsys, flags, reason):
    assert main(["judge", "nim", *flags]) == 2
    assert reason in capsys.readouterr().err


def test_the_command_draws_an_unusual_variant(capsys):
    assert main(["judge", "nim", "--unusual", "3", "--agent", "perfect", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["options"] != parlour.core.values(parlour.game("nim"))
    assert data["judgements"][0]["right"] == 1
