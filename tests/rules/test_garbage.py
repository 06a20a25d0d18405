"""Any text gives a legal move, position or option, or one of the documented errors."""

import functools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import parlour
from parlour.core.options import options_of
from parlour.core.registry import find
from parlour.rules.chopsticks import Chopsticks
from parlour.rules.nim import CLASS_ENDINGS, Nim
from parlour.rules.othello import Othello
from parlour.rules.sticks import Sticks
from parlour.rules.tictactoe import TicTacToe
from tests.conftest import LONG

GAMES = [
    Nim(misere=True, endings=CLASS_ENDINGS),
    Nim(seats=4, misere=True),
    Sticks(),
    Chopsticks(),
    Chopsticks(rules="feathers"),
    TicTacToe(),
    Othello(),
    Othello(columns=10, rows=9),
]
# As the games are drawn too, more examples than usual.
many = settings(max_examples=(2 if LONG else 10) * settings.default.max_examples)
# Near misses find more than noise: pieces of real notation, in any order, among anything at all.
PIECES = ["from", "take", "pile", "hit", "left", "own", "split", "a1", "A-C", ":", ",", "-", "X"]
PIECES += ["O", "of", "seen", "1,1:1,1:1", "pass", " ", ";", "\n", "\0", "٣", "½", "9" * 5000]
texts = st.one_of(
    st.text(),
    st.lists(st.one_of(st.sampled_from(PIECES), st.integers().map(str), st.text(max_size=3))).map(
        "".join
    ),
    st.lists(st.sampled_from(PIECES)).map(" ".join),
    st.lists(st.sampled_from(["X", "O", "-"]), min_size=60, max_size=66).map("".join),
)


# And positions that only a number or a letter spoils.
numbers = st.one_of(st.integers(0, 12), st.sampled_from([64, 10**9, 10**9 + 1, 10**30])).map(str)
lists = st.lists(numbers, min_size=1, max_size=5).map(",".join)
positions = st.one_of(
    texts,
    st.builds("{}:{}".format, lists, numbers),
    st.builds("{}:{} of {}".format, lists, numbers, lists),
    st.builds("{},{}:{},{}:{}".format, *[numbers] * 5),
    st.builds("{},{}:{},{}:{} seen {},{}:{},{}:{}".format, *[numbers] * 10),
    *(
        st.builds(
            "{} {}".format,
            st.text("XXOO--*.xq", min_size=squares, max_size=squares + 1),
            st.sampled_from("XOZ"),
        )
        for squares in (9, 64)
    ),
)


@functools.cache
def midway(game, share):
    """A state some way into a random game, not yet over."""
    chance, line = random.Random(4), [game.start()]
    while moves := game.moves(line[-1]):
        line.append(game.play(line[-1], chance.choice(moves)))
    return line[int(share * (len(line) - 1))]


@pytest.mark.slow
@many
@given(game=st.sampled_from(GAMES), share=st.sampled_from([0, 0.5, 0.9]), text=texts)
def test_any_text_for_a_move(game, share, text):
    state = midway(game, share)
    try:
        move = game.read_move(state, text)
    except (parlour.BadText, parlour.IllegalMove) as refusal:
        assert 10 < len(str(refusal)) < 400
        assert str(refusal).isprintable()
    else:
        assert move in game.moves(state)


@pytest.mark.slow
@many
@given(game=st.sampled_from(GAMES), text=positions)
def test_any_text_for_a_position(game, text):
    try:
        state = game.read(text)
    except parlour.BadText as refusal:
        assert 10 < len(str(refusal)) < 400
        assert str(refusal).isprintable()
    else:
        assert game.read(game.write(state)) == state
        assert (game.result(state) is None) == bool(game.moves(state))
        assert game.draw(state)
        for move in game.moves(state)[:5]:
            game.play(state, move)


NAMES = ("nim", "sticks", "chopsticks", "tictactoe", "othello")
OPTIONS = [opt for name in NAMES for opt in options_of(find("games", name)).values()]


@pytest.mark.slow
@many
@given(
    option=st.sampled_from(OPTIONS),
    text=st.one_of(texts, st.sampled_from(["yes", "no", "none", "3", "3,4", "1;2", "[[1,2],[3]]"])),
)
def test_any_text_for_an_option(option, text):
    try:
        value = option.read(text)
    except parlour.BadOption as refusal:
        assert refusal.option == option.name
        assert str(refusal).isprintable()
    else:
        assert option.read(option.write(value)) == value


values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=9)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.tuples(inner),
        st.dictionaries(st.text(max_size=3), inner, max_size=2),
    ),
    max_leaves=6,
)


@pytest.mark.slow
@many
@given(name=st.sampled_from(NAMES), data=st.data())
def test_any_value_for_an_option(name, data):
    options = options_of(find("games", name))
    chosen = data.draw(st.dictionaries(st.sampled_from(list(options)), values, max_size=3))
    try:
        game = parlour.game(name, **chosen)
    except parlour.BadOption as refusal:
        assert refusal.option in options
        assert str(refusal).isprintable()
    else:
        assert game.start() == parlour.game(name, **chosen).start()
