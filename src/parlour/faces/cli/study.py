"""`parlour study FILE`: print a study as text, check it, prove its moves, and convert it."""

from __future__ import annotations

import shlex
import sys

from parlour import lessons
from parlour.core import BadFile, BadText, ParlourError, count
from parlour.faces.cli.command import Parser, name_source, print_json, read_input
from parlour.faces.progress import wait
from parlour.lessons import KINDS, Study, StudyData, study_to_dict, study_to_text, write_study

Answer = StudyData


def run(parser: Parser, arguments: list[str]) -> int:
    """Read a study, which checks every move, and write it as was asked."""
    parser.epilog = (
        "FILE is a study as the web site or --to parlour writes it, a record, or for Othello SGF, "
        "GGF, WTHOR or a list of moves; - is standard input. An illegal move is named, and nothing "
        "is written."
    )
    parser.add_argument("file", metavar="FILE", help="the study to read")
    about = "write it in this format: ggf and record hold only the main line (default: text)"
    parser.add_flag("--to", KINDS, about)
    parser.add_switch("--prove", "add what the exact values say of every move")
    parser.add_flag("--game", "FILE.py", "the file that defines the game, if it is not installed")
    parser.add_json()
    given = parser.parse(arguments)
    if given.json and given.to:
        raise ParlourError("give --json or --to, not both")
    study = _read(given.file, given.game)
    if given.prove:
        study = wait(lambda work: lessons.prove_study(study, work=work), doing="proving every move")
    if given.json:
        print_json(study_to_dict(study))
    elif given.to:
        print(write_study(study, given.to), end="")
    else:
        print(study_to_text(study), end="")
        _print_remarks(study, given.file, proved=given.prove)
    return 0


def _read(name: str, rules: str | None) -> Study:
    data = read_input(name)
    if data is None:
        raise BadFile(f"cannot read {name}: there is no such file")
    try:
        return lessons.read_study(data, rules=rules)
    except BadText as error:
        raise BadText(f"{name_source(name)}: {error}") from None


def _print_remarks(study: Study, name: str, *, proved: bool) -> None:
    """Say on standard error what a reader of the text should know."""
    for each in lessons.check_questions(study):
        print(f"parlour: {each}", file=sys.stderr)
    silent = sum(not node.proof for node in study.nodes)
    if proved and silent:
        many = count(silent, "position")
        print(f"parlour: nothing is proven at {many} of this study", file=sys.stderr)
    if not proved and silent < len(study.nodes):
        again = f"`parlour study {shlex.quote(name)} --prove` works them out"
        print(f"parlour: what follows Proof: was read from the file; {again}", file=sys.stderr)
