"""Every claim an explanation makes is recomputed here, by the verbs and by oracles of our own.

There is one check for each kind of fact, and a kind without a check fails; so does a number in a
sentence that its fact does not hold.
"""

import functools
import itertools
import json
import operator
import random
import re

import pytest

from parlour import explain
from parlour.core.errors import IllegalMove
from parlour.core.protocol import describe_move
from parlour.core.sentences import Text, pack, unpack
from parlour.core.value import Solution, Unsolved, Value
from parlour.core.work import Work
from parlour.rules.chopsticks import Chopsticks
from parlour.rules.nim import CLASS_ENDINGS, Nim
from parlour.rules.othello import Othello
from parlour.rules.sticks import Sticks
from parlour.rules.tictactoe import TicTacToe
from parlour.truth.explain import Wording
from parlour.truth.impartial import NimClosed
from parlour.truth.solver import solve
from tests.conftest import LONG
from tests.countdown import Countdown
from tests.oracle import TURNED, Oracle, oracle
from tests.slow_othello import value_of

GOOD = {"win": 2, "draw": 1, "loss": 0}


# Oracles: the value of a Nim with endings, and situations by our own reading of the rules


@functools.cache
def nim_wins(piles, misere, endings, take):
    """Whether the mover wins a Nim of sorted piles, by plain recursion."""
    for place, pile in enumerate(piles):
        for amount in range(1, min(pile, take or pile) + 1):
            left = [*piles[:place], pile - amount, *piles[place + 1 :]]
            rest = tuple(sorted(filter(None, left)))
            if not rest or rest in endings:
                if not misere:
                    return True
            elif not nim_wins(rest, misere, endings, take):
                return True
    return False


def xor(numbers):
    return functools.reduce(operator.xor, numbers, 0)


def situation(game, state):
    """What is the same to play, in our own words."""
    if isinstance(game, Nim | Sticks):
        return tuple(sorted(filter(None, state[2:])))
    if isinstance(game, Chopsticks):
        hands = [tuple(sorted(state[1:3])), tuple(sorted(state[3:5]))]
        return (
            *(hands if state[0] == 0 else hands[::-1]),
            state[0] if state[5:] else 0,
            *state[5:],
        )
    if isinstance(game, TicTacToe):
        cells, _ = game.write(state).split()
        rows = [cells[i : i + game.columns] for i in range(0, len(cells), game.columns)]
        ways = []
        for _ in range(2):
            rows = [row[::-1] for row in rows]
            for _ in range(4):
                rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
                ways.append(tuple(rows))
        return min(way for way in ways if len(way) == game.rows)
    return state


# One check for each kind of fact


