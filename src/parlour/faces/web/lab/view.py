"""What the lab shows: who wins, what a position is worth, and which rules change the result.

Results say which player wins, the first or the second; the value of a move is for the player who
makes it. All of it is in the address: a variant, a position in it, and moves from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from urllib.parse import quote, urlencode

from parlour.core import (
    BadText,
    Game,
    ParlourError,
    State,
    capital,
    options_of,
    registry,
    seat_name,
    sentence,
    title,
)
from parlour.faces.web import boards, forms
from parlour.faces.web.table import use_board_names
from parlour.faces.web.variants import list_changes
from parlour.faces.web.workers import TEMPORARY, Answer
from parlour.players import Assessment

SIDES = {"first": "win", "second": "loss", "draw": "draw"}  # the mark and colour of a result
WINS = {
    "first": "first wins",
    "second": "second wins",
    "draw": "draw",
    "undecided": "undecided",
    "refused": "not solved",
}
INSTEAD = "Choose something smaller, or a position closer to the end."
MOST_LISTED = 60  # moves beside the board
MOST_NAMED = 8  # moves in a sentence
MOST_MOVES = 150  # in an address
LONGEST_POSITION = 20_000  # characters; with barred loops it lists all positions visited
METHODS = {
    "table": "a table of every position",
    "closed form": "a closed form, the nim-sum",
    "retrograde analysis": "working back from every final position",
    "proof search": "a proof search",
    "endgame search": "playing out every line",
}
FIRST_MOVES = {
    "win": "Best first moves",
    "draw": "Moves that keep the draw",
    "loss": "Moves that last longest",
}
SOLVED: dict[str, dict[str, Any]] = {  # options of a variant that is solved at once
    "nim": {"endings": (), "seats": 2},
    "chopsticks": {"loops": "allowed"},
    "tictactoe": {"columns": 3, "rows": 3, "line": 3},
    "othello": {"columns": 4, "rows": 4},
}

Values = dict[str, Any]  # of a template


def _trouble(answer: Answer) -> str:
    """Say why there is no answer, and what to try instead."""
    if answer.trouble is not None:
        reason = sentence(str(answer.trouble))
        return f"{reason} {INSTEAD}" if isinstance(answer.trouble, TEMPORARY) else reason
    why_not = str(answer.found["why_not"]) if answer.found else ""
    return sentence(why_not) if why_not else ""


# Addresses


def address(
    game: Game, position: str = "", moves: Iterable[str] = (), *, page: str = "", **more: str
) -> str:
    """Return the address of a variant, a position of it and moves from there.

    `page` is another page about the same, "atlas" or "move".
    """
    path = f"/lab/{quote(game.name)}" + (f"/{page}" if page else "")
    query = [*list_changes(game).items(), *([("position", position)] if position else [])]
    query += [*(("move", move) for move in moves), *more.items()]
    return f"{path}?{urlencode(query, safe=',:', quote_via=quote)}" if query else path


@dataclass(frozen=True)
class Walk:
    """The position looked at: from the start or a typed position, by moves that were tried."""

    game: Game
    position: str
    moves: tuple[str, ...]
    states: tuple[State, ...]  # before each move, and after the last
    wrong: str = ""  # about the position
    illegal: str = ""  # about a move, which ends the walk

    @property
    def state(self) -> State:
        """The position looked at."""
        return self.states[-1]

    @property
    def is_start(self) -> bool:
        """Whether this is the start of the game."""
        return not self.moves and (not self.position or bool(self.wrong))

    @property
    def back(self) -> str:
        """The address of the position before this one."""
        return address(self.game, self.position, self.moves[:-1])

    def on(self, move: str) -> str:
        """Return the address after a move; a walk that is too long starts again there."""
        if len(self.moves) < MOST_MOVES:
            return address(self.game, self.position, (*self.moves, move))
        game = self.game
        return address(game, game.write(game.play(self.state, game.read_move(self.state, move))))


def read_walk(game: Game, position: str, moves: Sequence[str]) -> Walk:
    """Read a position, if there is one, and moves from there as far as they are legal."""
    wrong = illegal = ""
    state = game.start()
    position = position.strip()
    if position:
        try:
            if len(position) > LONGEST_POSITION:
                raise BadText(f"a position can have at most {LONGEST_POSITION:,} characters")
            state = game.read(position)
        except ParlourError as refusal:
            wrong, moves = str(refusal), ()
    played: list[str] = []
    states = [state]
    for text in moves[:MOST_MOVES]:
        try:
            move = game.read_move(states[-1], text)
        except ParlourError as refusal:
            illegal = str(refusal)
            break
        played.append(game.write_move(move))
        states.append(game.play(states[-1], move))
    return Walk(game, position, tuple(played), tuple(states), wrong, illegal)


# Who wins


def winner(game: Game, answer: Answer) -> str:
    """Return who wins: "first", "second", "draw", or nothing if that is not proven."""
    value = answer.found["value"] if answer.found else None
    if value is None or not value["exact"]:
        return ""
    if value["outcome"] == "draw":
        return "draw"
    mover = game.turn(game.start())
    return ("first", "second")[mover if value["outcome"] == "win" else 1 - mover]


def verdict(game: Game, answer: Answer) -> Values:
    """Say who wins the variant, how that is known, and the best first moves."""
    who = winner(game, answer)
    found = answer.found or {}
    values: Values = {
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
        return values
    if not who:
        return {**values, "trouble": _trouble(answer), "instead": _instead(game)}
    value = found["value"]
    text = _say_who_wins(game, who, value)
    return {**values, "text": text, "best": _first_moves(value, found["moves"])}


def _instead(game: Game) -> tuple[str, str] | None:
    """Return the name and address of a similar variant that is solved, if there is one."""
    solved = _change(game, SOLVED.get(game.name, {}))
    return (title(solved), address(solved)) if solved != game else None


def _say_who_wins(game: Game, who: str, value: Values) -> str:
    """`The first player wins in 10 plies`"""
    over = not game.moves(game.start())
    if who == "draw":
        return "A draw before the first move" if over else "A draw with best play"
    if over:
        return f"The {who} player has won before the first move"
    within = "" if value["plies"] is None else f" in {_plies(value['plies'])}"
    return f"The {who} player wins{within}"


def _plies(number: int) -> str:
    return "1 ply" if number == 1 else f"{number} plies"


def _first_moves(value: Values, moves: list[Values]) -> Values | None:
    """List the best first moves."""
    best = [each["move"] for each in moves if each["best"]]
    if not best or (len(best) == len(moves) and value["outcome"] == "loss"):
        return None
    more = f" and {len(best) - MOST_NAMED} more" if len(best) > MOST_NAMED else ""
    every = "any move" if len(best) == len(moves) > 1 else ""
    return {
        "label": FIRST_MOVES[value["outcome"]],
        "moves": every or ", ".join(best[:MOST_NAMED]) + more,
    }


# The position on the board


def show_position(walk: Walk, answer: Answer) -> Values:
    """Show the board with what every move is worth."""
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
            action=address(game, walk.position, walk.moves, page="move"),
            marks=marks,
        ),
        "is_start": walk.is_start,
        "pending": answer.pending,
        "over": not game.moves(state),
        "mover": capital(use_board_names(game, [seat_name(game, game.turn(state))])[0]),
        "value": value and _show_worth(value),
        "source": Assessment.from_dict(found).source if value else "",
        "trouble": "" if value or walk.is_start else _trouble(answer),
        "reasons": use_board_names(game, found["reasons"]),
        "moves": _list_moves(walk, found["moves"]),
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


def _mark(each: Values) -> boards.Mark:
    return boards.Mark(each["outcome"], each["plies"], each["score"], each["exact"])


def _show_worth(each: Values) -> Values:
    """Return a value as the page shows it: in discs if they are counted, else in plies."""
    score = each["score"]
    figure = None if score is None else f"{score:+g}".replace("-", "−")
    figure = "0" if score == 0 else figure
    return {
        "outcome": each["outcome"],
        "plies": each["plies"] if score is None and each["outcome"] != "draw" else None,
        "score": figure,
        "exact": each["exact"],
    }


def _list_moves(walk: Walk, moves: list[Values]) -> list[Values]:
    """List every move with its value, the best first, and where it leads."""
    ordered = sorted(moves, key=lambda each: not each["best"])[:MOST_LISTED]
    return [
        {
            "text": each["move"],
            "href": f"{walk.on(each['move'])}#explore",
            "why": f"{address(walk.game, walk.position, walk.moves, why=each['move'])}#why",
            "best": each["best"],
            "words": _mark(each).words,
            **_show_worth(each),
        }
        for each in ordered
    ]


def explain_move(game: Game, move: str, answer: Answer) -> Values:
    """Say why a move is right or wrong."""
    lines = use_board_names(game, answer.found["lines"]) if answer.found else []
    if answer.trouble:
        lines = [sentence(str(answer.trouble))]
    return {"move": move, "pending": answer.pending, "lines": lines}


# Neighbouring variants


def list_neighbours(game: Game, answer: Answer, who: str) -> Values:
    """List the variants that differ in one option, and say how many change the result."""
    rows = answer.found or []
    labels = {field.name: field.label for field in forms.fields(game)}
    groups: list[Values] = []
    for option, some in groupby(rows, key=lambda row: str(row["option"])):
        solved = [_neighbour(game, row, who) for row in some if not _is_refused(row)]
        if solved:
            groups.append({"option": option, "label": labels[option], "rows": solved})
    listed = [row for group in groups for row in group["rows"]]
    changing = sum(row["turns"] for row in listed)
    total = sum(bool(row["side"]) for row in listed)
    return {
        "pending": answer.pending,
        "trouble": "" if answer.pending or answer.trouble is None else _trouble(answer),
        "groups": groups,
        "summary": _count_changes(changing, total) if who and total else "",
        "open": _list_open(game, rows, labels),
    }


def _count_changes(changing: int, total: int) -> str:
    if not changing:
        return "None of them changes the result."
    return f"{changing} of {total} {'changes' if changing == 1 else 'change'} the result."


def _change(game: Game, changes: Values) -> Game:
    options = {name: getattr(game, name) for name in options_of(type(game))}
    other: Game = registry.build(type(game), game.name, {**options, **changes})
    return other


def _format_option(game: Game, option: str) -> str:
    """Return the value of an option in the words of the form."""
    field = next(field for field in forms.fields(game) if field.name == option)
    if field.items:
        return (", " if field.kind == "list" else "; ").join(field.items)
    return dict(field.choices).get(field.value, field.value or "none")


def _neighbour(game: Game, row: Values, who: str) -> Values:
    other = _change(game, {row["option"]: row["value"]})
    return {
        "value": _format_option(other, row["option"]),
        "href": address(other),
        "side": SIDES.get(row["outcome"], ""),
        "words": WINS[row["outcome"]],
        "plies": row["plies"],
        "turns": bool(who) and row["outcome"] in SIDES and row["outcome"] != who,
    }


def _is_refused(row: Values) -> bool:
    """Whether more time would not help: a search that was stopped says so."""
    return row["outcome"] not in SIDES and "stopped" not in row["reason"]


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
        why_not = "too many positions to solve" if large else some[0]["reason"]
        lines.append(sentence(f"{labels[option]} {between.join(others)}: {why_not}"))
    return lines


# The atlas


def show_atlas(game: Game, data: Values, number: int, rows: int) -> Values:
    """Return one page of the variants of an atlas, each a link."""
    pages = max(1, -(-len(data["rows"]) // rows))
    number = min(max(1, number), pages)
    listed = []
    for row in data["rows"][(number - 1) * rows : number * rows]:
        variant: Game = registry.build(type(game), game.name, row["options"])
        listed.append(
            {
                "values": [_format_option(variant, name).lower() for name in data["varied"]],
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
        "rows": listed,
        "number": number,
        "pages": pages,
    }
