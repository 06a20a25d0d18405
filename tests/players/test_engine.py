"""The bot `engine`: its level means what it says, and it keeps to its time."""

import time
from types import SimpleNamespace

import pytest

import parlour
from parlour.core.errors import BadOption, ParlourError, UnknownName
from parlour.engine.endgame import empties
from parlour.engine.opening_book import Book, canonical
from parlour.players import engine as room
from parlour.players.engine import Engine, find_book_moves, solves_from
from parlour.rules.nim import Nim
from parlour.rules.othello import Othello
from parlour.truth.opening import find_bounds, keeping_moves
from tests.players.stopping import choose_and_stop
from tests.slow_othello import in_play, value_of

EIGHT = Othello()
SIX = Othello(columns=6, rows=6)
NINE = Othello(opening="despacito")
GAMES = pytest.mark.parametrize("game", [EIGHT, SIX, NINE], ids=["8x8", "6x6", "9x7"])


def engine(level=None, **options):
    """Without a book, so that it has to think."""
    return parlour.bot("engine", level=level, hash=4, book=False, **options)


def play(game, first, second, state=None):
    """The first seat's lead at the end, and the moves; from the start or from a position on."""
    state = state or game.start()
    players, moves = (first, second), []
    while game.moves(state):
        move = players[game.turn(state)].choose(game, state)
        assert move in game.moves(state)
        moves.append(move)
        state = game.play(state, move)
    return game.score(state), moves