class Claims:
    """Checks the facts about one position, and one move where there is one."""

    def __init__(self, game, state, move, truth):
        self.game, self.state, self.move, self.truth = game, state, move, truth
        self.here = state if move is None else game.play(state, move)

    def check(self, explanation):
        assert explanation.facts
        assert len(explanation.facts) == len(explanation.sentences)
        assert str(explanation) == "\n".join(explanation.sentences)
        assert json.loads(explanation.to_json()) == explanation.to_dict()
        for fact, sentence in zip(explanation.facts, explanation.sentences, strict=True):
            getattr(self, "check_" + fact.kind.replace("-", "_"))(**fact.data)
            numbers = set(re.findall(r"\d+", json.dumps(fact.data)))
            assert set(re.findall(r"\d+", sentence)) <= numbers, (fact, sentence)
            assert "{" not in sentence
            assert unpack(json.loads(json.dumps(pack(sentence)))) == sentence
            assert type(sentence) is Text
            assert sentence.rstrip()[-1] in ".…" or "nim-sum" in sentence

    def name(self, seat):
        marks = getattr(self.game, "marks", ())
        return f"player {seat + 1}" + (f" ({marks[seat]})" if marks else "")

    def read(self, text, state=None):
        return self.game.read_move(self.state if state is None else state, text)

    def play(self, text, state=None):
        state = self.state if state is None else state
        return self.game.play(state, self.read(text, state))

    # Any game

    def check_value(self, seat, name, other, outcome, plies):
        assert seat == self.game.turn(self.state)
        assert (name, other) == (self.name(seat), self.name(1 - seat))
        assert (outcome, plies) == self.truth.values[self.state]

    def check_right(self, **data):
        self.check_choice(self.state, **data)

    def check_reply(self, **data):
        self.check_choice(self.here, **data)
        before = self.truth.values[self.state][0]
        assert GOOD[before] > GOOD[TURNED[data["outcome"]]]

    def check_choice(
        self,
        state,
        name,
        outcome,
        plies,
        legal,
        right,
        situations,
        unproven,
        every,
        only,
    ):
        assert name == self.name(self.game.turn(state))
        assert (outcome, plies) == self.truth.values[state]
        worths = self.truth.moves(state)
        assert legal == len(worths)
        assert unproven == 0
        if outcome == "loss":
            good = {move: worth for move, worth in worths if worth[1] == plies}
        else:
            good = {move: worth for move, worth in worths if worth[0] == outcome}
        groups = {}
        for move, worth in good.items():
            there = situation(self.game, self.game.play(state, move))
            groups.setdefault(there, (set(), set()))
            groups[there][0].add(describe_move(self.game, state, move))
            groups[there][1].add(worth[1])
        shown = {frozenset(group["moves"]): {group["plies"]} for group in right}
        assert shown == {frozenset(texts): distances for texts, distances in groups.values()}
        assert sum(len(group["moves"]) for group in right) == len(good)
        assert situations == len(groups)
        assert every == (len(good) == len(worths))
        assert only == (len(groups) == 1 and len(good) < len(worths) and outcome != "loss")

    def check_line(self, name, outcome, plies, moves, shown, ends, result, back_to):
        state = self.state
        assert name == self.name(self.game.turn(state))
        assert shown == len(moves) <= 30
        passed = []
        for number, text in enumerate(moves):
            passed.append((self.game.turn(state), situation(self.game, state)))
            move = self.read(text, state)
            if number == 0 and self.move is not None:
                assert move == self.move
                assert (outcome, plies) == self.truth.worth(state, self.here)
            else:
                assert number or (outcome, plies) == self.truth.values[state]
                assert move in self.truth.best(state)
            state = self.game.play(state, move)
        final = self.game.result(state)
        assert ends == (final is not None)
        assert result == (None if final is None else list(final))
        if outcome == "draw":
            assert plies is None
            assert ends or back_to is not None
        else:
            assert back_to is None
            assert shown == min(plies, 30)
            assert ends == (plies <= 30)
        if ends:
            mine = final[self.game.turn(self.state)]
            assert outcome == {1: "win", 0: "draw", -1: "loss"}[mine]
        if back_to is not None:
            assert passed[back_to] == (self.game.turn(state), situation(self.game, state))

    def check_swing(self, name, move, before, after, verdict, only, alike):
        assert name == self.name(self.game.turn(self.state))
        assert self.read(move) == self.move
        was, now = self.truth.values[self.state], self.truth.worth(self.state, self.here)
        assert (before["outcome"], before["plies"]) == was
        assert (after["outcome"], after["plies"]) == now
        if GOOD[now[0]] < GOOD[was[0]]:
            assert verdict == "mistake"
        elif now == was:
            assert verdict == "best"
        else:
            assert verdict == ("slower" if was[0] == "win" else "sooner")
            assert now[1] > was[1] if was[0] == "win" else now[1] < was[1]
        keeping = [m for m, worth in self.truth.moves(self.state) if worth[0] == was[0]]
        kinds = {situation(self.game, self.game.play(self.state, m)) for m in keeping}
        others = len(keeping) < len(self.truth.moves(self.state))
        expected = len(kinds) == 1 and others and self.move in keeping and was[0] != "loss"
        assert only == expected
        assert {self.read(text) for text in alike} == (
            set(keeping) - {self.move} if only else set()
        )

    def check_better(self, right, value):
        best = self.truth.best(self.state)
        texts = [text for group in right for text in group["moves"]]
        if value["outcome"] == "draw":
            best = [move for move, worth in self.truth.moves(self.state) if worth[0] == "draw"]
        assert sorted(map(self.read, texts)) == sorted(best)
        assert self.move not in best
        assert (value["outcome"], value["plies"]) == self.truth.values[self.state]

    def check_ended(self, result, winners, drawn):
        assert tuple(result) == self.game.result(self.here)
        assert winners == [self.name(seat) for seat, pay in enumerate(result) if pay == 1]
        assert drawn == (set(result) == {0})

    # Nim

    def counts(self, piles):
        take = self.game.take
        return [pile % (take + 1) if take else pile for pile in piles]

    def check_remainders(self, take, whole, piles, counts):
        assert take == self.game.take == whole - 1
        assert tuple(piles) == self.state[2:]
        assert counts == self.counts(piles)

    def check_nim_sum(self, rows, nim_sum, binary, limited, misere):
        shown = {row["pile"]: row["size"] for row in rows}
        assert shown == {n: pile for n, pile in enumerate(self.state[2:], 1) if pile}
        for row in rows:
            assert row["counts"] == self.counts([row["size"]])[0] == int(row["binary"], 2)
            assert len(row["binary"]) == len(binary)
        for column, bit in enumerate(binary):
            ones = [row["binary"][column] for row in rows].count("1")
            assert int(bit) == ones % 2
        assert nim_sum == xor(row["counts"] for row in rows) == int(binary, 2)
        assert limited == (self.game.take is not None)
        assert misere == self.game.misere
        if misere:
            assert len([row for row in rows if row["counts"] > 1]) > 1
        assert (self.truth.values[self.state][0] == "loss") == (nim_sum == 0)

    def check_ones(self, ones, odd):
        counts = self.counts(self.state[2:])
        assert self.game.misere
        assert max(counts) <= 1
        assert (ones, odd) == (counts.count(1), counts.count(1) % 2 == 1)
        assert (self.truth.values[self.state][0] == "loss") == odd

    def check_switch(self, pile, size, counts, ones, leave, take, remain):
        all_counts = self.counts(self.state[2:])
        assert self.game.misere
        assert [c for c in all_counts if c > 1] == [counts]
        assert all_counts[pile - 1] == counts
        assert self.state[1 + pile] == size
        assert ones == all_counts.count(1)
        assert remain == ones + leave
        assert remain % 2 == 1
        after = self.game.play(self.state, (pile - 1, take))
        assert self.counts(after[2:])[pile - 1] == leave
        assert self.truth.worth(self.state, after)[0] == "win"

    def check_mend(self, nim_sum, column, moves):
        wins = {m for m, worth in self.truth.moves(self.state) if worth[0] == "win"}
        assert {self.read(mend["move"]) for mend in moves} == wins
        piles = self.state[2:]
        for mend in moves:
            place, amount = self.read(mend["move"])
            assert (mend["pile"], mend["take"], mend["from"]) == (place + 1, amount, piles[place])
            assert mend["to"] == piles[place] - amount
            assert [mend["counts"], mend["then"]] == self.counts([mend["from"], mend["to"]])
            left = [*piles[:place], mend["to"], *piles[place + 1 :]]
            if nim_sum is None:
                assert self.counts(left).count(1) % 2 == 1
            else:
                assert xor(self.counts(left)) == 0
            if column is not None:
                assert mend["from"] & column
        if nim_sum is not None:
            assert nim_sum == xor(self.counts(piles)) != 0
        if column is not None:
            assert column <= nim_sum < 2 * column

    def check_leaves(self, move, piles, phase, nim_sum, ones, lost, mends):
        assert self.play(move) == self.here
        assert tuple(piles) == self.here[2:]
        counts = self.counts(piles)
        large = [c for c in counts if c > 1]
        many = "sum" if len(large) > 1 else "switch" if large else "ones"
        assert phase == (many if self.game.misere else "sum")
        assert (nim_sum, ones) == (xor(counts), counts.count(1))
        assert lost == (self.truth.values[self.here][0] == "loss")
        wins = {m for m, worth in self.truth.moves(self.here) if worth[0] == "win"}
        assert {self.read(text, self.here) for text in mends} == wins
        assert lost == (not mends)

    def check_theory(self, closed, exact, misled, unseen):
        assert exact == self.truth.values[self.state][0]
        assert closed == self.nim_value(self.state[2:], ())
        wrong, missed = {}, set()
        if closed == exact == "win":
            for move, worth in self.truth.moves(self.state):
                rest = situation(self.game, self.game.play(self.state, move))
                usual = not self.game.misere if not rest else self.nim_value(rest, ()) == "loss"
                if usual and worth[0] == "loss":
                    wrong[move] = list(rest) if rest in self.game.endings else None
                if not usual and worth[0] == "win":
                    missed.add(move)
        assert {self.read(w["move"]): w["ending"] for w in misled} == wrong
        assert set(map(self.read, unseen)) == missed

    def check_out_of_reach(self, piles):
        assert tuple(piles) == situation(self.game, self.state)
        below = itertools.product(*(range(pile + 1) for pile in piles))
        assert not {tuple(sorted(filter(None, rest))) for rest in below} & set(self.game.endings)

    def nim_value(self, piles, endings):
        rest = tuple(sorted(filter(None, piles)))
        return "win" if nim_wins(rest, self.game.misere, endings, self.game.take) else "loss"

    def check_bends(self, piles, closed, exact, tried, alone, endings):
        given = self.game.endings
        assert closed == self.nim_value(piles, ())
        assert exact == self.nim_value(piles, given)
        assert closed != exact
        assert tried
        turning = [
            ending
            for ending in given
            if self.nim_value(piles, tuple(e for e in given if e != ending)) != exact
        ]
        assert alone == bool(turning)
        if alone:
            assert list(map(tuple, endings)) == turning
        else:  # those that are out of reach do not matter, so these together do it
            assert self.nim_value(piles, tuple(map(tuple, endings))) == exact
        near = {situation(self.game, self.state), situation(self.game, self.here)}
        near |= {situation(self.game, way) for _, way in self.truth.after[self.state]}
        assert tuple(piles) in near

    def check_at_hand(self, moves, misere):
        assert misere == self.game.misere
        found = {}
        for move, following in self.truth.after[self.state]:
            rest = situation(self.game, following)
            if rest and self.game.result(following) is not None:
                found[move] = list(rest)
                wins = self.truth.worth(self.state, following) == ("win", 1)
                assert wins != misere
        assert {self.read(near["move"]): near["ending"] for near in moves} == found

    def check_start_ended(self, ending, misere):
        assert self.state == self.game.start()
        assert [pile for pile in self.state[2:] if pile] == ending
        assert self.game.result(self.state) == ((-1, 1) if misere else (1, -1))

    def check_last_move(self, mover, misere, ending, thing):
        winner = self.game.result(self.here).index(1)
        assert mover == self.name(1 - winner if misere else winner)
        assert misere == self.game.misere
        assert ending == list(filter(None, self.here[2:]))
        assert thing == ("stick" if isinstance(self.game, Sticks) else "coin")

    # Sticks

    def check_mod(self, **data):
        self.check_mod_at(self.state, **data)

    def check_mod_leaves(self, **data):
        self.check_mod_at(self.here, **data)

    def check_mod_at(self, state, sticks, take, whole, lost, amount, leaves, targets, more):
        assert sticks == state[2]
        assert take == self.game.take == whole - 1
        assert lost == (self.truth.values[state][0] == "loss")
        if lost:
            assert amount == 0
        else:
            assert self.game.play(state, (0, amount))[2] == leaves
            assert self.truth.worth(state, self.game.play(state, (0, amount)))[0] == "win"
        lost_ones = [n for n in range(1, sticks) if n % whole == 1 % whole]
        assert targets == (lost_ones[:3] or [1])
        assert more == (len(lost_ones) > 3)
        for target in targets:  # the reason: whatever is taken can be completed
            for taken in range(1, min(take, target - 1) + 1):
                assert 1 <= whole - taken <= take
                assert (target - whole) in (target - taken - (whole - taken), 1 - whole)

    # Chopsticks

    def check_start(self, winner, plies, benedict):
        outcome, far = self.truth.values[self.game.start()]
        assert winner == {"win": "first", "loss": "second", "draw": None}[outcome]
        assert plies == far
        assert benedict == (self.game == Chopsticks())

    def check_beaten(self, name, hands, word):
        loser = self.game.result(self.here).index(-1)
        assert name == self.name(loser)
        assert hands == list(self.here[1 + 2 * loser : 3 + 2 * loser])
        assert word == ("hand" if self.game.rules == "benedict" else "box")
        assert not any(hands) or not self.game.moves(self.here)

    # Tic-tac-toe: a threat is a square where playing ends the game at once

    def completing(self, state):
        found = set()
        for square in self.game.moves(state):
            if self.game.play(state, square)[3]:
                found.add(self.game.write_move(square))
        return found

    def turned(self, state):
        own, other, turn, over = state
        return (other, own, 1 - turn, over)

    def forking(self, state):
        found = {}
        for square in self.game.moves(state):
            after = self.game.play(state, square)
            if not after[3] and not self.completing(after):
                threats = self.completing(self.turned(after))
                if len(threats) > 1:
                    found[self.game.write_move(square)] = threats
        return found

    def check_squares(self, state, squares):
        assert {shown["square"] for shown in squares} == self.completing(state)
        assert len(squares) == len(self.completing(state))
        for shown in squares:
            assert shown["square"] in shown["line"]
            assert len(shown["line"]) == self.game.line
            bits = [self.game.board.bits[self.game.board.read_square(s)] for s in shown["line"]]
            own = state[0]
            assert sum(1 for bit in bits if own & bit) == self.game.line - 1
            ((c0, r0), *rest) = sorted(map(self.game.board.read_square, shown["line"]))
            steps = {(c - c0, r - r0) for c, r in rest}
            assert any(
                steps == {(i * right, i * down) for i in range(1, self.game.line)}
                for right, down in ((1, 0), (0, 1), (1, 1), (1, -1))
            )

    def check_who(self, name, other):
        assert name == self.name(self.game.turn(self.state))
        assert other == self.name(1 - self.game.turn(self.state))

    def check_wins_now(self, name, other, squares):
        self.check_who(name, other)
        self.check_squares(self.state, squares)
        assert self.truth.values[self.state] == ("win", 1)

    def check_blocks(self, name, other, squares):
        self.check_who(name, other)
        self.check_squares(self.turned(self.state), squares)
        if len(squares) > 1:
            assert self.truth.values[self.state] == ("loss", 2)
        for move, worth in self.truth.moves(self.state):
            if {self.game.write_move(move)} != {shown["square"] for shown in squares}:
                assert worth == ("loss", 2)

    def check_forks(self, name, other, forks):
        self.check_who(name, other)
        threats = {f["move"]: {shown["square"] for shown in f["threats"]} for f in forks}
        assert threats == self.forking(self.state)
        for fork in forks:
            assert self.truth.worth(self.state, self.play(fork["move"])) == ("win", 3)

    def check_fatal(self, name, other, squares, safe):
        self.check_who(name, other)
        assert self.game.misere
        self.check_squares(self.state, squares)
        free = set(map(self.game.write_move, self.game.moves(self.state)))
        assert set(safe) == free - {shown["square"] for shown in squares}
        for shown in squares:
            assert self.truth.worth(self.state, self.play(shown["square"])) == ("loss", 1)

    def check_missed_win(self, name, other, squares):
        self.check_who(name, other)
        self.check_squares(self.state, squares)
        assert self.game.write_move(self.move) not in {shown["square"] for shown in squares}

    def check_allows_line(self, name, other, squares):
        self.check_who(name, other)
        self.check_squares(self.here, squares)
        assert self.truth.worth(self.state, self.here) == ("loss", 2)

    def check_makes_fork(self, name, other, move, squares):
        self.check_who(name, other)
        assert self.play(move) == self.here
        self.check_squares(self.turned(self.here), squares)
        assert len(squares) > 1
        assert self.truth.worth(self.state, self.here) == ("win", 3)

    def check_allows_fork(self, name, other, forks):
        self.check_who(name, other)
        threats = {f["move"]: {shown["square"] for shown in f["threats"]} for f in forks}
        assert threats == self.forking(self.here)
        assert self.truth.worth(self.state, self.here) == ("loss", 4)

    def check_full(self, squares):
        assert squares == self.game.columns * self.game.rows
        assert self.game.result(self.here) == (0, 0)

    def check_stands(self, name, misere, line):
        cells = self.game.write(self.here)
        places = [self.game.board.read_square(square) for square in line]
        marks = {cells[column + row * self.game.columns] for column, row in places}
        (mark,) = marks
        assert name == self.name("XO".index(mark))
        assert misere == self.game.misere
        winner = self.game.result(self.here).index(1)
        assert (winner == "XO".index(mark)) != misere

    # Othello

    def check_discs(self, discs, empty):
        cells = self.game.write(self.here).split()[0]
        assert discs == {self.name(0): cells.count("X"), self.name(1): cells.count("O")}
        assert empty == cells.count("-")

    def check_turned(self, move, discs):
        assert self.play(move) == self.here
        before, after = (self.game.write(s).split()[0] for s in (self.state, self.here))
        changed = sum(a != b for a, b in zip(before, after, strict=True))
        assert discs == changed - 1

    def check_margin(self, name, margin, moves):
        assert name == self.name(self.game.turn(self.state))
        assert margin == value_of(self.game, *self.state[:2])
        assert {self.read(text): left for text, left in moves} == {
            move: -value_of(self.game, *after[:2]) for move, after in self.truth.after[self.state]
        }
        assert sorted((left for _, left in moves), reverse=True) == [left for _, left in moves]

    def check_margin_left(self, name, move, before, after, lost):
        assert name == self.name(self.game.turn(self.state))
        assert self.play(move) == self.here
        assert before == value_of(self.game, *self.state[:2])
        assert after == -value_of(self.game, *self.here[:2])
        assert lost == before - after


