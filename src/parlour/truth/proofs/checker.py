"""An independent checker of certificates, which trusts nothing but the rules of the game.

It shares no code with the search that found the proof. `check(certificate)` returns a sentence that
says what is proven, or raises `Refuted` naming the first entry that does not hold.
"""

from __future__ import annotations

from typing import Any

from parlour.core import ParlourError, count, key, registry
from parlour.truth.proofs import othello

OTHER = {"win": "loss", "loss": "win", "draw": "draw"}


class Refuted(ParlourError):
    """A certificate that does not prove what it says."""


def check(certificate: Any, game: Any = None) -> str:
    """Return what a certificate proves; `game` or its file has rules that are not installed."""
    try:
        if certificate["certificate"] != "parlour 1" or certificate["outcome"] not in OTHER:
            raise Refuted("this is not a certificate of a known kind")
        name, options, rules = certificate["game"], certificate["options"], game
        game = registry.build("games", name, options, rules)
        if game.seats != 2:
            raise Refuted("only games for two players have such certificates")
        if getattr(game, "loops", "") == "barred":
            free = registry.build("games", name, {**options, "loops": "allowed"}, rules)
            _check_claims(free, game, certificate)
            evidence: str = count(len(certificate["claims"]), "claim")
        elif "given" in certificate:
            if complaint := othello.find_gap(certificate):
                raise Refuted(complaint)
            evidence = othello.describe_evidence(certificate)
        else:
            _check_entries(game, certificate)
            evidence = count(len(certificate["entries"]), "situation")
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        if isinstance(error, Refuted):
            raise
        raise Refuted(f"this certificate cannot be read: {error}") from None
    within = f" within {certificate['at_most']} plies" if certificate.get("at_most") else ""
    return (
        f"{certificate['position']} is a {certificate['outcome']}{within} for the seat to move, "
        f"checked by {evidence}"
    )


# Games without history: entries [position, outcome, most plies, winning move]


def _check_entries(game: Any, certificate: dict[str, Any]) -> None:
    """Check that every entry follows from others, and that the position is one of them."""
    entries = {key(game, game.read(entry[0])): entry for entry in certificate["entries"]}
    for entry in certificate["entries"]:
        _check_entry(game, entries, entry)
    position = game.read(certificate["position"])
    found = _value_for(game, entries, position, game.turn(position))
    if found != (certificate["outcome"], certificate["at_most"]):
        raise Refuted("the position itself is not among the entries with this value")


def _check_entry(game: Any, entries: dict[Any, list[Any]], entry: list[Any]) -> None:
    """Check one entry: a win has a move to the opponent's loss, a loss only moves to their wins.

    The plies strictly decrease, so the line ends. A draw has a move to a draw and none to a win, so
    neither side can be forced out of a set of such draws.
    """
    text, outcome, plies = entry[:3]
    state = game.read(text)
    mover = game.turn(state)
    moves = game.moves(state) if outcome != "win" else [game.read_move(state, entry[3])]
    if not moves:
        raise Refuted(f"{text} has ended; it needs no entry")
    after = [_value_for(game, entries, game.play(state, move), mover) for move in moves]
    if outcome == "draw":
        good = any(o == "draw" for o, _ in after) and all(o != "win" for o, _ in after)
    else:
        good = type(plies) is int and all(o == outcome and p < plies for o, p in after)
    if not good or outcome not in OTHER:
        raise Refuted(f"{text} is not shown to be a {outcome}")


def _value_for(game: Any, entries: dict[Any, list[Any]], state: Any, seat: int) -> tuple[str, Any]:
    """Return what a state is worth to a seat, by its result or by its entry."""
    result = game.result(state)
    if result is not None:
        return ("loss", "draw", "win")[1 + result[seat]], 0 if result[seat] else None
    entry = entries.get(key(game, state))
    if entry is None:
        raise Refuted(f"{game.write(state)} can be reached but has no entry")
    return entry[1] if game.turn(state) == seat else OTHER[entry[1]], entry[2]


# Barred loops: claims [situation, won, [[situation after, claim], ...]], -1 for a barred move


def _check_claims(free: Any, full: Any, certificate: dict[str, Any]) -> None:
    """Check that each claim follows from earlier ones, and that the last covers the position.

    A claim holds where all of `needed` is open and all of `barred` is not.
    """
    states = [free.read(text) for text in certificate["situations"]]
    numbers = {_situation(state): number for number, state in enumerate(states)}
    if len(numbers) != len(states):
        raise Refuted("a situation is listed twice")
    checked: list[tuple[int, int, int, int]] = []  # situation, won, needed, barred
    for place, (here, won, answers) in enumerate(certificate["claims"]):
        state = states[here]
        result = free.result(state)
        if won not in (0, 1) or (result is not None and result[free.turn(state)] != 2 * won - 1):
            raise Refuted(f"claim {place} contradicts the end of the game")
        following = {_situation(free.play(state, move)) for move in free.moves(state)}
        listed = {_situation(states[after]) for after, _ in answers}
        whole = listed == following if not won else len(answers) == 1 and listed <= following
        if not whole and result is None:
            raise Refuted(f"claim {place} does not answer the moves of its situation")
        needed = barred = 0
        for after, number in answers:
            if number == -1 and not won:
                barred |= 1 << after
                continue
            if not 0 <= number < place:
                raise Refuted(f"claim {place} does not rest on an earlier one")
            there, there_won, there_needed, there_barred = checked[number]
            if there != after or there_won == won:
                raise Refuted(f"claim {place} does not follow from claim {number}")
            needed |= there_needed | (1 << after if won else 0)
            barred |= there_barred & ~(1 << after)
        if needed >> here & 1:
            raise Refuted(f"claim {place} needs its own situation once more")
        checked.append((here, won, needed, barred))
    position = full.read(certificate["position"])
    visited = 0
    for part in full.write(position).replace(" seen ", " ").split():
        visited |= 1 << numbers.get(_situation(free.read(part)), len(states))
    here, won, needed, barred = checked[-1]
    outcome = "win" if won else "loss"
    if here != numbers.get(_situation(position)) or outcome != certificate["outcome"]:
        raise Refuted("the last claim is not about the position")
    if barred & ~visited or needed & visited:
        raise Refuted("the last claim does not hold after the history of the position")


def _situation(state: Any) -> tuple[int, ...]:
    turn, a, b, c, d = state[:5]
    return (turn, min(a, b), max(a, b), min(c, d), max(c, d))
