"""The games that language models play: started, played, recorded, and judged when they are over.

Nothing that a client sends is trusted: none of it opens a file, names, texts and games are limited
in number and size, and bots and solvers think in threads that are given a time limit. Values are
shown only when a game is over, unless the host allows hints.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from parlour import core
from parlour.core import BadOption, Game, Match, ParlourError, State, UnknownName, Work, say
from parlour.players import Assessment, MoveReview, assess, explain, review_move

T = TypeVar("T")

MAX_GAMES = 100  # kept at a time
MAX_MOVES = 1_000  # of a game; then it is a draw
MAX_LISTED = 200  # legal moves
MAX_SHOWN = 40  # moves played so far
MAX_NAME = 60  # characters of a client's name
MAX_LOST = 4  # threads that went on beyond their time
THINKING = 20.0  # seconds for a move of a bot
REVIEWING = 10.0  # seconds to judge a game
HINTING = 5.0  # seconds for a hint or a reason
SHORTEST, LONGEST = 0.1, 2.0  # seconds to judge one move
GRACE = 2.0  # seconds to end after being stopped
BOT_LIMITS = {"games": 200_000, "threads": 1, "hash": 256, "level": 20}  # for options of bots
NONE = "none"
OPPONENTS = ("benedict", "random")  # the first that plays the game, unless one is named


class ToolRefusal(ParlourError):
    """A request that cannot be met; the text says why, and what can be done instead."""


@dataclass(frozen=True)
class ToolReply:
    """An answer in words, and the same as data."""

    text: str
    data: dict[str, Any] = field(default_factory=dict)


@dataclass
class OpenGame:
    """A game with the seats of the client; the bot has the others, if there is one."""

    id: str
    match: Match
    own: tuple[int, ...]
    bot: Any = None
    lock: threading.Lock = field(default_factory=threading.Lock)
    kept: bool = False  # in the file of records
    review: ToolReply | None = None

    @property
    def game(self) -> Game:
        return self.match.game

    @property
    def players(self) -> str:
        """`you are player 1 against benedict`"""
        if self.bot is None:
            return "you move for everybody"
        seats = core.all_of(core.seat_name(self.game, seat) for seat in self.own)
        return f"you are {seats} against {core.describe(self.bot)}"

    @property
    def outcome(self) -> str:
        """How it ended for the client, or whose turn it is."""
        match = self.match
        if match.result is None:
            if self.bot is None:
                return f"it is the turn of {core.seat_name(self.game, match.turn)}"
            return "it is your turn" if match.turn in self.own else "it is the bot's turn"
        because = f", because {match.reason}" if match.reason else ""
        if not any(match.result):
            return f"it is over, and a draw{because}"
        if self.bot is None:
            won = [seat for seat, points in enumerate(match.result) if points > 0]
            names = core.all_of(core.seat_name(self.game, seat) for seat in won)
            return f"it is over, and won by {names}{because}"
        won_it = match.result[self.own[0]] > 0
        return f"it is over, and you have {'won' if won_it else 'lost'}{because}"

    def check_going_on(self) -> Match:
        """Return the match, or refuse to do anything more in one that is over."""
        if self.match.over:
            raise ToolRefusal(f"the game is over: {self.outcome}")
        return self.match


class Room:
    """All games of the clients of one server; its methods may be called from any thread.

    The methods that are tools say in their first line to language models what they do.
    """

    def __init__(self, records: Path | None = None, *, hints: bool = False) -> None:
        self.hints = hints
        self._records = records
        self._games: dict[str, OpenGame] = {}
        self._lock = threading.Lock()
        self._threads = Threads()

    # What there is to play

    def list_games(self) -> ToolReply:
        """List the games, with the names of their options."""
        found = {name: core.registry.find("games", name) for name in core.registry.games()}
        games = [
            {"game": name, "title": core.title(cls()), "options": list(core.options_of(cls))}
            for name, cls in found.items()
        ]
        lines = [
            f"- {each['game']}: {each['title']}; options: {', '.join(each['options']) or 'none'}"
            for each in games
        ]
        return ToolReply("\n".join(["The games are:", *lines]), {"games": games})

    def describe_game(self, game: str) -> ToolReply:
        """Tell the rules of a game, what its options may be, and which bots play it."""
        cls: Any = core.registry.find("games", game)
        made = cls()
        rules = core.protocol.rules_text(made, general=True)
        known = core.options_of(cls)
        bots = self._threads.run(lambda _: _list_bots(made), THINKING)
        lines = [
            f"{core.title(made)} ({made.name}).",
            *rules,
            core.how_to_move(made),
            "",
            "Options:",
        ]
        lines += [f"- {name}: {_describe_option(opt)}" for name, opt in known.items()]
        lines += ["- none"] * (not known)
        lines += ["", "Bots that play it:"]
        lines += [f"- {name}: {strength}" for name, strength in bots.items()]
        data = {"game": made.name, "rules": list(rules), "options": core.schema(cls), "bots": bots}
        return ToolReply("\n".join(lines), data)

    def read_rules(self, game: str) -> str:
        """Return the rules of a game with its default options."""
        made: Any = core.registry.find("games", game)()
        return "\n".join(
            [f"{core.title(made)}", "", *core.protocol.rules_text(made), "", core.how_to_move(made)]
        )

    # Playing

    def start_game(
        self,
        game: str,
        options: Mapping[str, Any] | str | None = None,
        seat: int = 1,
        opponent: str | None = None,
        *,
        client: str = "",
    ) -> ToolReply:
        """Start a game against a bot, and see the first position. Remember its game_id."""
        cls = core.registry.find("games", game)
        made: Game = core.registry.build("games", cls, _read_options(cls, game, options))
        bot = self._threads.run(lambda _: _seat_bot(made, opponent), THINKING)
        if bot is not None and not 1 <= seat <= made.seats:
            raise BadOption("seat", seat, f"it must be from 1 to {made.seats}")
        own = tuple(range(made.seats)) if bot is None else (seat - 1,)
        name = f"mcp {_clean(client)}".strip()
        names = [name if place in own else core.describe(bot) for place in range(made.seats)]
        match = Match(made, names, most_moves=MAX_MOVES)
        started = OpenGame(f"{made.name}-{secrets.token_hex(4)}", match, own, bot)
        self._admit(started)
        with self._hold(started.id) as held:
            moved = self._let_bot_move(held)
            return self._show(held, [f"The game {held.id} has begun: {held.players}.", *moved])

    def get_position(self, game_id: str) -> ToolReply:
        """Show a game: the board, whose turn it is, and the legal moves."""
        with self._hold(game_id) as held:
            return self._show(held)

    def legal_moves(self, game_id: str) -> ToolReply:
        """List the legal moves of a game."""
        with self._hold(game_id) as held:
            moves, many = _list_moves(held.match)
            data = {"game_id": held.id, "legal_moves": moves, "number": many}
            over = "There are no legal moves: the game is over."
            return ToolReply(over if held.match.over else _say_moves(moves, many), data)

    def play(self, game_id: str, move: str) -> ToolReply:
        """Make your move, and see the answer of the bot and the new position."""
        with self._hold(game_id) as held:
            match = held.check_going_on()
            if match.turn not in held.own:
                raise ToolRefusal("it is not your turn")
            seat = match.turn
            match.play(held.game.read_move(match.state, move))
            who = "You" if held.bot is not None else core.capital(core.seat_name(held.game, seat))
            lines = [f"{who} played {match.moves[-1]}."]
            return self._show(held, lines + self._let_bot_move(held))

    def resign(self, game_id: str) -> ToolReply:
        """Give up a game."""
        with self._hold(game_id) as held:
            match = held.check_going_on()
            match.resign(match.turn if match.turn in held.own else held.own[0])
            return self._show(held)

    def list_my_games(self) -> ToolReply:
        """List the games you have started."""
        with self._lock:
            held = list(self._games.values())
        games = [
            {
                "game_id": each.id,
                "game": core.describe(each.game),
                "moves": len(each.match.moves),
                "over": each.match.over,
            }
            for each in held
        ]
        lines = [
            f"- {each.id}: {core.protocol.full_title(each.game)}, {each.players}, "
            f"{core.count(len(each.match.moves), 'move')}; {each.outcome}"
            for each in held
        ]
        return ToolReply("\n".join(lines) or "No game was started yet.", {"games": games})

    def review_game(self, game_id: str) -> ToolReply:
        """Judge your moves of a game that is over: how many were right, where it was lost."""
        with self._hold(game_id) as held:
            if not held.match.over:
                raise ToolRefusal("a game is judged when it is over; play on, or resign")
            return self._judge(held)

    # Where the host allows it

    def hint(self, game_id: str) -> ToolReply:
        """Tell who wins with the best play, and the best moves."""
        with self._hold(game_id) as held:
            game, state = held.game, self._playing_state(held)
            found = self._threads.run(
                lambda work: assess(game, state, work=work, seconds=HINTING), HINTING + GRACE
            )
            if found.value is None:
                raise ToolRefusal(f"there is no hint: {found.why_not or 'nothing is known'}")
            best = [each.move for each in found.moves if each.best]
            source = f" ({found.source})" if found.source else ""
            mover = "you" if held.bot is not None else core.seat_name(game, held.match.turn)
            text = f"With the best play it is a {found.value.outcome} for {mover}{source}."
            data: dict[str, Any] = {"outcome": found.value.outcome, "plies": found.value.plies}
            data |= {"exact": found.value.exact, "best": best[:MAX_LISTED]}
            return ToolReply(f"{text} Best: {', '.join(best[:MAX_LISTED])}.", data)

    def explain(self, game_id: str, move: str | None = None) -> ToolReply:
        """Explain why the position is won or lost, or why a move is right or wrong."""
        with self._hold(game_id) as held:
            game, state = held.game, self._playing_state(held)
            wanted = None if move is None else game.read_move(state, move)
            found = self._threads.run(
                lambda work: explain(game, state, wanted, work=work), HINTING + GRACE, HINTING
            )
            return ToolReply(str(found), {"explanation": str(found)})

    def _playing_state(self, held: OpenGame) -> State:
        if not self.hints:
            raise ToolRefusal("the host allows no hints and explanations here")
        return held.check_going_on().state

    # Inside

    def close(self) -> None:
        """Record the games that are not over."""
        with self._lock:
            held = list(self._games.values())
        for each in held:
            with suppress(ParlourError):
                self._keep(each)

    def _admit(self, started: OpenGame) -> None:
        """Keep a game; where there are too many, the oldest that is over is forgotten."""
        with self._lock:
            over = (each.id for each in self._games.values() if each.match.over)
            if len(self._games) >= MAX_GAMES:
                oldest = next(over, None)
                if oldest is None:
                    raise ToolRefusal(
                        f"{MAX_GAMES} games are being played; finish or resign one first"
                    )
                del self._games[oldest]
            self._games[started.id] = started

    @contextmanager
    def _hold(self, game_id: str) -> Iterator[OpenGame]:
        """Yield a game that nobody else changes meanwhile."""
        held = self._games.get(game_id)
        if held is None:
            raise ToolRefusal(
                f"there is no game {core.quote(game_id)}; list_my_games lists those there are"
            )
        if not held.lock.acquire(timeout=GRACE):
            raise ToolRefusal("the bot is still thinking about its move; ask again soon")
        try:
            yield held
        finally:
            held.lock.release()

    def _let_bot_move(self, held: OpenGame) -> list[str]:
        """Let the bot move while it is its turn, and say what it did."""
        match, said = held.match, []
        while not match.over and match.turn not in held.own:
            seat = match.turn
            try:
                match.play(self._ask(held.bot, match))
                said.append(f"{core.describe(held.bot)} played {match.moves[-1]}.")
            except core.Resigns as why:
                match.resign(seat, why)
            except ParlourError as error:
                match.stop(seat, say("could not go on: {error}", error=error.text))
            except Exception as error:  # a bot of somebody else
                match.stop(seat, say("crashed: {error}", error=core.describe_error(error)))
        return said

    def _ask(self, bot: Any, match: Match) -> Any:
        def choose(work: Work) -> Any:
            if hasattr(bot, "prepare"):
                bot.prepare(match.game, work)
            if hasattr(bot, "follow"):
                bot.follow(match.game, match.moves)
            return bot.choose(match.game, match.state)

        stop = getattr(bot, "stop", None)
        return self._threads.run(choose, THINKING + GRACE, THINKING, stop=stop)

    def _show(self, held: OpenGame, lines: Sequence[str] = ()) -> ToolReply:
        """Show the position, after what has happened; a game that is over is kept and judged."""
        match, game = held.match, held.game
        moves, many = _list_moves(match)
        board = game.draw(match.state)
        text = [*lines, *[""] * bool(lines)]
        text += [f"{held.id}: {core.protocol.full_title(game)}; {held.players}.", "", board, ""]
        if match.moves:
            shown = match.moves[-MAX_SHOWN:]
            before = "… " if len(shown) < len(match.moves) else ""
            text.append(f"Moves so far ({len(match.moves)}): {before}{', '.join(shown)}")
        text.append(core.sentence(held.outcome))
        if not match.over:
            text.append(_say_moves(moves, many))
        data: dict[str, Any] = {
            "game_id": held.id,
            "game": game.name,
            "options": core.values(game),
            "position": game.write(match.state),
            "board": board,
            "moves": match.moves[-MAX_MOVES:],
            "over": match.over,
            "result": None if match.result is None else list(match.result),
            "reason": match.reason,
            "your_seats": [seat + 1 for seat in held.own],
            "turn": None if match.over else match.turn + 1,
            "legal_moves": moves,
            "number_of_legal_moves": many,
        }
        if match.over:
            unrecorded = ""
            try:
                self._keep(held)
            except ParlourError as error:  # a full disk does not end a game
                unrecorded = f"The game could not be recorded: {error}."
            review = self._judge(held)
            text += ["", review.text, *[unrecorded] * bool(unrecorded)]
            data["review"] = review.data
        return ToolReply("\n".join(text), data)

    def _keep(self, held: OpenGame) -> None:
        """Append the record to the file, once, and only of a game in which something happened."""
        if held.kept or self._records is None or not (held.match.moves or held.match.over):
            return
        core.files.append_line(self._records, held.match.record.to_json())
        held.kept = True

    # Judging

    def _judge(self, held: OpenGame) -> ToolReply:
        if held.review is None:
            try:
                held.review = self._threads.run(
                    lambda work: judge_game(held.match, held.own, work), REVIEWING + GRACE
                )
            except core.referee.OutOfTime:
                held.review = ToolReply("The game could not be judged in time.", {"judged": 0})
            except Exception as error:  # a game of somebody else, or too much to think about
                return ToolReply(f"The game could not be judged: {error}.", {"judged": 0})
        return held.review


def judge_game(match: Match, own: Sequence[int], work: Work) -> ToolReply:
    """Say how many of the choices of some seats were right, and where the game was lost."""
    game = match.game
    ends = time.monotonic() + REVIEWING
    steps = [
        (number, state, move)
        for number, (state, move) in enumerate(match.record.replay(game), start=1)
        if move is not None and game.turn(state) in own
    ]
    reviews: list[tuple[MoveReview, Assessment]] = []
    why_not = ""
    for place, (number, state, move) in enumerate(steps):
        left = ends - time.monotonic()
        if left <= 0 or work.stopped:
            why_not = why_not or "there was not enough time to judge every move"
            break
        share = min(LONGEST, max(SHORTEST, left / (len(steps) - place)))
        found = assess(game, state, played=move, work=work, seconds=share)
        why_not = why_not or found.why_not
        reviews.append((review_move(game, state, move, number, found), found))
    judged = [review for review, found in reviews if _can_be_wrong(review, found)]
    mistakes = [review for review in judged if review.verdict == "mistake"]
    exact = all(review.exact for review in judged)
    if not judged:
        why = "no choice of yours could be wrong" if steps else "you made no move"
        reason = f": {why_not}" if why_not else f", as {why}"
        text = f"There is nothing to judge{reason}."
    else:
        right = len(judged) - len(mistakes)
        text = (
            f"{core.capital(core.count(len(judged), 'choice'))} of yours could be wrong, and "
            f"{right} {'was' if right == 1 else 'were'} right{'' if exact else ', by an estimate'}."
        )
    result = match.result or ()
    losing = [each for each in mistakes if _loses(each) and result[each.seat] < 0]
    lost = losing[-1] if losing else None  # after it nothing could be saved
    for each in mistakes:
        instead = f"; right would have been {', '.join(each.best[:3])}" if each.best else ""
        where = "The game was lost here" if each is lost else "A mistake"
        text += f"\n{where}: move {each.number}, {each.move} ({each.words}){instead}."
    if judged and why_not:
        text += f"\nNot every move was judged: {why_not}."
    data = {
        "judged": len(judged),
        "right": len(judged) - len(mistakes),
        "exact": exact,
        "lost_at": lost and lost.number,
        "mistakes": [
            {"number": m.number, "move": m.move, "cost": m.words, "best": list(m.best[:20])}
            for m in mistakes
        ],
    }
    return ToolReply(text, data)


def _can_be_wrong(review: MoveReview, found: Assessment) -> bool:
    """Whether some move of the position would have been a mistake, and this one is known."""
    if review.verdict in ("unknown", "only move") or found.value is None:
        return False
    best = found.value
    if review.verdict == "mistake":
        return True
    return any(each.outcome != best.outcome or each.score != best.score for each in found.moves)


def _loses(review: MoveReview) -> bool:
    """Whether a mistake turned a position that was not lost into a lost one."""
    before, after = review.before, review.after
    return (
        before is not None
        and after is not None
        and (before.outcome != "loss" and after.outcome == "loss")
    )


class Threads:
    """Runs what may take long in threads of their own, and does not wait for ever.

    A thread cannot be ended from outside; once several have gone on beyond their time, no more are
    started until they end.
    """

    def __init__(self) -> None:
        self._lost: list[Future[Any]] = []
        self._lock = threading.Lock()

    def run(
        self,
        call: Callable[[Work], T],
        seconds: float,
        soft: float = 0.0,
        *,
        stop: Callable[[], object] | None = None,
    ) -> T:
        """Return what a call returns; after `soft` seconds it is asked to stop, if it can be."""
        with self._lock:
            self._lost = [each for each in self._lost if not each.done()]
            if len(self._lost) >= MAX_LOST:
                raise ToolRefusal("too much is still being thought about here; try again later")
        work, answer = Work(), Future[T]()
        thread = threading.Thread(target=_answer, args=(answer, call, work), daemon=True)
        thread.start()
        if soft and not wait([answer], soft).done:
            work.stop()
            if stop is not None:
                stop()
        if not wait([answer], seconds - soft).done:
            work.stop()
            with self._lock:
                self._lost.append(answer)
            raise core.referee.OutOfTime(f"did not answer within {seconds:g} s")
        if isinstance(answer.exception(), SystemExit):
            raise ToolRefusal("it tried to end the program")
        return answer.result()


def _answer(answer: Future[T], call: Callable[[Work], T], work: Work) -> None:
    try:
        answer.set_result(call(work))
    except BaseException as error:  # raised again by the caller
        answer.set_exception(error)


# What clients send


def _clean(name: str) -> str:
    """Return the name a client gives itself, fit for a record."""
    printable = "".join(each if each.isprintable() else " " for each in str(name)[:MAX_NAME])
    return " ".join(printable.split())


def _read_options(cls: type, name: str, options: object) -> dict[str, Any]:
    """Return the options of a game, given as an object or as `piles=3,4,5 misere=yes`."""
    if options is None:
        return {}
    if isinstance(options, str):
        return core.registry.read_assignments(cls, name, core.registry.split_command(options))
    if not isinstance(options, Mapping):
        raise BadOption("options", options, "it must be an object, like {'misere': true}")
    known = core.options_of(cls)
    return {
        name: known[name].read(value) if isinstance(value, str) and name in known else value
        for name, value in options.items()
    }


def _seat_bot(game: Game, opponent: str | None) -> Any:
    """Return the bot that plays against the client; None for none."""
    if opponent is not None and opponent.strip().casefold() in ("", NONE):
        return None
    if opponent is None:
        able = core.registry.bots(game)
        opponent = next((name for name in OPPONENTS if name in able), able[0] if able else NONE)
        if opponent == NONE:
            return None
    try:
        bot: Any = core.registry.build("bots", opponent)
    except UnknownName:
        able = core.registry.bots(game)
        if opponent.split()[:1] in ([name] for name in able):  # only an option of it is unknown
            raise
        raise ToolRefusal(
            f"there is no bot {core.quote(opponent)}; choose {core.one_of(able) or NONE}"
        ) from None
    for name, value in core.values(bot).items():
        if name in ("kept", "learning") and value:
            raise ToolRefusal(f"{name} cannot be set here; leave it out")
        if type(value) is int and value > BOT_LIMITS.get(name, value):
            raise ToolRefusal(f"{name} can be at most {BOT_LIMITS[name]:,} here")
    if not bot.plays(game):
        able = core.registry.bots(game)
        raise ToolRefusal(
            f"{core.describe(bot)} does not play this; choose {core.all_of(able) or NONE}"
        )
    return bot


def _list_bots(game: Game) -> dict[str, str]:
    claims = core.registry.claims("bots")
    found = {name: core.registry.describe_strength(claim, game) for name, claim in claims.items()}
    return {name: strength for name, strength in found.items() if strength}


def _describe_option(opt: Any) -> str:
    default = f"; default: {opt.write(opt.default)}" if opt.has_default else ""
    return f"{opt.about} ({opt.allowed.removeprefix('it must be ')}{default})"


# What they are shown


def _list_moves(match: Match) -> tuple[list[str], int]:
    """Return the legal moves as text, some of very many, and their number."""
    game, state = match.game, match.state
    moves = () if match.over else game.moves(state)
    some = moves[:MAX_LISTED]
    return [core.protocol.describe_move(game, state, move) for move in some], len(moves)


def _say_moves(moves: Sequence[str], many: int) -> str:
    if len(moves) < many:
        return f"The first of {many:,} legal moves: {', '.join(moves)}"
    return f"Legal moves: {', '.join(moves)}"
