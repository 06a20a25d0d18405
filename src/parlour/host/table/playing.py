"""Benedict at the table: what he answers while a game is on.

Every answer is made from the record of the game and from exact values. He moves as soon as it is
his turn, plays a forced pass for the person, and says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from parlour import core
from parlour.core import Game, Match, State, capital, count
from parlour.host.session import Reply, Session, Table
from parlour.host.table import knowledge
from parlour.host.table import state as tables
from parlour.host.table.knowledge import LINES, describe_bot, name_player
from parlour.host.understand import Meaning
from parlour.players import is_estimated

COMMANDS = (
    *("hint", "why", "what if …", "who is winning", "undo", "redo", "rules", "board", "moves"),
    *("history", "harder", "easier", "swap sides", "save", "open the hats", "resign", "leave"),
    "kill",
)
MAX_OFFERED = 12
SMALL_TALK = ("hello", "how", "thanks", "yes", "no", "praise", "patience", "goodbye")


@dataclass(frozen=True)
class At:
    """A line at the table: the session, the table, the match as it stands, and its meaning."""

    session: Session
    table: Table
    match: Match
    meaning: Meaning

    @property
    def game(self) -> Game:
        """The game on the table."""
        return self.match.game

    @property
    def state(self) -> State:
        """The position."""
        return self.match.state

    def say(self, *lines: str, table: Table | None = None, board: bool = False) -> Reply:
        """Answer without a move."""
        session = self.session.replace(table=table) if table else self.session
        picture = knowledge.draw_board(self.table, self.game, self.state) if board else ""
        return Reply(session, lines, board=picture, choices=_list_choices(self.match))


def begin_game(session: Session, table: Table, lines: list[str]) -> Reply:
    """Begin a game; the opponent moves if it is their turn."""
    session = session.replace(mode="game", question="", wished={})
    return _play_on(session, table, tables.load_match(table), lines)


def answer_at_table(session: Session, meaning: Meaning, match: Match | None) -> Reply:
    """Answer a line in a game, given the match as it stands."""
    if session.table is None:
        return Reply(session, LINES("no game"))
    at = At(session, session.table, match or tables.load_match(session.table), meaning)
    if meaning.intent in HANDLERS:
        return HANDLERS[meaning.intent](at)
    if meaning.intent in SMALL_TALK:
        return at.say(*LINES(meaning.intent))
    return at.say(*LINES("ask for move", moves=", ".join(_list_moves(at.match)[:4])))


# Moves


def _play_move(at: At) -> Reply:
    at.match.play(at.game.read_move(at.state, at.meaning.slots["is"]))
    return _play_on(at.session, tables.after_move(at.table, at.match), at.match, [])


def _play_on(session: Session, table: Table, match: Match, lines: list[str]) -> Reply:
    """Let the others move until it is the person's turn, or over; a forced pass is played."""
    game = match.game
    while not match.over:
        seat = match.turn
        move = game.moves(match.state)[0]
        if tables.is_human(table, seat) and game.write_move(move) != "pass":
            board = knowledge.draw_board(table, game, match.state)
            lines += LINES("your move")
            return Reply(session.replace(table=table), tuple(lines), board, _list_choices(match))
        if not tables.is_human(table, seat):
            try:
                seed = session.seed + len(table.moves)
                move = tables.choose_move(table.players[seat], game, match.state, seed)
            except core.Resigns as why:
                match.stop(seat, f"resigned: {why}")
                break
        lines.append(knowledge.describe_play(table, seat, game, game.write_move(move)))
        match.play(move)
        table = tables.after_move(table, match)
    return _finish(session, table, match, lines)


def _finish(session: Session, table: Table, match: Match, lines: list[str]) -> Reply:
    watched = tables.find_person(table) is None
    table = tables.end_game(table, match)
    return Reply(
        session.replace(table=table, mode="chat", question="" if watched else "again"),
        (*lines, knowledge.describe_ending(table, match), *(() if watched else LINES("again"))),
        knowledge.draw_board(table, match.game, match.state),
        choices=("yes", "no", "why", "undo", "game", "goodbye"),
    )


