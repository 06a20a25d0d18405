"""Why an Othello position is won or lost: discs, mobility and corners; near the end, exact margins.

Before that an estimate may be given, with its source; it is never presented as proven. What can be
counted on the board holds whether or not the outcome is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, TypeGuard

from parlour.core import Move, Solution, State, Value, capital, count, seat_name
from parlour.engine import EndSolution, empties
from parlour.rules import PASS, Othello, OthelloState, Square
from parlour.truth.explain.explainer import (
    PHRASES,
    Data,
    Explainer,
    Fact,
    Phrase,
    count_plies,
    join_texts,
)

EARLY = 25  # empty squares: with more, an estimate of a few discs means nothing
SLIGHT, LEVEL = 3.0, 0.5  # margins that are called even, early on and later
MOST_BETTER = 3  # better moves that are named


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


def count_discs(game: Othello, state: OthelloState) -> list[Fact]:
    """Return how many discs each side has."""
    own, other, turn = state
    discs = {
        seat_name(game, turn): own.bit_count(),
        seat_name(game, 1 - turn): other.bit_count(),
    }
    return [Fact("discs", {"discs": dict(sorted(discs.items())), "empty": empties(game, state)})]


def compare_mobility(game: Othello, state: OthelloState) -> list[Fact]:
    """Return how many moves each side has, and which corners each could take."""
    who = _who(game, state)
    mine, theirs = _squares(game, state), _squares(game, _swap_sides(state))
    facts = [Fact("mobility", {**who, "moves": len(mine), "others": len(theirs)})]
    corners = {"mine": _corners(game, mine), "theirs": _corners(game, theirs)}
    return [*facts, Fact("corners", {**who, **corners})] if any(corners.values()) else facts


def count_flips(game: Othello, state: OthelloState, move: Square) -> list[Fact]:
    """Return how many discs a move flipped."""
    if move == PASS:
        return []
    following = game.play(state, move)
    turned = state[1].bit_count() - following[0].bit_count()
    return [Fact("turned", {"move": game.write_move(move), "discs": turned})]


def describe_replies(game: Othello, state: OthelloState, move: Square) -> list[Fact]:
    """Return the replies a move leaves, and which corners it takes, misses and gives away."""
    following = game.play(state, move)
    if move == PASS or not game.moves(following):
        return []
    who = _who(game, state)
    replies = _squares(game, following)
    facts = [Fact("leaves-moves", {**who, "moves": len(replies)})]
    had = _corners(game, _squares(game, state))
    text = game.write_move(move)
    if text in had:
        facts.append(Fact("takes-corner", {"corner": text}))
    elif had:
        facts.append(Fact("misses-corners", {"corners": had}))
    before = _corners(game, _squares(game, _swap_sides(state)))
    now = _corners(game, replies)
    given = {
        "opened": [corner for corner in now if corner not in before],
        "left": [corner for corner in now if corner in before],
    }
    return [*facts, Fact("gives-corners", {**who, **given})] if now else facts


def _who(game: Othello, state: OthelloState) -> Data:
    turn = game.turn(state)
    return {"name": seat_name(game, turn), "other": seat_name(game, 1 - turn)}


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


def margin_value(game: Othello, solution: EndSolution, state: OthelloState) -> Fact:
    """Return who wins, and by how many discs."""
    return Fact("margin-value", {**_who(game, state), "margin": solution.margin(state)})


def margin_facts(game: Othello, solution: EndSolution, state: OthelloState) -> list[Fact]:
    """Return the margin when both play for discs, and the margin after each move."""
    left = [(game.write_move(m), solution.margin_after(state, m)) for m in game.moves(state)]
    left.sort(key=lambda pair: -pair[1])
    margin = {"name": seat_name(game, state[2]), "margin": solution.margin(state)}
    return [Fact("margin", {**margin, "moves": [list(pair) for pair in left]})]


def margin_after(
    game: Othello, solution: EndSolution, state: OthelloState, move: Square
) -> list[Fact]:
    """Return how many discs a move gives away."""
    before, after = solution.margin(state), solution.margin_after(state, move)
    who = {"name": seat_name(game, state[2]), "move": game.write_move(move)}
    return [Fact("margin-left", {**who, "before": before, "after": after, "lost": before - after})]


def margin_line(
    game: Othello, solution: EndSolution, state: OthelloState, first: Square | None = None
) -> Fact:
    """Return the line to the end when both play for discs, after a `first` move if there is one."""
    moves = [] if first is None else [first]
    state = state if first is None else game.play(state, first)
    moves += solution.line(state)
    return Fact("margin-line", {"moves": [game.write_move(move) for move in moves]})


# What is estimated


def estimate_facts(
    game: Othello, state: OthelloState, move: Square | None, estimate: Estimate, reason: str
) -> list[Fact]:
    """Return the score, its source, and the scores of the other moves."""
    scores = {game.write_move(m): score for m, score in estimate.scores.items()}
    best_first = sorted(scores.items(), key=lambda pair: -pair[1])
    text = None if move is None else game.write_move(move)
    score = best_first[0][1] if text is None else scores[text]
    empty = 0 if estimate.exact else empties(game, state)
    number = {"move": text, "score": score, "outcome": outcome_of(score, empty)}
    exact = {"exact": estimate.exact}
    source = {"by": estimate.by, "plies": estimate.plies, "certainty": estimate.certainty}
    facts = [
        Fact("estimate", {"name": seat_name(game, state[2]), **number, **exact}),
        Fact("estimated-by", {**source, **exact, "reason": reason}),
    ]
    if text is None:
        facts.append(Fact("thought-of", {"moves": [list(pair) for pair in best_first], **exact}))
    else:
        better = [list(pair) for pair in best_first if pair[1] > score]
        facts.append(Fact("thought-better", {"moves": better, "legal": len(scores), **exact}))
    return facts


def expected_line(game: Othello, estimate: Estimate, move: Square | None) -> list[Fact]:
    """Return the expected line after this move, or else after the best one."""
    line = estimate.lines.get(estimate.best if move is None else move)
    return [Fact("expected", {"moves": [game.write_move(each) for each in line]})] if line else []


# Sentences


def _phrase_discs(data: Data) -> str:
    discs = join_texts(
        [f"{name} has {count(discs, 'disc')}" for name, discs in data["discs"].items()]
    )
    return f"{capital(discs)}; {count(data['empty'], 'square')} {_are(data['empty'])} empty."


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _moves(number: int) -> str:
    return count(number, "move") if number else "no move"


def _phrase_mobility(data: Data) -> str:
    theirs = f"{data['other']} would have {data['others'] or 'none'}"
    return f"{capital(data['name'])} has {_moves(data['moves'])}, and {theirs}."


def _the(corners: list[str]) -> str:
    return f"the corner{'' if len(corners) == 1 else 's'} {join_texts(corners)}"


def _phrase_corners(data: Data) -> str:
    sentences = []
    if data["mine"]:
        sentences.append(f"{capital(data['name'])} can take {_the(data['mine'])}.")
    if data["theirs"]:
        is_open = f"{_are(len(data['theirs']))} open to {data['other']}"
        sentences.append(f"{capital(_the(data['theirs']))} {is_open}.")
    return " ".join(sentences)


def _phrase_turned(data: Data) -> str:
    return f"It turns {count(data['discs'], 'disc')}."


def _phrase_leaves_moves(data: Data) -> str:
    return f"It leaves {data['other']} {_moves(data['moves'])}."


def _phrase_takes_corner(data: Data) -> str:
    return f"It takes the corner {data['corner']}, which nobody can turn again."


def _phrase_misses_corners(data: Data) -> str:
    return f"It leaves {_the(data['corners'])} untaken."


def _phrase_gives_corners(data: Data) -> str:
    sentences = []
    if data["opened"]:
        sentences.append(f"It opens {_the(data['opened'])} to {data['other']}.")
    if data["left"]:
        sentences.append(f"It leaves {data['other']} {_the(data['left'])}.")
    return " ".join(sentences)


def _format_signed(margin: int) -> str:
    return f"{margin:+}" if margin else "0"


def _phrase_margin_value(data: Data) -> str:
    name, other, discs = data["name"], data["other"], count(abs(data["margin"]), "disc")
    if data["margin"] > 0:
        return f"Win by {discs} for {name}, who is to move, whatever {other} does."
    if data["margin"] < 0:
        wins = f"{other} wins, whatever {name} does"
        return f"Loss by {discs} for {name}, who is to move: {wins}."
    return f"Draw: neither {name}, who is to move, nor {other} can force a win."


def _phrase_margin(data: Data) -> str:
    ends = f"{_format_signed(data['margin'])} for {data['name']}" if data["margin"] else "level"
    moves = join_texts([f"{move} {_format_signed(margin)}" for move, margin in data["moves"]])
    return f"Played for discs it ends {ends}: {moves}."


def _phrase_margin_left(data: Data) -> str:
    left = f"{_format_signed(data['after'])} for {data['name']}" if data["after"] else "level"
    if not data["lost"]:
        return f"Played for discs it gives nothing away: it ends {left}."
    return f"Played for discs it gives away {count(data['lost'], 'disc')}: it ends {left}."


def _phrase_margin_line(data: Data) -> str:
    return f"Best play for discs, {count_plies(len(data['moves']))}: {', '.join(data['moves'])}."


def format_score(score: float, *, exact: bool = False) -> str:
    """Return `≈ +3`, or `+3` where the score is exact."""
    figure = f"{score:+g}".replace("-", "−") if score else "0"
    return figure if exact else f"≈ {figure}"


def format_source(by: str, ahead: int, certainty: int = 0) -> str:
    """Return whose estimate it is: `estimated by engine, 14 moves ahead, 73 % sure`."""
    sure = f", {certainty} % sure" if certainty else ""
    return f"estimated by {by}, {count(ahead, 'move')} ahead{sure}"


def _phrase_estimate(data: Data) -> str:
    called = {"win": "Ahead", "draw": "About even", "loss": "Behind"}[data["outcome"]]
    if data["exact"]:
        called = {"win": "Win", "draw": "Draw", "loss": "Loss"}[data["outcome"]]
    when = ", to move" if data["move"] is None else f" after {data['move']}"
    score = format_score(data["score"], exact=data["exact"])
    discs = "disc" if abs(data["score"]) == 1 else "discs"
    return f"{called}: {score} {discs} for {data['name']}{when}."


def _phrase_estimated_by(data: Data) -> str:
    if data["exact"]:
        return f"Proven by {data['by']}, which looked {count(data['plies'], 'move')} ahead."
    source = format_source(data["by"], data["plies"], data["certainty"])
    return f"{capital(source)}, not proven: {data['reason']}."


def _phrase_thought_of(data: Data) -> str:
    moves = join_texts(
        [f"{move} {format_score(score, exact=data['exact'])}" for move, score in data["moves"]]
    )
    return f"There is only this move: {moves}." if len(data["moves"]) == 1 else f"Moves: {moves}."


def _phrase_thought_better(data: Data) -> str:
    thought = "" if data["exact"] else "thought "
    if data["moves"]:
        best = data["moves"][:MOST_BETTER]
        named = [f"{move} {format_score(score, exact=data['exact'])}" for move, score in best]
        more = len(data["moves"]) - len(named)
        moves = join_texts([*named, *([f"{more} more"] if more else [])])
        return f"{capital(f'{thought}better')}: {moves}."
    return f"No move is {thought}better." if data["legal"] > 1 else "There is no other move."


def _phrase_expected(data: Data) -> str:
    return f"The line it expects: {', '.join(data['moves'])}."


OWN_PHRASES: dict[str, Phrase] = {
    "discs": _phrase_discs,
    "mobility": _phrase_mobility,
    "corners": _phrase_corners,
    "turned": _phrase_turned,
    "leaves-moves": _phrase_leaves_moves,
    "takes-corner": _phrase_takes_corner,
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


class OthelloExplainer(Explainer):
    """Adds discs, mobility and corners, margins near the end, and estimates before it."""

    phrases: ClassVar[Mapping[str, Phrase]] = {**PHRASES, **OWN_PHRASES}

    def value(self, game: Othello, solution: Solution, state: State, value: Value) -> Fact:
        if _is_by_margin(solution, state):
            return margin_value(game, solution, state)
        return super().value(game, solution, state, value)

    def line(
        self,
        game: Othello,
        solution: Solution,
        state: State,
        value: Value | None,
        first: Move | None = None,
    ) -> Fact | None:
        if _is_by_margin(solution, state):
            return margin_line(game, solution, state, first)
        return super().line(game, solution, state, value, first)

    def reasons(self, game: Othello, solution: Solution, state: State, value: Value) -> list[Fact]:
        discs = count_discs(game, state)
        if isinstance(solution, EndSolution):
            return discs + margin_facts(game, solution, state)
        return discs

    def move_reasons(
        self, game: Othello, solution: Solution, state: State, move: Move
    ) -> list[Fact]:
        flips = count_flips(game, state, move)
        if isinstance(solution, EndSolution):
            return flips + margin_after(game, solution, state, move)
        return flips

    def observe(self, game: Othello, state: State) -> list[Fact]:
        return count_discs(game, state) + compare_mobility(game, state)

    def observe_move(self, game: Othello, state: State, move: Move) -> list[Fact]:
        return count_flips(game, state, move) + describe_replies(game, state, move)

    def ending(self, game: Othello, state: State) -> list[Fact]:
        return count_discs(game, state)

    def explain_unsolved(
        self, game: Othello, state: State, move: Move | None, reason: str, estimate: Estimate | None
    ) -> list[Fact]:
        ends = move is not None and game.result(game.play(state, move)) is not None
        if estimate is None or ends:
            return super().explain_unsolved(game, state, move, reason, estimate)
        seen = self.observe(game, state) if move is None else self.observe_move(game, state, move)
        facts = estimate_facts(game, state, move, estimate, reason)
        return [*facts, *seen, *expected_line(game, estimate, move)]


def _is_by_margin(solution: Solution, state: State) -> TypeGuard[EndSolution]:
    """Return whether the margin is known but not how soon the game ends."""
    return isinstance(solution, EndSolution) and not solution.is_timed(state)
