"""The Game of Sticks as a conversation, from two friends to a trained computer.

The wording is fixed to the character, so that a session can be compared with a transcript. The
rules are those of the game `sticks`, and the computer plays with hats: it draws a ball every turn,
and learns from every finished game. Its hats can be looked at while it plays, and kept by a name.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import cast

from parlour import core
from parlour.core import Game, Match, ParlourError, Player, option, protocol, sentence, whole
from parlour.faces.progress import wait
from parlour.faces.terminal.console import ask, say
from parlour.learn import MAX_GAMES, Hats, hats, storage, summary, train
from parlour.rules import NimMove, NimState, Sticks

MENU = (
    "Play against a friend",
    "Play against the computer",
    "Play against the trained computer",
)
MOST = 3  # sticks in one move
SECOND = 1  # the computer's seat: the person begins


@dataclass
class SticksConversation:
    """One session, from the welcome to the last game."""

    stage: int = option(3, "how many ways to play the menu offers", low=1, high=len(MENU))
    games: int = option(
        100_000, "how many games the computer trains before yours", low=0, high=MAX_GAMES
    )
    seed: int | None = option(
        None, "a number that makes the computer draw the same balls again", low=0, high=2**32 - 1
    )

    kept: str = option(
        "", "the name of the hats to play with, or to keep the computer's hats under"
    )

    def __post_init__(self) -> None:
        core.settle(self)

    def hold(self, source: random.Random | None = None) -> int:
        """Talk until the person stops; the end of the input and Ctrl-C are goodbyes too."""
        try:
            self._talk(random.Random(self.seed) if source is None else source)
        except (EOFError, KeyboardInterrupt):
            say("\nGoodbye.")
        return 0

    def _talk(self, source: random.Random) -> None:
        label = storage.find_label(self.kept) if self.kept and storage.exists(self.kept) else None
        if label is not None and (label.game, label.options.get("take", MOST)) != ("sticks", MOST):
            raise ParlourError(f"{self.kept} cannot be used: {label.explain_mismatch(Sticks())}")
        say("Welcome to the Game of Sticks!")
        game = _ask_game()
        while label is not None and (why := label.explain_mismatch(game)):
            say(sentence(f"the hats named {self.kept} cannot be used: {why}"))
            game = _ask_game()
        choice = self._ask_option()
        if choice == 1:
            loser = _play(game, [Person("Player 1"), Person("Player 2")]).index(-1)
            say(f"Player {loser + 1}, you lose.")
            return
        computer = Computer(self._make_hats(game, trained=choice == 3), source)
        if self.kept:
            computer.kept, computer.stored = self.kept, storage.fingerprint(self.kept)
            computer.keep(self.kept)
        again = True
        while again:
            result = _play(game, [Person("Player 1", computer.obey), computer])
            computer.learn_from(result)
            say("AI loses." if result[SECOND] < 0 else "You lose.")
            again = _ask_yes_or_no("Play again", computer.obey)

    def _ask_option(self) -> int:
        """Ask which way to play; the first stage has only one, and does not ask."""
        if self.stage == 1:
            return 1
        say("Options:")
        for number, line in enumerate(MENU[: self.stage], start=1):
            say(f" {line} ({number})")
        return _ask_number("Which option do you take", 1, self.stage)

    def _make_hats(self, game: Sticks, *, trained: bool) -> Hats:
        seed = random.getrandbits(32) if self.seed is None else self.seed
        if self.kept and storage.exists(self.kept):
            found = storage.load_hats(self.kept, game)
        else:
            found = hats(game, against="another", starts="alternate", seed=seed)
        if trained:
            say("Training AI, please wait...")
            wait(
                lambda work: train(found, self.games, work=work, curve=False),
                doing="training",
                things="games",
            )
        return found


def _obey_nothing(typed: str) -> bool:
    return False


@dataclass
class Person:
    """A player at the keyboard, who may also give commands."""

    name: str
    obey: Callable[[str], bool] = _obey_nothing

    def choose(self, game: Game, state: NimState) -> NimMove:
        """Take as many sticks as are typed, or all that are left."""
        wanted = _ask_number(f"{self.name}: How many sticks do you take", 1, MOST, obey=self.obey)
        return (0, min(wanted, state[2]))


@dataclass
class Computer:
    """The player with the hats; the balls drawn in this game lie beside them."""

    hats: Hats
    source: random.Random
    drawn: list[tuple[NimState, int]] = field(default_factory=list)
    kept: str = ""  # the name that the hats are kept under
    stored: str = ""  # the fingerprint of what was last kept

    def choose(self, game: Game, state: NimState) -> NimMove:
        """Announce the number on the ball, and take that many sticks or all that are left."""
        kind = self.hats.draw(SECOND, state, self.source) or 0  # never None: no hat is ever empty
        self.drawn.append((state, kind))
        say(f"AI selects {kind + 1}.")
        return (0, min(kind + 1, state[2]))

    def learn_from(self, result: protocol.Result) -> None:
        """Put the balls back, with more or fewer of their kinds."""
        self.hats.learn({SECOND: self.drawn}, result)
        self.drawn = []
        if self.kept:
            self._store(self.kept, self.stored)

    def obey(self, typed: str) -> bool:
        """Show the hats, or keep them, if that is what was typed."""
        word, _, name = typed.partition(" ")
        if word not in ("hats", "keep") or (word == "hats" and name):
            return False
        try:
            if word == "hats":
                say(self._draw_hats())
            else:
                self.keep(name.strip() or self.kept or "sticks")
        except ParlourError as error:
            say(sentence(str(error)))
        return True

    def keep(self, name: str) -> None:
        """Keep the hats under a name, now and after every game; others' hats are not replaced."""
        self._store(name, self.stored if name == self.kept else "")
        say(f"The hats are kept as {self.kept}: parlour hats {self.kept}")

    def _store(self, name: str, stored: str) -> None:
        self.kept = storage.save_if_unchanged(self.hats, name, stored)
        self.stored = storage.fingerprint(self.kept)

    def _draw_hats(self) -> str:
        beside = {self.hats.boxes.find(state): kind for state, kind in self.drawn}
        width = shutil.get_terminal_size().columns
        return summary.format_hats(self.hats, self.hats.row(SECOND), beside, width)


