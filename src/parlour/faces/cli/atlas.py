"""`parlour atlas GAME`: solve many variants of a game, and print a table or draw a picture."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parlour.core import (
    BadFile,
    BadOption,
    BadText,
    Option,
    ParlourError,
    Work,
    check_writable,
    one_of,
    options_of,
    quote,
    suggest,
)
from parlour.faces.cli.flags import (
    Parser,
    add_json,
    add_options,
    name_of,
    read_choices,
    split_game,
)
from parlour.faces.cli.output import print_json
from parlour.faces.progress import wait

if TYPE_CHECKING:
    from parlour.truth.variants import Atlas

STANDARD_OUTPUT = Path("-")


def run(parser: Parser, arguments: list[str]) -> int:
    """Solve the variants that the options span, and print or draw them."""
    from parlour.truth.variants import LIMIT

    parser.epilog = (
        "Every option takes one or more values: 3 4 5, or 3-10, or all. Those with several are "
        "varied, in all combinations; without any, the game's default sweep is made."
    )
    parser.add_argument(
        "--csv", metavar="FILE", type=Path, help="write the table as CSV, - prints it"
    )
    parser.add_argument(
        "--image", metavar="FILE", type=Path, help="draw the table: .svg, .png or .pdf"
    )
    add_json(parser)
    parser.add_argument(
        "--base",
        metavar="OPTIONS",
        help="the variant of which one rule at a time is changed, like 'dies_at=4 revive=no' "
        "(default: the default rules)",
    )
    parser.add_argument(
        "--limit",
        metavar="SECONDS",
        type=float,
        default=LIMIT,
        help=f"give up on a variant after this time (default: {LIMIT:g})",
    )
    cls, rest = split_game(parser, arguments)
    known = options_of(cls)
    add_options(parser, known, several=True)
    given = parser.parse(rest)
    if not given.limit > 0:
        raise ParlourError("--limit must be more than 0 seconds")
    chosen = read_choices(known, vars(given))
    _check_files(given)
    found, stopped = _sweep(cls, known, chosen, given)
    _print_atlas(found, given)
    return 130 if stopped else 0


def _check_files(given: argparse.Namespace) -> None:
    """Check that the files can be written, before the sweep rather than after it."""
    if given.image is not None:
        from parlour.drawing import check_picture

        check_picture(given.image)
        check_writable(given.image)
    if given.csv not in (None, STANDARD_OUTPUT):
        _write(given.csv, "", mode="a")  # an old table stays until there is a new one


def _sweep(
    cls: type,
    known: Mapping[str, Option],
    chosen: Mapping[str, list[Any]],
    given: argparse.Namespace,
) -> tuple[Atlas, bool]:
    """Return the atlas, and whether Ctrl-C cut it short."""
    from parlour.truth.variants import atlas

    several = any(len(some) > 1 for some in chosen.values())
    single = {name: some[0] for name, some in chosen.items() if len(some) == 1}
    choices = {name: some for name, some in chosen.items() if len(some) > 1}
    base = None if given.base is None else _read_base(known, given.base)
    done: list[Atlas] = []

    def call(work: Work) -> None:
        done.append(
            atlas(
                cls,
                choices if several else None,
                single,
                base=base,
                work=work,
                limit_seconds=given.limit,
            )
        )

    try:
        wait(
            call,
            doing=f"solving variants of {name_of(cls)}",
            size=f"at most {given.limit:g} s for each",
        )
    except KeyboardInterrupt:
        if not done:
            raise
        print("parlour: stopped; this is what was solved", file=sys.stderr)
        return done[0], True
    return done[0], False


def _read_base(known: Mapping[str, Option], text: str) -> dict[str, Any]:
    base = {}
    for part in text.split():
        name, equals, value = part.partition("=")
        name = name.replace("-", "_")
        if not equals:
            raise BadText(f"{quote(part)} should be an option and its value, like dies_at=4")
        if name not in known:
            raise BadOption("base", text, f"it may set {one_of(known)}{suggest(name, known)}")
        base[name] = known[name].read(value)
    return base


def _print_atlas(found: Atlas, given: argparse.Namespace) -> None:
    if given.image is not None:
        from parlour.drawing import write_picture
        from parlour.truth.variants import draw_atlas

        write_picture(draw_atlas(found), given.image)
    if given.csv not in (None, STANDARD_OUTPUT):
        _write(given.csv, found.to_csv())
    if given.json:
        print_json(found.to_json())
        return
    if given.csv == STANDARD_OUTPUT:
        print(found.to_csv(), end="")
        return
    if given.csv is None and given.image is None:
        print(found.table())
        print()
    print("\n".join(found.summary()))
    for what, path in (("table", given.csv), ("picture", given.image)):
        if path is not None:
            print(f"The {what} is in {path}.")


def _write(path: Path, text: str, *, mode: str = "w") -> None:
    try:
        with path.open(mode, encoding="utf-8") as file:
            file.write(text)
    except OSError as trouble:
        raise BadFile(f"cannot write {path}: {trouble.strerror}") from None