def draw_positions(truth, seed, many):
    """Some of all positions; ten times as many in a long run."""
    states = sorted(truth.after)
    return random.Random(seed).sample(states, min(len(states), 10 * many if LONG else many))


def check_all(game, states, truth, *, solution=None, moves=3, seed=1):
    """Explain each position, and some moves in each, and check every claim."""
    chance = random.Random(seed)
    kinds = set()
    for state in states:
        found = explain(game, state, solution=solution)
        Claims(game, state, None, truth).check(found)
        kinds |= {fact.kind for fact in found.facts}
        legal = list(game.moves(state))
        for move in chance.sample(legal, min(moves, len(legal))):
            found = explain(game, state, move, solution=solution)
            Claims(game, state, move, truth).check(found)
            kinds |= {fact.kind for fact in found.facts}
    return kinds


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [
        Nim(piles=(3, 4, 5)),
        Nim(piles=(1, 3, 5), misere=True),
        Nim(piles=(5, 5), take=1, misere=True),
        Nim(piles=(4, 5, 1), take=3, misere=True),
    ],
    ids=str,
)
def test_every_claim_about_nim_without_endings_is_so(game):
    states = draw_positions(oracle(game), 1, 60)
    kinds = check_all(game, states, oracle(game), solution=solve(game))
    assert {"value", "right", "line", "swing", "leaves", "ended", "last-move", "mend"} <= kinds
    if game.take != 1:  # by ones no move is wrong
        assert {"better", "reply", "nim-sum"} <= kinds
    assert ("switch" in kinds) == (game.misere and game.take != 1)
    assert ("remainders" in kinds) == (game.take is not None)


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize(
    ("piles", "endings"),
    [
        ((4, 3, 2), CLASS_ENDINGS),
        ((5, 4), ((1, 2), (3, 3), (2,))),
    ],
)
def test_every_claim_about_nim_with_endings_is_so(piles, endings, misere):
    game = Nim(piles=piles, endings=endings, misere=misere)
    states = draw_positions(oracle(game), 1, 25)
    kinds = check_all(game, states, oracle(game), solution=solve(game), moves=4)
    assert {"theory", "at-hand", "last-move", "out-of-reach"} <= kinds


