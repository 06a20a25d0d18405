"""Flags: the options of games and bots, made from their own declarations, and the values typed.

Where one game is meant a flag takes one value. Where many variants are compared, as in the atlas,
it takes several: `3 4 5`, `3-10`, `all`.
"""

from __future__ import annotations

import argparse
import errno
import math
import re
import sys
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from parlour.core import (
    NO,
    YES,
    BadFile,
    BadOption,
    Game,
    Option,
    ParlourError,
    State,
    one_of,
    options_of,
    quote,
    suggest,
    whole,
)

if TYPE_CHECKING:
    from parlour.engine import OthelloEngine
    from parlour.rules import Othello

MOST_VALUES = 10_000  # of one option in one atlas
MEGABYTES = 64  # of the engine's transposition table
MOST_MEGABYTES = 1 << 16
MOST_THREADS = 256
BOARD = re.compile(r"-[-XOxo.*\s]{3,}")  # an Othello board, which argparse would take for a flag
FILE_NAME = re.compile(r"^(?![-XOxo.*]+$)\S*\.[A-Za-z]\w*$")  # neither a board nor moves


class Parser(argparse.ArgumentParser):
    """An argument parser that raises its errors as one sentence."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(allow_abbrev=False, **settings)

    def error(self, message: str) -> NoReturn:
        raise ParlourError(f"{message}; see {self.prog} --help")

    def split_name(self, arguments: list[str]) -> tuple[list[str], list[str]]:
        """Split off the first word that is neither a flag nor a flag's value, if there is one.

        Only the flags added so far are known; the first unknown one ends the search.
        """
        at = 0
        while at < len(arguments) and arguments[at].startswith("-"):
            flag, equals, _ = arguments[at].partition("=")
            action = self._option_string_actions.get(flag)
            if action is None:
                return [], arguments
            at += 1 if equals or action.nargs == 0 else 2
        return arguments[at : at + 1], [*arguments[:at], *arguments[at + 1 :]]

    def parse(self, arguments: list[str]) -> argparse.Namespace:
        """Parse the arguments; an unknown flag is refused with a suggestion."""
        words = [f" {word}" if BOARD.fullmatch(word) else word for word in arguments]
        given, unknown = self.parse_known_args(words)
        if unknown:
            what = "flag" if unknown[0].startswith("-") else "argument"
            hint = suggest(unknown[0], self._option_string_actions) or f"; see {self.prog} --help"
            raise ParlourError(f"unknown {what} {quote(unknown[0])}{hint}")
        return given


# Games and their options


def split_game(parser: Parser, arguments: list[str]) -> tuple[type, list[str]]:
    """Split off the game, which must be named first; `--help` without one is answered here."""
    from parlour.core import registry  # `parlour --help` does without it

    if arguments and not arguments[0].startswith("-"):
        parser.prog += f" {arguments[0]}"
        return registry.resolve("games", arguments[0]), arguments[1:]
    if {"-h", "--help"} & set(arguments):
        parser.prog += " GAME"
        parser.print_help()
        print("\nName a game before --help to see its own options too.")
        raise SystemExit(0)
    raise ParlourError(f"name a game first: {one_of(registry.games())}")


def parse_options(
    parser: Parser, cls: type, arguments: list[str]
) -> tuple[argparse.Namespace, Any]:
    """Parse a game's options with the flags added so far; return them all and the game."""
    known = options_of(cls)
    add_options(parser, known)
    given = parser.parse(arguments)
    return given, make_game(cls, read_options(known, vars(given)))


def parse_position(parser: Parser, arguments: list[str]) -> tuple[argparse.Namespace, Game]:
    """Parse `GAME [options] [POSITION] [--json]`; the position is left as it was typed."""
    parser.add_argument(
        "position", metavar="POSITION", nargs="?", help="as text, in quotes (default: the start)"
    )
    add_json(parser)
    cls, rest = split_game(parser, arguments)
    return parse_options(parser, cls, _shield_position(rest, options_of(cls)))


def read_position(game: Game, text: str | None) -> State:
    """Read a position; without one it is the start."""
    return game.start() if text is None else game.read(text)


def make_game(cls: type, options: Mapping[str, Any]) -> Any:
    """Make a game with these options."""
    from parlour.core import registry

    return registry.build(cls, name_of(cls), options)


def name_of(cls: type) -> str:
    """Return the name of a game or bot."""
    return str(getattr(cls, "name", cls.__name__))


