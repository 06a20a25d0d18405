"""Hats full of balls: everything a player without theory knows, and how it learns.

There is one hat, or box, for every situation, holding balls for the moves; moves that lead to the
same situation are one kind of ball. A ball is drawn at random and played. When the game is over,
the rule of learning (the hats' own, or Michie's for MENACE) adds balls of the kinds drawn or takes
them away. Nothing else is remembered.

All situations are listed once through the game's rules, as arrays that say where each ball leads;
training then walks these arrays and no longer needs the game.
"""

from __future__ import annotations

import random
from array import array
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import fmean
from typing import Any, NoReturn, TypeGuard

from parlour import boards, core, learn
from parlour.core import Bot, Game, Move, ParlourError, State, TooLarge, UnknownName, Work, say

MAX_BALLS = 2**31 - 1  # of a kind in a box, however often it wins


@dataclass(frozen=True)
class Rule:
    """How many balls a box starts with, and what happens to those drawn in a game."""

    name: str
    about: str
    at_first: tuple[int, ...]  # balls of each kind, by turn; the last from then on
    loss: int  # balls of each kind drawn that a lost game adds
    draw: int
    win: int
    fewest: int  # balls of a kind that always remain; at 0 a box may run empty: its owner resigns

    def balls(self, turn: int) -> int:
        """Return how many balls of each kind a box starts with, by the turn it is met at."""
        return self.at_first[min(turn, len(self.at_first) - 1)]

    def update(self, balls: int, payoff: int) -> int:
        """Return the number of balls of a drawn kind after a game with this payoff."""
        gain = (self.draw, self.win, self.loss)[payoff]
        return min(max(balls + gain, self.fewest), MAX_BALLS)


HATS = Rule(
    "hats",
    say("one ball of each kind at first; a win adds one, a loss takes one, but never the last"),
    at_first=(1,),
    loss=-1,
    draw=0,
    win=1,
    fewest=1,
)
MENACE = Rule(
    "menace",
    say(
        "4, 3, 2, 1 beads of each kind by the turn; a win adds 3, a draw 1, a loss takes 1; "
        "an empty box gives up"
    ),
    at_first=(4, 3, 2, 1),
    loss=-1,
    draw=1,
    win=3,
    fewest=0,
)
RULES = {rule.name: rule for rule in (HATS, MENACE)}


MAX_SITUATIONS = 100_000  # listed within seconds, and still few enough for a class to look at
MAX_KINDS = 1_000_000  # of balls in all boxes, if each had as many as the first: a few seconds
MAX_TRIED = 20_000  # situations listed to find out whether a game without `size` has few enough
OVERESTIMATE = 500  # how many times a game's bound may exceed what can really arise
MAX_REMEMBERED = 8  # games remembered with their boxes
BOTH = -1  # the seat of a box that either seat may meet
WIN, DRAW, LOSS = -3, -2, -1  # where a ball leads when it ends the game, for the seat that drew it


def has_numbered_hats(game: Game) -> TypeGuard[Any]:
    """Return whether every situation is a number with a hat of its own, as in the Game of Sticks.

    There each hat holds a ball of every number, and even a single stick has its hat.
    """
    return hasattr(game, "hat_number")


@dataclass(frozen=True)
class Ball:
    """A kind of move in one situation: its text, the moves it stands for, and where they lead."""

    text: str
    moves: tuple[Move, ...]
    ways: int  # the number of legal moves it stands for: 0 for a ball that asks for too much
    leads: tuple[Hashable, bool]  # the next situation, and whether the same player moves in it


def list_balls(game: Any, state: State) -> tuple[Ball, ...]:
    """Return the kinds of ball for a situation, in the order of the game's moves."""
    if has_numbered_hats(game):
        return _list_numbered_balls(game, state)
    kinds: dict[tuple[Hashable, bool], list[Move]] = {}
    for move in game.moves(state):
        kinds.setdefault(_find_leads(game, state, move), []).append(move)
    return tuple(
        Ball(game.write_move(moves[0]), tuple(moves), len(moves), leads)
        for leads, moves in kinds.items()
    )


