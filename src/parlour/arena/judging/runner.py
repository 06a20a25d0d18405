"""Judge an agent against the truth: find the situations, ask about each, and count.

The situations come in random order and depend on the game and the seed alone. So whatever was
answered before the work is stopped is a sample of them, and two agents answer the same questions.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, overload

from parlour.arena.judging.agents import Agent, AnswerFile, Ask, check_agent, open_agent, tally
from parlour.arena.judging.results import Finding, Judgement, LearningCurve, weigh
from parlour.arena.judging.situations import Scope, Situation, find_situations
from parlour.core import (
    BadOption,
    ParlourError,
    Unsolved,
    Work,
    check_argument,
    check_type,
    refuse_seats,
    registry,
    to_work,
)
from parlour.players import EndpointRefused

MAX_REPEAT = 10_000
MAX_SAMPLE = 1_000_000
POLL = 0.02  # seconds between two looks at whether the work is stopped
ASKED_TWICE = 20  # situations, a tenth at most, to find out whether an agent draws its moves
STRIKES = 5  # answers in a row that came too late, after which an agent is not asked any more


@overload
def judge(
    game: Any,
    agent: Mapping[str, Any],
    *,
    sample: int | None = ...,
    repeat: int = ...,
    seed: int = ...,
    seconds: float | None = ...,
    answers: str | Path | None = ...,
    trust: bool = ...,
    work: Work | None = ...,
) -> LearningCurve: ...


@overload
def judge(
    game: Any,
    agent: Any,
    *,
    sample: int | None = ...,
    repeat: int = ...,
    seed: int = ...,
    seconds: float | None = ...,
    answers: str | Path | None = ...,
    trust: bool = ...,
    work: Work | None = ...,
) -> Judgement: ...


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

    The agent is whatever takes a seat: a bot's name with options such as `minimax depth=3`, a
    `.py` file (which runs in a sandbox, or with `trust` without one where there is none), a player,
    its class, a function of a game and a state. A mapping of labels to agents, the checkpoints of
    one training in order, gives a `LearningCurve`, in which each is called by its label.

    All situations are judged in which a choice can be wrong, or a random `sample` of this size; of
    more than 50,000 situations it is always a sample. An agent with `weights` is judged by exact
    expectation; any other is asked `repeat` times in each situation, for at most `seconds` each.
    With `answers`, a file, every answer is kept there at once and never asked for again.

    A player may report figures of its own: see `report` of `parlour.Player`. Stopping `work` ends
    it early, with a sample of the situations as a result.
    """
    game, work = registry.game(game), to_work(work)
    refuse_seats(game)
    sample = check_argument("sample", sample, int, low=1, high=MAX_SAMPLE, optional=True)
    repeat = check_argument("repeat", repeat, int, low=1, high=MAX_REPEAT)
    seed = check_argument("seed", seed, int)
    if seconds is not None and not (isinstance(seconds, int | float) and 0 < seconds <= 86_400):
        raise BadOption("seconds", seconds, "it must be more than 0 and at most 86400")
    if answers is not None:
        check_type("answers", answers, (str, Path), "it must be the path of a file")
    several = agent if isinstance(agent, Mapping) else {"": agent}
    if not several:
        raise BadOption("agent", agent, "it must have at least one checkpoint")
    for each in several.values():
        check_agent(each)
    situations, scope = find_situations(game, sample=sample, seed=seed, work=work)
    found: dict[str, Judgement] = {}
    for label, each in several.items():
        if work.stopped and found:
            break
        with ExitStack() as closing:
            opened = closing.enter_context(
                open_agent(each, game, seed=seed, seconds=seconds, trust=trust)
            )
            opened.name = str(label) or opened.name
            closing.enter_context(_stopping(opened, work))
            ask = None
            if answers is not None and not opened.has_weights:
                kept = AnswerFile(Path(answers), opened.identity, game)
                closing.callback(kept.close)
                ask = _ask_kept(kept, opened, work)
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


def _ask_kept(kept: AnswerFile, agent: Agent, work: Work) -> Ask:
    return lambda state, number: kept.ask(agent, state, number, work)


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
