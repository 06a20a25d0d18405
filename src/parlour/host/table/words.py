"""His sentences at the table: who wins, who moved, how it ended.

"I" is Benedict, "you" are the person, and bots are called by their names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, cast

from parlour.core import (
    Game,
    Match,
    Move,
    ParlourError,
    Solution,
    State,
    Value,
    capital,
    count,
    seat_name,
    title,
)
from parlour.engine import EndSolution, most_empties
from parlour.host.session import Table
from parlour.host.table.state import (
    choose_move,
    describe_strength,
    find_custom,
    find_opponent,
    find_person,
    find_solution,
    find_value,
    is_human,
    list_opponents,
    never_errs,
)
from parlour.players import GLANCE, estimate_moves, explain
from parlour.truth.explain import format_score, outcome_of

HIMSELF = ("benedict", "engine", "perfect", "despacito", "standard")  # for whom he says I


def speaks_as_i(table: Table) -> bool:
    """Say whether the player against the person is the host himself."""
    return find_opponent(table).split()[0] in HIMSELF and find_person(table) is not None


def name_player(table: Table, seat: int, game: Game) -> str:
    """Return `you`, `I`, or the bot's own name."""
    if is_human(table, seat) and find_person(table) is not None:
        return "you"
    if speaks_as_i(table) and game.seats == 2:
        return "I"
    player = table.players[seat]
    twice = list(table.players).count(player) > 1
    return f"{seat_name(game, seat)} ({player})" if twice else player.split()[0]


def conjugate(who: str, plain: str) -> str:
    """Conjugate a verb: `I take`, `perfect takes`."""
    return f"{who} {plain}" if who in ("I", "you") else f"{who} {_add_s(plain)}"


def _add_s(plain: str) -> str:
    return {"have": "has", "are": "is", "am": "is", "go": "goes"}.get(plain, f"{plain}s")


def describe_play(table: Table, seat: int, game: Game, text: str) -> str:
    """Describe a move: `I play 2 from 1.`"""
    who = name_player(table, seat, game)
    if text == "pass":
        return capital(
            f"{conjugate(who, 'have')} no move and {'pass' if who in ('I', 'you') else 'passes'}."
        )
    return capital(f"{conjugate(who, 'play')} {text}.")


def describe_ending(table: Table, match: Match) -> str:
    """Say how the game ended."""
    game, result = match.game, match.result or ()
    winners = [seat for seat, payoff in enumerate(result) if payoff > 0]
    if not winners:
        why = f" ({match.reason})" if match.reason else ""
        return f"It is {_name_draw(game)}{why}."
    who = name_player(table, winners[0], game)
    if "resigned" in match.reason:
        loser = next(seat for seat, payoff in enumerate(result) if payoff < 0)
        return capital(
            f"{conjugate(name_player(table, loser, game), 'resign')}; {conjugate(who, 'win')}."
        )
    if find_custom(game).counts_discs and not match.reason:
        discs = sorted((match.state[0].bit_count(), match.state[1].bit_count()), reverse=True)
        return capital(f"{conjugate(who, 'win')}, {discs[0]} discs to {discs[1]}.")
    why = f" ({match.reason})" if match.reason else ""
    return capital(f"{conjugate(who, 'win')}{why}.")


def _name_draw(game: Game) -> str:
    return "a tie" if hasattr(game, "score") else "a draw"


def forecast(table: Table, game: Game, state: State, value: Value | None) -> str:
    """Say who wins from here, whatever the other does; nothing where it is not known."""
    if value is None:
        return ""
    mover = game.turn(state)
    if value.outcome == "draw":
        return f"With best play it is {_name_draw(game)}."
    winner = mover if value.outcome == "win" else 1 - mover
    who, other = name_player(table, winner, game), name_player(table, 1 - winner, game)
    within = "" if value.plies is None else f": {count(value.plies, 'move')} at most"
    if who == "I" and not never_errs(find_opponent(table), game):
        return f"It is won for me{within}, if I find the way."
    does = "do" if other in ("I", "you") else "does"
    return capital(f"{who} can win this, whatever {other} {does}{within}.")


def describe_standing(table: Table, game: Game, state: State) -> list[str]:
    """Say who is winning: exactly where it is known, else as an estimate."""
    if game.seats != 2:
        return ["With more than two nobody can say: it depends on what the others want."]
    value = find_value(game, state)
    if value is not None:
        return [forecast(table, game, state, value), *_describe_margin(table, game, state)]
    if find_custom(game).counts_discs:
        return _describe_estimate(table, game, state)
    return ["I don't know; this is not solved, and I only look a few moves ahead."]


def _describe_estimate(table: Table, game: Any, state: State) -> list[str]:
    """Count the discs, and say who stands better a few moves ahead."""
    own, other, turn = state
    discs = {turn: own.bit_count(), 1 - turn: other.bit_count()}
    empty = len(game.board.bits) - sum(discs.values())
    first, second = (name_player(table, seat, game) for seat in (0, 1))
    mover, waits = (name_player(table, seat, game) for seat in (turn, 1 - turn))
    discs_now = f"{conjugate(first, 'have')} {count(discs[0], 'disc')} and {second} {discs[1]}"
    known = f"and I solve only the last {most_empties(game)}"
    lines = [f"I don't know for certain: {empty} squares are empty, {known}."]
    lines.append(capital(f"{discs_now} now, which says little before the end."))
    guess = estimate_moves(game, state, plies=GLANCE, seconds=None)
    best = guess.scores[guess.best]
    called = outcome_of(best, empty)
    looked = f"I looked {count(guess.plies, 'move')} ahead"
    if called == "draw":
        whose = f" for {_to_object(mover)}" if best else ""
        lines.append(
            f"{looked} and would call it level ({_count_discs(format_score(best), best)}{whose})."
        )
    else:
        better = conjugate(mover if called == "win" else waits, "stand")
        by = _count_discs(format_score(abs(best)).replace("+", ""), best)
        lines.append(f"{looked}: {better} better, I think ({by}).")
    return lines


