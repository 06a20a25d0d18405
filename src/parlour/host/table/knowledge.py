"""What Benedict says of a game: who wins and why, who moved, how it ended, and what is asked.

"I" is Benedict, "you" are the person, and bots are called by their names. His sentences are in
`lines/`, with the answers to questions about the games by the topics of
`understand/patterns/questions.txt`; every number in those is checked by the tests.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, cast

from parlour import core, truth
from parlour.core import Game, Match, Move, Solution, State, all_of, capital, count, options_of
from parlour.engine import EndSolution, most_empties
from parlour.host.language import Line, texts
from parlour.host.session import HostTable
from parlour.host.table import state as tables
from parlour.host.table.state import find_opponent, find_person, find_solution
from parlour.host.understand import find_game, list_names, read_wish
from parlour.players import GLANCE, estimate_moves, explain
from parlour.rules import (
    SPLIT,
    Chopsticks,
    Nim,
    Othello,
    Sticks,
    TakeAwayGame,
    TicTacToe,
)
from parlour.truth import BarredSolution, is_drawn, is_solved_soon, nim_sum, reduce_piles, solve_at
from parlour.truth.explain import OthelloExplainer, Wording, count_plies, format_score, outcome_of

PATIENCE = 5.0  # seconds for a variant that may take long to solve
QUICK_SQUARES = 16  # of a board that is solved while somebody waits
MAX_EXAMINED = 200  # first moves that are examined one by one
HIMSELF = ("benedict", "engine", "perfect", "despacito", "standard")  # he calls these I
PROVEN: dict[Any, str] = {  # by a search that takes longer than anybody waits
    Chopsticks(rules="feathers"): "first",
    Chopsticks(rules="feathers-revive"): "first",
    Chopsticks(rules="feathers-revive", split_same=False): "second",
}
PUBLISHED = {
    (6, 6): "Joel Feinstein computed in 1993 that the second player wins it 20 to 16",
}
KNOWN_FACTS = {"ended", "unjudged", "value", "margin-value"}  # which he says in his own words
REASONS = {"right", "wins-now", "blocks", "fatal"}  # why a move is advised, by the position
MOVE_REASONS = {  # and by what it does
    *("leaves", "mod-leaves", "makes-fork", "takes-corner", "gives-corners", "leaves-moves")
}
LINES_OF_PLAY = {"line", "margin-line", "expected"}
MAX_LISTED = 12  # moves
GUESTS = texts.read_expressions("understand/expressions/guests.txt")  # where the game stands as `_`
AT_TABLE = ("options", "history", "length", "positions")  # answered without the game's name too
Facts = dict[str, Any]
Lines = tuple[str, ...]
LINES = partial(texts.fill_lines, "table/lines/replies.txt")
OF_GUESTS = partial(texts.fill_lines, "table/lines/guests.txt")


def answer_topic(topic: str) -> Lines:
    """Answer a question on this topic in one to three sentences."""
    claims = core.registry.claims("bots").items()
    names = [name for name, each in claims if not getattr(each.load(), "needs_trust", "")]
    return texts.fill_lines(
        "table/lines/answers.txt", topic, number=len(names), bots=core.all_of(names)
    )


# Names


def name_variant(game: Game) -> str:
    """Return the name of the variant, as Benedict says it himself."""
    return core.title(game).replace("Benedict's", "my")


def speaks_as_i(table: HostTable) -> bool:
    """Say whether the player against the person is the host himself."""
    return find_opponent(table).split()[0] in HIMSELF and find_person(table) is not None


def name_player(table: HostTable, seat: int, game: Game) -> str:
    """Return `you`, `I`, or the bot's own name."""
    if tables.is_human(table, seat) and find_person(table) is not None:
        return "you"
    if speaks_as_i(table) and game.seats == 2:
        return "I"
    player = table.players[seat]
    twice = list(table.players).count(player) > 1
    return f"{core.seat_name(game, seat)} ({player})" if twice else player.split()[0]


def name_mover(played: tables.Played, game: Game) -> str:
    """Return who played a move."""
    return name_player(played.table, game.turn(played.state), game)


