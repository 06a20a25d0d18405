"""Benedict through `reply` alone: what the first program promised, and that he keeps it."""

from __future__ import annotations

import itertools
import random
import re
import time

import pytest

import parlour
from parlour.core.errors import BadText
from parlour.core.options import values
from parlour.engine.endgame import empties
from parlour.host import Reply, Session, greeting, reply
from parlour.host.session import Table
from parlour.host.table.state import load_game, load_match
from parlour.learn import player
from tests.conftest import LONG


def talk(*lines, session=None):
    """The last reply after these lines."""
    last = Reply(session or Session(seed=1), ())
    for line in lines:
        last = reply(last.session, line)
    return last


# What the first program said


@pytest.mark.parametrize("line", ["hello", "HELLO", "Hello!", "hElLo"])
def test_hello_is_answered(line):
    assert talk(line).lines == ("Hello",)


@pytest.mark.parametrize("line", ["asdf qwer zxcv", "%%%", "", "    ", "\x00\x01", "日本語"])
def test_what_he_cannot_interpret(line):
    assert talk(line).lines[0] == "I don't understand"


@pytest.mark.parametrize(
    "line", ["let's have a conversation", "LET'S TALK", "Let’s have a conversation"]
)
def test_a_conversation_begins_with_a_question(line):
    last = talk(line)
    assert last.lines == ("Okay, what do you want to talk about?",)
    assert last.session.mode == "talk"


def test_done_leaves_the_talk_and_a_game_can_follow():
    last = talk("let's talk", "whales", "done")
    assert last.session.mode == "chat"
    assert (
        talk("game", session=last.session)
        .lines[0]
        .startswith("Which one: nim, chopsticks or othello?")
    )


@pytest.mark.parametrize(
    "before", [[], ["let's talk"], ["let's talk", "whales"], ["game"], ["nim"]]
)
def test_goodbye_ends_the_program_anywhere_in_conversation(before):
    last = talk(*before, "goodbye")
    assert last.over
    assert last.lines == ("Goodbye",)


def test_in_a_game_kill_ends_it_and_goodbye_does_not():
    last = talk("chopsticks", "goodbye")
    assert not last.over
    assert "kill" in last.lines[0]
    assert talk("kill", session=last.session).over
    assert talk("leave", session=last.session).session.mode == "chat"


@pytest.mark.parametrize(
    ("line", "game"),
    [
        ("i would so like to play some nim with you", "nim"),
        ("Chopsticks!", "chopsticks"),
        ("maybe othello", "othello"),
        ("sticks", "sticks"),
        ("noughts and crosses then", "tictactoe"),
    ],
)
def test_any_name_of_a_game_in_any_sentence_chooses_it(line, game):
    session = talk(line).session
    assert (session.table.game if session.table else session.wished["game"]) == game


# Set-up


def test_nim_is_set_up_by_question_and_answer():
    session = talk("nim", "0").session
    assert session.mode == "setup"
    last = talk("2", "0", "0", session=session)
    assert "coin somewhere" in last.lines[0]
    last = talk("1", "1", session=last.session)
    assert last.session.table.options["piles"] == [1, 1]


def test_he_begins_at_nim_exactly_when_the_nim_sum_is_not_zero():
    for piles in itertools.product(range(4), repeat=3):
        if any(piles):
            table = talk(f"nim with {piles[0]}, {piles[1]} and {piles[2]}").session.table
            begins = table.players[0] != "human"
            assert begins == (piles[0] ^ piles[1] ^ piles[2] != 0), piles


def test_he_says_beforehand_whether_he_can_be_beaten():
    assert (
        "I can be beaten here, if you make no mistake."
        in talk("nim with 3, 4 and 5, misère, I start").lines
    )
    assert (
        "I cannot be beaten here, whatever you do."
        in talk("nim with 3, 4 and 5, misère, you start").lines
    )
    assert "I can be beaten here, if you make no mistake." in talk("chopsticks, you begin").lines


