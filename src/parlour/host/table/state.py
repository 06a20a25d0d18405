"""The table in a session: a game, who sits where, its moves, undo and redo, and exact values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeGuard

from parlour import core
from parlour.core import Game, Match, Solution, State, registry
from parlour.host.session import HostTable
from parlour.players import is_valued_in_discs
from parlour.rules import Chopsticks, Othello, TakeAwayGame
from parlour.truth import is_solved_soon, solve_at, solve_once

HUMAN = "human"
LEVELS = range(1, 11)
MIDDLING = "engine level=3"  # on boards of Othello other than his own
MAX_DEPTH = 5  # of minimax, unless somebody says another
MAX_LINES = 400_000  # of play that it may look at if it cuts none off: a fifth of a second
WORTH_WAITING = (Chopsticks(rules="feathers-revive"),)  # proven within seconds, and then kept
MANY_PILES = 5
MAX_MOVES = 400  # of one game here, so that every reply stays quick


def load_game(table: HostTable) -> Game:
    """Return the game on a table."""
    game: Game = registry.build("games", table.game, table.options)
    return game


def load_match(table: HostTable) -> Match:
    """Return the match as it stands, replayed from the moves."""
    record = core.Record(table.game, table.options, table.players, table.moves)
    match = Match.from_record(load_game(table), record, most_moves=MAX_MOVES)
    if table.result is not None and match.result is None:
        match.result, match.reason, match.end = table.result, table.reason, table.end
    return match


def seat_players(game: Game, against: str, *, person_begins: bool) -> HostTable:
    """Return a new table with the person, and the opponent on all other seats."""
    others = [against] * (game.seats - 1)
    players = (HUMAN, *others) if person_begins else (*others[:1], HUMAN, *others[1:])
    return HostTable(game.name, core.values(game), players)


def is_human(table: HostTable, seat: int) -> bool:
    """Say whether a person sits there."""
    return table.players[seat] == HUMAN


def find_person(table: HostTable) -> int | None:
    """Return the seat of the person, if one plays."""
    return table.players.index(HUMAN) if HUMAN in table.players else None


def find_opponent(table: HostTable) -> str:
    """Return who plays against the person."""
    return next((player for player in table.players if player != HUMAN), HUMAN)


# What differs between the games at his table


def find_question(game: object) -> str:
    """Return what he asks before a game of this name begins: an option, or who begins."""
    return str(core.extra(registry.find("games", str(game)), "asks_for"))


def is_his(game: Game) -> bool:
    """Say whether he plays the variant himself where he plays the game."""
    wanted = core.extra(game, "his_options")
    return all(getattr(game, name) == value for name, value in wanted.items())


def counts_discs(game: Game) -> TypeGuard[Othello]:
    """Say whether a game is too large to be solved, and he estimates it in discs."""
    return is_valued_in_discs(game) and not game.misere


# Opponents


def choose_opponent(game: Game) -> str:
    """Choose who plays when nobody is asked for: the host himself where he is at his best."""
    able = {"benedict": is_his(game), "perfect": is_solved_here(game)}
    names = ("benedict", "perfect", MIDDLING, "despacito", "standard", *list_depths(game)[::-1])
    plays = (name for name in names if able.get(name, True) and describe_strength(name, game))
    return next(plays, "random")


def describe_strength(text: str, game: Game) -> str:
    """Say how well a bot plays a game, in its own words; nothing when it does not."""
    try:
        return str(registry.build("bots", text).plays(game))
    except core.ParlourError:
        return ""


def list_depths(game: Game) -> list[str]:
    """List minimax at the depths for which nobody has to wait, the deepest last."""
    found, state, lines = [], game.start(), 1
    few = isinstance(game, TakeAwayGame) and len(game.piles) < MANY_PILES
    most = 50 * MAX_LINES if few else MAX_LINES  # they soon leave little to look at
    for depth in range(MAX_DEPTH + 1):
        moves = game.moves(state)
        lines *= len(moves) or 1
        if lines > most:
            break
        found.append("minimax" if depth == MAX_DEPTH else f"minimax depth={depth}")
        state = game.play(state, moves[0]) if moves else state
    return found[1:]


def is_solved_here(game: Game) -> bool:
    """Say whether a game is solved before anybody gets impatient."""
    return is_solved_soon(game) or game in WORTH_WAITING


def name_bot(wanted: str, level: int | None, game: Game) -> str:
    """Return a bot with its options, as a table holds it."""
    if wanted == "menace":
        wanted = "hats rule=menace games=2000"
    if wanted == "minimax" and level is None:
        wanted = [wanted, *list_depths(game)][-1]
    if level is None:
        return wanted or choose_opponent(game)
    return _set_level(wanted or _name_strongest(game), level)


def _name_strongest(game: Game) -> str:
    """Name the bot that a level refers to when no bot is named."""
    if not counts_discs(game):
        return "perfect"
    return "engine" if describe_strength("engine", game) else "despacito"


def _set_level(text: str, level: int) -> str:
    name = text.partition(" ")[0]
    known = core.options_of(registry.find("bots", name))
    option = next((each for each in ("level", "depth", "plies") if each in known), None)
    if option is None:
        return text
    high = min(int(known[option].high or 10), LEVELS[-1])
    best = name == "perfect" and level >= high
    return name if best else f"{name} {option}={max(1, min(level, high))}"


def list_opponents(game: Game) -> list[str]:
    """List the players of a game from the weakest to the strongest."""
    if _name_strongest(game) == "engine":
        levels = [f"engine level={level}" for level in LEVELS]
        # Of 30 games level 1 won 5½ against Benedict and level 2 won 20½; against Despacito level 3
        # won 10 and level 4 won 29.
        steps = ["random", levels[0], "benedict", *levels[1:3], "despacito", *levels[3:]]
    elif counts_discs(game):
        steps = ["random", *(f"despacito level={level}" for level in range(1, 7))]
    elif is_solved_here(game):
        steps = [*(f"perfect level={level}" for level in LEVELS[:-1]), "perfect"]
    else:
        steps = ["random", *list_depths(game)]
    return [step for step in steps if describe_strength(step, game)]


def step_opponent(table: HostTable, game: Game, by: int) -> str:
    """Return the player one step up or down; the same at either end."""
    steps, now = list_opponents(game), find_opponent(table)
    if not steps or (now == "benedict" and by > 0 and "perfect" in steps):
        return now  # he errs as little as perfect does, where that is known at all
    best = len(steps) - 1
    at = steps.index(now) if now in steps else best
    return steps[max(0, min(best, at + by))]


def swap_seats(table: HostTable) -> HostTable:
    """Swap the seats; moves that were taken back can no longer be redone."""
    swaps = (*table.swaps, len(table.moves))
    return replace(table, players=table.players[::-1], swaps=swaps, undone=())


def restore_seats(table: HostTable, number: int) -> HostTable:
    """Return the table with everybody where they sat at the move of this number."""
    later = sum(swap > number for swap in table.swaps)
    return replace(table, players=table.players[::-1]) if later % 2 else table


# Moves


def choose_move(text: str, game: Game, state: State, seed: int) -> core.Move:
    """Let a bot choose; its random numbers come from the seed, so a session determines it all."""
    return seat_bot(text, game, seed).choose(game, state)


def seat_bot(text: str, game: Any, seed: int) -> Any:
    """Return a bot that is ready to play; hats are trained once for all their moves."""
    bot: Any = registry.build("bots", text)
    known = core.options_of(type(bot))
    if "seed" in known and getattr(bot, "seed", None) is None:
        options = {name: getattr(bot, name) for name in known}
        bot = registry.build("bots", type(bot), {**options, "seed": seed})
    if hasattr(bot, "use_hats") and not bot.kept:
        bot.use_hats(_train_hats(text, game))
    return bot


@lru_cache(maxsize=8)
def _train_hats(text: str, game: Any) -> Any:
    bot: Any = registry.build("bots", text if "seed=" in text else f"{text} seed=1")
    return bot.hats(game)


def after_move(table: HostTable, match: Match) -> HostTable:
    """Return the table after a move; moves that were taken back can no longer be redone."""
    return end_game(replace(table, moves=tuple(match.moves), undone=()), match)


def end_game(table: HostTable, match: Match) -> HostTable:
    """Return the table with how its game ended, if it did."""
    return replace(table, result=match.result, reason=match.reason, end=match.end)


def undo_moves(table: HostTable, match: Match) -> HostTable | None:
    """Undo the person's last move and all after it; None when there is none.

    A swap of sides that came after it is undone too.
    """
    played = enumerate(list_played(table, match))
    own = [at for at, each in played if is_human(each.table, match.game.turn(each.state))]
    if not own and not table.swaps:
        return None
    cut = own[-1] if own else table.swaps[-1]
    then = restore_seats(table, cut) if own else swap_seats(table)
    swaps = tuple(swap for swap in table.swaps if swap < cut or (own and swap == cut))
    same_sides = swaps == table.swaps
    undone = (*table.undone, *reversed(table.moves[cut:])) if same_sides else ()
    then = replace(then, moves=table.moves[:cut], undone=undone, swaps=swaps)
    return replace(then, result=None, reason="", end="")


def redo_moves(table: HostTable) -> HostTable | None:
    """Redo the moves undone last, up to the person's next turn; None when there are none."""
    if not table.undone:
        return None
    undone, moves = list(table.undone), list(table.moves)
    seat = find_person(table)
    while undone:
        moves.append(undone.pop())
        then = replace(table, moves=tuple(moves), undone=(), result=None, reason="", end="")
        now = load_match(then)
        if now.over or seat is None or now.turn == seat:
            break
    return end_game(replace(table, moves=tuple(moves), undone=tuple(undone)), now)


