"""What commands share: a parser, flags made from declared options, and how answers are printed.

Every option of a game or bot is a flag of the same name. Colours appear only at
terminals that want them.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import math
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from parlour import core
from parlour.core import BadFile, BadOption, Game, Option, ParlourError, State, one_of, quote

if TYPE_CHECKING:
    from parlour.engine import OthelloEngine
    from parlour.rules import Othello

MEGABYTES = 64  # of the engine's transposition table
MAX_MEGABYTES = 1 << 16
MAX_THREADS = 256
DATABASE = (
    "the database: sqlite:///FILE or postgresql://USER@HOST/NAME (default: what the environment "
    "variable PARLOUR_DATABASE says, or a file in your data folder)"
)
BOARD = re.compile(r"-[-XOxo.*\s]{3,}")  # an Othello board, which argparse would take for a flag
FILE_NAME = re.compile(r"^(?![-XOxo.*]+$)\S*\.[A-Za-z]\w*$")  # neither a board nor moves
COLOUR_OF = {"win": "first", "loss": "second", "draw": "draw"}  # the side whose colour it takes


class Parser(argparse.ArgumentParser):
    """An argument parser that raises its errors as one sentence."""

    complete: ClassVar[Callable[[Parser, list[str]], None] | None] = (
        None  # set when TAB was pressed
    )

    def __init__(self, *, add_help: bool = True, **settings: Any) -> None:
        super().__init__(allow_abbrev=False, add_help=False, **settings)
        self._positionals.title = "arguments"
        self._readers: dict[str, Callable[[str], float]] = {}  # of the flags that take numbers
        if add_help:
            self.add_argument("-h", "--help", action="help", help="show this help and exit")

    def error(self, message: str) -> NoReturn:
        raise ParlourError(f"{message}; see {self.prog} --help")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse what is not among the choices, as options of games and bots do."""
        if action.choices is not None and value not in action.choices:
            name = action.option_strings[0] if action.option_strings else action.metavar
            choices = list(map(str, action.choices))
            hint = core.suggest(str(value), choices) or f"; choose {one_of(choices)}"
            raise ParlourError(f"{name} cannot be {quote(value)}{hint}")

    def format_help(self) -> str:
        """Return the help; its first line leaves the flags to the list below it."""
        if self.usage is None:
            words = [_show_positional(action) for action in self._get_positional_actions()]
            self.usage = " ".join(["%(prog)s", *words, "[options]"])
        return super().format_help()

    def add_switch(self, name: str, about: str, **how: Any) -> None:
        """Add a flag that takes no value."""
        self.add_argument(name, action="store_true", help=about, **how)

    def add_json(self, about: str = "print JSON, for programs") -> None:
        """Add the switch `--json`."""
        self.add_switch("--json", about)

    def add_files(self) -> None:
        """Add any number of files whose games and bots are offered beside the installed ones."""
        about = (
            "Python files with games and bots of your own, models you trained (.onnx, .zip) or "
            "addresses of bots, to offer beside the installed ones"
        )
        self.add_argument("files", metavar="FILE", nargs="*", help=about)

    def add_flag(
        self, name: str, values: str | Sequence[str], about: str, *, default: Any = None, **how: Any
    ) -> None:
        """Add a flag that takes a value: any of a kind such as `FILE`, or one of several.

        The help states the default, if there is one.
        """
        if default is not None:
            shown = f"{default:g}" if isinstance(default, float) else default
            about += f" (default: {shown})"
        kind = {"metavar": values} if isinstance(values, str) else {"choices": values}
        self.add_argument(name, help=about, default=default, **kind, **how)

    def add_number(
        self,
        name: str,
        about: str,
        *,
        metavar: str = "N",
        default: int | None = None,
        low: float = -math.inf,
        high: float = math.inf,
    ) -> None:
        """Add a flag that takes a whole number between these."""
        if default is not None:
            about += f" (default: {default:,})" if default > 9_999 else f" (default: {default})"
        self.add_argument(name, help=about, default=default, metavar=metavar)
        self._readers[name] = partial(_read_number, name, low, high)

    def add_seconds(
        self, name: str, about: str, *, metavar: str = "SECONDS", default: float | None = None
    ) -> None:
        """Add a flag that takes a number of seconds."""
        self.add_flag(name, metavar, about, default=default)
        self._readers[name] = partial(_read_seconds, name)

    def add_database(self, about: str = DATABASE) -> None:
        """Add the flag `--database`."""
        self.add_flag("--database", "URL", about)

    def add_executor_flags(
        self,
        engine: str = "play on this machine, or on a Dask or Ray cluster",
        workers: str = "the number of processes (default: one per core)",
    ) -> None:
        """Add the flags for where long work is done."""
        from parlour.core import executors  # the greeting does without it

        self.add_flag("--engine", executors.ENGINES, engine, default=executors.ENGINES[0])
        self.add_number("--workers", workers, low=1, high=1000)
        self.add_flag("--address", "HOST:PORT", "the address of the cluster, for dask and ray")

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

    def offer(self, kind: str, arguments: list[str]) -> None:
        """If TAB was pressed, complete a word of this kind after the arguments."""
        if self.complete is not None:
            self.add_argument(kind, metavar=kind, nargs="?")
            self.complete(arguments)

    def parse(self, arguments: list[str]) -> argparse.Namespace:
        """Parse the arguments; an unknown flag is refused with a suggestion."""
        if self.complete is not None:
            self.complete(arguments)
        words = [f" {word}" if BOARD.fullmatch(word) else word for word in arguments]
        given, unknown = self.parse_known_args(words)
        if unknown:
            what = "flag" if unknown[0].startswith("-") else "argument"
            hint = self._suggest(unknown[0]) or f"; see {self.prog} --help"
            raise ParlourError(f"unknown {what} {quote(unknown[0])}{hint}")
        for flag, read in self._readers.items():
            name = flag.removeprefix("--").replace("-", "_")
            if isinstance(text := getattr(given, name), str):
                setattr(given, name, read(text))
        return given

    def _suggest(self, word: str) -> str:
        """Return a suggestion for an unknown flag; a shortened one is to be written out."""
        flag = word.partition("=")[0]
        known = [name for name in self._option_string_actions if "_" not in name]
        hint = core.suggest(flag, known)
        short = flag.startswith("--") and any(name.startswith(flag) for name in known)
        return hint + " (flags are written in full)" * (short and bool(hint))