def test_endings_that_bend_the_theory_alone_and_together_are_both_met():
    alone = set()
    for endings in ((1, 2, 3), (2, 2, 2)), ((1,), (2, 2)):
        for misere in (False, True):
            for piles in itertools.combinations_with_replacement(range(5 if LONG else 4), 3):
                if any(piles):
                    game = Nim(piles=piles, endings=endings, misere=misere)
                    found = explain(game, game.start())
                    Claims(game, game.start(), None, oracle(game)).check(found)
                    alone |= {f.data["alone"] for f in found.facts if f.kind == "bends"}
    assert alone == {True, False}


def test_the_classic_nim_is_explained_as_in_the_books():
    found = explain(Nim(), Nim().start())
    assert found.sentences[1].splitlines()[1:] == [
        "  pile 1   3  011",
        "  pile 2   4  100",
        "  pile 3   5  101",
        "  nim-sum  2  010",
    ]
    assert "Only one move wins: 2 from 1." in found.sentences


def test_a_billion_objects_are_explained_at_once_and_without_a_distance():
    game = Nim(piles=(10**9, 5, 7))
    found = explain(game, game.start())
    facts = {fact.kind: fact.data for fact in found.facts}
    assert facts["value"]["plies"] is None
    assert facts["right"]["only"]
    assert facts["right"]["right"] == [{"moves": [f"{10**9 - 2} from 1"], "plies": None}]
    wrong = explain(game, game.start(), (0, 3))
    assert "That turned a win into a loss." in wrong.sentences[0]
    assert explain(Nim(), (0, 3, 10**9, 5, 7), solution=solve(Nim())).facts == found.facts
    lost = Nim(piles=(10**9, 10**9))
    assert explain(lost, lost.start(), solution=NimClosed(lost)).facts[0].data["outcome"] == "loss"
    assert "Every move loses." in explain(lost, lost.start()).sentences


