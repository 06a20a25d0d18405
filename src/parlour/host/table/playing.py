"""Benedict at the table: what he answers while a game is on.

Every answer is made from the record of the game and from the truth about it. He moves as soon as it
is his turn, plays a forced pass for the person, and says so.
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
    """A line at the table: the session, the table, the match as it stands, and what was meant."""

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
        session = self.session.but(table=table) if table else self.session
        shown = words.board(self.table, self.game, self.state) if board else ""
        return Reply(session, lines, board=shown, choices=_choices(self.match))


def begun(session: Session, table: Table, lines: list[str]) -> Reply:
    """A game begins: whoever is to move moves."""
    return _answered(session.but(mode="game", question="", wished={}), table, lines)


def at_table(session: Session, meaning: Meaning) -> Reply:
    """What he answers to a line in a game."""
    if session.table is None:
        return Reply(session, ("There is no game on the table.",))
    at = At(session, session.table, tables.match_of(session.table), meaning)
    return ANSWERS.get(meaning.intent, _lost)(at)


def _lost(at: At) -> Reply:
    some = ", ".join(_possible(at.game, at.state)[:4])
    return at.say("I don't understand", f"Say a move, like {some}, or help.")


# Moves


def _moved(at: At) -> Reply:
    move = at.game.read_move(at.state, at.meaning.slots["is"])
    return _answered(at.session, tables.moved(at.table, at.match, move), [])


def _illegal(at: At) -> Reply:
    reason = words.capital(str(at.meaning.slots["reason"]))
    return at.say(f"{reason.rstrip('.')}.")


def _answered(session: Session, table: Table, lines: list[str]) -> Reply:
    """Let everybody else move until it is the person's turn or over."""
    game = tables.game_of(table)
    while True:
        match = tables.match_of(table, game)
        seat = match.turn
        if match.over:
            return _finished(session, table, match, lines)
        if tables.is_human(table, seat):
            move = game.moves(match.state)[0]
            if game.name != "othello" or game.write_move(move) != "pass":
                return _turn(session.but(table=table), table, match, lines)
        else:
            try:
                seed = session.seed + len(table.moves)
                move = tables.chosen(table.players[seat], game, match.state, seed)
            except Resigns as why:
                table = tables.stopped(table, match, seat, f"resigned: {why}")
                continue
        lines.append(words.plays(table, seat, game, game.write_move(move)))
        table = tables.moved(table, match, move)


def _turn(session: Session, table: Table, match: Match, lines: list[str]) -> Reply:
    board = words.board(table, match.game, match.state)
    return Reply(session, (*lines, "Your move."), board=board, choices=_choices(match))


def _finished(session: Session, table: Table, match: Match, lines: list[str]) -> Reply:
    watched = tables.person(table) is None
    lines = [*lines, words.ending(table, match), *([] if watched else ["Shall we play again?"])]
    return Reply(
        session.but(table=table, mode="chat", question="" if watched else "again"),
        tuple(lines),
        board=words.board(table, match.game, match.state),
        choices=("yes", "no", "why", "undo", "game", "goodbye"),
    )


def _possible(game: Game, state: State) -> list[str]:
    moves = game.moves(state)
    return [game.write_move(moves[at]) for at in range(min(len(moves), MOST_OFFERED))]


def _choices(match: Match) -> tuple[str, ...]:
    return (*_possible(match.game, match.state), *COMMANDS, "help", "goodbye")


# Questions


def _hint(at: At) -> Reply:
    return at.say(*words.advice(at.game, at.state, at.session.seed))


def _why(at: At) -> Reply:
    """The reason of the last move, his or the person's; of the position before any."""
    *_, before, _ = [None, *at.match.record.replay(at.game)]
    if before is None:
        why = _told(at, at.table, at.state, words.reasons(at.game, at.state))
        if is_estimated(at.game, at.state):
            return at.say(*why)
        return at.say(*words.standing(at.table, at.game, at.state), *why)
    state, move = before
    table = tables.at_move(at.table, len(at.table.moves) - 1)
    lines = _told(at, table, state, words.reasons(at.game, state, move))
    who = words.name_of(table, at.game.turn(state), at.game)
    if who == "I" and is_estimated(at.game, state):
        lines.append("Of what I saw a few moves ahead it promised most; that is an estimate (≈).")
    return at.say(words.capital(f"{who} played {at.game.write_move(move)}."), *lines)


