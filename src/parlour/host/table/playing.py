"""Benedict at the table: what he answers while a game is on.

Every answer is made from the record of the game and from exact values. He moves as soon as it is
his turn, plays a forced pass for the person, and says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from parlour import core
from parlour.core import Game, Match, State, capital, count
from parlour.host.language import Line, texts
from parlour.host.session import CHOICES, HostTable, Reply, Session
from parlour.host.table import knowledge
from parlour.host.table import state as tables
from parlour.host.table.knowledge import LINES, describe_bot
from parlour.host.understand import Meaning
from parlour.players import is_estimated

SHAPES = texts.read_expressions("understand/expressions/reviews.txt")
COMMANDS = (
    *("hint", "why", "what if …", "who is winning", "undo", "redo", "rules", "board", "moves"),
    *("history", "harder", "easier", "swap sides", "save", "open the hats", "resign", "leave"),
    "kill",
)
MOVE_WORDS = texts.read_words("understand/words/intents.txt")["moves"]
MAX_OFFERED = 12
NEEDS_SLOTS = ("move", "illegal", "unclear", "what-if", "level")  # not answered without
JUDGES = ("hint", "winning", "why")  # intents that judge the position on the table
SHOWN = ("board", "turn", "history", "patience")  # intents that are answered by what can be seen
FEW = 4  # words
NO_LINE = Line("", ())
SMALL_TALK = ("yes", "no", "goodbye")


@dataclass(frozen=True)
class TableTurn:
    """A line at the table: the session, the table, the match as it stands, and its meaning."""

    session: Session
    table: HostTable
    match: Match
    meaning: Meaning
    line: Line

    @property
    def game(self) -> Game:
        """The game on the table."""
        return self.match.game

    @property
    def state(self) -> State:
        """The position."""
        return self.match.state

    def say(self, *lines: str, table: HostTable | None = None, board: bool = False) -> Reply:
        """Answer without a move."""
        session = self.session.replace(table=table) if table else self.session
        picture = knowledge.draw_board(self.table, self.game, self.state) if board else ""
        return Reply(session, lines, board=picture, choices=_list_choices(self.match))


def begin_game(session: Session, table: HostTable, lines: list[str]) -> Reply:
    """Begin a game; the opponent moves if it is their turn."""
    session = session.replace(mode="game", question="", wished={})
    return _play_on(session, table, tables.load_match(table), lines)


def answer_at_table(
    session: Session, meaning: Meaning, match: Match | None, line: Line = NO_LINE
) -> Reply:
    """Answer a line in a game, given the match as it stands."""
    if session.table is None:
        return Reply(session, LINES("no game"))
    match = match or tables.load_match(session.table)
    turn = TableTurn(session, session.table, match, meaning, line)
    if meaning.intent in JUDGES and SHAPES["elsewhere"].search(line.plain):
        return turn.say(*LINES("another position"))
    asks = meaning.intent in SHOWN and len(line.words) > FEW and SHAPES["asks"].search(line.plain)
    if asks and not SHAPES["of the table"].search(line.plain):
        return turn.say(*LINES("not known at the table"))
    if meaning.intent in HANDLERS and not (meaning.intent in NEEDS_SLOTS and not meaning.slots):
        return HANDLERS[meaning.intent](turn)
    if meaning.intent in SMALL_TALK:
        return turn.say(*LINES(meaning.intent))
    lines = LINES("ask for move", moves=", ".join(_list_moves(turn.match)[:4]))
    wanted = meaning.intent in NEEDS_SLOTS and MOVE_WORDS & set(line.words)
    return turn.say(*(lines[1:] if wanted else lines))


# Moves


def _play_move(turn: TableTurn) -> Reply:
    turn.match.play(turn.game.read_move(turn.state, turn.meaning.slots["is"]))
    lines = knowledge.name_newly_out(turn.table, turn.match)
    return _play_on(turn.session, tables.after_move(turn.table, turn.match), turn.match, lines)


def _refuse_move(turn: TableTurn) -> Reply:
    """Say why a sentence is not a move here."""
    return turn.say(f"{capital(str(turn.meaning.slots['reason'])).rstrip('.')}.")


def _play_on(session: Session, table: HostTable, match: Match, lines: list[str]) -> Reply:
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
            except core.Resigns as error:
                match.resign(seat, error)
                break
        text = core.protocol.describe_move(game, match.state, move)
        lines.append(knowledge.describe_play(table, seat, game, text))
        match.play(move)
        lines += knowledge.name_newly_out(table, match)
        table = tables.after_move(table, match)
    return _finish(session, table, match, lines)


def _finish(session: Session, table: HostTable, match: Match, lines: list[str]) -> Reply:
    watched = tables.find_person(table) is None
    table = tables.end_game(table, match)
    return Reply(
        session.replace(table=table, mode="chat", question="" if watched else "again"),
        (*lines, knowledge.describe_ending(table, match), *(() if watched else LINES("again"))),
        knowledge.draw_board(table, match.game, match.state),
        choices=("yes", "no", "why", "undo", "game", "goodbye"),
    )


def _list_moves(match: Match) -> list[str]:
    game, moves = match.game, match.game.moves(match.state)
    shown = range(min(len(moves), MAX_OFFERED))
    return [core.protocol.describe_move(game, match.state, moves[at]) for at in shown]


def _list_choices(match: Match) -> tuple[str, ...]:
    return (*_list_moves(match), *COMMANDS, "help", "goodbye")


# Questions


def _explain(turn: TableTurn) -> Reply:
    """Explain the last move, his or the person's; before any, the position."""
    played = tables.list_played(turn.table, turn.match)
    if not played:
        why = knowledge.explain_move(turn.table, turn.game, turn.state)
        if is_estimated(turn.game, turn.state):
            return turn.say(*why)
        return turn.say(*knowledge.describe_standing(turn.table, turn.game, turn.state), *why)
    last = played[-1]
    lines = knowledge.explain_move(last.table, turn.game, last.state, last.move)
    who = knowledge.name_mover(last, turn.game)
    if who == "I" and is_estimated(turn.game, last.state):
        lines += LINES("promised")
    return turn.say(capital(f"{who} played {last.text}."), *lines)


