"""Flags: the options of a game, made from its own declaration, and the values people give them.

Where one game is meant a flag takes one value. Where many variants are compared, as in the atlas,
it takes several: `3 4 5`, `3-10`, `all`.
"""

from __future__ import annotations

import argparse
import json
import math
import re
from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any, NoReturn

from parlour.core import (
    NO,
    YES,
    BadOption,
    Game,
    Option,
    ParlourError,
    State,
    declared,
    make,
    nearest,
    one_of,
    quote,
    whole,
)

MOST_VALUES = 10_000  # of one option in one atlas
BOARD = re.compile(r"-[-XOxo.*\s]{3,}")  # squares that would be taken for a flag


class Parser(argparse.ArgumentParser):
    """An argument parser that refuses in one sentence."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(allow_abbrev=False, **settings)

    def error(self, message: str) -> NoReturn:
        raise ParlourError(f"{message}; see {self.prog} --help")

    def name_first(self, arguments: list[str]) -> tuple[list[str], list[str]]:
        """The first word that is no flag and no value of one, if any, and all other arguments.

        Which words are values is known only of the flags there are already; the first that is not
        among them ends the search.
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
        """What was given; a flag that does not exist is refused with a suggestion."""
        words = [f" {word}" if BOARD.fullmatch(word) else word for word in arguments]
        given, strange = self.parse_known_args(words)
        if strange:
            hint = nearest(strange[0], self._option_string_actions) or f"; see {self.prog} --help"
            raise ParlourError(f"{self.prog} does not know {quote(strange[0])}{hint}")
        return given


def named_game(parser: Parser, arguments: list[str]) -> tuple[type, list[str]]:
    """The game named first, and the other arguments; help without a game is given here."""
    from parlour.core import registry

    if arguments and not arguments[0].startswith("-"):
        parser.prog += f" {arguments[0]}"
        return registry.typed("games", arguments[0]), arguments[1:]
    if {"-h", "--help"} & set(arguments):
        parser.prog += " GAME"
        parser.print_help()
        print("\nWith a game named before --help, its own options are listed too.")
        raise SystemExit(0)
    raise ParlourError(f"name a game first: {one_of(registry.games())}")


def read_number(flag: str, text: str) -> int:
    """The whole number given to a flag."""
    if not re.fullmatch(r"[+-]?[0-9]{1,100}", text.strip()):
        raise ParlourError(f"{flag} must be a whole number, not {quote(text)}")
    return int(text)


def name_of(cls: type) -> str:
    """What people call a game or bot."""
    return str(getattr(cls, "name", cls.__name__))


def show_json(told: object) -> None:
    """Print an answer for programs."""
    print(json.dumps(told, ensure_ascii=False, indent=2, default=str))


def add_options(
    parser: Parser,
    known: Mapping[str, Option],
    *,
    several: bool = False,
    heading: str = "options of this game",
) -> None:
    """A flag for every option; with `several` each takes any number of values."""
    group = parser.add_argument_group(heading if known else "options")
    for name, opt in known.items():
        how: dict[str, Any] = {"nargs": "?", "const": "yes"} if opt.kind is bool else {}
        if opt.depth or several:
            how = {"nargs": "*", "action": "append" if opt.depth == 2 else "extend"}
        usual = "as the preset says" if not opt.has_default else opt.write(opt.default)
        text = f"{opt.about}: {opt.allowed.removeprefix('it must be ')} (usually {usual})"
        group.add_argument(
            *_spellings(name),
            dest=f"option {name}",
            metavar=name.upper(),
            help=text.replace("%", "%%"),
            **how,
        )
        for bundle, items in opt.bundles.items():
            group.add_argument(
                f"--{bundle}",
                dest=f"bundle {bundle}",
                action="store_true",
                help=f"add {opt.write(items)} to the {name}",
            )


def _spellings(name: str) -> list[str]:
    return list(dict.fromkeys([f"--{name.replace('_', '-')}", f"--{name}"]))


