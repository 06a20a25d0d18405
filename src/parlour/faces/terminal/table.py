"""A table at the terminal: people and bots take turns, and a record can be stepped through."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parlour.core import (
    BadFile,
    BadText,
    Bot,
    Game,
    Match,
    Move,
    ParlourError,
    Player,
    Record,
    Resigns,
    State,
    count,
    describe,
    drive,
    key,
    load,
    named,
    quote,
    registry,
    seat_name,
    teach,
)
from parlour.faces.cli import wait
from parlour.faces.terminal.console import ask, at_terminal, say

HUMAN = "human"
HELP = """Type your move, or one of:
  moves    what is possible now
  board    the position again
  open     the box of this position, where hats are played
  resign   give this game up
  quit     leave the table"""
MOST_SHOWN = 60
MOST_COMPARED = 12


class LeaveTable(Exception):
    """Somebody wants to stop playing."""


@dataclass
class Person:
    """Somebody at the keyboard."""

    name: str
    opens: Callable[[Game, State], str]  # the box of a position, where somebody plays with hats

    def choose(self, game: Game, state: State) -> Move:
        """Ask until the answer is a legal move."""
        note = _only(game, state)
        while True:
            typed = ask(f"{self.name}, your move{note}: ").strip()
            word = typed.casefold()
            if word in ("quit", "exit", "leave"):
                raise LeaveTable
            if word == "resign":
                raise Resigns
            if word in ("help", "?", "h"):
                say(HELP)
            elif word == "moves":
                say(_listed(game, state))
            elif word == "board":
                say(game.draw(state))
            elif word in ("open", "box", "open the box", "open the hats", "hats"):
                say(self.opens(game, state))
            else:
                try:
                    return game.read_move(state, typed)
                except ParlourError as refusal:
                    say(_sentence(str(refusal)))


@dataclass
class Guest:
    """A bot at the table: whatever goes wrong in it is told in one sentence that names it."""

    who: str
    bot: Bot

    def choose(self, game: Game, state: State) -> Move:
        """What the bot chooses."""
        return self._asked("choose a move", lambda: self.bot.choose(game, state))

    def plays(self, game: Game) -> str:
        """How well the bot says it plays."""
        said: str = self._asked("say whether it plays this", lambda: self.bot.plays(game))
        return said

    def why_not(self, game: Game) -> str:
        """Why the bot does not play this game, if it has a reason to give."""
        tell = getattr(self.bot, "why_not", lambda game: "")
        said: str = self._asked("say why it does not play this", lambda: tell(game))
        return said

    def prepare(self, game: Game) -> None:
        """Let the bot get ready, if it needs time for that; Ctrl-C ends it."""
        prepare = getattr(self.bot, "prepare", None)
        if prepare is not None:
            doing = f"{self.who}, gets ready"
            self._asked("get ready", lambda: wait(lambda work: prepare(game, work), doing=doing))

    def warning(self, game: Game) -> str:
        """What the bot has to say before it starts: that it will be slow here, if it will."""
        warn = getattr(self.bot, "warning", lambda game: "")
        said: str = self._asked("say whether it is slow here", lambda: warn(game))
        return said

    def learn(self, record: Record) -> None:
        """Let the bot learn from a game, if it does."""
        if (learn := getattr(self.bot, "learn", None)) is not None:
            self._asked("learn from the game", lambda: learn(record))

    def _asked(self, what: str, ask_it: Callable[[], Any]) -> Any:
        try:
            return ask_it()
        except Resigns:
            raise
        except ParlourError as refusal:
            raise ParlourError(f"{self.who}, could not {what}: {refusal}") from refusal
        except Exception as trouble:
            raise ParlourError(f"{self.who}, could not {what}: {named(trouble)}") from trouble


def _only(game: Game, state: State) -> str:
    """A note for the prompt where there is nothing to choose."""
    moves = game.moves(state)
    first = game.write_move(moves[0])
    if len(moves) == 1:
        return f" (only {first} is possible)"
    if len(moves) > MOST_COMPARED:
        return ""
    following = [game.play(state, move) for move in moves]
    alike = len({(game.turn(after), key(game, after)) for after in following}) == 1
    return f" (all moves come to the same, like {first})" if alike else ""


def _listed(game: Game, state: State) -> str:
    moves = game.moves(state)
    shown = ", ".join(game.write_move(moves[place]) for place in range(min(len(moves), MOST_SHOWN)))
    return shown + (f", … ({len(moves)} in all)" if len(moves) > MOST_SHOWN else "")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _sentence(text: str) -> str:
    return f"{_capital(text)}."


def choose_game(names: Sequence[str]) -> str | None:
    """The game a person wants to play; None when they would rather go."""
    say("Which game would you like?")
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
        for name in names:
            if word == name.casefold():
                return name
        if word.isascii() and word.isdigit() and len(word) < 9 and 1 <= int(word) <= len(names):
            return names[int(word) - 1]
        say(f"There is no game {quote(word)}; say {', '.join(names)}, or quit.")


def seated(game: Game, seats: Sequence[str]) -> tuple[list[str], list[Player]]:
    """Who plays, as text for the record and as players; seats left open are for people.

    When nothing is said at all, a person sits down against bots that draw lots.
    """
    asked = list(seats) or [HUMAN] + ["random"] * (game.seats - 1)
    asked += [HUMAN] * (game.seats - len(asked))
    texts: list[str] = []
    players: list[Player] = []

    def opens(game: Game, state: State) -> str:
        bots = [player.bot for player in players if isinstance(player, Guest)]
        inside = [bot.inside for bot in bots if hasattr(bot, "inside")]
        try:
            return inside[0](game, state) if inside else "Nobody plays with hats here."
        except ParlourError as refusal:
            return _sentence(str(refusal))

    for seat, text in enumerate(asked[: game.seats]):
        called = seat_name(game, seat)
        word, _, name = text.strip().partition(" ")
        if word.casefold() == HUMAN:
            texts.append(f"{HUMAN} {name.strip()}".strip())
            players.append(Person(name.strip() or _capital(called), opens))
            continue
        bot = registry.read_bot(text, files=True)
        texts.append(describe(bot))
        guest = Guest(f"{called}, {texts[-1]}", bot)
        if not guest.plays(game):
            able = ", ".join(registry.bots(game))
            why = f": {reason}" if (reason := guest.why_not(game)) else ""
            raise ParlourError(f"{texts[-1]} does not play this game{why}; those who do: {able}")
        players.append(guest)
    return texts + asked[game.seats :], players  # the referee refuses those there is no seat for


def _person(text: str) -> str:
    """The name of a person, from the record's `human Ann`; nothing for whoever has none."""
    word, _, name = text.partition(" ")
    return name if word == HUMAN else ""


