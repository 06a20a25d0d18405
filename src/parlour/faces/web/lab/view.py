"""What the lab says: who wins, what the position on the board is worth, and what turns the result.

A result is told by who wins it, the first player or the second; what a move is worth is told for
whoever makes it.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

from parlour.core import Game, capital, declared, registry, seat_name, sentence, title
from parlour.faces.web import boards, forms
from parlour.faces.web.table import as_seen
from parlour.faces.web.variants import Walk, address, other_address
from parlour.faces.web.workers import PASSING, Answer
from parlour.players import Assessment

SIDES = {"first": "win", "second": "loss", "draw": "draw"}  # whose mark and colour a result has
WINS = {
    "first": "first wins",
    "second": "second wins",
    "draw": "draw",
    "undecided": "undecided",
    "refused": "not solved",
}
INSTEAD = "Choose something smaller, or a position nearer to the end."
MOST_LISTED = 60  # moves beside the board
MOST_NAMED = 8  # moves in a line
METHODS = {
    "table": "a table of every position",
    "closed form": "a closed form, the nim-sum",
    "retrograde analysis": "going back from every end",
    "proof search": "a proof search",
    "endgame search": "playing out every line",
}
BEGINNINGS = {"win": "Best first moves", "draw": "Keep the draw", "loss": "Hold out longest"}
SOLVED: dict[str, dict[str, Any]] = {  # what makes a variant one that is solved at once
    "nim": {"endings": (), "seats": 2},
    "chopsticks": {"loops": "allowed"},
    "tictactoe": {"columns": 3, "rows": 3, "line": 3},
    "othello": {"columns": 4, "rows": 4},
}

Told = dict[str, Any]


def _trouble(answer: Answer) -> str:
    """Why there is no answer, and what could be asked instead."""
    if answer.trouble is not None:
        said = sentence(str(answer.trouble))
        return f"{said} {INSTEAD}" if isinstance(answer.trouble, PASSING) else said
    reason = str(answer.found["why_not"]) if answer.found else ""
    return sentence(reason) if reason else ""


# Who wins


def winner(game: Game, answer: Answer) -> str:
    """Whose win the start is: "first", "second", "draw", or nothing where that is not proven."""
    value = answer.found["value"] if answer.found else None
    if value is None or not value["exact"]:
        return ""
    if value["outcome"] == "draw":
        return "draw"
    mover = game.turn(game.start())
    return ("first", "second")[mover if value["outcome"] == "win" else 1 - mover]


def verdict(game: Game, answer: Answer) -> Told:
    """Who wins the variant, how that is known, and how one begins."""
    who = winner(game, answer)
    found = answer.found or {}
    told: Told = {
        "pending": answer.pending,
        "done": answer.done,
        "total": answer.total,
        "mark": SIDES.get(who, ""),
        "text": "",
        "trouble": "",
        "published": found.get("published", ""),
        "method": METHODS.get(found.get("method", ""), found.get("method", "")),
        "counts": found.get("counts"),
        "best": None,
        "instead": None,
    }
    if answer.pending:
        return told
    if not who:
        return {**told, "trouble": _trouble(answer), "instead": _instead(game)}
    value = found["value"]
    return {**told, "text": _who(game, who, value), "best": _beginning(value, found["moves"])}


def _instead(game: Game) -> tuple[str, str] | None:
    """A variant much like this one that is solved, its name and address, if there is one."""
    solved = _changed(game, SOLVED.get(game.name, {}))
    return (title(solved), address(solved)) if solved != game else None


def _who(game: Game, who: str, value: Told) -> str:
    """`The first player wins in 10 plies`"""
    over = not game.moves(game.start())
    if who == "draw":
        return "It is a draw before the first move" if over else "A draw, if neither errs"
    if over:
        return f"The {who} player has won before the first move"
    within = "" if value["plies"] is None else f" in {_plies(value['plies'])}"
    return f"The {who} player wins{within}"


def _plies(number: int) -> str:
    return "1 ply" if number == 1 else f"{number} plies"


def _beginning(value: Told, moves: list[Told]) -> Told | None:
    """The best first moves, in a line."""
    best = [each["move"] for each in moves if each["best"]]
    if not best or (len(best) == len(moves) and value["outcome"] == "loss"):
        return None
    more = f" and {len(best) - MOST_NAMED} more" if len(best) > MOST_NAMED else ""
    every = "any move" if len(best) == len(moves) > 1 else ""
    return {
        "label": BEGINNINGS[value["outcome"]],
        "moves": every or ", ".join(best[:MOST_NAMED]) + more,
    }


# The position on the board


def standing(walk: Walk, answer: Answer) -> Told:
    """The board with what every move on it is worth."""
    game, state = walk.game, walk.state
    found = answer.found or {"moves": [], "value": None, "reasons": []}
    marks = {each["move"]: _mark(each) for each in found["moves"]}
    value = found["value"]
    return {
        "board": boards.board(
            game,
            state,
            last=walk.moves[-1] if walk.moves else "",
            before=walk.states[-2] if walk.moves else None,
            playable=True,
            at=len(walk.moves),
            action=other_address(game, "move", walk.position, walk.moves),
            marks=marks,
        ),
        "is_start": walk.is_start,
        "pending": answer.pending,
        "over": not game.moves(state),
        "mover": capital(as_seen(game, [seat_name(game, game.turn(state))])[0]),
        "value": value and _shown(value),
        "source": Assessment.from_dict(found).source if value else "",
        "trouble": "" if value or walk.is_start else _trouble(answer),
        "reasons": as_seen(game, found["reasons"]),
        "moves": _moves(walk, found["moves"]),
        "more": max(0, len(game.moves(state)) - MOST_LISTED),
        "position": game.write(state),
        "typed": walk.position,
        "wrong": sentence(walk.wrong) if walk.wrong else "",
        "trail": [
            (text, address(game, walk.position, walk.moves[: number + 1]))
            for number, text in enumerate(walk.moves)
        ],
        "first": address(game, walk.position),
        "back": walk.back if walk.moves else "",
    }


def _mark(each: Told) -> boards.Mark:
    return boards.Mark(each["outcome"], each["plies"], each["score"], each["exact"])


def _shown(each: Told) -> Told:
    """A worth as the page shows it: with discs where they are counted, else with plies."""
    score = each["score"]
    scored = None if score is None else f"{score:+g}".replace("-", "−")
    return {
        "outcome": each["outcome"],
        "plies": each["plies"] if score is None and each["outcome"] != "draw" else None,
        "score": scored,
        "exact": each["exact"],
    }


def _moves(walk: Walk, moves: list[Told]) -> list[Told]:
    """Every move with what it is worth, the best first, and where it leads."""
    ordered = sorted(moves, key=lambda each: not each["best"])[:MOST_LISTED]
    return [
        {
            "text": each["move"],
            "href": f"{walk.on(each['move'])}#explore",
            "why": f"{address(walk.game, walk.position, walk.moves, why=each['move'])}#why",
            "best": each["best"],
            "words": _mark(each).words,
            **_shown(each),
        }
        for each in ordered
    ]


def reason(game: Game, move: str, answer: Answer) -> Told:
    """Why a move is right or wrong."""
    lines = as_seen(game, answer.found["lines"]) if answer.found else []
    told = [sentence(str(answer.trouble))] if answer.trouble else lines
    return {"move": move, "pending": answer.pending, "lines": told}


# What turns the result


def nearby(game: Game, answer: Answer, who: str) -> Told:
    """The variants that differ in one option, in groups, and how many turn the result."""
    rows = answer.found or []
    labels = {field.name: field.label for field in forms.fields(game)}
    groups: list[Told] = []
    for option, some in groupby(rows, key=lambda row: str(row["option"])):
        told = [_neighbour(game, row, who) for row in some if not _is_refused(row)]
        if told:
            groups.append({"option": option, "label": labels[option], "rows": told})
    shown = [row for group in groups for row in group["rows"]]
    turning = sum(row["turns"] for row in shown)
    many = sum(bool(row["side"]) for row in shown)
    return {
        "pending": answer.pending,
        "trouble": "" if answer.pending or answer.trouble is None else _trouble(answer),
        "groups": groups,
        "summary": _turning(turning, many) if who and many else "",
        "open": _open(game, rows, labels),
    }


def _turning(turning: int, many: int) -> str:
    if not turning:
        return "None of them turns the result."
    return f"{turning} of {many} {'turns' if turning == 1 else 'turn'} the result."


def _changed(game: Game, changes: Told) -> Game:
    options = {name: getattr(game, name) for name in declared(type(game))}
    changed: Game = registry.made(type(game), game.name, {**options, **changes})
    return changed


def _value(game: Game, option: str) -> str:
    """The value of an option as the form calls it."""
    field = next(field for field in forms.fields(game) if field.name == option)
    if field.items:
        return (", " if field.kind == "list" else "; ").join(field.items)
    return dict(field.choices).get(field.value, field.value or "none")


def _neighbour(game: Game, row: Told, who: str) -> Told:
    other = _changed(game, {row["option"]: row["value"]})
    return {
        "value": _value(other, row["option"]),
        "href": address(other),
        "side": SIDES.get(row["outcome"], ""),
        "words": WINS[row["outcome"]],
        "plies": row["plies"],
        "turns": bool(who) and row["outcome"] in SIDES and row["outcome"] != who,
    }


def _is_refused(row: Told) -> bool:
    """Whether more time would not help; a search that was stopped says so."""
    return row["outcome"] not in SIDES and "stopped" not in row["reason"]


def _open(game: Game, rows: list[Told], labels: dict[str, str]) -> list[str]:
    """Of which neighbours nothing can be told: their values, and why not for the first."""
    refused: dict[str, list[Told]] = {}
    for row in filter(_is_refused, rows):
        refused.setdefault(row["option"], []).append(row)
    lines = []
    for option, some in refused.items():
        shown = [_value(_changed(game, {option: row["value"]}), option) for row in some]
        between = " · " if any("," in value for value in shown) else ", "
        large = some[0]["outcome"] == "refused" and game.seats == 2
        why_not = "too many positions to list" if large else some[0]["reason"]
        lines.append(sentence(f"{labels[option]} {between.join(shown)}: {why_not}"))
    return lines


# The atlas


def swept(game: Game, data: Told, number: int, rows: int) -> Told:
    """One page of the variants of an atlas, each a link."""
    pages = max(1, -(-len(data["rows"]) // rows))
    number = min(max(1, number), pages)
    shown = []
    for row in data["rows"][(number - 1) * rows : number * rows]:
        variant: Game = registry.made(type(game), game.name, row["options"])
        shown.append(
            {
                "values": [_value(variant, name).lower() for name in data["varied"]],
                "href": address(variant),
                "side": SIDES.get(row["outcome"], ""),
                "words": WINS[row["outcome"]],
                "plies": row["plies"],
                "positions": row["positions"],
                "here": variant == game,
            }
        )
    return {
        "columns": [forms.label(name) for name in data["varied"]],
        "rows": shown,
        "number": number,
        "pages": pages,
    }
