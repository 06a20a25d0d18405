"""What a failure of a bot means, told to its author: where it was, and what to do about it."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from parlour.arena.plan import GTP, PROGRAM, PYTHON, Entry
from parlour.core import Game, State

MOST_SHOWN = 6  # legal moves
# Lines that it wrote, and letters of each: where Node fails it says so in the 13th from the end.
MOST_WRITTEN, LONGEST_WRITTEN = 15, 200
TRACEBACK = "Traceback (most recent call last)"


@dataclass(frozen=True)
class Flaw:
    """Something wrong with a bot."""

    text: str  # one sentence
    advice: str  # what to do about it
    line: int | None = None
    source: str = ""  # of that line
    position: str = ""  # in which it happened, on one line
    board: str = ""  # the same, drawn
    moves: tuple[str, ...] = ()  # some that would have been legal there
    wrote: tuple[str, ...] = ()  # the last lines of its log

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        return f"{where}{self.text} {self.advice}"


def explain_fault(
    fault: str, reason: str, log: str, game: Game, state: State, entry: Entry
) -> Flaw:
    """A failure in play, as its author should see it."""
    path, python = bot_file(entry), entry.kind == PYTHON
    found = re.search(rf" \(line (\d+) of {re.escape(path.name)}\)", reason)
    line = int(found[1]) if found else None
    text = (reason.replace(found[0], "") if found else reason).removeprefix(f"{path} ")
    wrote = tuple(_written(fault, log, python=python))
    wrote = () if wrote == (reason,) else wrote  # it was not the bot that wrote this
    told = Flaw(
        text=_returned(text) if python else f"It {text}.",
        advice=_advice(fault, text, entry, line, wrote=bool(wrote)),
        line=line,
        source=_source(path, line) if line else "",
        wrote=wrote,
    )
    if fault == "start":
        return told
    legal = game.moves(state)
    shown = [repr(move) if python else game.write_move(move) for move in islice(legal, MOST_SHOWN)]
    return replace(
        told,
        position=game.write(state),
        board=game.draw(state),
        moves=(*shown, *["…"][: len(legal) > MOST_SHOWN]),
    )


def _written(fault: str, log: str, *, python: bool) -> list[str]:
    """The last lines that a bot wrote; how Python came to an error is told by its line already."""
    if python and fault in ("crash", "start", "memory", "processes"):
        before, traced, _ = log.partition(TRACEBACK)
        log = before if traced else ""
    return [line[:LONGEST_WRITTEN] for line in log.rstrip().splitlines()[-MOST_WRITTEN:]]


def _returned(text: str) -> str:
    """An illegal move is what a function of the author's returned."""
    if not (found := re.fullmatch(r"chose (.*?), which is no move here: (.*)", text)):
        return f"It {text}."
    move, why = found.groups()
    shown = re.sub(r"^<(\w+) .*", r"a \1", move)  # `<generator object choose at 0x7f…`
    if why.startswith(f"{move} is no move"):
        return f"It returned {shown}, which{why.removeprefix(move)}."
    return f"It returned {shown}, which is no move here: {why}."


def _source(path: Path, line: int) -> str:
    lines = path.read_bytes().decode(errors="replace").splitlines()
    return lines[line - 1].strip() if line <= len(lines) else ""


def _advice(fault: str, text: str, entry: Entry, line: int | None, *, wrote: bool) -> str:
    """What to do about it."""
    python = entry.kind == PYTHON
    if fault == "start" and not python and _windows(bot_file(entry)):
        return "Its first line ends as on Windows; save it with Unix line ends."
    for sign, advice in SIGNS[entry.kind].items():
        if re.search(sign, text):
            return advice
    if python and fault in ("start", "crash"):
        return "Look at this line." if line else "Compare it with examples/my_bot.py."
    if wrote and fault in ("start", "crash"):
        return "What it wrote should say why."
    return OWN_ADVICE[entry.kind].get(fault) or ADVICE[fault]


def _windows(path: Path) -> bool:
    """Whether the line that names the program to run a file has one letter too many at its end."""
    with path.open("rb") as file:
        first = file.readline(1000)
    return first.startswith(b"#!") and first.endswith(b"\r\n")


PYTHON_SIGNS = {  # in what it was told for
    r"chose None": "Let every way through choose end with return and a move.",
    r"chose ['\"]": "Return a move as game.moves(state) lists them, not a text.",
    r"chose (\[|\(\()": "Return one of the moves, not a list of them.",
    r"chose <generator": "Write return where it says yield.",
    r"was not ready": "Code outside functions runs before the first move: look for a loop there "
    "that does not end, and let it do less.",
    r"ModuleNotFoundError": "Use the modules of Python itself, numpy or parlour; others are not "
    "there, nor are other files of yours.",
    r"FileNotFoundError|PermissionError": "A bot is shut in and can read no file but itself: write "
    "what it needs into it.",
    r"EOFError": "Nobody answers input(): the bot must decide by itself.",
    r"SystemExit": "Take out exit(): the bot is asked again for its next move.",
    r"URLError|gaierror|unreachable|ConnectionError": "A bot has no network: it must know all "
    "by itself.",
    r"RecursionError": "A function calls itself without end: let it stop somewhere.",
    r"item assignment": "A state cannot be changed: game.play(state, move) gives the next one.",
}
PYTHON_ADVICE = {"illegal": "Return one of game.moves(state)."}
READY = "Answer the first line you read with a line that says you are ready"
FLUSH = "if it does answer, switch off buffering or flush after every line (docs/protocol.md)"
PROGRAM_SIGNS = {
    r"cannot be started": "Its first line must name a program that runs it, like #!/usr/bin/perl.",
    r"was not ready": f"{READY}; {FLUSH}.",
    r"^(could not start|crashed): ": "That is its own account.",
    r"no answer: ['\"][?=]": "That is how programs answer that speak GTP; name it 'gtp: COMMAND', "
    "to play Othello.",
}
PROGRAM_ADVICE = {
    "start": f"{READY}, as docs/protocol.md shows.",
    "time": f"Let it look at fewer moves, or not so far ahead; {FLUSH}.",
    "crash": "Go on reading lines until there are no more.",
    "illegal": "Answer with one of the moves you were sent.",
}
GTP_SIGNS = {
    r"refused 'boardsize": "Try another size of the board.",
    r"which is no GTP": "Leave out 'gtp:' if it speaks the lines of docs/protocol.md.",
}
GTP_ADVICE = {
    "start": "Try the command by itself, and type boardsize 8: it must answer with a line that "
    "begins with =, and an empty one.",
    "crash": "It must go on until it is told to quit.",
    "garbage": "It must answer each command as GTP says (docs/gtp.md).",
    "illegal": "It must answer genmove with a legal move.",
}
SIGNS = {PYTHON: PYTHON_SIGNS, PROGRAM: PROGRAM_SIGNS, GTP: GTP_SIGNS}
OWN_ADVICE = {PYTHON: PYTHON_ADVICE, PROGRAM: PROGRAM_ADVICE, GTP: GTP_ADVICE}
ADVICE = {
    "time": "Let it look at fewer moves, or not so far ahead.",
    "garbage": "Print one line of JSON for each question, as docs/protocol.md shows, and all else "
    "to standard error.",
    "memory": "Let it remember less.",
    "processes": "Let it start fewer processes and threads.",
    "output": "Let it print less.",
}


def bot_file(entry: Entry) -> Path:
    """The file that a bot is in."""
    return Path(shlex.split(entry.what)[0])