@pytest.mark.parametrize("game", [Sticks(), Sticks(sticks=17, take=1), Sticks(sticks=25, take=6)])
def test_every_claim_about_sticks_is_so(game):
    kinds = check_all(game, oracle(game).after, oracle(game), solution=solve(game), moves=6)
    assert {"mod", "mod-leaves", "last-move"} <= kinds


def test_a_long_forced_line_is_cut_at_30_plies_and_says_how_long_it_is():
    game = Sticks(sticks=100, take=1)
    found = explain(game, game.start())
    Claims(game, game.start(), None, oracle(game)).check(found)
    assert found.sentences[-1].startswith("The forced line, 100 plies, begins: 1, 1")


def test_every_claim_about_chopsticks_by_benedicts_rules_is_so():
    game = Chopsticks()
    truth = oracle(game)
    states = [game.start(), *draw_positions(truth, 2, 40)]
    kinds = check_all(game, states, truth, solution=solve(game))
    assert {"start", "beaten", "line", "swing", "reply"} <= kinds
    start = explain(game, game.start())
    assert start.sentences[0].startswith("Player 1 is to move, and player 2 wins within 26")
    assert "second player wins in 26 plies" in start.sentences[1]
    assert "Benedict" in start.sentences[1]


@pytest.mark.parametrize(
    "game",
    [Chopsticks(split_least=1), Chopsticks(rules="feathers-revive", dies_at=5, loops="allowed")],
    ids=["benedict", "feathers"],
)
def test_every_claim_about_drawn_chopsticks_is_so(game):
    truth = oracle(game)
    states = [game.start(), *draw_positions(truth, 3, 25)]
    check_all(game, states, truth, solution=solve(game), moves=2)
    assert "draw" in {value for value, _ in truth.values.values()}


