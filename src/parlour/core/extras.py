"""What a game has beyond its rules: all of it is said in one place, the class's own `extras`.

Every game can be played, solved, drawn, explained and talked about by its rules alone. What does it
better is declared here, and whoever needs it asks for it by `extra`. Code is given as it is, or by
its name, "package.module:name", as an entry point names a game: the rules lie below the packages
that solve, draw and talk, and may only name what is there. See docs/decisions/0029.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, TypeAlias

from parlour.core.errors import BadFile
from parlour.core.sentences import describe_error, quote

Code: TypeAlias = Any  # a function, class, module or other object; or the name of one
Values: TypeAlias = Mapping[str, Any]  # of some options, by name

RULES = frozenset({"start", "turn", "moves", "play", "result"})
LAST = 1_000  # the place of a game that names none


@dataclass(frozen=True)
class Extras:
    """What a game has beyond its rules; each field has a default that does for any game."""

    # The truth, in place of a search through the rules
    method: Code = None  # a class like `parlour.truth.Method`: how it is solved
    barred_method: Code = None  # the same for variants in which loops are barred
    numbering: Code = None  # a class like `parlour.truth.disk.Family`, for solving it on disk
    explainer: Code = None  # a class like `parlour.truth.explain.Explainer`: reasons of its own
    # For each option the values that an atlas tries; and those that an unusual variant may have,
    # where the game has no atlas
    choices: Values = field(default_factory=dict)
    unusual_choices: Values = field(default_factory=dict)

    # Players
    playouts: Code = None  # (game, games, seed, work): random games as a `parlour.Tally`
    minimax: Code = None  # how this bot plays it, as a `parlour.players.Style`
    benedict: Code = None  # the same for this bot
    skin: Code = None  # a class like `parlour.players.Skin`: the game in other words
    evaluator: Code = None  # a `parlour.arena.Evaluator`, if it is too large to be solved
    batch: Code = None  # a class like `parlour.rl.Batch`: many games in step

    # The board: a module or object with `draw(view)`, which returns a `parlour.boards.Drawn`. It
    # may also have `board(view)` and `picture(game, state)`, markup for a page and for a card;
    # `build(game, state, answers)` and `compose(game, answers)`, a form to set up a position; and
    # `announce_move(text)`, what somebody does with a move.
    board: Code = None

    # Benedict, who talks about it
    spoken_name: str = ""  # what he calls it (its name)
    reader: Code = None  # (game, state, words): the move that a sentence means, as it is written
    reader_words: str | Sequence[str] = ()  # for moves; or as of "piles", "hands" or "squares"
    wish_reader: Code = None  # (text): the options that a wish names
    wish_numbers: tuple[str, ...] = ()  # options that are said as numbers
    facts: Code = None  # (game): what answers to questions are made of
    facts_now: Code = None  # (match, table): the same, of the game that is on
    reason: Code = None  # (game): sentences that say why a player wins
    asks_for: str = ""  # what he asks before it begins: an option, or "begins"
    his_options: Values = field(default_factory=dict)  # of the variant that he plays himself (any)
    free_options: tuple[str, ...] = ()  # which everybody chooses for themselves
    pile_options: tuple[str, ...] = ()  # which are made of piles
    chooses_beginner: bool = False  # he begins if and only if that wins (the person begins)
    draws_players: bool = False  # its drawing in text has a line for each player

    # The web
    place: int = LAST  # in lists of games (after those that have one, by name)
    about: str = ""  # a line or two for its card in the lobby (from the class's docstring)
    quick_options: Values = field(default_factory=dict)  # of the game that is begun from there
    quick_bot: str = ""  # who plays it there (somebody who plays well)
    easier_bot: str = ""  # who is easier to beat (nobody)
    menu_options: Values = field(default_factory=dict)  # of a new set-up
    needs_names: bool = False  # its players need a name
    bots_wait: bool = False  # in a new set-up, until people have seen their moves
    puzzle_variants: Sequence[Values] = ()  # the options of each (the usual variant)
    solved_options: Values = field(default_factory=dict)  # of a variant that the lab solves at once


CODE = frozenset(each.name for each in fields(Extras) if each.type == "Code")
NONE = Extras()


def extras_of(game: object) -> Extras:
    """Return what a game, or a class of games, declares; the defaults where it declares nothing.

    A class inherits them, unless it changes the rules: then the solution of the other game would be
    wrong for it, and it declares its own.
    """
    for cls in (game if isinstance(game, type) else type(game)).__mro__:
        if isinstance(found := vars(cls).get("extras"), Extras):
            return found
        if RULES & vars(cls).keys():
            break
    return NONE


def extra(game: object, name: str) -> Any:
    """Return one thing that a game, or a class of games, has beyond its rules, or its default.

    What is only named is imported now.
    """
    found = getattr(extras_of(game), name)
    return load_code(found) if name in CODE and isinstance(found, str) else found


@functools.cache
def load_code(name: str) -> Any:
    """Return what "package.module:name" stands for, or a module whole."""
    module, _, inside = name.partition(":")
    try:
        found = importlib.import_module(module)
        return getattr(found, inside) if inside else found
    except (ImportError, AttributeError) as error:
        raise BadFile(
            f"a game names {quote(name)}, which cannot be loaded: {describe_error(error)}"
        ) from error