def add_options(
    parser: Parser,
    known: Mapping[str, Option],
    *,
    several: bool = False,
    heading: str = "options of this game",
) -> None:
    """Add a flag for every option; with `several` each takes any number of values."""
    group = parser.add_argument_group(heading if known else "options")
    preset = next((name for name, opt in known.items() if opt.presets), "")
    for name, opt in known.items():
        how: dict[str, Any] = {"nargs": "?", "const": "yes"} if opt.kind is bool else {}
        if opt.depth or several:
            how = {"nargs": "*", "action": "append" if opt.depth == 2 else "extend"}
        group.add_argument(
            *_spellings(name),
            dest=f"option {name}",
            metavar=name.upper(),
            help=describe_option(opt, preset).replace("%", "%%"),
            **how,
        )
        for bundle, items in opt.bundles.items():
            group.add_argument(
                f"--{bundle}",
                dest=f"bundle {bundle}",
                action="store_true",
                help=f"add {opt.write(items)} to the {name}",
            )


def describe_option(opt: Option, preset: str = "") -> str:
    """Say what an option means, what it may be and what it is by default.

    Without a default of its own, it is set by the option that chooses a preset.
    """
    default = f"depends on --{preset}"
    if opt.has_default:
        default = opt.write(opt.default)
        if len(default) > 24:  # a whole table of numbers
            default = f"{default.replace(',', ', ')[:22].rstrip(', ')} …"
    return f"{opt.about}: {opt.allowed.removeprefix('it must be ')} (default: {default})"


def _spellings(name: str) -> list[str]:
    return list(dict.fromkeys([f"--{name.replace('_', '-')}", f"--{name}"]))