def _explain_what_if(turn: TableTurn) -> Reply:
    move = turn.game.read_move(turn.state, turn.meaning.slots["move"])
    why = knowledge.explain_move(turn.table, turn.game, turn.state, move, supposed=True)
    if not SHAPES["asks what is left"].search(turn.line.plain):
        return turn.say(*why)
    after = turn.game.play(turn.state, move)
    drawn = knowledge.draw_board(turn.table, turn.game, after).splitlines()
    return turn.say(*LINES("after it", move=turn.meaning.slots["move"]), *drawn, *why)


def _say_who_is_winning(turn: TableTurn) -> Reply:
    if turn.match.over:
        ending = knowledge.describe_ending(turn.table, turn.match)
        return turn.say(" ".join((*LINES("over"), ending)))
    return turn.say(*knowledge.describe_standing(turn.table, turn.game, turn.state))


def _list_history(turn: TableTurn) -> Reply:
    played = enumerate(tables.list_played(turn.table, turn.match), start=1)
    lines = [f"{at}. {knowledge.name_mover(each, turn.game)}: {each.text}" for at, each in played]
    return turn.say(*(lines or LINES("no moves yet")))


def _show_moves(turn: TableTurn) -> Reply:
    number = len(turn.game.moves(turn.state))
    more = "" if number <= MAX_OFFERED else f", … ({number} in all)"
    return turn.say(*LINES("moves", moves=", ".join(_list_moves(turn.match)), more=more))


def _open_hats(turn: TableTurn) -> Reply:
    text = tables.find_opponent(turn.table)
    text = text if text.startswith("hats") else "hats"
    if not tables.describe_strength(text, turn.game):
        return turn.say(*LINES("no hats"))
    try:
        player = tables.seat_bot(text, turn.game, 0)
        inside = str(player.inside(turn.game, turn.state))
    except core.ParlourError as error:
        return turn.say(f"{capital(str(error))}.")
    return turn.say(*inside.split("\n"))


# Changes


def _undo(turn: TableTurn) -> Reply:
    back = tables.undo_moves(turn.table, turn.match)
    if back is None:
        return turn.say(*LINES("nothing to undo"))
    moves = count(len(turn.table.moves) - len(back.moves), "move")
    session = turn.session.replace(mode="game", question="")
    return _play_on(session, back, tables.load_match(back), [*LINES("undone", moves=moves)])


def _redo(turn: TableTurn) -> Reply:
    again = tables.redo_moves(turn.table)
    if again is None:
        return turn.say(*LINES("nothing to redo"))
    moves = count(len(again.moves) - len(turn.table.moves), "move")
    return _play_on(turn.session, again, tables.load_match(again), [*LINES("redone", moves=moves)])


def _swap(turn: TableTurn) -> Reply:
    if turn.game.seats != 2:
        return turn.say(*LINES("only two swap"))
    table = tables.swap_seats(turn.table)
    lines = [*LINES("swapped"), *knowledge.describe_marks(table, turn.game)]
    return _play_on(turn.session, table, turn.match, lines)


