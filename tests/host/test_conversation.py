"""Benedict through `reply` alone: what the first program promised, and that he keeps it."""

import itertools
import random
import re
import time

import pytest

import parlour
from parlour.core import registry
from parlour.core.errors import BadText
from parlour.core.options import values
from parlour.engine.endgame import empties
from parlour.faces.terminal.memory import MemoryFile
from parlour.host import Memories, Reply, Session, greeting, reply
from parlour.host.session import HostTable, LastLine
from parlour.host.table.setup import watch
from parlour.host.table.state import list_opponents, load_game, load_match
from parlour.host.understand.grammar import Meaning
from parlour.learn import player
from tests.conftest import LONG
from tests.host.talking import talk


def test_he_begins_at_nim_exactly_when_the_nim_sum_is_not_zero():
    for piles in itertools.product(range(4), repeat=3):
        if any(piles):
            table = talk(f"nim with {piles[0]}, {piles[1]} and {piles[2]}").session.table
            begins = table.players[0] != "human"
            assert begins == (piles[0] ^ piles[1] ^ piles[2] != 0), piles


def test_who_begins_may_be_said_beforehand():
    """5 and 5 is lost for whoever begins, 5 and 6 is won: unasked, he would begin only there."""
    for piles, said in itertools.product(("5 5", "5 6"), ("you start", "I start")):
        seat = 1 if said == "you start" else 0
        assert talk("nim", said, piles).session.table.players[seat] == "human"


def test_the_hardest_is_the_top_of_the_ladder_and_the_easiest_its_foot():
    for game in ("othello", "chopsticks", "sticks", "tic tac toe 5 by 5"):
        for word, step in (("hardest", -1), ("easiest", 0)):
            table = talk(f"{word} {game}, I start").session.table
            steps = list_opponents(registry.game(table.game, **table.options))
            assert table.players == ("human", steps[step])


def test_the_levels_of_othello_are_the_engines_1_to_10():
    steps = list_opponents(registry.game("othello"))
    assert [step for step in steps if "engine" in step] == [
        f"engine level={level}" for level in range(1, 11)
    ]
    assert {"random", "benedict", "despacito"} <= set(steps)
    large = list_opponents(registry.game("othello", columns=10, rows=10))  # not for the engine
    assert large[0] == "random"
    assert all("despacito" in step for step in large[1:])


@pytest.mark.parametrize(
    ("slots", "game", "players"),
    [
        ({}, "nim", ("perfect", "minimax")),
        ({"game": "sticks", "first": "random"}, "sticks", ("random", "perfect")),
        ({"game": "tictactoe", "first": "perfect"}, "tictactoe", ("perfect", "minimax")),
        ({"game": "othello", "first": "benedict"}, "othello", ("benedict", "engine level=3")),
    ],
)
def test_bots_that_are_not_named_for_a_watched_game_are_chosen(slots, game, players):
    table = watch(Session(seed=1), Meaning("watch", slots)).session.table
    assert (table.game, table.players) == (game, players)


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


# In a game


def test_a_game_of_each_kind_is_played_to_its_end_in_conversation():
    source = random.Random(2)
    for line in ("nim with 3 4 5", "sticks", "chopsticks", "tic tac toe", "othello, I start"):
        last = talk(line)
        for _ in range(100):
            if last.session.mode != "game":
                break
            match = load_match(last.session.table)
            last = reply(
                last.session, match.game.write_move(source.choice(match.game.moves(match.state)))
            )
        assert last.session.table.result is not None, line
        assert last.lines[-1] == "Shall we play again?"
        again = reply(last.session, "yes")
        assert again.session.mode == "game"
        assert load_game(again.session.table) == load_game(last.session.table)


def late_othello(left):
    """A session with an Othello against himself, the person to move and so many squares empty."""
    game = parlour.game("othello")
    for seed in range(100):
        source, state, moves = random.Random(seed), game.start(), []
        while game.moves(state) and empties(game, state) > left:
            move = source.choice(game.moves(state))
            moves.append(game.write_move(move))
            state = game.play(state, move)
        if len(game.moves(state)) > 2 and game.turn(state) == 0:
            table = HostTable("othello", values(game), ("human", "benedict"), tuple(moves))
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


def test_a_forced_pass_is_played_for_the_person_and_announced():
    source = random.Random(0)
    for _ in range(100):
        last = talk("othello on a 4 by 4 board against random, I start")
        while last.session.mode == "game":
            match = load_match(last.session.table)
            assert match.game.write_move(match.game.moves(match.state)[0]) != "pass"
            text = match.game.write_move(source.choice(match.game.moves(match.state)))
            last = reply(last.session, text)
            if "You have no move and pass." in last.lines:
                return
    raise AssertionError("no pass in 100 games")


def test_a_tie_is_called_a_tie():
    game = parlour.game("othello", columns=4, rows=4)
    moves = "a2 a3 a4 c1 d1 a1 d3 d4 c4 d2 b1 b4".split()  # a game that ends 8 to 8
    table = HostTable("othello", values(game), ("random", "human"), tuple(moves[:-1]))
    last = reply(Session(seed=1, table=table, mode="game"), moves[-1])
    assert last.session.table.result == (0, 0)
    assert last.lines[0] == "It is a tie."


