"""An archive counts the moves played in every position, as a plain count of the games does."""

import random
from collections import Counter, defaultdict

import pytest

from parlour.core import BadFile, ParlourError, Work
from parlour.lessons import Archive, OutcomeTally, add_up, archive, build_archive
from parlour.rules import PASS, Othello
from tests.rules.test_formats import wthor

GAME = Othello()
WAYS = [
    (lambda c, r, a=a, b=b, t=t: _turn(c, r, a, b, t))
    for a in (0, 1)
    for b in (0, 1)
    for t in (0, 1)
]


def _turn(column, row, mirrored, upside_down, transposed):
    if transposed:
        column, row = row, column
    return (7 - column if mirrored else column, 7 - row if upside_down else row)


def play_at_random(seed):
    """The states of a game and its moves, and black's lead at the end."""
    chance = random.Random(seed)
    state, line = GAME.start(), []
    while moves := GAME.moves(state):
        move = chance.choice(moves)
        line.append((state, move))
        state = GAME.play(state, move)
    return line, GAME.score(state)


def turn_state(way, state):
    bits = GAME.board.bits
    own, other = (
        sum(bits[way(*square)] for square in GAME.board.squares(discs)) for discs in state[:2]
    )
    return own, other, state[2]


@pytest.fixture(scope="module")
def games():
    return [play_at_random(seed) for seed in range(30)]


@pytest.fixture(scope="module")
def file(games, tmp_path_factory):
    folder = tmp_path_factory.mktemp("games")
    for number in (0, 1):
        entries = [
            ([move for _, move in line if move != PASS], (64 + lead) // 2)
            for line, lead in games[number::2]
        ]
        (folder / f"WTH_{number + 2001}.wtb").write_bytes(wthor(*entries))
    return build_archive([folder], folder=folder / "made")


def count_plainly(games):
    """For each position, up to symmetry: for each position that follows, how games ended."""
    counted = defaultdict(lambda: defaultdict(Counter))
    for line, lead in games:
        for state, move in line:
            mine = lead if state[2] == 0 else -lead
            following = GAME.key(GAME.play(state, move))
            counted[GAME.key(state)][following][(mine > 0) - (mine < 0)] += 1
    return counted


def test_every_position_has_the_games_that_a_plain_count_finds_however_it_is_turned(games, file):
    held, plain = Archive(file), count_plainly(games)
    assert held.games == len(games)
    chance = random.Random(1)
    some = chance.sample([state for line, _ in games for state, _ in line], 200)
    for state in [GAME.start(), *some]:
        turned = turn_state(chance.choice(WAYS), state)
        expected = plain[GAME.key(state)]
        found = held.find(GAME, turned)
        for move in GAME.moves(turned):
            ended = expected.get(GAME.key(GAME.play(turned, move)), Counter())
            assert found.get(move, OutcomeTally()) == OutcomeTally(ended[1], ended[0], ended[-1])
        assert add_up(GAME, turned, found).games == sum(
            sum(ended.values()) for ended in expected.values()
        )


def test_the_first_move_is_the_same_whichever_of_the_four_was_played(games, file):
    found = Archive(file).find(GAME, GAME.start())
    assert {tally.games for tally in found.values()} == {len(games)}
    assert len(found) == 4


def test_a_position_of_no_game_and_other_rules_have_no_games(file):
    held = Archive(file)
    corner = GAME.read("XO" + "-" * 62 + " X")
    assert held.find(GAME, corner) == {}
    misere = Othello(misere=True)
    assert held.find(misere, misere.start()) == {}
    assert held.list_games(misere, misere.start(), 5) == []


def test_games_are_listed_with_their_source_moves_and_result(games, file):
    held = Archive(file)
    line, lead = games[3]  # in the second file
    state, move = line[30]
    found = held.list_games(GAME, state, 5, move)
    written = "".join(GAME.write_move(each) for _, each in line if each != PASS)
    assert [(each.source, each.moves, each.lead) for each in found] == [
        ("WTH_2002.wtb", written, lead)
    ]


def test_an_illegal_game_is_left_out_and_the_others_are_counted(games, tmp_path):
    good = [move for _, move in games[0][0] if move != PASS]
    late = [*good[:20], good[0]]
    source = tmp_path / "some.wtb"
    source.write_bytes(wthor((good, 40), (late, 32), ([(0, 0)], 32)))
    held = Archive(build_archive([source], folder=tmp_path))
    assert held.games == 1
    assert next(iter(held.find(GAME, GAME.start()).values())) == OutcomeTally(wins=1)


def test_text_formats_are_read_as_well(tmp_path):
    source = tmp_path / "one.ggf"
    source.write_text("(;GM[Othello]RE[+2.0]BO[8 " + _start() + " *]B[f5]W[d6]B[c3];)")
    held = Archive(build_archive([source], folder=tmp_path))
    after = GAME.play(GAME.start(), GAME.read_move(GAME.start(), "f5"))
    found = {GAME.write_move(m): t for m, t in held.find(GAME, after).items()}
    assert found == {"d6": OutcomeTally(losses=1)}


def _start():
    return GAME.write(GAME.start()).replace("X", "*").split()[0]


def test_a_stopped_build_goes_on_with_the_next_source(tmp_path, monkeypatch):
    for year, square in ((2001, (5, 4)), (2002, (3, 2))):
        (tmp_path / f"{year}.wtb").write_bytes(wthor(([square], 33)))
    read, work = [], Work()

    def list_entries(batch, whole=archive.list_entries):
        read.append(batch)
        work.stop()
        return whole(batch)

    monkeypatch.setattr(archive, "list_entries", list_entries)
    made = tmp_path / "made"
    with pytest.raises(ParlourError, match="the next time it goes on"):
        build_archive([tmp_path], folder=made, work=work)
    assert len(read) == 1
    held = Archive(build_archive([tmp_path], folder=made))
    assert len(read) == 2
    assert held.games == 2
    build_archive([tmp_path], folder=made)
    assert len(read) == 2
    assert [each.suffix for each in made.iterdir()] == [".games"]


def test_a_file_that_is_no_archive_is_refused_in_a_sentence(tmp_path):
    (tmp_path / "notes.games").write_text("nothing")
    with pytest.raises(BadFile, match="not an archive of games"):
        Archive(tmp_path / "notes.games")
    with pytest.raises(BadFile, match="holds no games"):
        build_archive([tmp_path])


def test_lines_are_drawn_from_the_games_that_could_be_replayed(games, file):
    drawn = Archive(file).draw_lines(random.Random(2))
    known = {tuple(state for state, _ in line) for line, _ in games}
    for _ in range(5):
        assert tuple(next(drawn)[:-1]) in known  # without the last position, which has no move
