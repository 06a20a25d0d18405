"""His words at the table: who wins, who moved, how it ended. I is Benedict, you are the person."""

from __future__ import annotations

import re
from collections.abc import Sequence

from parlour.core import (
    Game,
    Match,
    Move,
    ParlourError,
    Solution,
    State,
    Value,
    count,
    seat_name,
    title,
)
from parlour.engine import EndSolution, most_empties
from parlour.host.session import Table
from parlour.host.table.state import (
    chosen,
    is_exact,
    is_human,
    opponent,
    person,
    plays_well,
    solved_here,
    value_here,
)
from parlour.players import GLANCE, estimated, explain
from parlour.rules import Othello
from parlour.truth.explain import format_score, outcome_of

HIMSELF = ("benedict", "engine", "perfect", "despacito", "standard")  # for whom he says I


def speaks_as_i(table: Table) -> bool:
    """Whether the player against the person is the host himself."""
    return opponent(table).split()[0] in HIMSELF and person(table) is not None


def name_of(table: Table, seat: int, game: Game) -> str:
    """`you`, `I`, or the bot's own name."""
    if is_human(table, seat) and person(table) is not None:
        return "you"
    if speaks_as_i(table) and game.seats == 2:
        return "I"
    player = table.players[seat]
    twice = list(table.players).count(player) > 1
    return f"{seat_name(game, seat)} ({player})" if twice else player.split()[0]


def verb(who: str, plain: str) -> str:
    """`I take`, `perfect takes`: the verb that goes with who does it."""
    return f"{who} {plain}" if who in ("I", "you") else f"{who} {_third(plain)}"


def _third(plain: str) -> str:
    return {"have": "has", "are": "is", "am": "is", "go": "goes"}.get(plain, f"{plain}s")


def capital(text: str) -> str:
    """The sentence with a capital at its head."""
    return text[:1].upper() + text[1:]


def plays(table: Table, seat: int, game: Game, text: str) -> str:
    """`I play 2 from 1.`"""
    who = name_of(table, seat, game)
    if text == "pass":
        return capital(
            f"{verb(who, 'have')} no move and {'pass' if who in ('I', 'you') else 'passes'}."
        )
    return capital(f"{verb(who, 'play')} {text}.")


def ending(table: Table, match: Match) -> str:
    """How it ended."""
    game, result = match.game, match.result or ()
    winners = [seat for seat, payoff in enumerate(result) if payoff > 0]
    if not winners:
        why = f" ({match.reason})" if match.reason else ""
        return f"It is {_draw(game)}{why}."
    who = name_of(table, winners[0], game)
    if "resigned" in match.reason:
        loser = next(seat for seat, payoff in enumerate(result) if payoff < 0)
        return capital(f"{verb(name_of(table, loser, game), 'resign')}; {verb(who, 'win')}.")
    if isinstance(game, Othello) and not match.reason:
        discs = sorted((match.state[0].bit_count(), match.state[1].bit_count()), reverse=True)
        return capital(f"{verb(who, 'win')}, {discs[0]} discs to {discs[1]}.")
    why = f" ({match.reason})" if match.reason else ""
    return capital(f"{verb(who, 'win')}{why}.")


def _draw(game: Game) -> str:
    return "a tie" if hasattr(game, "score") else "a draw"


def forecast(table: Table, game: Game, state: State, value: Value | None) -> str:
    """Who wins from here, whatever the other does; nothing where it is not known."""
    if value is None:
        return ""
    mover = game.turn(state)
    if value.outcome == "draw":
        return f"With best play it is {_draw(game)}."
    winner = mover if value.outcome == "win" else 1 - mover
    who, other = name_of(table, winner, game), name_of(table, 1 - winner, game)
    within = "" if value.plies is None else f": {count(value.plies, 'move')} at most"
    if who == "I" and not is_exact(opponent(table), game):
        return f"It is won for me{within}, if I find the way."
    does = "do" if other in ("I", "you") else "does"
    return capital(f"{who} can win this, whatever {other} {does}{within}.")


def standing(table: Table, game: Game, state: State) -> list[str]:
    """Who is winning: exact where it is known, else said to be an estimate."""
    if game.seats != 2:
        return ["With more than two nobody can say: it depends on what the others want."]
    value = value_here(game, state)
    if value is not None:
        return [forecast(table, game, state, value), *_by_discs(table, game, state)]
    if isinstance(game, Othello):
        return _othello_standing(table, game, state)
    return ["I don't know; this is not solved, and I only look a few moves ahead."]


def _othello_standing(table: Table, game: Othello, state: State) -> list[str]:
    own, other, turn = state
    discs = {turn: own.bit_count(), 1 - turn: other.bit_count()}
    empty = len(game.board.bits) - sum(discs.values())
    first, second = (name_of(table, seat, game) for seat in (0, 1))
    mover, waits = (name_of(table, seat, game) for seat in (turn, 1 - turn))
    counted = f"{verb(first, 'have')} {count(discs[0], 'disc')} and {second} {discs[1]}"
    known = f"and I solve only the last {most_empties(game)}"
    lines = [f"I don't know for certain: {empty} squares are empty, {known}."]
    lines.append(capital(f"{counted} now, which says little before the end."))
    guess = estimated(game, state, plies=GLANCE, seconds=None)
    best = guess.scores[guess.best]
    called = outcome_of(best, empty)
    looked = f"I looked {count(guess.plies, 'move')} ahead"
    if called == "draw":
        whose = f" for {_object(mover)}" if best else ""
        lines.append(
            f"{looked} and would call it level ({_discs(format_score(best), best)}{whose})."
        )
    else:
        better = verb(mover if called == "win" else waits, "stand")
        by = _discs(format_score(abs(best)).replace("+", ""), best)
        lines.append(f"{looked}: {better} better, I think ({by}).")
    return lines


