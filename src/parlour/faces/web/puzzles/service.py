"""Which puzzle somebody gets next, and what becomes of their answers.

First comes what is due, by the schedule of what they have answered before; then something new, of a
level that they solve more often than not. Puzzles are found by the workers, a few at a time, and
stored, so that how people fare can be told.
"""

from __future__ import annotations

import contextlib
import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from parlour import lessons
from parlour.core import Game, NameTaken, answers, extra, registry, say, values
from parlour.faces.web.errors import NotThere, require
from parlour.faces.web.workers import WorkerPool
from parlour.rules import Othello
from parlour.store import PuzzleCard, Store, StoredPuzzle, Table

LIMIT = 20.0  # seconds until a worker must have found puzzles
AT_ONCE = 12  # found by one task
POOL = 400  # stored puzzles of a game among which one is chosen
CHOICE = 6  # the nearest ones in strength, among which chance decides
EASIER = 80.0  # Elo points by which a new puzzle is easier than the person
MAX_CARDS = 5_000  # of one person
MAX_RESULTS = 200  # of one puzzle that are kept


@dataclass(frozen=True)
class Progress:
    """How somebody fares: their rating, and how many puzzles are due and known, by game."""

    rating: lessons.Strength
    answered: int
    due: Mapping[str, int]
    known: Mapping[str, int]


def answers_of(card: PuzzleCard) -> list[lessons.Answered]:
    """Return what somebody answered to a puzzle."""
    return [lessons.Answered(*each) for each in card.answers]


def find_due_time(card: PuzzleCard, now: float) -> float:
    """Return when a puzzle should come back; a mistake in a game counts here as an answer."""
    missed = [lessons.Answered(card.missed, False)] if card.missed else []
    return lessons.due_at(lessons.merge_answers(missed, answers_of(card)), now)


def strength_of(puzzle: StoredPuzzle) -> lessons.Strength:
    """Return how hard a puzzle is, by its difficulty and by how people fare with it."""
    return lessons.rate_puzzle(
        puzzle.difficulty, [(float(r), bool(won)) for r, won in puzzle.results]
    )


