"""The school's tasks for the workers: new hats, some games more, what is in them, pages to print.

Hats come and go as the text the store keeps, so that any worker can go on with any hats. What a
page shows of them is computed here as well, because a worker has read them anyway.

Small pictures stand side by side, so a dozen balls stand for all that a box holds, in proportion;
each ball is drawn once, in `draw_symbols`, and the pictures refer to it.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from parlour import boards, learn
from parlour.boards import escape
from parlour.core import BadText, ParlourError, Record, State, Text, TooLarge, Work, join, say
from parlour.drawing import elements, pdf, svg
from parlour.faces.web.texts import LANGUAGES, use_language
from parlour.faces.web.workers import Payload, TaskFunction, game_of
from parlour.learn import Hats

MAX_BOXES = 5_000  # their hats are read and written several times a second
MAX_CARDS = 15  # boxes on a page; of sticks, all hats that fit on two
MAX_HATS = 24
PAGE = 24  # boxes on a page of all boxes
MAX_TURNS = 60  # of a game that is shown ball by ball
MAX_BALLS = 12  # in a small picture
RADIUS = 9  # of its balls
MARKS_APART = 4.5  # percent of the curve's width: marks closer to each other are left out
RULES = {"hats": say("the rule of hats"), "menace": say("MENACE’s rule")}
HATS_AND_BALLS = re.compile(r"(?<!\{)\b(?:hat|ball)s?\b", re.IGNORECASE)  # no placeholder
BOXES_AND_BEADS = {"ball": "bead", "balls": "beads", "hat": "box", "hats": "boxes"}


def begin(payload: Payload, work: Work) -> dict[str, Any]:
    """Make new hats for a game, measured before their first lesson."""
    game = game_of(payload)
    if len(learn.list_boxes(game, work, MAX_BOXES).states) > MAX_BOXES:
        raise TooLarge(
            "this variant of {name} has too many positions; choose a smaller one", name=game.name
        )
    held = learn.hats(game, work=work, **payload["settings"])
    learn.check_games(held, payload["until"])
    learn.train_for(held, 0, 0, work=work)
    return _answer(held, payload, work)


def train_on(payload: Payload, work: Work) -> dict[str, Any]:
    """Train hats for some seconds or games."""
    held = _read_hats(payload, work)
    learn.train_for(held, payload["until"], payload["seconds"], work=work)
    return _answer(held, payload, work)


def learn_from_game(payload: Payload, work: Work) -> dict[str, Any]:
    """Teach hats a game that they have played at some seats."""
    held = _read_hats(payload, work)
    record = Record.from_json(payload["record"])
    _teach(held, record, payload["seats"])
    return _answer(held, payload, work)


def _teach(held: Hats, record: Record, seats: Sequence[int]) -> None:
    """Return the balls behind the moves of a record to their hats.

    Where several kinds of ball stand for one move, as at the end of sticks, the lowest counts.
    """
    game = held.game
    balls: dict[int, list[tuple[State, int]]] = {seat: [] for seat in seats}
    gave_up = None
    for state, move in record.replay(game):
        seat = game.turn(state)
        if seat not in seats or (move is None and game.result(state) is not None):
            continue
        if move is not None:
            balls[seat].append((state, held.boxes.kind(state, move)))
        elif not any(held.contents(held.row(seat), held.boxes.find(state))):
            gave_up = seat
    held.learn(balls, record.result or (), gave_up)


def look(payload: Payload, work: Work) -> dict[str, Any]:
    """Return what a page shows of hats."""
    return _describe(_read_hats(payload, work), payload, work)


def list_page(payload: Payload, work: Work) -> dict[str, Any]:
    """Return one page of all the boxes of a player; pages count from 1."""
    held, row = _read_row(payload, work)
    boxes = held.own_boxes(row)
    if learn.has_numbered_hats(held.game):
        boxes = list(learn.number_hats(held, row).values())
    pages = max(1, -(-len(boxes) // PAGE))
    page = min(max(1, payload["page"]), pages)
    shown = boxes[(page - 1) * PAGE : page * PAGE]
    found = {
        "all": len(boxes),
        "page": page,
        "pages": pages,
        "players": len(held.balls),
        "symbols": draw_symbols(held, shown),
        "cards": [_card(held, row, box) for box in shown],
    }
    return _say_beads(found) if held.rule is learn.MENACE else found


def print_sheets(payload: Payload, work: Work) -> str:
    """Return the pages to print of a player as a PDF, in base64."""
    held, row = _read_row(payload, work)
    return base64.b64encode(pdf(learn.pictures.make_sheets(held, row))).decode()


def draw_curve(payload: Payload, work: Work) -> str:
    """Draw the learning curve of a player as a picture to keep."""
    held, row = _read_row(payload, work)
    return svg(learn.summary.draw_chart(held, row))


def _read_row(payload: Payload, work: Work) -> tuple[Hats, int]:
    """Return hats and whose of them are meant."""
    held, row = _read_hats(payload, work), payload["row"]
    if row not in range(len(held.balls)):
        raise BadText(say("this class has only one player"))
    return held, row


def _read_hats(payload: Payload, work: Work) -> Hats:
    return learn.storage.from_json(payload["hats"], name="this class", work=work)


def _answer(held: Hats, payload: Payload, work: Work) -> dict[str, Any]:
    return {
        "hats": learn.storage.to_json(held),
        "games": held.games,
        "details": _describe(held, payload, work),
    }


# What a page shows


def _describe(held: Hats, payload: Payload, work: Work) -> dict[str, Any]:
    """Return what a page shows of hats, of the boxes that views open, and of the next game."""
    game = learn.foresee_game(held) if payload.get("next") else None
    drawn = [turn.box for turn in game.turns[:MAX_TURNS] if turn.row is not None] if game else []
    found = {
        "games": held.games,
        "schooling": say(
            "{games}, by {rules}",
            games=learn.summary.describe_games(held),
            rules=RULES[held.rule.name],
        ),
        "tally": asdict(held.tally),
        "dry": learn.summary.describe_running_out(held),
        "draws": learn.DRAW in held.boxes.leads or held.tally.draws > 0,
        "start": held.game.write(held.game.start()),
        "seats": sorted({seat for row in range(len(held.balls)) for seat in held.seats(row)}),
        "players": [_player(held, row, drawn, work) for row in range(len(held.balls))],
        "boxes": {view: _open_box(held, view) for view in payload["views"]},
        "next": _describe_next(held, game) if game else None,
    }
    return _say_beads(found) if held.rule is learn.MENACE else found


def _say_beads(content: Any) -> Any:
    """Say boxes and beads, as MENACE has them, for hats and balls."""
    if isinstance(content, Mapping):
        return {key: _say_beads(each) for key, each in content.items()}
    if isinstance(content, list | tuple):
        return [_say_beads(each) for each in content]
    if isinstance(content, Text):
        template, plural = _say_beads(content.template), _say_beads(content.plural)
        return Text(template, _say_beads(content.values), plural, content.finish)
    return HATS_AND_BALLS.sub(_name_bead, content) if isinstance(content, str) else content


def _name_bead(found: re.Match[str]) -> str:
    word = BOXES_AND_BEADS[found[0].lower()]
    return word.capitalize() if found[0][0].isupper() else word


def _player(held: Hats, row: int, drawn: list[int], work: Work) -> dict[str, Any]:
    """Describe one player's hats: how well they play, their strategy, and the first of them.

    The symbols are for these and for the boxes that are drawn from in the next game.
    """
    boxes = held.own_boxes(row)[:MAX_CARDS]
    strategy: list[str] = []
    proof: list[str] = []
    if learn.has_numbered_hats(held.game):
        boxes = list(learn.number_hats(held, row).values())[:MAX_HATS]
        strategy, is_right = learn.summary.describe_strategy(held, row)
        proof = learn.summary.prove_strategy(held.game) if is_right else []
    return {
        "title": learn.summary.chart_title(held, row),
        "learned": learn.summary.describe_learning(held, row),
        "curve": _describe_curve(held, row),
        "fares": {
            "drawn": _list_odds(held, row, work, likeliest=False),
            "likeliest": _list_odds(held, row, work, likeliest=True),
        },
        "says": strategy,
        "why": proof,
        "all": len(held.own_boxes(row)),
        "symbols": draw_symbols(held, [*boxes, *drawn]),
        "cards": [_card(held, row, box) for box in boxes],
    }


def _describe_curve(held: Hats, row: int) -> dict[str, Any]:
    """Describe the learning curve; places along the axis of games are in percent."""
    points = held.curves[row]
    games = learn.summary.games_axis(points, 0, 100)
    places = [round(games.at(point.games), 1) for point in points]
    return {
        "about": learn.summary.describe_curve(held, row),
        "ticks": [(round(games.at(number), 1), number) for number in games.ticks],
        "places": places,
        "marked": learn.summary.thin_out(places, MARKS_APART),
        "lines": [asdict(curve) for curve in learn.summary.list_curves(points)],
    }


def _list_odds(held: Hats, row: int, work: Work, *, likeliest: bool) -> list[dict[str, Any]]:
    return [
        {
            "opponent": odds.opponent,
            "seat": odds.seat,
            "win": learn.pictures.format_percent(odds.win),
            "draw": learn.pictures.format_percent(odds.draw),
            "loss": learn.pictures.format_percent(odds.loss),
        }
        for odds in learn.compute_odds(held, row, likeliest=likeliest, work=work)
    ]


def _position(held: Hats, box: int) -> str:
    """Return what is typed to open a box."""
    numbered = learn.has_numbered_hats(held.game)
    return str(held.boxes.hat_number(box)) if numbered else held.game.write(held.boxes.states[box])


def _card(held: Hats, row: int, box: int) -> dict[str, Any]:
    """Describe one of many boxes."""
    found, likely = learn.pictures.list_kinds(held, row, box), held.likeliest(row, box)
    return {
        "name": learn.pictures.name_box(held, row, box),
        "position": _position(held, box),
        "is_hat": learn.pictures.are_hats(held),
        "lid": _draw_lid(held, box),
        "beads": _sample_beads(held, row, box),
        "balls": join("; ", (kind.words for kind in found)),
        "likely": found[likely[0]].move if len(likely) == 1 else "",
        "chance": learn.pictures.format_percent(found[likely[0]].probability) if likely else "",
        "verdict": _verdict(held, box, likely),
    }


def _verdict(held: Hats, box: int, likely: list[int]) -> str:
    """Judge the likeliest ball by the exact values."""
    known = learn.find_truths(held.boxes)[box]
    if not likely:
        return "empty"
    if not known.right:
        return "lost" if known.outcome == "loss" else "any"
    if {*likely} <= {*known.right}:
        return "right"
    return "unsure" if {*likely} & {*known.right} else "wrong"


def _describe_next(held: Hats, game: learn.NextGame) -> dict[str, Any]:
    """Describe the game that they play next, turn by turn, and what it will change."""
    winner = game.result.index(1) if 1 in game.result else None
    players = {turn.seat: turn.player for turn in game.turns}
    return {
        "number": game.number,
        "length": len(game.turns[:MAX_TURNS]),
        "more": len(game.turns[MAX_TURNS:]),
        "turns": [_describe_turn(held, turn) for turn in game.turns[:MAX_TURNS]],
        "winner": None if winner is None else players.get(winner, 1 - players[1 - winner]),
        "changes": [
            {
                "player": change.row,
                "name": learn.pictures.name_box(held, change.row, change.box),
                "mark": kind.mark,
                "ball": _draw_ball(kind),
                "before": change.before,
                "after": change.after,
            }
            for change in game.changes[:MAX_TURNS]
            for kind in [learn.pictures.list_kinds(held, change.row, change.box)[change.kind]]
        ],
    }


def _describe_turn(held: Hats, turn: learn.BallDrawn) -> dict[str, Any]:
    """Describe one turn; a player who does not learn, or has no choice, opens no box."""
    game, state = held.game, turn.state
    found: dict[str, Any] = {
        "player": turn.player,
        "card": None,
        "kind": None,
        "move": "",
        "board": "",
    }
    if turn.kind is not None:
        move = held.boxes.moves(state, turn.kind)[0]
        found["move"] = boards.name_move(game.write_move(move), game, state)
        found["board"] = boards.picture(game, game.play(state, move))
    if turn.row is not None and held.boxes.boxed[turn.box]:
        found["card"] = _card(held, turn.row, turn.box)
        if turn.kind is not None:
            kind = learn.pictures.list_kinds(held, turn.row, turn.box)[turn.kind]
            found["kind"] = {"mark": kind.mark, "ball": _draw_ball(kind), "held": kind.held}
    return found


def _open_box(held: Hats, view: str) -> dict[str, Any]:
    """Describe the box that a view opens, or say why it cannot."""
    player, _, position = view.partition(":")
    try:
        state = held.game.read(position)
    except ParlourError as error:
        return {"refused": error.text}
    row = int(player) - 1 if player else held.row(held.game.turn(state))
    try:
        return _describe_box(held, row, held.find_box(row, state))
    except ParlourError as error:
        return {"row": row, "missing": error.text}


def _describe_box(held: Hats, row: int, box: int) -> dict[str, Any]:
    known, state = learn.find_truths(held.boxes)[box], held.boxes.states[box]
    return {
        "row": row,
        "name": learn.pictures.name_box(held, row, box),
        "about": learn.pictures.describe_box(held, row, box),
        "position": _position(held, box),
        "board": held.game.draw(state),
        "picture": {language: _draw_box(held, row, box, language) for language in LANGUAGES},
        "outcome": known.outcome,
        "balls": [
            {
                "ball": _draw_ball(kind),
                "mark": kind.mark,
                "move": kind.move,
                "held": kind.held,
                "chance": learn.pictures.format_percent(kind.probability),
                "right": not known.right or number in known.right,
                "to": _next_box(held, row, box, number),
            }
            for number, kind in enumerate(learn.pictures.list_kinds(held, row, box))
        ],
    }


def _draw_box(held: Hats, row: int, box: int, language: str) -> str:
    """Draw a box with its texts in a language: nobody here knows who will read them."""
    with use_language(language):
        return svg(learn.pictures.draw_box(held, row, box))


def _next_box(held: Hats, row: int, box: int, kind: int) -> dict[str, Any] | None:
    """Find the box a ball leads to, the same player's if there is one."""
    leads = held.boxes.leads[held.boxes.first[box] + kind]
    following = leads >> 1
    if leads < 0 or not held.boxes.boxed[following]:
        return None
    mover = held.row(held.game.turn(held.boxes.states[following]))
    for owner in (row, mover):
        if following in held.own_boxes(owner):
            return {"row": owner, "position": _position(held, following)}
    return None