def test_othello_asks_who_begins():
    assert talk("othello").lines == ("Would you like to go first or second?",)
    assert talk("othello", "second").session.table.players == ("benedict", "human")
    assert talk("othello", "first").session.table.players == ("human", "benedict")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("nim with 0 and 0", "coin"),
        ("nim with 70 piles of 3", "piles"),
        ("sticks with 5", "sticks"),
        ("tic tac toe on a 3 by 3 board, 7 in a row", "line"),
        ("chess vs minimax", "chess"),
        ("othello against standard, I start", "does not play this"),
    ],
)
def test_what_cannot_be_set_up_is_refused_with_the_reason(line, reason):
    last = talk(line)
    assert reason in " ".join(last.lines)
    assert last.session.table is None
    assert last.session.mode == ("talk" if "chess" in line else "setup")


# He never loses the first program's nim and chopsticks


def positions_against(session):
    """Every session that can arise, whatever the person plays; with the result of each end."""
    seen, ahead = set(), [session]
    while ahead:
        now = ahead.pop()
        match = load_match(now.table)
        key = (match.turn, match.game.write(match.state))
        if key in seen:
            continue
        seen.add(key)
        for move in match.game.moves(match.state):
            after = reply(now, match.game.write_move(move))
            if after.session.table.result is None:
                # The way here does not matter to him, so a position stands for all ways to it.
                ahead.append(after.session)
            else:
                yield after


def test_he_never_loses_chopsticks_whatever_the_person_plays():
    session = talk("chopsticks").session
    assert session.table.players == ("human", "benedict")
    ends = list(positions_against(session))
    assert len(ends) > 5
    for end in ends:
        assert end.session.table.result == (-1, 1)
        assert "I win." in end.lines


@pytest.mark.parametrize("piles", [(3, 4, 5), (1, 2, 3), (2, 2), (5,), (1, 1, 1, 1), (4, 4, 2)])
def test_he_never_loses_nim_whatever_the_person_plays(piles):
    session = talk(f"nim with piles {' '.join(map(str, piles))}").session
    if session.table.result is not None:
        assert session.table.result == (1, -1)
        return
    seat = session.table.players.index("benedict")
    for end in positions_against(session):
        assert end.session.table.result[seat] == 1


def test_he_never_loses_scripted_games_of_nim():
    lots = random.Random(1)
    for _ in range(2000 if LONG else 150):
        piles = [lots.randrange(8) for _ in range(lots.randrange(1, 5))] + [1]
        last = talk(f"nim with piles {' '.join(map(str, piles))}")
        while last.session.mode == "game":
            match = load_match(last.session.table)
            move = lots.choice(match.game.moves(match.state))
            last = reply(last.session, match.game.write_move(move))
        assert "I win." in last.lines


# In a game


def test_a_game_of_each_kind_is_played_to_its_end_in_conversation():
    lots = random.Random(2)
    for line in ("nim with 3 4 5", "sticks", "chopsticks", "tic tac toe", "othello, I start"):
        last = talk(line)
        for _ in range(100):
            if last.session.mode != "game":
                break
            match = load_match(last.session.table)
            last = reply(
                last.session, match.game.write_move(lots.choice(match.game.moves(match.state)))
            )
        assert last.session.table.result is not None, line
        assert last.lines[-1] == "Shall we play again?"
        again = reply(last.session, "yes")
        assert again.session.mode == "game"
        assert load_game(again.session.table) == load_game(last.session.table)


def test_undo_and_redo_lead_back_and_forth():
    first = talk("sticks", "2").session
    second = talk("1", session=first).session
    back = talk("undo", session=second).session
    assert back.table.moves == first.table.moves
    assert talk("redo", session=back).session.table.moves == second.table.moves
    assert "nothing" in talk("sticks", "undo").lines[0].casefold()


def test_a_game_put_aside_is_gone_on_with():
    session = talk("sticks", "2").session
    saved = talk("save", session=session).session
    assert saved.table is None
    again = Session.from_json(saved.to_json())
    assert talk("resume", session=again).session.table.moves == session.table.moves


def test_swapping_sides_hands_over_the_position():
    session = talk("sticks with 12").session
    swapped = talk("swap sides", session=session).session
    assert swapped.table.players[1] == "human"
    assert len(swapped.table.moves) == 1


