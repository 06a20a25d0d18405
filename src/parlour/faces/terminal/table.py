"""A table at the terminal: people and bots play a game, or a record is stepped through."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parlour import core
from parlour.core import BadText, Game, Match, ParlourError, Player, Record, State, UnknownName
from parlour.faces.progress import wait
from parlour.faces.terminal.console import Leave, ask, ask_beside, at_terminal, list_moves, say

HUMAN = "human"
OPPONENT = "random"  # where nobody else is named
HELP = """Type your move, or one of:
  moves    list the legal moves
  board    show the position again
  rules    show the rules of this game
  open     open the box of this position, if somebody plays with hats
  resign   give up this game
  quit     leave the table"""
OPENING = ("open", "box", "open the box", "open the hats", "hats")  # what opens the box
MAX_LISTED = 60  # moves
MAX_COMPARED = 12  # moves that are tried to see whether they all come to the same


@dataclass
class Person:
    """A player at the keyboard."""

    name: str
    open_box: Callable[[Game, State], str]  # shows the box of a position

    def choose(self, game: Game, state: State) -> core.Move:
        """Ask until the answer is a legal move."""
        prompt = f"{self.name}, your move{_note_no_choice(game, state)}: "
        shown = {
            "moves": lambda: list_moves(game, state, game.moves(state), MAX_LISTED),
            "board": lambda: game.draw(state),
            "rules": lambda: _describe_rules(game),
            **dict.fromkeys(OPENING, lambda: self.open_box(game, state)),
        }
        while True:
            typed = ask_beside(prompt, HELP, shown)
            if typed.casefold() == "resign":
                raise core.Resigns
            try:
                return game.read_move(state, typed)
            except ParlourError as error:
                say(core.sentence(str(error)))


@dataclass
class Guest:
    """A bot at the table; whatever goes wrong in it is raised as one sentence that names it."""

    who: str
    bot: core.Bot

    def choose(self, game: Game, state: State) -> core.Move:
        """Return the bot's move."""
        return self.call("choose", "choose a move", game, state)

    def say(self, member: str, what: str, game: Game) -> str:
        """Return what a bot says of a game; nothing if it cannot say such things."""
        return str(self.call(member, f"say {what}", game) or "")

    def prepare(self, game: Game) -> None:
        """Let the bot get ready, if it needs to; Ctrl-C is raised."""
        if hasattr(self.bot, "prepare"):
            doing = f"{self.who}, is getting ready"
            wait(lambda work: self.call("prepare", "get ready", game, work), doing=doing)

    def learn(self, record: Record) -> None:
        """Let the bot learn from a game, if it does."""
        self.call("learn", "learn from the game", record)

    def call(self, member: str, what: str, *arguments: Any) -> Any:
        """Call a member of the bot, if it has that."""
        method = getattr(self.bot, member, None)
        try:
            return None if method is None else method(*arguments)
        except core.Resigns:
            raise
        except Exception as error:
            text = str(error) if isinstance(error, ParlourError) else core.describe_error(error)
            raise ParlourError(f"{self.who}, could not {what}: {text}") from error


def _note_no_choice(game: Game, state: State) -> str:
    """Return a note for the prompt where there is no real choice."""
    moves = game.moves(state)
    first = core.protocol.describe_move(game, state, moves[0])
    if len(moves) == 1:
        return f" (only {first} is possible)"
    if len(moves) > MAX_COMPARED:
        return ""
    following = [game.play(state, move) for move in moves]
    alike = len({(game.turn(after), core.key(game, after)) for after in following}) == 1
    return f" (all moves come to the same thing, like {first})" if alike else ""


def _describe_rules(game: Game) -> str:
    rules = core.protocol.rules_box(game) or "\n".join(core.protocol.rules_text(game))
    return f"{rules}\n{core.how_to_move(game)}"