class PuzzleService:
    """The puzzles of this site."""

    def __init__(self, store: Store, workers: WorkerPool, archive: str = "") -> None:
        self._store = store
        self._workers = workers
        self._archive = archive  # the file with games of Othello, if there is one

    def read(self, name: str) -> StoredPuzzle:
        """Return the puzzle with this id."""
        return require(self._store.puzzles.get(name))

    def find_card(self, owner: str, puzzle: str) -> PuzzleCard | None:
        """Return what somebody answered to a puzzle, if they met it."""
        found = self._store.cards.find(owner=owner, puzzle=puzzle, limit=1) if owner else []
        return found[0] if found else None

    def _list_cards(self, owner: str) -> list[PuzzleCard]:
        return self._store.cards.find(owner=owner, limit=MAX_CARDS) if owner else []

    def sum_up(self, owner: str, now: float) -> Progress:
        """Return how somebody fares."""
        cards = self._list_cards(owner)
        known = Counter(card.game for card in cards)
        due = Counter(card.game for card in cards if find_due_time(card, now) <= now)
        return Progress(_rate(cards), sum(len(card.answers) for card in cards), due, known)

    def find_due(self, owner: str, game: str, now: float) -> PuzzleCard | None:
        """Return the card of a game that has been due longest; of any game if none is named."""
        cards = self._list_cards(owner)
        waiting = [
            (due, card)
            for card in cards
            if game in ("", card.game) and (due := find_due_time(card, now)) <= now
        ]
        return min(waiting, key=lambda each: each[0])[1] if waiting else None

    async def find_new(self, owner: str, game: str, chance: random.Random) -> StoredPuzzle:
        """Return a puzzle that somebody has not met, near their strength."""
        cards = self._list_cards(owner)
        wanted = _rate(cards).elo - EASIER
        met = {card.puzzle for card in cards}
        stored = self._store.puzzles.find(game=game, limit=POOL)
        fresh = [each for each in stored if each.id not in met]
        if len(fresh) < CHOICE or _gap(fresh, wanted) > 2 * EASIER:
            fresh += [e for e in await self._find_more(game, wanted, chance) if e.id not in met]
        if not fresh:
            raise NotThere(
                say("you have met every puzzle of this game that there is; choose another")
            )
        near = sorted(fresh, key=lambda each: abs(strength_of(each).elo - wanted))[:CHOICE]
        return chance.choice(near)

    async def _find_more(
        self, game: str, wanted: float, chance: random.Random
    ) -> list[StoredPuzzle]:
        """Have a worker find puzzles of some variant, about as hard as wanted, and store them."""
        variants = extra(registry.find("games", game), "puzzle_variants")
        options = chance.choice(variants or ({},))
        variant = registry.build("games", game, options)
        levels = range(len(lessons.LEVELS))
        nearest = min(levels, key=lambda each: abs(_rating_of(each) - wanted))
        archive = self._archive if game == Othello.name else ""
        # No ending of Othello is easy, and to look for one takes half a minute.
        for level in (None,) if game == Othello.name else (nearest + 1, None):
            found = await self.search(variant, AT_ONCE, level, "puzzles", archive)
            if found:
                return [self.keep(variant, each) for each in found]
        return []

    async def search(
        self, game: Game, number: int, level: int | None, client: str, archive: str = ""
    ) -> list[dict[str, Any]]:
        """Have a worker find up to this number of puzzles of a variant."""
        payload = {
            **answers.game_fields(game),
            "number": number,
            "level": level,
            "seed": random.randrange(2**31),  # not a secret
            "archive": archive,
        }
        found: list[dict[str, Any]]
        found = await self._workers.run("puzzles-find", payload, LIMIT, client=client)
        return found

    def keep(self, game: Game, found: Mapping[str, Any]) -> StoredPuzzle:
        """Store a puzzle that was found, unless it is stored already."""
        puzzle = StoredPuzzle(game=game.name, options=values(game), **found)
        with contextlib.suppress(NameTaken):
            return self._store.puzzles.add(puzzle)
        return self.read(puzzle.id)

    def record(self, owner: str, puzzle: StoredPuzzle, is_right: bool, now: float) -> None:
        """Store an answer that came at this time, unless its person has deleted their data since.

        A second try within the same few minutes does not count.
        """
        with self._store.deletions.postponed(owner, now) as is_there:
            if not is_there:
                return
            card = self.find_card(owner, puzzle.id)
            known = answers_of(card) if card else []
            history, counts = lessons.add_answer(known, now, is_right)
            if card is None:
                self._store.cards.add(self._make_card(owner, puzzle, answers=history))
            elif counts:
                self._store.cards.put(replace(card, answers=history))
        if not known:
            self._count(puzzle.id, owner, is_right)

    def _make_card(self, owner: str, puzzle: StoredPuzzle, **known: Any) -> PuzzleCard:
        return PuzzleCard(
            id=self._store.new_id(),
            owner=owner,
            puzzle=puzzle.id,
            game=puzzle.game,
            rating=strength_of(puzzle).elo,
            **known,
        )

    def _count(self, name: str, owner: str, is_right: bool) -> None:
        """Add a first answer to how people fare with a puzzle."""
        rating = _rate([card for card in self._list_cards(owner) if card.puzzle != name]).elo
        new = (round(rating, 1), is_right)

        def count(puzzle: StoredPuzzle) -> StoredPuzzle:
            return replace(puzzle, results=(*puzzle.results, new)[-MAX_RESULTS:])

        self._store.puzzles.update(name, count)

    async def learn_from(
        self, owner: str, table: Table, seats: Sequence[int], game: Game
    ) -> list[StoredPuzzle]:
        """Keep and return a puzzle for every move of these seats that gave away value.

        They are to come back, but only answers to puzzles count for ratings.
        """
        payload = {**answers.game_fields(game), "moves": table.moves, "seats": list(seats)}
        asked = time.time()
        found = await self._workers.run("puzzles-from-game", payload, LIMIT, client=owner)
        kept = [self.keep(game, each) for each in found]
        with self._store.deletions.postponed(owner, asked) as is_there:
            for puzzle in kept if is_there else ():
                if self.find_card(owner, puzzle.id) is None:
                    new = self._make_card(owner, puzzle, missed=table.changed, table=table.id)
                    self._store.cards.add(new)
        return kept


def _rate(cards: Sequence[PuzzleCard]) -> lessons.Strength:
    """Rate somebody by their first answers."""
    return lessons.rate_person(
        (card.rating, bool(card.answers[0][1])) for card in cards if card.answers
    )


def _gap(puzzles: Sequence[StoredPuzzle], wanted: float) -> float:
    return min((abs(strength_of(each).elo - wanted) for each in puzzles), default=float("inf"))


def _rating_of(level: int) -> float:
    """Return the rating of a puzzle in the middle of a level."""
    return lessons.rate_puzzle(2.25 + 1.5 * level, ()).elo
