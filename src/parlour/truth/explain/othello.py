"""Why an Othello position is won or lost: discs, mobility and corners; near the end, exact margins.

Before that an estimate may be given, with its source; it is never presented as proven. What can be
counted on the board holds whether or not the outcome is known. In the opening its name is given,
and what is proven of the position by the bounds of others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, TypeGuard

from parlour import core
from parlour.core import Move, Solution, State, Text, Value, join, say, say_number, seat_name
from parlour.engine import EndSolution, empties
from parlour.rules import PASS, Othello, OthelloState, Square, find_opening
from parlour.truth.explain.explainer import Explainer, Fact, fact, name_sides
from parlour.truth.explain.phrases import Phrases
from parlour.truth.explain.sentences import (
    ANY_GAME,
    OUTCOME_NAMES,
    Sentences,
    Wording,
    count_plies,
    describe_outcome,
    format_score,
    format_source,
    list_some,
)
from parlour.truth.opening import GIVEN_EMPTIES, find_bounds, keeping_moves

PHRASES = Phrases("othello.txt")
EARLY = 25  # empty squares: with more, an estimate of a few discs means nothing
SLIGHT, LEVEL = 3.0, 0.5  # margins that are called even, early on and later
MAX_BETTER = 3  # moves that seem better are listed
SEEMING = {"win": say("ahead"), "draw": say("about even"), "loss": say("behind")}


@dataclass(frozen=True)
class Estimate:
    """The expected margin in discs for the mover after each move, as `by` sees it `plies` ahead.

    `certainty` is in percent, 0 if unknown. A line in `lines` starts with the move it belongs to.
    An estimate that reached the end of the game may be `exact`.
    """

    by: str
    plies: int
    scores: Mapping[Square, float]
    certainty: int = 0
    exact: bool = False
    lines: Mapping[Square, tuple[Square, ...]] = field(default_factory=dict)

    @property
    def best(self) -> Square:
        """The first of the moves with the best score."""
        return max(self.scores, key=lambda move: self.scores[move])


def outcome_of(score: float, empty: int) -> str:
    """Return the outcome that an estimated score suggests with this many squares empty."""
    if abs(score) < (SLIGHT if empty > EARLY else LEVEL):
        return "draw"
    return "win" if score > 0 else "loss"


# What is known of the opening


def _name_opening(game: Othello, state: OthelloState) -> list[Fact]:
    """Return what players call the opening of this position, if it is on a line with a name."""
    opening = find_opening(game, [state])
    return [fact("opening", name=opening.name, also=list(opening.also))] if opening else []


def _name_opening_after(game: Othello, state: OthelloState, move: Square) -> list[Fact]:
    """Return the name of the opening that a move makes, if it was another before."""
    before, after = _name_opening(game, state), _name_opening(game, game.play(state, move))
    return [fact("makes-opening", **each.data) for each in after if each not in before]


def _state_bounds(game: Othello, state: OthelloState, move: Square | None = None) -> list[Fact]:
    """Return what is proven of a position near the start, or of the one after a move."""
    after = state if move is None else game.play(state, move)
    bounds = find_bounds(game, after)
    if bounds is None:
        return []
    least, most = bounds
    keeping = [game.write_move(each) for each in keeping_moves(game, after)] if not move else []
    return [
        fact(
            "bounds",
            **name_sides(game, after),
            move=None if move is None else game.write_move(move),
            least=least,
            most=most,
            given=empties(game, after) == GIVEN_EMPTIES,
            keeping=keeping,
        )
    ]


def phrase_bounds(game: Othello, state: OthelloState) -> Text:
    """Return in a sentence what is proven of a position near the start; empty if nothing is."""
    facts = _state_bounds(game, state)
    return join(" ", [OthelloExplainer().phrase(each, Wording()) for each in facts])


# What can be counted


def _count_discs(game: Othello, state: OthelloState) -> list[Fact]:
    """Return how many discs each side has."""
    own, other, turn = state
    counts = (own, other) if turn == 0 else (other, own)
    discs = {seat_name(game, seat): counts[seat].bit_count() for seat in (0, 1)}
    return [fact("discs", discs=discs, empty=empties(game, state))]


def _compare_mobility(game: Othello, state: OthelloState) -> list[Fact]:
    """Return how many moves each side has, and which corners each could take."""
    who = name_sides(game, state)
    mine, theirs = _squares(game, state), _squares(game, _swap_sides(state))
    facts = [fact("mobility", **who, moves=len(mine), others=len(theirs))]
    corners = {"mine": _corners(game, mine), "theirs": _corners(game, theirs)}
    return [*facts, fact("corners", **who, **corners)] if any(corners.values()) else facts


def _count_flips(game: Othello, state: OthelloState, move: Square) -> list[Fact]:
    """Return how many discs a move flipped."""
    if move == PASS:
        return []
    flipped = state[1].bit_count() - game.play(state, move)[0].bit_count()
    return [fact("turned", move=game.write_move(move), discs=flipped)]


def _describe_replies(game: Othello, state: OthelloState, move: Square) -> list[Fact]:
    """Return the replies a move leaves, and which corners it takes, misses and gives away."""
    following = game.play(state, move)
    if move == PASS or not game.moves(following):
        return []
    who, text, replies = name_sides(game, state), game.write_move(move), _squares(game, following)
    facts = [fact("leaves-moves", **who, moves=len(replies))]
    had = _corners(game, _squares(game, state))
    if text in had:
        facts.append(fact("takes-corner", corner=text))
    elif had:
        facts.append(fact("misses-corners", corners=had))
    before = _corners(game, _squares(game, _swap_sides(state)))
    if now := _corners(game, replies):
        opened = [corner for corner in now if corner not in before]
        left = [corner for corner in now if corner in before]
        facts.append(fact("gives-corners", **who, opened=opened, left=left))
    return facts


def _swap_sides(state: OthelloState) -> OthelloState:
    """Return the same board with the other side to move."""
    return (state[1], state[0], 1 - state[2])


def _squares(game: Othello, state: OthelloState) -> list[Square]:
    """Return the squares the mover may take."""
    return [move for move in game.moves(state) if move != PASS]


def _corners(game: Othello, squares: Sequence[Square]) -> list[str]:
    """Return the corners among some squares, as text."""
    across, down = (0, game.columns - 1), (0, game.rows - 1)
    return [game.write_move(s) for s in squares if s[0] in across and s[1] in down]


# What is proven near the end


def _compare_margins(game: Othello, solution: EndSolution, state: OthelloState) -> Fact:
    """Return the margin when both play for discs, and the margin after each move."""
    left = {game.write_move(m): solution.margin_after(state, m) for m in game.moves(state)}
    moves = [[move, left[move]] for move in sorted(left, key=lambda move: -left[move])]
    name = seat_name(game, state[2])
    return fact("margin", name=name, margin=solution.margin(state), moves=moves)


def _measure_loss(game: Othello, solution: EndSolution, state: OthelloState, move: Square) -> Fact:
    """Return how many discs a move gives away."""
    before, after = solution.margin(state), solution.margin_after(state, move)
    who = {"name": seat_name(game, state[2]), "move": game.write_move(move)}
    return fact("margin-left", **who, before=before, after=after, lost=before - after)


# What is estimated


def _explain_estimate(
    game: Othello, state: OthelloState, move: Square | None, estimate: Estimate, reason: str
) -> list[Fact]:
    """Return the score, its source, and the scores of the other moves."""
    scores = {game.write_move(m): score for m, score in estimate.scores.items()}
    best_first = sorted(scores.items(), key=lambda pair: -pair[1])
    text = None if move is None else game.write_move(move)
    score = best_first[0][1] if text is None else scores[text]
    exact = estimate.exact
    outcome = outcome_of(score, 0 if exact else empties(game, state))
    number = {"move": text, "score": score, "outcome": outcome}
    source = {"by": estimate.by, "plies": estimate.plies, "certainty": estimate.certainty}
    facts = [
        fact("estimate", name=seat_name(game, state[2]), **number, exact=exact),
        fact("estimated-by", **source, exact=exact, reason=reason),
    ]
    if text is None:
        moves = [list(pair) for pair in best_first]
        return [*facts, fact("thought-of", moves=moves, exact=exact)]
    better = [list(pair) for pair in best_first if pair[1] > score]
    return [*facts, fact("thought-better", moves=better, legal=len(scores), exact=exact)]


# Sentences


def _say_opening(kind: str, _: Wording, *, name: str, also: list[str]) -> Text:
    """Say what an opening is called."""
    return PHRASES(kind, name=PHRASES("name", name=name, also=also and list_some(also)))


def say_bounds(
    _: Wording,
    *,
    name: str,
    other: str,
    move: str | None,
    least: int,
    most: int,
    given: bool,
    keeping: list[str],
) -> Text:
    """Say what is proven near the start, and by whom."""
    side = name if least == 0 else other
    proven = PHRASES("proven", draw=least == most, name=side)
    source = PHRASES("source", given=given)
    texts = [PHRASES("bounds", move=move, proven=proven, source=source)]
    if keeping:
        texts.append(PHRASES("keeping", keeping=list_some(keeping)))
    return join(" ", texts)


def say_discs(_: Wording, *, discs: Mapping[str, int], empty: int) -> Text:
    """Say how many discs each side has."""
    each = [
        PHRASES("has", name=name, discs=core.count(number, "disc"))
        for name, number in discs.items()
    ]
    return PHRASES("discs", number=empty, discs=list_some(each))


def _count_moves(number: int) -> Text:
    return core.count(number, "move") if number else PHRASES("no-move")


def say_mobility(_: Wording, *, moves: int, others: int, **who: str) -> Text:
    """Say how many moves each side has."""
    return PHRASES("mobility", moves=_count_moves(moves), others=_count_moves(others), **who)


def _name_corners(corners: list[str]) -> Text:
    """Return `the corners a1 and h8`."""
    return PHRASES("corner", number=len(corners), corners=list_some(corners))


def say_corners(
    wording: Wording, *, name: str, other: str, mine: list[str], theirs: list[str]
) -> Text:
    """Say which corners each side could take."""
    texts = []
    if mine:
        texts.append(PHRASES("can-take", name=name, corners=_name_corners(mine)))
    if theirs:
        corners, who = _name_corners(theirs), wording.address(other)
        texts.append(PHRASES("open", number=len(theirs), corners=corners, other=who))
    return join(" ", map(core.capital, texts))


def say_turned(_: Wording, *, discs: int, **_rest: Any) -> Text:
    """Say how many discs a move flips."""
    return PHRASES("turned", number=discs)


def say_leaves_moves(wording: Wording, *, other: str, moves: int, **_rest: Any) -> Text:
    """Say how many moves a move leaves."""
    return PHRASES("leaves", other=wording.address(other), things=_count_moves(moves))


def say_misses_corners(_: Wording, *, corners: list[str]) -> Text:
    """Say which corners a move does not take."""
    return PHRASES("misses-corners", corners=_name_corners(corners))


def say_gives_corners(
    wording: Wording, *, other: str, opened: list[str], left: list[str], **_rest: Any
) -> Text:
    """Say which corners a move lets the opponent take."""
    texts, who = [], wording.address(other)
    if opened:
        texts.append(PHRASES("opens", corners=_name_corners(opened), other=who))
    if left:
        texts.append(PHRASES("leaves", other=who, things=_name_corners(left)))
    return join(" ", texts)


def say_margin_value(_: Wording, *, name: str, other: str, margin: int) -> str:
    """Say who wins, and by how many discs."""
    outcome = "win" if margin > 0 else "loss" if margin else "draw"
    how = say_number(abs(margin), "by {number} disc", "by {number} discs")
    return core.sentence(describe_outcome(name, other, outcome, how))


def _write_scores(moves: list[Any], write: Callable[[float], str]) -> list[Text]:
    """Return `e6 +5` for each move."""
    return [PHRASES("score", move=move, score=write(score)) for move, score in moves]


def _describe_margin(wording: Wording, name: str, margin: int) -> Text:
    after = core.format_signed(margin)
    return PHRASES("ending", margin=margin, after=after, name=wording.address(name))


def say_margin(wording: Wording, *, name: str, margin: int, moves: list[Any]) -> Text:
    """Say how it ends when both play for discs, after each move."""
    scores = list_some(_write_scores(moves, core.format_signed))
    return PHRASES("margin", ending=_describe_margin(wording, name, margin), moves=scores)


def say_margin_left(wording: Wording, *, name: str, after: int, lost: int, **_rest: Any) -> Text:
    """Say how many discs a move gives away."""
    ending = _describe_margin(wording, name, after)
    return PHRASES("margin-left", lost=lost, number=lost, ending=ending)


def say_margin_line(_: Wording, *, moves: list[str]) -> Text:
    """Say how it goes on when both play for discs."""
    return PHRASES("margin-line", plies=count_plies(len(moves)), moves=moves)


def say_estimate(
    wording: Wording, *, name: str, move: str | None, score: float, outcome: str, exact: bool
) -> Text:
    """Say what a position or a move seems to be worth."""
    discs = say_number(
        1 if abs(score) == 1 else 2,
        "{score} disc",
        "{score} discs",
        score=format_score(score, exact=exact),
    )
    called = OUTCOME_NAMES[outcome] if exact else SEEMING[outcome]
    who = wording.address(name)
    return PHRASES("estimate", outcome=called, discs=discs, name=who, move=move)


def say_estimated_by(_: Wording, *, by: str, plies: int, certainty: int, **data: Any) -> Text:
    """Say whose estimate it is, and why nothing is proven."""
    moves, source = core.count(plies, "move"), format_source(by, plies, certainty)
    return PHRASES("estimated-by", by=by, moves=moves, source=source, **data)


def say_thought_of(_: Wording, *, moves: list[Any], exact: bool) -> Text:
    """Say what each move seems to be worth."""
    scores = list_some(_write_scores(moves, partial(format_score, exact=exact)))
    return PHRASES("thought-of", single=len(moves) == 1, moves=scores)


def say_thought_better(_: Wording, *, moves: list[Any], exact: bool, **data: Any) -> Text:
    """Say which moves seem to be better."""
    best = _write_scores(moves[:MAX_BETTER], partial(format_score, exact=exact))
    scores = best and list_some(best)
    if len(moves) > MAX_BETTER:
        scores = PHRASES("more", moves=best, more=len(moves) - MAX_BETTER)
    return PHRASES("thought-better", moves=scores, exact=exact, **data)


class OthelloExplainer(Explainer):
    """Adds discs, mobility and corners, margins near the end, and estimates before it."""

    sentences: ClassVar[Sentences] = {
        **ANY_GAME,
        "opening": partial(_say_opening, "opening"),
        "makes-opening": partial(_say_opening, "makes-opening"),
        "bounds": say_bounds,
        "discs": say_discs,
        "mobility": say_mobility,
        "corners": say_corners,
        "turned": say_turned,
        "leaves-moves": say_leaves_moves,
        "misses-corners": say_misses_corners,
        "gives-corners": say_gives_corners,
        "margin-value": say_margin_value,
        "margin": say_margin,
        "margin-left": say_margin_left,
        "margin-line": say_margin_line,
        "estimate": say_estimate,
        "estimated-by": say_estimated_by,
        "thought-of": say_thought_of,
        "thought-better": say_thought_better,
        **PHRASES.plain("takes-corner", "expected"),
    }

    def value(self, game: Othello, solution: Solution, state: State, value: Value) -> Fact:
        if _is_by_margin(solution, state):
            who = name_sides(game, state)
            return fact("margin-value", **who, margin=solution.margin(state))
        return super().value(game, solution, state, value)

    def line(
        self,
        game: Othello,
        solution: Solution,
        state: State,
        value: Value | None,
        first: Move | None = None,
    ) -> list[Fact]:
        """Return best play; to the end when both play for discs, where only the margin is known."""
        if not _is_by_margin(solution, state):
            return super().line(game, solution, state, value, first)
        moves = solution.line(state) if first is None else [first]
        if first is not None:
            moves += solution.line(game.play(state, first))
        return [fact("margin-line", moves=[game.write_move(move) for move in moves])]

    def reasons(self, game: Othello, solution: Solution, state: State, value: Value) -> list[Fact]:
        discs = _count_discs(game, state)
        if isinstance(solution, EndSolution):
            return [*discs, _compare_margins(game, solution, state)]
        return _state_bounds(game, state) + _name_opening(game, state) + discs

    def move_reasons(
        self, game: Othello, solution: Solution, state: State, move: Move
    ) -> list[Fact]:
        flips = _count_flips(game, state, move)
        if isinstance(solution, EndSolution):
            return [*flips, _measure_loss(game, solution, state, move)]
        return flips

    def observe(self, game: Othello, state: State) -> list[Fact]:
        seen = _count_discs(game, state) + _compare_mobility(game, state)
        return _name_opening(game, state) + seen

    def observe_move(self, game: Othello, state: State, move: Move) -> list[Fact]:
        seen = _count_flips(game, state, move) + _describe_replies(game, state, move)
        return _name_opening_after(game, state, move) + seen

    def ending(self, game: Othello, state: State) -> list[Fact]:
        return _count_discs(game, state)

    def explain_unsolved(
        self, game: Othello, state: State, move: Move | None, reason: str, estimate: Estimate | None
    ) -> list[Fact]:
        """Return what is estimated, if anything is, and what can be seen on the board."""
        ends = move is not None and game.result(game.play(state, move)) is not None
        if estimate is None or ends:
            return super().explain_unsolved(game, state, move, reason, estimate)
        facts = _explain_estimate(game, state, move, estimate, reason)
        facts += _state_bounds(game, state, move)
        facts += self.observe(game, state) if move is None else self.observe_move(game, state, move)
        if line := estimate.lines.get(estimate.best if move is None else move):
            facts.append(fact("expected", moves=[game.write_move(each) for each in line]))
        return facts


def _is_by_margin(solution: Solution, state: State) -> TypeGuard[EndSolution]:
    """Return whether the margin is known but not how soon the game ends."""
    return isinstance(solution, EndSolution) and not solution.is_timed(state)
