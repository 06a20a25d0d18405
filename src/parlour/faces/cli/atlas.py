"""The command atlas: the variants that were asked for, and the table or picture made of them."""

from __future__ import annotations

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
    declared,
    nearest,
    one_of,
    quote,
)
from parlour.faces.cli.flags import (
    Parser,
    add_options,
    name_of,
    named_game,
    read_choices,
    show_json,
)
from parlour.faces.cli.progress import wait

if TYPE_CHECKING:
    from parlour.truth.variants import Atlas


SCREEN = Path("-")


def atlas(parser: Parser, arguments: list[str]) -> int:
    """`parlour atlas GAME [--OPTION VALUES…]`"""
    from parlour.truth.variants import LIMIT

    parser.epilog = (
        "Every option takes one or more values: 3 4 5, or 3-10, or all. Those with several are "
        "varied, in all combinations; without any, the game's usual sweep is made."
    )
    parser.add_argument("--csv", metavar="FILE", type=Path, help="write the table here; - shows it")
    parser.add_argument("--image", metavar="FILE", type=Path, help="draw it: .svg, .png or .pdf")
    parser.add_argument("--json", action="store_true", help="as JSON, for programs")
    parser.add_argument(
        "--base",
        metavar="OPTIONS",
        help="the variant to change one rule of, like 'dies_at=4 revive=no' (usually as in play)",
    )
    parser.add_argument(
        "--limit",
        metavar="SECONDS",
        type=float,
        default=LIMIT,
        help=f"the most time for one variant, which is undecided after it (usually {LIMIT:g})",
    )
    cls, rest = named_game(parser, arguments)
    known = declared(cls)
    add_options(parser, known, several=True)
    given = parser.parse(rest)
    if not given.limit > 0:
        raise ParlourError("the limit must be more than 0 seconds")
    chosen = read_choices(known, vars(given))
    _check_files(given)
    found, stopped = _swept(cls, known, chosen, given)
    _atlas_written(found, given)
    return 130 if stopped else 0


def _check_files(given: Any) -> None:
    """Better to know now than after the sweep."""
    if given.image is not None:
        from parlour.drawing import check_picture

        check_picture(given.image)
        check_writable(given.image)
    if given.csv not in (None, SCREEN):
        _write(given.csv, "", mode="a")  # what is there stays until there is something new


def _swept(
    cls: type, known: Mapping[str, Option], chosen: Mapping[str, list[Any]], given: Any
) -> tuple[Atlas, bool]:
    """The atlas, and whether Ctrl-C cut it short; then it holds what was done."""
    from parlour.truth.variants import atlas as sweep

    several = any(len(some) > 1 for some in chosen.values())
    single = {name: some[0] for name, some in chosen.items() if len(some) == 1}
    choices = {name: some for name, some in chosen.items() if len(some) > 1}
    base = None if given.base is None else _read_base(known, given.base)
    done: list[Atlas] = []

    def call(work: Work) -> None:
        done.append(
            sweep(
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
        print("parlour: stopped; this is what was done", file=sys.stderr)
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
            raise BadOption("base", text, f"it may set {one_of(known)}{nearest(name, known)}")
        base[name] = known[name].read(value)
    return base


def _atlas_written(found: Atlas, given: Any) -> None:
    if given.image is not None:
        from parlour.drawing import write_picture
        from parlour.truth.variants import draw_atlas

        write_picture(draw_atlas(found), given.image)
    if given.csv not in (None, SCREEN):
        _write(given.csv, found.to_csv())
    if given.json:
        show_json(found.to_json())
        return
    if given.csv == SCREEN:
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