def play(game: Game, seats: Sequence[str], path: Path | None) -> int:
    """Play one game at the terminal, and keep its record if a file is named."""
    texts, players = seated(game, seats)
    match = Match(game, texts)
    if path is not None:
        _append(path, "")  # better to know now than after the game
    for player in players:
        if isinstance(player, Guest) and not match.over:
            player.prepare(game)
    try:
        _played(match, players)
    finally:  # whatever happened to the game, it is kept
        if path is not None:
            _append(path, match.record.to_json() + "\n")
    if path is not None:
        again = ["parlour", "replay", str(path)]
        if file := registry.file_of(type(game)):
            again += ["--game", file]
        say(f"The game is kept in {path}; to see it again: {shlex.join(again)}")
    return 0


def _played(match: Match, players: Sequence[Player]) -> None:
    """The match from the first board to the outcome; the moves of bots are announced."""
    game = match.game
    say(f"{describe(game)}: {' against '.join(match.players)}")
    if not match.over and any(isinstance(player, Person) for player in players):
        say("Type your move when asked; 'help' lists what else you can say.")
    for player in players:
        if isinstance(player, Guest) and (warning := player.warning(game)):
            say(_sentence(warning))
    say()
    say(game.draw(match.state))
    seat = match.turn
    left = False
    try:
        for _ in drive(match, players):
            if not isinstance(players[seat], Person):
                say(_sentence(f"{match.who(seat)}, plays {match.moves[-1]}"))
            say()
            say(game.draw(match.state))
            seat = match.turn
    except (LeaveTable, EOFError, KeyboardInterrupt):
        left = not match.over
    say()
    say("You left the table; the game is not over." if left else outcome(match))
    if match.over:
        teach(players, match.record)


