"""What the lab shows: who wins, what a position is worth, and which rules change the result.

Results say which player wins, the first or the second; the value of a move is for the player who
makes it. All of it is in the address: a variant, a position in it, and moves from there.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from parlour import boards
from parlour.core import Game, extra, join, options_of, registry, say, sentence, title
from parlour.faces.web import forms
from parlour.faces.web.position import Walk, show_walk, walk_address
from parlour.faces.web.table import mark_of, name_opening
from parlour.faces.web.workers import TEMPORARY, Answer
from parlour.players import Assessment

SIDES = {"first": "win", "second": "loss", "draw": "draw"}  # the mark and colour of a result
INSTEAD = say("Choose something smaller, or a position closer to the end.")
MAX_LISTED = 60  # moves beside the board
MAX_NAMED = 8  # moves in a sentence

Values = dict[str, Any]  # of a template


def _explain_error(answer: Answer) -> str:
    """Say why there is no answer, and what to try instead."""
    if answer.error is not None:
        reason = sentence(answer.error.text)
        return join(" ", (reason, INSTEAD)) if isinstance(answer.error, TEMPORARY) else reason
    why_not = answer.found["why_not"] if answer.found else ""
    return sentence(why_not) if why_not else ""


# Addresses

address = partial(walk_address, "lab")


# Who wins


def winner(game: Game, answer: Answer) -> str:
    """Return who wins: "first", "second", "draw", or nothing if that is not proven."""
    value = answer.found["value"] if answer.found else None
    if answer.found and answer.found["drawn_by"]:
        return "draw"
    if value is None or not value["exact"]:
        return ""
    if value["outcome"] == "draw":
        return "draw"
    mover = game.turn(game.start())
    return ("first", "second")[mover if value["outcome"] == "win" else 1 - mover]


def verdict(game: Game, answer: Answer) -> Values:
    """Say who wins the variant, how that is known, and the best first moves."""
    who, found = winner(game, answer), answer.found or {}
    solved = _change(game, extra(game, "solved_options"))
    return {
        "progress": answer,
        "mark": SIDES.get(who, ""),
        "who": who,
        "over": not game.moves(game.start()),
        "best": _first_moves(game, Assessment.from_dict(found)) if who else None,
        "error": _explain_error(answer),
        "instead": (title(solved), address(solved)) if solved != game else None,
        "study": found,
    }


def _first_moves(game: Game, assessed: Assessment) -> Values | None:
    """List the best first moves, unless all lose alike."""
    best = [each.move for each in assessed.moves if each.best]
    outcome = assessed.value.outcome if assessed.value else ""
    every = len(best) == len(assessed.moves)
    if not best or (every and outcome == "loss"):
        return None
    listed = join(", ", (boards.name_move(text, game, game.start()) for text in best[:MAX_NAMED]))
    if len(best) > MAX_NAMED:
        listed = say("{moves} and {number} more", moves=listed, number=len(best) - MAX_NAMED)
    return {"outcome": outcome, "moves": say("any move") if every and len(best) > 1 else listed}


# The position on the board


def show_position(walk: Walk, answer: Answer) -> Values:
    """Show the board with what every move is worth."""
    game, values = walk.game, show_walk(walk, answer)
    best_first = sorted(values["assessed"].moves, key=lambda each: not each.best)[:MAX_LISTED]
    return values | {
        "opening": name_opening(game, walk.states),
        "error": "" if walk.is_start else _explain_error(answer),
        "reasons": (answer.found or {}).get("reasons", ()),
        "moves": [(each.move, mark_of(each)) for each in best_first],
        "unlisted": len(game.moves(walk.state)) - MAX_LISTED,
    }


def explain_move(game: Game, move: str, answer: Answer) -> Values:
    """Say why a move is right or wrong."""
    lines = answer.found["lines"] if answer.found else []
    if answer.error:
        lines = [sentence(answer.error.text)]
    return {"move": move, "pending": answer.pending, "lines": lines}


# Neighbouring variants


def list_neighbours(game: Game, answer: Answer, who: str) -> Values:
    """List the variants that differ in one option, and say how many change the result."""
    rows = answer.found or []
    labels = {field.name: field.label for field in forms.fields(game)}
    groups: dict[str, list[Values]] = {}
    for row in rows:
        if not _is_refused(row):
            groups.setdefault(labels[row["option"]], []).append(_neighbour(game, row, who))
    solved = [row for group in groups.values() for row in group if row["outcome"] in SIDES]
    return {
        "pending": answer.pending,
        "error": "" if answer.error is None else _explain_error(answer),
        "groups": groups,
        "changing": sum(row["turns"] for row in solved),
        "total": len(solved) if who else 0,
        "open": _list_open(game, rows, labels),
    }


def _change(game: Game, changes: Values) -> Game:
    options = {name: getattr(game, name) for name in options_of(type(game))}
    other: Game = registry.build("games", type(game), {**options, **changes})
    return other


def _format_option(game: Game, option: str, *, in_form: bool = True) -> str:
    """Return the value of an option as the form has it, or in the words of a sentence."""
    field = next(field for field in forms.fields(game) if field.name == option)
    if field.items:
        return (", " if field.kind == "list" else "; ").join(field.items)
    words = field.choices if in_form else forms.name_values(options_of(type(game))[option])
    return dict(words).get(field.value) or field.value or say("none")


def _neighbour(game: Game, row: Values, who: str) -> Values:
    other = _change(game, {row["option"]: row["value"]})
    return {
        **row,
        "value": _format_option(other, row["option"]),
        "href": address(other),
        "turns": bool(who) and row["outcome"] in SIDES and row["outcome"] != who,
    }


def _is_refused(row: Values) -> bool:
    """Whether more time would not help."""
    return row["outcome"] not in SIDES and not row["stopped"]


def _list_open(game: Game, rows: list[Values], labels: dict[str, str]) -> list[str]:
    """List the neighbours that are not solved, with the reason for the first of each option."""
    refused: dict[str, list[Values]] = {}
    for row in filter(_is_refused, rows):
        refused.setdefault(row["option"], []).append(row)
    lines = []
    for option, some in refused.items():
        others = [_format_option(_change(game, {option: row["value"]}), option) for row in some]
        between = " · " if any("," in value for value in others) else ", "
        large = some[0]["outcome"] == "refused" and game.seats == 2
        why_not = say("too many positions to solve") if large else some[0]["reason"]
        lines.append(
            sentence(
                say(
                    "{option} {values}: {why_not}",
                    option=labels[option],
                    values=join(between, others),
                    why_not=why_not,
                )
            )
        )
    return lines


# The atlas


def show_atlas(game: Game, data: Values, number: int, rows: int) -> Values:
    """Return one page of the variants of an atlas, each a link."""
    pages = max(1, -(-len(data["rows"]) // rows))
    number = min(max(1, number), pages)
    listed = []
    for row in data["rows"][(number - 1) * rows : number * rows]:
        variant: Game = registry.build("games", type(game), row["options"])
        values = [_format_option(variant, name, in_form=False) for name in data["varied"]]
        here = variant == game
        listed.append({**row, "values": values, "href": address(variant), "here": here})
    return {
        "columns": [forms.label(name) for name in data["varied"]],
        "rows": listed,
        "number": number,
        "pages": pages,
    }