def _show_positional(action: argparse.Action) -> str:
    """`FILE`, `[POSITION]` where it may be left out, `[RECORD …]` where there may be several"""
    name = str(action.metavar or action.dest)
    if action.nargs == "*":
        return f"[{name} …]"
    return f"[{name}]" if action.nargs == "?" else name


def _read_number(flag: str, low: float, high: float, text: str) -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,100}", text.strip()):
        raise ParlourError(f"{flag} must be a whole number, not {quote(text)}")
    number = int(text)
    if not low <= number <= high:
        bounds = f"{low} or more" if high == math.inf else f"{low} to {high}"
        raise ParlourError(f"{flag} must be {bounds}, not {number}")
    return number


def _read_seconds(flag: str, text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise ParlourError(f"{flag} must be a number of seconds above 0, not {quote(text)}")
    return seconds


# Games and their options


def split_game(parser: Parser, arguments: list[str]) -> tuple[type, list[str]]:
    """Split off the game, which must be named first; `--help` without one is answered here."""
    from parlour.core import registry  # `parlour --help` does without it

    if arguments and not arguments[0].startswith("-"):
        parser.prog += f" {arguments[0]}"
        return registry.find("games", arguments[0], files=True), arguments[1:]
    parser.offer("GAME", arguments)
    if {"-h", "--help"} & set(arguments):
        parser.prog += " GAME"
        parser.print_help()
        print("\nPut the name of a game before --help to see its options too.")
        raise SystemExit(0)
    raise ParlourError(f"name a game first: {one_of(registry.games())}")


def parse_game(parser: Parser, arguments: list[str]) -> tuple[argparse.Namespace, Any]:
    """Parse `GAME [options]` with the flags added so far; return them all and the game."""
    return parse_options(parser, *split_game(parser, arguments))


def parse_options(
    parser: Parser, cls: type, arguments: list[str]
) -> tuple[argparse.Namespace, Any]:
    """Parse the options of a game or bot with the flags added so far; return them all and it."""
    from parlour.core import registry

    known = core.options_of(cls)
    add_options(parser, known)
    given = parser.parse(arguments)
    return given, registry.build("games", cls, read_options(known, vars(given)))


def parse_position(parser: Parser, arguments: list[str]) -> tuple[argparse.Namespace, Game]:
    """Parse `GAME [options] [POSITION] [--json]`; the position is left as it was typed."""
    parser.add_argument(
        "position",
        metavar="POSITION",
        nargs="?",
        help="the position as text, in quotes (default: the start)",
    )
    parser.add_json()
    cls, rest = split_game(parser, arguments)
    return parse_options(parser, cls, _shield_position(rest, core.options_of(cls)))


def read_position(game: Game, text: str | None) -> State:
    """Read a position; without one it is the start."""
    return game.start() if text is None else game.read(text)


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
        how |= {"dest": f"option {name}", "metavar": _name_values(opt)}
        flag, *others = _spellings(name)
        about = _add_notes(opt.about, [opt.limits, describe_default(opt, preset)])
        group.add_argument(flag, help=about.replace("%", "%%"), **how)
        for other in others:
            group.add_argument(other, help=argparse.SUPPRESS, **how)
        for bundle, items in opt.bundles.items():
            group.add_argument(
                f"--{bundle}",
                dest=f"bundle {bundle}",
                action="store_true",
                help=f"add {opt.write(items)} to the {name}",
            )


def _name_values(opt: Option) -> str:
    """Return what stands for the value of an option: `N`, `yes|no`, `dies|wraps` or its name."""
    if opt.choices:
        return "|".join(opt.choices)
    return {bool: "yes|no", str: opt.name.upper()}.get(opt.kind, "N")


def describe_option(opt: Option) -> str:
    """Say what an option means, what it may be and what it is by default."""
    kinds = one_of(opt.choices) if opt.choices else "yes or no" if opt.kind is bool else opt.limits
    return _add_notes(opt.about, [kinds, describe_default(opt)])


def _add_notes(about: str, notes: Sequence[str]) -> str:
    """`the number of players (1 to 10; default: 2)`"""
    text = "; ".join(filter(None, notes))
    return f"{about} ({text})" if text else about


def describe_default(opt: Option, preset: str = "") -> str:
    """Say what an option is if it is not given; nothing where that is to have none.

    Without a default of its own, it is set by the option that chooses a preset.
    """
    if not opt.has_default:
        return f"default: set by --{preset}"
    if opt.default is None:
        return "optional"
    if opt.default == "":
        return ""
    text = opt.write(opt.default)
    if isinstance(opt.default, int | float) and opt.kind is not bool:
        text = f"{opt.default:,g}" if opt.kind is float else f"{opt.default:,}"
    if len(text) > 24:  # a whole table of numbers
        text = f"{text.replace(',', ', ')[:22].rstrip(', ')} …"
    return f"default: {text}"


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
            answer = rest.pop(0) if rest and _can_read(opt, rest[0]) else "yes"
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


@contextlib.contextmanager
def need_extra(extra: str, needs: str) -> Iterator[None]:
    """Say in one sentence which extra has the package that is not installed."""
    try:
        yield
    except ModuleNotFoundError as missing:
        if str(missing.name).startswith("parlour"):  # a fault of ours, not a missing package
            raise
        raise ParlourError(
            f"{needs} {missing.name}; install it with: pip install 'parlour[{extra}]'"
        ) from None


# Input


def read_input(text: str) -> bytes | None:
    """Return the contents of a file, or of standard input for `-`; None if it names neither."""
    if text == "-":
        return sys.stdin.buffer.read()
    path = Path(text)
    try:
        if path.is_file():
            return path.read_bytes()
        folder = path.is_dir()
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:  # a long list of moves
            return None
        raise BadFile(f"cannot read {text}: {error.strerror}") from None
    if folder or FILE_NAME.search(text):
        reason = "it is a folder" if folder else "there is no such file"
        raise BadFile(f"cannot read {text}: {reason}")
    return None


# The Othello engine


def add_engine_flags(parser: Parser) -> None:
    """Add --threads and --hash."""
    parser.add_number(
        "--threads", "the number of threads that search", default=1, low=1, high=MAX_THREADS
    )
    parser.add_number(
        "--hash",
        "the size of the transposition table in megabytes",
        metavar="MB",
        default=MEGABYTES,
        low=1,
        high=MAX_MEGABYTES,
    )


def prepare_engine(given: argparse.Namespace, game: Othello) -> Callable[[], OthelloEngine]:
    """Return a call that makes the engine once; a board too large for it is refused at once."""
    if not game.is_compiled:
        raise ParlourError(
            f"the engine plays on at most 64 squares, and {game.columns}x{game.rows} has "
            f"{len(game.board.bits)}"
        )

    @cache
    def make_engine() -> OthelloEngine:
        from parlour.engine import OthelloEngine  # it loads compiled code

        return OthelloEngine(game, megabytes=given.hash, threads=given.threads)

    return make_engine


# Printing


def print_json(answer: Mapping[str, object]) -> None:
    """Print an answer for programs; its type is `Answer` in the module of the command."""
    print_json_text(write_json(answer))


def print_json_text(text: str) -> None:
    """Print JSON, with escapes for what the output cannot show: programs want it exact."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        import json

        text = json.dumps(json.loads(text), indent=2)
    print(text)


def write_json(answer: Mapping[str, object]) -> str:
    """Write an answer as JSON."""
    import json  # `parlour --help` does without it

    return json.dumps(answer, ensure_ascii=False, indent=2, default=str)


def print_problems() -> None:
    """Say on standard error which of the user's own games and bots were left out, and why."""
    from parlour.core import registry

    for problem in registry.problems():
        print(f"parlour: left out: {problem}", file=sys.stderr)


def heading(game: Game, state: State) -> str:
    """Return the lines above an answer: the variant, the position and its drawing."""
    return f"{core.describe(game)}: {game.write(state)}\n\n{game.draw(state)}\n"


def mark(outcome: str, *, exact: bool = True) -> str:
    """Return the mark of an outcome, coloured where the terminal shows colours."""
    from parlour.faces import terminal
    from parlour.truth.variants import MARKS

    shape, (_, colour, _) = terminal.mark(outcome, exact=exact), MARKS[COLOUR_OF[outcome]]
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return shape
    red, green, blue = bytes.fromhex(colour[1:])
    return f"\033[38;2;{red};{green};{blue}m{shape}\033[0m"


def format_discs(discs: float) -> str:
    """`1 disc`, `2 discs`"""
    return f"{discs:g} {'disc' if discs == 1 else 'discs'}"


def format_depth(exact: bool, depth: int, certainty: int) -> str:
    """`exact`, or `14 plies, 73 %`"""
    from parlour.truth.explain import count_plies

    return "exact" if exact else f"{count_plies(depth)}, {certainty} %"
