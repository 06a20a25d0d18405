"""Othello on 8x8 is a draw, given bounds that H. Takizawa published; deriving it is checked here.

That the start is a draw is his result ("Othello is Solved", 2023). The certificate is compared with
the game's own rules, which its checker does not use.
"""

import copy
import random

import pytest

import parlour
from parlour.core import Unsolved, Value
from parlour.rules.board import board_of
from parlour.rules.othello import Othello, flips_anysize, moves_anysize
from parlour.truth.opening import find_bounds, is_drawn, keeping_moves, load_certificate
from parlour.truth.proofs import othello as checker
from parlour.truth.proofs.checker import Refuted, check

GAME = Othello()
START = GAME.start()
BOARD = board_of(8, 8)
EMPTY, START_EMPTY = 50, 60  # squares, in the positions whose bounds are given and at the start
SEED = 7


@pytest.fixture(scope="module")
def proof():
    return load_certificate()


def changed(proof, kind, place, row):
    """The certificate with one row replaced, or left out."""
    rows = [*proof[kind][:place], *([row] if row else []), *proof[kind][place + 1 :]]
    return {**proof, kind: rows}


def successors(own, other):
    """The boards after every move, by the plain rules, as the checker writes them."""
    for move in BOARD.squares(moves_anysize(BOARD, own, other)):
        bit = BOARD.bits[move]
        turned = flips_anysize(BOARD, own, other, bit)
        yield other ^ turned, own | turned | bit


def text(own, other):
    return GAME.write((own, other, 0)).split()[0]


# The checker's own rules


def test_the_checker_moves_and_flips_as_the_rules_say():
    chance = random.Random(SEED)
    seen = 0
    for _ in range(20):
        own, other = START[:2]
        while following := list(successors(own, other)):
            assert set(checker.successors(text(own, other))) == {text(*each) for each in following}
            own, other = chance.choice(following)
            seen += 1
        assert not list(checker.successors(text(own, other)))
    assert seen > 500


def test_the_checker_takes_the_eight_symmetric_forms_of_a_board_for_one():
    own, other = next(successors(*next(successors(*START[:2]))))
    forms = {
        text(*(sum(t[discs >> 8 * row & 255] for row, t in enumerate(tables)) for discs in (o, p)))
        for o, p in [(own, other)]
        for tables in BOARD.symmetries
    }
    assert len(forms) == 8
    assert len({checker.canonical(form) for form in forms}) == 1
    assert checker.canonical(text(own, other)) != checker.canonical(text(other, own))


def test_bounds_are_derived_as_minimax_says():
    """One move is sure of 4 and may bring 6, the other brings 2 at least and perhaps 10."""
    board = "XO-" + "-" * 58 + "OOX"
    one, other = map(checker.canonical, checker.successors(board))
    assert checker.derive(board, {}) == (-64, 64)
    assert checker.derive(board, {one: (-6, -4)}) == (4, 64)
    assert checker.derive(board, {one: (-6, -4), other: (-10, -2)}) == (4, 10)
    start = text(*START[:2])
    one = checker.canonical(next(checker.successors(start)))  # up to symmetry there is one move
    assert checker.derive(start, {one: (0, 64)}) == (-64, 0)
    assert checker.derive("-" * 64, {}) == (-64, 64)  # nothing is known where neither can move


# The certificate


def test_the_draw_is_checked_and_names_whose_bounds_it_rests_on(proof):
    report = check(proof)
    assert "is a draw for the seat to move" in report
    assert 'taken from H. Takizawa, "Othello is Solved" (2023) and not checked here' in report
    assert f"{len(proof['given']):,} others" in report


def test_given_positions_have_50_empty_squares_and_derived_ones_have_more(proof):
    assert {row[0].count("-") for row in proof["given"]} == {EMPTY}
    derived = [row[0].count("-") for row in proof["derived"]]
    assert min(derived) > EMPTY
    assert max(derived) < START_EMPTY
    assert proof["position"] == GAME.write(START)


def supports(proof):
    """For every claim, those that one move later support it; with how many of them it needs.

    A claim is a position and whether its mover has at least a draw, or else at most a draw.
    """
    rows = [*proof["given"], *proof["derived"], [proof["position"], 0, 0]]
    names = [checker.canonical(checker.read(row[0])) for row in rows]
    claims = {(n, True) for n, row in zip(names, rows, strict=True) if row[1] == 0}
    claims |= {(n, False) for n, row in zip(names, rows, strict=True) if row[2] == 0}
    found = {}
    for name, at_least in claims:
        if name.count("-") > EMPTY:
            after = {(checker.canonical(each), not at_least) for each in checker.successors(name)}
            held = after & claims
            assert held if at_least else held == after
            found[name, at_least] = held
    return claims, found