def choose_game(names: Sequence[str]) -> str | None:
    """Ask which game to play; None if the person would rather leave."""
    say("Which game would you like to play?")
    for number, name in enumerate(names, start=1):
        say(f"  {number}  {name}")
    while True:
        try:
            word = ask("Its name or number: ").strip().casefold()
        except (EOFError, KeyboardInterrupt):
            say("\nGoodbye.")
            return None
        if word in ("quit", "exit", "goodbye"):
            say("Goodbye.")
            return None
        for number, name in enumerate(names, start=1):
            if word in (name.casefold(), str(number)):
                return name
        say(f"There is no game {core.quote(word)}; type {', '.join(names)}, or quit.")


def seat_players(game: Game, seats: Sequence[str]) -> tuple[list[str], list[Player]]:
    """Return who plays, as text for the record and as players.

    Of the seats that are not named, the first is for a person unless one is seated, and the rest
    are for the default opponent.
    """
    wanted = list(seats)
    if len(wanted) < game.seats and not any(_is_person(text) for text in wanted):
        wanted.append(HUMAN)
    wanted += [OPPONENT] * (game.seats - len(wanted))
    texts: list[str] = []
    players: list[Player] = []

    def open_box(game: Game, state: State) -> str:
        bots = [player.bot for player in players if isinstance(player, Guest)]
        inside = [bot.inside for bot in bots if hasattr(bot, "inside")]
        try:
            return inside[0](game, state) if inside else "Nobody is playing with hats."
        except ParlourError as error:
            return core.sentence(str(error))

    for seat, text in enumerate(wanted[: game.seats]):
        called = core.seat_name(game, seat)
        _, _, name = text.strip().partition(" ")
        if _is_person(text):
            texts.append(f"{HUMAN} {name.strip()}".strip())
            players.append(Person(name.strip() or core.capital(called), open_box))
            continue
        bot = core.registry.bot(text)
        texts.append(core.describe(bot))
        guest = Guest(f"{called}, {texts[-1]}", bot)
        if not guest.say("plays", "whether it plays this", game):
            able = ", ".join(core.registry.bots(game))
            reason = guest.say("why_not", "why it does not play this", game)
            why = f": {reason}" if reason else ""
            raise ParlourError(f"{texts[-1]} does not play this game{why}; choose from {able}")
        players.append(guest)
    return texts + wanted[game.seats :], players  # the referee refuses extra players


def _is_person(text: str) -> bool:
    return text.strip().partition(" ")[0].casefold() == HUMAN


def _read_person(text: str) -> str:
    """Return the name of a person from the record's `human Ann`, if there is one."""
    word, _, name = text.partition(" ")
    return name if word == HUMAN else ""


def play(game: Game, seats: Sequence[str], path: Path | None) -> int:
    """Play one game at the terminal, and append its record to a file if one is named."""
    texts, players = seat_players(game, seats)
    match = Match(game, texts)
    if path is not None:
        with core.files.explain_errors("write", path), path.open("ab"):
            pass  # it fails now rather than after the game
    for player in players:
        if isinstance(player, Guest) and not match.over:
            player.prepare(game)
    try:
        _play(match, players)
    finally:  # the record is written whatever happened
        if path is not None:
            core.files.append_line(path, match.record.to_json())
    if path is not None:
        again = ["parlour", "replay", str(path)]
        if file := core.registry.file_of(type(game)):
            again += ["--game", file]
        say(f"The game is saved in {path}; to see it again: {shlex.join(again)}")
    return 0


def _play(match: Match, players: Sequence[Player]) -> None:
    """Show the match from the first board to the outcome; bots' moves are announced."""
    game = match.game
    say(f"{core.describe(game)}: {' against '.join(match.players)}")
    if not match.over and any(isinstance(player, Person) for player in players):
        say("Type your move when asked, or 'help' for what else you can type.")
    for guest in (player for player in players if isinstance(player, Guest)):
        if warning := guest.say("warning", "whether it is slow here", game):
            say(core.sentence(warning))
    say(f"\n{game.draw(match.state)}")
    seat = match.turn
    left = False
    try:
        for _ in core.drive(match, players):
            if not isinstance(players[seat], Person):
                say(core.sentence(f"{match.who(seat)}, plays {_describe_last(match)}"))
            for out in match.newly_out:
                say(core.sentence(f"{_name_seat(match, out)} is out"))
            say(f"\n{game.draw(match.state)}")
            seat = match.turn
    except (Leave, EOFError, KeyboardInterrupt):
        left = not match.over
    say()
    say("You left the table; the game is not over." if left else outcome(match))
    if match.over:
        core.referee.teach(players, match.record)