# Pictures


def _draw_ball(kind: learn.pictures.Kind) -> str:
    return elements(learn.pictures.draw_bead(0, 0, RADIUS, kind.mark, kind.fill))


def draw_symbols(hats: Hats, boxes: Iterable[int]) -> str:
    """Draw every kind of ball in some boxes once, and the hat, for the small pictures to use."""
    beads = {bead: None for box in boxes for bead in learn.pictures.mark_balls(hats, box)}
    symbols = {
        _bead_id(mark, colour): learn.pictures.draw_bead(
            0, 0, RADIUS, mark, learn.pictures.COLOURS[colour]
        )
        for mark, colour in beads
    }
    if learn.pictures.are_hats(hats):
        symbols["hat-back"] = learn.pictures.draw_hat_back(70, 58, 0.44)
        symbols["hat-front"] = learn.pictures.draw_hat_front(70, 58, 0.44)
    groups = (f'<g id="{name}">{elements(shapes)}</g>' for name, shapes in symbols.items())
    return f'<svg class="hidden" aria-hidden="true"><defs>{"".join(groups)}</defs></svg>'


def _bead_id(mark: str, colour: str) -> str:
    return f"bead-{escape(mark)}-{list(learn.pictures.COLOURS).index(colour)}"


def _sample_beads(hats: Hats, row: int, box: int) -> list[str]:
    """Return the symbols of a sample of the balls in a box."""
    found = learn.pictures.list_kinds(hats, row, box)
    drawn = sample([kind.held for kind in found])
    return [
        _bead_id(kind.mark, kind.colour)
        for kind, several in zip(found, drawn, strict=True)
        for _ in range(several)
    ]


