"""The tool that makes the certificate: it keeps the bounds that are needed, and no others."""

from tools.othello.draw import GAME, START, Proof, find_needed

from parlour.truth.opening import load_certificate

EMPTY = 56  # squares: few positions, so that every one can be left out in turn
GOALS = [(START, True), (START, False)]


def after(*moves):
    state = GAME.start()
    for move in moves:
        state = GAME.play(state, GAME.read_move(state, move))
    return GAME.key(state)


def test_the_bounds_that_are_needed_are_those_without_which_a_goal_fails():
    """After f5 d6 c3 the draw is kept by d3; if f4 kept it too, neither would be needed."""
    rows = [row for row in load_certificate()["derived"] if row[0].count("-") == EMPTY]
    bounds = {GAME.key(GAME.read(text)): (least, most) for text, least, most in rows}
    kept = after("f5", "d6", "c3", "d3"), False
    other = after("f5", "d6", "c3", "f4"), False
    assert kept in find_needed(Proof(bounds), GOALS)
    proof = Proof(bounds)
    proof.given.add(other)
    assert all(map(proof.holds, GOALS))
    needed = find_needed(proof, GOALS)
    assert not {kept, other} & needed
    for claim in proof.given:
        without = Proof(bounds)
        without.given = proof.given - {claim}
        assert all(map(without.holds, GOALS)) == (claim not in needed)