def _describe_last(match: Match) -> str:
    """Describe the last move in the words of the variant."""
    before = match.states[-2]
    return core.protocol.describe_move(
        match.game, before, match.game.read_move(before, match.moves[-1])
    )


def outcome(match: Match) -> str:
    """Say how the match ended."""
    if match.result is None:
        return "The game is not over."
    reason = match.reason or core.protocol.ended_by(match.game, match.state)
    why = f" ({reason})" if reason else ""
    winners = [seat for seat, payoff in enumerate(match.result) if payoff > 0]
    if not winners:
        return f"It is a draw{why}."
    margin = ""
    if not match.reason and hasattr(match.game, "score"):
        margin = f" by {abs(match.game.score(match.state))}"
    names = " and ".join(_name_seat(match, seat) for seat in winners)
    return f"{core.capital(names)} {'wins' if len(winners) == 1 else 'win'}{margin}{why}."


def _name_seat(match: Match, seat: int) -> str:
    """`Ann (X)`, or `player 1 (X)` for a player without a name"""
    called = core.seat_name(match.game, seat)
    name = _read_person(match.players[seat])
    return called.replace(f"player {seat + 1}", name) if name else called


def _find_game(record: Record, file: str | None) -> type:
    """Return the game of a record; a file is only opened if it was named."""
    try:
        cls = core.registry.find("games", record.game if file is None else Path(file))
    except UnknownName as error:
        raise UnknownName(f"{error}; if a file defines it, add --game FILE.py") from None
    name = getattr(cls, "name", "")
    if file is not None and name != record.game:
        raise BadText(f"this is a record of {core.quote(record.game)}, but {file} defines {name}")
    return cls


def replay(path: Path, number: int | None, game_file: str | None) -> int:
    """Step through a record: by Enter at a terminal, all at once in a pipe."""
    record = _load_record(path, number)
    game = core.registry.build("games", _find_game(record, game_file), record.options)
    match = Match.from_record(game, record)
    steps = list(record.replay(game))
    say(
        f"{core.describe(game)}: {' against '.join(record.players)}, "
        f"{core.count(len(record.moves), 'move')}"
    )
    at = 0
    while True:
        state, move = steps[at]
        say(f"\n{game.draw(state)}")
        if move is None:
            say(outcome(match))
        elif at < record.opening:
            played = core.protocol.describe_move(game, state, move)
            say(f"Move {at + 1}, part of the opening: {played}.")
        else:
            played = core.protocol.describe_move(game, state, move)
            say(f"Move {at + 1}: {core.seat_name(game, game.turn(state))} plays {played}.")
        step = _ask_step(last=move is None)
        if step is None:
            return 0
        at = max(0, min(at + step, len(steps) - 1))


def _ask_step(*, last: bool) -> int | None:
    """Return how many moves to go forward; None to stop."""
    if not at_terminal() or sys.stdout is None or not sys.stdout.isatty():
        return None if last else 1
    while True:
        try:
            word = ask("Enter for the next move, b to go back, q to quit: ").strip().casefold()
        except (EOFError, KeyboardInterrupt):
            say()
            return None
        if word in ("q", "quit") or (last and not word):
            return None
        if word in ("", "n", "b"):
            return -1 if word == "b" else 1


def _load_record(path: Path, number: int | None) -> Record:
    try:
        with core.files.explain_errors("read", path):
            records = core.load(path)
    except UnicodeDecodeError:
        raise core.BadFile(f"{path} is not a file of records: it is not even text") from None
    if not records:
        raise BadText(f"there is no record in {path}")
    at = len(records) if number is None else number
    if not 1 <= at <= len(records):
        raise BadText(f"{path} holds {core.count(len(records), 'record')}; there is no number {at}")
    return records[at - 1]
