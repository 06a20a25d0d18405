"""The tree of a study: nodes in one flat list, each with the number of the node it follows.

A list cannot be too deep, however long a line is. It is in preorder: a node comes after the one it
follows, and a branch lies together, its main line first. A study is a value, and always legal:
it is replayed when it is made, and whatever changes it returns another study.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, cast

from parlour import core
from parlour.core import BadText, Game, Move, ParlourError, State, Text, quote, say

MAX_NODES = 2_000
MAX_COMMENT = 4_000  # characters
MAX_PROOF = 20  # sentences of a node
MAX_TITLE = 100
MAX_POSITION = 8_000
MAX_NAMED = 6  # moves that an error names as the way to a node
ASKS = ("", "marked", "proven")  # whose moves are right: those marked, or all that keep the value
TEXT = say("it must be {what}", what=say("a text"))
YES_OR_NO = say("it must be {what}", what=say("yes or no"))


@dataclass(frozen=True)
class StudyNode:
    """A move of a study, or its first position, with what is said about it."""

    parent: int = -1  # the number of the node before; the first one has none
    move: str = ""
    comment: str = ""
    proof: tuple[str, ...] = ()  # what the exact values say of the move
    asks: str = ""  # one of ASKS: whether and how the reader is asked for the next move
    right: bool = False  # whether the author marked it as a right answer

    @property
    def is_plain(self) -> bool:
        """Whether nothing is said here."""
        return not (self.comment or self.proof or self.asks)


@dataclass(frozen=True)
class Study:
    """A tree of moves from a position of a game, with comments."""

    game: Game
    title: str = ""
    position: str = ""  # where it begins, if not at the start of the game
    nodes: tuple[StudyNode, ...] = ()  # the first of which is that position
    states: tuple[State, ...] = field(init=False, repr=False, compare=False)  # at each node
    moves: tuple[Move, ...] = field(init=False, repr=False, compare=False)  # that lead there

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "game", core.registry.game(self.game))
        put(self, "title", _check_length(_tidy_line(_as_text("title", self.title)), MAX_TITLE))
        position = _check_length(_as_text("position", self.position).strip(), MAX_POSITION)
        state = self.game.read(position) if position else self.game.start()
        if position:
            put(self, "position", "" if state == self.game.start() else self.game.write(state))
        if len(self.nodes) > MAX_NODES:
            raise BadText("at most {most:,} moves fit in a study", most=MAX_NODES)
        nodes, states, moves = _replay(self.game, state, self.nodes or (StudyNode(),))
        put(self, "nodes", nodes)
        put(self, "states", states)
        put(self, "moves", moves)

    # Walking

    @cached_property
    def _children(self) -> tuple[tuple[int, ...], ...]:
        found: list[list[int]] = [[] for _ in self.nodes]
        for at, node in enumerate(self.nodes[1:], start=1):
            found[node.parent].append(at)
        return tuple(map(tuple, found))

    def children(self, at: int) -> tuple[int, ...]:
        """Return the numbers of the nodes that follow a node, the main line first."""
        return self._children[at]

    def path(self, at: int) -> tuple[int, ...]:
        """Return the numbers of the nodes from the first to this one."""
        found = [at]
        while found[-1]:
            found.append(self.nodes[found[-1]].parent)
        return tuple(reversed(found))

    def end(self, at: int) -> int:
        """Return the number after the last node of the branch that begins with this one."""
        after = at + 1
        while after < len(self.nodes) and self.nodes[after].parent >= at:
            after += 1
        return after

    @property
    def main_line(self) -> tuple[int, ...]:
        """The numbers of the nodes of the main line."""
        line = [0]
        while following := self.children(line[-1]):
            line.append(following[0])
        return tuple(line)

    @property
    def is_lesson(self) -> bool:
        """Whether the reader is asked for a move anywhere."""
        return any(node.asks for node in self.nodes)

    def name_move(self, at: int) -> str:
        """Return the move that leads to a node in the words of the game."""
        return core.protocol.describe_move(
            self.game, self.states[self.nodes[at].parent], self.moves[at]
        )

    # Changing

    def add(self, at: int, move: str) -> tuple[Study, int]:
        """Return the study with a move after a node, and the number of the node it leads to.

        A move that is there already is not added again.
        """
        played = self.game.read_move(self.states[at], move)
        for child in self.children(at):
            if self.moves[child] == played:
                return self, child
        place = self.end(at)
        nodes = [_shift(node, place, 1) for node in self.nodes]
        nodes.insert(place, StudyNode(at, self.game.write_move(played)))
        return replace(self, nodes=tuple(nodes)), place

    def change(self, at: int, **fields: Any) -> Study:
        """Return the study with other fields of a node: comment, proof, asks or right."""
        nodes = list(self.nodes)
        nodes[at] = replace(nodes[at], **fields)
        return replace(self, nodes=tuple(nodes))

    def remove(self, at: int) -> Study:
        """Return the study without a move and all that follows it."""
        if at == 0:
            raise BadText(
                say("the first position cannot be deleted; delete the whole study instead")
            )
        after = self.end(at)
        kept = self.nodes[:at] + tuple(
            _shift(node, after, at - after) for node in self.nodes[after:]
        )
        return replace(self, nodes=kept)

    def promote(self, at: int) -> tuple[Study, int]:
        """Return the study with the line to a node as the main line, and the node's new number."""
        first = set(self.path(at))
        order = preorder(
            [sorted(each, key=lambda child: child not in first) for each in self._children]
        )
        return replace(self, nodes=arrange(self.nodes, order)), order.index(at)


def _shift(node: StudyNode, place: int, by: int) -> StudyNode:
    return replace(node, parent=node.parent + by) if node.parent >= place else node