def _play(game: Sticks, players: Sequence[Player]) -> protocol.Result:
    """Play one game, and return its result."""
    match = Match(game, ["player 1", "player 2"])
    _show_sticks(match.state)
    for _ in core.drive(match, players):
        if not match.over:
            _show_sticks(match.state)
    return cast(protocol.Result, match.result)  # never None at the end


def _show_sticks(state: NimState) -> None:
    left = state[2]
    say(f"\nThere {'is' if left == 1 else 'are'} {core.count(left, 'stick')} on the board.")


def _ask_game() -> Sticks:
    return Sticks(_ask_number("How many sticks are there on the table initially", 10, 100, "."))


def _ask_number(
    question: str, low: int, high: int, stop: str = "", obey: Callable[[str], bool] = _obey_nothing
) -> int:
    """Ask until a number in this range is typed, and obey commands until then."""
    while True:
        typed = ask(f"{question} ({low}-{high})? ").strip(" \t")
        if typed.isascii() and typed.isdigit() and low <= whole(typed) <= high:
            return whole(typed)
        if obey(typed.lower()):
            continue
        say(f"Please enter a number between {low} and {high}{stop}")


def _ask_yes_or_no(question: str, obey: Callable[[str], bool]) -> bool:
    """Ask until yes or no is typed, and obey commands until then."""
    while True:
        typed = ask(f"{question} (y/n)? ").strip(" \t").lower()
        if typed in ("y", "yes", "n", "no"):
            return typed in ("y", "yes")
        obey(typed)
