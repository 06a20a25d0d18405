"""Reskinned games: no word of the original is left, and yet it is the very same game."""

import itertools
import pickle
import random
import re
from pathlib import Path

import pytest

import parlour
from parlour.core import BadText, IllegalMove, ParlourError, how_to_move, laws, protocol, title
from parlour.players import reskin
from parlour.players.language_model import write_question
from parlour.players.skins import make_words
from tests.conftest import LONG

KAYLES = Path(__file__).parents[2] / "examples" / "kayles.py"
OWN = [
    parlour.game("nim"),
    parlour.game("nim", piles=(3, 3, 2), misere=True, take=2),
    parlour.game("nim", piles=(2, 3, 3), endings=((2, 2, 2), (1, 2, 3)), seats=3, misere=True),
    parlour.game("nim", piles=(5, 6), take=1, seats=4),
    parlour.game("sticks"),
    parlour.game("sticks", sticks=11, take=4),
    parlour.game("chopsticks"),
    parlour.game("chopsticks", rules="feathers"),
    parlour.game("chopsticks", overflow="wraps", hit_self=True, split_least=1, revive=False),
    parlour.game("tictactoe"),
    parlour.game("tictactoe", columns=4, rows=3, misere=True),
    parlour.game("tictactoe", columns=6, rows=5, line=3),
    parlour.game("othello"),
    parlour.game("othello", columns=6, rows=4),
    parlour.game("othello", opening="despacito"),
]
GAMES = [*OWN, parlour.game(KAYLES)]
SEEDS = range(6 if LONG else 2)
WORDS_OF_GAMES = re.compile(
    r"\b(nim|mis[eè]re|piles?|heaps?|coins?|sticks?|chopsticks?|hands?|fingers?|feathers?|box(es)?"
    r"|hits?|splits?|tic|tac|toe|noughts?|crosses|othello|reversi|discs?|black|white|squares?|x|o"
    r"|flips?|turns? over|kayles|[a-p]1?[0-9])\b",
    re.IGNORECASE,
)


def play_randomly(game, seed, plies=60):
    """Return the states and moves of a random game."""
    chance, state, steps = random.Random(seed), game.start(), []
    for _ in range(plies):
        moves = game.moves(state)
        if not moves:
            break
        move = moves[chance.randrange(len(moves))]
        steps.append((state, move))
        state = game.play(state, move)
    return [*steps, (state, None)]


def name(game):
    return parlour.core.describe(game)


@pytest.mark.parametrize("game", GAMES, ids=name)
def test_a_game_played_through_the_skin_is_one_of_the_original(game):
    for seed in SEEDS:
        skin = reskin(game, seed)
        theirs = game.start()
        for state, move in play_randomly(skin, seed):
            assert state == theirs
            assert skin.turn(state) == game.turn(state)
            assert skin.result(state) == game.result(state)
            moves = skin.moves(state)
            assert sorted(map(repr, moves)) == sorted(map(repr, game.moves(state)))
            shown = [skin.write_move(each) for each in moves]
            assert len(set(shown)) == len(shown)
            for each, text in zip(moves, shown, strict=True):
                assert skin.read_move(state, text) == each
                assert skin.read_move(state, f" {text.upper()} ") == each
            if move is not None:
                theirs = game.play(state, move)


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [OWN[1], OWN[5], OWN[8], parlour.game("othello", columns=4, rows=4)],
    ids=name,
)
def test_a_reskinned_game_keeps_the_laws(game):
    broken = {finding.law for finding in laws.check(reskin(game, 3), games=10)}
    assert broken <= {"self description"}  # its fields are no options, as they are not chosen


@pytest.mark.parametrize(
    "game",
    [OWN[1], OWN[6], OWN[9], parlour.game(KAYLES, pins=7)],
    ids=name,
)
def test_a_reskinned_game_has_the_value_of_the_original_everywhere(game):
    mine, theirs = parlour.solve(reskin(game, 8)), parlour.solve(game)
    assert mine.counts() == theirs.counts()
    for seed in range(5):
        for state, _ in play_randomly(game, seed):
            assert mine.value(state) == theirs.value(state)


@pytest.mark.parametrize("game", GAMES, ids=name)
def test_no_word_of_the_known_games_is_shown(game):
    third_party = game not in OWN
    for seed in SEEDS:
        skin = reskin(game, seed)
        texts = [
            title(skin),
            how_to_move(skin),
            *protocol.rules_text(skin),
            skin.name,
            repr(skin.name),
        ]
        for state, move in play_randomly(game, seed):
            texts += [skin.draw(state), skin.write(state)]
            if move is None:
                continue
            texts += [write_question(skin, state)]
            for wrong in ("a1", "1 from 1", "hit left right", "zzz", "99", "pass"):
                with pytest.raises(ParlourError) as refusal:
                    skin.read_move(state, wrong)
                texts.append(str(refusal.value).replace(wrong, ""))
        for text in texts:
            if third_party:  # whose boards and moves are its author's
                assert "kayles" not in text.casefold()
            else:
                assert not WORDS_OF_GAMES.search(text), text