@pytest.mark.slow
@pytest.mark.parametrize("misere", [False, True])
def test_every_claim_about_tictactoe_is_so(misere):
    game = TicTacToe(misere=misere)
    truth = oracle(game)
    states = [game.start(), *draw_positions(truth, 4, 70)]
    kinds = check_all(game, states, truth, solution=solve_once(game))
    special = {"wins-now", "blocks", "forks", "missed-win", "allows-line", "makes-fork"}
    assert kinds & special == (set() if misere else special)
    assert ("fatal" in kinds) == misere
    assert {"stands", "full"} <= kinds


def test_an_allowed_fork_is_named():
    game = TicTacToe()
    state = game.read("X---O---X O")
    found = explain(game, state, game.read_move(state, "a3"))
    Claims(game, state, (0, 2), oracle(game)).check(found)
    assert "That turned a draw into a loss in 4 plies." in found.sentences[0]
    assert "allows-fork" in {fact.kind for fact in found.facts}


solve_once = functools.cache(solve)


def test_a_mistake_is_explained_by_its_cost():
    found = explain(Nim(), Nim().start(), (0, 1))
    assert (
        found.sentences[0]
        == "Wrong: 1 from 1. That turned a win in 11 plies into a loss in 12 plies."
    )
    supposed = explain(Nim(), Nim().start(), (0, 1), wording=Wording(supposed=True))
    assert supposed.facts == found.facts
    assert "That would turn a win in 11 plies into a loss in 12 plies." in supposed.sentences[0]


