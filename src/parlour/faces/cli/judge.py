"""`parlour judge GAME --agent AGENT`: an agent against the truth, situation by situation.

Two agents are compared in the same situations; checkpoints of one training give a learning curve.
Ctrl-C prints what was found so far, which is a sample of the situations.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from parlour import arena, boards, core
from parlour.arena.judging import Comparison, Judgement, judge, results
from parlour.core import Game, ParlourError, answers, files, one_of, options_of, quote, registry
from parlour.faces.cli.command import Parser, parse_game, print_json
from parlour.faces.cli.tournament import now
from parlour.faces.progress import describe_size, wait_for_some
from parlour.players import LanguageModel

SITE = "http://127.0.0.1:8000"  # where `parlour web` opens
MAX_AGENTS = 2
PASSED_ON = ("sample", "repeat", "seed", "seconds", "answers", "trust")  # flags


class Answer(answers.GameFields):
    """What `parlour judge --json` prints: agents judged by exact values."""

    format: Literal["parlour judge 1"]
    judgements: Annotated[list[Annotated[dict[str, Any], results.JudgementData]], ("minItems", 1)]
    comparison: results.ComparisonData | None
    curve: bool  # whether the judgements are checkpoints of one training


def run(parser: Parser, arguments: list[str]) -> int:
    """Judge one agent, compare two, or draw the curve of several checkpoints."""
    _add_flags(parser)
    given, game = parse_game(parser, arguments)
    if given.unusual is not None:
        game = _draw_variant(game, given.unusual)
    agents = _read_agents(given, game)
    if not given.site.startswith(("http://", "https://")):
        raise ParlourError(f"--site needs an address like {SITE}, not {quote(given.site)}")
    if given.html is not None:
        files.check_writable(given.html)
    how = {name: getattr(given, name) for name in PASSED_ON}
    try:
        curve, stopped = wait_for_some(
            lambda work: judge(game, agents, work=work, **how),
            doing=f"judging {' and '.join(agents)} in {core.describe(game)}",
            things="situations",
            size=describe_size(game),
        )
    except KeyboardInterrupt:
        print("\nStopped before the agent had answered.", file=sys.stderr)
        return 130
    judgements = list(curve.judgements.values())
    comparison = None
    if given.checkpoint is None and len(judgements) == MAX_AGENTS:
        comparison = judgements[0].compare(judgements[1])
    if given.html is not None:
        found = curve if given.checkpoint else comparison or judgements[0]
        page = arena.render_judgement(found, date=now(), site=given.site)
        files.write_whole(given.html, page.encode())
    _print(game, judgements, comparison, given)
    if stopped:
        print("\nStopped early; the figures are about those situations.", file=sys.stderr)
    return 130 if stopped else 0


# Flags


def _add_flags(parser: Parser) -> None:
    parser.add_flag(
        "--agent",
        "AGENT",
        "who is judged: a bot with its options, as in 'minimax depth=3'; a .py file or program, "
        "which runs in a sandbox; or hats exported as .json. Two are compared",
        nargs="+",
        action="extend",
    )
    about = "agents that are stages of one training, in order, for a learning curve"
    parser.add_flag("--checkpoint", "AGENT", about, nargs="+", action="extend")
    about = (
        "how many situations are judged, drawn at random (default: all, or 2,000 where there are "
        "more than 50,000; 200 where they are estimated)"
    )
    parser.add_number("--sample", about, low=1, high=1_000_000)
    about = "how often an agent is asked in each situation, for agents that draw their moves"
    parser.add_number("--repeat", about, default=1, low=1, high=10_000)
    about = "the seed of the sample and of the agents' random choices"
    parser.add_number("--seed", about, default=0)
    about = "the seconds an answer may take (default: no limit, or 60 in a sandbox)"
    parser.add_seconds("--seconds", about, metavar="S")
    about = "keep every answer in this file at once, and do not ask again for those it holds"
    parser.add_flag("--answers", "FILE", about, type=Path)
    about = (
        "ask a language model again about the same positions, under an invented name, in other "
        "words and another notation that this seed chooses, and compare"
    )
    parser.add_number("--reskin", about, metavar="SEED", low=0, high=2**53)
    about = "judge in an unusual variant of the game, which this seed draws"
    parser.add_number("--unusual", about, metavar="SEED")
    about = "how many of the positions it gets wrong are printed"
    parser.add_number("--mistakes", about, default=5, low=0)
    parser.add_flag("--html", "FILE", "write a report with plots", type=Path)
    about = "the web site on which a report opens positions"
    parser.add_flag("--site", "URL", about, default=SITE)
    parser.add_switch("--trust", "run agents from files even if this machine cannot sandbox them")
    parser.add_json()


def _read_agents(given: argparse.Namespace, game: Game) -> dict[str, Any]:
    """Return the agents by their labels."""
    if given.agent and given.checkpoint:
        raise ParlourError("name agents by --agent, or checkpoints by --checkpoint, not both")
    texts = given.checkpoint or given.agent or []
    if given.reskin is not None:
        texts = _add_reskinned(texts, given.reskin)
    if not texts:
        able = one_of(registry.bots(game))
        raise ParlourError(f"name the agent to judge, as in --agent random; choose {able}")
    if given.agent and len(texts) > MAX_AGENTS:
        raise ParlourError(
            f"--agent takes one agent or two, not {len(texts)}; several stages of one training are "
            "--checkpoint"
        )
    labels = [_name_agent(text) for text in texts]
    if len(set(labels)) < len(labels):  # the same names in several folders
        labels = texts
    found: dict[str, Any] = {}
    for label, text in zip(labels, texts, strict=True):
        name, number = label, 1
        while name in found:
            number += 1
            name = f"{label} ({number})"
        found[name] = _read_agent(text, game)
    return found


def _add_reskinned(texts: list[str], seed: int) -> list[str]:
    """Return a language model, and the same with the game in other words."""
    name = one_of(texts)
    bot = registry.bot(texts[0]) if len(texts) == 1 else None
    if bot is None or "reskin" not in options_of(type(bot)):
        what = f"not {quote(name)}" if texts else "as in --agent 'language-model url=… model=…'"
        raise ParlourError(f"--reskin compares one language model with itself, {what}")
    return [texts[0], f"{texts[0]} reskin={seed}"]


def _draw_variant(game: Game, seed: int) -> Game:
    from parlour.truth.variants import draw_variant

    if game != type(game)():
        raise ParlourError("--unusual draws the options of the game; leave them out")
    return draw_variant(game, seed)


def _name_agent(text: str) -> str:
    """Return a short label: of a language model its name, of a file the name without its folder."""
    words = registry.split_command(text)
    if words[:1] == [LanguageModel.name]:
        given = dict(word.partition("=")[::2] for word in words[1:])
        name = given.get("model", words[0])
        return f"{name}, reskinned by {given['reskin']}" if "reskin" in given else name
    if not words or not arena.is_file(words[0]):
        return text
    return " ".join([Path(words[0]).stem, *words[1:]])


def _read_agent(text: str, game: Game) -> Any:
    """Return an agent as `parlour.judge` takes it: hats in a file as a player, others as text."""
    words = registry.split_command(text)
    if not words or not words[0].endswith(".json"):
        return text
    from parlour import learn

    held = learn.storage.load_file(Path(words[0]), game)
    options = registry.read_assignments(learn.HatsPlayer, words[0], words[1:])
    return held.player(**options)


# Printing


def _print(
    game: Game,
    judgements: Sequence[Judgement],
    comparison: Comparison | None,
    given: argparse.Namespace,
) -> None:
    if given.json:
        answer = Answer(
            format="parlour judge 1",
            **answers.game_fields(game),
            judgements=[each.to_dict() for each in judgements],
            comparison=comparison.to_dict() if comparison else None,
            curve=given.checkpoint is not None,
        )
        print_json(answer)
        return
    if given.checkpoint:
        parts = [_format_curve(judgements)]
    else:
        parts = [_format_judgement(each, given.mistakes, given.site) for each in judgements]
    parts += [comparison.verdict] if comparison else []
    print("\n\n".join(parts))
    if given.html is not None:
        print(f"\nReport: {given.html}")


def _format_judgement(found: Judgement, mistakes: int, site: str) -> str:
    lines = [*found.summary, "", *_format_kinds(found)]
    rows = [found.describe_finding(each) for each in found.mistakes[:mistakes]]
    if rows:
        number = len(found.mistakes)
        lines += ["", f"It goes wrong in {core.count(number, 'position')}; the worst:"]
        lines += [line for row in rows for line in _format_mistake(row, site)]
    for name, value in found.extra.items():
        lines += ["", f"{name}: {results.format_reported(value)}"]
    return "\n".join(lines)


def _format_kinds(found: Judgement) -> list[str]:
    kinds = {name: each for name, each in found.by_kind.items() if each.critical}
    rows = [
        (name, f"{each.critical:,}", f"{100 * (each.right or 0):.1f} %", f"{each.regret or 0:.3f}")
        for name, each in kinds.items()
    ]
    head = ("kind of position", "situations", "right", "regret")
    return [boards.ResultTable(head, rows).to_text()] if rows else []


def _format_mistake(row: Mapping[str, Any], site: str) -> list[str]:
    told = results.format_chosen(row)
    best = ", ".join(row["best"][:4]) + (", …" if len(row["best"]) > 4 else "")
    return [
        f"  {row['position']}  {results.format_value(row)}; chosen: {told}; right: {best}; "
        f"regret {row['regret']:.3g}",
        f"    {site.rstrip('/')}{row['address']}",
    ]


def _format_curve(judgements: Sequence[Judgement]) -> str:
    why = [f"The first fault of {e.agent}: {e.first_fault}" for e in judgements if e.first_fault]
    lines = [judgements[0].describe_scope(), "", results.tabulate_figures(judgements).to_text()]
    return "\n".join([*lines, "", *why] if why else lines)
