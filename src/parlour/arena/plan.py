"""The plan of a tournament: who takes part, in which game, and under which conditions.

A plan holds only names and numbers, so that it can be stored, compared and sent to another machine.
The same plan gives the same games everywhere: each game has its own seed, made from the plan's and
from who meets whom.

Openings are moves made before the players take over, so that two bots do not play the same game
again and again. Every opening is played in both seatings, so it need not be even to be fair.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import shlex
import shutil
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from parlour import core
from parlour.arena.ratings import default_games
from parlour.core import BadFile, BadOption, BadText, Clock, Game, ParlourError, UnknownName, files
from parlour.players import Gtp, argv
from parlour.rules import Othello

KINDS = ("round-robin", "gauntlet", "swiss")
HOUSE, PYTHON, PROGRAM, GTP, OBJECT = "house", "python", "program", "gtp", "object"
TRUSTED, MODEL = "trusted", "model"
WEIGHTS = (".pt", ".pth", ".npz", ".npy", ".safetensors", ".onnx", ".json")  # beside a .py file
GTP_PREFIX = "gtp:"  # before a command
MAX_GAMES, MAX_ROUNDS, MAX_ELO = 100_000, 1000, 2000
MIN_MEMORY = 64  # MiB; Python itself takes half of it
MAX_PLIES = 200  # of an opening
TRIES = 50  # for each random opening that has to differ from those before
Opening = tuple[str, ...]  # moves


@dataclass(frozen=True)
class Entry:
    """A bot that takes part.

    An installed bot is known by its name and options and plays in our own process, a trusted one
    too, which opens a file or asks a server; so does an object that was made in Python, which
    travels beside the plan. Any other is not trusted and runs in a sandbox: a Python file, the file
    of a trained model, a program that speaks our line protocol, or one that speaks GTP.
    """

    name: str  # in tables and records
    kind: str  # house, trusted, object, python, model, program or gtp
    what: str  # the bot with its options; the path of the file; the command
    digest: str = ""  # of the files' content: another content is another player

    @property
    def sandboxed(self) -> bool:
        """Whether it runs in a process of its own."""
        return self.kind not in (HOUSE, TRUSTED, OBJECT)


@dataclass(frozen=True)
class Limits:
    """What a sandboxed bot may use."""

    memory: int = 1024  # MiB, all its processes together
    start: float = 20.0  # seconds until it is ready to play
    think: float = 60.0  # seconds for a move where there is no clock
    processes: int = 32  # including threads

    def __post_init__(self) -> None:
        if self.memory < MIN_MEMORY:
            raise BadOption("memory", self.memory, f"it must be {MIN_MEMORY} MiB or more")


@dataclass(frozen=True)
class Plan:
    """A tournament before it is played."""

    game: str  # its name, or the file that defines it
    entries: tuple[Entry, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    kind: str = "round-robin"
    games: int = 2  # for every two who meet, half of them in either seating
    rounds: int = 0  # of a swiss; 0 for as many as it takes to find one winner
    openings: tuple[Opening, ...] = ((),)
    clock: Clock | None = None
    limits: Limits = Limits()
    decide: float | None = None  # Elo: two stop once it is clear which is stronger, if by this much
    strikes: int = 3  # games lost on time after which a bot is struck out; 0 for never
    seed: int = 0
    rules: str = ""  # a digest of a game that is not installed: other rules are another game

    def __post_init__(self) -> None:
        elo, swiss = self.decide, self.kind == "swiss"
        even = 2 <= self.games <= MAX_GAMES and self.games % 2 == 0
        for name, allowed, why in (
            ("kind", self.kind in KINDS, f"choose {core.one_of(map(core.quote, KINDS))}"),
            ("games", even, f"it must be an even number from 2 to {MAX_GAMES:,}"),
            ("rounds", swiss or not self.rounds, "only a swiss tournament has rounds"),
            ("rounds", 0 <= self.rounds <= MAX_ROUNDS, f"it must be 1 to {MAX_ROUNDS}"),
            ("strikes", self.strikes >= 0, "it must be 0 for never, or more"),
            ("decide", elo is None or 1 <= elo <= MAX_ELO, f"choose 1 to {MAX_ELO} Elo points"),
            ("decide", elo is None or not swiss, "a swiss tournament always plays all its rounds"),
        ):
            if not allowed:
                raise BadOption(name, getattr(self, name), why)

    @classmethod
    def of(cls, game: Game, entries: Iterable[Entry], **conditions: Any) -> Plan:
        """Plan a tournament of these entries in this game."""
        if game.seats != 2:
            raise ParlourError(
                f"a tournament needs a game for two, and {core.describe(game)} has {game.seats}"
            )
        if file := core.registry.file_of(type(game)):
            conditions["rules"] = _digest_file(Path(file))
        name = str(Path(file).resolve()) if file else game.name
        return cls(name, tuple(entries), core.values(game), **conditions)

    def make_game(self) -> Game:
        """Make the game that is played, if it is installed or in a file."""
        cls = core.registry.find("games", self.game, files=True)
        if self.rules and _digest_file(Path(self.game)) != self.rules:
            raise BadFile(f"{self.game} has changed since the tournament began; start it again")
        made: Game = core.registry.build("games", cls, self.options)
        return made

    def opening_of(self, fixture: Fixture) -> Opening:
        """Return the opening of a game."""
        return self.openings[fixture.leg % len(self.openings)]

    def to_json(self) -> str:
        """Write the plan on one line."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, line: str) -> Plan:
        """Read the plan on such a line."""
        data = json.loads(line)
        data["entries"] = tuple(Entry(**each) for each in data["entries"])
        data["openings"] = tuple(tuple(each) for each in data["openings"])
        data["clock"] = Clock(**data["clock"]) if data["clock"] else None
        data["limits"] = Limits(**data["limits"])
        return cls(**{each.name: data[each.name] for each in fields(cls) if each.name in data})

    def identify(self) -> str:
        """Write what decides the games on one line, the same for any number of strikes."""
        data = {name: value for name, value in asdict(self).items() if name != "strikes"}
        return json.dumps(data, sort_keys=True)


