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

Code: TypeAlias = Any  # a function, class, module or other object; or the name of one
Choices: TypeAlias = Mapping[str, Any]  # options of the game and their values

RULES = frozenset({"start", "turn", "moves", "play", "result"})
LAST = 1_000  # the place of a game that names none


@dataclass(frozen=True)
class Extras:
    """What a game has beyond its rules; each has a default that does for any game.

    The truth, in place of a search through the rules:

    - `method`: a class like `parlour.truth.Method`, which says how the game is solved.
    - `barred_method`: the same for variants in which loops are barred.
    - `numbering`: a class like `parlour.truth.disk.Family`, for solving it on disk.
    - `explainer`: a class like `parlour.truth.explain.Explainer`, with reasons of the game's own.
    - `choices`: for each option the values that an atlas tries, where nobody says which.
    - `unusual_choices`: the values from which an unusual variant is drawn, where not `choices`.

    Players:

    - `playouts(game, games, seed, work)`: random games in compiled code, as a `parlour.Tally`.
    - `minimax`, `benedict`: how these bots play it, as a `parlour.players.Style`.
    - `skin`: a class like `parlour.players.Skin`, the game in other words.
    - `evaluator`: a `parlour.arena.Evaluator`, by which a tournament judges the moves of a
      game too large to be solved.
    - `batch`: a class like `parlour.rl.Batch`, many games in step.

    The board:

    - `board`: a module or object with `draw(view)`, which returns a `parlour.boards.Drawn`. It may
      also have `board(view)` and `picture(game, state)`, markup for a page and for a card;
      `build(game, state, answers)` and `compose(game, answers)`, a form to set up a position; and
      `announce_move(text)`, what somebody does with a move.

    Benedict, who talks about it:

    - `spoken_name`: what he calls it (its name).
    - `reader(game, state, words)`: the move that a sentence means, as the game writes it, or
      nothing; `reader_words` are the words in which it may be said, or "piles", "hands" or
      "squares" for those of such games.
    - `wish_reader(text)`: the options that a wish names; `wish_numbers` names the options that are
      said as numbers.
    - `facts(game)` and `facts_now(match, table)`: what the answers to questions are made of.
    - `reason(game)`: sentences that say why the first or the second player wins.
    - `asks_for`: what he asks before it begins: an option, or "begins".
    - `his_options`: the options of the variant that he plays himself (any).
    - `free_options`: options that everybody chooses for themselves.
    - `pile_options`: options that are made of piles.
    - `chooses_beginner`: he begins if and only if that wins (the person begins).
    - `draws_players`: its drawing in text has a line for each player.

    The web:

    - `place`: where it stands in lists of games (after those that have one, by name).
    - `about`: a line or two for its card in the lobby (the first line of the class's docstring).
    - `quick_options`: the options of the game that is begun from there.
    - `quick_bot`, `easier_bot`: who plays it there, and who is easier to beat (whoever plays well;
      nobody).
    - `menu_options`: the options of a new set-up.
    - `needs_names`: whether its players need a name.
    - `bots_wait`: whether a new set-up lets bots wait until people have seen their moves.
    - `puzzle_variants`: the options of the variants that puzzles are of (the usual variant).
    - `solved_options`: the options of a variant that the lab solves at once.
    """

    method: Code = None
    barred_method: Code = None
    numbering: Code = None
    explainer: Code = None
    choices: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    unusual_choices: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    playouts: Code = None
    minimax: Code = None
    benedict: Code = None
    skin: Code = None
    evaluator: Code = None
    batch: Code = None

    board: Code = None

    spoken_name: str = ""
    reader: Code = None
    reader_words: str | Sequence[str] = ()
    wish_reader: Code = None
    wish_numbers: tuple[str, ...] = ()
    facts: Code = None
    facts_now: Code = None
    reason: Code = None
    asks_for: str = ""
    his_options: Choices = field(default_factory=dict)
    free_options: tuple[str, ...] = ()
    pile_options: tuple[str, ...] = ()
    chooses_beginner: bool = False
    draws_players: bool = False

    place: int = LAST
    about: str = ""
    quick_options: Choices = field(default_factory=dict)
    quick_bot: str = ""
    easier_bot: str = ""
    menu_options: Choices = field(default_factory=dict)
    needs_names: bool = False
    bots_wait: bool = False
    puzzle_variants: Sequence[Choices] = ()
    solved_options: Choices = field(default_factory=dict)


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
    found = importlib.import_module(module)
    return getattr(found, inside) if inside else found
