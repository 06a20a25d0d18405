"""Solve a game by the method that suits its family, from memory or a file where one is at hand.

Each game says by its `extras` how it is solved: closed forms and tables for Nim and sticks,
compiled retrograde analysis for chopsticks and tic-tac-toe, proof search where loops are barred,
endgame search for Othello. Any other game is solved by retrograde analysis, through its rules or
the compiled function it brings.

A saved solution is one line of JSON (what was solved, and the checksum of the rest) followed by
the arrays. A game too large for memory is solved into a folder by `parlour.truth.disk`; a solution
that lies in the user's own folder is used wherever the game is met.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import json
from collections import OrderedDict
from pathlib import Path
from typing import Any

from parlour import core
from parlour.core import BadFile, Game, ParlourError, Solution, State, Unsolved, Work, files, values
from parlour.truth import disk as on_disk
from parlour.truth.graph import CompiledMethod, Method, Parts

FORMAT = "parlour solution 1"
FOLDER = "solved"  # of the solutions on disk, in the user's folder
MAX_REMEMBERED = 8  # solutions, so that a league of variants does not fill the memory

_remembered: OrderedDict[Game, Solution] = OrderedDict()


def find_method(game: Game) -> Method:
    """Return how a game is solved."""
    barred = getattr(game, "loops", "") == "barred"
    own: type[Method] | None = core.extra(game, "barred_method" if barred else "method")
    return (own or (CompiledMethod if hasattr(game, "compiled") else Method))()


def check_solvable(game: Game) -> None:
    """Raise `TooLarge` or `Unsolved` at once, with the numbers, if a game cannot be solved here."""
    if find_stored(game) is None:
        find_method(game).check(game)


def is_solved_soon(game: Game) -> bool:
    """Return whether a game is certain to be solved from its start while somebody waits.

    The answer never depends on the clock. It is the same on every machine, unless a solution lies
    in the user's folder.
    """
    try:
        check_solvable(game)
    except ParlourError:
        return False
    return find_stored(game) is not None or find_method(game).is_quick(game)


def solve(
    game: Any,
    *,
    work: Work | None = None,
    file: str | Path | None = None,
    disk: str | Path | bool | None = None,
    engine: str = "local",
    workers: int | None = 1,
    address: str | None = None,
) -> Solution:
    """Return the exact values of a game, for every state that can arise.

    The game may be given by its class, name or file. `work` shows progress and can stop it. `file`
    keeps the solution: it is read if it holds exactly this game undamaged, and written anew
    otherwise. A game that would not fit in memory is refused at once with `TooLarge`, one without
    exact values with `Unsolved`. Of Othello on 8x8 only the start and some positions near it have
    values, and those near the end.

    `disk` is a folder, or the URL of one that fsspec can reach, in which the game is solved tier by
    tier; True is the folder where it is found by itself later. What is there already is checked and
    kept. The blocks are made by `workers` processes of this machine (None is one for each core), or
    with the `engine` "dask" or "ray" by a cluster, at an `address` or made here.
    """
    game, work = core.registry.game(game), core.to_work(work)
    if file is not None:
        core.check_type("file", file, (str, Path), "it must be the path of a file")
    if disk is not None and disk is not False:
        if file is not None:
            raise ParlourError("a solution is kept in a file or on disk; give one of them")
        return _solve_on_disk(game, disk, work, engine, workers, address)
    method = find_method(game)
    if (known := method.recall(game, work)) is not None:
        return known  # it comes with the package, and no file need keep it
    if file is None and (stored := find_stored(game)) is not None:
        return stored
    method.check(game)
    if file is not None:
        if (parts := load(game, Path(file))) is not None:
            with contextlib.suppress(BadFile):
                return method.restore(game, parts)
        files.check_writable(Path(file))
    solution = method.solve(game, work)
    if file is not None:
        save(solution, Path(file))
    return solution


def _solve_on_disk(
    game: Game,
    disk: str | Path | bool,
    work: Work,
    engine: str,
    workers: int | None,
    address: str | None,
) -> Solution:
    allowed = "it must be the path or URL of a folder, or True for your own"
    core.check_type("disk", disk, (str, Path, bool), allowed)
    workers = core.check_argument("workers", workers, int, low=1, high=1000, optional=True)
    folder = on_disk.Folder(default_folder(game) if isinstance(disk, bool) else disk)
    core.refuse_seats(game)
    executor = core.executors.make_executor(engine, workers, address)
    try:
        manifest = on_disk.solve_on_disk(game, folder, executor, work)
    finally:
        executor.close()
    return on_disk.DiskSolution(game, folder, manifest)


def find_stored(game: Game) -> Solution | None:
    """Return the solution of a game on disk in the user's folder; None where there is none.

    A game that is solved in a moment is never looked for.
    """
    top = files.data_folder() / FOLDER
    if game.seats != 2 or not top.is_dir():
        return None
    own = default_folder(game)
    others = sorted(path for path in top.glob(f"{game.name}*") if path != own)
    for place in (own, *others):
        if (place / "manifest.json").is_file():
            with contextlib.suppress(BadFile):
                solution = _open_stored(game, place, (place / "manifest.json").stat().st_mtime_ns)
                return None if find_method(game).is_quick(game) else solution
    return None


@functools.lru_cache(maxsize=MAX_REMEMBERED)
def _open_stored(game: Game, place: Path, changed: int) -> Solution:
    return on_disk.open_solution(game, place)


def default_folder(game: Game) -> Path:
    """Return where in the user's folder the solution of a game lies on disk."""
    name = f"{game.name}-{_hash_identity(game.name, values(game))[:16]}"
    return files.data_folder() / FOLDER / name