def _told(at: At, table: Table, state: State, sentences: list[str]) -> list[str]:
    """Reasons of a move in this state, with the people at the table in them."""
    if at.game.seats != 2:
        return sentences
    mover = at.game.turn(state)
    names = [words.name_of(table, seat, at.game) for seat in (mover, 1 - mover)]
    return [words.named(words.told_of(s, *names), table, at.game) for s in sentences]


def _what_if(at: At) -> Reply:
    move = at.game.read_move(at.state, at.meaning.slots["move"])
    told = words.reasons(at.game, at.state, move, line=True)
    lines = _told(at, at.table, at.state, told)
    return at.say(*(line.replace("That turned a", "That would turn a") for line in lines))


def _winning(at: At) -> Reply:
    if at.match.over:
        return at.say(f"It is over. {words.ending(at.table, at.match)}")
    return at.say(*words.standing(at.table, at.game, at.state))


def _rules(at: At) -> Reply:
    return at.say(*rules_text(at.game), how_to_move(at.game))


def _board(at: At) -> Reply:
    return at.say("It is over." if at.match.over else "Your move.", board=True)


def _turn_told(at: At) -> Reply:
    against = _described(tables.opponent(at.table))
    return at.say(f"It is your move. You play against {against}.")


def _drastic(at: At) -> Reply:
    command = str(at.meaning.slots["command"])
    does = {
        "resign": "gives this game up",
        "kill": "ends the game and me",
        "leave": "leaves this game",
        "save": "puts this game aside for later",
        "swap": "turns the table: you play my side",
    }[command]
    return at.say(f"{words.capital(command)} {does}. Say {command} alone, and I do it.")


def _history(at: At) -> Reply:
    told = []
    for number, (state, move) in enumerate(at.match.record.replay(at.game)):
        if move is not None:
            table = tables.at_move(at.table, number)
            who = words.name_of(table, at.game.turn(state), at.game)
            told.append(f"{number + 1}. {who}: {at.game.write_move(move)}")
    return at.say(*(told or ["No move has been made yet."]))


def _moves(at: At) -> Reply:
    number = len(at.game.moves(at.state))
    more = "" if number <= MOST_OFFERED else f", … ({number} in all)"
    return at.say(f"You may play {', '.join(_possible(at.game, at.state))}{more}.")


def _hats(at: At) -> Reply:
    text = tables.opponent(at.table)
    player = read_bot(text if text.startswith("hats") else "hats seed=0")
    if not player.plays(at.game):
        return at.say("There are no hats for this: it has too many situations.")
    try:
        inside = str(player.inside(at.game, at.state))  # type: ignore[attr-defined]  # hats have it
    except ParlourError as refusal:
        return at.say(f"{words.capital(str(refusal))}.")
    return at.say(*inside.split("\n"))


# Changes


def _undo(at: At) -> Reply:
    back = tables.taken_back(at.table, at.match)
    if back is None:
        return at.say("There is nothing to take back.")
    gone = len(at.table.moves) - len(back.moves)
    session = at.session.but(mode="game", question="")
    return _answered(session, back, [f"Taken back: {count(gone, 'move')}."])


def _redo(at: At) -> Reply:
    again = tables.played_again(at.table)
    if again is None:
        return at.say("Nothing was taken back that could be played again.")
    number = len(again.moves) - len(at.table.moves)
    return _answered(at.session, again, [f"Played again: {count(number, 'move')}."])


def _swap(at: At) -> Reply:
    if at.game.seats != 2:
        return at.say("Only two can swap sides.")
    table = tables.swapped(at.table)
    return _answered(at.session, table, ["Sides are swapped.", *words.marked(table, at.game)])


