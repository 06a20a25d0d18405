"""What is wrong with a bot, said to whoever wrote it: which line, in which position, what to do.

A Python file is first read without being run, which finds what a beginner gets wrong most often.
Then the bot plays some games, locked in like any stranger's.
"""

from __future__ import annotations

import ast
import difflib
import re
import shlex
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from parlour.arena.apart import seated
from parlour.arena.entries import distinct
from parlour.arena.faults import Fault
from parlour.arena.openings import drawn
from parlour.arena.plan import HOUSE, PYTHON, Entry, Fixture, Opening, Plan
from parlour.arena.played import Marks, Played
from parlour.arena.playing import play
from parlour.core.errors import BadFile, ParlourError
from parlour.core.game import Game, State, seat_name
from parlour.core.options import describe
from parlour.core.player import Resigns

CHOOSE = "choose"
Function = (ast.FunctionDef, ast.AsyncFunctionDef)
OPPONENT = Entry("random", HOUSE, "random")
LEGS = 5
PATIENCE = 20.0  # seconds after which no more games are begun
MOST_SHOWN = 6  # legal moves


@dataclass(frozen=True)
class Flaw:
    """Something wrong with a bot."""

    text: str  # one sentence
    advice: str  # what to do about it
    line: int | None = None
    source: str = ""  # of that line
    position: str = ""  # in which it happened, on one line
    board: str = ""  # the same, drawn
    moves: tuple[str, ...] = ()  # some that would have been legal there

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        return f"{where}{self.text} {self.advice}"


@dataclass(frozen=True)
class Checked:
    """What some games told of a bot."""

    game: str
    games: int = 0
    slowest: float = 0.0  # seconds for a move
    slowest_at: str = ""  # the position
    against: int = 0  # games against random moves
    points: float = 0.0  # got from those
    marks: Marks | None = None  # beside the truth, where it is known
    flaw: Flaw | None = None


# Playing


def first_move(entry: Entry, plan: Plan, game: Game, *, strong: bool) -> Flaw | None:
    """What keeps a bot from making even one move, if anything does."""
    path = file_of(entry)
    if entry.kind == PYTHON and (flaw := reads_well(path)):
        return flaw
    state = game.start()
    seat = game.turn(state)
    try:
        bot = seated(entry, plan, game, seat, plan.seed, [entry.name] * game.seats, strong)
        try:
            if plan.clock is not None:
                bot.clock(plan.clock.each or plan.clock.total or 0.0)
            bot.choose(game, state)
        finally:
            bot.close()
    except Fault as fault:
        return _flaw(fault.fault, str(fault), game, state, entry)
    except Resigns:
        pass  # which is nobody's fault
    return None


def check(entry: Entry, plan: Plan, game: Game, *, strong: bool, legs: int = LEGS) -> Checked:
    """Let a bot play until something is wrong, or for a while; the plan says how.

    A leg is four games: both seats against random moves, and both against itself.
    """
    told = Checked(describe(game))
    if entry.kind == PYTHON and (flaw := reads_well(file_of(entry))):
        return replace(told, flaw=flaw)
    event = replace(
        plan,
        entries=distinct([entry, OPPONENT, entry]),
        openings=_openings(game, plan.seed),
    )
    ends = time.monotonic() + PATIENCE
    for fixture in _fixtures(legs):
        if told.games >= 4 and time.monotonic() > ends:
            break
        told = _counted(told, fixture, play(event, game, fixture, strong=strong), game, entry)
        if told.flaw is not None:
            break
    return told


def _fixtures(legs: int) -> Iterator[Fixture]:
    for leg in range(legs):
        for other in (1, 2):
            yield Fixture(0, other, leg)
            yield Fixture(other, 0, leg)


def _openings(game: Game, seed: int) -> tuple[Opening, ...]:
    """The start, and some positions after it where the game is long enough."""
    try:
        return ((), *drawn(game, 2, LEGS - 1, seed))
    except ParlourError:
        return ((),)


