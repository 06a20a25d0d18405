"""Hats as text: JSON that people can read, with every box and the curve of its training.

Whatever else a file holds is refused with the reason: one that is damaged, that is of another game,
or in which a field is not of its kind or out of its range.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

from parlour.core import (
    BadFile,
    BadText,
    Game,
    ParlourError,
    Work,
    declared,
    describe,
    quote,
    registry,
    values,
)
from parlour.learn.boxes import MOST, list_boxes
from parlour.learn.hat_set import (
    AGAINST,
    MOST_GAMES,
    MOST_SEED,
    STARTS,
    Hats,
    Odds,
    Point,
    Tally,
)
from parlour.learn.measure import OPPONENTS
from parlour.learn.updates import MOST_BALLS, RULES

FORMAT = "parlour hats 1"
SLIP = 1e-9  # what sums of chances may be off


def to_json(hats: Hats) -> str:
    """Hats as JSON."""
    listed = hats.boxes
    told = {
        "format": FORMAT,
        "game": hats.game.name,
        "options": values(hats.game),
        "rule": hats.rule.name,
        "against": hats.against,
        "starts": hats.starts,
        "seed": hats.seed,
        "chance": hats.chance,
        "games": hats.games,
        "tally": asdict(hats.tally),
        "curves": [[asdict(point) for point in curve] for curve in hats.curves],
        "players": [
            {
                hats.game.write(listed.states[box]): dict(
                    zip([b.text for b in listed.balls[box]], hats.contents(row, box), strict=True)
                )
                for box in listed.all()
            }
            for row in range(len(hats.balls))
        ],
    }
    return json.dumps({**told, "sha256": _checksum(told)}, indent=1) + "\n"


def _checksum(told: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Label:
    """What a file of hats says of itself, read without looking into the boxes."""

    game: str
    options: Mapping[str, Any]
    rule: str
    games: int

    def __str__(self) -> str:
        """`sticks sticks=10`, as far as the game is at hand."""
        try:
            return describe(self.made(registry.find("games", self.game)))
        except ParlourError:  # a game from a file, which is not at hand
            return self.game

    def made(self, cls: type) -> Game:
        """The game they are for, of this class."""
        found: Game = registry.made(cls, self.game, self.options)
        return found

    def unlike(self, game: Game) -> str:
        """Why they are not for exactly this game, or nothing."""
        if self.game != game.name:
            return f"they are for {self}, not for {describe(game)}"
        own = self.made(type(game))
        differ = [name for name, value in values(own).items() if value != values(game)[name]]
        if not differ:
            return ""
        known = declared(type(game))
        theirs, here = (
            ", ".join(f"{name}={known[name].write(getattr(each, name))}" for name in differ)
            for each in (own, game)
        )
        return f"they are for {self.game} with {theirs}, not with {here}"


def read_label(path: Path) -> Label:
    """What a file of hats says of itself."""
    return _make_label(_parse(_read_text(path), path.name))


def _make_label(data: Mapping[str, Any]) -> Label:
    return Label(data["game"], data["options"], data["rule"], data["games"])


def load_file(
    path: Path, game: Game | None = None, *, cls: type | None = None, work: Work | None = None
) -> Hats:
    """The hats in a file; `BadFile` says what is wrong with any other.

    They are for exactly this game, if one is given, or for one of this class.
    """
    return from_json(_read_text(path), game, name=path.name, cls=cls, work=work)


def from_json(
    text: str | bytes,
    game: Game | None = None,
    *,
    name: str = "this text",
    cls: type | None = None,
    work: Work | None = None,
) -> Hats:
    """The hats in a text; a refusal calls it by this name."""
    data = _parse(text, name)
    try:
        return _build_hats(data, game, cls, work)
    except ParlourError as trouble:
        _refuse(name, str(trouble))


def _refuse(name: str, why: str) -> NoReturn:
    raise BadFile(f"{name} cannot be used: {why}") from None


# Fields, each of its kind and in its range


def _read_text(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as trouble:
        raise BadFile(f"cannot read {path}: {trouble.strerror}") from None


def _parse(text: str | bytes, name: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise BadFile(f"{name} is no file of hats, or is damaged: it is not JSON") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BadFile(f"{name} is no file of hats; one begins with the format {FORMAT!r}")
    written = data.pop("sha256", None)  # somebody's own file may do without
    if written is not None and written != _checksum(data):
        raise BadFile(f"{name} is damaged, or was changed by hand: its sum is not right")
    for part, fits in FIELDS.items():
        if part not in data:
            _refuse(name, f"it does not say the {part}")
        if not fits(data[part]):
            _refuse(name, f"its {part} cannot be {quote(data[part])}")
    return data


def _whole(value: Any, most: int, least: int = 0) -> bool:
    return type(value) is int and least <= value <= most


def _chance(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= 1 + SLIP


def _one_of(value: Any, known: Any) -> bool:
    return isinstance(value, str) and value in known


def _has(value: Any, **parts: Callable[[Any], bool]) -> bool:
    """Whether it is an object with exactly these parts, each as it should be."""
    return (
        isinstance(value, dict)
        and value.keys() == parts.keys()
        and all(fits(value[name]) for name, fits in parts.items())
    )


def _each(value: Any, fits: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(map(fits, value))


def _games(value: Any) -> bool:
    return _whole(value, MOST_GAMES)


def _two(value: Any) -> bool:
    return _each(value, _games) and len(value) == 2


def _tally(value: Any) -> bool:
    return _has(
        value,
        wins=_two,
        draws=_games,
        resigned=_two,
        dry=lambda game: game is None or _whole(game, MOST_GAMES, 1),
    )


def _fortune(value: Any) -> bool:
    return (
        _has(
            value,
            opponent=lambda name: _one_of(name, OPPONENTS),
            seat=lambda seat: _whole(seat, 1),
            win=_chance,
            draw=_chance,
            loss=_chance,
        )
        and abs(value["win"] + value["draw"] + value["loss"] - 1) < SLIP
    )


def _point(value: Any) -> bool:
    return (
        _has(
            value,
            games=_games,
            right=lambda list_boxes: _whole(list_boxes, MOST),
            of=lambda list_boxes: _whole(list_boxes, MOST),
            chance=_chance,
            fortunes=lambda fares: _each(fares, _fortune),
        )
        and value["right"] <= value["of"]
    )


def _curve(value: Any) -> bool:
    """Points one after another, over the same boxes."""
    return _each(value, _point) and all(
        a["games"] < b["games"] and a["of"] == b["of"] for a, b in pairwise(value)
    )


FIELDS: dict[str, Callable[[Any], bool]] = {
    "format": lambda value: True,
    "game": lambda value: isinstance(value, str),
    "options": lambda value: isinstance(value, dict),
    "rule": lambda value: _one_of(value, RULES),
    "against": lambda value: _one_of(value, AGAINST),
    "starts": lambda value: _one_of(value, STARTS),
    "seed": lambda value: _whole(value, MOST_SEED),
    "chance": lambda value: _whole(value, 2**64 - 1),
    "games": _games,
    "tally": _tally,
    "curves": lambda value: _each(value, _curve),
    "players": lambda value: _each(value, lambda boxed: isinstance(boxed, dict)),
}


# Boxes


def _build_hats(
    data: Mapping[str, Any], game: Game | None, cls: type | None, work: Work | None
) -> Hats:
    own = _make_label(data)
    if game is None:
        cls = cls or registry.find("games", own.game)
        defined = getattr(cls, "name", "")
        if defined != own.game:
            raise BadText(f"they are for {quote(own.game)}, and the game given is {defined}")
        game = own.made(cls)
    elif why := own.unlike(game):
        raise BadText(why)
    hats = Hats(
        list_boxes(game, work),
        RULES[data["rule"]],
        **{name: data[name] for name in ("against", "starts", "seed", "games")},
    )
    hats.chance = data["chance"]
    sets = len(hats.balls)
    if len(data["players"]) != sets:
        raise BadText(
            f"hats trained against {hats.against} are {sets} sets, not {len(data['players'])}"
        )
    if len(data["curves"]) != sets:
        raise BadText("it has not one curve for each player")
    hats.balls = [_read_row(hats, boxed) for boxed in data["players"]]
    hats.tally = Tally(**data["tally"])
    hats.curves = [[_read_point(point) for point in curve] for curve in data["curves"]]
    told = hats.tally
    if sum(told.wins) + told.draws > hats.games or (told.dry or 0) > hats.games:
        raise BadText(f"its tally counts more than its {hats.games:,} games")
    if any(curve and curve[-1].games > hats.games for curve in hats.curves):
        raise BadText(f"its curve goes on after its {hats.games:,} games")
    return hats


def _read_point(point: Mapping[str, Any]) -> Point:
    return Point(**{**point, "fortunes": tuple(Odds(**each) for each in point["fortunes"])})


def _read_row(hats: Hats, held: Mapping[str, Any]) -> array[int]:
    """The balls of one player, box by box."""
    listed, game = hats.boxes, hats.game
    row = array("i", hats.balls[0])
    missing = {game.write(listed.states[box]): box for box in listed.all()}
    for position, balls in held.items():
        box = missing.pop(position, None)
        if box is None:
            raise BadText(f"there is no box {quote(position)} in {describe(game)}")
        texts = [ball.text for ball in listed.balls[box]]
        if not isinstance(balls, dict) or list(balls) != texts:
            raise BadText(f"box {quote(position)} must hold the balls {', '.join(texts)}")
        for place, (text, number) in enumerate(balls.items(), start=listed.first[box]):
            if not _whole(number, MOST_BALLS, hats.rule.fewest):
                raise BadText(
                    f"box {quote(position)} cannot hold {quote(number)} of the ball "
                    f"{quote(text)}; by the rule {hats.rule.name} it is a whole number from "
                    f"{hats.rule.fewest} on, below 2^31"
                )
            row[place] = number
    if missing:
        raise BadText(f"the box {quote(next(iter(missing)))} is missing")
    return row
