"""The names of the openings: known lines, whichever way the board lies and in whatever order."""

from parlour.rules import Nim
from parlour.rules.board import board_of
from parlour.rules.openings import all_openings, find_opening
from parlour.rules.othello import Othello

GAME = Othello()
# As players have called them for decades.
KNOWN = {
    "f5 d6": "Perpendicular",
    "f5 f6": "Diagonal",
    "f5 f4": "Parallel",
    "f5 d6 c3 d3 c4": "Tiger",
    "f5 d6 c3 d3 c4 f4 f6": "Stephenson",
    "f5 d6 c3 d3 c4 f4 f6 f3": "Comp'Oth",
    "f5 d6 c3 d3 c4 f4 e6": "Leader's Tiger",
    "f5 d6 c3 d3 c4 f4 c5 b3 c2 e6": "Tamenori",
    "f5 d6 c4 d3 c5": "Cat",
    "f5 d6 c5 f4 e3 c6 d3 f6 e6 d7": "Rose",
    "f5 d6 c5 f4 e3 c6 f3": "Shaman",
    "f5 d6 c5 f4 e3 d3": "Mimura",
    "f5 f6 e6 f4 c3": "Buffalo",
    "f5 f6 e6 f4 e3": "Cow",
    "f5 f6 e6 f4 g5": "Heath",
}
TIGER = "f5 d6 c3 d3 c4"


def states(moves, game=GAME):
    """The positions a game goes through; an illegal move is refused on the way."""
    found = [game.start()]
    for text in moves.split():
        found.append(game.play(found[-1], game.read_move(found[-1], text)))
    return found


def name(moves, game=GAME):
    opening = find_opening(game, states(moves, game))
    return opening and opening.name


def turned(state, way):
    tables = board_of(8, 8).symmetries[way]
    own, other = (sum(t[d >> 8 * r & 255] for r, t in enumerate(tables)) for d in state[:2])
    return own, other, state[2]


def test_openings_have_the_names_that_players_know():
    assert {moves: name(moves) for moves in KNOWN} == KNOWN


def test_every_line_is_legal_and_its_last_position_has_its_name_alone():
    keys = set()
    for opening in all_openings():
        seen = states(" ".join(opening.moves))
        assert find_opening(GAME, seen) == opening
        assert find_opening(GAME, seen[-1:]) == opening
        keys.add(GAME.key(seen[-1]))
    assert len(keys) == len(all_openings()) > 60
    names = [each for opening in all_openings() for each in (opening.name, *opening.also)]
    assert len(set(names)) == len(names)


def test_a_board_turned_or_mirrored_has_the_same_opening():
    for moves, known in KNOWN.items():
        last = states(moves)[-1]
        assert {find_opening(GAME, [turned(last, way)]).name for way in range(8)} == {known}
    assert name("e6 f4 c3 c4 d3") == name("d3 c5 f6 f5 e6") == "Tiger"
    assert name("c5 c6", Othello(opening="benedict")) == "Diagonal"


def test_the_same_moves_in_another_order_are_the_same_opening():
    """After c4 and d3 it may become a Cat; with c3 it is a Tiger."""
    assert states("f5 d6 c4 d3 c3")[-1] == states(TIGER)[-1]
    assert name("f5 d6 c4 d3 c3") == "Tiger"


def test_the_longest_line_that_was_played_names_the_game():
    assert name("") is None
    assert name("f5") is None
    assert name("f5 d6 c3") == "Perpendicular"  # on the way to the Tiger
    assert name("f5 d6 c3 d3 c4 f4") == "Tiger"
    assert name("f5 d6 c3 d3 c4 f4 f6 f3 e6 e7 d7") == "Comp'Oth"  # off every line by now
    assert name("f5 d6 c3 f4") == "Perpendicular"


def test_a_position_alone_is_named_only_on_a_line():
    assert find_opening(GAME, states("f5 d6 c3")[-1:]).name == "Perpendicular"
    assert find_opening(GAME, states("f5 d6 c3 f4")[-1:]) is None


def test_other_boards_and_games_have_no_such_names():
    despacito = Othello(opening="despacito")
    assert find_opening(despacito, [despacito.start()]) is None
    assert find_opening(Othello(columns=6, rows=6), [Othello(columns=6, rows=6).start()]) is None
    assert find_opening(Nim(), [Nim().start()]) is None
