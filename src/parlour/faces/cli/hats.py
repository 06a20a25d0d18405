"""`parlour hats [NAME or GAME]`: list stored hats; inspect, draw, print, copy and delete them.

Given the name of a game, it shows the hats of that game before training.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path
from typing import Annotated, Literal, TypedDict

from parlour import boards, core, learn
from parlour.core import ParlourError, UnknownName, answers, describe, quote, registry, say_number
from parlour.drawing import write_picture
from parlour.faces.cli.command import Parser, parse_options, print_json
from parlour.faces.cli.train import add_curve, add_training_flags, new_hats, read_training
from parlour.faces.progress import wait

INSPECTING = ("--player", "--box", "--image", "--curve", "--sheet", "--export")


class HatsLabel(answers.GameFields):
    """Stored hats, without what is in them."""

    name: str
    games: answers.Natural
    rule: str


class ListedHats(TypedDict):
    """All stored hats."""

    format: Literal["parlour hats 2"]
    hats: list[HatsLabel]


class ShownHats(learn.summary.HatsData):
    """The hats of one name."""

    format: Literal["parlour hats 2"]
    written: list[str]  # the files that were written


class ImportedHats(HatsLabel):
    """Hats stored from a file."""

    format: Literal["parlour hats 2"]
    imported: str  # the file


class DeletedHats(TypedDict):
    """Hats that are gone."""

    format: Literal["parlour hats 2"]
    name: str
    deleted: Literal[True]


Answer = Annotated[
    ListedHats | ShownHats | ImportedHats | DeletedHats,
    "What `parlour hats --json` prints: all stored hats, those of one name, or their fate.",
]


def run(parser: Parser, arguments: list[str]) -> int:
    """List all stored hats, or do what the flags say with those of one name."""
    parser.usage = "parlour hats [NAME | GAME] [options]"
    parser.epilog = (
        "Without a name it lists the stored hats; with the name of a game, it shows the hats of "
        "that game before training."
    )
    _add_flags(parser)
    names, rest = parser.split_name(arguments)
    if not names:
        parser.offer("HATS", rest)
        return _list_all(parser.parse(rest))
    [name] = names
    parser.prog += f" {name}"
    first = Parser(prog=parser.prog, add_help=False)
    _add_flags(first)
    flags, _ = first.parse_known_args(rest)
    if not flags.fresh and (_is_stored(name) or flags.import_file is not None):
        try:
            given = parser.parse(rest)
        except ParlourError as error:
            hint = f"; --fresh shows {name} before training" * (name in registry.games())
            raise ParlourError(f"{error}{hint}") from None
        return _handle_stored(name, given)
    return _show_untrained(name, parser, rest)


def _add_flags(parser: Parser) -> None:
    add = parser.add_flag
    add("--player", ("1", "2"), "whose hats to show, if both players were trained (default: 1)")
    add("--box", "POSITION", "show the box of this position")
    add("--image", "FILE", "draw the box as .svg, .png or .pdf", type=Path)
    add_curve(parser)
    add("--sheet", "FILE", "make a sheet of boxes to print and cut out, as .pdf or .svg", type=Path)
    add("--export", "FILE", "write the hats to a JSON file", type=Path)
    about = "store the hats of a JSON file under this name"
    add("--import", "FILE", about, dest="import_file", type=Path)
    parser.add_switch("--delete", "delete the hats")
    parser.add_switch("--anew", "with --import, replace stored hats that have this name")
    parser.add_switch("--fresh", "show the hats of a game as they are before training")
    add("--game", "FILE.py", "the file that defines their game, if it is not installed")
    parser.add_json()


def _is_stored(name: str) -> bool:
    return name in learn.storage.list_names()


def _inspecting_flags(given: argparse.Namespace) -> list[str]:
    """Return the flags given that inspect hats."""
    return [flag for flag in INSPECTING if getattr(given, flag.removeprefix("--")) is not None]


# Stored hats


def _list_all(given: argparse.Namespace) -> int:
    """List all stored hats; an unreadable one is named, and does not hide the others."""
    if given.delete or given.import_file is not None or _inspecting_flags(given):
        raise ParlourError("name the hats first: parlour hats NAME …")
    lines, found, wrong = [], [], []
    for name in learn.storage.list_names():
        try:
            label = learn.storage.find_label(name)
        except ParlourError as error:
            wrong.append(str(error))
            continue
        lines.append((name, str(label), f"{label.games:,} games", f"rule {label.rule}"))
        found.append(answers.pick(HatsLabel, label, name=name))
    if given.json:
        print_json(ListedHats(format="parlour hats 2", hats=found))
    elif lines:
        head, *rest = lines
        print(boards.ResultTable(head, rest).to_text(left=range(4)))
        print("\n`parlour hats NAME` shows what is in them; `parlour train GAME` trains more.")
    else:
        print("No hats are stored yet; `parlour train sticks` trains the first.")
    for reason in wrong:
        print(f"parlour: left out: {reason}", file=sys.stderr)
    return 0


def _handle_stored(name: str, given: argparse.Namespace) -> int:
    """Import, delete or inspect the hats of this name."""
    cls = None if given.game is None else registry.find("games", Path(given.game))
    importing = given.import_file is not None
    if importing or given.delete:
        alone = "--delete" if given.delete else "--import"
        others = [*_inspecting_flags(given), *["--import"] * (given.delete and importing)]
        if others:
            raise ParlourError(f"{alone} works alone; leave {others[0]} for another command")
    if given.anew and not importing:
        raise ParlourError("--anew replaces hats by those of a file; name it with --import")
    if importing:
        return _import(name, cls, given)
    if given.delete:
        learn.storage.delete_hats(name)
        if given.json:
            print_json(DeletedHats(format="parlour hats 2", name=name, deleted=True))
        else:
            print(f"The hats named {name} are deleted.")
        return 0
    doing = f"opening {name}"
    hats = wait(lambda work: learn.storage.load_hats(name, cls=cls, work=work), doing=doing)
    return _inspect(hats, name, given)


def _import(name: str, cls: type | None, given: argparse.Namespace) -> int:
    """Store the hats of a file."""
    if _is_stored(name) and not given.anew:
        raise ParlourError(f"there are hats named {name!r} already; --anew replaces them")
    learn.storage.check_savable(name)
    path = given.import_file
    hats = wait(
        lambda work: learn.storage.load_file(path, cls=cls, work=work), doing=f"opening {path}"
    )
    learn.storage.save_hats(hats, name, new=not given.anew)
    if given.json:
        label = answers.pick(HatsLabel, learn.storage.find_label(name), name=name)
        print_json(ImportedHats(format="parlour hats 2", **label, imported=str(path)))
    else:
        print(f"Stored as {name}: parlour hats {name}")
    return 0


def _show_untrained(name: str, parser: Parser, rest: list[str]) -> int:
    """Show the hats of a game before training."""
    try:
        cls = registry.find("games", name, files=True)
    except UnknownName as error:
        names = learn.storage.list_names()
        known = f" (there are {', '.join(names)})" if names else ""
        raise UnknownName(f"there are no hats named {quote(name)}{known}, and {error}") from None
    add_training_flags(parser)
    given, game = parse_options(parser, cls, rest)
    if given.delete:
        raise ParlourError(f"there are no hats named {quote(name)} to delete")
    return _inspect(new_hats(game, read_training(given)), name, given)


# Their contents


def _inspect(hats: learn.Hats, name: str, given: argparse.Namespace) -> int:
    """Print or draw what the flags ask for."""
    if given.player is not None and int(given.player) > len(hats.balls):
        raise ParlourError("there is only one set of hats here; leave out --player")
    row = 0 if given.player is None else int(given.player) - 1
    box = None
    if given.box is not None:
        state = hats.game.read(given.box)
        row = hats.row(hats.game.turn(state)) if given.player is None else row
        box = hats.find_box(row, state)
    elif given.image is not None:
        raise ParlourError("name the box to draw: --box POSITION --image FILE")
    written = _write_files(hats, row, box, given)
    if given.json:
        _print_as_json(hats, name, row, box, written)
        return 0
    for path in written:
        print(f"Written: {path}")
    if box is not None and given.image is None:
        print(learn.pictures.format_box(hats, row, box))
    elif not written:
        _print_overview(hats, row)
    return 0


def _print_as_json(
    hats: learn.Hats, name: str, row: int, box: int | None, written: list[Path]
) -> None:
    doing = f"measuring hats for {describe(hats.game)}"
    found = wait(lambda work: learn.summary.to_full_dict(hats, name, work), doing=doing)
    answer = ShownHats(format="parlour hats 2", **found, written=list(map(str, written)))
    if box is not None:
        answer["box"] = learn.summary.box_to_dict(hats, row, box)
    print_json(answer)


def _write_files(
    hats: learn.Hats, row: int, box: int | None, given: argparse.Namespace
) -> list[Path]:
    """Write the files that the flags ask for, and return their paths."""
    written: list[Path] = []
    if given.image is not None and box is not None:
        written += write_picture(learn.pictures.draw_box(hats, row, box), given.image)
    if given.curve is not None:
        rows = [row] if given.player is not None else range(len(hats.balls))
        if not all(hats.curves[each] for each in rows):
            raise ParlourError("these hats have not been trained, so there is no curve to draw")
        written += write_picture(
            [learn.summary.draw_chart(hats, each) for each in rows], given.curve
        )
    if given.sheet is not None:
        written += write_picture(learn.pictures.make_sheets(hats, row), given.sheet)
    if given.export is not None:
        core.files.write_whole(given.export, learn.storage.to_json(hats).encode())
        written.append(given.export)
    return written


def _print_overview(hats: learn.Hats, row: int) -> None:
    """Print the table or the first box, how well the hats play, and what they teach."""
    game = hats.game
    wait(lambda work: learn.find_truths(hats.boxes, work), doing=f"solving {describe(game)}")
    trained = (
        learn.summary.describe_training(hats)
        if hats.games
        else f"not trained yet, rule {hats.rule.name}"
    )
    print(learn.summary.wrap_text(f"Hats for {describe(game)}: {trained}."))
    if len(hats.balls) == 2:
        print(f"These are player {row + 1}'s; --player {2 - row} shows the other's.")
    print()
    print(_describe_contents(hats, row))
    print()
    ran_out = map(learn.summary.wrap_text, learn.summary.describe_running_out(hats))
    print("\n".join([*learn.summary.describe_play(hats, row), *ran_out]))
    if len(hats.curves[row]) > 1:
        print(f"\n{learn.summary.plot_text(hats, row)}")
    _print_lesson(hats, row)


def _describe_contents(hats: learn.Hats, row: int) -> str:
    """Return the table of all hats, or the number of boxes and the first of them."""
    listed, owned = hats.boxes, hats.own_boxes(row)
    if learn.has_numbered_hats(hats.game):
        return learn.summary.format_table(hats, row, shutil.get_terminal_size().columns)
    if not owned:
        return "There is never a choice in this game, so there are no boxes."
    boxes = say_number(len(listed.of(0) if listed.apart else listed), "1 box", "{number:,} boxes")
    text = f"{boxes}, for either player."
    if listed.apart:
        text = f"{boxes} for the first player, {len(listed.of(1))} for the second."
    return f"{text} The first box:\n\n{learn.pictures.format_box(hats, row, owned[0])}"


def _print_lesson(hats: learn.Hats, row: int) -> None:
    """Print the strategy that hats of the Game of Sticks found, and why it wins if it does."""
    if not learn.has_numbered_hats(hats.game):
        return
    lines, right = learn.summary.describe_strategy(hats, row)
    parts = {
        "What the hats say": lines,
        "Why that wins": learn.summary.prove_strategy(hats.game) if right else [],
    }
    for heading, lines in parts.items():
        if lines:
            print(f"\n{heading}:")
            print(
                "\n".join(
                    learn.summary.wrap_text(line, first="  - ", other="    ") for line in lines
                )
            )