def _list_moves(match: Match) -> list[str]:
    moves = match.game.moves(match.state)
    return [match.game.write_move(moves[at]) for at in range(min(len(moves), MAX_OFFERED))]


def _list_choices(match: Match) -> tuple[str, ...]:
    return (*_list_moves(match), *COMMANDS, "help", "goodbye")


# Questions


def _explain(at: At) -> Reply:
    """Explain the last move, his or the person's; before any, the position."""
    *_, before, _ = [None, *at.match.record.replay(at.game)]
    if before is None:
        why = _name_people(at, at.table, at.state, knowledge.explain_move(at.game, at.state))
        if is_estimated(at.game, at.state):
            return at.say(*why)
        return at.say(*knowledge.describe_standing(at.table, at.game, at.state), *why)
    state, move = before
    table = tables.restore_seats(at.table, len(at.table.moves) - 1)
    lines = _name_people(at, table, state, knowledge.explain_move(at.game, state, move))
    who = name_player(table, at.game.turn(state), at.game)
    if who == "I" and is_estimated(at.game, state):
        lines += LINES("promised")
    return at.say(capital(f"{who} played {at.game.write_move(move)}."), *lines)


def _name_people(at: At, table: Table, state: State, sentences: list[str]) -> list[str]:
    mover = at.game.turn(state)
    return [knowledge.name_people(each, table, at.game, mover) for each in sentences]


def _explain_what_if(at: At) -> Reply:
    move = at.game.read_move(at.state, at.meaning.slots["move"])
    reasons = knowledge.explain_move(at.game, at.state, move, line=True)
    lines = _name_people(at, at.table, at.state, reasons)
    return at.say(*(line.replace("That turned a", "That would turn a") for line in lines))


def _say_who_is_winning(at: At) -> Reply:
    if at.match.over:
        ending = knowledge.describe_ending(at.table, at.match)
        return at.say(" ".join((*LINES("over"), ending)))
    return at.say(*knowledge.describe_standing(at.table, at.game, at.state))


def _list_history(at: At) -> Reply:
    lines = []
    for number, (state, move) in enumerate(at.match.record.replay(at.game)):
        if move is not None:
            table = tables.restore_seats(at.table, number)
            who = name_player(table, at.game.turn(state), at.game)
            lines.append(f"{number + 1}. {who}: {at.game.write_move(move)}")
    return at.say(*(lines or LINES("no moves yet")))


def _show_moves(at: At) -> Reply:
    number = len(at.game.moves(at.state))
    more = "" if number <= MAX_OFFERED else f", … ({number} in all)"
    return at.say(*LINES("moves", moves=", ".join(_list_moves(at.match)), more=more))


def _open_hats(at: At) -> Reply:
    text = tables.find_opponent(at.table)
    player = core.read_bot(text if text.startswith("hats") else "hats seed=0")
    if not player.plays(at.game):
        return at.say(*LINES("no hats"))
    try:
        inside = str(player.inside(at.game, at.state))  # type: ignore[attr-defined]  # hats have it
    except core.ParlourError as refusal:
        return at.say(f"{capital(str(refusal))}.")
    return at.say(*inside.split("\n"))


# Changes


def _undo(at: At) -> Reply:
    back = tables.undo_moves(at.table, at.match)
    if back is None:
        return at.say(*LINES("nothing to undo"))
    moves = count(len(at.table.moves) - len(back.moves), "move")
    session = at.session.replace(mode="game", question="")
    return _play_on(session, back, tables.load_match(back), [*LINES("undone", moves=moves)])


def _redo(at: At) -> Reply:
    again = tables.redo_moves(at.table)
    if again is None:
        return at.say(*LINES("nothing to redo"))
    moves = count(len(again.moves) - len(at.table.moves), "move")
    return _play_on(at.session, again, tables.load_match(again), [*LINES("redone", moves=moves)])


