"""The reasons of Othello: discs, moves to choose from and corners, which anyone can count; to the
disc near the end, and before that what somebody takes the moves for.

An estimate is handed in by whoever made it, and is told as one, with its source. What is counted is
so whether or not anything is known of the outcome.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from parlour.core import count, seat_name
from parlour.engine import EndSolution, empties
from parlour.rules import PASS, Othello, OthelloState, Square
from parlour.truth.explain.facts import Data, Fact, Teller, listed, opening, plies

EARLY = 25  # empty squares: where there are more, an estimate of a few discs means nothing
SLIGHT, LEVEL = 3.0, 0.5  # discs either way that are called even, early on and later
MOST_BETTER = 3  # moves that are named


@dataclass(frozen=True)
class Estimate:
    """By how many discs the mover may win with each move, as `by` judges so many plies ahead.

    `certainty` is in percent, 0 where `by` does not know. `lines` are how it is expected to go on
    after a move, which comes first. An estimate that came to the end of the game may be `exact`.
    """

    by: str
    plies: int
    scores: Mapping[Square, float]
    certainty: int = 0
    exact: bool = False
    lines: Mapping[Square, tuple[Square, ...]] = field(default_factory=dict)

    @property
    def best(self) -> Square:
        """The first of the moves that are thought best."""
        return max(self.scores, key=lambda move: self.scores[move])


def outcome_of(score: float, empty: int) -> str:
    """What to call a score that is only estimated, with so many squares empty."""
    if abs(score) < (SLIGHT if empty > EARLY else LEVEL):
        return "draw"
    return "win" if score > 0 else "loss"


# What is counted


def othello_facts(game: Othello, state: OthelloState) -> list[Fact]:
    """How many discs each side has."""
    own, other, turn = state
    discs = {
        seat_name(game, turn): own.bit_count(),
        seat_name(game, 1 - turn): other.bit_count(),
    }
    return [Fact("discs", {"discs": dict(sorted(discs.items())), "empty": empties(game, state)})]


def othello_chances(game: Othello, state: OthelloState) -> list[Fact]:
    """How many moves each side has to choose from, and which corners each could take."""
    who = _who(game, state)
    mine, theirs = _free(game, state), _free(game, _turned(state))
    facts = [Fact("mobility", {**who, "moves": len(mine), "others": len(theirs)})]
    corners = {"mine": _corners(game, mine), "theirs": _corners(game, theirs)}
    return [*facts, Fact("corners", {**who, **corners})] if any(corners.values()) else facts


def othello_after(game: Othello, state: OthelloState, move: Square) -> list[Fact]:
    """How many discs a move turned."""
    if move == PASS:
        return []
    following = game.play(state, move)
    turned = state[1].bit_count() - following[0].bit_count()
    return [Fact("turned", {"move": game.write_move(move), "discs": turned})]


def othello_leaves(game: Othello, state: OthelloState, move: Square) -> list[Fact]:
    """How free a move leaves the other side, and which corners it takes, misses and gives."""
    following = game.play(state, move)
    if move == PASS or not game.moves(following):
        return []
    who = _who(game, state)
    replies = _free(game, following)
    facts = [Fact("leaves-moves", {**who, "moves": len(replies)})]
    had = _corners(game, _free(game, state))
    text = game.write_move(move)
    if text in had:
        facts.append(Fact("takes-corner", {"corner": text}))
    elif had:
        facts.append(Fact("misses-corners", {"corners": had}))
    before = _corners(game, _free(game, _turned(state)))
    now = _corners(game, replies)
    given = {
        "opened": [corner for corner in now if corner not in before],
        "left": [corner for corner in now if corner in before],
    }
    return [*facts, Fact("gives-corners", {**who, **given})] if now else facts


def _who(game: Othello, state: OthelloState) -> Data:
    turn = game.turn(state)
    return {"name": seat_name(game, turn), "other": seat_name(game, 1 - turn)}


def _turned(state: OthelloState) -> OthelloState:
    """The same board with the other side to move."""
    return (state[1], state[0], 1 - state[2])


def _free(game: Othello, state: OthelloState) -> list[Square]:
    """The squares the mover may take."""
    return [move for move in game.moves(state) if move != PASS]


def _corners(game: Othello, squares: Sequence[Square]) -> list[str]:
    """The corners among some squares, as text."""
    across, down = (0, game.columns - 1), (0, game.rows - 1)
    return [game.write_move(s) for s in squares if s[0] in across and s[1] in down]


# What is proven near the end


def margin_value(game: Othello, solution: EndSolution, state: OthelloState) -> Fact:
    """Who wins, and by how many discs."""
    return Fact("margin-value", {**_who(game, state), "margin": solution.margin(state)})


def margin_facts(game: Othello, solution: EndSolution, state: OthelloState) -> list[Fact]:
    """By how many discs it is won when both play for discs, and what each move leaves."""
    left = [(game.write_move(m), solution.margin_after(state, m)) for m in game.moves(state)]
    left.sort(key=lambda pair: -pair[1])
    margin = {"name": seat_name(game, state[2]), "margin": solution.margin(state)}
    return [Fact("margin", {**margin, "moves": [list(pair) for pair in left]})]


def margin_after(
    game: Othello, solution: EndSolution, state: OthelloState, move: Square
) -> list[Fact]:
    """How many discs a move gives away, or that it gives away none."""
    before, after = solution.margin(state), solution.margin_after(state, move)
    who = {"name": seat_name(game, state[2]), "move": game.write_move(move)}
    return [Fact("margin-left", {**who, "before": before, "after": after, "lost": before - after})]


def margin_line(
    game: Othello, solution: EndSolution, state: OthelloState, first: Square | None = None
) -> Fact:
    """How it goes to the end when both play for discs, after a first move if there is one."""
    moves = [] if first is None else [first]
    state = state if first is None else game.play(state, first)
    moves += solution.line(state)
    return Fact("margin-line", {"moves": [game.write_move(move) for move in moves]})


# What is estimated


def estimate_facts(
    game: Othello, state: OthelloState, move: Square | None, estimate: Estimate, reason: str
) -> list[Fact]:
    """The number first, then whose it is, and what the other moves are taken for."""
    scores = {game.write_move(m): score for m, score in estimate.scores.items()}
    best_first = sorted(scores.items(), key=lambda pair: -pair[1])
    text = None if move is None else game.write_move(move)
    score = best_first[0][1] if text is None else scores[text]
    empty = 0 if estimate.exact else empties(game, state)
    number = {"move": text, "score": score, "outcome": outcome_of(score, empty)}
    exact = {"exact": estimate.exact}
    founded = {"by": estimate.by, "plies": estimate.plies, "certainty": estimate.certainty}
    facts = [
        Fact("estimate", {"name": seat_name(game, state[2]), **number, **exact}),
        Fact("estimated-by", {**founded, **exact, "reason": reason}),
    ]
    if text is None:
        facts.append(Fact("thought-of", {"moves": [list(pair) for pair in best_first], **exact}))
    else:
        better = [list(pair) for pair in best_first if pair[1] > score]
        facts.append(Fact("thought-better", {"moves": better, "legal": len(scores), **exact}))
    return facts


def expected(game: Othello, estimate: Estimate, move: Square | None) -> list[Fact]:
    """How it is expected to go on, by this move or else by the best."""
    line = estimate.lines.get(estimate.best if move is None else move)
    return [Fact("expected", {"moves": [game.write_move(each) for each in line]})] if line else []


# Sentences


def _tell_discs(data: Data) -> str:
    shown = listed([f"{name} has {count(discs, 'disc')}" for name, discs in data["discs"].items()])
    return f"{opening(shown)}; {count(data['empty'], 'square')} {_are(data['empty'])} empty."


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _moves(number: int) -> str:
    return count(number, "move") if number else "no move"


def _tell_mobility(data: Data) -> str:
    theirs = f"{data['other']} would have {data['others'] or 'none'}"
    return f"{opening(data['name'])} has {_moves(data['moves'])}, and {theirs}."


def _the(corners: list[str]) -> str:
    return f"the corner{'' if len(corners) == 1 else 's'} {listed(corners)}"


def _tell_corners(data: Data) -> str:
    told = []
    if data["mine"]:
        told.append(f"{opening(data['name'])} can take {_the(data['mine'])}.")
    if data["theirs"]:
        is_open = f"{_are(len(data['theirs']))} open to {data['other']}"
        told.append(f"{opening(_the(data['theirs']))} {is_open}.")
    return " ".join(told)


def _tell_turned(data: Data) -> str:
    return f"It turns {count(data['discs'], 'disc')}."


def _tell_leaves_moves(data: Data) -> str:
    return f"It leaves {data['other']} {_moves(data['moves'])}."


def _tell_takes_corner(data: Data) -> str:
    return f"It takes the corner {data['corner']}, which nobody can turn again."


def _tell_misses_corners(data: Data) -> str:
    return f"It leaves {_the(data['corners'])} untaken."


def _tell_gives_corners(data: Data) -> str:
    told = []
    if data["opened"]:
        told.append(f"It opens {_the(data['opened'])} to {data['other']}.")
    if data["left"]:
        told.append(f"It leaves {data['other']} {_the(data['left'])}.")
    return " ".join(told)


def _signed(margin: int) -> str:
    return f"{margin:+}" if margin else "0"


def _tell_margin_value(data: Data) -> str:
    name, other, discs = data["name"], data["other"], count(abs(data["margin"]), "disc")
    if data["margin"] > 0:
        return f"Win by {discs} for {name}, who is to move, whatever {other} does."
    if data["margin"] < 0:
        wins = f"{other} wins, whatever {name} does"
        return f"Loss by {discs} for {name}, who is to move: {wins}."
    return f"Draw: neither {name}, who is to move, nor {other} can force a win."


def _tell_margin(data: Data) -> str:
    ends = f"{_signed(data['margin'])} for {data['name']}" if data["margin"] else "level"
    moves = listed([f"{move} {_signed(margin)}" for move, margin in data["moves"]])
    return f"Played for discs it ends {ends}: {moves}."


def _tell_margin_left(data: Data) -> str:
    left = f"{_signed(data['after'])} for {data['name']}" if data["after"] else "level"
    if not data["lost"]:
        return f"Played for discs it gives nothing away: it ends {left}."
    return f"Played for discs it gives away {count(data['lost'], 'disc')}: it ends {left}."


def _tell_margin_line(data: Data) -> str:
    return f"Best play for discs, {plies(len(data['moves']))}: {', '.join(data['moves'])}."


def about(score: float, *, exact: bool = False) -> str:
    """A score as it is told: `≈ +3`, or `+3` where it is exact."""
    figure = f"{score:+g}".replace("-", "−") if score else "0"
    return figure if exact else f"≈ {figure}"


def source(by: str, ahead: int, certainty: int = 0) -> str:
    """Whose estimate it is: `estimated by engine, 14 moves ahead, 73 % sure`"""
    sure = f", {certainty} % sure" if certainty else ""
    return f"estimated by {by}, {count(ahead, 'move')} ahead{sure}"


def _tell_estimate(data: Data) -> str:
    called = {"win": "Ahead", "draw": "About even", "loss": "Behind"}[data["outcome"]]
    if data["exact"]:
        called = {"win": "Win", "draw": "Draw", "loss": "Loss"}[data["outcome"]]
    when = ", to move" if data["move"] is None else f" after {data['move']}"
    score = about(data["score"], exact=data["exact"])
    discs = "disc" if abs(data["score"]) == 1 else "discs"
    return f"{called}: {score} {discs} for {data['name']}{when}."


def _tell_estimated_by(data: Data) -> str:
    if data["exact"]:
        return f"Proven by {data['by']}, which looked {count(data['plies'], 'move')} ahead."
    founded = source(data["by"], data["plies"], data["certainty"])
    return f"{opening(founded)}, not proven: {data['reason']}."


def _tell_thought_of(data: Data) -> str:
    told = listed([f"{move} {about(score, exact=data['exact'])}" for move, score in data["moves"]])
    return f"There is only this move: {told}." if len(data["moves"]) == 1 else f"Moves: {told}."


def _tell_thought_better(data: Data) -> str:
    thought = "" if data["exact"] else "thought "
    if data["moves"]:
        best = data["moves"][:MOST_BETTER]
        told = [f"{move} {about(score, exact=data['exact'])}" for move, score in best]
        more = len(data["moves"]) - len(told)
        moves = listed([*told, *([f"{more} more"] if more else [])])
        return f"{opening(f'{thought}better')}: {moves}."
    return f"No move is {thought}better." if data["legal"] > 1 else "There is no other move."


def _tell_expected(data: Data) -> str:
    return f"The line it expects: {', '.join(data['moves'])}."


OTHELLO_TELLERS: dict[str, Teller] = {
    "discs": _tell_discs,
    "mobility": _tell_mobility,
    "corners": _tell_corners,
    "turned": _tell_turned,
    "leaves-moves": _tell_leaves_moves,
    "takes-corner": _tell_takes_corner,
    "misses-corners": _tell_misses_corners,
    "gives-corners": _tell_gives_corners,
    "margin-value": _tell_margin_value,
    "margin": _tell_margin,
    "margin-left": _tell_margin_left,
    "margin-line": _tell_margin_line,
    "estimate": _tell_estimate,
    "estimated-by": _tell_estimated_by,
    "thought-of": _tell_thought_of,
    "thought-better": _tell_thought_better,
    "expected": _tell_expected,
}