def test_every_bound_is_needed(proof):
    """Without any single one of them, the start is no longer shown to be a draw."""
    claims, found = supports(proof)
    parents = {claim: [] for claim in claims}
    for claim, held in found.items():
        for each in held:
            parents[each].append(claim)
    start = checker.canonical(text(*START[:2]))
    given = claims - found.keys()
    assert len(given) == sum((low == 0) + (high == 0) for _, low, high in proof["given"])
    for claim in given:
        lost, todo = {claim}, [claim]
        while todo:
            for parent in parents[todo.pop()]:
                falls = not parent[1] or found[parent] <= lost
                if falls and parent not in lost:
                    lost.add(parent)
                    todo.append(parent)
        assert {(start, True), (start, False)} & lost


@pytest.mark.slow
@pytest.mark.parametrize("place", [0, 700])
def test_without_a_bound_the_check_fails(proof, place):
    with pytest.raises(Refuted, match="is not shown to have its bounds"):
        check(changed(proof, "given", place, None))


def falsehoods(proof):
    """The certificate, each time with one thing changed so that it proves nothing."""
    board, low, high = proof["given"][0]
    square = board.index("X")
    other_board = board[:square] + "O" + board[square + 1 :]
    for row in (
        [board, low - 2, high],  # weaker than needed
        [board, -high, -low],  # of the other side
        [other_board, low, high],
        [board, 2, 0],
        [board, low, 66],
        [board, float(low), high],
        [board, None, None],
        ["nonsense", low, high],
    ):
        yield changed(proof, "given", 0, row)
    yield changed(proof, "derived", 0, None)
    where, low, high = proof["derived"][-1]
    yield changed(proof, "derived", -1 % len(proof["derived"]), [where, max(low, 2), max(high, 2)])
    yield {**proof, "derived": proof["derived"][::-1]}  # nothing may rest on what comes later
    yield {**proof, "outcome": "win"}
    yield {**proof, "given": [[proof["position"], 0, 0]], "derived": []}
    yield {**proof, "position": proof["position"].replace(" X", " O")[::-1]}
    yield {**proof, "options": {"columns": 9, "rows": 7, "opening": "despacito"}}
    yield {**proof, "game": "tictactoe", "options": {}}
    yield {key: proof[key] for key in proof if key != "source"}


@pytest.mark.slow
def test_a_false_certificate_is_refuted(proof):
    for false in falsehoods(proof):
        with pytest.raises(Refuted):
            check(false)


# The solution


@pytest.mark.slow
def test_the_start_is_a_draw_whichever_way_the_first_discs_lie():
    for game in (GAME, Othello(opening="benedict")):
        solution = parlour.solve(game)
        assert solution.value(game.start()) == Value("draw")
        assert len(solution.best(game.start())) == 4
        # A position near the end is searched: in the first of the FFO ones the mover wins by 18.
        ffo_1 = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"
        assert solution.value(ffo_1).outcome == "win"
        proof = parlour.certificate(solution)
        assert proof["position"] == game.write(game.start())
        assert "is a draw" in parlour.check(proof)
        assert "Takizawa" in solution.method


def test_the_moves_that_keep_the_draw_lead_to_draws_until_50_squares_are_empty():
    solution, state = parlour.solve(GAME), START
    while len(BOARD.squares(BOARD.full & ~(state[0] | state[1]))) > EMPTY:
        moves = solution.best(state)
        assert moves
        state = GAME.play(state, moves[0])
        assert solution.value(state) == Value("draw")
    assert not keeping_moves(GAME, state)


def test_unproven_positions_are_not_answered():
    solution = parlour.solve(GAME)
    parallel = GAME.play(GAME.play(START, (5, 4)), (5, 3))
    assert find_bounds(GAME, parallel) == (0, 64)
    with pytest.raises(Unsolved, match="at least a draw"):
        solution.value(parallel)
    unknown = GAME.read("-" * 26 + "XO" + "-" * 36 + " X")
    with pytest.raises(Unsolved, match="squares are empty"):
        solution.value(unknown)
    with pytest.raises(Unsolved):
        solution.counts()
    assert not is_drawn(Othello(columns=6, rows=6), Othello(columns=6, rows=6).start())
    assert find_bounds(parlour.game("nim"), parlour.game("nim").start()) is None


def test_a_certificate_can_be_changed_without_changing_the_next_one():
    first = parlour.certificate(parlour.solve(GAME))
    kept = copy.deepcopy(first)
    first["given"].clear()
    assert parlour.certificate(parlour.solve(GAME)) == kept