def join_verb(who: str, verb: str) -> str:
    """Return somebody with a verb: `I take`, `perfect takes`."""
    return f"{who} {core.conjugate(verb, who)}"


def describe_bot(text: str) -> str:
    """Describe a bot and its options in words: `perfect, level 3`."""
    return text.replace(" ", ", ", 1).replace("=", " ")


def draw_board(table: HostTable, game: Game, state: State) -> str:
    """Draw the position, with the people's names where the game has only numbers."""
    picture = game.draw(state)
    if core.extra(game, "draws_players"):
        for seat in range(game.seats):
            who = name_player(table, seat, game)
            name = "Benedict" if who == "I" else who
            picture = picture.replace(f"player {seat + 1}", f"{name[:8]:8}")
    return picture


def describe_marks(table: HostTable, game: Game) -> Lines:
    """Say which marks are the person's, where there are any."""
    marks, seat = getattr(game, "marks", ()), find_person(table)
    return LINES("marks", mark=marks[seat]) if marks and seat is not None else ()


def explain_rules(game: Game, *, general: bool = False) -> tuple[Lines, str]:
    """Return the rules and how to say a move; where they have a box, that box as a drawing."""
    box = "" if general else core.protocol.rules_box(game)
    rules = () if box else core.protocol.rules_text(game, general=general)
    return (*rules, core.how_to_move(game)), box


# Moves and endings


def describe_play(table: HostTable, seat: int, game: Game, text: str) -> str:
    """Describe a move: `I play 2 from 1.`"""
    who = name_player(table, seat, game)
    if text == "pass":
        return capital(f"{join_verb(who, 'have')} no move and {core.conjugate('pass', who)}.")
    return capital(f"{join_verb(who, 'play')} {text}.")


def name_newly_out(table: HostTable, match: Match) -> list[str]:
    """Say who is out since the last move, in a game that the others go on with."""
    names = [name_player(table, seat, match.game) for seat in match.newly_out]
    return [capital(f"{who} {'are' if who == 'you' else 'is'} out.") for who in names]


def describe_ending(table: HostTable, match: Match) -> str:
    """Say how the game ended."""
    game, result = match.game, match.result or ()
    names = _name_players(table, game)
    why = f" ({match.reason})" if match.reason else ""
    if max(result, default=0) <= 0:
        return f"It is {_name_draw(game)}{why}."
    wins = join_verb(names[result.index(max(result))], "win")
    if match.end == "resigned":
        return capital(f"{join_verb(names[result.index(min(result))], 'resign')}; {wins}.")
    if ending := core.protocol.ended_by(game, match.state):
        (line,) = LINES("by ending", wins=capital(wins), ending=ending)
        return line
    if tables.counts_discs(game) and not match.reason:
        more, fewer = sorted((discs.bit_count() for discs in match.state[:2]), reverse=True)
        empty = len(cast(Any, game).board.bits) - more - fewer
        (rest,) = LINES(
            "empty squares" if empty else "no empty square",
            empty=count(empty, "empty square"),
            go="goes" if empty == 1 else "go",
            score=f"{more + empty} to {fewer}",
        )
        return capital(f"{wins}, {more} discs to {fewer}{rest}")
    return capital(f"{wins}{why}.")


def describe_whole_ending(table: HostTable, match: Match) -> Lines:
    """Say how the game ended, and what on the board ended it."""
    game, state = match.game, match.state
    if game.seats != 2 or game.result(state) is None:
        return (describe_ending(table, match),)
    found = explain(game, state, wording=address_people(table, game, game.turn(state)))
    return (describe_ending(table, match), *found.without(KNOWN_FACTS))


def _name_draw(game: Game) -> str:
    return "a tie" if hasattr(game, "score") else "a draw"


def _count_discs(figure: str, score: float) -> str:
    return f"{figure} {'disc' if abs(score) == 1 else 'discs'}"


# Who is winning


def describe_standing(table: HostTable, game: Game, state: State) -> Lines:
    """Say who is winning: exactly where it is known, else as an estimate."""
    if game.seats != 2:
        return LINES("many seats")
    value = tables.find_value(game, state)
    if value is not None:
        return (_forecast(table, game, state, value), *_describe_margin(table, game, state))
    if tables.counts_discs(game):
        return _describe_estimate(table, game, state)
    return LINES("not solved")


