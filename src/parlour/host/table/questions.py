"""Questions about the games: which one a line asks, and the answer for the variant on the table.

A line is compared with the questions of `asked.txt`: where it is nearly one of them, it asks the
same. Else the expressions of `understand/expressions/questions.txt` are tried in their order, then
the nearest question that is not far, then the patterns of the grammar. The answers are in
`lines/details.txt`, in sections that are said or not by the facts of the game at hand, so that
nothing is said of one variant that holds only for another.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import Any

from parlour import core
from parlour.core import Game, Match, ParlourError, all_of, count, options_of, registry, span
from parlour.engine import canonical, most_empties
from parlour.host.language import (
    SMALL_WORDS,
    Line,
    fill_lines,
    normalise,
    read_expressions,
    read_sections,
    read_words,
)
from parlour.host.session import Session, Table
from parlour.host.table import guests, knowledge, likeness
from parlour.host.table import state as tables
from parlour.host.table.setup import build_wished, explain_refusal
from parlour.host.understand import (
    GAME_NAMES,
    MoveReading,
    find_bots,
    find_game,
    find_readings,
    load_questions,
    name_topic,
    read_supposed_move,
    read_wish,
)
from parlour.rules import SPLIT, Chopsticks, Nim, Othello, Sticks
from parlour.truth import is_solved_soon, solve_once
from parlour.truth.explain import count_plies, describe_nim_sum

QUESTIONS = read_expressions("understand/expressions/questions.txt")
SHAPES = read_expressions("understand/expressions/reviews.txt")
ANSWERS = "table/lines/details.txt"
MAX_LISTED = 12  # moves
MAX_COUNTED = 100_000  # positions of nim
PATIENCE = 1.0  # seconds for a variant that somebody asks about in passing
ENOUGH, SHARE = 1.5, 0.45  # words that the grammar must explain, and the share of the line
KINDS = ("win", "value", "draw")  # topics of a game that depend on the variant

STEM = 4  # letters that two forms of a word share: flips, flipping
COMMON = {word[:STEM] for word in SMALL_WORDS} | {"game", "move", "play", "them", "your"}
ALIKE, SURE, SAME, NEAR = 0.95, 0.85, 0.75, 0.52  # how like a question a line is that asks the same
OF_NUMBERS = ("split from @ chopsticks", "nim-sum of", "value asked")  # what is asked of numbers
PRONOUNS = {"it", "this", "that", "there", "game"}
BRIEF = 6  # words of a line that may ask no more than what a game is
WHOLE = 4  # words of a line that is more than a catchword
FOLLOWS = 6  # words of a line that may continue the question before
ROW = re.compile(r"\b\d+(?: (?:and )?\d+)*\b")
PILES = re.compile(r"(?:\b\d+ (?:and )?){2,}\d+\b")
BOTH = {"or", "not", "only", "cannot", "never", "how", "why", "what"}  # no yes or no to these
YES = re.compile("^(?:Yes|No): (.)")
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
        facts |= {"asked": asked, "beyond": beyond}
        number, whole = max(asked, default=0), facts.get("whole", 1)
        if whole == 1 or number < whole or self.says("multiple"):
            return facts
        over = (number - 1) % whole
        left = {"right_take": over, "target": number - over}
        return {**facts, **left, "number": number, "lost_number": not over}


# Facts


def _describe_game(game: Any) -> Facts:
    """Return the facts of a variant: its options, and what is made of them."""
    if game is None:
        return {}
    facts = {"game": True, "name": game.name, game.name: True, "usual": game == type(game)()}
    facts |= {"title": core.title(game), **core.values(game)}
    for name, option in options_of(type(game)).items():
        facts |= {f"{name}_low": option.low, f"{name}_high": option.high}
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
        "fewest": count(
            -(-nim.piles[0] // nim.take) if nim.take else sum(map(bool, nim.piles)), "move"
        ),
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
        return {"on": False, "made": count(len(match.moves), "move") if match else ""}
    game, bot = match.game, tables.find_opponent(table)
    moves, write = game.moves(match.state), partial(core.describe_move, game, match.state)
    texts = [write(moves[at]) for at in range(min(len(moves), MAX_LISTED))]
    steps = tables.list_opponents(game)
    facts = {
        "on": True,
        "made": count(len(match.moves), "move"),
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
        facts["empties"] = len(game.board.bits) - (own | other).bit_count()
    return facts


# Answers


def may_ask(line: Line, *, at_table: bool) -> bool:
    """Say whether a line may ask about the games: by its shape, and away from a table its words."""
    asks = SHAPES["asks"].search(line.plain) or line.text.rstrip().endswith("?")
    named = at_table or find_bots(line.words) or SHAPES["of games"].search(line.plain)
    return bool(asks and named)


def answer_question(
    session: Session, line: Line, match: Match | None, *, surely: bool = False, maybe: bool = True
) -> Lines | None:
    """Answer a question about the games; None when it asks nothing that is known here.

    Where a line is `surely` such a question, a rule that has its words may be the answer; where
    it is not `maybe` one, nothing less than a clear match.
    """
    line = _continue_question(session, line)
    here, match = _find_subject(session, line, match)
    question = Question(line, here, session.table if match is not None else None, match)
    for section in OF_NUMBERS:
        if QUESTIONS[section].search(question.plain) and (
            lines := _answer_section(section, question)
        ):
            return lines
    named = set(find_bots(line.words)) - {"random", "perfect", "menace", "benedict"}
    if len(named) > 1 and (lines := _describe_bot(question)):
        return lines
    ranked = likeness.rank_topics(line, here.name if here is not None else "")
    for section, like in ranked.items():
        if like >= SAME and (lines := _answer_section(section, question)):
            return _state_plainly(lines) if like < SURE or BOTH & {*line.words} else lines
    for section, expression in QUESTIONS.items():
        if here is None and "@" in section:
            continue
        if expression.search(question.plain) and (lines := _answer_section(section, question)):
            return _state_plainly(lines) if BOTH & {*line.words} else lines
    for section, like in ranked.items() if maybe else ():
        if NEAR <= like < SAME and (lines := _answer_section(section, question)):
            return _state_plainly(lines)
    lines = _answer_by_grammar(question) if maybe else ()
    return lines or (_quote_rule(question) if surely else None)


def find_supposed(line: Line, match: Match) -> str:
    """Return the move that a line asks about: `what is wrong with taking two?`"""
    rest = SHAPES["what is wrong with"].sub("", line.plain)
    if rest == line.plain or match.over:
        return ""
    found = read_supposed_move(match.game, match.state, Line(rest, tuple(rest.split())))
    return found.move if isinstance(found, MoveReading) else ""


def _state_plainly(lines: Lines) -> Lines:
    """Leave out a yes or no, where the question may be the other way round."""
    return (YES.sub(lambda found: found[1].upper(), lines[0]), *lines[1:])


def is_asked(session: Session, line: Line, match: Match | None, *, surely: bool = False) -> bool:
    """Say whether a line asks what others have asked about the games, in much the same words."""
    if not SHAPES["asks"].search(line.plain) and not line.text.rstrip().endswith("?"):
        return False
    asked = [each for each in OF_NUMBERS if QUESTIONS[each].search(line.plain)]
    if asked and (asked[0] != "value asked" or PILES.search(line.plain)):
        return True
    here, _ = _find_subject(session, line, match)
    game, enough = (here.name, SURE if surely else SAME) if here is not None else ("", SAME)
    one, few, many = (
        max(likeness.compare(line.plain, game, shared).values(), default=0) for shared in (1, 2, 3)
    )
    long = len(line.words) >= WHOLE
    if (here is None and not find_bots(line.words)) or surely:
        known = here is not None or SHAPES["of games"].search(line.plain)
        return many >= enough or few >= ALIKE or bool(one >= ALIKE and long and known)
    return few >= SAME or one >= ALIKE


def surely_asks(line: Line) -> bool:
    """Say whether a line asks by its first words, and does not ask for something to be done."""
    return bool(SHAPES["surely asks"].match(line.plain))


def _continue_question(session: Session, line: Line) -> Line:
    """Return a short line that continues the question before, `and at misère?`, as a whole one."""
    if len(line.words) > FOLLOWS or not SHAPES["continues"].match(line.plain):
        return line
    before, rest = normalise(session.last.text), SHAPES["continues"].sub("", line.plain).split()
    if not may_ask(before, at_table=True):
        return line
    names = {word for some in GAME_NAMES.values() for name in some for word in name.split()}
    other = names if find_game(rest) else set()
    return Line(line.text, (*(word for word in before.words if word not in other), *rest))


def _find_subject(
    session: Session, line: Line, match: Match | None
) -> tuple[Game | None, Match | None]:
    """Return the game that a line is about, and the match where it is the one on the table."""
    here, question_words = match.game if match else _find_wished(session), set(line.words)
    named, (asked, mark, _) = find_game(line.words), line.text.casefold().partition("?")
    if here is not None and mark and named in line.text.casefold() and named not in asked:
        named = ""  # only the remark after the question names it
    if not named and here is None:
        cues = [
            name for name in GAME_NAMES if question_words & read_words(likeness.TERMS)[f"of {name}"]
        ]
        named = cues[0] if len(cues) == 1 else ""
        if not cues and session.last.text and PRONOUNS & question_words:
            named = find_game(normalise(session.last.text).words)
        named = "nim" if not named and PILES.search(line.plain) else named
    if named and (here is None or here.name != named):
        return _build_named(named, line) or registry.game(named), None
    return here, match


def _build_named(name: str, line: Line) -> Game | None:
    """Return the variant of a game that a line names, if it names one that can be played."""
    words = re.sub(r"(\d) on (?=\d)", r"\1 by ", line.plain).split()
    options = read_wish(words, name).options
    if len(options.get("piles", ())) > 1:
        options["piles"] = _read_piles(line)
    try:
        return registry.build(registry.find("games", name), name, options) if options else None
    except ParlourError:
        return None


def _read_piles(line: Line) -> tuple[int, ...]:
    """Return the piles that stand in a row in a line; none if it has other numbers besides."""
    rows = [re.findall(r"\d+", row) for row in ROW.findall(line.plain)]
    piles = max(rows, key=len, default=[])
    others = [word for word in line.words if word.isdecimal()]
    for pile in piles:
        if pile in others:
            others.remove(pile)
    return tuple(map(int, piles)) if others in ([], [str(len(piles))]) else ()


def _answer_section(section: str, question: Question) -> Lines:
    """Answer the topic of a section, `topic @ games`, if it belongs to the game at hand."""
    topic, _, games = section.partition(" @ ")
    if games and question.game is None:
        question = replace(question, game=registry.game(games.split()[0]))
    if games and question.game.name not in games.split():
        return ()
    if topic in HANDLERS:
        return HANDLERS[topic](question)
    return _say(topic, question) or _tell(topic, question)


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
    if best.endswith("-about") and len(words) > BRIEF:
        return ()
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
    return knowledge.answer_topic(topic) if topic in load_questions() else _say(topic, question)


def _say_kind(kind: str, question: Question) -> Lines:
    """Say how to win, who wins, or whether a draw is possible, in the variant at hand."""
    game = question.game
    if game is None:
        return ()
    if lines := _say(kind, question):
        return lines
    if game.name not in GAME_NAMES:
        return guests.say_kind(kind, game)
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
    means = question.says("an? nim ?sum|nim ?sums|means?|works?")
    if question.match is None or question.match.over or means:
        return ()
    lines = describe_nim_sum(question.game, question.match.state)
    return (*lines, *_say("nim-sum here", question))


def _say_if_beatable(question: Question) -> Lines:
    """Say whether the person can win from here, as far as it is known."""
    match, table = question.match, question.table
    seat = None if match is None or table is None else tables.find_person(table)
    if match is None or table is None or match.over or match.game.seats != 2 or seat is None:
        return _say_kind("win", question) or _tell("beaten", question)
    if question.says(r"you (?:\w+ ){0,3}(?:win|lose|won|lost)"):
        return _say_standing(question)
    value = tables.find_value(match.game, match.state)
    outcome = "unknown" if value is None else value.outcome
    mine = {"win": "lost", "loss": "won"}.get(outcome, outcome)
    mine = {"win": "won", "loss": "lost"}.get(outcome, outcome) if match.turn == seat else mine
    sure = tables.never_errs(tables.find_opponent(table), match.game)
    return _say("beat here", question, **{mine: True}, sure=sure)


def _say_who_wins(question: Question) -> Lines:
    """Say who wins the variant that a line names by its numbers, if it names one."""
    here = question.facts["on"] and not PILES.search(question.plain)
    if question.game is None or (here and not find_game(question.line.words)):
        return ()
    game = _build_named(question.game.name, question.line)
    alone = isinstance(game, Nim) and len(game.piles) < 2 and not question.says("1|single")
    return () if game is None or alone else knowledge.say_who_wins(game, PATIENCE)


def _judge_split(question: Question) -> Lines:
    """Say which splits there are from two numbers, or whether one to two others is a split."""
    asked = question.facts["asked"]
    if len(asked) not in (2, 4):
        return ()
    try:
        moves = question.game.moves(question.game.read("{},{}:1,1".format(*asked)))
    except ParlourError:
        return ()
    splits = {tuple(sorted(move[1:])) for move in moves if move[0] == SPLIT}
    before, after = (" and ".join(map(str, part)) for part in (asked[:2], asked[2:]))
    if len(asked) == 4:
        legal = tuple(sorted(asked[2:])) in splits
        return _say("split from", question, legal=legal, before=before, after=after)
    all_splits = "; ".join(f"{low} and {high}" for low, high in sorted(splits))
    topic = "splits from" if splits else "no splits from"
    return _say(topic, question, before=before, after=all_splits)


def _add_numbers(question: Question) -> Lines:
    """Show the nim-sum of the numbers that a line names, if it names some."""
    piles = question.facts["asked"]
    if len(piles) < 2 or max(piles) < 1:
        return ()
    game = Nim(piles=tuple(piles))
    return describe_nim_sum(game, game.start())


def _advise(question: Question) -> Lines:
    """Name a best move for the position on the table; else say how to win."""
    match, table = question.match, question.table
    if isinstance(question.game, Sticks) and question.facts.get("number"):
        return _say("take from", question)
    if match is None or table is None or match.over:
        return _say_kind("win", question)
    return knowledge.advise(table, match.game, match.state, len(table.moves))


def _say_first_moves(question: Question) -> Lines:
    """Say how many first moves there are, and which of them are best, where it is known."""
    game = question.game
    if game is None:
        return ()
    moves = [core.describe_move(game, game.start(), move) for move in game.moves(game.start())]
    few = {"first_count": len(moves), "first_list": all_of(moves)}
    return _say("first moves", question, **few) or knowledge.say_who_wins(game, PATIENCE)


def _compare_misere(question: Question) -> Lines:
    """Say which moves would win the position on the table if the last coin lost instead."""
    match, game = question.match, question.game
    if match is None or match.over or game.misere or game.seats != 2 or game.endings:
        return _tell("misere", question)
    other = replace(game, misere=True)
    wins = [
        {core.describe_move(each, match.state, move) for move in _list_wins(each, match.state)}
        for each in (game, other)
    ]
    kind = "same" if wins[0] == wins[1] else "other" if all(wins) else "won"
    why = _say("misere why", question) if max(match.state[2:]) > 1 else ()
    moves = core.one_of(sorted(wins[1]))
    return (*_say(f"misere {kind if wins[1] else 'lost'}", question, moves=moves), *why)


def _list_wins(game: Game, state: core.State, outcome: str = "win") -> list[core.Move]:
    """List the moves that win, or come to another outcome."""
    solution = tables.find_solution(game, state)
    moves = game.moves(state) if solution is not None else ()
    return [m for m in moves if solution and solution.after(state, m).outcome == outcome]


def _say_winning_moves(question: Question) -> Lines:
    """Name all moves that win the position on the table, or keep the draw."""
    match = question.match
    if match is None or match.over or tables.find_value(match.game, match.state) is None:
        return _advise(question) if question.facts["on"] else ()
    found = {
        name: [
            core.describe_move(match.game, match.state, move)
            for move in _list_wins(match.game, match.state, outcome)
        ]
        for name, outcome in (("wins", "win"), ("holds", "draw"))
    }
    wins, holds = found["wins"], [] if found["wins"] else found["holds"]
    facts = {"number_of_wins": count(len(wins), "winning move"), "lost": not (wins or holds)}
    return _say("winning moves", question, wins=all_of(wins), holds=all_of(holds), **facts)


def _say_if_possible(question: Question) -> Lines:
    """Say whether the variant that a line names can be set up."""
    if question.game is None or question.facts["on"]:
        return ()
    options = read_wish(question.plain.split(), question.game.name).options
    try:
        game = registry.build(type(question.game), question.game.name, options)
    except ParlourError as error:
        return (explain_refusal(question.game.name, error),)
    return _say("can be set up", question, variant=core.title(game)) if options else ()


def _name_bots(topic: str, question: Question) -> Lines:
    """Name the bots that play the game at hand, or say how well they do."""
    found = {
        name: tables.describe_strength(name, question.game)
        for name in registry.claims("bots")
        if question.game is not None
    }
    able = {name: how for name, how in found.items() if how}
    strengths = "; ".join(f"{name} {how}" for name, how in able.items())
    best = all_of(name for name, how in able.items() if how == "perfectly")
    return _say(topic, question, plays_it=all_of(able), strengths=strengths, flawless=best)


def _tell_openings(question: Question) -> Lines:
    """Say how an opening begins that is named, or which are known."""
    known = {name: moves for name, (moves,) in read_sections("table/openings.txt").items()}
    named = [name for name in known if name.lower().removesuffix(" opening") in question.plain]
    more = {"opening_count": len(known), "some_openings": all_of(list(known)[3:9])}
    if named:
        name = max(named, key=len)
        more |= {"opening_name": name, "opening_moves": known[name]}
    return _say("openings", question, **more)


def _describe_bot(question: Question) -> Lines:
    """Describe the bot that a line asks about, unless its name is only a word there."""
    names = [name for name in find_bots(question.line.words) if name != "benedict"]
    names += ["one-at-a-time"] if question.says("one at a time (?:bot|player)") else []
    if not names:
        return ()
    name = names[0]
    after = rf"(?:bot|player) {name}|{name}(?: (?:bot|player|opponent|do|plays?|works?)|$)"
    if name in likeness.ALSO_WORDS and not question.says(after):
        return ()
    return tuple(line for each in names[:2] for line in _say(f"bot {each}", question))


def _say_of_whole(topic: str, question: Question) -> Lines:
    """Answer what the whole solution of a game tells, where it has one and no formula."""
    game = question.game
    small = isinstance(game, Nim) and game.seats == 2 and is_solved_soon(game)
    if not (isinstance(game, Chopsticks) and not question.facts["barred"]) and not (
        small and math.prod(pile + 1 for pile in game.piles) < MAX_COUNTED
    ):
        return _say(topic, question)
    solution = solve_once(game)
    held = solution.counts()
    names = {"won": "win", "lost": "loss", "drawn": "draw", "ended": "end"}
    question.facts.update({"counted": True} | {name: held[key] for name, key in names.items()})
    value, number = solution.value(game.start()), sum(solution.counts().values())
    which = "first" if value.outcome == "win" else "second"
    plies = count_plies(value.plies) if value.plies and value.outcome != "draw" else ""
    positions = question.facts.get("positions") or number
    return _say(topic, question, positions=positions, which=which, plies=plies)


def _say_standing(question: Question) -> Lines:
    match, table = question.match, question.table
    if match is None or table is None or match.over:
        return ()
    return knowledge.describe_standing(table, match.game, match.state)


HANDLERS: dict[str, Callable[[Question], Lines]] = {
    "split from": _judge_split,
    "my side": lambda q: knowledge.describe_marks(q.table, q.game) if q.table else (),
    "nim-sum of": _add_numbers,
    "best move": _advise,
    "first moves": _say_first_moves,
    "misere here": _compare_misere,
    "winning moves": _say_winning_moves,
    "can be set up": _say_if_possible,
    "bots": partial(_name_bots, "bots"),
    "bot strength": partial(_name_bots, "bot strength"),
    "openings": _tell_openings,
    "which opening": _name_opening,
    "who won": _say_who_won,
    "nim-sum here": _show_nim_sum,
    "beat here": _say_if_beatable,
    "beaten": lambda q: _say_if_beatable(q) if q.facts["on"] else knowledge.answer_topic("beaten"),
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