def wins(game, strong, weak, many):
    """How many games the first wins, from varied openings and with both colours."""
    won = 0
    for number in range(many):
        state = in_play(game, len(game.board.bits) - 8, number // 2)
        if number % 2:
            won += play(game, strong, weak, state)[0] > 0
        else:
            won += play(game, weak, strong, state)[0] < 0
    return won


# Its level


@pytest.mark.parametrize("level", [1, 5, 8])
@GAMES
def test_a_level_is_a_number_of_plies(game, level):
    state = in_play(game, max(solves_from(level) + 1, 22), seed=level)
    analysis = engine(level).analyse(game, state)
    assert analysis.depth == level
    assert not analysis.exact
    assert not analysis.book


@pytest.mark.parametrize("level", [1, 4])
@GAMES
def test_near_the_end_a_level_is_exact(game, level):
    left = solves_from(level)
    exact = engine(level).analyse(game, in_play(game, left, seed=level))
    assert exact.exact
    assert exact.depth == left
    assert not engine(level).analyse(game, in_play(game, left + 1, seed=level)).exact


@pytest.mark.parametrize("game", [EIGHT, NINE], ids=["8x8", "9x7"])
def test_a_level_that_thinks_clearly_plays_the_end_as_well_as_can_be(game):
    bot = engine(6)
    for seed in range(4):
        state = in_play(game, 8, seed)
        lead = value_of(game, *state[:2]) * (-1 if game.turn(state) else 1)
        assert play(game, bot, bot, state)[0] == lead


def test_a_game_of_clear_levels_is_always_the_same():
    first, second = (play(SIX, engine(7), engine(6)) for _ in range(2))
    assert first == second
    bots = engine(7), engine(6)
    play(SIX, *bots)
    assert play(SIX, *bots) == first  # whatever they remember
    state = in_play(EIGHT, 30, seed=1)
    assert play(EIGHT, *bots, state) == play(EIGHT, engine(7), engine(6), state)


def test_a_learner_s_level_chooses_at_random_and_a_seed_makes_it_repeatable():
    games = [play(SIX, engine(2, seed=seed), engine(2, seed=seed + 10)) for seed in (1, 1, 2, 3)]
    assert games[0] == games[1]
    assert len({tuple(moves) for _, moves in games}) > 1


# Its strength


@pytest.mark.slow
def test_low_levels_are_weaker_than_high_ones_but_better_than_chance():
    assert wins(EIGHT, engine(5, seed=2), engine(1, seed=3), 12) >= 8
    assert wins(EIGHT, engine(1, seed=4), parlour.bot("random", seed=2), 16) >= 9


# Its time


@GAMES
def test_it_takes_the_time_it_is_given_and_no_more(game):
    bot = engine(time=0.05)
    begun = time.process_time()  # its own work, whatever else the machine does
    analysis = bot.analyse(game, game.start())
    assert time.process_time() - begun < 10
    assert analysis.depth >= 1
    assert analysis.move in game.moves(game.start())


@pytest.mark.parametrize("options", [{"time": 600.0}, {"level": 28}])
def test_with_little_left_on_the_clock_it_takes_less(options):
    bot = engine(**options)
    state = in_play(EIGHT, 40, seed=2)
    for left in (2.0, 0.1, 0.0, -1.0):
        bot.clock(left)
        begun = time.process_time()
        assert bot.choose(EIGHT, state) in EIGHT.moves(state)
        assert time.process_time() - begun < 10


@pytest.mark.parametrize("options", [{"time": 600.0}, {"level": 60}])
@pytest.mark.parametrize("game", [EIGHT, NINE], ids=["8x8", "9x7"])
def test_stopped_it_moves_at_once(game, options):
    state = in_play(game, len(game.board.bits) - 8, seed=4)
    assert choose_and_stop(engine(**options), game, state) in game.moves(state)


def test_a_forced_move_needs_no_thought():
    state = EIGHT.read("O" * 60 + "XXX- O")
    assert len(EIGHT.moves(state)) == 1
    assert engine(time=600.0).choose(EIGHT, state) == EIGHT.moves(state)[0]


# Its book


@pytest.fixture
def _one_page(monkeypatch):
    """A book of the start alone, where one move is better than the others by two discs."""
    position, _ = canonical(*EIGHT.start()[:2])
    squares = [square for square in range(64) if EIGHT.legal(*position) >> square & 1]
    page = dict(zip(squares, (0, -2, -2, -2), strict=True))
    monkeypatch.setattr(room, "load_book", lambda: Book({position: page}))


@pytest.mark.usefixtures("_one_page")
def test_a_move_of_its_book_is_played_without_thinking():
    state = EIGHT.start()
    analyses = {Engine(hash=4, seed=seed).analyse(EIGHT, state) for seed in range(9)}
    assert len(analyses) == 1
    analysis = analyses.pop()
    assert analysis.book
    assert (analysis.score, analysis.nodes, analysis.exact) == (0, 0, False)
    assert analysis.move in EIGHT.moves(state)
    after = EIGHT.play(state, analysis.move)
    assert not Engine(hash=4, level=6).analyse(EIGHT, after).book


def test_the_book_against_itself_is_proven_drawn_until_50_squares_are_empty():
    """Whatever it chooses; by bounds that H. Takizawa proved, and others derived from them."""
    todo, deepest, seen = [EIGHT.start()], 0, set()
    while todo:
        state = todo.pop()
        plies = (state[0] | state[1]).bit_count() - 4
        deepest = max(deepest, plies)
        assert find_bounds(EIGHT, state) == (0, 0)
        if plies < 10 and EIGHT.key(state) not in seen:
            seen.add(EIGHT.key(state))
            todo += [EIGHT.play(state, move) for move in find_book_moves(EIGHT, state)]
    assert deepest == 10


@pytest.mark.parametrize("seat", [0, 1])
def test_the_book_gives_up_no_proven_draw_whatever_the_other_side_plays(seat):
    """Where it sees no win, its own moves lead to no loss as far as that is proven."""
    todo, kept, seen = [EIGHT.start()], 0, set()
    while todo:
        state = todo.pop()
        if EIGHT.key(state) in seen or not (bounds := find_bounds(EIGHT, state)):
            continue
        seen.add(EIGHT.key(state))
        if state[2] != seat:
            todo += [EIGHT.play(state, move) for move in EIGHT.moves(state)]
            continue
        moves = find_book_moves(EIGHT, state)
        after = [EIGHT.play(state, move) for move in moves]
        safe = [each for each in after if (find_bounds(EIGHT, each) or (0, 64))[1] == 0]
        if bounds[0] == 0 and empties(EIGHT, state) > 50 and moves and max(moves.values()) <= 0:
            assert safe == after
            kept += 1
        todo += safe
    assert kept >= 5


@pytest.mark.parametrize(
    ("leads", "is_proven"), [((-5, -3), True), ((-5, 0), True), ((3, 4), True), ((-5, 4), False)]
)
def test_a_proven_move_is_played_unless_another_seems_to_win(monkeypatch, leads, is_proven):
    """After f5 f6 one move is proven to hold for black, and here the book thinks less of it."""
    state = EIGHT.start()
    for text in ("f5", "f6"):
        state = EIGHT.play(state, EIGHT.read_move(state, text))
    (proven,) = keeping_moves(EIGHT, state)
    other = next(move for move in EIGHT.moves(state) if move != proven)
    page = {
        column + 8 * row: lead for (column, row), lead in zip((proven, other), leads, strict=True)
    }
    monkeypatch.setattr(room, "load_book", lambda: SimpleNamespace(find=lambda own, other: page))
    assert list(find_book_moves(EIGHT, state)) == [proven if is_proven else other]


@pytest.mark.usefixtures("_one_page")
def test_without_a_book_and_for_learners_and_on_other_boards_it_thinks():
    assert not Engine(hash=4, level=6, book=False).analyse(EIGHT, EIGHT.start()).book
    assert not Engine(hash=4, level=2).analyse(EIGHT, EIGHT.start()).book
    assert not Engine(hash=4, level=6).analyse(SIX, SIX.start()).book


# Its words


def test_it_says_how_it_plays():
    for level in (1, 10):
        text = Engine(level=level).plays(NINE)
        assert f"{level} move" in text
        assert f"exactly with {solves_from(level)} squares empty" in text
    assert Engine().plays(EIGHT) == Engine(level=10).plays(EIGHT)
    assert "learners" in Engine(level=1).plays(EIGHT)
    assert "0.5 s" in Engine(time=0.5).plays(SIX)
    assert Engine().plays(Othello(columns=9, rows=8)) == ""
    assert Engine().plays(Nim()) == ""
    assert "engine" in parlour.bots(EIGHT)
    assert "engine" not in parlour.bots(Nim())


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"level": 0}, "level"),
        ({"level": 61}, "level"),
        ({"level": "deep"}, "level"),
        ({"level": 2.5}, "level"),
        ({"time": 0.0}, "time"),
        ({"time": -1}, "time"),
        ({"time": float("nan")}, "time"),
        ({"threads": 0}, "threads"),
        ({"hash": 1}, "hash"),
        ({"seed": -1}, "seed"),
        ({"book": "perhaps"}, "book"),
    ],
)
def test_an_impossible_option_is_refused_by_its_name(options, named):
    with pytest.raises(BadOption, match=named):
        parlour.bot("engine", **options)


def test_games_it_cannot_play_are_refused():
    with pytest.raises(UnknownName, match="depth"):
        parlour.bot("engine", depth=3)
    with pytest.raises(ParlourError, match="engine plays othello, not nim"):
        engine().choose(Nim(), Nim().start())
    large = Othello(columns=10, rows=10)
    with pytest.raises(ParlourError, match="at most 64 squares, and this board has 100"):
        engine().choose(large, large.start())