def read_options(known: Mapping[str, Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Read the values of the options that were given."""
    chosen = {}
    for name, opt in known.items():
        text = given[f"option {name}"]
        if opt.depth == 2 and text is not None:
            text = ";".join(_join_list(words) for words in text)
        elif isinstance(text, list):
            text = " ".join(text)
        if text is not None:
            chosen[name] = opt.read(text)
        for bundle, items in opt.bundles.items():
            if given[f"bundle {bundle}"]:
                chosen[name] = (*chosen.get(name, opt.default), *items)
    return chosen


def _join_list(words: list[str]) -> str:
    """`--endings 2 2 2` is one ending; `--endings 2,2 1,2,3` are two, and so is `(2,2) (1,2,3)`."""
    words = [re.sub(r"^[(\[]([^()\[\]]*)[)\]]$", r"\1", word) for word in words]
    return (" " if all(word.isdigit() for word in words) else ";").join(words)


def _shield_position(arguments: list[str], known: Mapping[str, Option]) -> list[str]:
    """Rewrite the arguments so that no flag swallows a position that follows its value.

    A yes-or-no flag takes the next word only if it says yes or no, and a flag for a list takes the
    words that can be read as part of one.
    """
    flags = {flag: opt for name, opt in known.items() for flag in _spellings(name)}
    shielded: list[str] = []
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        opt = flags.get(word)
        if opt is not None and opt.depth:
            values = []
            while rest and _can_read(opt, rest[0]):
                values.append(rest.pop(0))
            joined = (";" if opt.depth == 2 else " ").join(values)
            shielded.append(f"{word}={joined}" if values else word)
        elif opt is not None and opt.kind is bool:
            answer = rest.pop(0) if rest and rest[0].casefold() in YES | NO else "yes"
            shielded.append(f"{word}={answer}")
        else:
            shielded.append(word)
    return shielded


def _can_read(opt: Option, text: str) -> bool:
    if ":" in text or text.startswith("--"):
        return False
    try:
        opt.read(text)
    except BadOption:
        return False
    return True


# Several values of an option


def read_choices(known: Mapping[str, Option], given: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Read the values that each option is to take, for the options that were given."""
    chosen: dict[str, list[Any]] = {}
    for name, opt in known.items():
        texts = given[f"option {name}"]
        if texts is not None:
            texts = texts or (["yes"] if opt.kind is bool else [""])
            chosen[name] = list(dict.fromkeys(v for text in texts for v in _read_values(opt, text)))
        for bundle, items in opt.bundles.items():
            if given[f"bundle {bundle}"]:
                chosen[name] = [(*value, *items) for value in chosen.get(name, [opt.default])]
    return chosen


def _read_values(opt: Option, text: str) -> Iterable[Any]:
    """Return all values that a text like `4`, `3-10`, `1-3,1-3` or `all` stands for."""
    word = text.strip().casefold()
    if word == "all":
        return _list_all(opt)
    parts = [part.strip() for part in word.split(",")] if opt.depth == 1 else [word]
    spans = [re.fullmatch(r"([0-9]+) ?(?:-|\.\.|–|to) ?([0-9]+)", part) for part in parts]
    if opt.kind is not int or opt.depth > 1 or not any(spans):
        if opt.kind is int and not opt.depth and "," in word:
            return [value for part in word.split(",") for value in _read_values(opt, part)]
        return [opt.read(text)]
    runs = [
        range(whole(span[1]), whole(span[2]) + 1) if span else [part]
        for span, part in zip(spans, parts, strict=True)
    ]
    if not 0 < math.prod(map(_length, runs)) <= MOST_VALUES:
        raise BadOption(opt.name, text, f"a range holds 1 to {MOST_VALUES} values, like 3-10")
    texts = (",".join(map(str, items)) for items in product(*runs))
    return [opt.read(item) for item in texts]


def _length(run: range | list[str]) -> int:
    """Return the length of a run; `len` refuses a range of more than 63 bits."""
    return max(0, run.stop - run.start) if isinstance(run, range) else len(run)


def _list_all(opt: Option) -> list[Any]:
    if opt.kind is bool and not opt.depth:
        return [False, True]
    if opt.choices and not opt.depth:
        return list(opt.choices)
    if opt.kind is int and not opt.depth and opt.low is not None and opt.high is not None:
        low, high = int(opt.low), int(opt.high)
        if high - low < MOST_VALUES:
            return list(range(low, high + 1))
    raise BadOption(opt.name, "all", "there are too many; give the values, or a range like 3-10")


# Other values


def add_json(parser: Parser, about: str = "print JSON, for programs") -> None:
    """Add the flag `--json`."""
    parser.add_argument("--json", action="store_true", help=about)


def read_number(flag: str, text: str, low: float = -math.inf, high: float = math.inf) -> int:
    """Read the whole number given to a flag, which must lie between these."""
    if not re.fullmatch(r"[+-]?[0-9]{1,100}", text.strip()):
        raise ParlourError(f"{flag} must be a whole number, not {quote(text)}")
    number = int(text)
    if not low <= number <= high:
        raise ParlourError(f"{flag} must be {low} to {high}, not {number}")
    return number


def read_input(text: str) -> bytes | None:
    """Return the contents of a file, or of standard input for `-`; None if it names neither."""
    if text == "-":
        return sys.stdin.buffer.read()
    path = Path(text)
    try:
        if path.is_file():
            return path.read_bytes()
        folder = path.is_dir()
    except OSError as trouble:
        if trouble.errno == errno.ENAMETOOLONG:  # a long list of moves
            return None
        raise BadFile(f"cannot read {text}: {trouble.strerror}") from None
    if folder or FILE_NAME.search(text):
        reason = "it is a folder" if folder else "there is no such file"
        raise BadFile(f"cannot read {text}: {reason}")
    return None


# The Othello engine


def add_engine_flags(parser: Parser) -> None:
    """Add --threads and --hash."""
    parser.add_argument(
        "--threads", metavar="N", default="1", help="how many threads search (default: 1)"
    )
    parser.add_argument(
        "--hash",
        metavar="MB",
        default=str(MEGABYTES),
        help=f"the size of the transposition table, in megabytes (default: {MEGABYTES})",
    )


def prepare_engine(given: argparse.Namespace, game: Othello) -> partial[OthelloEngine]:
    """Return a call that makes the engine; wrong flags and large boards are refused at once."""
    from parlour.rules import COMPILED_SQUARES

    if len(game.board.bits) > COMPILED_SQUARES:
        raise ParlourError(
            f"the engine plays on at most {COMPILED_SQUARES} squares, and {game.columns}x"
            f"{game.rows} has {len(game.board.bits)}"
        )
    settings = {
        "megabytes": read_number("--hash", given.hash, 1, MOST_MEGABYTES),
        "threads": read_number("--threads", given.threads, 1, MOST_THREADS),
    }
    return partial(_make_engine, game, settings)


def _make_engine(game: Othello, settings: dict[str, Any]) -> OthelloEngine:
    from parlour.engine import OthelloEngine  # it loads compiled code

    return OthelloEngine(game, **settings)
