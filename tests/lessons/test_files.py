"""Studies are written and read again exactly, by others too, and no file does any harm."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill import sgf_grammar, sgf_properties

import parlour
from parlour import BadText, Study, read_study, write_study
from parlour.lessons import list_kinds, study_to_text
from parlour.rules import formats
from tests.conftest import LONG
from tests.lessons.trees import GAMES, WORDS, grow

OTHELLO = [each for each in GAMES if each.startswith("othello")]
SEEDS = range(6 if LONG else 2)
PRESENTER = sgf_properties.Presenter(8, "UTF-8")


@pytest.mark.parametrize("game", GAMES)
def test_our_own_format_keeps_everything_of_any_game(game):
    for seed in SEEDS:
        study = grow(game, seed)
        assert read_study(write_study(study)) == study


@pytest.mark.parametrize("game", OTHELLO)
def test_sgf_keeps_everything_of_othello(game):
    for seed in SEEDS:
        study = grow(game, seed)
        again = read_study(write_study(study, "sgf"))
        assert (again.title, again.nodes, again.states) == (study.title, study.nodes, study.states)
        assert again == study or "despacito" in game  # which begins as any board of its size does


def test_a_study_from_any_position_keeps_it():
    study = grow("othello columns=6 rows=5", 2)
    part = Study(study.game, position=study.game.write(study.states[9]))
    assert part.position
    for kind in ("parlour", "sgf"):
        assert read_study(write_study(part, kind)).states == part.states


def test_another_reader_finds_the_same_moves_and_comments_in_our_sgf():
    for seed in SEEDS:
        study = grow("othello", seed, 60)
        tree = sgf_grammar.parse_sgf_game(write_study(study, "sgf").encode())
        seen: list[int] = []
        walk(study, tree, 0, seen, is_first=True)
        assert sorted(seen) == list(range(len(study.nodes)))


def walk(study, piece, place, seen, *, is_first=False):
    """Follow our tree and that of the other reader at once."""
    for number, node in enumerate(piece.sequence):
        if number or not is_first:
            (colour,) = {"B", "W"} & node.keys()
            assert colour == "BW"[study.game.turn(study.states[place])]
            text = node[colour][0].decode().replace("PA", "pass")
            (place,) = (each for each in study.children(place) if study.nodes[each].move == text)
        seen.append(place)
        words = PRESENTER.interpret("C", node.get("C", [b""]))
        assert words.startswith(study.nodes[place].comment)
        assert all(each.split("\n")[0] in words for each in study.nodes[place].proof)
    for child in piece.children:
        walk(study, child, place, seen)


def test_what_another_writer_writes_is_read():
    """As sgfmill serialises it, with its own escapes and line breaks."""
    study = grow("othello", 4, 60)
    tree = sgf_grammar.parse_sgf_game(write_study(study, "sgf").encode())
    text = sgf_grammar.serialise_game_tree(tree, wrap=40).decode()
    assert text != write_study(study, "sgf")
    assert read_study(text) == study


def test_edax_writes_the_first_move_into_the_first_node():
    text = (
        "(;FF[4]GM[2]AP[edax:4.6]PC[Edax]DT[2026-11-17]PB[Ann]PW[Edax 4.6]SZ[8]AB[e4][d5]AW[d4][e5]"
        "PL[B]RE[Void]B[f5];W[d6];B[c3];)\n"
    )
    study = read_study(text)
    assert [node.move for node in study.nodes] == ["", "f5", "d6", "c3"]
    assert study.title == "Ann – Edax 4.6"


def play_out(seed):
    """Return the study of one game on 4x4, played at random."""
    chance, study, at = random.Random(seed), Study("othello columns=4 rows=4"), 0
    while moves := study.game.moves(study.states[at]):
        study, at = study.add(at, study.game.write_move(chance.choice(moves)))
    return study


def test_squares_may_be_two_letters_as_in_go_and_passes_may_be_left_out():
    study = next(each for each in map(play_out, range(50)) if "pass" in str(each.nodes))
    for spelt in ("", "tt", "PA", None):
        text = "(;GM[2]SZ[4]"
        for place in study.main_line[1:]:
            mover = "BW"[study.states[place - 1][2]]
            move = study.nodes[place].move
            if move == "pass":
                text += "" if spelt is None else f";{mover}[{spelt}]"
            else:
                text += f";{mover}[{move[0]}{'abcd'[int(move[1]) - 1]}]"
        assert read_study(text + ")").nodes == study.nodes


def test_ggf_holds_the_main_line_as_the_reader_for_ggf_sees_it():
    study = grow("othello", 5, 60)
    (game,) = formats.read_ggf(write_study(study, "ggf"))
    main = [study.moves[at] for at in study.main_line[1:]]
    assert list(game.moves) == main
    assert [n.move for n in read_study(write_study(study, "ggf")).nodes[1:]] == [
        study.nodes[at].move for at in study.main_line[1:]
    ]


@pytest.mark.parametrize("game", GAMES)
def test_a_record_holds_the_main_line_and_can_be_replayed(game):
    study = grow(game, 3, 12)
    record = parlour.Record.from_json(write_study(study, "record"))
    assert list(record.moves) == [study.nodes[at].move for at in study.main_line[1:]]
    assert read_study(record.to_json()).main_line == study.main_line[:1] + tuple(
        range(1, len(record.moves) + 1)
    )


def test_only_the_formats_that_fit_are_offered():
    assert list_kinds(Study("othello")) == ["parlour", "sgf", "ggf", "record"]
    assert list_kinds(Study("othello columns=6 rows=6")) == ["parlour", "sgf", "record"]
    assert list_kinds(Study("nim")) == ["parlour", "record"]
    assert list_kinds(Study("nim", position="1,2,2:1")) == ["parlour"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "this is no study"),
        ("{", "cannot be read to its end"),
        ("[" * 100_000, "this is no study"),
        ('{"a":' * 100_000, "cannot be read to its end"),
        ("(;" * 100_000, "2,000 moves fit"),
        ("(;GM[1];B[aa])", "Othello is GM.2."),
        ("(;GM[2]SZ[19])", "columns cannot be 19"),
        ("(;GM[2]SZ[x])", "not the size of a board"),
        ("(;GM[2];W[f5])", "in this SGF f5 is white's, but black is to move"),
        ("(;GM[2];B[f5];W[f4](;B[e3])(;B[a1]))", "the move a1 after f5, f4 cannot be played"),
        ("(;GM[2];B[zz])", "not a square of the board"),
        ("(;GM[2]C[open", "not closed by"),
        ("(;GM[2](;B[f5])", "more \\( than \\)"),
        ("(;GM[2];B)", "no value in brackets"),
        ("(;GM[2])(;GM[2])", "several games"),
        ("(;GM[2]AB[d4]AW[d4])", "a black and a white disc"),
        ("(;GM[2];B[f5];AB[a1])", "in the middle of a game"),
        ("(;GM[Othello]B[f5]B[d6];)", "recorded as black's"),
        ('{"format": "parlour study 9", "game": "nim", "nodes": [{}]}', "parlour study 9"),
        ('{"game": "go", "nodes": [{}]}', "'go'"),
        (
            '{"game": "nim", "nodes": [{}, {"parent": 0, "move": "9 from 1"}]}',
            "first move '9 from 1' cannot",
        ),
        (
            '{"game": "nim", "nodes": [{}, {"parent": true}]}',
            "node 1 of this study follows node True",
        ),
        ('{"game": "nim", "nodes": [{"right": 1}]}', "right cannot be 1; it must be yes or no"),
        ('{"game": "nim", "nodes": [{"comment": 1}]}', "comment cannot be 1; it must be a text"),
        ('{"game": "nim", "nodes": []}', "at least one, which is"),
        ('{"game": "nim", "nodes": [{"colour": 1}]}', "no field 'colour'"),
        ('{"game": "nim", "options": {"piles": [3, "x"]}, "nodes": [{}]}', "piles"),
        ("x" * 1_000_001, "at most 1,000 kB"),
    ],
)
def test_a_bad_file_is_refused_in_one_sentence(text, why):
    with pytest.raises(parlour.ParlourError, match=why) as refused:
        read_study(text)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 600


PIECES = ["(", ";", ")", "[", "]", "\\", "GM[2]", "SZ[4]", "B[b1]", "W[", "a1", "C[", "AB[aa:dd]"]
PIECES += ["PL[W]", "TE[1]", "ASK[x]", "\n", "pass", "PA", "(;GM[2]", *WORDS, "\0", "{", '"', "٣"]
NODE = st.fixed_dictionaries(
    {},
    optional={
        "parent": st.one_of(st.integers(-2, 6), st.none()),
        "move": st.one_of(st.sampled_from(["1 from 1", "2 from 2", "", "x"]), st.text(max_size=5)),
        "comment": st.text(max_size=20),
        "proof": st.lists(st.text(max_size=9), max_size=3),
        "asks": st.sampled_from(["marked", "proven", "", "?"]),
        "right": st.booleans(),
    },
)
FILES = st.one_of(
    st.binary(max_size=200),
    st.text(max_size=200),
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=40).map(
        lambda parts: "(;GM[2]SZ[4]" + "".join(parts)
    ),
    st.builds(
        lambda game, options, nodes: json.dumps(
            {"game": game, "options": options, "nodes": [{}, *nodes]}
        ),
        st.sampled_from(["nim", "chopsticks", "othello", ""]),
        st.dictionaries(st.sampled_from(["piles", "misere", "x"]), st.integers(-1, 9), max_size=2),
        st.lists(NODE, max_size=5),
    ),
)


@settings(max_examples=(1 if LONG else 4) * settings.default.max_examples)
@given(FILES)
def test_whatever_a_file_holds_it_is_a_study_or_refused_in_a_sentence(data):
    try:
        study = read_study(data)
    except parlour.ParlourError as refused:
        assert "\n" not in str(refused)
    else:
        assert read_study(write_study(study)) == study
        assert study_to_text(study)


def test_variations_may_be_nested_as_deep_as_a_file_is_long():
    text = "(;GM[2];B[f5]" + "(;N[deeper]" * 3_000 + ";W[d6]" + ")" * 3_001
    assert [node.move for node in read_study(text).nodes] == ["", "f5", "d6"]


def test_a_file_of_several_games_is_no_study():
    games = "f5d6c3\nf5f6e6\nd3c5\n"
    with pytest.raises(BadText, match="3 games; a study is made of one"):
        read_study(games)
