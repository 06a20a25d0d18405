"""A language model as a player: a recorded server stands for it, and its failures are counted."""

import copy
import json
import pickle
from itertools import cycle
from pathlib import Path

import pytest

import parlour
from parlour.core import IllegalMove, OutOfTime, ParlourError, describe, registry
from parlour.players import (
    EndpointRefused,
    LanguageModel,
    read_answer,
    reskin,
    write_question,
)
from tests.endpoints import Answer, endpoint, say

RECORDED = json.loads(Path(__file__).with_name("recorded_answers.json").read_text())
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


@pytest.mark.parametrize("recorded", RECORDED, ids=lambda each: each["case"])
def test_recorded_answers_are_read_as_people_read_them(recorded):
    found, player, _ = play([Answer(json.dumps(recorded["body"]).encode())])
    told = player.figures
    usage = recorded["body"]["usage"]
    assert (told.tokens_in, told.tokens_out) == (
        usage["prompt_tokens"],
        usage["completion_tokens"],
    )
    if recorded["means"] in ("illegal", "garbage"):
        assert isinstance(found, IllegalMove)
        wrong = {"illegal": told.illegal, "garbage": told.garbage}
        assert wrong == {"illegal": 0, "garbage": 0} | {recorded["means"]: 1}
    else:
        assert NIM.write_move(found) == recorded["means"]
        assert told.illegal == told.garbage == 0


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


def test_what_was_wrong_is_said_and_asked_again():
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
    assert isinstance(found, OutOfTime)
    assert (player.figures.timeouts, player.figures.requests) == (2, 2)


def test_after_a_time_out_an_answer_counts():
    players = []

    def answer(_):
        hangs = players[0].seconds < 1
        players[0].seconds = 60.0  # for the next request
        return Answer(hangs=True) if hangs else say("MOVE: 2 from 1")

    with endpoint(answer) as (url, _):
        players.append(model(url, retries=20, seconds=0.1))
        assert players[0].choose(NIM, START) == (0, 2)
    assert players[0].figures.timeouts >= 1


@pytest.mark.parametrize(
    "answer",
    [Answer(b"<html>"), Answer(b"{}"), Answer(b"\xff\xfe\x00"), Answer(b"[" * 10**5)],
    ids=["html", "no choices", "no text", "deep"],
)
def test_garbage_is_counted(answer):
    found, player, _ = play([answer], retries=1)
    assert isinstance(found, IllegalMove)
    assert player.figures.garbage == player.figures.requests == 2


def test_a_busy_server_is_given_time(monkeypatch):
    busy = Answer(b"", 429, {"Retry-After": "0"})
    monkeypatch.setattr("parlour.players.language_model.MAX_WAIT", 0.0)
    found, player, asked = play([busy, busy, say("MOVE: 2 from 1")])
    assert found == (0, 2)
    assert (len(asked), player.figures.refused) == (3, 2)


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_a_server_that_refuses_is_not_asked_again(status):
    found, _, asked = play([Answer(b'{"error": "no"}', status)], retries=5)
    assert isinstance(found, EndpointRefused)
    assert f"the error {status}: no" in str(found)
    assert len(asked) == 1


def test_a_server_that_is_not_there_is_told():
    with pytest.raises(EndpointRefused, match="cannot be reached"):
        model("http://127.0.0.1:1/v1").choose(NIM, START)


def test_a_model_is_not_waited_for_once_it_is_stopped():
    players = []

    def answer(_):
        players[0].stop()
        return Answer(hangs=True)

    with endpoint(answer) as (url, _):
        players.append(model(url))
        with pytest.raises(OutOfTime):
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


def test_answers_without_a_count_of_tokens_are_told():
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


def test_a_key_that_is_not_set_is_told_before_anything_is_asked(monkeypatch):
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


def test_a_model_plays_a_whole_game_and_wins_what_it_knows():
    """It answers by the XOR rule, read from the position in the question."""

    def answer(asked):
        lines = [line for line in asked.question.splitlines() if line.startswith("pile ")]
        piles = [int(line.split()[2]) for line in lines]
        total = piles[0] ^ piles[1] ^ piles[2]
        place = next(i for i, pile in enumerate(piles) if pile ^ total < pile)
        return say(f"MOVE: {piles[place] - (piles[place] ^ total)} from {place + 1}")

    with endpoint(answer) as (url, _):
        record = parlour.match(NIM, [model(url), parlour.bot("random", seed=3)])
    assert record.result == (1, -1)
    assert record.players[0].startswith("language-model url=http://127.0.0.1")


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
        registry.read_bot(text)
    assert registry.read_bot(text, files=True).name == "language-model"


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
