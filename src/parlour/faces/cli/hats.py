"""The command hats: what is kept, and what is in it; looked at, drawn, printed, copied, deleted.

It is given the name of kept hats, or of a game, whose hats it then shows before the first lesson.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parlour.core import (
    Game,
    ParlourError,
    UnknownName,
    declared,
    describe,
    quote,
    registry,
    write_whole,
)
from parlour.faces.cli.flags import Parser, add_options, name_of, read_options, show_json
from parlour.faces.cli.progress import wait
from parlour.faces.cli.train import add_lessons, lessons

if TYPE_CHECKING:
    from parlour.learn import Hats, Label

LOOKS = ("--player", "--box", "--image", "--curve", "--sheet", "--export")


def hats(parser: Parser, arguments: list[str]) -> int:
    """`parlour hats [NAME or GAME] …`"""
    parser.usage = f"{parser.prog} [NAME or GAME] [--flags]"
    _add_flags(parser)
    named, rest = parser.name_first(arguments)
    if not named:
        return _listed(parser.parse(rest))
    [what] = named
    parser.prog += f" {what}"
    first = Parser(prog=parser.prog, add_help=False)
    _add_flags(first)
    asked, _ = first.parse_known_args(rest)
    if not asked.fresh and (_is_kept(what) or asked.bring is not None):
        try:
            given = parser.parse(rest)
        except ParlourError as refusal:
            hint = f"; --fresh shows {what} before the first lesson" * (what in registry.games())
            raise ParlourError(f"{refusal}{hint}") from None
        return _by_name(what, given)
    return _of_a_game(what, parser, rest)


def _add_flags(parser: Parser) -> None:
    add = parser.add_argument
    add("--player", choices=("1", "2"), help="whose hats, where two have trained")
    add("--box", metavar="POSITION", help="open the box of this position")
    add("--image", metavar="FILE", type=Path, help="draw that box: .svg, .png or .pdf")
    add("--curve", metavar="FILE", type=Path, help="draw how they learned: .svg, .png or .pdf")
    add("--sheet", metavar="FILE", type=Path, help="boxes to print and cut out: .pdf or .svg")
    add("--export", metavar="FILE", type=Path, help="write them as JSON")
    add("--import", dest="bring", metavar="FILE", type=Path, help="keep the hats of a JSON file")
    add("--delete", action="store_true", help="throw them away")
    add("--anew", action="store_true", help="with --import, replace those of the same name")
    add("--fresh", action="store_true", help="a game's hats as they are before the first lesson")
    add("--game", metavar="FILE.py", help="the file that defines their game")
    add("--json", action="store_true", help="as JSON, for programs")


def _is_kept(what: str) -> bool:
    from parlour.learn import storage

    return what in storage.list_names()


def _asked(given: Any) -> list[str]:
    """The flags given that look into hats."""
    return [flag for flag in LOOKS if getattr(given, flag.removeprefix("--")) is not None]


# Kept ones


def _listed(given: Any) -> int:
    """All kept hats; one that cannot be read is named, and does not hide the others."""
    from parlour.learn import storage

    if given.delete or given.bring is not None or _asked(given):
        raise ParlourError("say which hats first: parlour hats NAME …")
    lines, found, wrong = [], [], []
    for name in storage.list_names():
        try:
            label = storage.find_label(name)
        except ParlourError as trouble:
            wrong.append(str(trouble))
            continue
        lines.append((name, str(label), f"{label.games:,} games", f"rule {label.rule}"))
        found.append(_labelled(name, label))
    if given.json:
        show_json(found)
    elif lines:
        wide = [max(len(line[at]) for line in lines) for at in range(4)]
        for line in lines:
            print("  ".join(f"{part:{w}}" for part, w in zip(line, wide, strict=True)).rstrip())
        print("\n`parlour hats NAME` looks into them; `parlour train GAME` makes more.")
    else:
        print("No hats are kept yet; `parlour train sticks` trains the first.")
    for reason in wrong:
        print(f"parlour: left out: {reason}", file=sys.stderr)
    return 0


def _labelled(name: str, label: Label) -> dict[str, Any]:
    return {
        "name": name,
        "game": label.game,
        "options": dict(label.options),
        "games": label.games,
        "rule": label.rule,
    }


def _by_name(name: str, given: Any) -> int:
    from parlour.learn import storage

    cls = None if given.game is None else registry.from_file("games", Path(given.game))
    if given.bring is not None or given.delete:
        alone = "--delete" if given.delete else "--import"
        others = [*_asked(given), *["--import"] * (given.delete and given.bring is not None)]
        if others:
            raise ParlourError(f"{alone} is done alone; leave {others[0]} for another command")
    if given.anew and given.bring is None:
        raise ParlourError("--anew replaces hats by those of a file; say which with --import")
    if given.bring is not None:
        return _brought(name, cls, given)
    if given.delete:
        storage.delete_hats(name)
        if given.json:
            show_json({"name": name, "deleted": True})
        else:
            print(f"The hats named {name} are thrown away.")
        return 0
    doing = f"opening {name}"
    return _shown(
        wait(lambda work: storage.load_hats(name, cls=cls, work=work), doing=doing), name, given
    )


def _brought(name: str, cls: type | None, given: Any) -> int:
    """Keep the hats of a file."""
    from parlour.learn import storage

    if _is_kept(name) and not given.anew:
        raise ParlourError(f"there are hats named {name!r} already; --anew replaces them")
    storage.check_savable(name)
    doing = f"opening {given.bring}"
    found = wait(lambda work: storage.load_file(given.bring, cls=cls, work=work), doing=doing)
    storage.save_hats(found, name, new=not given.anew)
    if given.json:
        show_json({**_labelled(name, storage.find_label(name)), "imported": str(given.bring)})
    else:
        print(f"Kept as {name}: parlour hats {name}")
    return 0


# Those of a game


def _of_a_game(what: str, parser: Parser, rest: list[str]) -> int:
    """The hats of a game before the first lesson."""
    from parlour.learn import hats as fresh
    from parlour.learn import storage

    try:
        cls = registry.typed("games", what)
    except UnknownName as refusal:
        names = storage.list_names()
        known = f" (kept are {', '.join(names)})" if names else ""
        raise UnknownName(f"there are no hats named {quote(what)}{known}, and {refusal}") from None
    add_lessons(parser)
    known_options = declared(cls)
    add_options(parser, known_options)
    given = parser.parse(rest)
    if given.delete:
        raise ParlourError(f"there are no hats named {quote(what)} to throw away")
    game: Game = registry.made(cls, name_of(cls), read_options(known_options, vars(given)))
    how = lessons(given)
    doing = f"listing the situations of {describe(game)}"
    return _shown(wait(lambda work: fresh(game, work=work, **how), doing=doing), what, given)


# What is in them


def _shown(hats: Hats, name: str, given: Any) -> int:
    """Whatever was asked for, of these hats."""
    if given.player is not None and int(given.player) > len(hats.balls):
        raise ParlourError("there is only one set of hats here; leave --player out")
    row = 0 if given.player is None else int(given.player) - 1
    box = None
    if given.box is not None:
        state = hats.game.read(given.box)
        row = hats.row(hats.game.turn(state)) if given.player is None else row
        box = hats.own(row, state)
    elif given.image is not None:
        raise ParlourError("say which box to draw: --box POSITION --image FILE")
    wrote = _written(hats, row, box, given)
    if given.json:
        _show_json(hats, name, row, box, wrote)
        return 0
    for path in wrote:
        print(f"Written: {path}")
    if box is not None and given.image is None:
        from parlour.learn import format_box

        print(format_box(hats, row, box))
    elif not wrote:
        _look(hats, row)
    return 0


def _show_json(hats: Hats, name: str, row: int, box: int | None, wrote: list[Path]) -> None:
    from parlour.learn import box_to_dict, to_full_dict

    doing = f"measuring hats for {describe(hats.game)}"
    found = wait(lambda work: to_full_dict(hats, name, work), doing=doing)
    if box is not None:
        found["box"] = box_to_dict(hats, row, box)
    show_json({**found, "written": [str(path) for path in wrote]})


def _written(hats: Hats, row: int, box: int | None, given: Any) -> list[Path]:
    from parlour.drawing import write_picture
    from parlour.learn import draw_box, draw_chart, make_sheets, storage

    wrote: list[Path] = []
    if given.image is not None and box is not None:
        wrote += write_picture(draw_box(hats, row, box), given.image)
    if given.curve is not None:
        rows = [row] if given.player is not None else range(len(hats.balls))
        if not all(hats.curves[each] for each in rows):
            raise ParlourError("they have not been trained, so there is no curve to draw")
        wrote += write_picture([draw_chart(hats, each) for each in rows], given.curve)
    if given.sheet is not None:
        wrote += write_picture(make_sheets(hats, row), given.sheet)
    if given.export is not None:
        write_whole(given.export, storage.to_json(hats).encode())
        wrote.append(given.export)
    return wrote


def _look(hats: Hats, row: int) -> None:
    """The hats as a whole: the table or the first box, how well they play, what they teach."""
    from parlour.learn import (
        describe_dry,
        describe_play,
        describe_schooling,
        find_truths,
        plot_text,
        wrap_text,
    )

    game = hats.game
    wait(lambda work: find_truths(hats.boxes, work), doing=f"solving {describe(game)}")
    trained = (
        describe_schooling(hats)
        if hats.games
        else f"before the first game, by rule {hats.rule.name}"
    )
    print(wrap_text(f"Hats for {describe(game)}: {trained}."))
    if len(hats.balls) == 2:
        print(f"These are player {row + 1}'s; --player {2 - row} shows the other's.")
    print()
    print(_contents(hats, row))
    print()
    print("\n".join([*describe_play(hats, row), *map(wrap_text, describe_dry(hats))]))
    if len(hats.curves[row]) > 1:
        print(f"\n{plot_text(hats, row)}")
    _teach(hats, row)


def _contents(hats: Hats, row: int) -> str:
    """The table of all hats, or how many boxes there are and the first of them."""
    from parlour.learn import format_box, format_table
    from parlour.rules import Sticks

    listed, owned = hats.boxes, hats.owned(row)
    if isinstance(hats.game, Sticks):
        return format_table(hats, row, shutil.get_terminal_size().columns)
    if not owned:
        return "There is never a choice here, so there is no box."
    if listed.apart:
        first, second = len(listed.of(0)), len(listed.of(1))
        told = f"{_boxes(first)} for who moves first, {second} for who moves second."
    else:
        told = f"{_boxes(len(listed))}, for either player."
    return f"{told} The first box:\n\n{format_box(hats, row, owned[0])}"


def _boxes(number: int) -> str:
    return "1 box" if number == 1 else f"{number:,} boxes"


def _teach(hats: Hats, row: int) -> None:
    """What the hats of the Game of Sticks say, and why it wins if they have found that."""
    from parlour.learn import describe_strategy, prove_strategy, wrap_text
    from parlour.rules import Sticks

    if not isinstance(hats.game, Sticks):
        return
    said, right = describe_strategy(hats, row)
    parts = {"What the hats say": said, "Why that wins": prove_strategy(hats.game) if right else []}
    for head, lines in parts.items():
        if lines:
            print(f"\n{head}:")
            print("\n".join(wrap_text(line, first="  - ", other="    ") for line in lines))