def test_a_hint_is_a_best_move_and_what_if_tells_the_swing():
    last = talk("sticks with 15", "hint")
    assert last.lines[0] == "Play 2."
    last = talk("what if I take 1", session=last.session)
    assert "loss" in " ".join(last.lines)
    assert last.session.table.moves == ()


def late_othello(left):
    """A session with an Othello against himself, the person to move and so many squares empty."""
    game = parlour.game("othello")
    for seed in range(100):
        lots, state, moves = random.Random(seed), game.start(), []
        while game.moves(state) and empties(game, state) > left:
            move = lots.choice(game.moves(state))
            moves.append(game.write_move(move))
            state = game.play(state, move)
        if len(game.moves(state)) > 2 and game.turn(state) == 0:
            table = Table("othello", values(game), ("human", "benedict"), tuple(moves))
            return Session(seed=1, table=table, mode="game"), game, state
    raise AssertionError("no such position in 100 games")


def most_discs(game, state):
    """The best the mover can reach, by plain minimax."""
    if not game.moves(state):
        return game.score(state) if game.turn(state) == 0 else -game.score(state)
    return max(-most_discs(game, game.play(state, move)) for move in game.moves(state))


def test_near_the_end_of_othello_a_hint_is_a_move_with_most_discs_and_says_how_many():
    session, game, state = late_othello(6)
    left = {game.write_move(m): -most_discs(game, game.play(state, m)) for m in game.moves(state)}
    best = max(left.values())
    said = talk("hint", session=session).lines
    move = re.fullmatch(r"Play (\w\d)\.", said[0])[1]
    assert left[move] == best
    comes_to = f"It {'wins' if best > 0 else 'loses'} by {abs(best)} discs."
    assert said[1] == (comes_to if best else "It ends level.")
    winner = "you win" if best > 0 else "I win"
    standing = talk("who is winning?", session=session).lines
    assert (f"When both play for discs, {winner} by {abs(best)} discs." in standing) == bool(best)


def test_eighteen_squares_from_the_end_he_knows_and_before_that_he_says_how_far_he_looked():
    session, *_ = late_othello(18)
    known = " ".join(talk("who is winning?", session=session).lines)
    assert "don't know" not in known
    assert "≈" not in known + " ".join(talk("hint", session=session).lines)
    session, game, state = late_othello(30)
    said = talk("who is winning?", session=session).lines
    assert said[0] == (
        "I don't know for certain: 30 squares are empty, and I solve only the last 18."
    )
    assert said[2].startswith("I looked 10 moves ahead")
    assert "≈" in said[2]
    hint = talk("hint", session=session).lines
    move = re.fullmatch(r"I would play (\w\d): ≈ ([+−]\d+|0) discs? for you\.", hint[0])[1]
    assert game.read_move(state, move) in game.moves(state)
    assert hint[1].startswith("It is an estimate (≈): I looked 10 moves ahead")
    assert talk("hint", session=session).lines == hint  # whenever he is asked


def test_easier_and_harder_go_up_and_down_the_ladder():
    session = talk("sticks", "easier").session
    assert session.table.players == ("human", "perfect level=9")
    assert talk("harder", session=session).session.table.players == ("human", "perfect")
    assert talk("level 3", session=session).session.table.players == ("human", "perfect level=3")


def test_a_forced_pass_is_played_for_the_person_and_announced():
    game = parlour.game("othello")
    position = "--XXXXOXXXXXXOOXXOXOOOOXXOXOOOOXXOOOXOOXXOXOOXOXXOOOOOXXXOOXXXXX X"
    assert game.write_move(game.moves(game.read(position))[0]) == "pass"
    lots = random.Random(0)
    for _ in range(300):
        last = talk("othello against random, I start")
        while last.session.mode == "game":
            match = load_match(last.session.table)
            assert match.game.write_move(match.game.moves(match.state)[0]) != "pass"
            text = match.game.write_move(lots.choice(match.game.moves(match.state)))
            last = reply(last.session, text)
            if "You have no move and pass." in last.lines:
                return
    raise AssertionError("no pass in 300 games")