def _hash_identity(*identity: Any) -> str:
    return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()


def solve_soon(game: Game) -> Solution | None:
    """Return a solution that knows who wins, perhaps not how soon; None if that takes a while."""
    if (stored := find_stored(game)) is not None:
        return stored
    return find_method(game).solve_outcomes(game) if is_solved_soon(game) else None


def solve_once(game: Game, work: Work | None = None) -> Solution:
    """Return the solution of a game, worked out once as long as it is remembered.

    A proof that took a search is kept in the user's folder as well; everything else is solved
    sooner than it would be read.
    """
    if game not in _remembered:
        _remembered[game] = _solve_or_load(game, work)
        while len(_remembered) > MAX_REMEMBERED:
            _remembered.popitem(last=False)
    _remembered.move_to_end(game)
    return _remembered[game]


def _solve_or_load(game: Game, work: Work | None) -> Solution:
    if (stored := find_stored(game)) is not None:
        return stored
    check_solvable(game)
    if find_method(game).keeps:
        with contextlib.suppress(BadFile):  # where nothing can be written, nothing is kept
            return solve(game, work=work, file=default_file(game))
    return solve(game, work=work)


def solve_at(
    game: Game, state: State, solution: Solution | None = None, *, work: Work | None = None
) -> Solution:
    """Return a solution that covers this position, even if it cannot arise from the start.

    That is what somebody who pastes a position wants: the Nim that begins with these piles, the
    hands as they are, the last squares of an Othello. A `solution` at hand is used if it does.
    """
    method, work = find_method(game), work or Work()
    stored = solution if isinstance(solution, on_disk.DiskSolution) else find_stored(game)
    if stored is not None and _covers(stored, state):
        return stored
    if isinstance(solution, on_disk.DiskSolution):
        solution = None
    if solution is None and method.whole:
        solution = solve_once(game, work)
    covering: Solution = method.solve_at(game, state, solution, work)
    return covering


def solve_position(game: Game, state: State, work: Work) -> Solution:
    """Return a solution that covers this position: the game's, if it is solved soon."""
    known = solve_once(game, work) if is_solved_soon(game) else None
    return solve_at(game, state, known, work=work)


def _covers(solution: Solution, state: State) -> bool:
    try:
        solution.value(state)
    except Unsolved:
        return False
    return True


# Saved solutions


def default_file(game: Game) -> Path:
    """Return where in the user's folder the solution of a game is kept."""
    name = _hash_identity(FORMAT, game.name, values(game))[:24]
    return files.data_folder() / "solutions" / name


def save(solution: Solution, path: Path) -> None:
    """Write a solution, all or nothing."""
    import numpy as np

    body = io.BytesIO()
    np.savez_compressed(body, **solution.parts())
    head = _describe_file(solution.game, body.getvalue())
    files.write_whole(path, json.dumps(head).encode() + b"\n" + body.getvalue())


def load(game: Game, path: Path) -> Parts | None:
    """Return the arrays of a saved solution of exactly this game; None for anything else."""
    import numpy as np

    try:
        line, _, body = path.read_bytes().partition(b"\n")
        head = json.loads(line)
    except (OSError, ValueError):
        return None
    if head != _describe_file(game, body):
        return None
    with np.load(io.BytesIO(body), allow_pickle=False) as parts:
        return dict(parts)


def _describe_file(game: Game, body: bytes) -> dict[str, Any]:
    """Return the first line of a file: what was solved, and the checksum of the rest."""
    return {
        "format": FORMAT,
        "game": game.name,
        "options": values(game),
        "sha256": hashlib.sha256(body).hexdigest(),
    }