def _draw_lid(hats: Hats, box: int) -> str:
    """Draw the position on the lid of a matchbox, if possible with its beads."""
    if learn.pictures.are_hats(hats):
        return ""
    if hats.boxes.board:
        return elements(learn.pictures.draw_lid(hats, box, 70, 56, 96, 96))
    return boards.picture(hats.game, hats.boxes.states[box])


def sample(held: Sequence[int], places: int = MAX_BALLS) -> list[int]:
    """Choose how many balls of each kind to draw in some places: all, or in proportion.

    Each kind is seen at least once if there are places for all, else the commonest kinds are.
    """
    if sum(held) <= places:
        return list(held)
    first = sorted((kind for kind, balls in enumerate(held) if balls), key=lambda k: -held[k])
    drawn = [0] * len(held)
    for kind in first[:places]:
        drawn[kind] = 1
    left, others = places - sum(drawn), sum(held) - len(first)
    shares = [left * max(0, balls - 1) / others for balls in held]
    for kind, share in enumerate(shares):
        drawn[kind] += int(share)
    by_rest = sorted(range(len(held)), key=lambda k: int(shares[k]) - shares[k])
    for kind in by_rest[: places - sum(drawn)]:
        drawn[kind] += 1
    return drawn


TASKS: dict[str, TaskFunction] = {
    "school-begin": begin,
    "school-train": train_on,
    "school-learn": learn_from_game,
    "school-describe": look,
    "school-curve": draw_curve,
    "school-page": list_page,
    "school-sheets": print_sheets,
}
