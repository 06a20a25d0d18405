"""A game as an OpenSpiel game, with our options as its parameters.

A state is a match with the usual referee; a pickle of it holds the game and its history of actions.
Loaded only when such a game is made, as it needs OpenSpiel.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from parlour import core
from parlour.core import Game, Match, Option
from parlour.rl.encoding import Encoding
from parlour.rl.episodes import check_playable

PREFIX = "parlour_"
PRESET = "preset"  # an option that the preset fills
UNSET: Any = object()  # the value of an option that the preset fills
NOTHING = "none"
LISTS = str.maketrans(",;", ";|")  # OpenSpiel parts parameters by commas
BACK = str.maketrans(";|", ",;")

_REGISTERED: dict[str, type] = {}  # the class of our games under each name


def load(game: Game) -> Any:
    """Return the OpenSpiel game, registered under its name."""
    return pyspiel.load_game(register_class(type(game)), write_parameters(game))


def register_class(cls: Any) -> str:
    """Register a class of games, and return the name; a number is added to one that is taken."""
    plain = name = f"{PREFIX}{cls.name}"
    number = 1
    while _REGISTERED.get(name, cls) is not cls:
        number += 1
        name = f"{plain}_{number}"
    if name not in _REGISTERED:
        _REGISTERED[name] = cls
        # A class, not a function: OpenSpiel lets go of it after Python has ended, when the last
        # reference to a function would crash, and a class still refers to itself.
        loader = type(f"Spiel{cls.__name__}", (SpielGame,), {"rules": cls, "short_name": name})
        pyspiel.register_game(_describe(cls, name, cls()), loader)
    return name


def _describe(cls: Any, name: str, game: Game) -> Any:
    """Return the type of the game; as registered, that of its usual options."""
    kinds, zero_sum = pyspiel.GameType, core.protocol.is_zero_sum(game)
    seats = core.options_of(cls).get("seats")
    low, high = (2, seats.high) if seats else (game.seats, game.seats)
    return kinds(
        short_name=name,
        long_name=core.title(game),
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=int(high or game.seats),
        min_num_players=low,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_default_parameters(cls),
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """One variant of a game; the rules are those of the subclass that is registered."""

    rules: type
    short_name: str

    def __init__(self, params: Any = None) -> None:
        game = core.registry.build("games", self.rules, read_parameters(self.rules, params or {}))
        check_playable(game)
        self.encoding = Encoding(game)
        self.game = game
        self.longest = min(
            core.protocol.max_plies(game) or core.referee.MAX_MOVES, core.referee.MAX_MOVES
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoding.size,
            max_chance_outcomes=0,
            num_players=game.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if core.protocol.is_zero_sum(game) else None,
            max_game_length=self.longest,
        )
        kind = _describe(self.rules, self.short_name, game)
        super().__init__(kind, info, write_parameters(game))

    def __reduce__(self) -> tuple[Any, ...]:
        return load, (self.game,)

    def new_initial_state(self, state: Any = None) -> SpielState:
        """Return the start of a game."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Return what sees a state; with perfect recall, its history."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self.encoding, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A game in play."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        names = [core.seat_name(game.game, seat) for seat in range(game.game.seats)]
        self.match = CopyableMatch(game.game, names)
        self.match.encoding = game.encoding

    def __reduce__(self) -> tuple[Any, ...]:
        return _replay, (self.get_game(), self.history())

    def current_player(self) -> Any:
        """The seat to move, or that the game is over."""
        return pyspiel.PlayerId.TERMINAL if self.match.over else self.match.turn

    def _legal_actions(self, player: int) -> list[int]:
        match = self.match
        return [] if match.over else sorted(match.encoding.legal(match.state))

    def _apply_action(self, action: int) -> None:
        self.match.play(self.match.encoding.move(action))

    def _action_to_string(self, player: int, action: int) -> str:
        return self.match.game.write_move(self.match.encoding.move(action))

    def is_terminal(self) -> bool:
        """Whether the game is over, by its rules, by repetition or by the cap on moves."""
        return self.match.over

    def returns(self) -> list[float]:
        """What each seat has won."""
        return [float(each) for each in self.match.result or (0,) * self.match.game.seats]

    def __str__(self) -> str:
        return self.match.game.write(self.match.state)


def _replay(game: SpielGame, actions: list[int]) -> SpielState:
    state = game.new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


class CopyableMatch(Match):
    """A match that is copied quickly: OpenSpiel copies states deeply, and often."""

    encoding: Encoding  # its actions

    def __deepcopy__(self, memo: object) -> Match:
        return self.copy()


class Observer:
    """Sees a state as our observations do, and as one line of text."""

    def __init__(self, encoding: Encoding, params: Any) -> None:
        if params:
            raise core.ParlourError(f"observations take no parameters, not {core.quote(params)}")
        self.encoding = encoding
        self.tensor = np.zeros(math.prod(encoding.shape), np.float32)
        self.dict = {"observation": np.reshape(self.tensor, encoding.shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the tensor with what a seat sees."""
        self.dict["observation"][:] = self.encoding.observe(state.match.state, player)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return the position on one line."""
        return str(state)


# Options as parameters. OpenSpiel knows numbers, yes or no, and text without commas; what looks
# like a number is one to it. An open or missing number is one below the least that is allowed.


def _default_parameters(cls: type) -> dict[str, Any]:
    return {
        name: _write_parameter(option, option.default if option.has_default else UNSET)
        for name, option in core.options_of(cls).items()
    }


def write_parameters(game: Game) -> dict[str, Any]:
    """Return the options of a game as parameters, each filled in."""
    return {
        name: _write_parameter(option, getattr(game, name))
        for name, option in core.options_of(type(game)).items()
    }


def read_parameters(cls: type, parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the options that parameters stand for, without those that a preset fills."""
    found = {}
    for name, option in core.options_of(cls).items():
        if name in parameters:
            value = _read_parameter(option, parameters[name])
            if value is not UNSET:
                found[name] = value
    return found


def _write_parameter(option: Option, value: Any) -> Any:
    if option.depth == 0 and option.kind in (int, float):
        return option.kind(_open_number(option) if value in (None, UNSET) else value)
    if option.depth == 0 and option.kind is bool and option.has_default and not option.optional:
        return bool(value)
    if value is UNSET:
        return PRESET
    if value is None or value == ():
        return NOTHING
    text = option.write(value).translate(LISTS)
    return text if option.depth == 0 or ";" in text else f"{text};"  # a list of one is no number


def _read_parameter(option: Option, value: Any) -> Any:
    if not isinstance(value, str):
        is_open = option.kind in (int, float) and value == _open_number(option)
        if not is_open:
            return value
        return None if option.optional else UNSET if not option.has_default else value
    if value == PRESET and not option.has_default:
        return UNSET
    if option.depth == 0:
        return value if option.kind is str else option.read(value)
    if value == NOTHING:
        return ()
    return option.read(value.strip(";").translate(BACK))


def _open_number(option: Option) -> float:
    return (option.low or 0) - 1