def _forecast(table: HostTable, game: Game, state: State, value: core.Value) -> str:
    (both,) = LINES("of both")
    within = "" if value.plies is None else f": {count_plies(value.plies)} at most, {both}"
    winner = game.turn(state) if value.outcome == "win" else 1 - game.turn(state)
    who, other = name_player(table, winner, game), name_player(table, 1 - winner, game)
    does = core.conjugate("do", other)
    if value.outcome == "draw":
        (line,) = LINES("draw", draw=_name_draw(game))
    elif who == "I" and not tables.never_errs(find_opponent(table), game):
        (line,) = LINES("won if found", within=within)
    else:
        (line,) = LINES("won", who=capital(who), other=other, does=does, within=within)
    return line


def count_discs(table: HostTable, game: Any, state: State) -> str:
    """Say how many discs each side has: `You have 3 discs and I 4`."""
    discs = {state[2]: state[0].bit_count(), 1 - state[2]: state[1].bit_count()}
    first, second = (name_player(table, seat, game) for seat in (0, 1))
    return capital(f"{join_verb(first, 'have')} {count(discs[0], 'disc')} and {second} {discs[1]}")


def _describe_estimate(table: HostTable, game: Any, state: State) -> Lines:
    """Count the discs, and say who stands better a few plies ahead."""
    turn, empty = state[2], len(game.board.bits) - (state[0] | state[1]).bit_count()
    names = [name_player(table, seat, game) for seat in (0, 1)]
    guess = estimate_moves(game, state, plies=GLANCE, seconds=None)
    best, moves = guess.scores[guess.best], count(guess.plies, "move")
    called = outcome_of(best, empty)
    if called == "draw":
        mover = address_people(table, game, turn).address(names[turn])
        whose = f" for {mover}" if best else ""
        by = f"{_count_discs(format_score(best), best)}{whose}"
        judgement = LINES("level", moves=moves, by=by)
    else:
        who = join_verb(names[turn if called == "win" else 1 - turn], "stand")
        by = _count_discs(format_score(abs(best)).replace("+", ""), best)
        judgement = LINES("stands better", moves=moves, who=who, by=by)
    known, now = most_empties(game), count_discs(table, game, state)
    section = "drawn here" if is_drawn(game, state) else "not counted out"
    return (*LINES(section, empty=empty, known=known, discs=now), *judgement)


def _describe_margin(table: HostTable, game: Game, state: State) -> Lines:
    solution = find_solution(game, state)
    if not isinstance(solution, EndSolution) or not (margin := solution.margin(state)):
        return ()
    winner = name_player(table, state[2] if margin > 0 else 1 - state[2], solution.game)
    discs = _count_discs(str(abs(margin)), margin)
    return LINES("for discs", who=join_verb(winner, "win"), discs=discs)


# Reasons and hints


def explain_move(
    table: HostTable, game: Game, state: State, move: Move | None = None, *, supposed: bool = False
) -> list[str]:
    """Explain a position or a move; the line of play only after a move that is supposed."""
    wording = replace(address_people(table, game, game.turn(state)), supposed=supposed)
    solution = find_solution(game, state)
    found = explain(game, state, move, solution=solution, plies=GLANCE, wording=wording)
    left_out = KNOWN_FACTS if supposed else KNOWN_FACTS | LINES_OF_PLAY
    return list(found.without(left_out) or found.sentences)


def address_people(table: HostTable, game: Game, mover: int) -> Wording:
    """Return what the people at the table are called in reasons: I, you, or a bot by its name."""
    if game.seats != 2:
        return Wording()
    names = [name_player(table, seat, game) for seat in (0, 1)]
    by_seat: dict[str, str] = {core.seat_name(game, at): name for at, name in enumerate(names)}
    return Wording(names[mover], names[1 - mover], by_seat)


