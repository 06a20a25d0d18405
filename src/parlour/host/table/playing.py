"""Benedict at the table: what he answers while a game is on.

Every answer is made from the record of the game and from exact values. He moves as soon as it is
his turn, plays a forced pass for the person, and says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from parlour.core import (
    Game,
    Match,
    ParlourError,
    Resigns,
    State,
    capital,
    count,
    how_to_move,
    read_bot,
    rules_text,
)
from parlour.host.session import Reply, Session, Table
from parlour.host.table import state as tables
from parlour.host.table import words
from parlour.host.understand import Meaning
from parlour.players import is_estimated

COMMANDS = (
    *("hint", "why", "what if …", "who is winning", "undo", "redo", "rules", "board", "moves"),
    *("history", "harder", "easier", "swap sides", "save", "open the hats", "resign", "leave"),
    "kill",
)
MOST_OFFERED = 12


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
        picture = words.draw_board(self.table, self.game, self.state) if board else ""
        return Reply(session, lines, board=picture, choices=_list_choices(self.match))


def begin_game(session: Session, table: Table, lines: list[str]) -> Reply:
    """Begin a game; the opponent moves if it is their turn."""
    session = session.replace(mode="game", question="", wished={})
    return _play_on(session, table, tables.load_match(table), lines)


def answer_at_table(session: Session, meaning: Meaning, match: Match | None) -> Reply:
    """Answer a line in a game, given the match as it stands."""
    if session.table is None:
        return Reply(session, ("There is no game on the table.",))
    at = At(session, session.table, match or tables.load_match(session.table), meaning)
    return HANDLERS.get(meaning.intent, _ask_for_move)(at)


def _ask_for_move(at: At) -> Reply:
    some = ", ".join(_list_moves(at.game, at.state)[:4])
    return at.say("I don't understand", f"Say a move, like {some}, or help.")


# Moves


def _play_move(at: At) -> Reply:
    at.match.play(at.game.read_move(at.state, at.meaning.slots["is"]))
    return _play_on(at.session, tables.after_move(at.table, at.match), at.match, [])


def _refuse_move(at: At) -> Reply:
    reason = capital(str(at.meaning.slots["reason"]))
    return at.say(f"{reason.rstrip('.')}.")


def _play_on(session: Session, table: Table, match: Match, lines: list[str]) -> Reply:
    """Let the others move until it is the person's turn, or over; a forced pass is played."""
    game = match.game
    while not match.over:
        seat = match.turn
        if tables.is_human(table, seat):
            move = game.moves(match.state)[0]
            if game.write_move(move) != "pass":
                board = words.draw_board(table, game, match.state)
                session = session.replace(table=table)
                lines.append("Your move.")
                return Reply(session, tuple(lines), board=board, choices=_list_choices(match))
        else:
            try:
                seed = session.seed + len(table.moves)
                move = tables.choose_move(table.players[seat], game, match.state, seed)
            except Resigns as why:
                table = tables.stop_game(table, match, seat, f"resigned: {why}")
                continue
        lines.append(words.describe_play(table, seat, game, game.write_move(move)))
        match.play(move)
        table = tables.after_move(table, match)
    return _finish(session, table, match, lines)


def _finish(session: Session, table: Table, match: Match, lines: list[str]) -> Reply:
    watched = tables.find_person(table) is None
    lines = [
        *lines,
        words.describe_ending(table, match),
        *([] if watched else ["Shall we play again?"]),
    ]
    return Reply(
        session.replace(table=table, mode="chat", question="" if watched else "again"),
        tuple(lines),
        board=words.draw_board(table, match.game, match.state),
        choices=("yes", "no", "why", "undo", "game", "goodbye"),
    )


def _list_moves(game: Game, state: State) -> list[str]:
    moves = game.moves(state)
    return [game.write_move(moves[at]) for at in range(min(len(moves), MOST_OFFERED))]


def _list_choices(match: Match) -> tuple[str, ...]:
    return (*_list_moves(match.game, match.state), *COMMANDS, "help", "goodbye")


# Questions


def _give_hint(at: At) -> Reply:
    return at.say(*words.advise(at.game, at.state, at.session.seed))