def _list_numbered_balls(game: Any, state: State) -> tuple[Ball, ...]:
    """Return a ball for every number; one that asks for too much takes all that is left."""
    moves = game.moves(state)
    found = []
    for number in range(1, game.take + 1) if moves else ():
        move = moves[min(number, len(moves)) - 1]
        leads = _find_leads(game, state, move)
        found.append(Ball(str(number), (move,), int(number <= len(moves)), leads))
    return tuple(found)


def _find_leads(game: Game, state: State, move: Move) -> tuple[Hashable, bool]:
    after = game.play(state, move)
    return core.key(game, after), game.turn(after) == game.turn(state)


class Boxes:
    """All situations of a game, in the order in which they are first met."""

    def __init__(self, game: Game, work: Work | None = None, most: int = MAX_SITUATIONS) -> None:
        check_boxes(game)
        self.game = game
        self.numbers: dict[Hashable, int] = {}
        self.states: list[State] = []  # one of each situation
        self.balls: list[tuple[Ball, ...]] = []
        self.boxed = array("b")  # 0 where only one move is possible
        self.turns = array("i")  # the mover's earliest turn there, counted from 0
        self.seats = array("b")  # the seat that can meet it: 0, 1, or BOTH
        self.first = array("q", [0])  # where the balls of each situation begin
        self.leads = array("i")  # twice the next situation, plus 1 if the mover stays; or an end
        self.truths: dict[str, Any] = {}  # cached by measuring, by name
        self._list(work or Work(), most)

    def _list(self, work: Work, most: int) -> None:
        """List every situation, nearest first, and the seats that can meet it."""
        game = self.game
        start = game.start()
        begins = self._number(core.key(game, start), start), game.turn(start)
        met = {begins: 0}  # a situation and the seat to move: plies so far
        ahead = [begins]
        for number, seat in ahead:  # it grows
            if work.stopped:
                raise TooLarge(
                    "stopped after {done:,} situations, before all were listed",
                    done=len(self.states),
                )
            if len(self.states) > most:
                _refuse_size(game, say("has more than {most:,} situations", most=most))
            work.done = len(self.states)
            if number == len(self.first) - 1:  # met for the first time
                state = self.states[number]
                self.balls.append(list_balls(game, state))
                self.boxed.append(has_numbered_hats(game) or len(game.moves(state)) > 1)
                self.turns.append(met[number, seat] // 2)
                self.leads.extend(self._find_target(state, ball) for ball in self.balls[number])
                self.first.append(len(self.leads))
            for leads in self.leads[self.first[number] : self.first[number + 1]]:
                following = leads >> 1, seat if leads & 1 else 1 - seat
                if leads >= 0 and following not in met:
                    met[following] = met[number, seat] + 1
                    ahead.append(following)
        apart = len(met) == len(self.states)
        self.seats.extend(seat if apart else BOTH for _, seat in sorted(met))
        del self.seats[len(self.states) :]

    def _number(self, name: Hashable, state: State) -> int:
        if name not in self.numbers:
            self.numbers[name] = len(self.states)
            self.states.append(state)
        return self.numbers[name]

    def _find_target(self, state: State, ball: Ball) -> int:
        after = self.game.play(state, ball.moves[0])
        result = self.game.result(after)
        if result is not None:
            return (LOSS, DRAW, WIN)[result[self.game.turn(state)] + 1]
        name, stays = ball.leads
        return 2 * self._number(name, after) + stays

    def __len__(self) -> int:
        """Return the number of boxes; a situation with a single move needs none."""
        return sum(self.boxed)

    def all(self) -> list[int]:
        """Return all boxes, by number."""
        return [box for box, boxed in enumerate(self.boxed) if boxed]

    def of(self, seat: int) -> list[int]:
        """Return the boxes of a seat, where each has its own, else all of them."""
        return [box for box in self.all() if self.seats[box] in (seat, BOTH)]

    @property
    def apart(self) -> bool:
        """Whether each seat has boxes of its own, as in tic-tac-toe."""
        return BOTH not in self.seats

    @cached_property
    def board(self) -> tuple[int, int] | None:
        """The columns and rows of a board whose squares are the moves; None for other games."""
        start = self.game.start()
        rows = core.protocol.grid(self.game, start)
        if not rows or any(
            len(core.protocol.squares(self.game, move)) != 1 for move in self.game.moves(start)
        ):
            return None
        return len(rows[0]), len(rows)

    def find(self, state: State) -> int:
        """Return the number of an unfinished situation; `ParlourError` if it cannot arise."""
        number = self.numbers.get(core.key(self.game, state))
        if number is None:
            raise ParlourError(
                "there is no box for {position}: it cannot arise, or the game is over there",
                position=repr(self.game.write(state)),
            )
        return number

    def hat_number(self, box: int) -> int:
        """Return the number of a situation, where situations are numbers."""
        game: Any = self.game
        return int(game.hat_number(self.states[box]))

    def moves(self, state: State, kind: int) -> tuple[Move, ...]:
        """Return the moves in this state that a kind of ball stands for."""
        leads = self.balls[self.find(state)][kind].leads
        here = {ball.leads: ball.moves for ball in list_balls(self.game, state)}
        return here[leads]

    def kind(self, state: State, move: Move) -> int:
        """Return the kind of ball that a move in this state belongs to."""
        leads = _find_leads(self.game, state, move)
        return next(k for k, b in enumerate(self.balls[self.find(state)]) if b.leads == leads)


def check_boxes(game: Game) -> None:
    """Raise at once, with the reason, if a game cannot have boxes."""
    if game.seats != 2:
        raise ParlourError(
            "hats are for two players; this {name} has {seats}",
            name=game.name,
            seats=core.count(game.seats, "seat"),
        )
    if not game.moves(game.start()):
        raise ParlourError(
            "{describe} is over before it begins; nothing can be learned",
            describe=core.describe(game),
        )
    bound = game.size() if hasattr(game, "size") else 0
    if bound > OVERESTIMATE * MAX_SITUATIONS:
        most = core.sentences.write_large(bound)
        _refuse_size(game, say("may have up to {most} situations", most=most))


def can_list_boxes(game: Game) -> bool:
    """Return whether all boxes are certain to be listed within seconds; without `size`, try it."""
    if hasattr(game, "size"):
        kinds = len(game.moves(game.start()))
        return bool(game.size() <= min(MAX_SITUATIONS, MAX_KINDS // max(1, kinds)))
    try:
        list_boxes(game, most=MAX_TRIED)
    except TooLarge:
        return False
    return True


def _refuse_size(game: Game, what: str) -> NoReturn:
    raise TooLarge(
        "{game} {what}, too many for a box each; choose a smaller variant",
        game=core.describe(game),
        what=what,
    )


def list_boxes(game: Game, work: Work | None = None, most: int = MAX_SITUATIONS) -> Boxes:
    """Return the boxes of a game, listed once as long as they are remembered."""
    if game not in _listed:
        _listed[game] = Boxes(game, work, most)
        while len(_listed) > MAX_REMEMBERED:
            _listed.popitem(last=False)
    _listed.move_to_end(game)
    return _listed[game]


_listed: OrderedDict[Game, Boxes] = OrderedDict()


MAX_GAMES = 500_000_000  # many minutes of training; long before, nothing is left to learn
MAX_SEED = 2**63 - 1
AGAINST = ("another", "itself", "random", "perfect")  # the opponents hats are trained against
STARTS = ("alternate", "first")  # who begins: each in turn, or always the first player


@dataclass(frozen=True)
class Odds:
    """The probabilities that a player wins, draws and loses against an opponent."""

    opponent: str
    seat: core.answers.Natural  # counted from 0
    win: float
    draw: float
    loss: float

    @property
    def score(self) -> float:
        """The expected score, a win counting 1 and a draw a half."""
        return self.win + self.draw / 2


@dataclass(frozen=True)
class Point:
    """A point of the learning curve: how well one player's hats play after `games` games."""

    games: int
    right: int  # situations in which the likeliest ball is right
    of: int  # situations in which a ball could be wrong
    # Of a right ball, on average over them
    probability: float = field(metadata=core.answers.renamed("chance"))
    odds: tuple[Odds, ...] = field(metadata=core.answers.renamed("fortunes"))

    def score(self, opponent: str) -> float:
        """Return the expected score against an opponent, on average over the seats."""
        return fmean(odds.score for odds in self.odds if odds.opponent == opponent)


@dataclass
class TrainingTally:
    """The results of training so far, by player."""

    wins: list[core.answers.Natural] = field(default_factory=lambda: [0, 0])
    draws: core.answers.Natural = 0
    # Because a box was empty
    resigned: list[core.answers.Natural] = field(default_factory=lambda: [0, 0])
    # The first game in which a player had nothing to draw
    ran_out_at: core.answers.Natural | None = field(
        default=None, metadata=core.answers.renamed("dry")
    )

    def _repr_html_(self) -> str:
        return learn.summary.show_tally(self)


@dataclass
class Hats:
    """The hats of one player, or of two who train each other."""

    boxes: Boxes
    rule: Rule = HATS
    against: str = "another"
    starts: str = "alternate"
    seed: int = 0
    rng_state: int = 0  # of training
    games: int = 0
    tally: TrainingTally = field(default_factory=TrainingTally)
    balls: list[array[int]] = field(default_factory=list)  # one row for each player
    curves: list[list[Point]] = field(default_factory=list)  # likewise

    def __post_init__(self) -> None:
        self.against = core.check_argument("against", self.against, str, choices=AGAINST)
        self.starts = core.check_argument("starts", self.starts, str, choices=STARTS)
        self.seed = check_seed(self.seed)
        if not self.balls:
            self.rng_state = self.seed
            rows = 2 if self.against == "another" else 1
            self.balls = [self._fill() for _ in range(rows)]
        if not self.curves:
            self.curves = [[] for _ in self.balls]

    def _fill(self) -> array[int]:
        row = array("i")
        for turn, boxed, balls in zip(
            self.boxes.turns, self.boxes.boxed, self.boxes.balls, strict=True
        ):
            row.extend([self.rule.balls(turn) if boxed else 1] * len(balls))
        return row

    @property
    def game(self) -> Game:
        """The game these hats are for."""
        return self.boxes.game

    def _repr_html_(self) -> str:
        return learn.summary.show_hats(self)

    def to_frame(self, library: str | None = None) -> Any:
        """Return what is in every box as a DataFrame, a row for each kind of ball.

        The columns are `player`, `position`, `turn`, `move`, `balls` and `share`, the probability
        that the ball is drawn. It is of `library`, "pandas" or "polars", or else of the first of
        them that is installed; `ImportError` where there is none.
        """
        rows: list[tuple[Any, ...]] = []
        for row in range(len(self.balls)):
            for box in self.own_boxes(row):
                state, held = self.boxes.states[box], self.contents(row, box)
                position, turn = self.game.write(state), self.game.turn(state)
                for ball, balls in zip(self.boxes.balls[box], held, strict=True):
                    share = balls / sum(held) if any(held) else 0.0
                    rows.append((row + 1, position, turn, ball.text, balls, share))
        head = ("player", "position", "turn", "move", "balls", "share")
        return boards.ResultTable(head, rows).to_frame(library)

    def curves_to_frame(self, library: str | None = None) -> Any:
        """Return the learning curves as a DataFrame, a row for each player and point.

        The columns are `player`, `games`, `right`, `of`, `probability`, and the score against each
        opponent that was measured, such as `random`.
        """
        points = [(row + 1, point) for row, curve in enumerate(self.curves) for point in curve]
        opponents = dict.fromkeys(odds.opponent for _, point in points for odds in point.odds)
        columns: dict[str, list[Any]] = {"player": [row for row, _ in points]}
        for name in ("games", "right", "of", "probability"):
            columns[name] = [getattr(point, name) for _, point in points]
        for opponent in opponents:
            columns[opponent] = [point.score(opponent) for _, point in points]
        return boards.ResultTable.of(columns).to_frame(library)

    def player(self, **options: Any) -> Bot:
        """Return a player that draws from these hats, with the options of the bot "hats"."""
        player: Any = core.registry.bot("hats", **options)
        player.use_hats(self)
        found: Bot = player
        return found

    def row(self, seat: int) -> int:
        """Return which player's hats play at a seat; two who never swapped know only their own."""
        return seat if len(self.balls) == 2 and self.starts == "first" else 0

    def seats(self, row: int) -> tuple[int, ...]:
        """Return the seats at which a player has trained."""
        if self.starts == "alternate" or self.against == "itself":
            return (0, 1)
        return (row,)

    def own_boxes(self, row: int) -> list[int]:
        """Return the boxes of a player."""
        seats = self.seats(row)
        return self.boxes.of(seats[0]) if len(seats) == 1 else self.boxes.all()

    def contents(self, row: int, box: int) -> list[int]:
        """Return how many balls of each kind a box holds."""
        return list(self.balls[row][self.boxes.first[box] : self.boxes.first[box + 1]])

    def likeliest(self, row: int, box: int) -> list[int]:
        """Return the most numerous kinds; none in an empty box."""
        held = self.contents(row, box)
        return [kind for kind, balls in enumerate(held) if balls == max(held) > 0]

    def find_box(self, row: int, state: State) -> int:
        """Return a player's box for a situation; `ParlourError` where the player has none."""
        box, game = self.boxes.find(state), self.game
        if not self.boxes.boxed[box]:
            position = repr(game.write(state))
            raise ParlourError(
                "{position} needs no box: only one move is possible", position=position
            )
        if box not in self.own_boxes(row):
            raise ParlourError(
                "these hats have no box for {position}: there {mover} is to move, "
                "and they play as {owner} only",
                position=repr(game.write(state)),
                mover=core.seat_name(game, game.turn(state)),
                owner=core.seat_name(game, self.seats(row)[0]),
            )
        return box

    def draw(self, seat: int, state: State, rng: random.Random) -> int | None:
        """Draw a ball for a situation and return its kind; None when the box is empty."""
        held = self.contents(self.row(seat), self.boxes.find(state))
        return rng.choices(range(len(held)), held)[0] if any(held) else None

    def put_back(self, seat: int, drawn: Iterable[tuple[State, int]], payoff: int) -> None:
        """Put the balls drawn in a game back, with more or fewer of their kinds."""
        row = self.balls[self.row(seat)]
        for state, kind in drawn:
            box = self.boxes.find(state)
            if self.boxes.boxed[box]:
                place = self.boxes.first[box] + kind
                row[place] = self.rule.update(row[place], payoff)

    def learn(
        self,
        drawn: Mapping[int, Sequence[tuple[State, int]]],
        result: core.protocol.Result,
        gave_up: int | None = None,
    ) -> None:
        """Learn from a game with somebody else: the balls drawn at each seat these hats had.

        `gave_up` is the seat at which they found a box empty. Hats that have played the most games
        allowed learn no more.
        """
        if self.games >= MAX_GAMES or not drawn:
            return
        for seat, balls in drawn.items():
            self.put_back(seat, balls, result[seat])
        self.games += 1
        seat = min(drawn)
        player = seat if self.against == "itself" else self.row(seat)
        if result[seat] == 0:
            self.tally.draws += 1
        else:
            self.tally.wins[player if result[seat] > 0 else 1 - player] += 1
        if gave_up is not None:
            self.tally.resigned[player if gave_up == seat else 1 - player] += 1
            boxed = [self.boxes.boxed[self.boxes.find(state)] for state, _ in drawn[gave_up]]
            if not any(boxed) and self.tally.ran_out_at is None:
                self.tally.ran_out_at = self.games


def number_hats(hats: Hats, row: int) -> dict[int, int]:
    """Return a player's boxes by their number, ascending, where situations are numbers."""
    return dict(sorted((hats.boxes.hat_number(box), box) for box in hats.own_boxes(row)))


def check_seed(seed: object) -> int:
    """Return a seed as a plain number; raise `BadOption` for anything that is none."""
    return int(core.check_argument("seed", seed, int, low=0, high=MAX_SEED))


def hats(
    game: Any,
    rule: str = "hats",
    *,
    against: str = "another",
    starts: str = "alternate",
    seed: int = 0,
    work: Work | None = None,
) -> Hats:
    """Return untrained hats for a game, which learn by the rule "hats" or "menace".

    `against` is "another" (two players with hats of their own), "itself", "random" or "perfect";
    `starts` is "alternate" or "first"; the same `seed` makes training draw the same balls. `work`
    can stop the listing of the situations.
    """
    if core.check_argument("rule", rule, str) not in RULES:
        hint = core.suggest(rule, RULES) or say("; choose {names:or}", names=tuple(RULES))
        raise UnknownName(
            "there is no learning rule {rule}{hint}", rule=core.quote(rule), hint=hint
        )
    listed = list_boxes(core.registry.game(game), core.to_work(work))
    return Hats(listed, RULES[rule], against=against, starts=starts, seed=seed)