def advise(table: HostTable, game: Game, state: State, seed: int) -> Lines:
    """Advise a move, and say why; an estimate is called one."""
    wording = address_people(table, game, game.turn(state))
    solution = find_solution(game, state) if game.seats == 2 else None
    if solution is not None and (best := _list_best(solution, state)):
        play = LINES("play", move=core.protocol.describe_move(game, state, best[0]))
        found = explain(game, state, solution=solution, wording=wording)
        position = found.only(REASONS)
        after = explain(game, state, best[0], solution=solution, wording=wording)
        lost = solution.value(state).outcome == "loss"  # and no move has a reason
        reasons = after.only(() if lost else MOVE_REASONS)
        return (*play, *_describe_result(solution, state), *reasons, *position)
    if tables.counts_discs(game) and tables.describe_strength("engine", game):
        guess = estimate_moves(cast(Any, game), state, plies=GLANCE, seconds=None)
        score = guess.scores[guess.best]
        discs, moves = _count_discs(format_score(score), score), count(guess.plies, "move")
        explainer = OthelloExplainer()
        seen = explainer.observe_move(cast(Any, game), state, guess.best)
        known = (each for each in seen if each.kind in MOVE_REASONS)
        reasons = tuple(explainer.phrase(each, wording) for each in known)
        lines = LINES("estimate", move=game.write_move(guess.best), discs=discs, moves=moves)
        return (*lines, *reasons)
    strongest = ["random", *tables.list_opponents(game)][-1]
    move = core.protocol.describe_move(
        game, state, tables.choose_move(strongest, game, state, seed)
    )
    return LINES("guess" if game.seats == 2 else "suggestion", move=move)


def _list_best(solution: Solution, state: State) -> tuple[Move, ...]:
    if isinstance(solution, EndSolution):
        return tuple(solution.most_discs(state))
    try:
        return tuple(solution.best(state))
    except core.Unsolved:
        return ()


def _describe_result(solution: Solution, state: State) -> Lines:
    """Say what the best move comes to: how soon it wins, or by how many discs."""
    if not isinstance(solution, EndSolution):
        value = solution.value(state)
        if value.outcome != "win" or value.plies is None:
            return ()
        return LINES("wins within", plies=count_plies(value.plies))
    margin = solution.margin(state)
    which = "wins by" if margin > 0 else "loses by" if margin else "ends level"
    return LINES(which, discs=_count_discs(str(abs(margin)), margin))


# Facts that answers are made of, by the names that their gaps and conditions have


def list_facts(game: Any, match: Match | None, table: HostTable | None) -> Facts:
    """Return the facts of a game, and of the match where one is on the table."""
    return _describe_game(game) | _describe_position(match, table)


def _describe_game(game: Any) -> Facts:
    """Return the facts of a variant: its options, and what is made of them."""
    if game is None:
        return {}
    facts = {"game": True, "name": game.name, game.name: True, "usual": game == type(game)()}
    facts |= {"title": core.title(game), **core.values(game)}
    for name, option in options_of(type(game)).items():
        facts |= {f"{name}_low": option.low, f"{name}_high": option.high}
    own = core.extra(game, "facts")
    return facts | (own(game) if own else {})