def test_after_the_end_one_may_ask_why_take_back_and_play_again():
    over = talk("sticks with 10", "resign").session
    assert over.mode == "chat"
    assert (
        talk("why?", session=talk("sticks with 10", "3", "resign").session)
        .lines[0]
        .startswith("I played")
    )
    assert "I don't understand" not in talk("board", session=over).lines
    assert talk("rematch", session=over).session.mode == "game"
    back = talk("undo", session=talk("sticks with 10", "1", "resign").session)
    assert back.session.mode == "game"
    assert back.session.table.moves == ()


def test_who_plays_a_bot_by_name_is_not_made_to_watch():
    table = talk("othello, despacito opening, against despacito, i go first").session.table
    assert table.players == ("human", "despacito")


def test_another_game_or_a_talk_puts_the_present_game_aside_and_says_so():
    for line in ("game", "let's have a conversation"):
        last = talk("sticks with 12", "2", line)
        assert last.session.saved.game == "sticks"
        assert "resume" in last.lines[0]
    assert talk("sticks", "is chess a game?").session.mode == "game"


def test_the_history_tells_who_moved_also_after_sides_were_swapped():
    lines = talk("sticks with 12", "2", "swap sides", "history").lines
    assert lines[0] == "1. you: 2"
    assert [line.split()[1] for line in lines] == ["you:", "I:", "I:"]


def test_a_rematch_keeps_who_began():
    last = talk("tic tac toe, you begin", "resign", "yes")
    assert last.session.table.players[1] == "human"


def test_at_a_lower_level_he_promises_nothing():
    last = talk("nim with 1 2 3, level 1, you start")
    assert not any("cannot be beaten" in line for line in last.lines)
    assert any("err" in line for line in last.lines)


@pytest.mark.parametrize(
    "line",
    [
        *("don't resign", "never surrender", "should I resign?", "what if I resign"),
        *("what happens if I resign", "what does kill do", "does kill lose my game?"),
        *("i don't want to leave", "can I leave?", "how do I save?", "what does swap do?"),
        *("good game", "I hate this game", "is this a hard game?"),
    ],
)
def test_what_is_only_asked_or_refused_is_not_done(line):
    before = talk("nim with 3 5 7").session
    after = reply(before, line).session
    assert (after.mode, after.table, after.over) == ("game", before.table, False)


def test_reasons_name_who_moved_also_when_it_is_a_bot():
    lines = talk("sticks with 13 against hats", "2", "why").lines
    assert lines[0] == "Hats played 2."
    assert "whatever you take, up to 3, hats completes it to 4" in lines[-1]


def test_hats_are_trained_once_for_all_their_moves(monkeypatch):
    trained = []
    monkeypatch.setattr(player, "train", lambda held, games, **_: trained.append(games))
    first = talk("sticks with 31 against hats", "1", "1", "open the hats", "1")
    assert trained == [100_000]
    assert talk("sticks with 31 against hats", "1", "1", "1").session.table == first.session.table


def test_taking_back_undoes_a_swap_made_since():
    last = talk("chopsticks", "hit left left", "swap sides", "undo")
    assert last.session.table.players == ("human", "benedict")
    assert last.session.table.moves == ()
    assert talk("split 0 2", "history", session=last.session).lines[0] == "1. you: split 0 2"


def test_names_are_not_mended_into_words():
    for name in ("Zoe", "Tim", "Leo", "Noah", "Lou"):
        assert not talk(f"my name is {name}").lines[0].startswith("(I read")
    assert "hats" not in " ".join(talk("sticks", "tell me about cats").lines)


def test_after_the_end_nothing_untrue_is_said():
    over = talk("sticks with 10", "resign").session
    assert talk("who is winning", session=over).lines == ("It is over. You resign; I win.",)
    assert talk("board", session=over).lines == ("It is over.",)
    assert "over" in talk("hint", session=over).lines[0]


def test_resume_in_a_game_exchanges_the_two():
    session = talk("sticks with 12", "save", "tic tac toe", "resume").session
    assert session.table.game == "sticks"
    assert session.saved.game == "tictactoe"


def test_resigning_is_told_in_the_first_person():
    assert "You resign; I win." in talk("sticks", "resign").lines