def _swap(at: At) -> Reply:
    if at.game.seats != 2:
        return at.say(*LINES("only two swap"))
    table = tables.swap_seats(at.table)
    lines = [*LINES("swapped"), *knowledge.describe_marks(table, at.game)]
    return _play_on(at.session, table, at.match, lines)


def _change_level(at: At, by: int) -> Reply:
    text = tables.step_opponent(at.table, at.game, by)
    if text != tables.find_opponent(at.table):
        return _change_opponent(at, text)
    slow = " quickly" if tables.find_custom(at.game).counts_discs else ""
    return at.say(*LINES(f"nobody better{slow}" if by > 0 else "nobody weaker"))


def _set_level(at: At) -> Reply:
    if at.meaning.slots["n"] not in tables.LEVELS:
        return at.say(*LINES("levels", low=tables.LEVELS[0], high=tables.LEVELS[-1]))
    text = tables.name_bot("", int(at.meaning.slots["n"]), at.game)
    if not tables.describe_strength(text, at.game):
        return at.say(*LINES("no levels"))
    return _change_opponent(at, text)


def _change_opponent(at: At, text: str) -> Reply:
    table = tables.replace_opponent(at.table, text)
    bot = describe_bot(text) + ("," if "," in describe_bot(text) else "")
    when = "for the next one" if at.match.over else "from now on"
    return at.say(*LINES("opponent", bot=bot, when=when), table=table)


def put_aside(session: Session) -> tuple[Session, tuple[str, ...]]:
    """Put the game aside, if one is on, and say so."""
    if session.mode != "game" or session.table is None:
        return session, ()
    instead = "" if session.saved is None else ", in place of the one before"
    after = session.replace(saved=session.table, table=None, mode="chat", question="")
    return after, LINES("aside", instead=instead)


def _leave(at: At) -> Reply:
    return Reply(
        at.session.replace(table=None, mode="chat", question=""),
        LINES("left"),
        choices=("game", "let's have a conversation", "goodbye"),
    )


def _resign(at: At) -> Reply:
    seat = tables.find_person(at.table)
    at.match.stop(at.match.turn if seat is None else seat, "resigned")
    return _finish(at.session, at.table, at.match, [])


def _help(at: At) -> Reply:
    moves = ", ".join(_list_moves(at.match)[:3])
    return at.say(*LINES("help", moves=moves, commands=", ".join(COMMANDS)))


HANDLERS: dict[str, Callable[[At], Reply]] = {
    "move": _play_move,
    "illegal": lambda at: at.say(f"{capital(str(at.meaning.slots['reason'])).rstrip('.')}."),
    "hint": lambda at: at.say(*knowledge.advise(at.game, at.state, at.session.seed)),
    "why": _explain,
    "what-if": _explain_what_if,
    "winning": _say_who_is_winning,
    "rules": lambda at: at.say(*core.rules_text(at.game), core.how_to_move(at.game)),
    "board": lambda at: at.say(*LINES("over" if at.match.over else "your move"), board=True),
    "history": _list_history,
    "moves": _show_moves,
    "hats": _open_hats,
    "undo": _undo,
    "redo": _redo,
    "swap": _swap,
    "harder": partial(_change_level, by=+1),
    "easier": partial(_change_level, by=-1),
    "level": _set_level,
    "save": lambda at: Reply(*put_aside(at.session), choices=("resume", "game", "goodbye")),
    "leave": _leave,
    "done": _leave,
    "resign": _resign,
    "kill": lambda at: Reply(
        at.session.replace(table=None, mode="chat", over=True), LINES("killed")
    ),
    "help": _help,
    "turn": lambda at: at.say(*LINES("turn", bot=describe_bot(tables.find_opponent(at.table)))),
    "drastic": lambda at: at.say(*LINES(f"confirm {at.meaning.slots['command']}")),
}
