"""The command hats: what is kept, and what is in it; looked at, drawn, printed, copied, deleted.

It is given the name of kept hats, or of a game, whose hats it then shows before the first lesson.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parlour.core import registry
from parlour.core.errors import ParlourError, UnknownName
from parlour.core.files import write_whole
from parlour.core.game import Game
from parlour.core.options import declared, describe
from parlour.core.words import quote
from parlour.faces.flags import Parser, add_options, name_of, read_options, show_json
from parlour.faces.train_command import add_lessons, dry, filled, lessons, schooling, told

if TYPE_CHECKING:
    from parlour.core.drawing import Drawing
    from parlour.learn.hats import Hats


def hats(parser: Parser, arguments: list[str]) -> int:
    """`parlour hats [NAME or GAME] …`"""
    parser.usage = f"{parser.prog} [NAME or GAME] [--flags]"
    add = parser.add_argument
    add("--player", type=int, choices=(1, 2), help="whose hats, where two have trained")
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
    if not arguments or arguments[0].startswith("-"):
        given = parser.parse(arguments)
        return _listed(given)
    what, *rest = arguments
    parser.prog += f" {what}"
    if "--fresh" not in rest and (_is_kept(what) or "--import" in rest):
        try:
            given = parser.parse(rest)
        except ParlourError as refusal:
            hint = f"; --fresh shows {what} before the first lesson" * (what in registry.games())
            raise ParlourError(f"{refusal}{hint}") from None
        return _by_name(what, given)
    return _of_a_game(what, parser, rest)


def _is_kept(what: str) -> bool:
    from parlour.learn import keeping

    return what in keeping.kept()


def _listed(given: Any) -> int:
    """All kept hats; one that cannot be read is named, and does not hide the others."""
    from parlour.learn import keeping

    asked = (given.box, given.image, given.curve, given.sheet, given.export, given.bring)
    if given.delete or any(each is not None for each in asked):
        raise ParlourError("say which hats first: parlour hats NAME …")
    lines, found, wrong = [], [], []
    for name in keeping.kept():
        try:
            label = keeping.label(name)
        except ParlourError as trouble:
            wrong.append(str(trouble))
            continue
        lines.append((name, str(label), f"{label.games:,} games", f"rule {label.rule}"))
        found.append({"name": name, "game": str(label), "games": label.games, "rule": label.rule})
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


def _by_name(name: str, given: Any) -> int:
    from parlour.learn import keeping

    game = None
    if given.game is not None:
        cls = registry.from_file("games", Path(given.game))
        options = keeping.label(name).options if _is_kept(name) else {}
        game = registry.made(cls, name_of(cls), options)
    if given.bring is not None:
        if _is_kept(name) and not given.anew:
            raise ParlourError(f"there are hats named {name!r} already; --anew replaces them")
        keeping.keep(keeping.load(given.bring, game), name)
        print(f"Kept as {name}: parlour hats {name}")
        return 0
    if given.delete:
        keeping.delete(name)
        print(f"The hats named {name} are thrown away.")
        return 0
    return _shown(keeping.fetch(name, game), name, given)


def _of_a_game(what: str, parser: Parser, rest: list[str]) -> int:
    """The hats of a game before the first lesson."""
    from parlour.learn import keeping
    from parlour.learn.hats import hats as fresh

    try:
        cls = registry.typed("games", what)
    except UnknownName as refusal:
        names = keeping.kept()
        known = f" (kept are {', '.join(names)})" if names else ""
        raise UnknownName(f"there are no hats named {quote(what)}{known}, and {refusal}") from None
    add_lessons(parser)
    known_options = declared(cls)
    add_options(parser, known_options)
    given = parser.parse(rest)
    if given.delete:
        raise ParlourError(f"there are no hats named {quote(what)} to throw away")
    game: Game = registry.made(cls, name_of(cls), read_options(known_options, vars(given)))
    return _shown(fresh(game, **lessons(given)), what, given)


def _shown(hats: Hats, name: str, given: Any) -> int:
    """Whatever was asked for, of these hats."""
    row = (given.player or 1) - 1
    if row >= len(hats.balls):
        raise ParlourError("there is only one set of hats here; leave --player out")
    box = None
    if given.box is not None:
        box = hats.boxes.find(hats.game.read(given.box))
    elif given.image is not None:
        raise ParlourError("say which box to draw: --box POSITION --image FILE")
    wrote = _written(hats, row, box, given)
    for path in wrote:
        print(f"Written: {path}")
    if given.json:
        show_json({**told(hats, name), **({} if box is None else {"box": _box(hats, row, box)})})
    elif box is not None and given.image is None:
        from parlour.learn.pictures import drawn

        print(drawn(hats, row, box))
    elif not wrote:
        _look(hats, name, row)
    return 0


def _written(hats: Hats, row: int, box: int | None, given: Any) -> list[Path]:
    from parlour.faces.printing import write_picture
    from parlour.learn import keeping
    from parlour.learn.chart import chart
    from parlour.learn.pictures import picture
    from parlour.learn.sheet import sheet

    wrote: list[Path] = []
    if given.image is not None and box is not None:
        wrote += write_picture(picture(hats, row, box), given.image)
    if given.curve is not None:
        if not hats.curves[row]:
            raise ParlourError("they have not been trained, so there is no curve to draw")
        wrote += write_picture(chart(hats, row), given.curve)
    if given.sheet is not None:
        pages: list[Drawing] = sheet(hats, row)
        wrote += write_picture(pages, given.sheet)
    if given.export is not None:
        write_whole(given.export, keeping.write(hats).encode())
        wrote.append(given.export)
    return wrote


def _box(hats: Hats, row: int, box: int) -> dict[str, Any]:
    from parlour.learn.measure import right

    texts = [ball.text for ball in hats.boxes.balls[box]]
    return {
        "position": hats.game.write(hats.boxes.states[box]),
        "balls": dict(zip(texts, hats.contents(row, box), strict=True)),
        "right": [texts[kind] for kind in right(hats.boxes)[box]] or texts,
    }


def _look(hats: Hats, name: str, row: int) -> None:
    """The hats as a whole: the table or the first box, how well they play, what they teach."""
    from parlour.learn.pictures import drawn
    from parlour.learn.reading import proof, strategy, table, verdict
    from parlour.rules.sticks import Sticks

    game = hats.game
    trained = schooling(hats) if hats.games else f"before the first game, by rule {hats.rule.name}"
    print(filled(f"Hats for {describe(game)}: {trained}."))
    if len(hats.balls) == 2:
        print(f"These are player {row + 1}'s; --player {2 - row} shows the other's.")
    print()
    if isinstance(game, Sticks):
        print(table(hats, row, shutil.get_terminal_size().columns))
    else:
        print(_boxes_told(hats))
        print()
        print(drawn(hats, row, hats.owned(row)[0]))
    print()
    print("\n".join([*verdict(hats, row), *map(filled, dry(hats))]))
    if isinstance(game, Sticks):
        print("\nWhat the hats say:")
        said, right = strategy(hats, row)
        print(_indented(said))
        if right:
            print("\nWhy that wins:")
            print(_indented(proof(game)))


def _indented(lines: list[str]) -> str:
    return "\n".join(filled(line, first="  - ", other="    ") for line in lines)


def _boxes_told(hats: Hats) -> str:
    listed = hats.boxes
    if not listed.apart:
        return f"{len(listed)} boxes, for either player. The first:"
    first, second = len(listed.of(0)), len(listed.of(1))
    return f"{first} boxes for who moves first, {second} for who moves second. The first box:"