@pytest.mark.parametrize("game", GAMES, ids=name)
def test_the_same_seed_gives_the_same_words_and_another_gives_others(game):
    def show(skin):
        moves = [skin.write_move(move) for move in skin.moves(skin.start())]
        return [skin.name, skin.draw(skin.start()), *protocol.rules_text(skin), *moves]

    assert show(reskin(game, 4)) == show(reskin(game, 4)) == show(pickled(reskin(game, 4)))
    assert len({reskin(game, seed).name for seed in range(6)}) > 3


def pickled(thing):
    return pickle.loads(pickle.dumps(thing))  # noqa: S301  # our own


def test_invented_words_are_harmless():
    words = make_words(random.Random(1), 5_000)
    assert len(set(words)) == 5_000
    assert not {"dildo", "vulva", "merda", "bimbo", "bingo", "tango"} & set(words)


def test_the_order_of_the_moves_depends_on_the_seed():
    game = parlour.game("tictactoe")
    orders = {reskin(game, seed).moves(game.start()) for seed in range(6)}
    assert len(orders) > 3
    assert reskin(game, 1).moves(game.start()) == reskin(game, 1).moves(game.start())


def test_a_gauge_rises_by_the_sticks_taken():
    skin = reskin(parlour.game("sticks"), 0)
    state = skin.play(skin.start(), (0, 3))
    assert "at 0 of 20" in skin.draw(skin.start())
    assert "at 3 of 20" in skin.draw(state)


def test_a_list_of_alliances_decides_as_lines_do():
    """The player who claims every member of a listed alliance, and no other, has won."""
    game = parlour.game("tictactoe")
    skin = reskin(game, 6)
    line = next(rule for rule in protocol.rules_text(skin) if "alliances" in rule)
    listed = line.partition(": ")[2].rstrip(".").split("; ")
    alliances = [set(re.split(", | and ", each)) for each in listed]
    assert len(alliances) == 8
    for seed in range(50):
        state, _ = play_randomly(game, seed)[-1]
        rows = dict(row.split(": ") for row in skin.draw(state).splitlines())
        has = [
            any(alliance <= set(rows[f"player {seat}"].split(", ")) for alliance in alliances)
            for seat in (1, 2)
        ]
        result = skin.result(state)
        assert has == [result == (1, -1), result == (-1, 1)]


def test_moves_are_read_leniently_but_not_guessed():
    game = parlour.game("nim")
    skin = reskin(game, 2)
    first, second, _ = skin.skin.names
    assert skin.read_move(game.start(), f"remove 2 from {first}") == (0, 2)
    for text in (f"{first} {second} 1", first, "2", f"{first} 1 2", f"not {first} 1", ""):
        with pytest.raises(BadText):
            skin.read_move(game.start(), text)
    with pytest.raises(IllegalMove, match="not legal here"):
        skin.read_move(game.start(), f"{first} 4")


def test_a_skin_over_a_skin_and_a_bad_seed_are_refused():
    with pytest.raises(ParlourError, match="already"):
        reskin(reskin("nim", 1), 2)
    for seed in (-1, "1", True, 2.5):
        with pytest.raises(ParlourError, match="seed cannot be"):
            reskin("nim", seed)


# What is drawn is where the moves say it is


def read_board(skin, state):
    """Read a drawn board back: the token on each place, by the place's name."""
    head, *lines, legend = skin.draw(state).splitlines()
    columns = head.split()
    places = {}
    for line in lines:
        row, *tokens = line.split()
        for column, token in zip(columns, tokens, strict=True):
            places[f"{row}-{column}"] = token
    owners = re.findall(r"(\S) player (\d)", legend)
    return places, {token: int(seat) - 1 for token, seat in owners}


@pytest.mark.parametrize("game", [OWN[11], OWN[12], OWN[13], OWN[14]], ids=name)
def test_boards_show_every_token_where_a_move_would_put_it(game):
    for seed in SEEDS:
        skin = reskin(game, seed)
        for state, _ in play_randomly(game, seed):
            places, owners = read_board(skin, state)
            assert len(places) == game.columns * game.rows
            for (column, row), _ in game.board.bits.items():
                mark = game.grid(state)[row][column]
                token = places[skin.write_move((column, row))]
                assert owners.get(token) == (game.marks.index(mark) if mark else None)


def test_containers_and_lamps_hold_as_much_as_piles_and_hands():
    for game, seed in itertools.product([*OWN[:4], *OWN[6:9]], SEEDS):
        skin = reskin(game, seed)
        if game in OWN[:4]:
            names = [skin.write_move((pile, 1)).split()[0] for pile in range(len(game.piles))]
        else:
            names = [skin.write_move((0, side, 0)).split()[1] for side in (0, 1)]
        for state, _ in play_randomly(game, seed):
            if game in OWN[:4]:
                shown = dict(re.findall(r"^(\w+): (\d+) ", skin.draw(state), re.MULTILINE))
                assert [int(shown[each]) for each in names] == list(state[2:])
                continue
            for seat, line in enumerate(skin.draw(state).splitlines()):
                shown = dict(re.findall(r"(\w+) (\d+|out)\b", line.partition(": ")[2]))
                held = [0 if shown[each] == "out" else int(shown[each]) for each in names]
                assert held == list(state[1 + 2 * seat : 3 + 2 * seat])
