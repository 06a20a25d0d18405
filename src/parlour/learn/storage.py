"""Hats as JSON that people can read, and kept by name as files in the user's folder.

A file holds every box and the learning curve. One that is damaged, belongs to another game, or has
a field of the wrong kind or out of range is refused with the reason.

A file is written whole or not at all. A change reads, modifies and writes it under a lock, so two
players that learn at the same time never lose a game.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from array import array
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypedDict

from parlour import core
from parlour.core import BadFile, BadText, Game, NameTaken, ParlourError, UnknownName, Work, files
from parlour.learn import hat_set
from parlour.learn.hat_set import Hats, Odds, Point, TrainingTally
from parlour.learn.training import OPPONENTS

FORMAT = "parlour hats 1"
TOLERANCE = 1e-9  # of sums of probabilities


class PointData(TypedDict):
    """How well one player's hats play."""

    games: core.answers.Natural
    right: core.answers.Natural  # situations in which the likeliest ball is right
    of: core.answers.Natural  # situations in which a ball could be wrong
    chance: float  # the mean probability of a right ball
    fortunes: list[Annotated[dict[str, Any], Odds]]


class TrainingData(core.answers.GameFields):
    """How hats were trained, and what they learned."""

    against: str
    starts: str
    seed: core.answers.Natural
    games: core.answers.Natural
    rule: str
    tally: Annotated[dict[str, Any], TrainingTally]
    curves: list[list[PointData]]  # the learning curve of each player


def to_dict(hats: Hats) -> TrainingData:
    """Return how hats were trained and what they learned, without their balls."""
    return core.answers.pick(
        TrainingData,
        hats,
        **core.answers.game_fields(hats.game),
        rule=hats.rule.name,
        tally=core.answers.to_plain(hats.tally),
        curves=core.answers.to_plain(hats.curves),
    )


def to_json(hats: Hats) -> str:
    """Return hats as JSON."""
    listed = hats.boxes
    players = [
        {
            hats.game.write(listed.states[box]): dict(
                zip([b.text for b in listed.balls[box]], hats.contents(row, box), strict=True)
            )
            for box in listed.all()
        }
        for row in range(len(hats.balls))
    ]
    data = {"format": FORMAT, **to_dict(hats), "chance": hats.rng_state, "players": players}
    return json.dumps({**data, "sha256": _checksum(data)}, indent=1) + "\n"


