"""A language model as a player: a recorded server stands for it, and its failures are counted."""

import copy
import json
import pickle
from itertools import cycle

import pytest

import parlour
from parlour.core import BadText, IllegalMove, ParlourError, describe, referee, registry
from parlour.players import EndpointRefused, LanguageModel, reskin
from parlour.players.language_model import read_answer, write_question
from tests.endpoints import Answer, endpoint, say

NIM = parlour.game("nim")
START = NIM.start()


def model(url, **options):
    return LanguageModel(url=url, model="m", **options)


def play(answers, *, game=NIM, state=None, **options):
    """Return the move or error of a model with these answers, the model, and the requests."""
    left = cycle(answers)
    with endpoint(lambda _: next(left)) as (url, asked):
        player = model(url, **{"retries": 0, **options})
        try:
            found = player.choose(game, game.start() if state is None else state)
        except ParlourError as error:
            found = error
    return found, player, asked


ANSWERS = {  # ways in which models answer, and what a person reads in them
    "2 from 1": [
        "MOVE: 2 from 1",
        "In binary: 011, 100, 101. Their XOR is 010.\n\nSo pile 1 becomes 1.\n\nMOVE: 2 from 1",
        "Let me think.\n\n**MOVE: 2 from 1**",
        "**Move:** 2 from 1.",
        "So I play:\n\n`MOVE: 2 from 1`",
        "MOVE: 1 from 2\n\nNo, wait, that loses.\n\nMOVE: 2 from 1",
        "My final answer: take 2 from pile 1",
        "2 from 1",
        '```json\n{"reasoning": "nim-sum", "move": "2 from 1"}\n```',
        "The winning move is $\\boxed{\\text{2 from 1}}$",
        "<think>MOVE: 5 from 3? No. The sum is 2.</think>\n\nMOVE: 2 from 1",
        "MOVE: 1:2",
    ],
    "illegal": ["MOVE: 9 from 1", "I like the fourth pile.\nMOVE: 1 from 4"],
    "garbage": [
        "There are many moves, and 2 from 1 is among the good ones; so is\n1 from 2.",
        "<think>MOVE: 2 from 1 seems right, but let me check once more",
        "MOVE: e4",
        "MOVE: 2 from 1 or 1 from 2",
        "I'm sorry, but I can't help with gambling.",
        "",
    ],
}


def meaning(text):
    try:
        return NIM.write_move(read_answer(NIM, START, text))
    except IllegalMove:
        return "illegal"
    except BadText:
        return "garbage"


def test_answers_are_read_as_people_read_them():
    wrong = [
        f"{text!r} was read as {meaning(text)}, not {expected}"
        for expected, texts in ANSWERS.items()
        for text in texts
        if meaning(text) != expected
    ]
    assert not wrong, "\n".join(wrong)


def test_the_model_is_shown_rules_position_moves_and_how_to_answer():
    _, _, asked = play([say("MOVE: 2 from 1")], temperature=0.0, max_tokens=500)
    question = asked[0].question
    for part in ("Whoever takes the last coin wins.", NIM.draw(START), "player 1", "5 from 3"):
        assert part in question
    assert "MOVE:" in question
    assert {**asked[0].body, "messages": 0} == {
        "model": "m",
        "temperature": 0.0,
        "max_tokens": 500,
        "messages": 0,
    }


def test_a_wrong_answer_is_refused_with_the_reason_and_asked_again():
    answers = [say("MOVE: 9 from 1"), say("no idea\nat all"), say("MOVE: 1 from 1")]
    found, player, asked = play(answers, retries=2)
    assert found == (0, 1)
    assert (player.figures.requests, player.figures.illegal, player.figures.garbage) == (3, 1, 1)
    assert asked[1].body["messages"][-2] == {"role": "assistant", "content": "MOVE: 9 from 1"}
    assert "only 3 coins" in asked[1].body["messages"][-1]["content"]
    assert "no line 'MOVE" in asked[2].body["messages"][-1]["content"]


def test_a_model_that_never_names_a_legal_move_has_chosen_an_illegal_one():
    found, player, asked = play([say("MOVE: 9 from 1")], retries=3)
    assert isinstance(found, IllegalMove)
    assert len(asked) == player.figures.requests == player.figures.illegal == 4


def test_time_outs_are_counted():
    found, player, _ = play([Answer(hangs=True)], retries=1, seconds=0.1)
    assert isinstance(found, referee.OutOfTime)
    assert (player.figures.timeouts, player.figures.requests) == (2, 2)


def test_garbage_is_counted():
    found, player, _ = play([Answer(b"<html>"), Answer(b"\xff\xfe\x00")], retries=1)
    assert isinstance(found, IllegalMove)
    assert player.figures.garbage == player.figures.requests == 2


def test_a_busy_server_is_given_time(monkeypatch):
    busy = Answer(b"", 429, {"Retry-After": "0"})
    monkeypatch.setattr("parlour.players.language_model.MAX_WAIT", 0.0)
    found, player, asked = play([busy, busy, say("MOVE: 2 from 1")])
    assert found == (0, 2)
    assert (len(asked), player.figures.refused) == (3, 2)


