"""Why an Othello position is won or lost: discs, mobility and corners; near the end, exact margins.

Before that an estimate may be given, with its source; it is never presented as proven. What can be
counted on the board holds whether or not the outcome is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, TypeGuard

from parlour.core import Move, Solution, State, Value, capital, count, format_signed, seat_name
from parlour.engine import EndSolution, empties
from parlour.rules import PASS, Othello, OthelloState, Square
from parlour.truth.explain.explainer import (
    Data,
    Explainer,
    Fact,
    Phrase,
    count_plies,
    fact,
    join_texts,
    name_sides,
)

EARLY = 25  # empty squares: with more, an estimate of a few discs means nothing
SLIGHT, LEVEL = 3.0, 0.5  # margins that are called even, early on and later
MAX_BETTER = 3  # better moves that are named


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


# What can be counted


def _count_discs(game: Othello, state: OthelloState) -> list[Fact]:
    """Return how many discs each side has."""
    own, other, turn = state
    discs = {seat_name(game, turn): own.bit_count(), seat_name(game, 1 - turn): other.bit_count()}
    return [fact("discs", discs=dict(sorted(discs.items())), empty=empties(game, state))]


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


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _moves(number: int) -> str:
    return count(number, "move") if number else "no move"


def _the(corners: list[str]) -> str:
    return f"the corner{'' if len(corners) == 1 else 's'} {join_texts(corners)}"


def _phrase_discs(data: Data) -> str:
    discs = [f"{name} has {count(discs, 'disc')}" for name, discs in data["discs"].items()]
    return f"{join_texts(discs)}; {count(data['empty'], 'square')} {_are(data['empty'])} empty."


def _phrase_mobility(data: Data) -> str:
    theirs = f"{data['other']} would have {data['others'] or 'none'}"
    return f"{data['name']} has {_moves(data['moves'])}, and {theirs}."


def _phrase_corners(data: Data) -> str:
    sentences = []
    if data["mine"]:
        sentences.append(f"{capital(data['name'])} can take {_the(data['mine'])}.")
    if data["theirs"]:
        is_open = f"{_are(len(data['theirs']))} open to {data['other']}"
        sentences.append(f"{capital(_the(data['theirs']))} {is_open}.")
    return " ".join(sentences)


def _phrase_leaves_moves(data: Data) -> str:
    return f"It leaves {data['other']} {_moves(data['moves'])}."


def _phrase_misses_corners(data: Data) -> str:
    return f"It leaves {_the(data['corners'])} untaken."


def _phrase_gives_corners(data: Data) -> str:
    sentences = []
    if data["opened"]:
        sentences.append(f"It opens {_the(data['opened'])} to {data['other']}.")
    if data["left"]:
        sentences.append(f"It leaves {data['other']} {_the(data['left'])}.")
    return " ".join(sentences)


def _phrase_margin_value(data: Data) -> str:
    name, other, discs = data["name"], data["other"], count(abs(data["margin"]), "disc")
    if data["margin"] > 0:
        return f"Win by {discs} for {name}, who is to move, whatever {other} does."
    if data["margin"] < 0:
        wins = f"{other} wins, whatever {name} does"
        return f"Loss by {discs} for {name}, who is to move: {wins}."
    return f"Draw: neither {name}, who is to move, nor {other} can force a win."


def _end_level(margin: int, name: str) -> str:
    return f"it ends {format_signed(margin)} for {name}" if margin else "it ends level"


def _phrase_margin(data: Data) -> str:
    moves = join_texts([f"{move} {format_signed(margin)}" for move, margin in data["moves"]])
    return f"Played for discs {_end_level(data['margin'], data['name'])}: {moves}."


def _phrase_margin_left(data: Data) -> str:
    lost = data["lost"]
    away = f"gives away {count(lost, 'disc')}" if lost else "gives nothing away"
    return f"Played for discs it {away}: {_end_level(data['after'], data['name'])}."


def _phrase_margin_line(data: Data) -> str:
    return f"Best play for discs, {count_plies(len(data['moves']))}: {', '.join(data['moves'])}."


def format_score(score: float, *, exact: bool = False) -> str:
    """Return `≈ +3`, or `+3` where the score is exact."""
    return ("" if exact else "≈ ") + format_signed(score, 1)


def _format_scores(moves: list[tuple[str, float]], *, exact: bool) -> list[str]:
    return [f"{move} {format_score(score, exact=exact)}" for move, score in moves]


def format_source(by: str, ahead: int, certainty: int = 0) -> str:
    """Return whose estimate it is: `estimated by engine, 14 moves ahead, 73 % sure`."""
    sure = f", {certainty} % sure" if certainty else ""
    return f"estimated by {by}, {count(ahead, 'move')} ahead{sure}"


def _phrase_estimate(data: Data) -> str:
    called = {"win": "Ahead", "draw": "About even", "loss": "Behind"}[data["outcome"]]
    if data["exact"]:
        called = capital(data["outcome"])
    when = ", to move" if data["move"] is None else f" after {data['move']}"
    score = format_score(data["score"], exact=data["exact"])
    discs = "disc" if abs(data["score"]) == 1 else "discs"
    return f"{called}: {score} {discs} for {data['name']}{when}."


def _phrase_estimated_by(data: Data) -> str:
    if data["exact"]:
        return f"Proven by {data['by']}, which looked {count(data['plies'], 'move')} ahead."
    source = format_source(data["by"], data["plies"], data["certainty"])
    return f"{source}, not proven: {data['reason']}."


def _phrase_thought_of(data: Data) -> str:
    moves = join_texts(_format_scores(data["moves"], exact=data["exact"]))
    return f"There is only this move: {moves}." if len(data["moves"]) == 1 else f"Moves: {moves}."


def _phrase_thought_better(data: Data) -> str:
    better = "better" if data["exact"] else "thought better"
    if data["moves"]:
        named = _format_scores(data["moves"][:MAX_BETTER], exact=data["exact"])
        more = len(data["moves"]) - len(named)
        return f"{better}: {join_texts([*named, *([f'{more} more'] if more else [])])}."
    return f"No move is {better}." if data["legal"] > 1 else "There is no other move."


def _phrase_expected(data: Data) -> str:
    return f"The line it expects: {', '.join(data['moves'])}."


class OthelloExplainer(Explainer):
    """Adds discs, mobility and corners, margins near the end, and estimates before it."""

    phrases: ClassVar[Mapping[str, Phrase]] = {
        "discs": _phrase_discs,
        "mobility": _phrase_mobility,
        "corners": _phrase_corners,
        "turned": "It flips {discs:disc}.",
        "leaves-moves": _phrase_leaves_moves,
        "takes-corner": "It takes the corner {corner}, which nobody can flip again.",
        "misses-corners": _phrase_misses_corners,
        "gives-corners": _phrase_gives_corners,
        "margin-value": _phrase_margin_value,
        "margin": _phrase_margin,
        "margin-left": _phrase_margin_left,
        "margin-line": _phrase_margin_line,
        "estimate": _phrase_estimate,
        "estimated-by": _phrase_estimated_by,
        "thought-of": _phrase_thought_of,
        "thought-better": _phrase_thought_better,
        "expected": _phrase_expected,
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
        return discs

    def move_reasons(
        self, game: Othello, solution: Solution, state: State, move: Move
    ) -> list[Fact]:
        flips = _count_flips(game, state, move)
        if isinstance(solution, EndSolution):
            return [*flips, _measure_loss(game, solution, state, move)]
        return flips

    def observe(self, game: Othello, state: State) -> list[Fact]:
        return _count_discs(game, state) + _compare_mobility(game, state)

    def observe_move(self, game: Othello, state: State, move: Move) -> list[Fact]:
        return _count_flips(game, state, move) + _describe_replies(game, state, move)

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
        facts += self.observe(game, state) if move is None else self.observe_move(game, state, move)
        if line := estimate.lines.get(estimate.best if move is None else move):
            facts.append(fact("expected", moves=[game.write_move(each) for each in line]))
        return facts


def _is_by_margin(solution: Solution, state: State) -> TypeGuard[EndSolution]:
    """Return whether the margin is known but not how soon the game ends."""
    return isinstance(solution, EndSolution) and not solution.is_timed(state)