# Sessions are values


def test_a_session_survives_its_json_at_any_moment():
    last = Reply(Session(seed=4), ())
    for line in ("hello", "my name is Ann", "let's talk about whales", "they sing", "why", "done",
                 "nim", "3", "2", "3", "4", "undo", "save", "resume", "leave"):  # fmt: skip
        last = reply(last.session, line)
        assert Session.from_json(last.session.to_json()).to_json() == last.session.to_json()
        assert reply(last.session, "board") == reply(last.session, "board")


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"mode": 3}', '{"spy": 1}', '{"table": {}}', "null"]
)
def test_what_is_no_session_is_refused(text):
    with pytest.raises(BadText):
        Session.from_json(text)


def test_greeting_names_who_came_back_and_the_game_put_aside():
    session = talk("my name is Ann", "sticks", "save").session
    told = " ".join(greeting(session).lines)
    assert "Ann" in told
    assert "resume" in told


# Garbage

PIECES = (
    *(
        "nim",
        "take",
        "2",
        "from",
        "pile",
        "hit",
        "left",
        "right",
        "split",
        "d3",
        "a1",
        "why",
        "undo",
    ),
    *("redo", "no", "yes", "game", "whales", "save", "resume", "hint", "-1", "99999999999999", "0"),
    *(
        "who",
        "wins",
        "what",
        "if",
        "leave",
        "othello",
        "swap",
        "sides",
        "harder",
        "my",
        "name",
        "is",
    ),
    *("é", "日本", "\x00", "\x1b[31m", "'", '"', "%s", "{}", "\\", "<b>", "🎩", "\u202e", "İ", "ß"),
    *("perfect", "against", "minimax", "watch", "level", "3", "4", "5", "misère", "you", "start"),
)
ODD = '\x00\x1b\x7f\x9b\u2028\u202e\ufeff½²٣Ⅻﬁ日本éßİſ🎩👩({[<>|\\`~^$#@&%*+=_;:"?!.,-0123456789'
LONG_LINES = (
    *("x" * 100_000, "take 2 " * 20_000, "\n" * 1000, "9" * 5000, "(" * 10_000, ", " * 5000),
    *("what if " * 1200, "my " * 3000, "the difference between " * 400, "2 from 3 and " * 900),
)
STATES = (
    *([], ["game"], ["let's talk"], ["let's talk", "dogs"], ["let's talk", "zzyzx"], ["nim"]),
    *(["nim", "2"], ["nim with 3 4 5"], ["nim with 3 4 5", "ok fine you win, i give up"]),
    *(["sticks"], ["chopsticks"], ["tic tac toe"], ["othello"], ["othello", "first"]),
    *(["tic tac toe on an 8 by 8 board"], ["sticks against hats"], ["sticks with 10", "resign"]),
    *(["my name is Ann"], ["let's talk", "my dog is called Rex"], ["nim, 9 piles of 900000000"]),
)
SECONDS = 0.2  # of processor time that a reply may take once everything is loaded


def make_garbage(lots):
    """A line that nobody means: words he knows, odd characters, or very many of something."""
    kind = lots.randrange(20)
    if kind == 0:
        return lots.choice(LONG_LINES)
    if kind < 4:
        letters = ODD + "abcdefghijklmnopqrstuvwxyz     "
        return "".join(lots.choice(letters) for _ in range(lots.randrange(400)))
    if kind < 7:
        word = lots.choice(PIECES) + lots.choice(PIECES)
        return "".join(lots.sample(word, len(word)))
    return " ".join(lots.choice(PIECES) for _ in range(lots.randrange(6)))


def measure(session, line):
    """The reply to a line, and the processor time that it took."""
    began = time.thread_time()
    last = reply(session, line)
    return last, time.thread_time() - began