def _describe_margin(table: Table, game: Game, state: State) -> list[str]:
    """Say by how many discs an Othello is won, where that is known."""
    solution = find_solution(game, state)
    if not isinstance(solution, EndSolution) or not solution.margin(state):
        return []
    margin = solution.margin(state)
    winner = name_player(table, state[2] if margin > 0 else 1 - state[2], solution.othello)
    wins = f"{conjugate(winner, 'win')} by {_count_discs(str(abs(margin)), margin)}"
    return [f"When both play for discs, {wins}."]


def _count_discs(figure: str, score: float) -> str:
    return f"{figure} {'disc' if abs(score) == 1 else 'discs'}"


# Reasons


def explain_move(
    game: Game, state: State, move: Move | None = None, *, line: bool = False
) -> list[str]:
    """Explain a position or a move; the line of play only if it is asked for."""
    explanation = explain(game, state, move, solution=find_solution(game, state), plies=GLANCE)
    left_out = {"unjudged", "value", "margin-value"}
    if not line:
        left_out |= {"line", "margin-line", "expected"}
    lines = [
        sentence
        for fact, sentence in zip(explanation.facts, explanation.sentences, strict=True)
        if fact.kind not in left_out and not sentence.startswith("The game is over")
    ]
    return lines or list(explanation.sentences)


def name_people(sentence: str, mover: str, other: str) -> str:
    """Put the people into a reason about a mover: I, you, or a bot by its name."""
    if mover != "you":
        sentence = re.sub(
            r"\b[Yy]ou (complete|take|leave|can|keep)\b",
            lambda found: conjugate(mover, found[1]) if found[1] != "can" else f"{mover} can",
            sentence,
        )
    if other in ("I", "you"):
        sentence = re.sub(
            r"\bthe opponent( now| then)? (\w+)s (.+?) and (\w+)s\b",
            rf"{other}\1 \2 \3 and \4",
            sentence,
        )
        sentence = re.sub(r"\bthe opponent( now| then)? (\w+)s\b", rf"{other}\1 \2", sentence)
    for before in ("to ", "of ", "lets ", "for "):
        sentence = sentence.replace(f"{before}the opponent", f"{before}{_to_object(other)}")
    return sentence.replace("the opponent", _to_object(other) if other != "I" else "I")


def _to_object(who: str) -> str:
    return "me" if who == "I" else who


def name_seats(sentence: str, table: Table, game: Game) -> str:
    """Replace seats by who sits there, where a sentence says what is done to them."""
    for seat in range(game.seats):
        who = _to_object(name_player(table, seat, game))
        for before in ("lets", "leaves", "to", "for"):
            sentence = sentence.replace(f"{before} {seat_name(game, seat)}", f"{before} {who}")
    return sentence


def advise(game: Game, state: State, seed: int) -> list[str]:
    """Advise a move, and say why; an estimate is called one."""
    if game.seats != 2:
        text = game.write_move(choose_move(_find_strongest(game), game, state, seed))
        return [f"With more than two nobody can say what is best; {text} is only a suggestion."]
    solution = find_solution(game, state)
    moves: Sequence[Move] = ()
    if solution is not None:
        try:
            moves = solution.best(state)
        except ParlourError:
            moves = ()
    if isinstance(solution, EndSolution):
        moves = solution.most_discs(state)
    if moves:
        found = explain(game, state, solution=solution)
        right = [s for f, s in zip(found.facts, found.sentences, strict=True) if f.kind == "right"]
        return [
            f"Play {game.write_move(moves[0])}.",
            *_describe_result(solution, state),
            *right[:1],
        ]
    if find_custom(game).counts_discs and describe_strength("engine", game):
        guess = estimate_moves(cast(Any, game), state, plies=GLANCE, seconds=None)
        text, score = game.write_move(guess.best), guess.scores[guess.best]
        return [
            f"I would play {text}: {_count_discs(format_score(score), score)} for you.",
            f"It is an estimate (≈): I looked {count(guess.plies, 'move')} ahead, not to the end.",
        ]
    text = game.write_move(choose_move(_find_strongest(game), game, state, seed))
    return [
        f"I would play {text}. It is an estimate (≈): I looked a few moves ahead, not to the end."
    ]


def _describe_result(solution: Solution | None, state: State) -> list[str]:
    """Say what the best move comes to, where discs are counted."""
    if not isinstance(solution, EndSolution):
        return []
    margin = solution.margin(state)
    if not margin:
        return ["It ends level."]
    return [f"It {'wins' if margin > 0 else 'loses'} by {_count_discs(str(abs(margin)), margin)}."]


def _find_strongest(game: Game) -> str:
    steps = list_opponents(game)
    return steps[-1] if steps else "random"


def name_variant(game: Game) -> str:
    """Return the name of the variant, as Benedict says it himself."""
    return title(game).replace("Benedict's", "my")


def draw_board(table: Table, game: Game, state: State) -> str:
    """Draw the position, with the people's names where the game has only numbers."""
    picture = game.draw(state)
    if game.name == "chopsticks":
        for seat in range(game.seats):
            who = name_player(table, seat, game)
            name = "Benedict" if who == "I" else who
            picture = picture.replace(f"player {seat + 1}", f"{name[:8]:8}")
    return picture


def describe_marks(table: Table, game: Game) -> list[str]:
    """Say which marks are the person's, where there are any."""
    marks, seat = getattr(game, "marks", ()), find_person(table)
    return [f"You are {marks[seat]}."] if marks and seat is not None else []