def _digest_file(path: Path) -> str:
    with files.explain_errors("read", path):
        return hashlib.sha256(path.read_bytes()).hexdigest()


def make_plan(
    game: Game,
    entries: Iterable[Entry],
    *,
    games: int | None = None,
    openings: int | str | Path = 0,
    time: str | float | Clock | None = "none",
    seed: int = 0,
    decide: float | None = None,
    **conditions: Any,
) -> Plan:
    """Plan a tournament under conditions as users write them.

    A pair plays 2 games, or where `decide` is given as many as that may take.
    """
    seed = core.check_argument("seed", seed, int)
    decide = core.check_argument("decide", decide, float, optional=True)
    games = core.check_argument("games", games, int, optional=True)
    for name in conditions.keys() & {"rounds", "strikes"}:
        conditions[name] = core.check_argument(name, conditions[name], int)
    if games is None:
        decides = decide is not None and 1 <= decide <= MAX_ELO  # else it is refused below
        games = min(MAX_GAMES, default_games(decide)) if decide and decides else 2
    time = core.protocol.unwrap(time)
    if isinstance(time, bool) or not isinstance(time, str | int | float | Clock | None):
        raise BadOption("time", time, "write '1/move', '60' or '60+1', or give a parlour.Clock")
    clock = Clock.read(str(time)) if isinstance(time, str | int | float) else time
    drawn = make_openings(game, openings, max(1, games // 2), seed)
    conditions |= {"clock": clock, "seed": seed, "decide": decide}
    return Plan.of(game, entries, games=games, openings=drawn, **conditions)


@dataclass(frozen=True)
class Fixture:
    """A game of the plan: who moves first, who second, and in which leg.

    A leg is two games of the same pair with the same opening and the seats exchanged.
    """

    first: int  # numbers of entries
    second: int
    leg: int  # from 0

    @property
    def pair(self) -> tuple[int, int]:
        """The two players, the smaller number first."""
        return min(self.first, self.second), max(self.first, self.second)


def game_id(plan: Plan, fixture: Fixture, *, lasting: bool = False) -> str:
    """Return an identity that depends on everything that decides a game, and on nothing else.

    So a game that was played once need not be played again, even if others joined or left since.
    Objects made in Python are others whenever they are made anew; a `lasting` identity goes by
    their names alone, and gives them the same seeds every time.
    """
    seats = [
        [entry.name, entry.kind, entry.what if not entry.digest else "", entry.digest]
        for entry in (plan.entries[fixture.first], plan.entries[fixture.second])
    ]
    rules = plan.rules
    if lasting:
        seats = [[*seat[:3], "" if seat[1] == OBJECT else seat[3]] for seat in seats]
        rules = rules if plan.game.endswith(".py") else ""
    parts = [
        rules or plan.game,
        plan.options,
        seats,
        plan.opening_of(fixture),
        fixture.leg,
        None if plan.clock is None else asdict(plan.clock),
        asdict(plan.limits) if any(plan.entries[e].sandboxed for e in fixture.pair) else None,
        plan.seed,
    ]
    return digest(parts)


def digest(parts: list[Any]) -> str:
    """Return a short text that is the same for the same plain data only."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:20]


def seed_for(game: str, seat: int) -> int:
    """Return the seed of a player: its own in every game, and the same on every machine."""
    return int.from_bytes(hashlib.sha256(f"{game} {seat}".encode()).digest()[:6])


# Who takes part, as users name them


def number_duplicates(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Number the entries that share a name."""
    taken: set[str] = set()
    distinct: list[Entry] = []
    for each in entries:
        name, number = each.name, 1
        while name in taken:
            number += 1
            name = f"{each.name} ({number})"
        taken.add(name)
        distinct.append(replace(each, name=name))
    return tuple(distinct)


def read_entry(text: str, game: Game) -> Entry:
    """Read `minimax depth=3`, `my_bot.py`, `net.onnx`, `perl my_bot.pl` or `gtp: gtp-rhino -l 3`.

    What a user at this machine names may open files and ask servers.
    """
    return open_entry(text, game)[0]


def open_entry(text: str, game: Game, seed: int = 0) -> tuple[Entry, Any]:
    """Return the entry of a bot so named and, where it plays in our own process, the bot itself.

    One that draws random numbers draws them by this seed and its name.
    """
    words = core.registry.split_command(text)
    if (entry := _read_outsider(text, words, game)) is not None:
        return entry, None
    if needs_trust(words):
        return _open_trusted(text, game, seed)
    try:
        return open_house_bot(text, game, seed)
    except UnknownName:
        missing = [word for word in words[1:] if Path(word).suffix and not word.startswith("-")]
        if missing and shutil.which(words[0]):
            raise BadFile(f"the file {core.quote(missing[0])} is not found") from None
        raise


def _read_outsider(text: str, words: list[str], game: Game) -> Entry | None:
    """Return the entry of a program, or of what runs in the sandbox; None for any other bot."""
    if text.casefold().startswith(GTP_PREFIX):
        return program_entry(text[len(GTP_PREFIX) :].strip(), game, kind=GTP)
    first = words[:1]
    if first == [Gtp.name]:
        command = getattr(core.registry.bot(text), "command", "")
        return program_entry(command, game, kind=GTP)
    if first and is_bot_file(first[0]):
        return file_entry(text)
    if first == ["sandbox"]:
        return _read_sandboxed(core.registry.bot(text), game)
    is_path = bool(first) and ("/" in first[0] or any(is_file(word) for word in words))
    return program_entry(text, game) if is_path and not needs_trust(words) else None


def _read_sandboxed(bot: Any, game: Game) -> Entry:
    """Return the entry of the bot that the bot "sandbox" runs; from a file, all bots run in one."""
    chosen = core.values(bot)
    for name, value in core.values(type(bot)(chosen["bot"])).items():
        if chosen[name] != value:
            raise BadOption(name, chosen[name], "all bots here have the same limits; leave it out")
    return read_entry(chosen["bot"], game)


def open_house_bot(text: str, game: Game, seed: int = 0) -> tuple[Entry, Any]:
    """Return the entry of a bot given by its name and options, and the bot unless it is a file."""
    cls, what, options = core.registry.parse_bot(text)
    if path := core.registry.source_of(cls):
        return file_entry(shlex.join([path, *core.registry.split_command(text)[1:]])), None
    bot = build_seeded(cls, options, seed_for(what, seed))
    if not bot.plays(game):
        able = core.one_of(core.registry.bots(game))
        raise ParlourError(f"{what} does not play {core.describe(game)}; choose {able}")
    return Entry(what, HOUSE, what), bot


def build_seeded(cls: type, options: Mapping[str, Any], seed: int) -> Any:
    """Build a bot; one with a seed gets this one, unless it was given another."""
    drawn = core.options_of(cls).get("seed")
    if drawn is not None and options.get("seed", drawn.default) is None:
        options = {**options, "seed": seed}
    return core.registry.build("bots", cls, options)


def make_house_bot(entry: Entry, seed: int) -> Any:
    """Make an installed bot; one with a seed has its own in every game, unless it was given one."""
    cls, _, options = _find_bot(entry.what, entry.kind == TRUSTED)
    return build_seeded(cls, options, seed)


@lru_cache(maxsize=1000)
def _find_bot(text: str, trusted: bool) -> tuple[type, str, dict[str, Any]]:
    """Find a bot by its name and options, once, since that takes longer than many games do."""
    return core.registry.parse_bot(text, files=trusted)


def needs_trust(words: list[str]) -> bool:
    """Say whether a bot named by an address or by its name opens a file or asks a server."""
    name = words[0] if words else ""
    if core.registry.is_address(name) or name.endswith(core.registry.MODELS):
        return True
    known = {claim.name: claim for claim in core.registry.list_installed("bots")}
    return name in known and bool(getattr(known[name].load(), "needs_trust", ""))


def _open_trusted(text: str, game: Game, seed: int) -> tuple[Entry, Any]:
    """Open an installed bot that opens a file or asks a server of the user's."""
    cls, described, options = core.registry.parse_bot(text, files=True)
    bot = build_seeded(cls, options, seed_for(described, seed))
    if not bot.plays(game):
        why = getattr(bot, "why_not", lambda game: "")(game)
        reason = f"{described} does not play {core.describe(game)}"
        raise ParlourError(f"{reason}: {why}" if why else reason)
    given = core.values(bot).items()
    files = {option: Path(value) for option, value in given if value and is_file(str(value))}
    contents = "".join(map(_digest_file, files.values()))
    digest = hashlib.sha256(contents.encode()).hexdigest() if files else ""
    words = core.registry.split_command(described)
    what = shlex.join(_respell(words, {name: path.resolve() for name, path in files.items()}))
    name = " ".join(_respell(words, {name: path.name for name, path in files.items()}))
    return Entry(text if core.registry.is_address(text) else name, TRUSTED, what, digest), bot


def _respell(words: list[str], files: Mapping[str, object]) -> list[str]:
    """Return the words of a bot with other names for the files among its options."""
    parts = [(word, word.partition("=")[0]) for word in words]
    return [f"{option}={files[option]}" if option in files else word for word, option in parts]


def is_bot_file(word: str) -> bool:
    """Say whether this names a Python file, or the file of a trained model."""
    return word.endswith((".py", *core.registry.MODELS)) and not core.registry.is_address(word)


def file_entry(text: str) -> Entry:
    """Return the entry of a bot in a Python file or of a model; only the sandbox opens either."""
    typed, *options = core.registry.split_command(text)
    kind = PYTHON if typed.endswith(".py") else MODEL
    path = Path(typed).parent.resolve() / Path(typed).name  # a link has a name of its own
    name, what = " ".join([path.stem, *options]), shlex.join([str(path), *options])
    parts = [str(path), *options, *find_weights(path)]
    return Entry(name, kind, what, digest_files(parts))


def find_weights(path: Path) -> list[str]:
    """List the files beside a bot that belong to it, as `agent.pt` belongs to `agent.py`."""
    beside = [path.with_suffix(suffix) for suffix in WEIGHTS] if path.suffix == ".py" else []
    if path.suffix == ".onnx":
        beside = [path.with_name(f"{path.name}.data")]  # where exporters put large weights
    return [str(each) for each in beside if each.is_file() and not each.is_symlink()]


def program_entry(command: str, game: Game, *, kind: str = PROGRAM) -> Entry:
    """Return the entry of a program that speaks the line protocol, or GTP."""
    words = core.registry.split_command(command)
    if not words:
        raise BadText("name the program to run, like ./my_bot.pl")
    first = words[0]
    path = str(Path(first).absolute()) if is_file(first) else argv(command)[0]
    found = shutil.which(path)
    if found is None:
        if Path(first).exists():
            raise BadFile(
                f"the program {core.quote(first)} is not executable; chmod +x makes it so"
            )
        raise BadFile(f"the program {core.quote(first)} is not found")
    if kind == GTP and not Gtp(command).plays(game):
        what = core.describe(game) if game.name == Othello.name else game.name
        raise ParlourError(f"programs that speak GTP play Othello here, not {what}")
    rest = [str(Path(word).absolute()) if is_file(word) else word for word in words[1:]]
    name = " ".join(Path(word).stem if is_file(word) else word for word in words)
    digest = digest_files([found, *rest]) if any(is_file(word) for word in words) else ""
    return Entry(name, kind, shlex.join([found, *rest]), digest)


def is_file(text: str) -> bool:
    """Say whether there is a file of this name."""
    return os.path.isfile(text)  # noqa: PTH113 - a text of any length is just not a file


def digest_files(parts: list[str]) -> str:
    """Identify a command by its words and by the content of the files among them."""
    digest = hashlib.sha256()
    for number, word in enumerate(parts):
        file = number == 0 or is_file(word)
        with files.explain_errors("read", word):
            digest.update((Path(word).read_bytes() if file else word.encode()) + b"\0")
    return digest.hexdigest()


# Openings


def make_openings(
    game: Game, given: int | str | Path, number: int, seed: int
) -> tuple[Opening, ...]:
    """Draw random openings of a number of plies, or read those in a file."""
    if isinstance(given, str) and re.fullmatch(r"\s*-?[0-9]{1,9}\s*", given):
        given = int(given)
    given = core.protocol.unwrap(given)
    if isinstance(given, int):
        return random_openings(game, given, number, seed)
    if not isinstance(given, str | os.PathLike):
        raise BadOption("openings", given, "it must be a number of random moves, or a file")
    if isinstance(given, str) and not is_file(given):
        raise ParlourError(
            f"openings are a number of random moves or a file with some, not {core.quote(given)}"
        )
    return read_openings(game, Path(given))


def random_openings(game: Game, plies: int, number: int, seed: int) -> tuple[Opening, ...]:
    """Draw up to this number of openings, no two of which lead to the same position."""
    if not 0 <= plies <= MAX_PLIES:
        raise ParlourError(f"an opening has 0 to {MAX_PLIES} plies, not {plies}")
    if plies == 0:
        return ((),)
    generator = random.Random(f"openings {seed}")
    found: dict[Hashable, Opening] = {}
    last = 0  # try that found a new one
    for attempt in range(TRIES * number):
        if len(found) == number or attempt - last > TRIES * (len(found) + 10):
            break
        opening, state = _random_opening(game, plies, generator)
        position = game.turn(state), core.key(game, state)
        if opening is not None and position not in found:
            found[position], last = opening, attempt
    if not found:
        raise ParlourError(
            f"{game.name} is often over within {core.count(plies, 'move')} made at random; "
            "choose shorter openings"
        )
    return tuple(found.values())


def _random_opening(
    game: Game, plies: int, generator: random.Random
) -> tuple[Opening | None, core.State]:
    state, moves = game.start(), []
    for _ in range(plies):
        legal = game.moves(state)
        if not legal:
            return None, state
        move = legal[generator.randrange(len(legal))]
        moves.append(game.write_move(move))
        state = game.play(state, move)
    return (tuple(moves), state) if game.moves(state) else (None, state)


def read_openings(game: Game, path: Path) -> tuple[Opening, ...]:
    """Read the openings in a file, one per line: moves separated by commas, or records."""
    with files.explain_errors("read", path):
        text = path.read_text(encoding="utf-8", errors="replace")
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                found.append(_read_opening(game, line.strip()))
            except ParlourError as error:
                raise BadText(f"line {number} of {path.name}: {error}") from None
    if not found:
        raise BadText(
            f"{path.name} has no openings; write one per line, with commas between the moves"
        )
    return tuple(found)


def _read_opening(game: Game, line: str) -> Opening:
    if line.startswith("{"):
        texts = list(core.Record.from_json(line).moves)
    else:
        texts = [text for text in re.split(r"\s*[,;]\s*", line) if text]
    state, moves = game.start(), []
    for text in texts:
        move = game.read_move(state, text)
        moves.append(game.write_move(move))
        state = game.play(state, move)
    if not game.moves(state):
        raise BadText(f"the game is over after {core.quote(line)}; leave something to play")
    return tuple(moves)