def outcome(match: Match) -> str:
    """How it ended, in a sentence."""
    if match.result is None:
        return "The game is not over."
    why = f" ({match.reason})" if match.reason else ""
    winners = [seat for seat, payoff in enumerate(match.result) if payoff > 0]
    if not winners:
        return f"It is a draw{why}."
    margin = ""
    if not match.reason and hasattr(match.game, "score"):
        margin = f" by {abs(match.game.score(match.state))}"
    names = " and ".join(_called(match, seat) for seat in winners)
    return f"{_capital(names)} {'wins' if len(winners) == 1 else 'win'}{margin}{why}."


def _called(match: Match, seat: int) -> str:
    """`Ann (X)`, or `player 1 (X)` for whoever gave no name."""
    called = seat_name(match.game, seat)
    name = _person(match.players[seat])
    return called.replace(f"player {seat + 1}", name) if name else called


def _append(path: Path, line: str) -> None:
    try:
        if line and _breaks_off(path):
            line = f"\n{line}"
        with path.open("a", encoding="utf-8") as file:
            file.write(line)
    except OSError as trouble:
        raise BadFile(f"cannot write {path}: {trouble.strerror}") from None


def _breaks_off(path: Path) -> bool:
    """Whether the last line of a file lacks its end, as when a disk was full."""
    if not path.is_file() or not path.stat().st_size:
        return False
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read() != b"\n"


def replay(path: Path, number: int | None, game_file: str | None) -> int:
    """Step through a record: all at once in a pipe, by Enter at a terminal."""
    record = _chosen(path, number)
    cls = _defined(game_file, record) if game_file else registry.find("games", record.game)
    game = registry.made(cls, record.game, record.options)
    match = Match.from_record(game, record)
    steps = list(record.replay(game))
    say(f"{describe(game)}: {' against '.join(record.players)}, {count(len(record.moves), 'move')}")
    at = 0
    while True:
        state, move = steps[at]
        say()
        say(game.draw(state))
        if move is None:
            say(outcome(match))
        elif at < record.opening:
            say(f"Move {at + 1}, of the opening: {game.write_move(move)}.")
        else:
            say(
                f"Move {at + 1}: {seat_name(game, game.turn(state))} plays {game.write_move(move)}."
            )
        step = _step(last=move is None)
        if step is None:
            return 0
        at = max(0, min(at + step, len(steps) - 1))


def _defined(file: str, record: Record) -> type:
    """The game in a file, when it is the one that was recorded."""
    cls = registry.from_file("games", Path(file))
    name = getattr(cls, "name", "")
    if name != record.game:
        raise BadText(f"this is a record of {quote(record.game)}, but {file} defines {name}")
    return cls


def _step(*, last: bool) -> int | None:
    """How far to go on from here; None to stop."""
    if not at_terminal() or sys.stdout is None or not sys.stdout.isatty():
        return None if last else 1
    while True:
        try:
            word = ask("Enter for the next, b for back, q to quit: ").strip().casefold()
        except (EOFError, KeyboardInterrupt):
            say()
            return None
        if word in ("q", "quit") or (last and not word):
            return None
        if word in ("", "n", "b"):
            return -1 if word == "b" else 1


def _chosen(path: Path, number: int | None) -> Record:
    try:
        records = load(path)
    except OSError as trouble:
        raise BadFile(f"cannot read {path}: {trouble.strerror}") from None
    except UnicodeDecodeError:
        raise BadFile(f"{path} is no file of records: it is not even text") from None
    if not records:
        raise BadText(f"there is no record in {path}")
    at = len(records) if number is None else number
    if not 1 <= at <= len(records):
        raise BadText(f"{path} holds {count(len(records), 'record')}; there is none of number {at}")
    return records[at - 1]
