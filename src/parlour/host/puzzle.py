"""A puzzle in the conversation: asked for, shown, answered by a move, and another offered.

It lies beside everything else: what is said of it is taken only where the line can mean nothing
else, a move is read as in a game, and any other line is answered as if there were no puzzle. It is
put away when a game begins.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from parlour import core, lessons
from parlour.core import Game, ParlourError, TooLarge, Unsolved, Work, capital, one_of, registry
from parlour.host.language import Line, texts
from parlour.host.session import PuzzleAsked, Reply, Session
from parlour.host.understand import GAME_NAMES, Meaning, Scene, read_wish, understand

LINES = partial(texts.fill_lines, "lines/puzzle.txt")
EXPRESSIONS = texts.read_expressions("understand/expressions/puzzles.txt")
LEVELS = {"very hard": 5, "hard": 4, "very easy": 1, "easy": 2}  # in the order they are looked for
SECONDS = 8.0  # for finding one, and for judging an answer
MAX_WORDS = 30  # of a line that asks for one
OPEN = ("show", "another", "board", "stop")
SOLVED = ("another", "stop")


def read_request(line: Line) -> Meaning | None:
    """Read a wish for a puzzle, with the variant and the level that the line names."""
    if len(line.words) > MAX_WORDS or not EXPRESSIONS.match_line("wants a puzzle", line.plain):
        return None
    wish = read_wish(line.words)
    levels = (level for name, level in LEVELS.items() if EXPRESSIONS[name].search(line.plain))
    return Meaning("puzzle", {"game": wish.game, "options": wish.options, "level": next(levels, 0)})


def give(session: Session, meaning: Meaning, here: Game | None) -> Reply:
    """Give a puzzle of the variant that was asked for, else of the one at hand, else of any."""
    slots = meaning.slots
    chance = session.make_random()
    try:
        if slots["game"]:
            game = registry.build("games", slots["game"], slots["options"])
        elif here is not None and here.name in GAME_NAMES:
            game = here
        elif session.puzzle is not None:
            game = _game_of(session.puzzle)
        else:
            game = registry.build("games", chance.choice(_list_games()))
    except ParlourError as error:
        return Reply(session, (f"{capital(str(error))}.",))
    return _find(session, game, int(slots["level"]), chance.randrange(2**31))


def _list_games() -> list[str]:
    """Return the games of which one is drawn where none is named."""
    found = registry.claims("games").items()
    return [name for name, claim in found if core.extra(claim.load(), "puzzle_variants")]


def _find(session: Session, game: Game, level: int, seed: int) -> Reply:
    def find(work: Work) -> list[lessons.Puzzle]:
        wanted = lessons.find_puzzles(game, 1, level=level, seed=seed, work=work) if level else []
        return wanted or lessons.find_puzzles(game, 1, seed=seed, work=work)

    name = core.title(game)
    try:
        found = Work().run_within(SECONDS, find)
    except (TooLarge, Unsolved):
        return Reply(session, LINES("too slow", title=name))
    if not found:
        return Reply(session, LINES("none", title=name))
    puzzle = found[0]
    asked = PuzzleAsked(game.name, core.values(game), game.write(puzzle.state), level)
    word = lessons.LEVELS[puzzle.level - 1]
    told = LINES("asked", title=name, level=word, goal=puzzle.goal, mover=_mover(puzzle))
    if level and puzzle.level != level:
        told = (*LINES("none of that level", title=name, level=lessons.LEVELS[level - 1]), *told)
    return Reply(session.replace(puzzle=asked), told, game.draw(puzzle.state), OPEN)


def _mover(puzzle: lessons.Puzzle) -> str:
    return capital(core.seat_name(puzzle.game, puzzle.game.turn(puzzle.state)))


def _game_of(asked: PuzzleAsked) -> Game:
    game: Game = registry.build("games", asked.game, asked.options)
    return game


# While one is on


def answer(session: Session, line: Line) -> Reply | None:
    """Answer a line that is about the puzzle that is on; None for any other."""
    asked = session.puzzle
    if asked is None or not line.words:
        return None

    def says(name: str) -> bool:
        return bool(EXPRESSIONS[name].fullmatch(line.plain))

    if says("another") or (asked.solved and says("agrees")):
        seed = session.make_random().randrange(2**31)
        return _find(session, _game_of(asked), asked.level, seed)
    if says("stops") or (asked.solved and says("declines")):
        return Reply(session.replace(puzzle=None), LINES("stopped"))
    puzzle = None if asked.solved else _load(asked)
    if puzzle is None:
        return None
    game, state = puzzle.game, puzzle.state
    if says("shows"):
        return _tell(session, puzzle)
    if says("shows the board"):
        return Reply(
            session, LINES("still", goal=puzzle.goal, mover=_mover(puzzle)), game.draw(state), OPEN
        )
    if says("hints"):
        told = LINES("only moves", right=len(puzzle.right), moves=len(game.moves(state)))
        return Reply(session, told, choices=OPEN)
    return _take(session, puzzle, line)


def withdraw_offer(session: Session) -> Session:
    """Offer another no longer, as any question of his lives for one line."""
    solved = session.puzzle is not None and session.puzzle.solved
    return session.replace(puzzle=None) if solved else session


def _load(asked: PuzzleAsked) -> lessons.Puzzle | None:
    try:
        game = _game_of(asked)
        return Work().run_within(
            SECONDS, lambda w: lessons.make_puzzle(game, asked.position, work=w)
        )
    except ParlourError:  # of a game that is not here any more
        return None


def _take(session: Session, puzzle: lessons.Puzzle, line: Line) -> Reply | None:
    """Take a line as the answer, if it is read as a move in a game would be."""
    game, state = puzzle.game, puzzle.state
    meaning = understand(Session(mode="game"), Scene("game", game, state), line)
    if meaning.intent == "illegal":
        reason = str(meaning.slots.get("reason", "")).rstrip(".")
        return Reply(session, LINES("illegal", reason=reason), choices=OPEN) if reason else None
    if meaning.intent == "ask back" and meaning.slots["intent"] == "move":
        move = meaning.slots["slots"].get("is", "")
        return Reply(session, LINES("unsure", move=move), choices=OPEN) if move else None
    if meaning.intent != "move":
        return None
    return _judge(session, puzzle, str(meaning.slots["is"]))


def _judge(session: Session, puzzle: lessons.Puzzle, text: str) -> Reply:
    game = puzzle.game
    move = game.read_move(puzzle.state, text)
    verdict = Work().run_within(SECONDS, lambda work: lessons.judge_answer(puzzle, move, work=work))
    if verdict.is_right:
        lines = (*verdict.sentences, *_name_others(puzzle, move), *LINES("another"))
        return Reply(_solved(session), lines, choices=SOLVED)
    after, lines = game.play(puzzle.state, move), verdict.sentences
    if len(verdict.line) > 1:
        reply = verdict.line[1]
        lines = (*lines, *LINES("refuted", reply=game.write_move(reply)))
        after = game.play(after, reply)
    return Reply(session, (*lines, *LINES("try again")), game.draw(after), OPEN)


def _name_others(puzzle: lessons.Puzzle, move: Any) -> tuple[str, ...]:
    others = [puzzle.game.write_move(each) for each in puzzle.right if each != move]
    return LINES("just as good", others=one_of(others)) if others else ()


def _tell(session: Session, puzzle: lessons.Puzzle) -> Reply:
    """Tell the answer, and why it is right."""
    first = puzzle.right[0]
    verdict = Work().run_within(
        SECONDS, lambda work: lessons.judge_answer(puzzle, first, work=work)
    )
    right = one_of([puzzle.game.write_move(move) for move in puzzle.right])
    lines = (*LINES("answer", right=right), *verdict.sentences, *LINES("another"))
    return Reply(_solved(session), lines, choices=SOLVED)


def _solved(session: Session) -> Session:
    asked = session.puzzle
    return session.replace(puzzle=replace(asked, solved=True) if asked else None)