@pytest.mark.parametrize("hands", [(0, 1), (3, 4), (4, 4)])
def test_where_no_split_exists_a_split_is_refused_and_a_hit_asked_for(hands):
    game = parlour.game("chopsticks")
    ways, ahead = {game.start(): ()}, [game.start()]
    for state in ahead:  # which grows meanwhile
        if game.turn(state) == 0 and tuple(sorted(state[1:3])) == hands and game.moves(state):
            break
        for move in game.moves(state):
            after = game.play(state, move)
            if after not in ways:
                ways[after] = (*ways[state], game.write_move(move))
                ahead.append(after)
    table = HostTable("chopsticks", values(game), ("human", "benedict"), ways[state])
    last = reply(Session(seed=1, table=table, mode="game"), "split")
    assert last.lines[0].startswith("There is no split here; hit instead: hit ")
    assert last.session.table == table


def test_hats_are_trained_once_for_all_their_moves(monkeypatch):
    trained = []
    monkeypatch.setattr(player, "train", lambda held, games, **_: trained.append(games))
    first = talk("sticks with 31 against hats", "1", "1", "open the hats", "1")
    assert trained == [100_000]
    assert talk("sticks with 31 against hats", "1", "1", "1").session.table == first.session.table


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


def test_a_greeting_names_the_person_and_the_game_that_was_put_aside():
    session = talk("my name is Ann", "sticks", "save").session
    text = " ".join(greeting(session).lines)
    assert "Ann" in text
    assert "resume" in text


# Garbage

WORDS = """
nim take 2 from pile hit left right split d3 a1 why undo redo no yes game whales save resume hint -1
99999999999999 0 who wins what if leave othello swap sides harder my name is é 日本 ' " %s {} \\ <b>
🎩 İ ß perfect against minimax watch level 3 4 5 misère you start
"""
PIECES = (*WORDS.split(), "\x00", "\x1b[31m", "\u202e")
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
SECONDS = 1  # of processor time for a reply; the squares of such lengths would take minutes


def make_garbage(source):
    """A line that nobody means: words he knows, odd characters, or very many of something."""
    kind = source.randrange(20)
    if kind == 0:
        return source.choice(LONG_LINES)
    if kind < 4:
        letters = ODD + "abcdefghijklmnopqrstuvwxyz     "
        return "".join(source.choice(letters) for _ in range(source.randrange(400)))
    if kind < 7:
        word = source.choice(PIECES) + source.choice(PIECES)
        return "".join(source.sample(word, len(word)))
    return " ".join(source.choice(PIECES) for _ in range(source.randrange(6)))


def measure(session, line):
    """The reply to a line, and the processor time that it took."""
    began = time.thread_time()
    last = reply(session, line)
    return last, time.thread_time() - began


@pytest.mark.slow
def test_nothing_that_is_typed_breaks_him():
    source = random.Random(3)
    starts = [talk(*state).session for state in STATES]
    session = starts[0]
    for number in range(20_000 if LONG else 200):
        session = starts[number % len(starts)] if number % 7 == 0 else session
        line = make_garbage(source)
        last, seconds = measure(session, line)
        if seconds > SECONDS and last.session.last.intent != "watch":  # which is a whole game
            _, seconds = measure(session, line)  # the first of a kind loads something
            assert seconds < SECONDS, (line[:60], session.mode)
        assert isinstance(last, Reply)
        assert last.lines
        assert all(isinstance(each, str) for each in last.lines), line[:80]
        session = starts[0] if last.over else last.session


def test_a_jumble_of_symbols_changes_nothing():
    letters = [chr(code) for code in range(32, 127)]
    for state in STATES:
        before = talk(*state).session
        for seed in range(30 if LONG else 4):
            source = random.Random(f"{state}{seed}")
            line = "".join(source.choice(letters) for _ in range(100))
            after = reply(before, line).session
            same = (before.table, before.wished, False)
            assert (after.table, after.wished, after.over) == same, (state, line)


def test_a_stored_table_with_impossible_moves_is_left():
    session = Session(
        mode="game", table=HostTable("nim", {"piles": [1]}, ("human", "perfect"), ("9 from 9",))
    )
    last = reply(session, "hint")
    assert last.session.mode == "chat"


# What he misheard


def test_a_line_that_was_misheard_is_kept_with_what_he_made_of_it():
    lines = ("nim 3 4 5, I start", "one from the second pile", "no, I meant pile 1")
    memory = talk(*lines).session.memory
    assert [(each.text, each.state, each.intent) for each in memory.misheard] == [
        ("one from the second pile", "nim", "move")
    ]


def test_what_he_misheard_is_written_beside_his_memory_only_with_consent(tmp_path):
    wrong = (LastLine("undo my shoe", "nim", "undo"),)
    for agreed in (None, False, True):
        session = Session(memory=Memories(name="Ann", misheard=wrong, agreed=agreed))
        MemoryFile(tmp_path / "benedict.json").save(session)
        assert (tmp_path / "misheard.tsv").exists() == (agreed is True)
    assert (tmp_path / "misheard.tsv").read_text() == "undo\tnim\tundo my shoe\n"
    file = MemoryFile(tmp_path / "benedict.json")
    known, _ = file.open(seed=1)
    file.save(known.replace(memory=Memories()))
    assert list(tmp_path.glob("*.tsv")) == []
