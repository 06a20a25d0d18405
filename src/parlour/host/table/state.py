"""Tables in the host's session: a game is set up, moved on, taken back, and told who sits where."""

from __future__ import annotations

from dataclasses import replace

from parlour.core import (
    Bot,
    Game,
    Match,
    Move,
    ParlourError,
    Record,
    Solution,
    State,
    TooLarge,
    Unsolved,
    Value,
    declared,
    registry,
    values,
)
from parlour.host.session import Table
from parlour.rules import Nim, Othello
from parlour.truth import is_solved_soon, solve_at, solve_once

HUMAN = "human"
LEVELS = range(1, 11)
MIDDLING = "engine level=3"  # at the boards of Othello that are not his own
MOST_MOVES = 400  # of one game at his table, so that every reply stays quick


def game_of(table: Table) -> Game:
    """The game on a table."""
    return registry.game(table.game, **table.options)


def match_of(table: Table, game: Game | None = None) -> Match:
    """The match as it stands."""
    game = game or game_of(table)
    record = Record(table.game, table.options, table.players, table.moves)
    match = Match.from_record(game, record, most_moves=MOST_MOVES)
    if table.result is not None and match.result is None:
        match.result, match.reason = table.result, table.reason
    return match


def seated(game: Game, against: str, *, person_begins: bool) -> Table:
    """A new table: the person, and whoever plays against them at all other seats."""
    others = [against] * (game.seats - 1)
    players = (HUMAN, *others) if person_begins else (*others[:1], HUMAN, *others[1:])
    return Table(game.name, values(game), players)


def is_human(table: Table, seat: int) -> bool:
    """Whether a person sits there."""
    return table.players[seat] == HUMAN


def person(table: Table) -> int | None:
    """The seat of the person, if one plays."""
    return table.players.index(HUMAN) if HUMAN in table.players else None


def opponent(table: Table) -> str:
    """Who plays against the person."""
    return next((player for player in table.players if player != HUMAN), HUMAN)


# Who can play what


def usual(game: Game) -> str:
    """Who plays a game when nobody is asked for: the host himself where he is at his best."""
    able = {
        "benedict": not isinstance(game, Nim) or not (game.misere or game.endings),
        "perfect": is_solved_soon(game),
    }
    names = ("benedict", "perfect", MIDDLING, "despacito", "standard", "minimax")
    plays = (name for name in names if able.get(name, True) and plays_well(name, game))
    return next(plays, "random")


def plays_well(text: str, game: Game) -> str:
    """How well a bot plays a game, in its own words; nothing when it does not."""
    try:
        return str(registry.read_bot(text).plays(game))
    except ParlourError:
        return ""


def bot_text(wanted: str, level: int | None, game: Game) -> str:
    """A bot as the table names it, from what was asked for."""
    if wanted == "menace":
        wanted = "hats rule=menace games=2000"
    text = wanted or (usual(game) if level is None else "")
    if level is not None:
        text = _at_level(text or _strong(game), level)
    return text


def _strong(game: Game) -> str:
    """Whoever a level is meant of when nobody is named."""
    if not isinstance(game, Othello):
        return "perfect"
    return "engine" if plays_well("engine", game) else "despacito"


def _at_level(text: str, level: int) -> str:
    name = text.partition(" ")[0]
    known = declared(registry.find("bots", name))
    option = next((each for each in ("level", "depth", "plies") if each in known), None)
    if option is None:
        return text
    high = min(int(known[option].high or 10), LEVELS[-1])
    best = name == "perfect" and level >= high
    return name if best else f"{name} {option}={max(1, min(level, high))}"


def ladder(game: Game) -> list[str]:
    """The players of a game from the weakest to the strongest."""
    if _strong(game) == "engine":
        levels = [f"engine level={level}" for level in LEVELS]
        # Of 30 games level 1 won 5½ against Benedict and level 2 won 20½; against Despacito level 3
        # won 10 and level 4 won 29.
        steps = ["random", levels[0], "benedict", *levels[1:3], "despacito", *levels[3:]]
    elif isinstance(game, Othello):
        steps = ["random", *(f"despacito level={level}" for level in range(1, 7))]
    elif is_solved_soon(game):
        steps = [*(f"perfect level={level}" for level in LEVELS[:-1]), "perfect"]
    else:
        steps = ["random", "minimax depth=2", "minimax depth=4", "minimax depth=6"]
    return [step for step in steps if plays_well(step, game)]


