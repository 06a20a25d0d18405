"""The Game of Sticks as a conversation, from two friends to a computer that has trained.

The words are fixed to the character, so that a session can be compared with a transcript. What
happens on the table is the game `sticks`, and what the computer knows are its hats: it draws a ball
for every turn, and learns from every game that was finished.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from parlour.core import (
    Game,
    Match,
    Player,
    Result,
    count,
    declared,
    drive,
    make,
    option,
    settle,
    whole,
)
from parlour.faces.cli import Parser, add_options, read_options, wait
from parlour.faces.terminal.console import ask, say
from parlour.learn import MOST_GAMES, Hats, RandomSource, hats, random_source, train
from parlour.rules import NimMove, NimState, Sticks

MENU = (
    "Play against a friend",
    "Play against the computer",
    "Play against the trained computer",
)
SECOND = 1  # the computer's seat: the person begins


def sticks(parser: Parser, arguments: list[str]) -> int:
    """`parlour sticks [--stage 1|2|3] [--games N] [--seed N]`"""
    known = declared(Conversation)
    add_options(parser, known)
    given = parser.parse(arguments)
    asked: Conversation = make(Conversation, "sticks", read_options(known, vars(given)))
    return asked.hold()


@dataclass
class Conversation:
    """One session, from the welcome until somebody has had enough."""

    stage: int = option(3, "how many ways to play are offered", low=1, high=len(MENU))
    games: int = option(
        100_000, "how many games the trained computer plays before yours", low=0, high=MOST_GAMES
    )
    seed: int | None = option(
        None, "a number that makes the computer draw the same balls again", low=0, high=2**32 - 1
    )

    def __post_init__(self) -> None:
        settle(self)

    def hold(self, drawing: RandomSource | None = None) -> int:
        """Talk; the end of the input, or Ctrl-C at any time, is a goodbye."""
        try:
            self._talk(random_source(self.seed) if drawing is None else drawing)
        except (EOFError, KeyboardInterrupt):
            say("\nGoodbye.")
        return 0

    def _talk(self, drawing: RandomSource) -> None:
        say("Welcome to the Game of Sticks!")
        game = Sticks(_number("How many sticks are there on the table initially", 10, 100, "."))
        chosen = self._option()
        if chosen == 1:
            loser = _play(game, [Person("Player 1"), Person("Player 2")]).index(-1)
            say(f"Player {loser + 1}, you lose.")
            return
        computer = Computer(self._hats(game, trained=chosen == 3), drawing)
        again = True
        while again:
            result = _play(game, [Person("Player 1"), computer])
            computer.learn(result)
            say("AI loses." if result[SECOND] < 0 else "You lose.")
            again = _yes("Play again")

    def _option(self) -> int:
        """Which way to play; the first stage offers but one, and does not ask."""
        if self.stage == 1:
            return 1
        say("Options:")
        for number, line in enumerate(MENU[: self.stage], start=1):
            say(f" {line} ({number})")
        return _number("Which option do you take", 1, self.stage)

    def _hats(self, game: Sticks, *, trained: bool) -> Hats:
        seed = random.getrandbits(32) if self.seed is None else self.seed
        found = hats(game, against="another", starts="alternate", seed=seed)
        if trained:
            say("Training AI, please wait...")
            wait(
                lambda work: train(found, self.games, work=work, curve=False),
                doing="games of training",
            )
        return found


@dataclass
class Person:
    """Somebody at the keyboard."""

    name: str

    def choose(self, game: Game, state: NimState) -> NimMove:
        """Take as many as are typed."""
        _announce(state)
        return _take(_number(f"{self.name}: How many sticks do you take", 1, 3), state)


@dataclass
class Computer:
    """The player with the hats; the balls it drew in this game lie beside them."""

    hats: Hats
    random_source: RandomSource
    beside: list[tuple[NimState, int]] = field(default_factory=list)

    def choose(self, game: Game, state: NimState) -> NimMove:
        """Take as many as the ball says, which is said aloud."""
        _announce(state)
        kind = (
            self.hats.draw(SECOND, state, self.random_source) or 0
        )  # never None: no hat is ever empty
        self.beside.append((state, kind))
        say(f"AI selects {kind + 1}.")
        return _take(kind + 1, state)

    def learn(self, result: Result) -> None:
        """Put the balls away, with more or fewer of their kinds."""
        self.hats.learn({SECOND: self.beside}, result)
        self.beside = []


def _play(game: Sticks, players: Sequence[Player]) -> Result:
    """Play a game and return how it ended."""
    match = Match(game, ["player 1", "player 2"])
    for _ in drive(match, players):
        pass
    return match.result or ()


def _announce(state: NimState) -> None:
    left = state[2]
    say(f"\nThere {'is' if left == 1 else 'are'} {count(left, 'stick')} on the board.")


def _take(sticks: int, state: NimState) -> NimMove:
    """The move that takes these sticks; all of them where there are fewer."""
    return (0, min(sticks, state[2]))


def _number(question: str, low: int, high: int, stop: str = "") -> int:
    """The number somebody types, once it is one of those that were asked for."""
    while True:
        typed = ask(f"{question} ({low}-{high})? ").strip(" \t")
        if typed.isascii() and typed.isdigit() and low <= whole(typed) <= high:
            return whole(typed)
        say(f"Please enter a number between {low} and {high}{stop}")


def _yes(question: str) -> bool:
    """Whether somebody says yes, once it is a yes or a no."""
    while True:
        typed = ask(f"{question} (y/n)? ").strip(" \t").lower()
        if typed in ("y", "yes", "n", "no"):
            return typed in ("y", "yes")
