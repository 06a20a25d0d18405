"""What a person gets for what they type: `dialogues.txt`, and the dialogues in the book."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest

from parlour.core import registry
from parlour.core.options import options_of
from parlour.host import Reply, Session, reply
from parlour.host.talk.draft import load_templates
from tests import pages

ROOT = Path(__file__).parents[2]
BOOK = ("README.md", "docs/benedict.md", "docs/tutorials/player.md")
KNOWN = {
    name: option
    for game in ("nim", "sticks", "chopsticks", "tictactoe", "othello")
    for name, option in options_of(registry.find("games", game)).items()
}


def rows() -> Iterator[tuple[str, str, list[str]]]:
    """Each row with its heading: the lines typed, and the claims about the last reply."""
    heading = ""
    for row in Path(__file__).with_name("dialogues.txt").read_text(encoding="utf-8").splitlines():
        if row.startswith("["):
            heading = row[1:-1]
        elif row and not row.startswith("#"):
            typed, *claims = row.split(" | ")
            yield heading, typed.strip(), claims


@cache
def talk(typed: str) -> Reply:
    """The reply to the last of some lines, separated by " > "."""
    before, _, line = typed.rpartition(" > ")
    return reply(talk(before).session if before else Session(seed=1), line)


def kept(session: Session) -> tuple[object, ...]:
    """What a line that asks for nothing leaves as it is."""
    return (session.mode, session.table, session.saved, session.wished, session.over)


def value(name: str, typed: str) -> str:
    """What a claim of this name is about, as it is written there."""
    answer, session = talk(typed), talk(typed).session
    table = session.table
    if name in KNOWN or name == "count":
        found = table.options[name] if table else session.wished[name]
        return KNOWN[name].write(found) if name in KNOWN else str(found)
    if name == "changed":
        before = typed.rpartition(" > ")[0]
        same = kept(session) == kept(talk(before).session if before else Session(seed=1))
        return "nothing" if same else "something"
    found = {
        "mode": session.mode,
        "game": table.game if table else session.wished.get("game"),
        "moves": ", ".join(table.moves) if table else "",
        "players": ", ".join(table.players) if table else "",
        "saved": session.saved and session.saved.game,
        "wished": "something" if session.wished else "nothing",
        "asked": ", ".join(session.wished.get("asked") or ()),
        "question": session.question,
        "over": "yes" if answer.over else "no",
        "name": session.memory.name,
        "topic": session.talk.topic,
        "agreed": {True: "yes", False: "no", None: "unasked"}[session.memory.agreed],
    }
    return found[name] or "none"


def holds(claim: str, typed: str) -> bool:
    """Whether a claim about the reply to the last of some lines is true."""
    name, _, wanted = claim.partition(": ")
    answer = talk(typed)
    lines = " / ".join(answer.lines)
    match name:
        case "exactly":
            return lines == wanted
        case "opens":
            return lines.startswith(wanted)
        case "ends":
            return lines.endswith(wanted)
        case "pattern":
            return bool(re.fullmatch(wanted, lines))
        case "section":
            return any(line.text in answer.lines[0] for line in load_templates()[wanted])
        case "answered as":
            return answer.lines == talk(wanted).lines
        case "same game as":
            one, other = answer.session.table, talk(wanted).session.table
            return (one.options, one.players, one.moves) == (
                other.options,
                other.players,
                other.moves,
            )
        case "game" if wanted == "none":
            return answer.session.table is None
        case _ if re.fullmatch("[a-z_]+", name) and ": " in claim:
            found, no = value(name, typed), wanted.startswith("!")
            wanted = wanted.removeprefix("!")
            return no != (fnmatchcase(found, wanted) or fnmatchcase(found, f"{wanted}, *"))
    return (claim.removeprefix("!").casefold() in str(answer).casefold()) != claim.startswith("!")


@pytest.mark.slow
def test_every_row_of_dialogues_gets_the_reply_that_is_claimed():
    wrong = [
        f"{heading}: {typed} | {claim}\n    {talk(typed)}"
        for heading, typed, claims in rows()
        for claim in claims
        if not holds(claim, typed)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("page", BOOK)
def test_dialogues_in_the_book_come_out_as_they_are_printed(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    dialogues = [
        (command, screen)
        for kind, block in pages.BLOCKS.findall(text)
        for command, screen in pages.commands(block)
        if kind == "console" and re.fullmatch(r"parlour( --seed \d+)?", command) and screen
    ]
    assert dialogues
    for command, screen in dialogues:
        pages.run_command(command, screen)


@pytest.mark.slow
def test_the_three_talks_in_the_book_come_out_as_they_are_printed():
    """Thirty turns each, in which no line of his comes back within ten and he remembers."""
    text = (ROOT / "docs" / "talks.md").read_text(encoding="utf-8")
    talks = re.findall(r"Seed (\d+)\.\n\n```text\n(.*?)```", text, re.DOTALL)
    assert len(talks) == 3
    for seed, talk in talks:
        session, replies = Session(seed=int(seed)), []
        for part in talk.rstrip("\n").removeprefix("> ").split("\n> "):
            typed, _, expected = part.partition("\n")
            answer = reply(session, typed)
            session = answer.session
            assert "\n".join(answer.lines) == expected
            assert expected not in replies[-10:]
            replies.append(expected)
        assert len(replies) == 30
        recalls = re.compile("(?i)not forgotten that|you told me|you said")
        assert any(map(recalls.search, replies))