@dataclass(frozen=True)
class Played:
    """A move that was played, in the position before it, with everybody where they sat then."""

    text: str
    state: State
    move: core.Move
    table: HostTable


def list_played(table: HostTable, match: Match) -> list[Played]:
    """List the moves that were played, in order."""
    describe = core.protocol.describe_move
    return [
        Played(describe(match.game, state, move), state, move, restore_seats(table, at))
        for at, (state, move) in enumerate(match.record.replay(match.game))
        if move is not None
    ]


# Exact values


def find_solution(game: Game, state: State) -> Solution | None:
    """Return a solution for this position, where it takes no waiting."""
    quick = is_solved_here(game)
    if not quick and not is_valued_in_discs(game):  # whose last squares are searched
        return None
    try:
        return solve_at(game, state, solve_once(game) if quick else None)
    except (core.Unsolved, core.TooLarge):
        return None


def find_value(game: Game, state: State) -> core.Value | None:
    """Return the exact value of a position for the seat to move, where it takes no waiting."""
    solution = find_solution(game, state)
    try:
        return None if solution is None else solution.value(state)
    except core.Unsolved:
        return None


def never_errs(text: str, game: Game) -> bool:
    """Say whether a player never errs in this game."""
    return text in ("benedict", "perfect") and not counts_discs(game)
