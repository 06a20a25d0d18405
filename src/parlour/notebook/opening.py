"""Opens a board in a notebook, where the library for that is installed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from parlour.core import BadOption, check_argument, registry

OPPONENT = "random"  # where nobody else is named, as in a terminal


def widget(game: Any, against: Any = OPPONENT, *, seat: int = 0) -> Any:
    """Return a board to play on in a cell of a notebook; its `record` is the game so far.

    You sit at `seat`, and `against` sits at the others: a bot, its name or a function, a list of
    them in the order of the seats, or None for people, who then take turns at the same board. It
    needs the extra `notebook`.
    """
    try:
        import anywidget  # noqa: F401
    except ImportError:
        raise ImportError(
            "a board in a notebook needs anywidget; pip install 'parlour[notebook]'"
        ) from None
    from parlour.notebook.board_widget import BoardWidget

    game = registry.game(game)
    seat = check_argument("seat", seat, int, low=0, high=game.seats - 1)
    return BoardWidget(game, _seat_players(game.seats, against, seat))


def _seat_players(seats: int, against: Any, seat: int) -> list[Any]:
    """The player at every seat; None for a person."""
    others = seats - 1
    if isinstance(against, Sequence) and not isinstance(against, str):
        named = list(against)
        if len(named) != others:
            raise BadOption("against", against, f"it must name {others}, one for each other seat")
    else:
        named = [against] * others
    players = [None if each is None else registry.bot(each, "against") for each in named]
    players.insert(seat, None)
    return players