@pytest.mark.parametrize(
    ("people", "said"),
    [
        (("you", "I"), "Whatever I then take, up to 3, you complete it to 4, … falls to me."),
        (("I", "you"), "Whatever you then take, up to 3, I complete it to 4, … falls to you."),
        (("bob", "you"), "Whatever you then take, up to 3, bob completes it to 4, … falls to you."),
        (("you", "bob"), "Whatever bob then takes, up to 3, you complete it to 4, … falls to bob."),
    ],
)
def test_the_players_are_called_as_the_wording_says(people, said):
    game = Sticks()
    found = explain(game, game.read("7"), wording=Wording(*people))
    rule = next(each for each in found.sentences if "Whatever" in each)
    assert rule.endswith(said.replace("…", "and the last stick"))


def test_a_seat_is_called_by_who_sits_there():
    game, people = TicTacToe(), {"player 1 (X)": "you", "player 2 (O)": "I"}
    state = game.play(game.play(game.start(), (0, 0)), (1, 1))
    found = explain(game, game.play(state, (1, 0)), (0, 2), wording=Wording("I", "you", people))
    assert "It lets you complete a line on c1." in found.sentences


@pytest.mark.parametrize("game", [Nim(), Sticks(), Chopsticks(), TicTacToe(), Othello()])
def test_an_illegal_move_is_refused_as_the_game_refuses_it(game):
    with pytest.raises(IllegalMove) as by_game:
        game.play(game.start(), (99, 99, 99))
    with pytest.raises(IllegalMove) as by_explain:
        explain(game, game.start(), (99, 99, 99))
    assert str(by_explain.value) == str(by_game.value)


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (Nim(seats=3), "3 seats"),
        (Nim(piles=(10**9, 10**9), endings=((1, 1),)), "situations"),
        (TicTacToe(columns=6, rows=6, line=4), "situations"),
    ],
    ids=["three seats", "huge with endings", "6x6"],
)
def test_what_is_not_solved_is_said_with_the_reason(game, reason):
    found = explain(game, game.start())
    facts = {fact.kind: fact.data for fact in found.facts}
    assert reason in facts["unsolved"]["reason"]
    assert "No exact value is known here" in found.sentences[0]
    assert facts["legal"]["legal"] == len(game.moves(game.start()))
    assert "value" not in facts
    assert "right" not in facts
    move = game.moves(game.start())[0]
    judged = explain(game, game.start(), move)
    facts = {fact.kind: fact.data for fact in judged.facts}
    assert facts["unjudged"] == {
        "move": game.write_move(move),
        "to": game.write(game.play(game.start(), move)),
    }
    assert "swing" not in facts


def test_othello_near_its_end_is_explained_exactly():
    game = Othello(columns=4, rows=4)
    chance = random.Random(5)
    kinds = set()
    for _ in range(6):
        state = game.start()
        while game.moves(state) and game.write(state).count("-") > 6:
            state = game.play(state, chance.choice(game.moves(state)))
        kinds |= check_all(game, [state], Oracle(game, state), moves=2)
    assert {"value", "right", "line", "swing", "discs", "turned", "margin", "margin-left"} <= kinds


