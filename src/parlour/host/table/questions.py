"""Questions about the games: which one a line asks, and the answer for the variant on the table.

What a line asks is found by the expressions of `understand/expressions/questions.txt`, tried in
their order; what none of them knows is left to the patterns of the grammar. The answers are in
`lines/details.txt`, in sections that are said or not by the facts of the game at hand, so that
nothing is said of one variant that holds only for another.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any

from parlour import core
from parlour.core import Game, Match, ParlourError, all_of, count, options_of, registry, span
from parlour.engine import canonical, most_empties
from parlour.host.language import SMALL_WORDS, Line, fill_lines, read_expressions, read_sections
from parlour.host.session import Session, Table
from parlour.host.table import knowledge
from parlour.host.table import state as tables
from parlour.host.table.setup import build_wished
from parlour.host.understand import (
    find_bots,
    find_game,
    find_readings,
    load_questions,
    name_topic,
    read_wish,
)
from parlour.rules import SPLIT, Chopsticks, Nim, Othello, Sticks
from parlour.truth import solve_once
from parlour.truth.explain import count_plies, describe_nim_sum

QUESTIONS = read_expressions("understand/expressions/questions.txt")
SHAPES = read_expressions("understand/expressions/reviews.txt")
ANSWERS = "table/lines/details.txt"
MAX_LISTED = 12  # moves
PATIENCE = 1.0  # seconds for a variant that somebody asks about in passing
ENOUGH, SHARE = 1.5, 0.45  # words that the grammar must explain, and the share of the line
KINDS = ("win", "value", "draw")  # topics of a game that depend on the variant
WORDS = ("random", "perfect", "standard")  # bots whose names are also words
STEM = 4  # letters that two forms of a word share: flips, flipping
COMMON = {word[:STEM] for word in SMALL_WORDS} | {"game", "move", "play", "them", "your"}
Facts = dict[str, Any]
Lines = tuple[str, ...]


@dataclass(frozen=True)
class Question:
    """A line that asks, with the game it is about, and the match where it is about one."""

    line: Line
    game: Any = None
    table: Table | None = None
    match: Match | None = None

    @property
    def plain(self) -> str:
        """The words as one string."""
        return self.line.plain

    def says(self, words: str) -> bool:
        """Say whether one of some words, separated by |, is in the line."""
        return bool(re.search(rf"\b(?:{words})\b", self.plain))

    @cached_property
    def facts(self) -> Facts:
        """What the conditions and the gaps of the answers are about."""
        facts = _describe_game(self.game) | _describe_position(self.match, self.table)
        asked = [int(word) for word in self.line.words if word.isdecimal() and len(word) < 9]
        beyond = any(number > (facts.get("take") or math.inf) for number in asked)
        lost = bool(asked) and asked[0] % facts.get("whole", math.inf) == 1
        return {**facts, "asked": asked, "beyond": beyond, "lost_number": lost}


# Facts


def _describe_game(game: Any) -> Facts:
    """Return the facts of a variant: its options, and what is made of them."""
    if game is None:
        return {}
    facts = {"game": True, "name": game.name, game.name: True, "usual": game == type(game)()}
    facts |= core.values(game)
    if isinstance(game, Nim | Sticks):
        return facts | _describe_taking(game)
    if isinstance(game, Chopsticks):
        return facts | _describe_hands(game)
    if board := getattr(game, "board", None):
        eight = (game.columns, game.rows) == (8, 8)
        facts |= {"squares": len(board.bits), "free": len(board.bits) - 4, "eight": eight}
    return facts | ({"solved": most_empties(game)} if isinstance(game, Othello) else {})


def _describe_taking(game: Nim | Sticks) -> Facts:
    nim, piles = game.nim, options_of(Nim)["piles"]
    whole = (nim.take or 0) + 1
    return {
        "taking": True,
        "span": span(1, nim.take or 1),
        "whole": whole,
        "targets": ", ".join(str(1 + whole * each) for each in range(4)) + " …",
        "wins": "loses" if nim.misere else "wins",
        "thing": "stick" if isinstance(game, Sticks) else "coin",
        "endings": all_of(",".join(map(str, ending)) for ending in nim.endings),
        "piles": all_of(nim.piles),
        "pile_count": count(len(nim.piles), "pile"),
        "coins": sum(nim.piles) * (nim.seats - 1 if nim.misere else 1),
        "two": nim.seats == 2,
        "positions": f"{math.prod(pile + 1 for pile in nim.piles):,}",
        "longest": piles.longest,
        "largest": f"{int(piles.high or 0):,}",
    }


def _describe_hands(game: Chopsticks) -> Facts:
    hand, finger = game.words
    return {
        "hand": hand,
        "hands": "boxes" if hand == "box" else f"{hand}s",
        "finger": finger,
        "more": game.dies_at + 1,
        "wraps": game.overflow == "wraps",
        "barred": game.loops == "barred",
        "span": span(game.split_least, game.dies_at - 1),
        "revives": f"may revive a dead {hand}" if game.revive else "needs both alive",
        "same": f"{'may' if game.split_same else 'must not'} leave the same pair",
        "splits_one": any(move[0] == SPLIT for move in game.moves(game.read("1,0:1,1"))),
    }


def _describe_position(match: Match | None, table: Table | None) -> Facts:
    """Return the facts of a game that is on: the moves, and who plays against the person."""
    if match is None or table is None or match.over:
        return {"on": False}
    game, bot = match.game, tables.find_opponent(table)
    moves, write = game.moves(match.state), partial(core.describe_move, game, match.state)
    texts = [write(moves[at]) for at in range(min(len(moves), MAX_LISTED))]
    steps = tables.list_opponents(game)
    facts = {
        "on": True,
        "moves": count(len(moves), "move"),
        "list": ", ".join(texts) + (", …" if len(moves) > len(texts) else ""),
        "weakest": knowledge.describe_bot(steps[0]) if steps else "",
        "bot": knowledge.describe_bot(bot),
        "plays": tables.describe_strength(bot, game),
    }
    if isinstance(game, Nim | Sticks):
        thing = "stick" if isinstance(game, Sticks) else "coin"
        facts["left"] = count(sum(match.state[2:]), thing)
    if isinstance(game, Chopsticks):
        splits = [write(move) for move in moves if move[0] == SPLIT]
        facts |= {"splits": all_of(splits), "forced": not splits}
    if isinstance(game, Othello):
        own, other, turn = match.state
        theirs = [game.write_move(move) for move in game.moves((other, own, 1 - turn))]
        facts["theirs"] = count(len(theirs) - ("pass" in theirs), "move")
        facts["discs"] = knowledge.count_discs(table, game, match.state)
    return facts


# Answers


def may_ask(line: Line, *, at_table: bool) -> bool:
    """Say whether a line may ask about the games: by its shape, and away from a table its words."""
    asks = SHAPES["asks"].search(line.plain) or line.text.rstrip().endswith("?")
    named = at_table or find_bots(line.words) or SHAPES["of games"].search(line.plain)
    return bool(asks and named)


def answer_question(
    session: Session, line: Line, match: Match | None, *, surely: bool = False
) -> Lines | None:
    """Answer a question about the games; None when it asks nothing that is known here.

    Where a line is `surely` such a question, a rule that has its words may be the answer.
    """
    here = match.game if match is not None else _find_wished(session)
    named, (asked, mark, _) = find_game(line.words), line.text.casefold().partition("?")
    if here is not None and mark and named in line.text.casefold() and named not in asked:
        named = ""  # only the remark after the question names it
    if named and (here is None or here.name != named):
        here, match = registry.game(named), None
    table = session.table if match is not None else None
    for section, expression in QUESTIONS.items():
        topic, _, games = section.partition(" @ ")
        game = registry.game(games.split()[0]) if games and here is None else here
        if games and (game is None or game.name not in games.split()):
            continue
        if expression.search(line.plain):
            question = Question(line, game, table, match)
            if lines := HANDLERS.get(topic, partial(_say, topic))(question):
                return lines
    question = Question(line, here, table, match)
    return _answer_by_grammar(question) or (_quote_rule(question) if surely else None)


def _find_wished(session: Session) -> Game | None:
    """Return the game that is being set up, as far as it is known."""
    if session.mode != "setup" or "game" not in session.wished:
        return None
    try:
        return build_wished(session.wished)
    except ParlourError:
        return registry.game(str(session.wished["game"]))


@cache
def _load_cases() -> dict[str, list[tuple[str, str]]]:
    """Return the sections of each topic with their conditions."""
    cases: dict[str, list[tuple[str, str]]] = {}
    for section in read_sections(ANSWERS):
        topic, _, conditions = section.partition(" if ")
        cases.setdefault(topic, []).append((section, conditions))
    return cases


def _say(topic: str, question: Question, **more: Any) -> Lines:
    """Return the lines of a topic whose conditions hold, given these facts and some more."""
    question.facts.update(more)
    lines: Lines = ()
    for section, conditions in _load_cases().get(topic, ()):
        if all(_holds(question, each) for each in conditions.split(", ") if each):
            for line in fill_lines(ANSWERS, section, **question.facts):
                other = line.removeprefix("= ")
                lines += (line,) if other == line else _tell(other, question)
    return lines


def _holds(question: Question, condition: str) -> bool:
    plain = condition.removeprefix("not ")
    words = plain.removeprefix("says ")
    found = question.says(words) if words != plain else bool(question.facts.get(plain))
    return found == (plain == condition)


def _quote_rule(question: Question) -> Lines:
    """Return the sentence of the rules that has most words of a question, if any has."""
    if question.game is None:
        return ()
    words = {word[:STEM] for word in question.line.words if len(word) >= STEM} - COMMON
    rules = core.rules_text(question.game)
    shared = [len(words & {word[:STEM] for word in re.findall("[a-z]+", r.lower())}) for r in rules]
    best = max(shared, default=0)
    return tuple(rule for rule, many in zip(rules, shared, strict=True) if many == best > 0)[:2]


def _answer_by_grammar(question: Question) -> Lines:
    """Answer by the patterns for whole topics; without a name they are about the game at hand."""
    name = question.game.name if question.game is not None else ""
    words = question.line.words
    best = _find_best(words) or (_find_best((*words, name)) if name else "")
    return _tell(name_topic(best, name), question)


def _find_best(words: Sequence[str]) -> str:
    """Return the topic whose patterns explain most of a line, if they explain enough."""
    found = find_readings(words, load_questions())
    return next((r.intent for r in found if r.matched >= ENOUGH and r.share >= SHARE), "")


def _tell(topic: str, question: Question) -> Lines:
    """Return the answer to a topic; what depends on the variant, for the one at hand."""
    game, _, kind = topic.rpartition("-")
    if kind in KINDS and question.game is not None and game in ("", question.game.name):
        return _say_kind(kind, question)
    return knowledge.answer_topic(topic) if topic in load_questions() else ()


def _say_kind(kind: str, question: Question) -> Lines:
    """Say how to win, who wins, or whether a draw is possible, in the variant at hand."""
    game = question.game
    if game is None:
        return ()
    if lines := _say(kind, question):
        return lines
    general = isinstance(game, Othello) or (kind == "win" and isinstance(game, Nim))
    if general or kind == "draw" or question.facts["usual"]:
        return knowledge.answer_topic(f"{game.name}-{kind}")
    return knowledge.say_who_wins(game, PATIENCE)


# Answers that are computed


@cache
def _load_openings() -> dict[tuple[int, int], str]:
    """Return the names of openings by their positions, each in the form that the book stores."""
    found, game = {}, Othello()
    for name, (moves,) in read_sections("table/openings.txt").items():
        state = game.start()
        for text in moves.split():
            state = game.play(state, game.read_move(state, text))
        found[canonical(*state[:2])[0]] = name
    return found


def _name_opening(question: Question) -> Lines:
    if question.match is None or not question.facts["eight"]:
        return _say("which opening", question, elsewhere=question.match is not None)
    states = [state for state, _ in question.match.record.replay(question.game)]
    names = [_load_openings().get(canonical(*state[:2])[0], "") for state in states]
    known = [name for name in names if name]
    before = known[-1] if known else ""
    return _say("which opening", question, unnamed=not known, now=names[-1], before=before)


def _say_who_won(question: Question) -> Lines:
    if question.match is None or question.table is None or not question.match.over:
        return _say("who won", question)
    return knowledge.describe_whole_ending(question.table, question.match)


def _show_nim_sum(question: Question) -> Lines:
    if question.match is None or question.match.over:
        return ()
    lines = describe_nim_sum(question.game, question.match.state)
    return (*lines, *_say("nim-sum here", question))


def _say_if_beatable(question: Question) -> Lines:
    """Say whether the person can win from here, as far as it is known."""
    match, table = question.match, question.table
    seat = None if match is None or table is None else tables.find_person(table)
    if match is None or table is None or match.over or match.game.seats != 2 or seat is None:
        return _say_kind("win", question) or _tell("beaten", question)
    value = tables.find_value(match.game, match.state)
    outcome = "unknown" if value is None else value.outcome
    mine = {"win": "lost", "loss": "won"}.get(outcome, outcome)
    mine = {"win": "won", "loss": "lost"}.get(outcome, outcome) if match.turn == seat else mine
    sure = tables.never_errs(tables.find_opponent(table), match.game)
    return _say("beat here", question, **{mine: True}, sure=sure)


def _say_who_wins(question: Question) -> Lines:
    """Say who wins the variant that a line names by its numbers, if it names one."""
    if question.game is None or (question.facts["on"] and not find_game(question.line.words)):
        return ()
    words = re.sub(r"(\d) on (?=\d)", r"\1 by ", question.plain).split()
    options = read_wish(words, question.game.name).options
    try:
        game = registry.build(type(question.game), question.game.name, options)
    except ParlourError:
        return ()
    return knowledge.say_who_wins(game, PATIENCE) if options else ()


def _describe_bot(question: Question) -> Lines:
    """Describe the bot that a line asks about, unless its name is only a word there."""
    names = [name for name in find_bots(question.line.words) if name != "benedict"]
    names += ["one-at-a-time"] if question.says("one at a time (?:bot|player)") else []
    if not names or not question.says("what|who|how|tell|explain|describe|define|does|about"):
        return ()
    name = names[0]
    after = rf"(?:bot|player) {name}|{name}(?: (?:bot|player|opponent|do|plays?|works?)|$)"
    if name in WORDS and not question.says(after):
        return ()
    return tuple(line for each in names[:2] for line in _say(f"bot {each}", question))


def _say_of_whole(topic: str, question: Question) -> Lines:
    """Answer what the whole solution of a game tells, where it has one and no formula."""
    game = question.game
    if not isinstance(game, Chopsticks) or question.facts["barred"]:
        return _say(topic, question)
    solution = solve_once(game)
    value, number = solution.value(game.start()), sum(solution.counts().values())
    which = "first" if value.outcome == "win" else "second"
    plies = count_plies(value.plies) if value.plies and value.outcome != "draw" else ""
    return _say(topic, question, positions=number, which=which, plies=plies)


def _say_standing(question: Question) -> Lines:
    match, table = question.match, question.table
    if match is None or table is None or match.over:
        return ()
    return knowledge.describe_standing(table, match.game, match.state)


HANDLERS: dict[str, Callable[[Question], Lines]] = {
    "which opening": _name_opening,
    "who won": _say_who_won,
    "nim-sum here": _show_nim_sum,
    "beat here": _say_if_beatable,
    "value asked": _say_who_wins,
    "bot": _describe_bot,
    "standing": _say_standing,
    "how to move": lambda question: (core.how_to_move(question.game),) if question.game else (),
    "positions": partial(_say_of_whole, "positions"),
    "longest": partial(_say_of_whole, "longest"),
    "value": partial(_say_kind, "value"),
    "win": partial(_say_kind, "win"),
    "draw": partial(_say_kind, "draw"),
    "rules": lambda question: (
        (*core.rules_text(question.game), core.how_to_move(question.game)) if question.game else ()
    ),
}
