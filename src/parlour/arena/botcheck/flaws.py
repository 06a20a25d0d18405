"""Flaws of bots, explained to their authors: where they are, and what to do about them.

A Python file is read without being run, which finds the most common mistakes of beginners; a fault
in play is explained with its line and its position.
"""

from __future__ import annotations

import ast
import difflib
import re
import shlex
import tomllib
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path

from parlour.arena.plan import PYTHON, Entry
from parlour.arena.results import Fault
from parlour.core import BadFile, Game, State

MAX_MOVES = 6  # legal ones shown
# Lines of its log, and characters of each: where Node fails it says so in the 13th from the end.
MAX_LINES, MAX_LINE = 15, 200
TRACEBACK = "Traceback (most recent call last)"
CHOOSE = "choose"
Function = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Flaw:
    """Something wrong with a bot."""

    text: str  # one sentence
    advice: str  # what to do about it
    line: int | None = None
    source: str = ""  # of that line
    position: str = ""  # on one line
    board: str = ""  # the same, drawn
    moves: tuple[str, ...] = ()  # some that would have been legal there
    wrote: tuple[str, ...] = ()  # the last lines of its log

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        return f"{where}{self.text} {self.advice}"


def explain_fault(fault: Fault, game: Game, state: State, entry: Entry) -> Flaw:
    """Explain a fault in play to the author."""
    path, python, reason = bot_file(entry), entry.kind == PYTHON, str(fault)
    found = re.search(rf" \(line (\d+) of {re.escape(path.name)}\)", reason)
    line = int(found[1]) if found else None
    text = (reason.replace(found[0], "") if found else reason).removeprefix(f"{path} ")
    wrote = tuple(_last_lines(fault, python=python))
    wrote = () if wrote == (reason,) else wrote  # the bot did not write this itself
    flaw = Flaw(
        text=_describe_choice(fault) if python and fault.choice else f"It {text}.",
        advice=_advise(fault, text, entry, line, wrote=bool(wrote)),
        line=line,
        source=_source(path, line) if line else "",
        wrote=wrote,
    )
    if fault.fault == "start":
        return flaw
    legal = game.moves(state)
    shown = [repr(move) if python else game.write_move(move) for move in islice(legal, MAX_MOVES)]
    return replace(
        flaw,
        position=game.write(state),
        board=game.draw(state),
        moves=(*shown, *["…"][: len(legal) > MAX_MOVES]),
    )


def _last_lines(fault: Fault, *, python: bool) -> list[str]:
    """Return the last lines that a bot wrote, without a traceback whose line is known anyway."""
    log = fault.log
    if python and fault.fault in ("crash", "start", "memory", "processes"):
        before, traced, _ = log.partition(TRACEBACK)
        log = before if traced else ""
    return [line[:MAX_LINE] for line in log.rstrip().splitlines()[-MAX_LINES:]]


def _describe_choice(fault: Fault) -> str:
    """Describe an illegal move to the author of the function that returned it."""
    shown = re.sub(r"^<(\w+) .*", r"a \1", fault.choice)  # `<generator object choose at 0x7f…`
    if fault.refusal.startswith(f"{fault.choice} is not a move"):
        return f"It returned {shown}, which{fault.refusal.removeprefix(fault.choice)}."
    return f"It returned {shown}, which is not a legal move: {fault.refusal}."


def _source(path: Path, line: int) -> str:
    lines = path.read_bytes().decode(errors="replace").splitlines()
    return lines[line - 1].strip() if line <= len(lines) else ""


def _advise(fault: Fault, text: str, entry: Entry, line: int | None, *, wrote: bool) -> str:
    """Say what to do about it."""
    python, kind = entry.kind == PYTHON, fault.fault
    if kind == "start" and not python and _has_windows_line_end(bot_file(entry)):
        return "Its first line ends as on Windows; save it with Unix line ends."
    known = load_advice()
    for pattern, advice in known[entry.kind].get("choices", {}).items():
        if re.match(pattern, fault.choice):
            return advice
    for pattern, advice in known[entry.kind]["patterns"].items():
        if re.search(pattern, text):
            return advice
    if python and kind in ("start", "crash"):
        return "Look at this line." if line else "Compare it with examples/my_bot.py."
    if wrote and kind in ("start", "crash"):
        return "What it wrote should say why."
    return known[entry.kind]["faults"].get(kind) or known["any"]["faults"][kind]


