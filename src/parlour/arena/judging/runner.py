"""Judge an agent against the truth: find the situations, ask about each, and count.

The situations come in random order and depend on the game and the seed alone. So whatever was
answered before the work is stopped is a sample of them, and two agents answer the same questions.

Bots in files answer from one sandbox for as many situations as they can; one that hangs or dies
there is started again. Whatever an agent does wrong is a fault of a kind, never an error of ours.
"""

from __future__ import annotations

import json
import math
import subprocess
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import IO, Any, TypeAlias, TypedDict, Unpack, overload

from parlour import core
from parlour.arena.judging.results import Answer, Finding, Judgement, LearningCurve, weigh
from parlour.arena.judging.situations import Scope, Situation, find_situations
from parlour.arena.judging.statistics import Chance
from parlour.arena.objects import open_bot, seeded_random
from parlour.arena.plan import OBJECT, Entry, Limits, Plan
from parlour.arena.results import Fault, ProcessLost, clean_reason, printable
from parlour.arena.sandbox_player import check_sandbox, start_sandboxed
from parlour.core import BadOption, Game, Move, ParlourError, Resigns, State, Timer, Unsolved, Work
from parlour.players import EndpointRefused

MAX_REPEAT = 10_000
MAX_SAMPLE = 1_000_000
POLL = 0.02  # seconds between two looks at whether the work is stopped
ASKED_TWICE = 20  # situations, a tenth at most, to find out whether an agent draws its moves
STRIKES = 5  # answers in a row that came too late, after which an agent is not asked any more
RESIGNED = "resigned"
LASTING = ("illegal", "crash")  # faults after which a sandboxed bot may still answer
STARTS = 3  # times that a process of ours may be lost
MAX_DEPTH, MAX_FIGURES = 2, 100  # of what an agent reports about itself

Ask: TypeAlias = Callable[[State, int], "Reply"]


class Conditions(TypedDict, total=False):
    """The conditions of `judge`."""

    sample: int | None
    repeat: int
    seed: int
    seconds: float | None
    answers: str | Path | None
    trust: bool
    work: Work | None


@overload
def judge(
    game: Any, agent: Mapping[str, Any], **conditions: Unpack[Conditions]
) -> LearningCurve: ...


@overload
def judge(game: Any, agent: Any, **conditions: Unpack[Conditions]) -> Judgement: ...


def judge(
    game: Any,
    agent: Any,
    *,
    sample: int | None = None,
    repeat: int = 1,
    seed: int = 0,
    seconds: float | None = None,
    answers: str | Path | None = None,
    trust: bool = False,
    work: Work | None = None,
) -> Judgement | LearningCurve:
    """Judge an agent by its choices in the situations of a game, compared with the exact values.

    The agent is whatever takes a seat: a bot's name with options, a `.py` file (which runs in a
    sandbox, or with `trust` without one where there is none), a player, its class, or a function.
    A mapping of labels to agents, the checkpoints of one training, gives a `LearningCurve`.

    All situations are judged in which a choice can be wrong, or a random `sample` of this size; of
    more than 50,000 situations it is always a sample. An agent with `weights` is judged by exact
    expectation; any other is asked `repeat` times in each situation, for at most `seconds` each.
    With `answers`, a file, every answer is kept there at once and never asked for again.

    Stopping `work` ends it early, with a sample of the situations as a result.
    """
    game, work = core.registry.game(game), core.to_work(work)
    core.refuse_seats(game)
    sample = core.check_argument("sample", sample, int, low=1, high=MAX_SAMPLE, optional=True)
    repeat = core.check_argument("repeat", repeat, int, low=1, high=MAX_REPEAT)
    seed = core.check_argument("seed", seed, int)
    if seconds is not None and not (isinstance(seconds, int | float) and 0 < seconds <= 86_400):
        raise BadOption("seconds", seconds, "it must be more than 0 and at most 86400")
    if answers is not None:
        core.check_type("answers", answers, (str, Path), "it must be the path of a file")
    several = agent if isinstance(agent, Mapping) else {"": agent}
    if not several:
        raise BadOption("agent", agent, "it must have at least one checkpoint")
    for each in several.values():
        if each is None or isinstance(each, bool | int | float | bytes):
            raise BadOption("agent", each, "it must be a bot's name, a player, or a function")
        if isinstance(each, Sequence) and not isinstance(each, str):
            why = "it must be one agent, or a mapping of labels to agents"
            raise BadOption("agent", each, why)
    situations, scope = find_situations(game, sample=sample, seed=seed, work=work)
    found: dict[str, Judgement] = {}
    for label, each in several.items():
        if work.stopped and found:
            break
        with ExitStack() as closing:
            opened = open_agent(each, game, seed, seconds, trust)
            closing.callback(opened.close)
            closing.enter_context(seeded_random(seed))  # for plain functions that draw
            opened.name = str(label) or opened.name
            closing.enter_context(_stopping(opened, work))
            ask = None
            if answers is not None and not opened.has_weights:
                kept = AnswerFile(Path(answers), opened.identity, game)
                closing.callback(kept.close)
                ask = partial(kept.ask, opened, work)
            found[str(label)] = _judge(game, opened, situations, scope, repeat, seed, work, ask)
    return LearningCurve(found) if isinstance(agent, Mapping) else found[""]


