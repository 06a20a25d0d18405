"""Checks of a bot that explain to its author what is wrong, where it is, and what to do about it.

A Python file is read without being run, which finds the most common mistakes of beginners. Then the
bot plays some games in the sandbox; a fault in play is explained with its line and its position.

In a league all bots make their first move, several at once, and the outcome is kept for that bot
under those conditions. Only bots that failed quickly are asked again: that costs nothing, and what
they lacked on this machine may be there by now.
"""

from __future__ import annotations

import ast
import contextlib
import difflib
import json
import re
import shlex
import time
import tomllib
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from parlour.arena import plan as plans
from parlour.arena.plan import HOUSE, PYTHON, Entry, Plan
from parlour.arena.playing import load_plan, play_game
from parlour.arena.results import Accuracy, Fault, GameResult
from parlour.arena.sandbox_player import start_sandboxed
from parlour.arena.schedule import all_fixtures
from parlour.core import Game, ParlourError, Resigns, State, answers, describe, executors, files

MAX_MOVES = 6  # legal ones shown
# Lines of its log, and characters of each: where Node fails it says so in the 13th from the end.
MAX_LINES, MAX_LINE = 15, 200
TRACEBACK = "Traceback (most recent call last)"
CHOOSE = "choose"
Function = (ast.FunctionDef, ast.AsyncFunctionDef)

OPPONENT = Entry("random", HOUSE, "random")
LEGS = 5
MAX_SECONDS = 20.0  # after which no more games are started
FILE = "checked.json"
QUICK_FAILURE = 2.0  # seconds; a bot that failed sooner is asked again
POLL = 0.1  # seconds between two reports while nothing comes back


@dataclass(frozen=True)
class Flaw:
    """Something wrong with a bot."""

    text: str  # one sentence
    advice: str  # what to do about it
    line: answers.Natural | None = None
    source: str = ""  # of that line
    position: str = ""  # on one line
    board: str = ""  # the same, drawn
    moves: tuple[str, ...] = ()  # some that would have been legal there
    wrote: tuple[str, ...] = ()  # the last lines of its log

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        return f"{where}{self.text} {self.advice}"


def bot_file(entry: Entry) -> Path:
    """Return the file of a bot."""
    return Path(shlex.split(entry.what)[0])


# Reading a file without running it


def check_source(path: Path) -> Flaw | None:
    """Find what is wrong with a Python file, as far as can be seen without running it."""
    with files.explain_errors("read", path):
        flaw = _check_source(path.read_bytes())
    return replace(flaw, source=_source(path, flaw.line)) if flaw and flaw.line else flaw


def _check_source(source: bytes) -> Flaw | None:
    if not source.strip():
        return _flaw("empty")
    try:
        return _check_choose(ast.parse(source))
    except SyntaxError as error:
        if error.lineno:
            return _flaw("syntax", error.lineno, why=error.msg)
    except (ValueError, RecursionError, MemoryError):
        pass
    return _flaw("not_python")


def _flaw(kind: str, line: int | None = None, **words: str) -> Flaw:
    """Return a flaw that can be seen in the file, in the words for its kind."""
    found = load_advice()["source"][kind]
    return Flaw(found["text"].format(**words), found["advice"].format(**words), line)


@cache
def load_advice() -> dict[str, dict[str, Any]]:
    """Load the words for what is wrong with a bot, or with the settings of a league."""
    return tomllib.loads(Path(__file__).with_name("advice.toml").read_text(encoding="utf-8"))


def _source(path: Path, line: int) -> str:
    lines = path.read_bytes().splitlines()
    return lines[line - 1].decode(errors="replace").strip() if line <= len(lines) else ""


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
            return _flaw("nested", node.lineno)
    names = {node.name.casefold(): node for node in functions}
    for name in difflib.get_close_matches(CHOOSE, names, n=1):
        return _flaw("misnamed", names[name].lineno, name=names[name].name)
    return _flaw("missing")


