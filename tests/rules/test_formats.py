"""Othello games are read from WTHOR archives, GGF, records of this house and lists of moves."""

import random
import struct
from itertools import islice

import pytest

import parlour
from parlour.core.errors import BadText
from parlour.rules.formats import (
    Transcript,
    read_games,
    read_ggf,
    write_ggf,
    write_moves,
    write_obf,
)
from parlour.rules.othello import PASS, Othello

GAME = Othello()
START = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"
# The shortest game there is: black has all thirteen discs after nine moves.
SHORTEST = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]


def squares(*texts):
    return tuple(PASS if text == "pass" else GAME.board.read_square(text) for text in texts)


def chance_games(number, *, passes):
    """Random games with `passes` passes or more."""
    chance = random.Random(8)
    while number:
        state, moves = GAME.start(), []
        while possible := GAME.moves(state):
            moves.append(chance.choice(possible))
            state = GAME.play(state, moves[-1])
        if moves.count(PASS) >= passes:
            number -= 1
            yield tuple(moves), GAME.score(state)


def wthor(*games, size=8, number=None):
    """An archive by its description: 16 bytes, then 68 a game, numbers with the low byte first."""
    data = struct.pack(
        "<BBBBIHHBBBx", 20, 5, 10, 8, len(games) if number is None else number, 0, 1986, size, 0, 24
    )
    for moves, discs in games:
        row = [10 * (r + 1) + c + 1 for c, r in moves if (c, r) != PASS]
        data += struct.pack("<HHHBB60s", 3, 1, 2, discs, discs, bytes(row))
    return data


def ggf(moves, *, board=START, **more):
    """A game as a server writes it."""
    said = {"GM": "Othello", "PB": "Ann", "PW": "Bob", "TY": "8", "BO": board, **more}
    head = "".join(f"{name}[{value}]" for name, value in said.items())
    return f"(;{head}{''.join(moves)};)"


def alternating(moves):
    for number, move in enumerate(moves):
        yield f"{'BW'[number % 2]}[{'PA' if move == PASS else GAME.write_move(move)}//0.01]"


# WTHOR