def describe_squares(game: TicTacToe | Othello) -> Facts:
    """Return the facts of a board."""
    squares = len(game.board.bits)
    eight = (game.columns, game.rows) == (8, 8)
    return {"squares": squares, "free": squares - 4, "eight": eight, "majority": squares // 2 + 1}


def describe_discs(game: Othello) -> Facts:
    """Return the facts of an Othello."""
    more = "fewer" if game.misere else "more"
    return {**describe_squares(game), "solved": most_empties(game), "more": more}


def describe_taking(game: TakeAwayGame) -> Facts:
    """Return the facts of a game of piles."""
    piles = options_of(Nim)["piles"]
    whole = (game.take or 0) + 1
    return {
        "taking": True,
        "span": core.span(1, game.take or 1),
        "whole": whole,
        "targets": ", ".join(str(1 + whole * each) for each in range(4)) + " …",
        "wins": "loses" if game.misere else "wins",
        "thing": "stick" if isinstance(game, Sticks) else "coin",
        "endings": all_of(",".join(map(str, ending)) for ending in game.endings),
        "piles": all_of(game.piles),
        "pile_count": count(len(game.piles), "pile"),
        "fewest": count(
            -(-game.piles[0] // game.take) if game.take else sum(map(bool, game.piles)), "move"
        ),
        "coins": sum(game.piles) * (game.seats - 1 if game.misere else 1),
        "two": game.seats == 2,
        "positions": f"{math.prod(pile + 1 for pile in game.piles):,}",
        "longest": piles.longest,
        "largest": f"{int(piles.high or 0):,}",
    }


def describe_hands(game: Chopsticks) -> Facts:
    """Return the facts of a chopsticks."""
    hand, finger = game.words
    return {
        "hand": hand,
        "hands": "boxes" if hand == "box" else f"{hand}s",
        "finger": finger,
        "more": game.dies_at + 1,
        "wraps": game.overflow == "wraps",
        "barred": game.loops == "barred",
        "span": core.span(game.split_least, game.dies_at - 1),
        "revives": f"may revive a dead {hand}" if game.revive else "needs both alive",
        "same": f"{'may' if game.split_same else 'must not'} leave the same pair",
        "splits_one": any(move[0] == SPLIT for move in game.moves(game.read("1,0:1,1"))),
    }


def _describe_position(match: Match | None, table: HostTable | None) -> Facts:
    """Return the facts of a game that is on: the moves, and who plays against the person."""
    if match is None or table is None:
        return {"on": False, "made": ""}
    facts = {"made": count(len(match.moves), "move"), **_describe_record(match, table)}
    if match.over:
        return {**facts, "on": False, "over": True}
    game, bot = match.game, find_opponent(table)
    moves, write = game.moves(match.state), partial(core.protocol.describe_move, game, match.state)
    listed = [write(moves[at]) for at in range(min(len(moves), MAX_LISTED))]
    steps = tables.list_opponents(game)
    facts |= {
        "on": True,
        "mine": tables.is_human(table, match.turn),
        "moves": count(len(moves), "move"),
        "list": ", ".join(listed) + (", …" if len(moves) > len(listed) else ""),
        "weakest": describe_bot(steps[0]) if steps else "",
        "bot": describe_bot(bot),
        "plays": tables.describe_strength(bot, game),
    }
    own = core.extra(game, "facts_now")
    return facts | (own(match, table) if own else {})


def describe_piles_now(match: Match, table: HostTable) -> Facts:
    """Return the facts of the piles on the table."""
    piles = match.state[2:]
    thing = "stick" if isinstance(match.game, Sticks) else "coin"
    return {"left": count(sum(piles), thing), "piles_now": all_of(piles)}


def describe_hands_now(match: Match, table: HostTable) -> Facts:
    """Return the facts of the hands at the table."""
    game, state = match.game, match.state
    splits = [
        core.protocol.describe_move(game, state, move)
        for move in game.moves(state)
        if move[0] == SPLIT
    ]
    names = _name_players(table, game)
    held = (" and ".join(map(str, pair)) for pair in (state[1:3], state[3:5]))
    told = (f"{join_verb(n, 'have')} {h}" for n, h in zip(names, held, strict=True))
    return {
        "splits": all_of(splits),
        "forced": not splits,
        "hands_now": capital("; ".join(told)),
    }


def describe_discs_now(match: Match, table: HostTable) -> Facts:
    """Return the facts of the discs on the board."""
    game: Othello = cast(Any, match.game)
    own, other, turn = match.state
    names, moves = _name_players(table, game), game.moves(match.state)
    theirs = [game.write_move(move) for move in game.moves((other, own, 1 - turn))]
    empties = len(game.board.bits) - (own | other).bit_count()
    return {
        "theirs": count(len(theirs) - ("pass" in theirs), "move"),
        "discs": count_discs(table, game, match.state),
        "empties": empties,
        "last_mover": join_verb(names[turn if empties % 2 else 1 - turn], "make"),
        "corners_now": _describe_corners(game, match.state, names),
        "corner_moves": all_of(map(game.write_move, {*_list_corners(game)} & {*moves})),
    }


def _name_players(table: HostTable, game: Game) -> list[str]:
    return [name_player(table, seat, game) for seat in range(game.seats)]


def _describe_record(match: Match, table: HostTable) -> Facts:
    """Return who began, and what was played last."""
    game, played = match.game, tables.list_played(table, match)
    told = [f"{name_mover(each, game)} played {each.text}" for each in played[-2:]]
    first = name_player(tables.restore_seats(table, 0), game.turn(game.start()), game)
    last = capital(", then ".join(told))
    return {"played_last": last, "unplayed": not told, "began": capital(f"{first} began")}


def _list_corners(game: Othello) -> list[tuple[int, int]]:
    return [(column, row) for row in (0, game.rows - 1) for column in (0, game.columns - 1)]


def _describe_corners(game: Othello, state: State, names: Sequence[str]) -> str:
    """Say who holds which corners: `You have a1, I have none`."""
    grid, corners, told = game.grid(state), _list_corners(game), []
    for mark, name in zip(game.marks, names, strict=True):
        held = [game.write_move(at) for at in corners if grid[at[1]][at[0]] == mark]
        told.append(f"{join_verb(name, 'have')} {all_of(held) or 'none'}")
    return capital(", ".join(told))


# Who wins a variant


def say_who_wins(game: Game, seconds: float = PATIENCE) -> Lines:
    """Say who wins this variant from its start, and why or how; or that nobody here knows."""
    name = core.protocol.full_title(game).replace("Benedict's", "my")
    lines = partial(LINES, game=name, Game=capital(name))
    result = game.result(game.start())
    if result is not None:
        return lines("over before", winner=result.index(1) + 1)
    if game.seats != 2:
        return lines("depends")
    if game in PROVEN:
        return lines("proven", which=PROVEN[game])
    if is_drawn(game, game.start()):
        return (*lines("drawn"), *lines("drawn by bounds"))
    many = tables.counts_discs(game) and len(cast(Any, game).board.bits) > QUICK_SQUARES
    if many and truth.find_stored(game) is None:
        known = PUBLISHED.get((cast(Any, game).columns, cast(Any, game).rows))
        return lines("unsolved here") + (lines("published", known=known) if known else ())
    try:
        solution = _solve(game, seconds)
    except core.TooLarge:
        return lines("too large")
    except core.Unsolved:
        return lines("unproven")
    value = solution.value(game.start())
    which = "first" if value.outcome == "win" else "second"
    if value.outcome == "draw":
        winner = lines("drawn")
    elif value.plies is None:
        winner = lines("winner", which=which)
    else:
        section = "winner at once" if value.plies == 1 else "winner in"
        winner = lines(section, which=which, plies=count_plies(value.plies))
    reason = core.extra(game, "reason")
    why = reason(game) if reason else ()
    return (*winner, *_describe_beginning(game, solution), *why)


def _solve(game: Game, seconds: float) -> Solution:
    """Solve a game; where that may take long, only if it is done within some seconds."""

    def solve(work: core.Work) -> Solution:
        solution = solve_at(game, game.start(), work=work)
        if work.stopped:  # not every solver says so itself
            raise core.Unsolved("stopped before every situation was settled")
        return solution

    return core.Work().run_within(math.inf if is_solved_soon(game) else seconds, solve)


def _describe_beginning(game: Game, solution: Solution) -> Lines:
    """Say which first moves keep the value of the start; moves to one position count once."""
    start = game.start()
    outcome = solution.value(start).outcome
    moves = game.moves(start)
    if outcome == "loss":
        return LINES("every move loses")
    if len(moves) > MAX_EXAMINED or isinstance(solution, BarredSolution):
        return LINES(
            "one beginning", move=core.protocol.describe_move(game, start, solution.best(start)[0])
        )
    right = {
        core.key(game, game.play(start, move)): move
        for move in reversed(moves)
        if solution.after(start, move).outcome == outcome
    }
    if right.keys() == {core.key(game, game.play(start, move)) for move in moves}:
        return LINES("every move wins" if outcome == "win" else "every move draws")
    *_, first = right.values()
    which = "only beginning" if len(right) == 1 else "right beginning"
    return LINES(which, move=core.protocol.describe_move(game, start, first))


def explain_nim(game: Nim) -> Lines:
    """Say why by the nim-sum, where that decides."""
    if game.endings:
        return ()
    by = "" if game.take is None else f", each pile counted modulo {game.take + 1}"
    counts = reduce_piles(game.piles, game.take)
    if game.misere and max(counts) <= 1:
        return LINES("why ones", piles=count(sum(counts), "pile"), by=by)
    total = nim_sum(game.piles, game.take)
    return LINES("why misere" if game.misere else "why nim", sum=total, by=by)


def explain_sticks(game: Sticks) -> Lines:
    """Say why by the rest of a division."""
    return LINES("why sticks", most=game.take + 1)


# The games of others, of which he has no lines: all is derived from the game


def answer_about_guest(line: Line, match: Match | None) -> Lines | None:
    """Answer a question about a game of others, named or on the table; None if it asks nothing."""
    named, text = find_game(line.words), f"{line.plain} _"
    if named:
        names = sorted(list_names(named), key=len, reverse=True)
        text = re.sub(rf"\b(?:{'|'.join(map(re.escape, names))})\b", "_", line.plain)
    topic = next((name for name, asks in GUESTS.items() if asks.search(text)), "")
    if not topic or not (named or topic in AT_TABLE):
        return None
    if match is not None and named in ("", match.game.name):
        return GUEST_ANSWERS[topic](_find_variant(match.game, line))
    return GUEST_ANSWERS[topic](_find_variant(core.registry.build("games", named), line))


def _find_variant(game: Game, line: Line) -> Game:
    """Return the variant that a line names, if it names one that can be."""
    options = read_wish(line.words, game.name).options
    try:
        found: Game = core.registry.build("games", type(game), core.values(game) | options)
    except core.ParlourError:
        return game
    return found


def _say_of_guest(section: str, game: Game, **gaps: object) -> Lines:
    name = core.protocol.full_title(game)
    return OF_GUESTS(section, game=name, Game=capital(name), **gaps)


def _say_win(game: Game) -> Lines:
    solved = find_solution(game, game.start()) is not None
    return (*say_who_wins(game), *(_say_of_guest("win", game) if solved else ()))


def _list_options(game: Game) -> Lines:
    options = options_of(type(game)).values()
    if not options:
        return _say_of_guest("no options", game)
    return (*_say_of_guest("options", game), *(_describe_option(each) for each in options))


def _describe_option(option: core.Option) -> str:
    """Describe an option in a sentence: `Columns: from 2 to 6, and 3 if you say nothing.`"""
    if option.kind is bool:
        allowed = "yes or no"
    else:
        allowed = core.one_of(option.choices) or option.limits or "any number"
    usual = option.write(option.default) if option.has_default else "as the rules say"
    (line,) = OF_GUESTS("option", allowed=allowed, usual=usual, about=option.about)
    return f"{capital(option.name.replace('_', ' '))}: {line}"


def _say_length(game: Game) -> Lines:
    longest = core.protocol.max_plies(game)
    if longest is not None:
        return _say_of_guest("longest", game, plies=count_plies(longest))
    solution = find_solution(game, game.start())
    plies = solution.value(game.start()).plies if solution else None
    if plies is not None:
        return _say_of_guest("length", game, plies=count_plies(plies))
    return _say_of_guest("endless" if core.protocol.can_repeat(game) else "not known", game)


def _count_positions(game: Game) -> Lines:
    solution = find_solution(game, game.start())
    if solution is None:
        return _say_of_guest("too many", game)
    counts = {name: f"{number:,}" for name, number in solution.counts().items()}
    return _say_of_guest("positions", game, total=f"{sum(solution.counts().values()):,}", **counts)


GUEST_ANSWERS: dict[str, Callable[[Game], Lines]] = {
    "play": partial(_say_of_guest, "play"),
    "options": _list_options,
    "history": partial(_say_of_guest, "history"),
    "positions": _count_positions,
    "length": _say_length,
    "begins": partial(_say_of_guest, "begins"),
    "draw": say_who_wins,
    "value": say_who_wins,
    "win": _say_win,
    "about": lambda game: explain_rules(game, general=True)[0],
}