def _stronger(by: int) -> Callable[[At], Reply]:
    def changed(at: At) -> Reply:
        text = tables.step(at.table, at.game, by)
        if text == tables.opponent(at.table):
            slow = " who answers quickly" if at.game.name == "othello" else ""
            return at.say(f"I know nobody better{slow}." if by > 0 else "I know nobody weaker.")
        return _against(at, text)

    return changed


def _level(at: At) -> Reply:
    if at.meaning.slots["n"] not in tables.LEVELS:
        return at.say(f"Levels go from {tables.LEVELS[0]} to {tables.LEVELS[-1]}.")
    text = tables.bot_text("", int(at.meaning.slots["n"]), at.game)
    if not tables.plays_well(text, at.game):
        return at.say("There are no levels in this game; say harder or easier.")
    return _against(at, text)


def _against(at: At, text: str) -> Reply:
    table = tables.with_opponent(at.table, text)
    when = "for the next one" if at.match.over else "from now on"
    said = _described(text)
    return at.say(f"As you like: {said}{',' if ',' in said else ''} {when}.", table=table)


def _described(text: str) -> str:
    name, _, option = text.partition(" ")
    return f"{name}, {option.replace('=', ' ')}" if option else name


def _save(at: At) -> Reply:
    return Reply(
        at.session.but(saved=at.table, table=None, mode="chat", question=""),
        (_aside(at.session),),
        choices=("resume", "game", "goodbye"),
    )


def _aside(session: Session) -> str:
    instead = "" if session.saved is None else ", in place of the one before"
    return f"I put it aside{instead}. Say resume when you want to go on."


def put_aside(session: Session) -> tuple[Session, tuple[str, ...]]:
    """The session with its game put aside, if one is on, and that it is."""
    if session.mode != "game" or session.table is None:
        return session, ()
    told = (_aside(session),)
    return session.but(saved=session.table, table=None, mode="chat", question=""), told


def _leave(at: At) -> Reply:
    return Reply(
        at.session.but(table=None, mode="chat", question=""),
        ("We leave it there. A game, or a conversation?",),
        choices=("game", "let's have a conversation", "goodbye"),
    )


def _resign(at: At) -> Reply:
    seat = tables.person(at.table)
    table = tables.stopped(at.table, at.match, at.match.turn if seat is None else seat, "resigned")
    return _finished(at.session, table, at.match, [])


def _kill(at: At) -> Reply:
    return Reply(at.session.but(table=None, mode="chat", over=True), ("Goodbye",))


def _goodbye(at: At) -> Reply:
    return at.say("We are in a game: leave leaves it, save keeps it, kill ends it and me.")


def _help(at: At) -> Reply:
    some = ", ".join(_possible(at.game, at.state)[:3])
    return at.say(
        f"Say a move, like {some}, in these or your own words.",
        f"Or one of: {', '.join(COMMANDS)}.",
    )


def _polite(text: str) -> Callable[[At], Reply]:
    return lambda at: at.say(text)


ANSWERS: dict[str, Callable[[At], Reply]] = {
    "move": _moved,
    "illegal": _illegal,
    "hint": _hint,
    "why": _why,
    "what-if": _what_if,
    "winning": _winning,
    "rules": _rules,
    "board": _board,
    "history": _history,
    "moves": _moves,
    "hats": _hats,
    "undo": _undo,
    "redo": _redo,
    "swap": _swap,
    "harder": _stronger(+1),
    "easier": _stronger(-1),
    "level": _level,
    "save": _save,
    "leave": _leave,
    "done": _leave,
    "resign": _resign,
    "kill": _kill,
    "goodbye": _goodbye,
    "help": _help,
    "turn": _turn_told,
    "drastic": _drastic,
    "praise": _polite("Thank you."),
    "patience": _polite("Take your time."),
    "hello": _polite("Hello"),
    "how": _polite("Well, thank you; ask me again after the game."),
    "thanks": _polite("You are welcome. Your move."),
    "yes": _polite("Good. Your move."),
    "no": _polite("As you like. Your move."),
}
