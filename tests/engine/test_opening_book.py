"""The opening book: legal, reachable from the start, and the same whichever way the board lies."""

import pytest

from parlour.engine.opening_book import FILE, canonical, load_book, read_book, write_book
from parlour.rules.board import board_of
from parlour.rules.othello import Othello

GAME = Othello()
MANY = 1000
KILOBYTE = 1024
# As players call them; the names are older than any engine.
OPENINGS = {
    "tiger": "f5 d6 c3 d3 c4",
    "rose": "f5 d6 c5 f4 e3 c6 d3 f6 e6 d7",
    "buffalo": "f5 f6 e6 f4 c3",
    "heath": "f5 f6 e6 f4 g5",
    "perpendicular": "f5 d6",
    "diagonal": "f5 f6",
    "parallel": "f5 f4",
}


def after(moves):
    """The position when these moves have been made."""
    state = GAME.start()
    for text in moves.split():
        state = GAME.play(state, GAME.board.read_square(text))
    return state


def square(index):
    return (index % 8, index // 8)


def turned(discs, way):
    tables = board_of(8, 8).symmetries[way]
    return sum(table[discs >> 8 * row & 0xFF] for row, table in enumerate(tables))


@pytest.fixture(scope="module")
def reached():
    """Every position that can be reached from the start by moves of the book, up to symmetry."""
    found = {}
    todo = [GAME.start()]
    while todo:
        state = todo.pop()
        position = canonical(*state[:2])[0]
        moves = load_book().find(*state[:2])
        if moves is None or position in found:
            continue
        found[position] = (state, moves)
        todo += [GAME.play(state, square(index)) for index in moves]
    return found


@pytest.mark.slow
def test_every_position_is_reached_by_moves_of_the_book_and_every_move_is_legal(reached):
    """A move that is not legal would have been refused on the way."""
    assert reached.keys() == load_book().positions.keys()
    assert len(reached) > MANY


def test_a_position_turned_or_mirrored_has_the_same_moves_turned_or_mirrored():
    for text in OPENINGS.values():
        own, other, _ = after(text)
        moves = load_book().find(own, other)
        for way in range(8):
            seen = load_book().find(turned(own, way), turned(other, way))
            assert sorted(seen.values()) == sorted(moves.values())
            if len({turned(own, other_way) for other_way in range(8)}) == 8:
                expected = {turned(1 << index, way): lead for index, lead in moves.items()}
                assert {1 << index: lead for index, lead in seen.items()} == expected


@pytest.mark.slow
def test_a_position_has_the_value_of_its_best_move(reached):
    """The book is one minimax tree: a move into another of its positions is worth minus that."""
    for state, moves in reached.values():
        for index, lead in moves.items():
            following = load_book().find(*GAME.play(state, square(index))[:2])
            if following is not None:
                assert lead == -max(following.values())


def test_the_parallel_opening_is_the_worst_second_move():
    """Every player knows that; the other two are played in nearly all games."""
    leads = load_book().find(*after("f5")[:2])
    second = {GAME.board.write_square(square(index)): lead for index, lead in leads.items()}
    assert second["f4"] < min(second["d6"], second["f6"])


def test_positions_far_from_any_game_are_not_in_it():
    assert load_book().find(1, 2) is None
    assert load_book().find(0, 0) is None


def test_the_file_is_small_and_reads_back():
    assert FILE.stat().st_size < 300 * KILOBYTE
    pages = {(1 << 63, 5): {0: -64, 63: 64}, (7, 1 << 40): {9: 0}}
    assert read_book(write_book(pages)) == pages