def preorder(children: Sequence[Sequence[int]]) -> list[int]:
    """Return the numbers of all nodes, each before those that follow it."""
    order, waiting = [], [0]
    while waiting:
        at = waiting.pop()
        order.append(at)
        waiting += reversed(children[at])
    return order


def arrange(nodes: Sequence[StudyNode], order: Sequence[int]) -> tuple[StudyNode, ...]:
    """Return nodes in another order."""
    places = {at: place for place, at in enumerate(order)}
    return tuple(replace(nodes[at], parent=places.get(nodes[at].parent, -1)) for at in order)


def check_study(study: Any) -> Study:
    """Return a study, or refuse anything else by its argument's name."""
    core.check_type("study", study, Study, "it must be a Study, as parlour.read_study returns one")
    return cast("Study", study)


def follow_moves(game: Any, moves: Iterable[str], title: str = "", position: str = "") -> Study:
    """Return the study of one line of moves."""
    nodes = [StudyNode()]
    nodes += [StudyNode(at, move) for at, move in enumerate(moves)]
    return Study(game, title, position, tuple(nodes))


def list_runs(
    study: Study, after: int = 0, children: Callable[[int], Sequence[int]] | None = None
) -> Iterator[tuple[int, list[int]]]:
    """Yield pieces of the lines after a node with how deep each is nested.

    A piece ends where others branch off. After a move that has alternatives come these, and then
    the line goes on. `children` may leave out some of the nodes that follow one.
    """
    list_children = children or study.children
    waiting: list[tuple[int, int]] = [(after, 0)]  # nodes after which a line goes on, and its depth
    while waiting:
        at, depth = waiting.pop()
        if at < 0:  # a variation, from its own first move
            run, at = [-at], -at
        else:
            run = []
        while following := list_children(at):
            run.append(following[0])
            if len(following) > 1:
                waiting.append((following[0], depth))
                waiting += [(-other, depth + 1) for other in reversed(following[1:])]
                break
            at = following[0]
        if run:
            yield depth, run


# Checking


def _replay(
    game: Game, state: State, nodes: Sequence[StudyNode]
) -> tuple[tuple[StudyNode, ...], tuple[State, ...], tuple[Move, ...]]:
    """Play every move, and return the nodes with it as the game writes it."""
    found, states, moves = [], [state], [None]
    line = [0]  # of the node before, which a branch continues or leaves
    followed: set[tuple[int, Move]] = set()
    for at, node in enumerate(nodes):
        tidy = _tidy(node)
        if at == 0:
            if node.parent != -1 or node.move:
                raise BadText(
                    say("the first node of a study is its first position, without a move")
                )
            found.append(tidy)
            continue
        while line and line[-1] != node.parent:
            line.pop()
        if not line or type(node.parent) is not int:
            raise BadText(
                "node {at} of this study follows node {parent}, which is not on the line before it",
                at=at,
                parent=quote(node.parent),
            )
        before = states[node.parent]
        try:
            move = game.read_move(before, node.move)
        except ParlourError as error:
            name = name_place(found, node.parent, quote(node.move))
            raise BadText("{move} cannot be played: {why}", move=name, why=error.text) from None
        if (node.parent, move) in followed:
            name = name_place(found, node.parent, quote(node.move))
            raise BadText("{move} is in this study twice", move=name)
        followed.add((node.parent, move))
        found.append(replace(tidy, move=game.write_move(move)))
        states.append(game.play(before, move))
        moves.append(move)
        line.append(at)
    return tuple(found), tuple(states), tuple(moves)


def name_place(nodes: Sequence[StudyNode], at: int, move: str) -> Text:
    """Return `the move a1 after f5, d6`, for a move that follows a node; a long way is cut."""
    way: list[str] = []
    while at > 0:
        way.append(nodes[at].move)
        at = nodes[at].parent
    if not way:
        return say("the first move {move}", move=move)
    cut = "… " if len(way) > MAX_NAMED else ""
    return say(
        "the move {move} after {way}", move=move, way=cut + ", ".join(reversed(way[:MAX_NAMED]))
    )


def _tidy(node: StudyNode) -> StudyNode:
    """Return a node with its texts as they are stored; refuse one that has too much."""
    core.check_type("nodes", node, StudyNode, "each must be a StudyNode")
    core.check_type("right", node.right, bool, YES_OR_NO)
    if node.asks not in ASKS:
        raise core.BadOption("asks", node.asks, say("it must be {choices:or}", choices=ASKS[1:]))
    comment = _check_length(tidy_text(_as_text("comment", node.comment)), MAX_COMMENT)
    if not isinstance(node.proof, list | tuple):
        raise BadText(say("the proof of a node is a list of sentences"))
    proof = tuple(filter(None, (tidy_text(_as_text("proof", each)) for each in node.proof)))
    if len(proof) > MAX_PROOF or any(len(each) > MAX_COMMENT for each in proof):
        raise BadText("the proof of a node has at most {most} sentences", most=MAX_PROOF)
    return replace(node, move=_as_text("move", node.move), comment=comment, proof=proof)


def _as_text(name: str, value: Any) -> str:
    return cast("str", core.check_type(name, value, str, TEXT))


def _check_length(text: str, most: int) -> str:
    if len(text) > most:
        raise BadText("this is too long; at most {most:,} characters fit", most=most)
    return text


def tidy_text(text: str) -> str:
    """Return a text without invisible characters, and without spaces at the ends of lines."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ").split("\n")
    tidy = "\n".join(_clean(line).rstrip() for line in lines).strip("\n")
    return text if text == tidy else tidy  # a sentence of ours stays what it was made of


def _tidy_line(text: str) -> str:
    return " ".join(_clean(" ".join(text.split())).split())


def _clean(text: str) -> str:
    return "".join(letter for letter in text if letter.isprintable())
