"""Studies of Othello as SGF, the Smart Game Format: trees of moves with comments, FF[4] and GM[2].

The format names no notation for Othello. Squares are written as Edax does, `f5`, with `PA` for a
pass; read are also two letters, as in Go, and an empty value as a pass. The first discs are always
written out. A question to the reader has no property in SGF, so there is one of ours, ASK; a move
marked right is TE, a good move. The sentences of the proof stand in the comment, each after a
`Proof:` that begins its line.

The text is read in one pass without recursion: a file may be nested as deep as it is long.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from parlour.core import BadOption, BadText, IllegalMove, quote, say
from parlour.lessons.study import (
    ASKS,
    MAX_NODES,
    MAX_TITLE,
    Study,
    StudyNode,
    arrange,
    name_place,
    preorder,
    tidy_text,
)
from parlour.rules import PASS, Othello, OthelloState, Square, by_seat

OTHELLO = "2"  # the number of the game in GM
PROOF = "Proof: "
ANTI = "Anti-Othello"  # as RU
COLOURS = {"B": 0, "W": 1}
LETTERS = "abcdefghijklmnopqrstuvwxyz"
PASSES = ("", "pa", "pass", "ps", "tt")
NOISE = "\ufeff \t\r\n\v\f"
NAME = re.compile("[A-Za-z]+")
VALUE = re.compile(rf"[{NOISE}]*\[((?:[^\]\\]|\\.)*+)(\]?)", re.DOTALL)
ESCAPE = re.compile(r"\\(?:\n\r?|\r\n?|(.))", re.DOTALL)  # a line broken softly, or a letter
NO_GAME = say("there is no game in this SGF; one begins with (;")


@dataclass
class Read:
    """A node as it is in the text: its properties, and the number of the node before."""

    parent: int
    values: dict[str, list[str]] = field(default_factory=dict)

    def get(self, name: str, default: str = "") -> str:
        """Return the first value of a property."""
        return self.values.get(name, [default])[0]


# The grammar


def parse_sgf(text: str) -> list[Read]:
    """Return the nodes of the only tree in a text, in its order; `BadText` says where it fails."""
    nodes: list[Read] = []
    open_at: list[int] = []  # the node at which each open variation began
    at, last, trees = text.find("("), -1, 0
    while 0 <= at < len(text):
        letter = text[at]
        if letter in NOISE:
            at += 1
        elif letter == "(":
            trees += not open_at
            if trees > 1:
                raise BadText(say("this SGF holds several games; a study is made of one"))
            open_at.append(last)
            at += 1
        elif letter == ")":
            if not open_at:
                break  # whatever follows the game
            last = open_at.pop()
            at += 1
        elif not open_at:
            break
        elif letter == ";":
            if len(nodes) > 2 * MAX_NODES:
                raise BadText("at most {most:,} moves fit in a study", most=MAX_NODES)
            nodes.append(Read(last))
            last = len(nodes) - 1
            at += 1
        else:
            if last < 0:
                raise BadText(NO_GAME)
            at = _parse_property(text, at, nodes[last])
    if open_at:
        raise BadText(say("this SGF is not closed: there are more ( than )"))
    if not nodes:
        raise BadText(NO_GAME)
    return nodes


def _parse_property(text: str, at: int, node: Read) -> int:
    """Read `NAME[value][value]`, and return where it ends."""
    found = NAME.match(text, at)
    if found is None:
        raise BadText(
            "a property of SGF is NAME[value], and here is {here}", here=_quote_rest(text, at)
        )
    name = "".join(letter for letter in found[0] if letter.isupper()) or found[0].upper()
    values = node.values.setdefault(name, [])
    at, before = found.end(), len(values)
    while value := VALUE.match(text, at):
        if not value[2]:
            raise BadText(
                "a value in this SGF is not closed by ]: {here}",
                here=_quote_rest(text, value.start(1)),
            )
        values.append(ESCAPE.sub(r"\1", value[1]))
        at = value.end()
    if len(values) == before:
        raise BadText("{found} in this SGF has no value in brackets", found=quote(found[0][:30]))
    return at


def _quote_rest(text: str, at: int) -> str:
    return quote(text[at : at + 30].split("\n", maxsplit=1)[0])


# Reading


def read_sgf(text: str) -> Study:
    """Read a study of Othello; `BadText` says what is wrong."""
    nodes = parse_sgf(text)
    root = nodes[0]
    kind = root.get("GM", OTHELLO).strip()
    if kind != OTHELLO:
        raise BadText(
            "this SGF is of game {kind}; Othello is GM[{othello}]",
            kind=quote(kind),
            othello=OTHELLO,
        )
    first = next((name for each in nodes for name in COLOURS if name in each.values), "B")
    game, start = _read_start(root, root.get("PL").strip() or first)
    return _build(game, start, nodes)


def _read_start(root: Read, begins: str) -> tuple[Othello, OthelloState]:
    """Return the variant, and the position in which it begins."""
    columns, rows = _read_size(root.get("SZ", "8"))
    rules = root.get("RU").casefold()
    misere = any(word in rules for word in ("anti", "misere", "misère", "reverse"))
    try:
        game = Othello(columns=columns, rows=rows, misere=misere)
    except BadOption as error:
        raise BadText(
            "this SGF has a board that does not fit Othello: {error}", error=error.text
        ) from None
    if not root.values.keys() & {"AB", "AW"}:
        return game, game.start()
    discs = [0, 0]
    for seat, name in enumerate(("AB", "AW")):
        for square in _read_squares(game, root.values.get(name, ())):
            discs[seat] |= game.board.bits[square]
    black, white = discs
    if black & white:
        raise BadText(say("in this SGF a square has a black and a white disc at first"))
    if begins[:1].upper() not in COLOURS:
        raise BadText("PL[{begins}] in this SGF must be B or W", begins=begins[:20])
    turn = COLOURS[begins[0].upper()]
    start = (*((black, white) if turn == 0 else (white, black)), turn)
    other = Othello(columns=columns, rows=rows, opening="benedict", misere=misere)
    return (other if start == other.start() else game), start


def _read_size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"\s*([0-9]{1,2})\s*(?::\s*([0-9]{1,2})\s*)?", text)
    if found is None:
        raise BadText(
            "SZ[{text}] in this SGF is not the size of a board, such as 8 or 9:7", text=text[:20]
        )
    return int(found[1]), int(found[2] or found[1])


def _read_squares(game: Othello, texts: Iterable[str]) -> Iterator[Square]:
    """Yield the squares of a list, in which `aa:bb` is a whole rectangle."""
    for text in texts:
        first, colon, last = text.partition(":")
        from_column, from_row = _read_square(game, first)
        to_column, to_row = _read_square(game, last) if colon else (from_column, from_row)
        for row in range(from_row, to_row + 1):
            for column in range(from_column, to_column + 1):
                yield column, row


def _read_square(game: Othello, text: str) -> Square:
    """Read `f5`, or `fe` as in Go."""
    word = text.strip().casefold()
    if len(word) == 2 and word.isascii() and word.isalpha():
        square = (LETTERS.index(word[0]), LETTERS.index(word[1]))
        if square in game.board.bits:
            return square
        raise BadText("{text} in this SGF is not a square of the board", text=quote(text))
    return game.board.read_square(word)


def _build(game: Othello, start: OthelloState, read: list[Read]) -> Study:
    """Play the moves of all nodes, add the passes that were left out, and merge equal moves.

    A node without a move adds to the comment of the one before it.
    """
    nodes, states = [StudyNode()], [start]
    children: list[list[int]] = [[]]
    places: list[int] = []  # of each node that was read

    def follow(at: int, move: Square) -> int:
        for child in children[at]:
            if nodes[child].move == game.write_move(move):
                return child
        try:
            after = game.play(states[at], move)
        except IllegalMove as error:
            name = name_place(nodes, at, game.write_move(move))
            raise BadText("{move} cannot be played: {why}", move=name, why=error.text) from None
        if len(nodes) > MAX_NODES:
            raise BadText("at most {most:,} moves fit in a study", most=MAX_NODES)
        children[at].append(len(nodes))
        nodes.append(StudyNode(at, game.write_move(move)))
        states.append(after)
        children.append([])
        return len(nodes) - 1

    for each in read:
        at = places[each.parent] if each.parent >= 0 else 0
        if each is not read[0] and each.values.keys() & {"AB", "AW", "AE"}:
            raise BadText(
                say("this SGF sets up a position in the middle of a game; a study cannot")
            )
        for name, seat in COLOURS.items():
            for text in each.values.get(name, ()):
                at = _play(game, states, at, seat, text, follow)
        places.append(at)
        nodes[at] = _comment(nodes[at], each)
    title = tidy_text(read[0].get("GN")).replace("\n", " ") or _name_players(read[0])
    order = preorder(children)
    return Study(game, title[:MAX_TITLE], game.write(start), arrange(nodes, order))


def _play(
    game: Othello,
    states: list[OthelloState],
    at: int,
    seat: int,
    text: str,
    follow: Callable[[int, Square], int],
) -> int:
    """Play a move of a seat, after a pass that was left out; return the node it leads to."""
    word = text.strip().casefold()
    possible = game.moves(states[at])
    if word in PASSES:
        if not possible:  # after the end
            return at
        return follow(at, PASS)
    square = _read_square(game, text)
    if possible and possible[0] == PASS and game.turn(states[at]) != seat:
        at = follow(at, PASS)
    if game.turn(states[at]) != seat:
        raise BadText(
            "in this SGF {move} is {colour}'s, but {other} is to move",
            move=game.write_move(square),
            colour=game.sides[seat],
            other=game.sides[1 - seat],
        )
    return follow(at, square)


def _comment(node: StudyNode, read: Read) -> StudyNode:
    """Return a node with what the file says about it."""
    said = tidy_text("\n".join(read.values.get("C", ())))
    comment, proof = [], list(node.proof)
    for line in said.split("\n"):
        if line.startswith(PROOF):
            proof.append(line.removeprefix(PROOF))
        elif proof and line.startswith("| "):  # a drawing below the sentence
            proof[-1] += "\n" + line.removeprefix("| ")
        else:
            comment.append(line)
    words = tidy_text("\n".join(comment))
    asks = read.get("ASK", node.asks).strip()
    return replace(
        node,
        comment=f"{node.comment}\n{words}" if node.comment and words else node.comment or words,
        proof=tuple(proof),
        asks=asks if asks in ASKS else "",
        right=node.right or "TE" in read.values,
    )


def _name_players(root: Read) -> str:
    names = (tidy_text(root.get(name)).replace("\n", " ") for name in ("PB", "PW"))
    return " – ".join(filter(None, names))


# Writing


def write_sgf(study: Study) -> str:
    """Return a study of Othello as SGF; `BadText` for any other game."""
    game = study.game
    if not isinstance(game, Othello):
        raise BadText("this format is for Othello; this is a study of {name}", name=game.name)
    black, white = by_seat(*study.states[0])
    size = f"{game.columns}" if game.columns == game.rows else f"{game.columns}:{game.rows}"
    head = f"FF[4]GM[{OTHELLO}]CA[UTF-8]AP[Parlour]SZ[{size}]"
    head += f"RU[{ANTI}]" if game.misere else ""
    head += f"GN[{_escape(study.title)}]" if study.title else ""
    for name, discs in (("AB", black), ("AW", white)):
        squares = map(game.board.write_square, game.board.squares(discs))
        head += name + "".join(f"[{square}]" for square in squares) if discs else ""
    head += f"PL[{'BW'[study.states[0][2]]}]"
    parts: list[str] = []
    closing: list[int] = []  # the ends of the branches that are open, each the first node after it
    for at, node in enumerate(study.nodes):
        while closing and closing[-1] == at:
            closing.pop()
            parts.append(")")
        branches = at == 0 or len(study.children(node.parent)) > 1
        if branches:
            parts.append("(" if at == 0 else "\n(")
            closing.append(study.end(at))
        parts.append(f";{head if at == 0 else _write_move(study, at)}{_write_words(node)}")
    return "".join(parts) + ")" * len(closing) + "\n"


def _write_move(study: Study, at: int) -> str:
    """Return the move that leads to a node."""
    move, turn = study.moves[at], study.states[study.nodes[at].parent][2]
    square = "PA" if move == PASS else study.game.write_move(move)
    return f"{'BW'[turn]}[{square}]"


def _write_words(node: StudyNode) -> str:
    lines = [f" {line}" if line.startswith(PROOF) else line for line in node.comment.split("\n")]
    lines = lines if node.comment else []
    for each in node.proof:
        first, *drawn = each.split("\n")
        lines += [PROOF + first, *(f"| {line}" for line in drawn)]
    said = "\n".join(lines)
    return (
        (f"C[{_escape(said)}]" if said else "")
        + ("TE[1]" if node.right else "")
        + (f"ASK[{node.asks}]" if node.asks else "")
    )


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