def _has_windows_line_end(path: Path) -> bool:
    """Say whether the `#!` line ends with a carriage return."""
    with path.open("rb") as file:
        first = file.readline(1000)
    return first.startswith(b"#!") and first.endswith(b"\r\n")


@cache
def load_advice() -> dict[str, dict[str, dict[str, str]]]:
    """Load the advice for each kind of bot, by patterns and by faults."""
    return tomllib.loads(Path(__file__).with_name("advice.toml").read_text(encoding="utf-8"))


def bot_file(entry: Entry) -> Path:
    """Return the file of a bot."""
    return Path(shlex.split(entry.what)[0])


# Reading a file without running it


def check_source(path: Path) -> Flaw | None:
    """Find what is wrong with a Python file, as far as can be seen without running it."""
    try:
        source = path.read_bytes()
    except OSError as trouble:
        raise BadFile(f"cannot read {path}: {trouble.strerror}") from None
    if not source.strip():
        return Flaw(
            "The file is empty.", "Copy examples/my_bot.py, and change its function choose."
        )
    not_python = Flaw("This is not a Python file.", "Save it as plain text, as a code editor does.")
    try:
        tree = ast.parse(source)
    except SyntaxError as trouble:
        if not trouble.lineno:
            return not_python
        return Flaw(
            f"Python cannot read this: {trouble.msg}.",
            "Look at this line, and at the end of the one above.",
            trouble.lineno,
            (trouble.text or "").strip(),
        )
    except (ValueError, RecursionError, MemoryError):
        return not_python
    lines = source.decode(errors="replace").splitlines()
    flaw = _check_choose(tree)
    if flaw is None or flaw.line is None:
        return flaw
    return Flaw(flaw.text, flaw.advice, flaw.line, lines[flaw.line - 1].strip())


def _check_choose(tree: ast.Module) -> Flaw | None:
    """Find what is wrong with the function `choose`, in the file or in a class of it."""
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    outer = [node for node in tree.body if isinstance(node, Function)]
    methods = [node for each in classes for node in each.body if isinstance(node, Function)]
    for node in (*outer, *methods):
        if node.name == CHOOSE:
            return _check_parameters(node, own=node in methods)
    if any(map(_may_bring_choose, tree.body)) or any(each.bases for each in classes):
        return None  # it may come from elsewhere; a game will show
    functions = [node for node in ast.walk(tree) if isinstance(node, Function)]
    for node in functions:
        if node.name == CHOOSE:
            return Flaw(
                "The function choose is inside something else, where it is not found.",
                "Move it to the left, so that def is at the very beginning of its line.",
                node.lineno,
            )
    names = {node.name.casefold(): node for node in functions}
    for name in difflib.get_close_matches(CHOOSE, names, n=1):
        return Flaw(
            f"There is no function choose, but one called {names[name].name}.",
            "Rename it to choose.",
            names[name].lineno,
        )
    return Flaw(
        "There is no function choose.",
        "Write one, def choose(game, state): that returns a move; examples/my_bot.py has one.",
    )


def _may_bring_choose(node: ast.stmt) -> bool:
    """Say whether a statement may define or import `choose`."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return any((name.asname or name.name) in (CHOOSE, "*") for name in node.names)
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return any(
            isinstance(to, ast.Name) and to.id == CHOOSE
            for each in targets
            for to in ast.walk(each)
        )
    return False


def _check_parameters(node: ast.FunctionDef | ast.AsyncFunctionDef, *, own: bool) -> Flaw | None:
    """Check that it can be called with a game and a state, and returns its answer."""
    right = "self, game, state" if own else "game, state"
    advice = f"Begin it with: def choose({right}):"
    if isinstance(node, ast.AsyncFunctionDef):
        return Flaw("The function choose cannot be async.", advice, node.lineno)
    if node.decorator_list:
        return None  # a decorator may change all that
    given = node.args
    named = [*given.posonlyargs, *given.args]
    wanted = right.count(",") + 1
    least = len(named) - len(given.defaults)
    needed = [
        arg for arg, usual in zip(given.kwonlyargs, given.kw_defaults, strict=True) if not usual
    ]
    if needed or least > wanted or (len(named) < wanted and given.vararg is None):
        has = ", ".join(arg.arg for arg in (*named, *needed)) or "none"
        return Flaw(f"The parameters of choose are wrong: {has}.", advice, node.lineno)
    return None
