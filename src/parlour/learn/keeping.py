"""Hats in files: JSON that people can read, kept by name in the user's folder.

A file holds every box with its balls, and the curve of its training. It is written whole or not at
all, and one that is damaged, of another game or against the rules is refused with the reason.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from array import array
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NoReturn

from parlour.core import registry
from parlour.core.errors import BadFile, BadText, ParlourError, UnknownName
from parlour.core.files import check_writable, write_whole
from parlour.core.game import Game
from parlour.core.options import describe, values
from parlour.core.words import nearest, one_of, quote
from parlour.learn.boxes import boxes
from parlour.learn.hats import AGAINST, STARTS, Fortune, Hats, Point, Tally
from parlour.learn.rules import RULES
from parlour.learn.training import MOST_GAMES

FORMAT = "parlour hats 1"
MOST_BALLS = 2**31 - 1
FIELDS = (
    *("format", "game", "options", "rule", "against", "starts", "seed", "chance", "games"),
    *("tally", "curves", "players"),
)


# By name


def folder() -> Path:
    """Where hats are kept."""
    return registry.folder().parent / "hats"


def path_of(name: str) -> Path:
    """The file of the hats of this name; `BadText` for what cannot be one."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,39}", name):
        raise BadText(
            f"{quote(name)} cannot name hats; use up to 40 of the letters a to z, digits, - and _"
        )
    return folder() / f"{name}.json"


def kept() -> list[str]:
    """The names of all hats kept."""
    return sorted(path.stem for path in folder().glob("[a-z0-9]*.json"))


def is_kept(name: str) -> bool:
    """Whether there are hats of this name."""
    return path_of(name).is_file()


def keep(hats: Hats, name: str) -> Path:
    """Keep hats by name, instead of those of that name, if any."""
    path = path_of(name)
    write_whole(path, write(hats).encode())
    return path


def check_keepable(name: str) -> None:
    """Refuse before long work what could not be kept after it."""
    check_writable(path_of(name))


def fetch(name: str, game: Game | None = None) -> Hats:
    """The hats of this name, for exactly this game if one is given."""
    return load(_there(name), game)


def delete(name: str) -> None:
    """Throw the hats of this name away."""
    _there(name).unlink()


def _there(name: str) -> Path:
    path = path_of(name)
    if not path.is_file():
        names = kept()
        known = f"; there is {one_of(names)}" if names else ""
        raise UnknownName(f"there are no hats named {quote(name)}{nearest(name, names) or known}")
    return path


@dataclass(frozen=True)
class Label:
    """What a file of hats says of itself, read without looking into the boxes."""

    game: str
    options: Mapping[str, Any]
    rule: str
    games: int

    def __str__(self) -> str:
        """`sticks sticks=10`, as far as the game is at hand."""
        return _variant(self.game, self.options)


def label(name: str) -> Label:
    """What hats of this name are for."""
    data = _parsed(_there(name))
    return Label(**{field: data[field] for field in ("game", "options", "rule", "games")})


def _variant(game: str, options: Mapping[str, Any]) -> str:
    try:
        return describe(registry.made(registry.find("games", game), game, options))
    except ParlourError:  # a game from a file, which is not at hand
        return game


# As text


def write(hats: Hats) -> str:
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
    return json.dumps({**told, "sha256": _sum(told)}, indent=1) + "\n"


def load(path: Path, game: Game | None = None) -> Hats:
    """The hats in a file; `BadFile` says what is wrong with any other."""
    data = _parsed(path)
    try:
        return _read(data, game)
    except ParlourError as trouble:
        raise BadFile(f"{path.name} cannot be used: {trouble}") from None


def _sum(told: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def _parsed(path: Path) -> dict[str, Any]:
    """The fields of a file of hats, each of the right kind."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as trouble:
        raise BadFile(f"cannot read {path}: {trouble.strerror}") from None
    except (ValueError, RecursionError):
        raise BadFile(f"{path.name} is no file of hats, or is damaged: it is not JSON") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BadFile(f"{path.name} is no file of hats; one begins with the format {FORMAT!r}")
    written = data.pop("sha256", None)  # somebody's own file may do without
    if written is not None and written != _sum(data):
        raise BadFile(f"{path.name} is damaged, or was changed by hand: its sum is not right")
    for name in FIELDS:
        if name not in data:
            raise BadFile(f"{path.name} cannot be used: it does not say the {name}")
        if not _fits(name, data[name]):
            raise BadFile(f"{path.name} cannot be used: its {name} cannot be {quote(data[name])}")
    return data


def _whole(value: Any, most: float = math.inf) -> bool:
    return type(value) is int and 0 <= value <= most


def _fits(name: str, value: Any) -> bool:
    kinds: dict[str, Callable[[], bool]] = {
        "format": lambda: True,
        "game": lambda: isinstance(value, str),
        "options": lambda: isinstance(value, dict),
        "rule": lambda: value in RULES,
        "against": lambda: value in AGAINST,
        "starts": lambda: value in STARTS,
        "seed": lambda: _whole(value, 2**64 - 1),
        "chance": lambda: _whole(value, 2**64 - 1),
        "games": lambda: _whole(value, MOST_GAMES),
        "tally": lambda: isinstance(value, dict),
        "curves": lambda: isinstance(value, list),
        "players": lambda: isinstance(value, list) and all(isinstance(p, dict) for p in value),
    }
    return isinstance(value, str | int | dict | list) and kinds[name]()


def _read(data: Mapping[str, Any], game: Game | None) -> Hats:
    if game is None:
        game = registry.made(registry.find("games", data["game"]), data["game"], data["options"])
    if (game.name, values(game)) != (data["game"], data["options"]):
        raise BadText(
            f"they are for {_variant(data['game'], data['options'])}, not for {describe(game)}"
        )
    hats = Hats(
        boxes(game),
        RULES[data["rule"]],
        **{name: data[name] for name in ("against", "starts", "seed", "games")},
    )
    hats.chance = data["chance"]
    if len(data["players"]) != len(hats.balls):
        raise BadText(
            f"hats trained against {hats.against} are {len(hats.balls)} sets, "
            f"not {len(data['players'])}"
        )
    hats.balls = [_row(hats, boxed) for boxed in data["players"]]
    try:
        hats.tally = Tally(**data["tally"])
        hats.curves = [[_point(**point) for point in curve] for curve in data["curves"]]
    except (TypeError, ValueError):
        raise BadText("its tally or curve of training is not as it is written") from None
    if len(hats.curves) != len(hats.balls):
        raise BadText("it has not one curve for each player")
    return hats


def _row(hats: Hats, held: Mapping[str, Any]) -> array[int]:
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
            if not _whole(number, MOST_BALLS) or number < hats.rule.fewest:
                _bad_number(hats, position, text, number)
            row[place] = number
    if missing:
        raise BadText(f"the box {quote(next(iter(missing)))} is missing")
    return row


def _bad_number(hats: Hats, position: str, text: str, number: object) -> NoReturn:
    raise BadText(
        f"box {quote(position)} cannot hold {quote(number)} of the ball {quote(text)}; by the rule "
        f"{hats.rule.name} it is a whole number from {hats.rule.fewest} on"
    )


def _point(
    *, games: int, right: int, of: int, chance: float, fortunes: list[dict[str, Any]]
) -> Point:
    numbers = (games, right, of, chance)
    if any(type(n) not in (int, float) or not 0 <= n < math.inf for n in numbers):
        raise ValueError
    return Point(games, right, of, chance, tuple(Fortune(**each) for each in fortunes))