def _change_level(turn: TableTurn, by: int) -> Reply:
    text = tables.step_opponent(turn.table, turn.game, by)
    if text != tables.find_opponent(turn.table):
        return _change_opponent(turn, text)
    slow = " quickly" if tables.counts_discs(turn.game) else ""
    return turn.say(*LINES(f"nobody better{slow}" if by > 0 else "nobody weaker"))


def _set_level(turn: TableTurn) -> Reply:
    if turn.meaning.slots["n"] not in tables.LEVELS:
        return turn.say(*LINES("levels", low=tables.LEVELS[0], high=tables.LEVELS[-1]))
    text = tables.name_bot("", int(turn.meaning.slots["n"]), turn.game)
    if not tables.describe_strength(text, turn.game):
        return turn.say(*LINES("no levels"))
    return _change_opponent(turn, text)


def _change_opponent(turn: TableTurn, text: str) -> Reply:
    seats = (player if player == tables.HUMAN else text for player in turn.table.players)
    table = replace(turn.table, players=tuple(seats))
    bot = describe_bot(text) + ("," if "," in describe_bot(text) else "")
    when = "for the next one" if turn.match.over else "from now on"
    return turn.say(*LINES("opponent", bot=bot, when=when), table=table)


def put_aside(session: Session) -> tuple[Session, tuple[str, ...]]:
    """Put the game aside, if one is on, and say so."""
    if session.mode != "game" or session.table is None:
        return session, ()
    instead = "" if session.saved is None else ", in place of the one before"
    after = session.replace(saved=session.table, table=None, mode="chat", question="")
    return after, LINES("aside", instead=instead)


def resume(session: Session) -> Reply:
    """Go on with the game put aside; one that is on is put aside instead."""
    if session.saved is None:
        return Reply(session, LINES("nothing to resume"), choices=CHOICES)
    now = session.table if session.mode == "game" else None
    name = knowledge.name_variant(tables.load_game(session.saved))
    lines = [*LINES("resumed", game=name), *(LINES("resumed instead") if now else ())]
    return begin_game(session.replace(saved=now), session.saved, lines)


def _say_whose_turn(turn: TableTurn) -> Reply:
    bot = describe_bot(tables.find_opponent(turn.table))
    return turn.say(*(LINES("turn") if bot == "benedict" else LINES("turn against", bot=bot)))


def _leave(turn: TableTurn) -> Reply:
    return Reply(
        turn.session.replace(table=None, mode="chat", question=""),
        LINES("left"),
        choices=("game", "let's have a conversation", "goodbye"),
    )


def _resign(turn: TableTurn) -> Reply:
    seat = tables.find_person(turn.table)
    turn.match.resign(turn.match.turn if seat is None else seat)
    return _finish(turn.session, turn.table, turn.match, [])


def _help(turn: TableTurn) -> Reply:
    moves = ", ".join(_list_moves(turn.match)[:3])
    return turn.say(*LINES("help", moves=moves, commands=", ".join(COMMANDS)))


HANDLERS: dict[str, Callable[[TableTurn], Reply]] = {
    "move": _play_move,
    "illegal": _refuse_move,
    "unclear": _refuse_move,
    "hint": lambda turn: turn.say(
        *knowledge.advise(turn.table, turn.game, turn.state, turn.session.seed)
    ),
    "why": _explain,
    "what-if": _explain_what_if,
    "winning": _say_who_is_winning,
    "rules": lambda turn: Reply(
        turn.session, *knowledge.explain_rules(turn.game), choices=_list_choices(turn.match)
    ),
    "board": lambda turn: turn.say(*LINES("over" if turn.match.over else "your move"), board=True),
    "history": _list_history,
    "moves": _show_moves,
    "hats": _open_hats,
    "undo": _undo,
    "redo": _redo,
    "swap": _swap,
    "harder": partial(_change_level, by=+1),
    "easier": partial(_change_level, by=-1),
    "level": _set_level,
    "save": lambda turn: Reply(*put_aside(turn.session), choices=("resume", "game", "goodbye")),
    "leave": _leave,
    "done": _leave,
    "resign": _resign,
    "kill": lambda turn: Reply(
        turn.session.replace(table=None, mode="chat", over=True), LINES("killed")
    ),
    "help": _help,
    "turn": _say_whose_turn,
    "drastic": lambda turn: turn.say(*LINES(f"confirm {turn.meaning.slots['command']}")),
}