def _checksum(data: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Label:
    """What a file of hats is for, read without looking into the boxes."""

    game: str
    options: Mapping[str, Any]
    rule: str
    games: int

    def __str__(self) -> str:
        """Return `sticks sticks=10`, or only the name if the game is not installed."""
        try:
            return core.describe(self.make_game(core.registry.find("games", self.game)))
        except ParlourError:  # a game from a file
            return self.game

    def make_game(self, cls: type) -> Game:
        """Make the game these hats are for, of this class."""
        found: Game = core.registry.build("games", cls, self.options)
        return found

    def explain_mismatch(self, game: Game) -> str:
        """Return why these hats are not for exactly this game, or nothing."""
        if self.game != game.name:
            return f"they are for {self}, not for {core.describe(game)}"
        own = self.make_game(type(game))
        differ = [
            name for name, value in core.values(own).items() if value != core.values(game)[name]
        ]
        if not differ:
            return ""
        known = core.options_of(type(game))
        theirs, here = (
            ", ".join(f"{name}={known[name].write(getattr(each, name))}" for name in differ)
            for each in (own, game)
        )
        return f"they are for {self.game} with {theirs}, not with {here}"


def read_label(path: Path) -> Label:
    """Return what a file of hats is for."""
    return _make_label(_parse(_read_text(path), path.name))


def _make_label(data: Mapping[str, Any]) -> Label:
    return Label(data["game"], data["options"], data["rule"], data["games"])


def load_file(path: Path, game: Game | None = None, **how: Any) -> Hats:
    """Return the hats in a file, read as `from_json` does."""
    return from_json(_read_text(path), game, name=path.name, **how)


def from_json(
    text: str | bytes,
    game: Game | None = None,
    *,
    name: str = "this text",
    cls: type | None = None,
    work: Work | None = None,
) -> Hats:
    """Return the hats in a text; `BadFile` says what is wrong with it, calling it by this name.

    They must be for exactly this game, if one is given, or for one of this class.
    """
    data = _parse(text, name)
    try:
        return _build_hats(data, game, cls, work)
    except ParlourError as error:
        _refuse(name, str(error))


def _refuse(name: str, why: str) -> NoReturn:
    raise BadFile(f"{name} cannot be used: {why}") from None


# Fields, each of its kind and in its range


def _read_text(path: Path) -> bytes:
    with files.explain_errors("read", path):
        return path.read_bytes()


def _parse(text: str | bytes, name: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise BadFile(f"{name} is not a file of hats, or is damaged: it is not JSON") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BadFile(f"{name} is not a file of hats; one begins with the format {FORMAT!r}")
    checksum = data.pop("sha256", None)  # a handmade file may do without
    if checksum is not None and checksum != _checksum(data):
        raise BadFile(f"{name} is damaged, or was changed by hand: its checksum is wrong")
    for part, fits in FIELDS.items():
        if part not in data:
            _refuse(name, f"it has no {part}")
        if not fits(data[part]):
            _refuse(name, f"its {part} cannot be {core.quote(data[part])}")
    return data


Check = Callable[[Any], bool]


def _whole(most: int, least: int = 0) -> Check:
    return lambda value: type(value) is int and least <= value <= most


def _one_of(known: Collection[str]) -> Check:
    return lambda value: isinstance(value, str) and value in known


def _list_of(fits: Check, size: int | None = None) -> Check:
    return lambda value: (
        isinstance(value, list) and all(map(fits, value)) and size in (None, len(value))
    )


def _object(**parts: Check) -> Check:
    """Check for an object with exactly these parts, each as it should be."""
    return lambda value: (
        isinstance(value, dict)
        and value.keys() == parts.keys()
        and all(fits(value[name]) for name, fits in parts.items())
    )


def _is_probability(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= 1 + TOLERANCE


def _is_odds(value: Any) -> bool:
    return ODDS(value) and abs(value["win"] + value["draw"] + value["loss"] - 1) < TOLERANCE


def _is_curve(value: Any) -> bool:
    """Return whether the points follow one another, over the same boxes."""
    return (
        _list_of(POINT)(value)
        and all(point["right"] <= point["of"] for point in value)
        and all(a["games"] < b["games"] and a["of"] == b["of"] for a, b in pairwise(value))
    )


GAMES, BOXES = _whole(hat_set.MAX_GAMES), _whole(hat_set.MAX_SITUATIONS)
RESULTS = dict.fromkeys(("win", "draw", "loss"), _is_probability)
ODDS = _object(opponent=_one_of(OPPONENTS), seat=_whole(1), **RESULTS)
POINT = _object(
    games=GAMES, right=BOXES, of=BOXES, chance=_is_probability, fortunes=_list_of(_is_odds)
)
TALLY = _object(
    wins=_list_of(GAMES, 2),
    draws=GAMES,
    resigned=_list_of(GAMES, 2),
    dry=lambda game: game is None or _whole(hat_set.MAX_GAMES, 1)(game),
)
FIELDS: dict[str, Check] = {
    "format": lambda value: True,
    "game": lambda value: isinstance(value, str),
    "options": lambda value: isinstance(value, dict),
    "rule": _one_of(hat_set.RULES),
    "against": _one_of(hat_set.AGAINST),
    "starts": _one_of(hat_set.STARTS),
    "seed": _whole(hat_set.MAX_SEED),
    "chance": _whole(2**64 - 1),
    "games": GAMES,
    "tally": TALLY,
    "curves": _list_of(_is_curve),
    "players": _list_of(lambda boxes: isinstance(boxes, dict)),
}


# Boxes


def _build_hats(
    data: Mapping[str, Any], game: Game | None, cls: type | None, work: Work | None
) -> Hats:
    own = _make_label(data)
    if game is None:
        cls = cls or core.registry.find("games", own.game)
        defined = getattr(cls, "name", "")
        if defined != own.game:
            raise BadText(f"they are for {core.quote(own.game)}, and the game given is {defined}")
        game = own.make_game(cls)
    elif why := own.explain_mismatch(game):
        raise BadText(why)
    settings = {name: data[name] for name in ("against", "starts", "seed", "games")}
    hats = Hats(hat_set.list_boxes(game, work), hat_set.RULES[data["rule"]], **settings)
    hats.rng_state = data["chance"]
    sets = len(hats.balls)
    if len(data["players"]) != sets:
        raise BadText(
            f"hats trained against {hats.against} are {sets} sets, not {len(data['players'])}"
        )
    if len(data["curves"]) != sets:
        raise BadText("it does not have one curve for each player")
    hats.balls = [_read_row(hats, boxed) for boxed in data["players"]]
    hats.tally = _read_tally(**data["tally"])
    hats.curves = [[_read_point(**point) for point in curve] for curve in data["curves"]]
    tally = hats.tally
    if sum(tally.wins) + tally.draws > hats.games or (tally.ran_out_at or 0) > hats.games:
        raise BadText(f"its tally counts more than its {hats.games:,} games")
    if any(curve and curve[-1].games > hats.games for curve in hats.curves):
        raise BadText(f"its curve goes on after its {hats.games:,} games")
    return hats


def _read_tally(dry: int | None, **counts: Any) -> TrainingTally:
    return TrainingTally(**counts, ran_out_at=dry)


def _read_point(chance: float, fortunes: list[dict[str, Any]], **counts: Any) -> Point:
    odds = tuple(Odds(**each) for each in fortunes)
    return Point(**counts, probability=chance, odds=odds)


def _read_row(hats: Hats, held: Mapping[str, Any]) -> array[int]:
    """Return the balls of one player, box by box."""
    listed, game = hats.boxes, hats.game
    row = array("i", hats.balls[0])
    fits = _whole(hat_set.MAX_BALLS, hats.rule.fewest)
    missing = {game.write(listed.states[box]): box for box in listed.all()}
    for position, balls in held.items():
        box = missing.pop(position, None)
        if box is None:
            raise BadText(f"there is no box {core.quote(position)} in {core.describe(game)}")
        texts = [ball.text for ball in listed.balls[box]]
        if not isinstance(balls, dict) or list(balls) != texts:
            raise BadText(f"box {core.quote(position)} must hold the balls {', '.join(texts)}")
        for place, (text, number) in enumerate(balls.items(), start=listed.first[box]):
            if not fits(number):
                raise BadText(
                    f"box {core.quote(position)} cannot hold {core.quote(number)} of the ball "
                    f"{core.quote(text)}; by the rule {hats.rule.name} it is a whole number from "
                    f"{hats.rule.fewest} to 2^31 - 1"
                )
            row[place] = number
    if missing:
        raise BadText(f"the box {core.quote(next(iter(missing)))} is missing")
    return row


MAX_NAME = 40  # letters in a name
NAME = re.compile(rf"[a-z0-9][a-z0-9_-]{{0,{MAX_NAME - 1}}}")


def folder() -> Path:
    """Return where hats are kept."""
    return files.data_folder() / "hats"


def find_path(name: str) -> Path:
    """Return the file for hats of this name; `BadText` if it cannot be a name."""
    if not NAME.fullmatch(name):
        raise BadText(
            f"{core.quote(name)} cannot name hats; use up to {MAX_NAME} of the letters a to z, "
            "digits, - and _"
        )
    return folder() / f"{name}.json"


def list_names() -> list[str]:
    """Return the names of all hats kept."""
    files = (path for path in folder().glob("*.json") if path.is_file())
    return sorted(path.stem for path in files if NAME.fullmatch(path.stem))


def exists(name: str) -> bool:
    """Return whether there are hats of this name."""
    return find_path(name).is_file()


def load_hats(name: str, game: Game | None = None, **how: Any) -> Hats:
    """Load the hats of this name, read as `from_json` does."""
    return load_file(_existing_path(name), game, **how)


def find_label(name: str) -> Label:
    """Return what the hats of this name are for."""
    return read_label(_existing_path(name))


def _existing_path(name: str) -> Path:
    path = find_path(name)
    if not path.is_file():
        names = list_names()
        known = f"; choose {core.one_of(names)}" if names else ""
        raise UnknownName(
            f"there are no hats named {core.quote(name)}{core.suggest(name, names) or known}"
        )
    return path


# Changes, one after another


def _lock() -> AbstractContextManager[None]:
    """Keep everybody else from changing kept hats."""
    return files.hold_lock(folder() / ".lock")


def check_savable(name: str) -> None:
    """Raise, before any long work, if hats could not be kept under this name."""
    files.check_writable(find_path(name))


def save_hats(hats: Hats, name: str, *, new: bool = False) -> Path:
    """Keep hats under a name, replacing any of that name unless they are `new`."""
    path, text = find_path(name), to_json(hats)
    with _lock():
        if new and path.exists():
            raise NameTaken(f"there are hats named {name!r} already")
        files.write_whole(path, text.encode())
    return path


def fingerprint(name: str) -> str:
    """Return a fingerprint of the hats of this name, empty if there are none."""
    try:
        return hashlib.sha256(find_path(name).read_bytes()).hexdigest()
    except OSError:
        return ""


def save_if_unchanged(hats: Hats, name: str, before: str) -> str:
    """Keep hats under a name if those of that name still have this fingerprint.

    Otherwise somebody else has changed them, and these are kept as `name-2`, or the next free name.
    Return the name they are kept under.
    """
    text = to_json(hats)
    with _lock():
        if fingerprint(name) != before:
            name = _next_free(name)
        files.write_whole(find_path(name), text.encode())
    return name


def _next_free(name: str) -> str:
    ends = (f"-{number}" for number in itertools.count(2))
    names = (f"{name[: MAX_NAME - len(end)]}{end}" for end in ends)
    return next(other for other in names if not find_path(other).exists())


def update_hats(name: str, game: Game, lesson: Callable[[Hats], None]) -> Hats:
    """Apply a lesson to the hats of this name, keep them and return them."""
    with _lock():
        hats = load_hats(name, game)
        lesson(hats)
        files.write_whole(find_path(name), to_json(hats).encode())
    return hats


def delete_hats(name: str) -> None:
    """Delete the hats of this name."""
    path = _existing_path(name)
    with _lock(), files.explain_errors("delete", path):
        path.unlink(missing_ok=True)