def _by_discs(table: Table, game: Game, state: State) -> list[str]:
    """By how many discs an Othello is won, where that is known."""
    solution = solved_here(game, state)
    if not isinstance(solution, EndSolution) or not solution.margin(state):
        return []
    margin = solution.margin(state)
    winner = name_of(table, state[2] if margin > 0 else 1 - state[2], solution.othello)
    wins = f"{verb(winner, 'win')} by {_discs(str(abs(margin)), margin)}"
    return [f"When both play for discs, {wins}."]


def _discs(figure: str, score: float) -> str:
    return f"{figure} {'disc' if abs(score) == 1 else 'discs'}"


# Reasons


def reasons(game: Game, state: State, move: Move | None = None, *, line: bool = False) -> list[str]:
    """Why a position or a move is what it is; the line of play only if it is asked for."""
    told = explain(game, state, move, solution=solved_here(game, state), plies=GLANCE)
    left_out = {"unjudged", "value", "margin-value"}
    if not line:
        left_out |= {"line", "margin-line", "expected"}
    lines = [
        sentence
        for fact, sentence in zip(told.facts, told.sentences, strict=True)
        if fact.kind not in left_out and not sentence.startswith("The game is over")
    ]
    return lines or list(told.sentences)


def told_of(sentence: str, mover: str, other: str) -> str:
    """A reason told of whoever moved, with the people in it: I, you, or a bot by its name."""
    if mover != "you":
        sentence = re.sub(
            r"\b[Yy]ou (complete|take|leave|can|keep)\b",
            lambda found: verb(mover, found[1]) if found[1] != "can" else f"{mover} can",
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
        sentence = sentence.replace(f"{before}the opponent", f"{before}{_object(other)}")
    return sentence.replace("the opponent", _object(other) if other != "I" else "I")


def _object(who: str) -> str:
    return "me" if who == "I" else who


def named(sentence: str, table: Table, game: Game) -> str:
    """The sentence with seats named by who sits there, where it speaks of what is done to them."""
    for seat in range(game.seats):
        who = _object(name_of(table, seat, game))
        for before in ("lets", "leaves", "to", "for"):
            sentence = sentence.replace(f"{before} {seat_name(game, seat)}", f"{before} {who}")
    return sentence


def advice(game: Game, state: State, seed: int) -> list[str]:
    """A move to play, and why; an estimate is said to be one."""
    if game.seats != 2:
        text = game.write_move(chosen(_strongest(game), game, state, seed))
        return [f"With more than two nobody can say what is best; {text} is only a suggestion."]
    solution = solved_here(game, state)
    moves: Sequence[Move] = ()
    if solution is not None:
        try:
            moves = solution.best(state)
        except ParlourError:
            moves = ()
    if isinstance(solution, EndSolution):
        moves = solution.most_discs(state)
    if moves:
        told = explain(game, state, solution=solution)
        right = [s for f, s in zip(told.facts, told.sentences, strict=True) if f.kind == "right"]
        return [f"Play {game.write_move(moves[0])}.", *_ends(solution, state), *right[:1]]
    if isinstance(game, Othello) and plays_well("engine", game):
        guess = estimated(game, state, plies=GLANCE, seconds=None)
        text, score = game.write_move(guess.best), guess.scores[guess.best]
        return [
            f"I would play {text}: {_discs(format_score(score), score)} for you.",
            f"It is an estimate (≈): I looked {count(guess.plies, 'move')} ahead, not to the end.",
        ]
    text = game.write_move(chosen(_strongest(game), game, state, seed))
    return [
        f"I would play {text}. It is an estimate (≈): I looked a few moves ahead, not to the end."
    ]


def _ends(solution: Solution | None, state: State) -> list[str]:
    """What the best move comes to, where discs are counted."""
    if not isinstance(solution, EndSolution):
        return []
    margin = solution.margin(state)
    if not margin:
        return ["It ends level."]
    return [f"It {'wins' if margin > 0 else 'loses'} by {_discs(str(abs(margin)), margin)}."]


def _strongest(game: Game) -> str:
    from parlour.host.table.state import ladder

    steps = ladder(game)
    return steps[-1] if steps else "random"


def title_of(game: Game) -> str:
    """The name of the variant, as Benedict says it himself."""
    return title(game).replace("Benedict's", "my")


def board(table: Table, game: Game, state: State) -> str:
    """The position drawn, with the people's names where the game has only their numbers."""
    drawn = game.draw(state)
    if game.name == "chopsticks":
        for seat in range(game.seats):
            who = name_of(table, seat, game)
            called = "Benedict" if who == "I" else who
            drawn = drawn.replace(f"player {seat + 1}", f"{called[:8]:8}")
    return drawn


def marked(table: Table, game: Game) -> list[str]:
    """Which marks are the person's, where there are any."""
    marks, seat = getattr(game, "marks", ()), person(table)
    return [f"You are {marks[seat]}."] if marks and seat is not None else []