def _counted(told: Checked, fixture: Fixture, played: Played, game: Game, entry: Entry) -> Checked:
    """The same with one game more."""
    own = [seat for seat, who in enumerate((fixture.first, fixture.second)) if who != 1]
    if played.fault and played.at in own:
        reason = played.record.reason.removeprefix(f"{seat_name(game, played.at)} ")
        *_, (state, _) = played.record.replay(game)
        return replace(told, flaw=_flaw(played.fault, reason, game, state, entry))
    slowest, where = told.slowest, told.slowest_at
    for (state, move), seconds in zip(
        played.record.replay(game), played.record.seconds, strict=False
    ):
        if move is not None and game.turn(state) in own and seconds > slowest:
            slowest, where = seconds, game.write(state)
    marks = told.marks
    for seat in own if played.marks else ():
        before, now = marks or Marks(), played.marks[seat]
        marks = Marks(
            before.judged + now.judged,
            before.given + now.given,
            before.won + now.won,
            before.kept + now.kept,
        )
    met = len(own) == 1
    return replace(
        told,
        games=told.games + 1,
        slowest=slowest,
        slowest_at=where,
        against=told.against + met,
        points=told.points + (played.points[own[0]] if met else 0),
        marks=marks,
    )


# What a failure means


def _flaw(fault: str, reason: str, game: Game, state: State, entry: Entry) -> Flaw:
    """A failure in play, as its author should see it."""
    path, python = file_of(entry), entry.kind == PYTHON
    found = re.search(rf" \(line (\d+) of {re.escape(path.name)}\)", reason)
    line = int(found[1]) if found else None
    text = (reason.replace(found[0], "") if found else reason).removeprefix(f"{path} ")
    flaw = Flaw(
        text=_returned(text) if python else f"It {text}.",
        advice=_advice(fault, text, python=python, line=line),
        line=line,
        source=_source(path, line) if line else "",
    )
    if fault == "start":
        return flaw
    legal = game.moves(state)
    shown = [repr(move) if python else game.write_move(move) for move in islice(legal, MOST_SHOWN)]
    return replace(
        flaw,
        position=game.write(state),
        board=game.draw(state),
        moves=(*shown, *["…"][: len(legal) > MOST_SHOWN]),
    )


def _returned(text: str) -> str:
    """An illegal move is what a function of the author's returned."""
    if not (found := re.fullmatch(r"chose (.*?), which is no move here: (.*)", text)):
        return f"It {text}."
    move, why = found.groups()
    shown = re.sub(r"^<(\w+) .*", r"a \1", move)  # `<generator object choose at 0x7f…`
    if why.startswith(f"{move} is no move"):
        return f"It returned {shown}, which{why.removeprefix(move)}."
    return f"It returned {shown}, which is no move here: {why}."


def _source(path: Path, line: int) -> str:
    lines = path.read_bytes().decode(errors="replace").splitlines()
    return lines[line - 1].strip() if line <= len(lines) else ""


def _advice(fault: str, text: str, *, python: bool, line: int | None) -> str:
    """What to do about it."""
    for sign, advice in (PYTHON_SIGNS if python else PROGRAM_SIGNS).items():
        if re.search(sign, text):
            return advice
    if python and fault in ("start", "crash"):
        return "Look at this line." if line else "Compare it with examples/my_bot.py."
    return (PYTHON_ADVICE if python else PROGRAM_ADVICE).get(fault) or ADVICE[fault]