def _explain(at: At) -> Reply:
    """Explain the last move, his or the person's; before any, the position."""
    *_, before, _ = [None, *at.match.record.replay(at.game)]
    if before is None:
        why = _name_people(at, at.table, at.state, words.explain_move(at.game, at.state))
        if is_estimated(at.game, at.state):
            return at.say(*why)
        return at.say(*words.describe_standing(at.table, at.game, at.state), *why)
    state, move = before
    table = tables.restore_seats(at.table, len(at.table.moves) - 1)
    lines = _name_people(at, table, state, words.explain_move(at.game, state, move))
    who = words.name_player(table, at.game.turn(state), at.game)
    if who == "I" and is_estimated(at.game, state):
        lines.append(
            "It promised the most of what I saw a few moves ahead; that is an estimate (≈)."
        )
    return at.say(capital(f"{who} played {at.game.write_move(move)}."), *lines)


def _name_people(at: At, table: Table, state: State, sentences: list[str]) -> list[str]:
    """Put the people at the table into the reasons for a move."""
    if at.game.seats != 2:
        return sentences
    mover = at.game.turn(state)
    names = [words.name_player(table, seat, at.game) for seat in (mover, 1 - mover)]
    return [words.name_seats(words.name_people(s, *names), table, at.game) for s in sentences]


def _explain_what_if(at: At) -> Reply:
    move = at.game.read_move(at.state, at.meaning.slots["move"])
    reasons = words.explain_move(at.game, at.state, move, line=True)
    lines = _name_people(at, at.table, at.state, reasons)
    return at.say(*(line.replace("That turned a", "That would turn a") for line in lines))


def _say_who_is_winning(at: At) -> Reply:
    if at.match.over:
        return at.say(f"It is over. {words.describe_ending(at.table, at.match)}")
    return at.say(*words.describe_standing(at.table, at.game, at.state))


def _explain_rules(at: At) -> Reply:
    return at.say(*rules_text(at.game), how_to_move(at.game))


def _show_board(at: At) -> Reply:
    return at.say("It is over." if at.match.over else "Your move.", board=True)


def _say_turn(at: At) -> Reply:
    against = describe_bot(tables.find_opponent(at.table))
    return at.say(f"It is your move. You play against {against}.")


def _confirm(at: At) -> Reply:
    command = str(at.meaning.slots["command"])
    does = {
        "resign": "gives this game up",
        "kill": "ends the game and the program",
        "leave": "leaves this game",
        "save": "puts this game aside for later",
        "swap": "turns the table: you play my side",
    }[command]
    return at.say(f"{capital(command)} {does}. Say just {command}, and I shall do it.")


def _list_history(at: At) -> Reply:
    lines = []
    for number, (state, move) in enumerate(at.match.record.replay(at.game)):
        if move is not None:
            table = tables.restore_seats(at.table, number)
            who = words.name_player(table, at.game.turn(state), at.game)
            lines.append(f"{number + 1}. {who}: {at.game.write_move(move)}")
    return at.say(*(lines or ["No move has been made yet."]))


def _show_moves(at: At) -> Reply:
    number = len(at.game.moves(at.state))
    more = "" if number <= MOST_OFFERED else f", … ({number} in all)"
    return at.say(f"You may play {', '.join(_list_moves(at.game, at.state))}{more}.")


def _open_hats(at: At) -> Reply:
    text = tables.find_opponent(at.table)
    player = read_bot(text if text.startswith("hats") else "hats seed=0")
    if not player.plays(at.game):
        return at.say("There are no hats for this game: it has too many situations.")
    try:
        inside = str(player.inside(at.game, at.state))  # type: ignore[attr-defined]  # hats have it
    except ParlourError as refusal:
        return at.say(f"{capital(str(refusal))}.")
    return at.say(*inside.split("\n"))


# Changes


def _undo(at: At) -> Reply:
    back = tables.undo_moves(at.table, at.match)
    if back is None:
        return at.say("There is nothing to take back.")
    gone = len(at.table.moves) - len(back.moves)
    session = at.session.replace(mode="game", question="")
    lines = [f"Taken back: {count(gone, 'move')}."]
    return _play_on(session, back, tables.load_match(back), lines)


def _redo(at: At) -> Reply:
    again = tables.redo_moves(at.table)
    if again is None:
        return at.say("There is nothing to play again.")
    number = len(again.moves) - len(at.table.moves)
    lines = [f"Played again: {count(number, 'move')}."]
    return _play_on(at.session, again, tables.load_match(again), lines)


def _swap(at: At) -> Reply:
    if at.game.seats != 2:
        return at.say("Only two can swap sides.")
    table = tables.swap_seats(at.table)
    lines = ["Sides are swapped.", *words.describe_marks(table, at.game)]
    return _play_on(at.session, table, at.match, lines)