def test_an_archive_gives_its_games_with_the_passes_that_it_leaves_out():
    games = list(chance_games(3, passes=1))
    found = read_games(wthor(*[(moves, (64 + score) // 2) for moves, score in games]))
    assert len(found) == 3
    assert [(game.moves, game.lead) for game in found] == games
    assert found[-1].moves == games[-1][0]
    assert [game.moves for game in list(found)[1:]] == [moves for moves, _ in games[1:]]
    assert all(game.start == GAME.start() for game in found)
    with pytest.raises(IndexError):
        found[3]


def test_a_game_may_stop_before_its_end():
    [game] = read_games(wthor((squares("f5", "d6", "c3"), 40)))
    assert game.moves == squares("f5", "d6", "c3")
    assert game.lead == 16


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (wthor(size=10), "games on 10x10; only those on 8x8 are supported"),
        (wthor(number=2) + bytes(68), "hold 2 games, but it ends after 1"),
        (b"\x01\x02\0" * 30, "neither text nor a WTHOR archive"),
    ],
)
def test_a_file_that_is_no_archive_is_refused(data, why):
    with pytest.raises(BadText, match=why):
        read_games(data)


def test_one_bad_game_does_not_hide_the_others():
    found = read_games(wthor((squares("f5", "f5"), 0), (squares("f5"), 0)))
    assert found[1].moves == squares("f5")
    with pytest.raises(BadText, match=r"^game 1 of 2: move 2, f5, cannot be played: .* is taken"):
        found[0]


# GGF


def test_ggf_has_the_players_the_moves_and_the_result():
    text = ggf(["B[d3/-1.2/4.5]", "W[c5//0.01]", "B[ e6 ]", "W[F5]"], RE="-12.00:r", PB="Smile ;)")
    [game] = read_ggf(text)
    assert game.moves == squares("d3", "c5", "e6", "f5")
    assert game.players == ("Smile ;)", "Bob")
    assert game.lead == -12
    assert game.start == GAME.start()


def test_a_text_that_is_no_result_is_passed_over():
    for result in ("?", "", "-127.000", "0-1"):
        [game] = read_ggf(ggf([], RE=result))
        assert game.lead in (None, 0)


def test_written_passes_and_those_left_out_are_the_same_game():
    for moves, _ in chance_games(5, passes=2):
        written = list(alternating(moves))
        left_out = [move for move in written if "PA" not in move]
        assert [game.moves for game in read_ggf(ggf(written))] == [moves]
        assert [game.moves for game in read_ggf(ggf(left_out))] == [moves]
        spelt = [move.replace("PA", "pass") for move in [*written, "B[PA]", "W[PA]"]]
        assert [game.moves for game in read_ggf(ggf(spelt))] == [moves]


def test_a_game_may_begin_from_any_board():
    """White to move, the squares without gaps, and no other property at all."""
    board = "8 " + "*O------" + "-" * 56 + " O"
    [game] = read_ggf(f"(;BO[{board}]B[c1];)")
    assert GAME.write(game.start) == "XO" + "-" * 62 + " O"
    assert game.moves == squares("pass", "c1")
    [*_, (last, none)] = game.positions()
    assert none is None
    assert GAME.write(last)[:3] == "XXX"


def test_a_match_of_several_games_is_read_in_order():
    """GGS writes the number of games before the two of a synchronous match."""
    one, two = ggf(["B[f5]"]), ggf(["B[d3]"], PB="Eve")
    text = f"2 {one}{two}\n1 {one}\n"
    assert [game.moves for game in read_ggf(text)] == [squares(s) for s in ("f5", "d3", "f5")]
    found = read_games(text.encode())
    assert len(found) == 3
    assert found[1].players[0] == "Eve"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "begins with"),
        ("(;GM[Othello]", r"or ends with ;\), not ''"),
        ("(;GM[Othello]B[d3]oops;)", r"or ends with ;\), not 'oops"),
        (ggf([], GM="Amazons"), "a game of 'Amazons', not of Othello"),
        (ggf([], board="10 " + "-" * 100 + " *"), "type '10'; only the type 8"),
        (ggf([], board="88 " + "-" * 100 + " *"), "type '88'; only the type 8"),
        (ggf([], board=""), "only the type 8"),
        (ggf([], board="8 *O *"), "is not a board; after the 8 come 64 squares"),
        (ggf([], board="8 " + "-" * 64 + " *"), "is not a board"),
        (ggf(["B[d3]", "B[c5]"]), "move 2, c5, is recorded as black's, but white is to move"),
        (ggf(["B[a1]"]), "move 1, a1, cannot be played: .* would turn no disc"),
        (ggf(["B[PA]"]), "move 1, pass, cannot be played"),
        (ggf(["B[i9]"]), "'i9' is not a square"),
        (ggf(["B[]"]), "'' is not a square"),
    ],
)
def test_bad_ggf_is_refused_with_the_reason(text, why):
    with pytest.raises(BadText, match=why):
        list(read_ggf(text))


# Records of this house


def test_records_of_this_house_are_read():
    game = parlour.game("othello", columns=6, rows=6)
    bots = [parlour.bot("random", seed=seed) for seed in (1, 2)]
    record = parlour.match(game, bots)
    found = read_games(f"{record.to_json()}\n\n{record.to_json()}\n".encode())
    assert len(found) == 2
    assert found[1].game == game
    assert tuple(map(game.write_move, found[1].moves)) == record.moves
    assert found[1].players == record.players
    other = parlour.match(parlour.game("sticks"), bots)
    with pytest.raises(BadText, match="a game of 'sticks', not of Othello"):
        read_games(other.to_json().encode())[0]
    with pytest.raises(BadText, match="no field 'mvoes'"):
        read_games(b'{"mvoes": []}')[0]


# Lists of moves


def test_lists_of_moves_are_written_in_many_ways():
    for text in (
        "".join(SHORTEST),
        "".join(SHORTEST).upper(),
        " ".join(SHORTEST),
        "-".join(SHORTEST),
        "; ".join(SHORTEST) + "\n",
        "1. e6 f4 2. e3 f6 3. g5 d6 4. e7 f5 5. c5",
        "1e62f43e34f65g56d67e78f59c5",
        "1) e6, f4\n2) e3, f6\n3) g5, d6\n4) e7, f5\n5) c5",
        "\ufeffe6 f4 e3 f6 g5 d6 e7 f5 c5 pass pass",
    ):
        [game] = read_games(text.encode())
        assert game.moves == squares(*SHORTEST), text
    [*_, (last, _)] = game.positions()
    assert GAME.result(last) == (1, -1)
    assert GAME.score(last) == 64  # the empty squares are the winner's
    assert GAME.write(last)[:64].count("X") == 13


def test_passes_may_be_written_or_not():
    for moves, _ in chance_games(3, passes=1):
        words = [GAME.write_move(move) for move in moves]
        for text in (" ".join(words), "".join(word for word in words if word != "pass")):
            assert [game.moves for game in read_games(text.encode())] == [moves]