PYTHON_SIGNS = {  # in what it was told for
    r"chose None": "Let every way through choose end with return and a move.",
    r"chose ['\"]": "Return a move as game.moves(state) lists them, not a text.",
    r"chose (\[|\(\()": "Return one of the moves, not a list of them.",
    r"chose <generator": "Write return where it says yield.",
    r"ModuleNotFoundError": "Use the modules of Python itself, numpy or parlour; others are not "
    "there, nor are other files of yours.",
    r"FileNotFoundError|PermissionError": "A bot is shut in and can read no file but itself: write "
    "what it needs into it.",
    r"EOFError": "Nobody answers input(): the bot must decide by itself.",
    r"SystemExit": "Take out exit(): the bot is asked again for its next move.",
    r"URLError|gaierror|unreachable|ConnectionError": "A bot has no network: it must know all "
    "by itself.",
    r"RecursionError": "A function calls itself without end: let it stop somewhere.",
    r"item assignment": "A state cannot be changed: game.play(state, move) gives the next one.",
}
PYTHON_ADVICE = {
    "illegal": "Return one of game.moves(state).",
    "start": "Let it do less before choose is called.",
}
PROGRAM_SIGNS = {
    r"cannot be started": "Its first line must name a program that runs it, like #!/usr/bin/perl.",
}
PROGRAM_ADVICE = {
    "start": "Answer the first line you read with a line that says you are ready, as "
    "docs/protocol.md shows.",
    "crash": "Go on reading lines until there are no more.",
    "illegal": "Answer with one of the moves you were sent.",
}
ADVICE = {
    "time": "Let it look at fewer moves, or not so far ahead.",
    "garbage": "Print one line of JSON for each question, as docs/protocol.md shows, and all else "
    "to standard error.",
    "memory": "Let it remember less.",
    "processes": "Let it start fewer processes and threads.",
    "output": "Let it print less.",
}


def file_of(entry: Entry) -> Path:
    """The file that a bot is in."""
    return Path(shlex.split(entry.what)[0])


# Reading a Python file without running it


def reads_well(path: Path) -> Flaw | None:
    """What is wrong with a Python file, as far as can be seen without running it."""
    try:
        source = path.read_bytes()
    except OSError as trouble:
        raise BadFile(f"cannot read {path}: {trouble.strerror}") from None
    if not source.strip():
        return Flaw(
            "The file is empty.", "Copy examples/my_bot.py, and change its function choose."
        )
    no_python = Flaw("This is no Python file.", "Save it as plain text, as a code editor does.")
    try:
        tree = ast.parse(source)
    except SyntaxError as trouble:
        if not trouble.lineno:
            return no_python
        return Flaw(
            f"Python cannot read this: {trouble.msg}.",
            "Look at this line, and at the end of the one above.",
            trouble.lineno,
            (trouble.text or "").strip(),
        )
    except (ValueError, RecursionError, MemoryError):
        return no_python
    lines = source.decode(errors="replace").splitlines()
    flaw = _about_choose(tree)
    if flaw is None or flaw.line is None:
        return flaw
    return Flaw(flaw.text, flaw.advice, flaw.line, lines[flaw.line - 1].strip())


def _about_choose(tree: ast.Module) -> Flaw | None:
    """What is wrong with the function that makes the moves, in the file or in a class of it."""
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    outer = [node for node in tree.body if isinstance(node, Function)]
    methods = [node for each in classes for node in each.body if isinstance(node, Function)]
    for node in (*outer, *methods):
        if node.name == CHOOSE:
            return _about_parameters(node, own=node in methods)
    if any(map(_hides_names, tree.body)) or any(each.bases for each in classes):
        return None  # it may come from elsewhere; playing will tell
    hidden = [node for node in ast.walk(tree) if isinstance(node, Function)]
    for node in hidden:
        if node.name == CHOOSE:
            return Flaw(
                "The function choose stands inside something else, where nobody finds it.",
                "Move it to the left, so that def is at the very beginning of its line.",
                node.lineno,
            )
    names = {node.name.casefold(): node for node in hidden}
    for name in difflib.get_close_matches(CHOOSE, names, n=1):
        return Flaw(
            f"There is no function choose, but one that is called {names[name].name}.",
            "Rename it to choose.",
            names[name].lineno,
        )
    return Flaw(
        "There is no function choose.",
        "Write one, def choose(game, state): that returns a move; examples/my_bot.py has one.",
    )


def _hides_names(node: ast.stmt) -> bool:
    """Whether a statement may bring a choose that is not written out here."""
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


def _about_parameters(node: ast.FunctionDef | ast.AsyncFunctionDef, *, own: bool) -> Flaw | None:
    """That it can be called with a game and a state, and gives its answer at once."""
    right = "self, game, state" if own else "game, state"
    advice = f"Begin it with: def choose({right}):"
    if isinstance(node, ast.AsyncFunctionDef):
        return Flaw("The function choose cannot be async.", advice, node.lineno)
    if node.decorator_list:
        return None  # which may change all that
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
