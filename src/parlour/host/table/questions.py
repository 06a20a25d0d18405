"""Questions about the games: which one a line asks, and the answer for the variant on the table.

What a line surely asks by its words has expressions of its own, `surely topic`, which come first;
what it asks of moves, piles or hands that it names is computed (`COMPUTED`). Else it is compared
with the questions of `asked.txt`: where it is nearly one of them, it asks the same. Then come the
terms of `terms.txt`, the expressions of `understand/expressions/questions.txt` in their order, and
the nearest question that is not far. The answers are in
`lines/details.txt`, in sections that are said or not by the facts of the game at hand, so that
nothing is said of one variant that holds only for another; `HANDLERS` has those that are computed.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache, partial
from typing import Any

from parlour import core, rules
from parlour.core import Game, Match, ParlourError, all_of, count, registry
from parlour.host import understand
from parlour.host.language import Line, normalise, texts
from parlour.host.session import HostTable, Session
from parlour.host.table import judging, knowledge
from parlour.host.table import state as tables
from parlour.host.table.setup import build_wished, explain_refusal
from parlour.host.understand import GAME_NAMES, GAME_WORDS, MoveReading, find_bots, find_game
from parlour.rules import SPLIT, Chopsticks, Nim, Opening, Othello, OthelloState, Sticks
from parlour.truth import is_solved_soon, solve_once
from parlour.truth.explain import count_plies, describe_nim_sum

QUESTIONS = texts.read_expressions("understand/expressions/questions.txt")
SHAPES = texts.read_expressions("understand/expressions/reviews.txt")
ANSWERS = "table/lines/details.txt"
ASKED, TERMS = "table/asked.txt", "table/terms.txt"
ALSO_WORDS = ("random", "perfect", "standard")  # bots whose names are also words
VAGUE = frozenset("can # how not who best which move game".split())  # that alone say little
BRIEF = 3  # words of a line that may be no more than a term
UNKNOWN = 6.0  # the weight of a word that is in none of them
NAMED = 0.15  # what is added where a question is about a bot that is named
NEARER = 0.1  # what other words in common may add
IN_CLAUSE, BY_FEW, BY_MANY = 0.88, 0.65, 1.12  # what likeness counts for there, and by words
MAX_COUNTED = 100_000  # positions of nim
PATIENCE = 1.0  # seconds for a variant that somebody asks about in passing
KINDS = ("win", "value", "draw")  # topics of a game that depend on the variant

ALIKE, SURE, SAME, NEAR = 0.95, 0.85, 0.75, 0.52  # how like a question a line is that asks the same
GROUPS = texts.read_words("groups.txt")
TELLING = {"win", "wins", "winner", "take", "start", "starts", "first", "lose", "turn", "turns"}
PRONOUNS = {"it", "this", "that", "there", "game"}
WHOLE = 4  # words of a line that is more than a catchword
FEW = 10  # words of a question that is answered by yes or no, where an expression found its topic
FOLLOWS = 6  # words of a line that may continue the question before
ROW = re.compile(r"\b\d+(?: (?:and )?\d+)*\b")
PILES = re.compile(r"(?:\b\d+ (?:and )?){2,}\d+\b|\b(?:piles|heaps|rows)\b.*\b\d+ (?:and )?\d+\b")
SIZES = {"piles", "sticks", "columns", "rows", "line"}  # options that a question names a variant by
USUAL_TAKE = 3  # from a single heap, where a line does not say how many
MAX_EXAMINED = 200  # moves
MAX_ALIKE, MAX_NUMBER = 20, 1000  # piles that are said to be equal, and numbers in a span
BOTH = texts.read_words(TERMS)["either way"]  # no yes or no to these
JOINED = re.compile(r"(?<=\d)[-/](?=\d+\b)")  # piles or hands written as 1-4-5
YES = re.compile("^(?:Yes|No): (.)")
Facts = dict[str, Any]
Lines = tuple[str, ...]


@dataclass(frozen=True)
class Question:
    """A line that asks, with the game it is about, and the match where it is about one."""

    line: Line
    game: Any = None
    table: HostTable | None = None
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
        facts = knowledge.list_facts(self.game, self.match, self.table)
        asked = [int(word) for word in self.line.words if word.isdecimal() and len(word) < 9]
        beyond = any(number > (facts.get("take") or math.inf) for number in asked)
        facts |= {"asked": asked, "beyond": beyond}
        number, whole = max(asked, default=0), facts.get("whole", 1)
        if whole == 1 or number < whole or self.says("multiple"):
            return facts
        over = (number - 1) % whole
        left = {"right_take": over, "target": number - over}
        return {**facts, **left, "number": number, "lost_number": not over}


# Answers


def may_ask(line: Line, *, at_table: bool) -> bool:
    """Say whether a line may ask about the games: by its shape, and away from a table its words."""
    named = at_table or find_bots(line.words) or SHAPES["of games"].search(line.plain)
    return bool(_asks(line) and named)


def _asks(line: Line) -> bool:
    return bool(SHAPES["asks"].search(line.plain) or line.text.rstrip().endswith("?"))


def _pose(session: Session, line: Line, match: Match | None) -> Question:
    """Return the question that a line asks, with the game it is about."""
    if JOINED.search(line.text):
        line = normalise(JOINED.sub(" ", line.text))
    if alike := SHAPES["piles alike"].search(line.plain):
        number, between, size = alike.groups()
        row = " and ".join([size] * min(int(number or 2), MAX_ALIKE)) + between
        line = replace(line, words=tuple(line.plain.replace(alike[0], row).split()))
    line = _continue_question(session, line)
    here, match = _find_subject(session, line, match)
    return Question(line, here, session.table if match is not None else None, match)


def answer_computed(session: Session, line: Line, match: Match | None) -> Lines | None:
    """Answer what a line asks of moves, piles or hands that it names; None if it names none."""
    if not _asks(line) or (session.mode == "talk" and not find_game(line.words)):
        return None
    question = _pose(session, line, match)
    return next(filter(None, _compute(question)), None)


def _compute(question: Question) -> Iterator[Lines]:
    """Yield what each of the computed answers makes of a question that has its words."""
    for section, answer in COMPUTED.items():
        _, _, games = section.partition(" @ ")
        here = question.game is not None and question.game.name in games.split()
        if (here or not games) and QUESTIONS.search(section, question.plain):
            unsure = section.startswith("surely ") and BOTH & {*question.line.words}
            yield _state_plainly(answer(question)) if unsure else answer(question)


def answer_question(
    session: Session, line: Line, match: Match | None, *, maybe: bool = True
) -> Lines | None:
    """Answer a question about the games; None when it asks nothing that is known here.

    Where a line may not be such a question at all, nothing less than a clear match is answered.
    """
    question = _pose(session, line, match)
    here, line = question.game, question.line
    if lines := next(filter(None, _compute(question)), None):
        return lines
    named = set(find_bots(line.words)) - {"random", "perfect", "menace", "benedict"}
    if len(named) > 1 and (lines := _describe_bot(question)):
        return lines
    terms = _find_terms(session, line)
    ranked = _rank_topics(line, here.name if here is not None else "")
    for section, like in ranked.items() if len(terms) < 2 else ():
        if like >= SAME and (lines := _answer_section(section, question)):
            return _state_plainly(lines) if like < SURE or BOTH & {*line.words} else lines
    if lines := tuple(each for term in terms for each in _answer_section(term, question)):
        return lines
    for section, expression in QUESTIONS.items():
        if section in COMPUTED or (here is None and "@" in section):
            continue
        if expression.search(question.plain) and (lines := _answer_section(section, question)):
            unsure = BOTH & {*line.words} or len(line.words) > FEW
            return _state_plainly(lines) if unsure else lines
    for section, like in ranked.items() if maybe else ():
        if NEAR <= like < SAME and (lines := _answer_section(section, question)):
            return _state_plainly(lines)
    return None


def find_supposed(line: Line, match: Match) -> str:
    """Return the move that a line asks about: `what is wrong with taking two?`"""
    rest = SHAPES["what is wrong with"].sub("", line.plain)
    if rest == line.plain or match.over:
        return ""
    found = understand.read_supposed_move(match.game, match.state, Line(rest, tuple(rest.split())))
    return found.move if isinstance(found, MoveReading) else ""


def _state_plainly(lines: Lines) -> Lines:
    """Leave out a yes or no, where the question may be the other way round."""
    return (*(YES.sub(lambda found: found[1].upper(), line) for line in lines[:1]), *lines[1:])


def is_asked(session: Session, line: Line, match: Match | None, *, surely: bool = False) -> bool:
    """Say whether a line asks what others have asked about the games, in much the same words."""
    if not _asks(line):
        return False
    here, _ = _find_subject(session, line, match)
    if _find_terms(session, line):
        return True
    game, enough = (here.name, SURE if surely else SAME) if here is not None else ("", SAME)
    whole = here is not None or len(line.words) > WHOLE
    if whole and any(line.plain == row for _, row in _load_rows()):
        return True
    one, few, many = (
        max(_compare(line.plain, game, shared).values(), default=0) for shared in (1, 2, 3)
    )
    long = len(line.words) >= WHOLE
    if (here is None and not find_bots(line.words)) or surely:
        known = here is not None or SHAPES["of games"].search(line.plain)
        return many >= enough or few >= ALIKE or bool(one >= ALIKE and long and known)
    return few >= SAME or one >= ALIKE


def surely_asks(line: Line) -> bool:
    """Say whether a line, or a clause, begins as a question, and asks for nothing to be done."""
    clauses = (line.plain, *(" ".join(words) for words, _ in line.clauses))
    return any(SHAPES["surely asks"].match(text) for text in clauses)


def _continue_question(session: Session, line: Line) -> Line:
    """Return a short line that continues the question before, `and at misère?`, as a whole one."""
    if len(line.words) > FOLLOWS or not SHAPES["continues"].match(line.plain):
        return line
    before, rest = normalise(session.last.text), SHAPES["continues"].sub("", line.plain).split()
    if not may_ask(before, at_table=True):
        return line
    other = GAME_WORDS if find_game(rest) else ()
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
            name for name in GAME_NAMES if question_words & texts.read_words(TERMS)[f"of {name}"]
        ]
        named = cues[0] if len(cues) == 1 else ""
        told = session.last.intent in GROUPS["of a game"] and TELLING & question_words
        if not cues and session.last.text and (told or PRONOUNS & question_words):
            named = find_game(normalise(session.last.text).words)
        named = "nim" if not named and PILES.search(line.plain) else named
    if named and (here is None or here.name != named):
        return _build_named(named, line) or registry.build("games", named), None
    return here, match


def _build_named(name: str, line: Line) -> Game | None:
    """Return the variant of a game that a line names, if it names one that can be played."""
    words = re.sub(r"(\d) on (?=\d)", r"\1 by ", line.plain).split()
    options = understand.read_wish(words, name).options
    if len(options.get("piles", ())) > 1 and not SHAPES["equal piles"].search(line.plain):
        options["piles"] = _read_piles(line)
    if not SHAPES["as a variant"].search(line.plain):  # `can I hit my own hand?` asks for the rule
        may = SHAPES["asks for a rule"].search(line.plain)
        kept = SIZES if may or not SIZES & options.keys() else {*SIZES, "take", "misere"}
        options = {option: value for option, value in options.items() if option in kept}
    try:
        return registry.build("games", name, options) if options else None
    except ParlourError:
        return None


def _read_piles(line: Line) -> tuple[int, ...]:
    """Return the piles that stand in a row in a line; none if it has other numbers besides."""
    plain = line.plain
    for said in ("limit", "players", "a pile with"):
        plain = SHAPES[said].sub(" ", plain)
    plain = " ".join(plain.split())
    rows = [re.findall(r"\d+", row) for row in ROW.findall(plain)]
    piles = max(rows, key=len, default=[])
    others = [word for word in plain.split() if word.isdecimal()]
    for pile in piles:
        if pile in others:
            others.remove(pile)
    alone = {*others} <= {"1", str(len(piles))} and sum(len(row) > 1 for row in rows) < 2
    return tuple(map(int, piles)) if alone else ()


def _answer_section(section: str, question: Question) -> Lines:
    """Answer the topic of a section, `topic @ games`, if it belongs to the game at hand."""
    topic, _, games = section.partition(" @ ")
    if games and question.game is None:
        question = replace(question, game=registry.build("games", games.split()[0]))
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
        game: Game = registry.build("games", str(session.wished["game"]))
        return game


@cache
def _load_cases() -> dict[str, list[tuple[str, str]]]:
    """Return the sections of each topic with their conditions."""
    cases: dict[str, list[tuple[str, str]]] = {}
    for section in texts.read_sections(ANSWERS):
        topic, _, conditions = section.partition(" if ")
        cases.setdefault(topic, []).append((section, conditions))
    return cases


def _say(topic: str, question: Question, **more: Any) -> Lines:
    """Return the lines of a topic whose conditions hold, given these facts and some more."""
    question.facts.update(more)
    lines: Lines = ()
    for section, conditions in _load_cases().get(topic, ()):
        if all(_holds(question, each) for each in conditions.split(", ") if each):
            for line in texts.fill_lines(ANSWERS, section, **question.facts):
                other = line.removeprefix("= ")
                lines += (line,) if other == line else _tell(other, question)
    return lines


def _holds(question: Question, condition: str) -> bool:
    plain = condition.removeprefix("not ")
    words = plain.removeprefix("says ")
    found = question.says(words) if words != plain else bool(question.facts.get(plain))
    return found == (plain == condition)


def _tell(topic: str, question: Question) -> Lines:
    """Return the answer to a topic; what depends on the variant, for the one at hand."""
    game, _, kind = topic.rpartition("-")
    if kind in KINDS and question.game is not None and game in ("", question.game.name):
        return _say_kind(kind, question)
    return (
        knowledge.answer_topic(topic)
        if topic in understand.load_questions()
        else _say(topic, question)
    )


def _say_kind(kind: str, question: Question) -> Lines:
    """Say how to win, who wins, or whether a draw is possible, in the variant at hand."""
    game = question.game
    if game is None:
        return ()
    if lines := _say(kind, question):
        return lines
    if game.name not in GAME_NAMES:
        return knowledge.GUEST_ANSWERS[kind](game)
    general = isinstance(game, Othello) or (kind == "win" and isinstance(game, Nim))
    if general or kind == "draw" or question.facts["usual"]:
        return knowledge.answer_topic(f"{game.name}-{kind}")
    return knowledge.say_who_wins(game, PATIENCE)


# Which of the questions of `asked.txt` a line is most like, by the telling words that they share:
# rare ones weigh more, and neither order nor endings count. `terms.txt` lists words alike.


@cache
def _load_alike() -> dict[str, str]:
    """Return the word that stands for each of some that mean the same in a question."""
    rows = [row.split() for row in texts.read_sections(TERMS)["alike"]]
    return {word: row[0] for row in rows for word in row}


def _list_terms(plain: str) -> frozenset[str]:
    """Return what a question is about: its telling words, without endings, alike ones as one."""
    joined = texts.read_pairs(TERMS)["joined"]
    plain = _match_joined().sub(lambda found: joined[found[0]], plain)
    return frozenset(term for term in map(_find_term, plain.split()) if term)


@cache
def _match_joined() -> re.Pattern[str]:
    return re.compile("|".join(rf"\b{phrase}\b" for phrase in texts.read_pairs(TERMS)["joined"]))


@lru_cache(maxsize=4096)
def _find_term(word: str) -> str:
    """Return what a word counts as; nothing for one that says nothing of the topic."""
    if word in texts.read_words(TERMS)["left out"]:
        return ""
    alike = _load_alike()
    stem = re.sub("(?<=...)(?:ings?|ed|e?s|e|ly)$", "", alike.get(word, word))
    return "#" if stem.isdecimal() else alike.get(stem, stem)


@dataclass(frozen=True)
class Asked:
    """A question of the list: its section, words, terms, and the sum of their squared weights."""

    section: str
    words: frozenset[str]
    terms: frozenset[str]
    norm: float


@cache
def _load_rows() -> list[tuple[str, str]]:
    """Return the listed questions, each with its section; they are written as normalised."""
    return [(section, row) for section, rows in texts.read_sections(ASKED).items() for row in rows]


@cache
def _load_asked() -> tuple[dict[str, float], dict[str, list[Asked]]]:
    """Return what each term weighs, and the questions that have it."""
    asked = [(section, row, _list_terms(row)) for section, row in _load_rows()]
    held = Counter(term for _, term in {(section, t) for section, _, some in asked for t in some})
    number = len(texts.read_sections(ASKED))
    weights = {term: math.log(1 + number / many) ** 2 for term, many in held.items()}
    found: dict[str, list[Asked]] = {}
    for section, row, terms in asked:
        norm = sum(weights[term] for term in terms)
        question = Asked(section, frozenset(row.split()), terms, norm)
        for term in terms:
            found.setdefault(term, []).append(question)
    return weights, found


def _find_terms(session: Session, line: Line) -> list[str]:
    """Return the topics of the terms that a line asks about; everyday words only of a game."""
    if not SHAPES["defines"].search(line.plain) and len(line.words) > BRIEF:
        return []
    terms = texts.read_pairs(TERMS)["terms"]
    if session.mode in ("game", "setup") or session.table or find_game(line.words):
        terms = terms | texts.read_pairs(TERMS)["terms of games"]
    found = [phrase for phrase in terms if f" {phrase} " in f" {line.plain} "]
    longest = [
        each for each in found if not any(each != other and each in other for other in found)
    ]
    both = len(longest) == 2 and SHAPES["of two terms"].search(line.plain)
    longest.sort(key=len if not both else line.plain.find, reverse=not both)
    return list(dict.fromkeys(terms[each] for each in longest[: 2 if both else 1]))


def _rank_topics(line: Line, game: str) -> dict[str, float]:
    """Return how much a line is like the questions of each section, the most like first.

    A clause of it may be the question, and then has to be plainer than the whole line.
    """
    bots = [b for b in find_bots(line.words) if b not in ALSO_WORDS or f"{b} bot" in line.plain]
    found = dict(_compare(line.plain, game, 0))
    found |= {s: like + NAMED for s, like in found.items() if any(bot in s for bot in bots)}
    for clause in (" ".join(words) for words, _ in line.clauses):
        if clause == line.plain or not SHAPES["asks"].search(clause):
            continue
        for section, like in _compare(clause, game, 2).items():
            found[section] = max(IN_CLAUSE * like, found.get(section, 0))
    # Of two alike, the one about the game at hand comes first, or without one that about all games.
    return dict(sorted(found.items(), key=lambda each: (-each[1], ("@" in each[0]) != bool(game))))


@lru_cache(maxsize=16)
def _compare(plain: str, game: str, shared: int) -> dict[str, float]:
    """Return the sections with questions like this one, each with the cosine of their weights.

    They share at least `shared` telling terms; one alone counts for less, unless there is no other.
    """
    weights, asked = _load_asked()
    terms, words = _list_terms(plain), frozenset(plain.split())
    norm = sum(weights.get(term, UNKNOWN) for term in terms)
    names = texts.read_words(TERMS)["names"]
    likeness: dict[str, float] = {}
    seen: set[int] = set()
    for each in (question for term in terms for question in asked.get(term, ())):
        _, _, games = each.section.partition(" @ ")
        if id(each) in seen or (games and game and game not in games.split()):
            continue
        seen.add(id(each))
        common = terms & each.terms
        if (each.terms - common) & names:
            continue
        telling = len(common - VAGUE)
        if telling >= max(1, shared):
            like = sum(weights[term] for term in common) / math.sqrt(norm * each.norm)
            like *= BY_MANY if telling > 2 else BY_FEW if telling < 2 and terms != each.terms else 1
            like *= 1 + NEARER * len(words & each.words) / len(words | each.words)
            likeness[each.section] = max(like, likeness.get(each.section, 0))
    return likeness


# Answers that are computed


def _name_opening(question: Question) -> Lines:
    match = question.match
    if match is None or not question.facts["eight"]:
        return _say("which opening", question, elsewhere=match is not None, nowhere=match is None)
    states = [state for state, _ in match.record.replay(question.game)]
    opening = rules.find_opening(question.game, states)
    if opening is None:
        return _say("which opening", question, unnamed=True)
    exact = len(states) - 1 == len(opening.moves)
    return _say("which opening", question, **{"now" if exact else "before": _call(opening)})


def _call(opening: Opening) -> str:
    """Return what an opening is called in a sentence: `Tiger`, but `diagonal opening`."""
    return opening.name if len(opening.moves) > 2 else f"{opening.name.lower()} opening"


def _play(moves: Iterable[str]) -> list[OthelloState]:
    """Return the positions of an Othello game with these moves; `ParlourError` for a wrong one."""
    game = Othello()
    states = [game.start()]
    for move in moves:
        states.append(game.play(states[-1], game.read_move(states[-1], move)))
    return states


def _say_which_side(question: Question) -> Lines:
    if question.table is None:
        return _answer_section("who is first @ othello", question)
    return (*knowledge.describe_marks(question.table, question.game), *_say("my side", question))


def _say_who_won(question: Question) -> Lines:
    if question.match is None or question.table is None or not question.match.over:
        return _say("who won", question) if question.says("won|winner|loser|ended|over") else ()
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
    if here and isinstance(question.game, Nim) and SHAPES["elsewhere"].search(question.plain):
        here = len(_read_piles(question.line)) < 2
    if question.game is None or (here and not find_game(question.line.words)):
        return ()
    game = _build_named(question.game.name, question.line)
    if question.match is not None and isinstance(game, Nim) and not find_game(question.line.words):
        last = SHAPES["by the last"].search(question.plain)
        misere = any(last.groups()) if last else question.game.misere
        game = replace(question.game, piles=game.piles, misere=misere)  # the table's other rules
    alone = isinstance(game, Nim) and len(game.piles) < 2 and not question.says("1|single")
    return () if game is None or alone else knowledge.say_who_wins(game, PATIENCE)


def _judge_heap(question: Question) -> Lines:
    """Judge the single heap that a line names, by the rules it says or those of the table."""
    game, plain, on = question.game, question.plain, question.match is not None
    found = SHAPES["limit"].search(plain)
    limit = int(next(filter(None, found.groups()))) if found else 0
    if not isinstance(game, Sticks) and not (limit and (game is None or isinstance(game, Nim))):
        return ()
    wins, loses = (bool(SHAPES[f"last {verb}"].search(plain)) for verb in ("wins", "loses"))
    if wins and loses:
        return ()  # it asks which
    for said in ("limit", "players", "no number"):
        plain = SHAPES[said].sub(" ", plain)
    here = sum(question.match.state[2:]) if question.match is not None else 0
    most = limit or game.take or USUAL_TAKE if game is not None else limit
    takes = [int(number) for number in SHAPES["takes"].findall(plain)]
    if on and SHAPES["after takes"].search(plain):
        return judging.count_left(here, takes, most)
    numbers = {int(n) for n in re.findall(r"\b\d{1,9}\b", SHAPES["takes"].sub(" ", plain))}
    if not numbers and (limit or wins or loses) and SHAPES["supposes"].search(plain):
        numbers = {here} if isinstance(game, Sticks) else set()
    small = numbers and max(numbers) <= most and not SHAPES["a heap"].search(plain)
    if len(numbers) != 1 or small or 0 in numbers:
        return ()
    misere = loses or (not wins and (not isinstance(game, Nim) or game.misere))
    (number,) = numbers
    if not takes and question.says("who|first|second|begins?|starts?|start|player"):
        with contextlib.suppress(ParlourError):
            usual = (
                Sticks(sticks=number, take=most) if isinstance(game, Sticks) and misere else None
            )
            heap = usual or Nim(piles=(number,), take=most, misere=misere)
            return knowledge.say_who_wins(heap, PATIENCE)
    return judging.judge_heap(number, most, takes[0] if takes else None, misere=misere)


def _at_table(judge: Callable[[Any, core.State, Line], Lines], question: Question) -> Lines:
    """Let the position on the table be judged, if there is one."""
    match = question.match
    return () if match is None or match.over else judge(match.game, match.state, question.line)


def _judge_hands(question: Question) -> Lines:
    """Judge the hands that a line names: four numbers are a position, two are a hit."""
    asked, seat = question.facts["asked"], SHAPES["yours first"].search(question.plain)
    asked = asked * 2 if len(asked) == 2 and question.says("both|each") else asked
    if len(asked) == 4:
        pairs = [tuple(asked[:2]), tuple(asked[2:])]
        own, others = pairs[::-1] if seat else pairs
        return judging.judge_hands(question.game, own, others)
    return judging.judge_hit(question.game, *asked) if len(asked) == 2 else ()


def _judge_split(question: Question) -> Lines:
    """Say which splits there are from two numbers, or whether one to two others is a split."""
    plain = SHAPES["a dead hand"].sub(" 0 ", question.plain)
    asked = [int(number) for number in re.findall(r"\b\d{1,2}\b", plain)]
    asked = [asked[0], 0, *asked[1:]] if len(asked) == 3 else asked  # `split 4 into 1 and 3`
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
    rows = [tuple(map(int, re.findall(r"\d+", row))) for row in ROW.findall(question.plain)]
    piles = max(rows, key=len, default=())
    if len(piles) < 2 or max(piles) < 1:
        return ()
    return describe_nim_sum(Nim(piles=piles), Nim(piles=piles).start())


def _find_mex(question: Question) -> Lines:
    numbers = {*question.facts["asked"]}
    mex = next(number for number in itertools.count() if number not in numbers)
    return _say("mex of", question, numbers=all_of(sorted(numbers)), mex=mex) if numbers else ()


def _refuse_pile(question: Question) -> Lines:
    """Say that there is no pile of a number that a line names."""
    piles = len(question.game.piles) if question.game else 0
    named = max(map(int, QUESTIONS["pile number @ nim"].findall(question.plain)))
    beyond = question.facts["on"] and named > piles
    return _say("no such pile", question, last_pile=piles, named=named) if beyond else ()


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
    start, describe = game.start(), core.protocol.describe_move
    moves = [describe(game, start, move) for move in game.moves(start)]
    few = {"first_count": len(moves), "first_list": all_of(moves)}
    return _say("first moves", question, **few) or knowledge.say_who_wins(game, PATIENCE)


def _compare_misere(question: Question) -> Lines:
    """Say which moves would win if the last coin lost, with the piles named or on the table."""
    match, game, piles = question.match, question.game, _read_piles(question.line)
    if match is None or match.over or game.seats != 2 or game.endings:
        return ()
    named = len(piles) > 1
    if named and not question.says("change|same|different|still|switch|switched|normal"):
        return knowledge.say_who_wins(replace(game, piles=piles, misere=True), PATIENCE)
    if not named and (PILES.search(question.plain) or game.misere):
        return ()
    game = replace(game, misere=False, piles=piles if named else game.piles)
    state = game.start() if named else match.state
    other = replace(game, misere=True)
    wins = [
        {core.protocol.describe_move(each, state, move) for move in _list_wins(each, state)}
        for each in (game, other)
    ]
    kind = "same" if wins[0] == wins[1] else "other" if all(wins) else "won"
    why = _say("misere why", question) if max(state[2:]) > 1 else ()
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
    game = match.game
    state = game.start() if question.says("first|opening|start|begin") else match.state
    describe = partial(core.protocol.describe_move, game, state)
    wins = [describe(move) for move in _list_wins(game, state)]
    holds = [] if wins else [describe(move) for move in _list_wins(game, state, "draw")]
    facts = {"number_of_wins": count(len(wins), "winning move"), "lost": not (wins or holds)}
    return _say("winning moves", question, wins=all_of(wins), holds=all_of(holds), **facts)


def _say_which_are_alike(question: Question) -> Lines:
    """Group the moves on the table, or the first moves of a game, that come to the same."""
    match, game = question.match, question.game
    if game is None:
        return ()
    first = match is None or match.over or question.says("first|opening|openings|starts?|begin")
    state = game.start() if match is None or first else match.state
    groups: dict[Any, list[str]] = {}
    moves = game.moves(state)
    for move in moves[:MAX_EXAMINED]:
        text = core.protocol.describe_move(game, state, move)
        groups.setdefault(core.key(game, game.play(state, move)), []).append(text)
    kinds = "; ".join(all_of(group) for group in groups.values())
    few = len(groups) < len(moves) <= MAX_EXAMINED
    return _say(
        "symmetry here",
        question,
        kinds=kinds if few else "",
        number=len(groups),
        whole_number=len(moves),
        unlike=not few,
    )


def _review(question: Question) -> Lines:
    """Go through what the person played, if they have a game on the table."""
    if question.match is None or question.table is None:
        return ()
    return judging.judge_played(question.table, question.line, question.match)


def _say_if_possible(question: Question) -> Lines:
    """Say whether the variant that a line names can be set up."""
    if question.game is None or question.facts["on"]:
        return ()
    options = understand.read_wish(question.plain.split(), question.game.name).options
    try:
        game = registry.build("games", type(question.game), options)
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
    known = {
        " ".join(normalise(n).words): o for o in rules.all_openings() for n in (o.name, *o.also)
    }
    named = [name for name in known if f" {name} " in f" {question.plain} "]
    if sum(len(known[name].moves) == 2 for name in named) > 1:
        return _say("three openings", question)
    if not named:
        some = [opening.name for opening in rules.all_openings() if len(opening.moves) == 5][:6]
        return _say(
            "openings",
            question,
            opening_count=len(rules.all_openings()),
            some_openings=all_of(some),
        )
    opening = known[max(named, key=len)]
    family = (
        rules.find_opening(Othello(), _play(opening.moves[:2])) if len(opening.moves) > 2 else None
    )
    return _say(
        "openings",
        question,
        opening_name=_call(opening),
        opening_moves=" ".join(opening.moves),
        family=_call(family) if family else "",
    )


def _describe_bot(question: Question) -> Lines:
    """Describe the bot that a line asks about, unless its name is only a word there."""
    names = [name for name in find_bots(question.line.words) if name != "benedict"]
    names += ["one-at-a-time"] if question.says("one at a time (?:bot|player)") else []
    if not names:
        return ()
    name = names[0]
    after = rf"(?:bot|player) {name}|{name}(?: (?:bot|player|opponent|do|plays?|works?)|$)"
    if name in ALSO_WORDS and not question.says(after):
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
    if topic == "longest" and question.facts["on"] and question.says("you|i|me|left|until|more"):
        return _say_standing(question)
    solution = solve_once(game)
    held = solution.counts()
    names = {"won": "win", "lost": "loss", "drawn": "draw", "ended": "end"}
    question.facts.update({"counted": True} | {name: held[key] for name, key in names.items()})
    value, number = solution.value(game.start()), sum(solution.counts().values())
    which = "first" if value.outcome == "win" else "second"
    plies = count_plies(value.plies) if value.plies and value.outcome != "draw" else ""
    positions = question.facts.get("positions") or number
    return _say(topic, question, positions=positions, which=which, plies=plies)


def _say_length(question: Question) -> Lines:
    """Say how long and how short a game can be, whichever is asked."""
    long = question.says("most|max|maximum|longest|latest|long")
    short = not long or question.says(r"least|fewest|min|minimum|\w+est(?<!longest)(?<!latest)")
    shortest = _say("shortest", question) if short else ()
    return (*shortest, *_say("longest", question)) if long else shortest


def _list_lost_numbers(question: Question) -> Lines:
    """List the numbers of sticks between two others that are lost for whoever is to move."""
    low, high = (min(each, MAX_NUMBER) for each in sorted([*question.facts["asked"], 1][:2]))
    lost = [n for n in range(low, high + 1) if n % question.facts["whole"] == 1]
    return _say("lost between", question, low=low, high=high, some_lost=all_of(lost))


def _name_openings(question: Question) -> Lines:
    """Name the openings whose first moves a line gives."""
    told = []
    for row in re.findall(r"(?:\b[a-h] [1-8]\b ?(?:then )?){2,}", question.plain):
        moves = re.findall("[a-h][1-8]", row.replace(" ", ""))
        with contextlib.suppress(ParlourError):
            if opening := rules.find_opening(Othello(), _play(moves)):
                verb = "is" if len(moves) == len(opening.moves) else "begins as"
                told.append(f"{' '.join(moves)} {verb} the {_call(opening)}")
    return _say("openings named", question, told="; ".join(told)) if told else ()


def _explain_rules(question: Question) -> Lines:
    game, general = question.game, question.match is None
    if game is None:
        return ()
    return (*core.protocol.rules_text(game, general=general), core.how_to_move(game))


def _say_how_to_improve(question: Question) -> Lines:
    """Say how to get better at the game at hand, or at all of them."""
    known = question.game is not None or SHAPES["of games"].search(question.plain)
    return _say("better", question) if known or question.says("these|those|this") else ()


def _say_value(question: Question) -> Lines:
    """Say who wins: the position on the table, unless the game as a whole is meant."""
    whole = find_game(question.line.words) or SHAPES["as a whole"].search(question.plain)
    return (_say_standing(question) if not whole else ()) or _say_kind("value", question)


def _say_standing(question: Question) -> Lines:
    match, table = question.match, question.table
    if match is None or table is None or match.over:
        return ()
    return knowledge.describe_standing(table, match.game, match.state)


COMPUTED: dict[str, Callable[[Question], Lines]] = {  # by section of expressions, tried in order
    "nim-sum of": _add_numbers,
    **{s: partial(_answer_section, s[7:]) for s in QUESTIONS if s.startswith("surely ")},
    "why leave @ nim": lambda q: (
        (*_add_numbers(q), *_say("why nim-sum", q)) if q.game == Nim(piles=q.game.piles) else ()
    ),
    "two moves": partial(_at_table, judging.compare_moves),
    "split from @ chopsticks": _judge_split,
    "hands named @ chopsticks": _judge_hands,
    "opening reply @ tictactoe": lambda q: (
        judging.judge_opening(q.line) if q.facts["usual"] else ()
    ),
    "standing named": _say_standing,
    "at a loss": lambda q: _explain_rules(q) if q.facts["on"] else (),
    "get better": _say_how_to_improve,
    "flips @ othello": partial(_at_table, judging.count_flips),
    "misere here @ nim": _compare_misere,
    "heap": _judge_heap,
    "mex of": _find_mex,
    "pile number @ nim": _refuse_pile,
    "may i": partial(_at_table, judging.judge_legality),
    "value asked": _say_who_wins,
}
HANDLERS: dict[str, Callable[[Question], Lines]] = {  # by topic
    "length": _say_length,
    "lost between": _list_lost_numbers,
    "openings named": _name_openings,
    "my side": _say_which_side,
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
    "why lost": _review,
    "symmetry here": _say_which_are_alike,
    "nim-sum here": _show_nim_sum,
    "beat here": _say_if_beatable,
    "beaten": lambda q: _say_if_beatable(q) if q.facts["on"] else knowledge.answer_topic("beaten"),
    "bot": _describe_bot,
    "standing": _say_standing,
    "how to move": lambda question: (core.how_to_move(question.game),) if question.game else (),
    "positions": partial(_say_of_whole, "positions"),
    "longest": partial(_say_of_whole, "longest"),
    "value": _say_value,
    "win": partial(_say_kind, "win"),
    "draw": partial(_say_kind, "draw"),
    "rules": _explain_rules,
}
