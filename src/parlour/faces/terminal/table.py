"""A table at the terminal: people and bots take turns, and a record can be stepped through."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from parlour.core import registry
from parlour.core.errors import BadFile, BadText, ParlourError
from parlour.core.game import Game, Move, State, seat_name
from parlour.core.match import Match, drive
from parlour.core.options import describe, make
from parlour.core.player import Player
from parlour.core.record import Record, load
from parlour.core.words import count, quote
from parlour.faces.terminal.console import ask, say

HELP = """Type your move, or one of:
  moves    what is possible now
  board    the position again
  resign   give this game up
  quit     leave the table"""
MOST_SHOWN = 60


class LeaveTable(Exception):
    """Somebody wants to stop playing."""


class Resign(Exception):
    """Somebody gives the game up."""


@dataclass
class Person:
    """Somebody at the keyboard."""

    name: str

    def choose(self, game: Game, state: State) -> Move:
        """Ask until the answer is a legal move."""
        possible = game.moves(state)
        only = f" (only {game.write_move(possible[0])} is possible)" if len(possible) == 1 else ""
        while True:
            typed = ask(f"{self.name}, your move{only}: ").strip()
            word = typed.casefold()
            if word in ("quit", "exit", "leave"):
                raise LeaveTable
            if word == "resign":
                raise Resign
            if word in ("help", "?", "h"):
                say(HELP)
            elif word == "moves":
                say(_listed(game, state))
            elif word == "board":
                say(game.draw(state))
            else:
                try:
                    return game.read_move(state, typed)
                except ParlourError as refusal:
                    say(_sentence(str(refusal)))


def _listed(game: Game, state: State) -> str:
    moves = game.moves(state)
    shown = ", ".join(game.write_move(moves[place]) for place in range(min(len(moves), MOST_SHOWN)))
    return shown + (f", … ({len(moves)} in all)" if len(moves) > MOST_SHOWN else "")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."


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
        if word in names:
            return word
        if word.isascii() and word.isdigit() and len(word) < 9 and 1 <= int(word) <= len(names):
            return names[int(word) - 1]
        say(f"There is no game {quote(word)}; say {', '.join(names)}, or quit.")


def seated(game: Game, seats: Sequence[str]) -> tuple[list[str], list[Player]]:
    """Who plays, as text for the record and as players; seats left open are for people.

    When nothing is said at all, a person sits down against bots that draw lots.
    """
    texts = list(seats) or ["human"] + ["random"] * (game.seats - 1)
    if len(texts) > game.seats:
        raise ParlourError(
            f"{game.name} has only {count(game.seats, 'seat')} here, not {len(texts)}"
        )
    texts += ["human"] * (game.seats - len(texts))
    players: list[Player] = []
    for seat, text in enumerate(texts):
        word, _, rest = text.strip().partition(" ")
        if word == "human":
            players.append(Person(rest.strip() or _sentence(seat_name(game, seat))[:-1]))
        else:
            bot = registry.read_bot(text)
            if not bot.plays(game):
                able = ", ".join(registry.bots(game))
                raise ParlourError(f"{word} does not play this game; those who do: {able}")
            players.append(bot)
    return texts, players


def play(game: Game, seats: Sequence[str], path: Path | None) -> int:
    """Play one game at the terminal, and keep its record if a file is named."""
    texts, players = seated(game, seats)
    if path is not None:
        _append(path, "")  # better to know now than after the game
    match = Match(game, texts)
    left = False
    say(f"{describe(game)}: {' against '.join(texts)}")
    if not match.over and any(isinstance(player, Person) for player in players):
        say("Type your move when asked; 'help' lists what else you can say.")
    say()
    say(game.draw(match.state))
    try:
        for _ in _watched(match, players):
            say()
            say(game.draw(match.state))
    except (LeaveTable, EOFError, KeyboardInterrupt):
        left = True
    say()
    say("You left the table; the game is not over." if left else outcome(match))
    if path is not None:
        _append(path, match.record.to_json() + "\n")
        say(f"The game is kept in {path}; 'parlour replay {path}' shows it again.")
    return 0


def _watched(match: Match, players: Sequence[Player]) -> Iterator[Match]:
    """The moves of the match, those of bots announced."""
    while not match.over:
        seat = match.turn
        try:
            next(drive(match, players))
        except Resign:
            match.stop(seat, "resigned")
            return
        if not isinstance(players[seat], Person):
            who = f"{seat_name(match.game, seat)}, {match.players[seat]},"
            say(_sentence(f"{who} plays {match.moves[-1]}"))
        yield match


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
    names = " and ".join(seat_name(match.game, seat) for seat in winners)
    return f"{_sentence(names)[:-1]} {'wins' if len(winners) == 1 else 'win'}{margin}{why}."


def _append(path: Path, line: str) -> None:
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(line)
    except OSError as trouble:
        raise BadFile(f"cannot write {path}: {trouble.strerror}") from None


def replay(path: Path, number: int | None, game_file: str | None) -> int:
    """Step through a record: all at once in a pipe, by Enter at a terminal."""
    record = _chosen(path, number)
    cls = registry.find("games", game_file or record.game)
    game = make(cls, record.game, record.options)
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
        else:
            say(
                f"Move {at + 1}: {seat_name(game, game.turn(state))} plays {game.write_move(move)}."
            )
        step = _step(last=move is None)
        if step is None:
            return 0
        at = max(0, min(at + step, len(steps) - 1))


def _step(*, last: bool) -> int | None:
    """How far to go on from here; None to stop."""
    if not sys.stdin.isatty() or not sys.stdout.isatty():
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