def test_nothing_that_is_typed_breaks_him():
    lots = random.Random(3)
    starts = [talk(*state).session for state in STATES]
    session = starts[0]
    for number in range(20_000 if LONG else 300):
        session = starts[number % len(starts)] if number % 7 == 0 else session
        line = make_garbage(lots)
        last, seconds = measure(session, line)
        if seconds > SECONDS and last.session.last.intent != "watch":  # which is a whole game
            _, seconds = measure(session, line)  # the first of a kind loads something
            assert seconds < SECONDS, (line[:60], session.mode)
        assert isinstance(last, Reply)
        assert last.lines
        assert all(isinstance(each, str) for each in last.lines), line[:80]
        session = starts[0] if last.over else last.session


@pytest.mark.parametrize("state", STATES, ids=" ".join)
def test_a_jumble_of_symbols_changes_nothing(state):
    before = talk(*state).session
    letters = [chr(code) for code in range(32, 127)]
    for seed in range(30):
        lots = random.Random(seed)
        line = "".join(lots.choice(letters) for _ in range(100))
        after = reply(before, line).session
        assert (after.table, after.wished, after.over) == (before.table, before.wished, False), line


def test_a_table_from_elsewhere_that_cannot_be_is_told_and_left():
    session = Session(
        mode="game", table=Table("nim", {"piles": [1]}, ("human", "perfect"), ("9 from 9",))
    )
    last = reply(session, "hint")
    assert last.session.mode == "chat"


# A question beside other sentences


def test_a_question_after_a_remark_is_answered_as_it_would_be_alone():
    alone = talk("What are the rules of Nim?")
    assert talk("That's not quite what I asked. What are the rules of Nim?").lines == alone.lines


def test_a_question_beside_numbers_starts_no_game():
    last = talk("Right, that leaves 2, 3 and 1. Could you define nim-sum in one sentence?")
    assert last.session.table is None
    assert "binary" in " ".join(last.lines)


def test_a_move_before_a_question_is_played_first():
    last = talk("nim 3 4 5, I start", "I take 2 from pile 1. Who is winning?")
    assert last.session.table.moves[0] == "2 from 1"
    assert "win" in last.lines[-1]


def test_a_question_after_dismay_takes_nothing_back():
    before = talk("othello, I start", "d3")
    last = talk("Oh no, you took so many! Do you speak Portuguese?", session=before.session)
    assert last.session.table == before.session.table


def test_a_move_like_the_one_before_is_played():
    last = talk("sticks with 20, I start", "3", "I take 3 again")
    assert last.session.table.moves[2] == "3"


def test_a_game_that_was_named_is_what_that_means():
    last = talk("Sticks sounds harmless. How does one play it?", "Good, then let us play that.")
    assert last.session.table.game == "sticks"


def test_a_wish_to_play_after_no_is_no_refusal():
    assert talk("no no, I want to play. chopsticks").session.table.game == "chopsticks"
    assert talk("so are we playing or not").session.question == "offer"
    assert talk("I don't want to play").session.question != "offer"


@pytest.mark.parametrize("answer", ["yes", "Yes, bye bye, see you tomorrow!"])
def test_whoever_parts_in_a_game_is_asked_and_the_game_is_put_aside(answer):
    asked = talk("othello, I start", "d3", "I have to go now")
    assert not asked.over
    parted = talk(answer, session=asked.session)
    assert parted.over
    assert parted.session.saved is not None


@pytest.mark.parametrize(
    "line", ["Goodbye, and thanks for the game.", "ok my mom says dinner is ready, bye benedict!"]
)
def test_a_whole_farewell_in_a_game_puts_it_aside_and_parts(line):
    parted = talk("othello, I start", "d3", line)
    assert parted.over
    assert parted.session.saved is not None


def test_what_was_told_is_known_at_the_table():
    told = ("I have an old steel bike I call Rosinante.", "no", "nim 3 4 5, I start")
    assert "Rosinante" in talk(*told, "Which bike did I tell you about?").lines[0]


@pytest.mark.parametrize("line", ["lucky you. i have six more hours to go", "two more miles to go"])
def test_hours_to_go_are_no_farewell(line):
    assert not talk("let's talk about work", line).over


@pytest.mark.parametrize("line", ["Sticks, I said.", "No, I said sticks."])
def test_a_game_named_once_more_is_set_up(line):
    assert talk("i love cats", line).session.table.game == "sticks"