def step(table: Table, game: Game, by: int) -> str:
    """The player one step up or down; the same at either end."""
    steps = ladder(game)
    now = opponent(table)
    best = len(steps) - 1
    at = steps.index(now) if now in steps else best
    if now == "benedict" and by > 0 and "perfect" in steps:
        return now  # he errs as little as perfect does, where that is known at all
    return steps[max(0, min(best, at + by))] if steps else now


def with_opponent(table: Table, text: str) -> Table:
    """The same table with somebody else against the person."""
    return replace(table, players=tuple(p if p == HUMAN else text for p in table.players))


def swapped(table: Table) -> Table:
    """The same game with the seats exchanged; what was taken back is forgotten."""
    return replace(
        table,
        players=tuple(reversed(table.players)),
        swaps=(*table.swaps, len(table.moves)),
        undone=(),
    )


def at_move(table: Table, number: int) -> Table:
    """The table with everybody where they sat when the move of this number was made."""
    later = sum(swap > number for swap in table.swaps)
    return replace(table, players=tuple(reversed(table.players))) if later % 2 else table


# Moves


def chosen(text: str, game: Game, state: State, seed: int) -> Move:
    """What a bot plays; its lots are those of the seed, so that a session says it all."""
    bot: Bot = registry.read_bot(text)
    known = declared(type(bot))
    if "seed" in known and getattr(bot, "seed", None) is None:
        told = {name: getattr(bot, name) for name in known}
        bot = registry.made(type(bot), text.partition(" ")[0], {**told, "seed": seed})
    return bot.choose(game, state)


def moved(table: Table, match: Match, move: Move) -> Table:
    """The table after a move of whoever is to move; what was taken back is forgotten."""
    match.play(move)
    return replace(
        table,
        moves=tuple(match.moves),
        undone=(),
        result=match.result,
        reason=match.reason,
    )


def stopped(table: Table, match: Match, seat: int, reason: str) -> Table:
    """The table after a seat has given up."""
    match.stop(seat, reason)
    return replace(table, result=match.result, reason=match.reason)


def taken_back(table: Table, match: Match) -> Table | None:
    """The table before the person's last move; None when there is none to take back.

    A swap of sides that came after it is taken back too.
    """
    states = list(match.record.replay(match.game))
    own = [
        number
        for number in range(len(table.moves))
        if is_human(at_move(table, number), match.game.turn(states[number][0]))
    ]
    if not own and not table.swaps:
        return None
    cut = own[-1] if own else table.swaps[-1]
    then = at_move(table, cut) if own else swapped(table)
    swaps = tuple(swap for swap in table.swaps if swap < cut or (own and swap == cut))
    same_sides = swaps == table.swaps
    undone = (*table.undone, *reversed(table.moves[cut:])) if same_sides else ()
    return replace(
        then, moves=table.moves[:cut], undone=undone, swaps=swaps, result=None, reason=""
    )


def played_again(table: Table) -> Table | None:
    """The table with what was taken back last played again, up to the person's next turn."""
    if not table.undone:
        return None
    undone, moves = list(table.undone), list(table.moves)
    seat = person(table)
    while undone:
        moves.append(undone.pop())
        now = match_of(replace(table, moves=tuple(moves), undone=(), result=None, reason=""))
        if now.over or seat is None or now.turn == seat:
            break
    return replace(
        table, moves=tuple(moves), undone=tuple(undone), result=now.result, reason=now.reason
    )


# What is true


def solved_here(game: Game, state: State) -> Solution | None:
    """A solution for this position, where it takes no waiting."""
    quick = is_solved_soon(game)
    if not quick and not isinstance(game, Othello):
        return None
    try:
        return solve_at(game, state, solve_once(game) if quick else None)
    except (Unsolved, TooLarge):
        return None


def value_here(game: Game, state: State) -> Value | None:
    """The exact value of a position for whoever is to move, where it takes no waiting."""
    solution = solved_here(game, state)
    try:
        return None if solution is None else solution.value(state)
    except Unsolved:
        return None


def is_exact(text: str, game: Game) -> bool:
    """Whether a player never errs in this game."""
    return text in ("benedict", "perfect") and not isinstance(game, Othello)