def _may_bring_choose(node: ast.stmt) -> bool:
    """Say whether a statement may define or import `choose`."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return any((name.asname or name.name) in (CHOOSE, "*") for name in node.names)
    if isinstance(node, ast.Assign | ast.AnnAssign):
        names = [each for each in ast.walk(node) if isinstance(each, ast.Name)]
        return any(each.id == CHOOSE and isinstance(each.ctx, ast.Store) for each in names)
    return False


def _check_parameters(node: ast.FunctionDef | ast.AsyncFunctionDef, *, own: bool) -> Flaw | None:
    """Check that it can be called with a game and a state, and returns its answer."""
    right = "self, game, state" if own else "game, state"
    if isinstance(node, ast.AsyncFunctionDef):
        return _flaw("async", node.lineno, right=right)
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
        return _flaw("parameters", node.lineno, has=has, right=right)
    return None


# Explaining a fault in play


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


def _advise(fault: Fault, text: str, entry: Entry, line: int | None, *, wrote: bool) -> str:
    """Say what to do about it."""
    python, kind = entry.kind == PYTHON, fault.fault
    if kind == "start" and not python:
        with bot_file(entry).open("rb") as file:
            first = file.readline(1000)
        if first.startswith(b"#!") and first.endswith(b"\r\n"):
            return "Its first line ends as on Windows; save it with Unix line ends."
    known = load_advice()
    own = known[entry.kind]
    for table, find, words in (
        ("choices", re.match, fault.choice),
        ("patterns", re.search, text),
    ):
        for pattern, advice in own.get(table, {}).items():
            if find(pattern, words):
                return str(advice)
    if kind in ("start", "crash") and (line if python else wrote):
        return "Look at this line." if python else "What it wrote should say why."
    return str(own["faults"].get(kind) or known["any"]["faults"][kind])


# Playing


@dataclass
class CheckResult:
    """The outcome of checking a bot in some games."""

    game: str
    games: answers.Natural = 0
    slowest: float = 0.0  # seconds for a move
    slowest_at: str = ""  # the position
    against: answers.Natural = 0  # games against random moves
    points: float = 0.0  # in those
    # How good its moves are, where the values are known
    accuracy: Accuracy | None = field(default=None, metadata=answers.renamed("marks"))
    flaw: Flaw | None = None


def check_first_move(entry: Entry, plan: Plan, game: Game, *, strong: bool) -> Flaw | None:
    """Find what keeps a bot from making even one move, if anything does."""
    path = bot_file(entry)
    if entry.kind == PYTHON and (found := check_source(path)):
        return found
    state = game.start()
    try:
        bot = start_sandboxed(entry, plan, game, game.turn(state), plan.seed, strong=strong)
        with contextlib.closing(bot), contextlib.suppress(Resigns):  # which is not a flaw
            if plan.clock is not None:
                bot.clock(plan.clock.each or plan.clock.total or 0.0)
            bot.choose(game, state)
    except Fault as fault:
        return explain_fault(fault, game, state, entry)
    return None


def check_bot(
    entry: Entry, plan: Plan, game: Game, *, strong: bool, brief: bool = False
) -> CheckResult:
    """Let a bot play under the conditions of a plan until something is wrong, or for a while.

    A leg is four games: both seats against random moves, and both against itself. A brief check
    is one leg.
    """
    result = CheckResult(describe(game))
    if entry.kind == PYTHON and (flaw := check_source(bot_file(entry))):
        result.flaw = flaw
        return result
    entries = plans.number_duplicates([entry, OPPONENT, entry])
    openings: list[tuple[str, ...]] = [()]
    with contextlib.suppress(ParlourError):  # the game is too short for others
        openings += plans.random_openings(game, 2, LEGS - 1, plan.seed)
    games = 2 * (1 if brief else LEGS)
    event = replace(plan, kind="gauntlet", entries=entries, games=games, openings=tuple(openings))
    ends = time.monotonic() + MAX_SECONDS
    for fixture in all_fixtures(event):
        if result.flaw or (result.games >= 4 and time.monotonic() > ends):
            break
        played = play_game(event, game, fixture, strong=strong)
        own = [seat for seat, who in enumerate((fixture.first, fixture.second)) if who != 1]
        result.flaw = _explain_loss(played, own, game, entry)
        if result.flaw is None:
            _add_game(result, own, played, game)
    return result


def _explain_loss(played: GameResult, own: list[int], game: Game, entry: Entry) -> Flaw | None:
    """Explain the fault by which the bot, at these seats, lost a game, if it did."""
    if not played.fault or played.faulty_seat not in own:
        return None
    fault = Fault(played.fault, played.why, played.log, played.choice, played.refusal)
    *_, (state, _) = played.record.replay(game)
    return explain_fault(fault, game, state, entry)


def _add_game(result: CheckResult, own: list[int], played: GameResult, game: Game) -> None:
    """Add a game in which the bot had these seats, without a fault."""
    result.games += 1
    steps = zip(played.record.replay(game), played.record.seconds, strict=False)
    for (state, _), seconds in steps:
        if game.turn(state) in own and seconds > result.slowest:
            result.slowest, result.slowest_at = seconds, game.write(state)
    for seat in own if played.accuracy else ():
        result.accuracy = (result.accuracy or Accuracy()) + played.accuracy[seat]
    if len(own) == 1:
        result.against += 1
        result.points += played.points[own[0]]


# First moves of the bots in a league


class FirstMove(NamedTuple):
    """What keeps a bot from making a first move, if anything, and how long it took."""

    flaw: Flaw | None
    seconds: float

    @property
    def is_final(self) -> bool:
        """Whether the bot need not be asked again."""
        return self.flaw is None or self.seconds > QUICK_FAILURE


class FirstMoveCache:
    """The first moves of bots, kept in a folder."""

    def __init__(self, folder: Path, plan: Plan, *, strong: bool) -> None:
        self._path = folder / FILE
        self._known: dict[str, FirstMove] = {}
        clock = None if plan.clock is None else asdict(plan.clock)
        game = [plan.game, plan.rules, dict(plan.options)]
        self._conditions = plans.digest([*game, clock, asdict(plan.limits), plan.seed, strong])
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
            for key, (flaw, seconds) in json.loads(self._path.read_bytes()).items():
                self._known[key] = FirstMove(flaw and _read_flaw(flaw), float(seconds))

    def get(self, entry: Entry) -> FirstMove | None:
        """Return the stored result of this bot under these conditions."""
        return self._known.get(self._key(entry))

    def add(self, entry: Entry, answer: FirstMove) -> None:
        """Add what was found."""
        self._known[self._key(entry)] = answer

    def save(self, entries: Sequence[Entry]) -> None:
        """Store what is known of these, and drop all others."""
        keys = [key for key in map(self._key, entries) if key in self._known]
        data = {key: answers.to_plain(list(self._known[key])) for key in keys}
        files.write_whole(self._path, json.dumps(data, indent=1).encode())

    def _key(self, entry: Entry) -> str:
        return plans.digest([bot_file(entry).name, entry.kind, entry.digest, self._conditions])


def _read_flaw(data: Any) -> Flaw:
    return Flaw(**data | {name: tuple(data[name]) for name in ("moves", "wrote")})


def check_first_moves(
    plan: Plan,
    cache: FirstMoveCache,
    executor: executors.Executor,
    *,
    strong: bool,
    watch: Callable[[int, int], None] = lambda done, total: None,
) -> dict[Entry, Flaw | None]:
    """Find what keeps each bot of a plan from making even one move, if anything does.

    `watch` is called with how many of the bots that had to be asked have answered.
    """
    known = {entry: cache.get(entry) for entry in plan.entries}
    found = {entry: answer.flaw for entry, answer in known.items() if answer and answer.is_final}
    new = [entry for entry in plan.entries if entry not in found]
    waiting: dict[Future[FirstMove], Entry] = {}

    def take(seconds: float) -> None:
        """Take what has come back, or comes back soon."""
        for future in wait(waiting, timeout=seconds, return_when=FIRST_COMPLETED).done:
            entry = waiting.pop(future)
            found[entry] = None
            try:
                answer = future.result()
            except ParlourError:
                raise
            except Exception:  # it took its worker with it; the games will show why
                executor.recover()
                continue
            found[entry] = answer.flaw
            cache.add(entry, answer)
        watch(len(found) - len(plan.entries) + len(new), len(new))

    try:
        for entry in new:
            take(0.0)
            while len(waiting) >= 2 * executor.workers:
                take(POLL)
            line = replace(plan, entries=(entry,)).to_json()
            waiting[executor.submit(_time_first_move, line, strong)] = entry
        while waiting:
            take(POLL)
    finally:  # even when it is interrupted
        if new:
            cache.save(plan.entries)
    return found


def _time_first_move(line: str, strong: bool) -> FirstMove:
    """Check a first move in another process."""
    plan, game = load_plan(line)
    began = time.monotonic()
    flaw = check_first_move(plan.entries[0], plan, game, strong=strong)
    return FirstMove(flaw, round(time.monotonic() - began, 3))