def test_a_yes_before_a_question_is_consent():
    last = talk("my name is Emre", "Yes, of course. What is your name?")
    assert last.session.memory.agreed
    assert "Benedict" in " ".join(last.lines)


@pytest.mark.parametrize("line", ["yes leave it", "no i mean stop the game please"])
def test_a_game_is_left_in_everyday_words(line):
    last = talk("chopsticks", line)
    assert last.session.mode == "chat"
    assert last.session.table is None


def test_leave_it_after_a_question_about_an_act_leaves_nothing():
    asked = talk("nim 3 4 5, I start", "ok fine you win, i give up")
    assert talk("leave it", session=asked.session).session.table is not None


def test_who_begins_is_heard_after_a_game_and_before_the_first_move():
    again = talk("tic-tac-toe, I start", "resign", "yes but you go first now")
    assert again.lines[-2].startswith("I play")
    assert talk("tic-tac-toe, I start", "no YOU go first").lines[-2].startswith("I play")


def test_a_draw_asked_about_is_the_one_on_the_table():
    assert talk("tic-tac-toe, I start", "b2", "so is it a draw?").lines[0] == (
        "With best play it is a draw."
    )


def test_whoever_wants_to_learn_a_game_gets_its_rules_and_an_offer():
    last = talk("I want to learn the game Nim. Can you explain me?")
    assert "take turns" in last.lines[1]
    assert talk("yes", session=last.session).session.wished["game"] == "nim"


def test_other_numbers_are_asked_for_after_a_game():
    last = talk("nim 3 4 5", "resign", "You won. Can we play again with other numbers?")
    assert last.lines == ("How many piles would you like?",)


@pytest.mark.parametrize("line", ["oh no", "I used to be good at this", "my brother has a red car"])
def test_talk_in_a_game_is_answered_and_changes_nothing(line):
    before = talk("nim 3 4 5, I start")
    after = talk(line, session=before.session)
    assert after.session.table == before.session.table
    assert "understand" not in after.lines[0]


def test_what_is_told_in_a_game_is_asked_about():
    assert "Biscuit" in talk("chopsticks", "i have a hamster called biscuit").lines[0]


@pytest.mark.parametrize(
    "line",
    ["yes ok", "sure, remember whatever", "Well, I suppose you may. I am Margaret, I am 78."],
)
def test_consent_is_taken_in_everyday_words(line):
    assert talk("my dog is called Rex", line).session.memory.agreed


def test_a_later_permission_counts_only_if_it_says_what_for():
    later = talk("my dog is called Rex", "he is brown")
    assert talk("You can remember me, I don't mind.", session=later.session).session.memory.agreed
    assert talk("sure", session=later.session).session.memory.agreed is None
    assert talk("You can remember me.").session.memory.agreed is None


@pytest.mark.parametrize("line", ["whatever", "yes but only my name", "yes, brown"])
def test_what_is_no_plain_yes_is_no_consent(line):
    assert talk("my dog is called Rex", line).session.memory.agreed is None


def test_a_name_that_was_asked_for_in_vain_is_taken():
    asked = talk("my cousin is nice", "no", "what is my cousins name", "i did!! its bobby")
    assert "Bobby" in talk("what is my cousins name", session=asked.session).lines[0]


def test_a_name_is_taken_from_its_own_clause_and_never_from_another_person():
    assert talk("I am Gwen, I was a librarian for most of my life.").session.memory.name == "Gwen"
    assert not talk("One friend is from Ghana. His name is Kofi.").session.memory.name


def test_a_slip_after_a_refused_move_takes_nothing_back():
    before = talk("tic-tac-toe, I start", "b2", "b2")
    after = talk("whoops. bottom middle", session=before.session)
    assert after.session.table.moves[:2] == before.session.table.moves
    assert len(after.session.table.moves) == 4


def test_a_game_named_by_its_pieces_is_offered():
    last = talk("tic-tac-toe, I start", "resign", "gg. wanna play the hand game")
    assert last.lines == ("Shall we play chopsticks?",)


def test_somebody_who_never_played_before_does_not_refuse():
    last = talk("my cat is nice", "no", "Can we play game? A easy one, I never play before.")
    assert last.session.question == "offer"