def test_every_line_may_be_a_game():
    games = [moves for moves, _ in islice(chance_games(4, passes=0), 4)]
    text = "\n".join("".join(map(GAME.write_move, moves)) for moves in games)
    assert [game.moves for game in read_games(text.encode())] == games


def test_a_list_is_played_on_the_board_that_was_asked_for():
    wide, chance = Othello(columns=12, rows=12), random.Random(3)
    state, moves = wide.start(), []
    while possible := wide.moves(state):
        moves.append(chance.choice(possible))
        state = wide.play(state, moves[-1])
    words = [wide.write_move(move) for move in moves]
    assert any(len(word) == 3 for word in words)
    [game] = read_games("".join(words).encode(), wide)
    assert (game.game, game.moves) == (wide, tuple(moves))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "'' has no move in it; moves are squares"),
        ("1. 2. 3.", "has no move in it"),
        ("hello", "'hello' is not a move"),
        ("f5 d6 ?!", r"'\?!' is not a move"),
        ("f5 d9", "'d9' is not a square here; the squares are a1 to h8"),
        ("f5 f5", "move 2, f5, cannot be played: the square f5 is taken"),
        ("f5 pass", "move 2, pass, cannot be played: you may pass only when"),
        ("".join(SHORTEST) + "a1", "move 10, a1, cannot be played: the game is over"),
        ("f5 d6\nc3 f5", "move 4, f5, cannot be played"),
        ("f5d6\nf5f6\nf5a1", "line 3: move 2, a1, cannot be played"),
    ],
)
def test_a_list_that_cannot_be_played_is_refused_with_the_place(text, why):
    with pytest.raises(BadText, match=why):
        read_games(text.encode())


def test_garbage_is_always_refused_in_words():
    chance = random.Random(5)
    pieces = ["(;", ";)", "BO[", "B[", "W[", "]", "f5", "d6", "8 ", "*", "O", "-", "{", '"', "\n"]
    pieces += ["PA", "GM[Othello]", "é", "\x13", "1.", "[", "}", " ", "c3", START, "X", "-" * 64]
    pieces += ["-" * 27 + "OX------XO" + "-" * 27, "%", ";"]
    for _ in range(1000):
        text = "".join(chance.choices(pieces, k=chance.randrange(1, 12)))
        try:
            assert all(isinstance(game.moves, tuple) for game in read_games(text.encode()))
        except BadText as trouble:
            assert "\n" not in str(trouble)


def test_anti_othello_is_misere():
    """The type of a GGF game ends with `a` where the fewest discs win."""
    anti, usual = (next(read_ggf(ggf(["B[d3]"], TY=kind))) for kind in ("8a", "8"))
    assert anti.game.misere
    assert not usual.game.misere


# OBF


def test_a_file_of_positions_gives_each_without_moves():
    """The fields after a semicolon are values of moves, as test suites have them."""
    position = "-" * 27 + "OX------XO" + "-" * 27
    text = f"% remarks\n{position} X; f5:+0; d6:-2;\n\n{position.lower()} o\n"
    found = read_games(text.encode())
    assert [(game.moves, GAME.write(game.start)[-1]) for game in found] == [((), "X"), ((), "O")]
    assert found[0].start == GAME.start()
    broken = read_games(f"{position} X\n{position[1:]} X\n".encode())
    assert len(broken) == 2
    with pytest.raises(BadText, match=r"game 2 of 2: .* is not a position"):
        broken[1]


# Written games are read back


def test_a_written_game_is_the_same_when_it_is_read():
    for moves, score in chance_games(4, passes=1):
        game = Transcript(GAME, GAME.start(), moves, ("Ann [1];)", "B\no\\b"), score)
        [again] = read_ggf(write_ggf(game))
        assert (again.game, again.start, again.moves) == (GAME, GAME.start(), moves)
        assert again.players == ("Ann 1 ;)", "B o b")
        assert again.lead == score
        (listed,) = read_games(write_moves(game).encode())
        assert listed.moves == moves
        for state, _ in game.positions():
            assert read_games(write_obf(GAME, state).encode())[0].start == state


def test_an_unfinished_game_and_misere_are_written_as_such():
    anti = Othello(misere=True)
    game = Transcript(anti, anti.start(), squares("d3"))
    text = write_ggf(game)
    assert "RE[" not in text
    assert next(read_ggf(text)).game == anti
    with pytest.raises(BadText, match="8x8 only"):
        write_ggf(Transcript(Othello(columns=6, rows=6), Othello(columns=6, rows=6).start(), ()))