def test_with_more_squares_empty_othello_is_explained_by_discs_and_played_out():
    """Number 1 of the forum's endgame positions, 14 squares empty: g8 wins by 18, h1 by 12."""
    game = Othello()
    state = game.read("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X")
    found = explain(game, state)
    facts = {fact.kind: fact.data for fact in found.facts}
    assert found.sentences[0] == (
        "Player 1 (X) is to move and wins by 18 discs, whatever player 2 (O) does."
    )
    assert facts["margin"]["moves"][:2] == [["g8", 18], ["h1", 12]]
    assert facts["right"]["situations"] == 5  # g8, h1, h7, a2 and a3 win; b1, a4 and g2 do not
    assert ends(game, state, facts["margin-line"]["moves"]) == 18
    assert "line" not in facts
    slack = explain(game, state, game.read_move(state, "h1"))
    facts = {fact.kind: fact.data for fact in slack.facts}
    assert slack.sentences[0] == "Right: h1 keeps the win."
    assert (
        "Played for discs it gives away 6 discs: it ends +12 for player 1 (X)." in slack.sentences
    )
    assert facts["margin-line"]["moves"][0] == "h1"
    assert ends(game, state, facts["margin-line"]["moves"]) == 12
    wrong = explain(game, state, game.read_move(state, "b1"))
    assert wrong.sentences[0] == "Wrong: b1. That turned a win into a loss."
    after = game.play(state, game.read_move(state, "b1"))
    assert (
        explain(game, after).sentences[0].startswith("Player 2 (O) is to move and wins by 4 discs")
    )
    lost = game.play(state, game.read_move(state, "g8"))
    assert explain(game, lost).sentences[0] == (
        "Player 2 (O) is to move, and player 1 (X) wins by 18 discs, whatever player 2 (O) does."
    )


def ends(game, state, texts):
    """The score of the mover when these moves are played, which end the game."""
    seat = game.turn(state)
    for text in texts:
        state = game.play(state, game.read_move(state, text))
    assert game.result(state) is not None
    return game.score(state) if seat == 0 else -game.score(state)


def test_a_game_where_a_seat_may_move_again_is_explained_from_the_verbs():
    check_all(Countdown(), oracle(Countdown()).after, oracle(Countdown()))


# Barred loops: values without distances, and moves of which no proof is held


class Proven(Solution):
    """Only who wins, and only from the positions given; one winning move each."""

    method = "proof"

    def __init__(self, game, truth, positions):
        super().__init__(game)
        self.truth, self.positions = truth, positions

    def value(self, state):
        if state not in self.positions:
            raise Unsolved("off the proof")
        return Value(self.truth.values[state][0])

    def best(self, state):
        return self.truth.best(state)[:1]

    def counts(self):
        raise Unsolved("too many to count")


def test_barred_loops_are_explained_without_distances():
    game = Chopsticks(dies_at=3, loops="barred")
    truth = oracle(game)
    solution = solve(game, work=Work())
    for state in draw_positions(truth, 6, 40):
        found = explain(game, state, solution=solution)
        facts = {fact.kind: fact.data for fact in found.facts}
        if not game.moves(state):
            Claims(game, state, None, truth).check(found)
            continue
        assert facts["value"]["outcome"] == truth.values[state][0]
        assert facts["value"]["plies"] is None
        right = facts["right"]
        worths = {game.write_move(move): worth[0] for move, worth in truth.moves(state)}
        assert {worths[text] for group in right["right"] for text in group["moves"]} <= {"win"}
        if right["only"]:
            wins = [move for move, worth in truth.moves(state) if worth[0] == "win"]
            assert len({situation(game, game.play(state, move)) for move in wins}) == 1
        for move in game.moves(state):
            swing = explain(game, state, move, solution=solution).facts[0].data
            assert swing["after"]["outcome"] == truth.worth(state, game.play(state, move))[0]
            was, now = swing["before"]["outcome"], swing["after"]["outcome"]
            assert swing["verdict"] == ("mistake" if was != now else "best")


def test_a_move_off_the_proof_is_called_unproven():
    game = Chopsticks(dies_at=3, loops="barred")
    truth = oracle(game)
    won = next(
        state
        for state, value in truth.values.items()
        if value[0] == "win" and len(game.moves(state)) > 2
    )
    solution = Proven(game, truth, {won})
    found = explain(game, won, solution=solution)
    facts = {fact.kind: fact.data for fact in found.facts}
    assert facts["right"]["unproven"] == len(game.moves(won)) - 1
    assert not facts["right"]["only"]
    assert any("not proven" in sentence for sentence in found.sentences)
    other = next(move for move in game.moves(won) if move not in solution.best(won))
    swing = explain(game, won, other, solution=solution).facts[0].data
    assert (swing["verdict"], swing["after"]) == ("unproven", None)


def test_a_start_that_is_an_ending_was_reached_by_no_move():
    for misere, says in (
        (False, "the first player is the winner"),
        (True, "the first player is out"),
    ):
        game = Nim(piles=(2, 2, 2), endings=CLASS_ENDINGS, misere=misere)
        text = str(explain(game, game.start()))
        assert says in text
        assert "moved" not in text