def read_options(known: Mapping[str, Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were given, as the values they mean."""
    chosen = {}
    for name, opt in known.items():
        text = given[f"option {name}"]
        if opt.depth == 2 and text is not None:
            text = ";".join(_one_or_each(words) for words in text)
        elif isinstance(text, list):
            text = " ".join(text)
        if text is not None:
            chosen[name] = opt.read(text)
        for bundle, items in opt.bundles.items():
            if given[f"bundle {bundle}"]:
                chosen[name] = (*chosen.get(name, opt.default), *items)
    return chosen


def _one_or_each(words: list[str]) -> str:
    """`--endings 2 2 2` is one ending; `--endings 2,2 1,2,3` are two, and so is `(2,2) (1,2,3)`."""
    words = [re.sub(r"^[(\[]([^()\[\]]*)[)\]]$", r"\1", word) for word in words]
    return (" " if all(word.isdigit() for word in words) else ";").join(words)


def asked(parser: Parser, arguments: list[str]) -> tuple[argparse.Namespace, Game, State]:
    """What was given, the game with its options, and the position or the start."""
    given, game = asked_game(parser, arguments)
    return given, game, position(game, given.position)


def position(game: Game, text: str | None) -> State:
    """The position as it was written, or the start."""
    return game.start() if text is None else game.read(text)


def asked_game(parser: Parser, arguments: list[str]) -> tuple[argparse.Namespace, Game]:
    """What was given, its position as it was written, and the game with its options."""
    parser.add_argument(
        "position", metavar="POSITION", nargs="?", help="as text, in quotes (usually the start)"
    )
    parser.add_argument("--json", action="store_true", help="as JSON, for programs")
    cls, rest = named_game(parser, arguments)
    known = declared(cls)
    add_options(parser, known)
    given = parser.parse(leaving_position(rest, known))
    game: Game = make(cls, name_of(cls), read_options(known, vars(given)))
    return given, game


def leaving_position(arguments: list[str], known: Mapping[str, Option]) -> list[str]:
    """The same arguments, written so that no flag swallows a position that follows its value.

    A yes-or-no flag takes the next word only if it says yes or no, and a flag for a list takes the
    words that can be read as part of one.
    """
    flags = {flag: opt for name, opt in known.items() for flag in _spellings(name)}
    found: list[str] = []
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        opt = flags.get(word)
        if opt is not None and opt.depth:
            values = []
            while rest and _reads(opt, rest[0]):
                values.append(rest.pop(0))
            joined = (";" if opt.depth == 2 else " ").join(values)
            found.append(f"{word}={joined}" if values else word)
        elif opt is not None and opt.kind is bool:
            said = rest.pop(0) if rest and rest[0].casefold() in YES | NO else "yes"
            found.append(f"{word}={said}")
        else:
            found.append(word)
    return found


def _reads(opt: Option, text: str) -> bool:
    if ":" in text or text.startswith("--"):
        return False
    try:
        opt.read(text)
    except BadOption:
        return False
    return True


def read_choices(known: Mapping[str, Option], given: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The values each option is to take, for those that were given any."""
    chosen: dict[str, list[Any]] = {}
    for name, opt in known.items():
        texts = given[f"option {name}"]
        if texts is not None:
            said = texts or (["yes"] if opt.kind is bool else [""])
            chosen[name] = list(dict.fromkeys(v for text in said for v in _values(opt, text)))
        for bundle, items in opt.bundles.items():
            if given[f"bundle {bundle}"]:
                chosen[name] = [(*value, *items) for value in chosen.get(name, [opt.default])]
    return chosen


def _values(opt: Option, text: str) -> Iterable[Any]:
    """All values that a text like `4`, `3-10`, `1-3,1-3` or `all` stands for."""
    word = text.strip().casefold()
    if word == "all":
        return _all(opt)
    parts = [part.strip() for part in word.split(",")] if opt.depth == 1 else [word]
    spans = [re.fullmatch(r"([0-9]+) ?(?:-|\.\.|–|to) ?([0-9]+)", part) for part in parts]
    if opt.kind is not int or opt.depth > 1 or not any(spans):
        if opt.kind is int and not opt.depth and "," in word:
            return [value for part in word.split(",") for value in _values(opt, part)]
        return [opt.read(text)]
    runs = [
        range(whole(span[1]), whole(span[2]) + 1) if span else [part]
        for span, part in zip(spans, parts, strict=True)
    ]
    many = math.prod(map(_length, runs))
    if not 0 < many <= MOST_VALUES:
        raise BadOption(opt.name, text, f"a range holds 1 to {MOST_VALUES} values, like 3-10")
    texts = (",".join(map(str, items)) for items in product(*runs))
    return [opt.read(item) for item in texts]


def _length(run: range | list[str]) -> int:
    """`len` refuses what does not fit in 63 bits."""
    return max(0, run.stop - run.start) if isinstance(run, range) else len(run)


def _all(opt: Option) -> list[Any]:
    if opt.kind is bool and not opt.depth:
        return [False, True]
    if opt.choices and not opt.depth:
        return list(opt.choices)
    if opt.kind is int and not opt.depth and opt.low is not None and opt.high is not None:
        low, high = int(opt.low), int(opt.high)
        if high - low < MOST_VALUES:
            return list(range(low, high + 1))
    raise BadOption(opt.name, "all", "there are too many; give the values, or a range like 3-10")