def test_a_server_that_refuses_is_not_asked_again():
    found, _, asked = play([Answer(b'{"error": "no"}', 401)], retries=5)
    assert isinstance(found, EndpointRefused)
    assert "the error 401: no" in str(found)
    assert len(asked) == 1


def test_a_model_is_not_waited_for_once_it_is_stopped():
    players = []

    def answer(_):
        players[0].stop()
        return Answer(hangs=True)

    with endpoint(answer) as (url, _):
        players.append(model(url))
        with pytest.raises(referee.OutOfTime):
            players[0].choose(NIM, START)


def test_a_forced_move_is_not_asked_for():
    found, _, asked = play([say("?")], game=parlour.game("nim", piles=(1,)))
    assert found == (0, 1)
    assert asked == []


def test_the_cost_follows_from_the_prices():
    answers = [say("MOVE: 9 from 1", (1000, 200)), say("MOVE: 1 from 1", (1200, 100))]
    _, player, _ = play(answers, retries=1, price_in=3.0, price_out=15.0)
    assert player.report()["cost"] == pytest.approx((2200 * 3 + 300 * 15) / 1e6)
    assert player.report()["tokens"] == {"read": 2200, "written": 300}


def test_answers_without_a_count_of_tokens_are_reported():
    _, player, _ = play([say("MOVE: 1 from 1", None)])
    assert player.report()["tokens"]["answers without a count"] == 1


# The key


def test_the_key_comes_from_the_environment_and_stays_out_of_everything(monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk-secret\n")
    found, player, asked = play([say("MOVE: 1 from 1")], key="MY_KEY")
    assert found == (0, 1)
    assert asked[0].headers["Authorization"] == "Bearer sk-secret"
    shown = [describe(player), repr(player), json.dumps(player.report()), str(vars(player))]
    shown += [pickle.dumps(player).decode("latin-1"), asked[0].question]
    assert not any("secret" in each for each in shown)


def test_without_its_key_no_server_is_asked(monkeypatch):
    monkeypatch.delenv("MY_KEY", raising=False)
    found, _, asked = play([say("?")], key="MY_KEY")
    assert isinstance(found, EndpointRefused)
    assert "MY_KEY should hold the key" in str(found)
    assert asked == []


@pytest.mark.parametrize(
    "options",
    [
        {"key": "sk-proj-123"},
        {"url": "https://me:pw123@host/v1"},
        {"url": "https://host/v1?key=pw123"},
    ],
)
def test_a_key_in_an_option_is_refused_without_being_quoted(options):
    with pytest.raises(ParlourError) as refusal:
        LanguageModel(**options)
    assert "123" not in str(refusal.value)


# At the table


def test_in_a_tournament_it_loses_by_an_illegal_choice():
    with endpoint(lambda _: say("MOVE: 9 from 1")) as (url, _):
        found = parlour.tournament(
            NIM, [f"language-model url={url} model=m retries=0", "random"], games=2, workers=1
        )
    faults = {row["name"].split()[0]: row["faults"] for row in found.to_dict()["rows"]}
    assert [fault["fault"] for fault in faults["language-model"]] == ["illegal", "illegal"]
    assert not faults["random"]


def test_a_model_that_is_copied_asks_for_itself():
    player = model("http://127.0.0.1:1")
    player.figures.requests = 5
    for twin in (copy.deepcopy(player), pickle.loads(pickle.dumps(player))):  # noqa: S301
        assert describe(twin) == describe(player)
        assert twin.figures.requests == 0


def test_without_an_address_it_is_offered_nowhere():
    assert "language-model" not in parlour.bots(NIM)
    with pytest.raises(ParlourError, match="needs an address"):
        LanguageModel().choose(NIM, START)


@pytest.mark.parametrize("text", ["language-model", "language-model url=http://127.0.0.1:1/v1"])
def test_visitors_and_records_cannot_name_it(text):
    with pytest.raises(ParlourError, match="asks a server; name it at the command line"):
        registry.build("bots", text)
    assert registry.bot(text).name == "language-model"


# In another dress


def test_a_reskinned_model_is_shown_nothing_of_the_game_and_its_answer_is_a_move_of_it():
    skin = reskin(NIM, 5)
    for move in NIM.moves(START):
        found, _, asked = play([say(f"MOVE: {skin.write_move(move)}")], reskin=5)
        assert found == move
    assert "nim" not in asked[0].question.casefold()
    assert skin.draw(START) in asked[0].question


def test_questions_stay_short_where_there_are_millions_of_moves():
    game = parlour.game("nim", piles=(10**9, 10**9))
    question = write_question(game, game.start())
    assert "2,000,000,000 legal moves" in question
    assert len(question) < 20_000
    assert read_answer(game, game.start(), "MOVE: 123456789 from 2") == (1, 123456789)


def test_an_answer_of_empty_lines_is_read_in_one_pass():
    game = parlour.game("nim")
    for padding in ("\n", "\n ", "*\n", "move\n"):
        answer = f"well{padding * 200_000}\nMOVE: 1 from 1"
        assert read_answer(game, game.start(), answer) == (0, 1)
