"""Reading a Python file without running it, which finds what a beginner gets wrong most often."""

from __future__ import annotations

import ast
import difflib
from pathlib import Path

from parlour.arena.botcheck.flaws import Flaw
from parlour.core import BadFile

CHOOSE = "choose"
Function = (ast.FunctionDef, ast.AsyncFunctionDef)


def check_source(path: Path) -> Flaw | None:
    """What is wrong with a Python file, as far as can be seen without running it."""
    try:
        source = path.read_bytes()
    except OSError as trouble:
        raise BadFile(f"cannot read {path}: {trouble.strerror}") from None
    if not source.strip():
        return Flaw(
            "The file is empty.", "Copy examples/my_bot.py, and change its function choose."
        )
    no_python = Flaw("This is no Python file.", "Save it as plain text, as a code editor does.")
    try:
        tree = ast.parse(source)
    except SyntaxError as trouble:
        if not trouble.lineno:
            return no_python
        return Flaw(
            f"Python cannot read this: {trouble.msg}.",
            "Look at this line, and at the end of the one above.",
            trouble.lineno,
            (trouble.text or "").strip(),
        )
    except (ValueError, RecursionError, MemoryError):
        return no_python
    lines = source.decode(errors="replace").splitlines()
    flaw = _about_choose(tree)
    if flaw is None or flaw.line is None:
        return flaw
    return Flaw(flaw.text, flaw.advice, flaw.line, lines[flaw.line - 1].strip())


def _about_choose(tree: ast.Module) -> Flaw | None:
    """What is wrong with the function that makes the moves, in the file or in a class of it."""
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    outer = [node for node in tree.body if isinstance(node, Function)]
    methods = [node for each in classes for node in each.body if isinstance(node, Function)]
    for node in (*outer, *methods):
        if node.name == CHOOSE:
            return _about_parameters(node, own=node in methods)
    if any(map(_hides_names, tree.body)) or any(each.bases for each in classes):
        return None  # it may come from elsewhere; playing will tell
    hidden = [node for node in ast.walk(tree) if isinstance(node, Function)]
    for node in hidden:
        if node.name == CHOOSE:
            return Flaw(
                "The function choose stands inside something else, where nobody finds it.",
                "Move it to the left, so that def is at the very beginning of its line.",
                node.lineno,
            )
    names = {node.name.casefold(): node for node in hidden}
    for name in difflib.get_close_matches(CHOOSE, names, n=1):
        return Flaw(
            f"There is no function choose, but one that is called {names[name].name}.",
            "Rename it to choose.",
            names[name].lineno,
        )
    return Flaw(
        "There is no function choose.",
        "Write one, def choose(game, state): that returns a move; examples/my_bot.py has one.",
    )


def _hides_names(node: ast.stmt) -> bool:
    """Whether a statement may bring a choose that is not written out here."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return any((name.asname or name.name) in (CHOOSE, "*") for name in node.names)
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return any(
            isinstance(to, ast.Name) and to.id == CHOOSE
            for each in targets
            for to in ast.walk(each)
        )
    return False


def _about_parameters(node: ast.FunctionDef | ast.AsyncFunctionDef, *, own: bool) -> Flaw | None:
    """That it can be called with a game and a state, and gives its answer at once."""
    right = "self, game, state" if own else "game, state"
    advice = f"Begin it with: def choose({right}):"
    if isinstance(node, ast.AsyncFunctionDef):
        return Flaw("The function choose cannot be async.", advice, node.lineno)
    if node.decorator_list:
        return None  # which may change all that
    given = node.args
    named = [*given.posonlyargs, *given.args]
    wanted = right.count(",") + 1
    least = len(named) - len(given.defaults)
    needed = [
        arg for arg, usual in zip(given.kwonlyargs, given.kw_defaults, strict=True) if not usual
    ]
    if needed or least > wanted or (len(named) < wanted and given.vararg is None):
        has = ", ".join(arg.arg for arg in (*named, *needed)) or "none"
        return Flaw(f"The parameters of choose are wrong: {has}.", advice, node.lineno)
    return None