@contextmanager
def _stopping(agent: Agent, work: Work) -> Iterator[None]:
    """Stop an agent that is thinking, or waiting for an answer, once the work is stopped."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(POLL):
            if work.stopped:
                agent.stop()

    watcher = threading.Thread(target=watch, name="parlour-judge", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def _judge(
    game: Any,
    agent: Agent,
    situations: list[Situation],
    scope: Scope,
    repeat: int,
    seed: int,
    work: Work,
    ask: Ask | None,
) -> Judgement:
    """Ask about one situation after the other, until all are answered or it has to end."""
    findings: list[Finding] = []
    steady, late, refusal = True, 0, ""
    twice = min(ASKED_TWICE, max(1, len(situations) // 10)) if repeat == 1 else 0
    ask = ask or (lambda state, number: agent.reply(game, state))
    work.done, work.total = 0, len(situations)
    for number, situation in enumerate(situations):
        if work.stopped or late >= STRIKES:
            break
        state = situation.state
        if agent.has_weights:
            answer = agent.weigh(game, state)
        else:
            try:
                replies = [ask(state, each) for each in range(repeat + (number < twice))]
            except EndpointRefused as error:  # nobody has chosen anything
                refusal = str(error)
                break
            steady &= all((r.move, r.fault) == (replies[0].move, replies[0].fault) for r in replies)
            late = late + 1 if any(reply.fault == "time" for reply in replies) else 0
            answer = tally(replies[:repeat])
        if work.stopped:
            break  # the answer may have been broken off
        findings.append(weigh(situation, answer, scope.unit))
        work.done = len(findings)
    if not findings and situations:
        if refusal:
            raise ParlourError(refusal)
        raise Unsolved("stopped before the agent had answered in any situation")
    return Judgement(
        game,
        agent.name,
        scope,
        tuple(findings),
        how="weights" if agent.has_weights else "choices",
        repeat=1 if agent.has_weights else repeat,
        steady=steady,
        unasked=len(situations) - len(findings),
        seed=seed,
        extra=agent.report() | ({"ended early": refusal} if refusal else {}),
    )


# Agents: whatever takes a seat


@dataclass(frozen=True)
class Reply:
    """One answer of an agent: a legal move, or the kind of fault and its reason."""

    move: Move = None
    fault: str = ""
    reason: str = ""


class Agent:
    """An agent in our own process."""

    def __init__(
        self, name: str, player: Any, seconds: float | None, entry: Entry | None = None
    ) -> None:
        self.name = name
        self.player = player
        self.seconds = seconds
        # Its label may be another
        self.entry_identity = f"{entry.name} {entry.digest}".strip() if entry else ""
        self.has_weights = callable(getattr(player, "weights", None))

    def choose(self, game: Game, state: State) -> Move:
        """Return its choice, whatever that is; any error is its own."""
        clock = None if self.seconds is None else core.Clock(each=self.seconds)
        return Timer(game.seats, clock).choose(self.player, game, state)[0]

    def reply(self, game: Game, state: State) -> Reply:
        """Return its answer: a move, or the kind of fault."""
        try:
            return Reply(core.protocol.check_move(game, state, self.choose(game, state)))
        except Fault as error:
            return Reply(fault=error.fault, reason=str(error))
        except (Exception, SystemExit) as error:
            if isinstance(error, ProcessLost | EndpointRefused):
                raise
            return Reply(fault=_kind(error), reason=_reason(error))

    def weigh(self, game: Game, state: State) -> Answer:
        """Return how likely each of its moves is, as it says itself."""
        try:
            said = self.player.weights(game, state)
            found: dict[Move, Chance] = {}
            for move, weight in said.items():
                if chance := _to_chance(weight):
                    legal = core.protocol.check_move(game, state, move)
                    found[legal] = found.get(legal, 0) + chance
        except (Exception, SystemExit) as error:
            return Answer({}, {_kind(error): Fraction(1)}, _reason(error))
        if not found:
            return Answer({}, {RESIGNED: Fraction(1)}, "it gives no move any weight")
        total = sum(found.values())
        return Answer({move: weight / total for move, weight in found.items()})

    def report(self) -> dict[str, Any]:
        """Return what it reports about itself, as plain data; nothing where it reports nothing."""
        tell = getattr(self.player, "report", None)
        if not callable(tell):
            return {}
        try:
            return dict(_to_figure(dict(tell()), MAX_DEPTH))
        except Exception as error:
            return {"report": f"failed: {core.describe_error(error)}"}

    @property
    def identity(self) -> str:
        """What its answers are kept under; an agent may say what they depend on."""
        return str(getattr(self.player, "identity", "") or self.entry_identity or self.name)

    @property
    def figures(self) -> Any:
        """What its answers cost, as numbers that can be added up; None where it counts nothing."""
        found = getattr(self.player, "figures", None)
        return found if callable(getattr(found, "add", None)) else None

    def stop(self) -> None:
        """Let it answer now, if it can be stopped; from any thread."""
        if callable(stop := getattr(self.player, "stop", None)):
            stop()

    def close(self) -> None:
        """Let a bot that was made for this end what it holds, such as a program."""
        if self.entry_identity and callable(close := getattr(self.player, "close", None)):
            close()


def _to_chance(weight: Any) -> Chance:
    if weight < 0 or not math.isfinite(weight):
        raise ValueError(f"weights() says {weight} for a move")
    return Fraction(weight) if isinstance(weight, int | Fraction) else float(weight)


def _kind(error: BaseException) -> str:
    if isinstance(error, Fault):  # of a player that is a sandboxed bot itself
        return error.fault
    if isinstance(error, Resigns):
        return RESIGNED
    if isinstance(error, core.IllegalMove):
        return "illegal"
    return "time" if isinstance(error, core.referee.OutOfTime | TimeoutError) else "crash"


def _reason(error: BaseException) -> str:
    expected = isinstance(error, ParlourError | Resigns)
    return clean_reason(str(error) if expected else core.describe_error(error))


def _to_figure(value: Any, depth: int) -> Any:
    """Return what an agent reports as numbers, texts, and mappings of these."""
    if isinstance(value, Mapping) and depth:
        shown = list(value.items())[:MAX_FIGURES]
        return {printable(str(name)): _to_figure(each, depth - 1) for name, each in shown}
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, bool | int | float | None):
        return value
    return clean_reason(str(value))


class SandboxedAgent(Agent):
    """A bot in a file or a program, asked in a sandbox that is kept as long as it answers."""

    def __init__(self, entry: Entry, game: Game, seed: int, seconds: float | None, trust: bool):
        super().__init__(entry.name, None, seconds, entry)
        rules = type(game)
        if not core.registry.is_installed("games", rules) and not core.registry.source_of(rules):
            raise ParlourError(
                f"{entry.name} runs in a sandbox, which knows installed games and those in files; "
                f"save the class {rules.__name__} in a file of its own"
            )
        plan = Plan.of(game, [entry], limits=Limits() if seconds is None else Limits(think=seconds))
        strong = check_sandbox(plan, trust=trust)
        self._start = partial(start_sandboxed, entry, plan, game, 0, seed, strong=strong)
        self._stopped = False
        try:
            self._bot: Any = self._start()
        except Fault as fault:
            raise ParlourError(f"{self.name} {fault}") from None

    def reply(self, game: Game, state: State) -> Reply:
        """Return its answer; an error that is no fault of the bot is ours, and raised."""
        for _ in range(STARTS):
            try:
                self._bot = self._bot or self._start()
                return Reply(self._bot.choose(game, state))
            except Resigns as why:
                return Reply(fault=RESIGNED, reason=_reason(why))
            except Fault as fault:
                if self._bot and (fault.fault not in LASTING or not self._is_running()):
                    self.close()
                return Reply(fault=fault.fault, reason=str(fault))
            except ProcessLost:
                self.close()
                if self._stopped:
                    return Reply(fault="time", reason="was not waited for")
        raise ParlourError(f"the process of {self.name} was lost {STARTS} times")

    def _is_running(self) -> bool:
        """Say whether its process still runs, as it does after an error it reported itself."""
        try:
            self._bot.pipe.process.wait(0)
        except subprocess.TimeoutExpired:
            return True
        return False

    def stop(self) -> None:
        """End its process, so that nobody waits for its answer; from any thread."""
        self._stopped = True
        if (bot := self._bot) is not None:
            with suppress(OSError):  # it has ended meanwhile
                bot.pipe.process.kill()

    def close(self) -> None:
        """End the process; the next question starts another."""
        if self._bot is not None:
            self._bot.close()
            self._bot = None


def open_agent(thing: Any, game: Game, seed: int, seconds: float | None, trust: bool) -> Agent:
    """Return the agent that an argument stands for, ready to be asked."""
    entry, player = open_bot(thing, game, seed)
    if entry.sandboxed:
        return SandboxedAgent(entry, game, seed, seconds, trust)
    return Agent(entry.name, player, seconds, None if entry.kind == OBJECT else entry)


# Answers that are kept


class AnswerFile:
    """Answers kept in a file, one per line, so that nothing is asked twice.

    A line is a JSON object with `agent`, `game`, `position`, `number` (from 0, as an agent may be
    asked repeatedly), either `move` or `fault` with a `reason`, and the `figures` that an agent
    counts, such as tokens. What came too late is asked again; its figures count all the same.
    """

    def __init__(self, path: Path, agent: str, game: Game) -> None:
        self._agent, self._variant, self._game = agent, core.describe(game), game
        self._known: dict[tuple[str, int], dict[str, Any]] = {}
        self._figures: dict[tuple[str, int], list[dict[str, Any]]] = {}
        with core.files.explain_errors("read", path):
            text = path.read_text(encoding="utf-8") if path.exists() else ""
        if text and not text.startswith("{"):  # it would be spoilt
            raise core.BadFile(f"{path} does not hold answers of agents; name another file")
        for line in text.splitlines():
            with suppress(ValueError, KeyError, TypeError):  # a line cut short is asked again
                data = json.loads(line)
                if (data["agent"], data["game"]) == (agent, self._variant):
                    place = data["position"], int(data["number"])
                    self._figures.setdefault(place, []).append(dict(data.get("figures", {})))
                    self._known[place] = data
        with core.files.explain_errors("write", path):
            self._file: IO[str] = path.open("a", encoding="utf-8")
            if text and not text.endswith("\n"):
                self._file.write("\n")

    def ask(self, agent: Agent, work: Work, state: State, number: int) -> Reply:
        """Return the answer that is kept, or else the agent's, which is then kept."""
        position = self._game.write(state)
        data = self._known.get((position, number))
        for figures in self._figures.pop((position, number), ()):  # a sample may repeat a position
            if agent.figures is not None:
                agent.figures.add(figures)
        if data is not None and data.get("fault") != "time":
            with suppress(ParlourError, KeyError, TypeError):
                if data.get("fault"):
                    return Reply(fault=str(data["fault"]), reason=str(data.get("reason", "")))
                return Reply(self._game.read_move(state, data["move"]))
        before = _read_figures(agent)
        reply = agent.reply(self._game, state)
        if work.stopped:  # it may have been broken off, and is asked for again
            reply = Reply(fault="time", reason="was not waited for")
        line: dict[str, Any] = {"agent": self._agent, "game": self._variant}
        line |= {"position": position, "number": number}
        if reply.fault:
            line |= {"fault": reply.fault, "reason": reply.reason}
        else:
            line["move"] = self._game.write_move(reply.move)
        spent = {name: value - before[name] for name, value in _read_figures(agent).items()}
        if used := {name: value for name, value in spent.items() if value}:
            line["figures"] = used
        self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._file.flush()
        self._known[position, number] = line
        return reply

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _read_figures(agent: Agent) -> dict[str, float]:
    return {} if agent.figures is None else dict(vars(agent.figures))


def tally(replies: Sequence[Reply]) -> Answer:
    """Return the shares of several answers to the same question."""
    moves = Counter(reply.move for reply in replies if not reply.fault)
    faults = Counter(reply.fault for reply in replies if reply.fault)
    reason = next((reply.reason for reply in replies if reply.fault), "")
    return Answer(
        {move: Fraction(number, len(replies)) for move, number in moves.items()},
        {fault: Fraction(number, len(replies)) for fault, number in faults.items()},
        reason,
    )
