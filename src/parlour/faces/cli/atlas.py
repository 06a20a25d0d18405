"""`parlour atlas GAME`: solve many variants of a game, and print a table or draw a picture."""

from __future__ import annotations

import argparse
import math
import re
import sys
from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path
from typing import Any, Literal

from parlour.core import BadOption, Option, files, options_of, registry, whole
from parlour.drawing import check_picture, write_picture
from parlour.faces.cli.command import Parser, add_options, name_of, print_json, split_game
from parlour.faces.progress import wait_for_some
from parlour.truth.variants import LIMIT, Atlas, AtlasData, atlas, draw_atlas

STANDARD_OUTPUT = Path("-")
MAX_VALUES = 10_000  # of one option


class Answer(AtlasData):
    """What `parlour atlas --json` prints: the variants of a game, each solved."""

    format: Literal["parlour atlas 1"]


def run(parser: Parser, arguments: list[str]) -> int:
    """Solve the variants that the options span, and print or draw them."""
    parser.epilog = (
        "Every option takes one or more values: 3 4 5, or 3-10, or all. The options with several "
        "values are varied, in all combinations; if there are none, the game chooses."
    )
    parser.add_flag("--csv", "FILE", "write the table as CSV; - prints it", type=Path)
    parser.add_flag("--image", "FILE", "draw the table as .svg, .png or .pdf", type=Path)
    parser.add_json()
    parser.add_flag(
        "--base",
        "OPTIONS",
        "compare with this variant, changing one rule at a time, as in 'dies_at=4 revive=no' "
        "(default: the game with its default options)",
    )
    about = "give up on a variant after this many seconds"
    parser.add_seconds("--limit", about, default=LIMIT)
    about = "solve variants that are too large for memory in this folder, or find them solved there"
    parser.add_flag("--disk", "FOLDER", about)
    cls, rest = split_game(parser, arguments)
    known = options_of(cls)
    add_options(parser, known, several=True)
    given = parser.parse(rest)
    chosen = _read_choices(known, vars(given))
    _check_files(given)
    found, stopped = _sweep(cls, chosen, given)
    if stopped:
        print("parlour: stopped; this is what was solved", file=sys.stderr)
    _print_atlas(found, given)
    return 130 if stopped else 0


def _read_choices(known: Mapping[str, Option], given: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Read the values that each of the given options should take."""
    chosen: dict[str, list[Any]] = {}
    for name, opt in known.items():
        texts = given[f"option {name}"]
        if texts is not None:
            texts = texts or (["yes"] if opt.kind is bool else [""])
            chosen[name] = list(dict.fromkeys(v for text in texts for v in _read_values(opt, text)))
        for bundle, items in opt.bundles.items():
            if given[f"bundle {bundle}"]:
                chosen[name] = [(*value, *items) for value in chosen.get(name, [opt.default])]
    return chosen


def _read_values(opt: Option, text: str) -> Iterable[Any]:
    """Return all values that a text like `4`, `3-10`, `1-3,1-3` or `all` stands for."""
    word = text.strip().casefold()
    if word == "all":
        return _list_all(opt)
    parts = [part.strip() for part in word.split(",")] if opt.depth == 1 else [word]
    spans = [re.fullmatch(r"([0-9]+) ?(?:-|\.\.|–|to) ?([0-9]+)", part) for part in parts]
    if opt.kind is not int or opt.depth > 1 or not any(spans):
        if opt.kind is int and not opt.depth and "," in word:
            return [value for part in word.split(",") for value in _read_values(opt, part)]
        return [opt.read(text)]
    runs = [
        range(whole(span[1]), whole(span[2]) + 1) if span else [part]
        for span, part in zip(spans, parts, strict=True)
    ]
    if not 0 < math.prod(map(_length, runs)) <= MAX_VALUES:
        raise BadOption(opt.name, text, f"a range holds 1 to {MAX_VALUES} values, like 3-10")
    texts = (",".join(map(str, items)) for items in product(*runs))
    return [opt.read(item) for item in texts]


def _length(run: range | list[str]) -> int:
    """Return the length of a run; `len` refuses a range of more than 63 bits."""
    return max(0, run.stop - run.start) if isinstance(run, range) else len(run)


def _list_all(opt: Option) -> list[Any]:
    if opt.kind is bool and not opt.depth:
        return [False, True]
    if opt.choices and not opt.depth:
        return list(opt.choices)
    if opt.kind is int and not opt.depth and opt.low is not None and opt.high is not None:
        low, high = int(opt.low), int(opt.high)
        if high - low < MAX_VALUES:
            return list(range(low, high + 1))
    raise BadOption(opt.name, "all", "there are too many; give the values, or a range like 3-10")


def _check_files(given: argparse.Namespace) -> None:
    """Check that the files can be written, before the sweep rather than after it."""
    if given.image is not None:
        check_picture(given.image)
    if given.csv not in (None, STANDARD_OUTPUT):
        files.check_writable(given.csv)


def _sweep(
    cls: type, chosen: Mapping[str, list[Any]], given: argparse.Namespace
) -> tuple[Atlas, bool]:
    """Return the atlas, and whether Ctrl-C cut it short."""
    single = {name: some[0] for name, some in chosen.items() if len(some) == 1}
    choices = {name: some for name, some in chosen.items() if len(some) > 1} or None
    base = None
    if given.base is not None:
        base = registry.read_assignments(cls, name_of(cls), given.base.split())
    how: dict[str, Any] = {"base": base, "limit_seconds": given.limit, "disk": given.disk}
    return wait_for_some(
        lambda work: atlas(cls, choices, single, work=work, **how),
        doing=f"solving variants of {name_of(cls)}",
        things="variants",
        size=f"at most {given.limit:g} s for each",
    )


def _print_atlas(found: Atlas, given: argparse.Namespace) -> None:
    if given.image is not None:
        write_picture(draw_atlas(found), given.image)
    if given.csv not in (None, STANDARD_OUTPUT):
        files.write_whole(given.csv, found.to_csv().encode())
    if given.json:
        print_json(Answer(format="parlour atlas 1", **found.to_dict()))
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