def _change_level(by: int) -> Callable[[At], Reply]:
    def change(at: At) -> Reply:
        text = tables.step_opponent(at.table, at.game, by)
        if text == tables.find_opponent(at.table):
            slow = " who answers quickly" if at.game.name == "othello" else ""
            return at.say(f"I know nobody better{slow}." if by > 0 else "I know nobody weaker.")
        return _change_opponent(at, text)

    return change


def _set_level(at: At) -> Reply:
    if at.meaning.slots["n"] not in tables.LEVELS:
        return at.say(f"Levels go from {tables.LEVELS[0]} to {tables.LEVELS[-1]}.")
    text = tables.name_bot("", int(at.meaning.slots["n"]), at.game)
    if not tables.describe_strength(text, at.game):
        return at.say("There are no levels in this game; say harder or easier.")
    return _change_opponent(at, text)


def _change_opponent(at: At, text: str) -> Reply:
    table = tables.replace_opponent(at.table, text)
    when = "for the next one" if at.match.over else "from now on"
    bot = describe_bot(text)
    return at.say(f"As you like: {bot}{',' if ',' in bot else ''} {when}.", table=table)


def describe_bot(text: str) -> str:
    """Describe a bot and its options in words: `perfect, level 3`."""
    name, _, option = text.partition(" ")
    return f"{name}, {option.replace('=', ' ')}" if option else name


def _save(at: At) -> Reply:
    return Reply(
        at.session.replace(saved=at.table, table=None, mode="chat", question=""),
        (_describe_aside(at.session),),
        choices=("resume", "game", "goodbye"),
    )


def _describe_aside(session: Session) -> str:
    instead = "" if session.saved is None else ", in place of the one before"
    return f"I put it aside{instead}. Say resume when you want to go on."


def put_aside(session: Session) -> tuple[Session, tuple[str, ...]]:
    """Put the game aside, if one is on, and say so."""
    if session.mode != "game" or session.table is None:
        return session, ()
    lines = (_describe_aside(session),)
    return session.replace(saved=session.table, table=None, mode="chat", question=""), lines


def _leave(at: At) -> Reply:
    return Reply(
        at.session.replace(table=None, mode="chat", question=""),
        ("Let us leave it there. A game, or a conversation?",),
        choices=("game", "let's have a conversation", "goodbye"),
    )


def _resign(at: At) -> Reply:
    seat = tables.find_person(at.table)
    table = tables.stop_game(
        at.table, at.match, at.match.turn if seat is None else seat, "resigned"
    )
    return _finish(at.session, table, at.match, [])


def _kill(at: At) -> Reply:
    return Reply(at.session.replace(table=None, mode="chat", over=True), ("Goodbye",))


def _goodbye(at: At) -> Reply:
    return at.say(
        "We are in a game: leave leaves it, save keeps it, and kill ends it and the program."
    )


def _help(at: At) -> Reply:
    some = ", ".join(_list_moves(at.game, at.state)[:3])
    return at.say(
        f"Say a move, like {some}, in these or your own words.",
        f"Or one of: {', '.join(COMMANDS)}.",
    )


def _reply_with(text: str) -> Callable[[At], Reply]:
    return lambda at: at.say(text)


HANDLERS: dict[str, Callable[[At], Reply]] = {
    "move": _play_move,
    "illegal": _refuse_move,
    "hint": _give_hint,
    "why": _explain,
    "what-if": _explain_what_if,
    "winning": _say_who_is_winning,
    "rules": _explain_rules,
    "board": _show_board,
    "history": _list_history,
    "moves": _show_moves,
    "hats": _open_hats,
    "undo": _undo,
    "redo": _redo,
    "swap": _swap,
    "harder": _change_level(+1),
    "easier": _change_level(-1),
    "level": _set_level,
    "save": _save,
    "leave": _leave,
    "done": _leave,
    "resign": _resign,
    "kill": _kill,
    "goodbye": _goodbye,
    "help": _help,
    "turn": _say_turn,
    "drastic": _confirm,
    "praise": _reply_with("Thank you."),
    "patience": _reply_with("Take your time."),
    "hello": _reply_with("Hello"),
    "how": _reply_with("Well, thank you; ask me again after the game."),
    "thanks": _reply_with("You are welcome. Your move."),
    "yes": _reply_with("Good. Your move."),
    "no": _reply_with("As you like. Your move."),
}
