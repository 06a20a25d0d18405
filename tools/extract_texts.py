"""Bring the catalogue of the web site up to date with the texts in the code.

    python tools/extract_texts.py           # texts into every parlour.po, then compile them
    python tools/extract_texts.py --check   # only say what is missing, untranslated or not compiled

Texts come from four places. Templates and `_()` in the code of the site are read by Babel.
Sentences of the packages below, and errors, are plain strings and f-strings there: each becomes a
pattern with a placeholder for every value, `pile {pile} has only {left}`, and one pattern for each
branch of a condition inside. The sentences of explanations are Jinja templates, which are taken
apart in the same way. Titles, options and bots are asked of the registry. What nobody sees on a
page is left out by the lists below.
"""

from __future__ import annotations

import argparse
import ast
import datetime
import io
import itertools
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from babel.messages import mofile, pofile
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir

ROOT = Path(__file__).parents[1] / "src" / "parlour"
LOCALE = ROOT / "faces" / "web" / "locale"
MODULES = (  # whose sentences reach a page
    "core/*.py",
    "rules/*.py",
    "boards/*.py",
    "engine/*.py",
    "truth/*.py",
    "truth/explain/*.py",
    "truth/variants/*.py",
    "players/*.py",
    "learn/*.py",
    "lessons/*.py",
    "store/database.py",
    "store/repository.py",
    "faces/web/**/*.py",
)
UNSEEN = frozenset(  # modules, or functions in them, that speak to programmers or at other faces
    """
    core/executors.py core/files.py core/fork_server.py core/frames.py core/laws.py core/registry.py
    core/user_files.py core/work.py boards/cells.py boards/display.py boards/standalone.py
    boards/style.py truth/sampling.py truth/solver.py truth/variants/unusual.py players/gtp.py
    players/http_bot.py players/language_model.py players/endpoint.py players/process.py
    players/skins.py players/lost_games.py learn/storage.py learn/pictures.py
    faces/web/texts.py faces/web/sentences.py faces/web/chat/service.py faces/web/api/
    faces/web/metrics.py faces/web/operations.py faces/web/serving/ learn/next_game.py
    core/errors.py:warn_deprecated core/options.py:_check_default core/options.py:to_class
    core/value.py:to_state core/referee.py:drive core/referee.py:draw core/record.py:load
    truth/impartial.py:grundy truth/impartial.py:_check_sum truth/geography.py:record_proof
    lessons/archive.py lessons/survey.py lessons/tally.py lessons/print_text.py lessons/files.py:write_study lessons/study.py:check_study
    learn/summary.py:show_hats learn/summary.py:show
    """.split()
)
ALSO = (  # put together in ways that are not seen here
    "exactly",
    "one more than",
    "two more than",
    "three more than",
    "four more than",
    "{title} for {players}",
    "{title}, one at a time",
    "{title}, at most {take} at a time",
    "nim with {parts}",
    "misère nim with {parts}",
    "piles of {sizes}",
    "the Game of Sticks with {sticks} sticks",
    "tic-tac-toe on {columns}x{rows}",
    "tic-tac-toe on {columns}x{rows}, {line} in a line",
    "misère tic-tac-toe on {columns}x{rows}",
    "misère tic-tac-toe on {columns}x{rows}, {line} in a line",
    "Othello on {columns}x{rows}",
    "misère Othello on {columns}x{rows}",
    "{name} has no option {given}; it has {list}",
    "{name} has no option {given}; it has none",
    "{name} has no option {given}; did you mean {list}?",
    "You win.",
    "You win by {score}.",
    "{name} wins.",
    "{name} wins by {score}.",
    "{names} win.",
    "{name} plays {move}.",
    "{name} takes {amount} from pile {pile}.",
    "You are out.",
    "{name} resigned.",
    "You resigned.",
    "{name} left the game.",
    "You left the game.",
    "{name} stayed away too long.",
    "You stayed away too long.",
    "{name} ran out of time.",
    "You ran out of time.",
    "{name} could not move: {error}",
    "{name} did not answer in time.",
    "there is no game {name}; choose {list}",
    "there is no game {name}; did you mean {list}?",
    "there is no bot {name}; choose {list}",
    "{sizes} coins",
    "{number} game",
    "{number} games",
    "{game} tournament",
    "{title}, Hats",
    "{title}, MENACE",
    "hat {number}",
    "{number} stick left, take up to {take}",
    "{number} sticks left, take up to {take}",
    "{opponent}, moving first",
    "{opponent}, moving second",
    "at first black is on {first}, white on {second}, and black begins",
    "each of you has two {hands}, with {count} on each at first",
    "each of you has two {hands}, with {count} in each at first",
    "a split moves {finger}s between your two {hands} and leaves {count} on each",
    "a split moves {finger}s between your two {hands} and leaves {count} in each",
    "likeliest ball is right {before} at first, {now} now",
    "chance of a right ball {before} at first, {now} now",
    "score against {opponent} {before} at first, {now} now",
    "{hand}: choose",
    "{hand}: put back",
    "outlined, ≈: an estimate",
    "{games}, by the rule {name}, seed {seed}: {values}.",
    "left {number}",
    "right {number}",
    "Start: {value}",
    "Move {number}, {move}: {value}",
    "{number} stick left, take up to {take}. {balls}",
    "{number} sticks left, take up to {take}. {balls}",
    "{number} finger",
    "{number} fingers",
    "{number} feather",
    "{number} feathers",
    "{number} ply",
    "{number} plies",
    "{number} ply later",
    "{number} plies later",
    "{number} disc",
    "{number} discs",
    "{number} one",
    "{number} ones",
    "take {take} from pile {pile}, so that {from} becomes {to}",
    "{number} counts as {rest}",
    "{one} → {other}",
    "{one} → {other}, {lost} disc",
    "{one} → {other}, {lost} discs",
)
TERMS = (  # words that stand alone, or for a value in a sentence
    "win", "draw", "loss", "first", "second", "black", "white", "empty", "left", "right", "dead",
    "hand", "hands", "box", "boxes", "finger", "feather", "none", "others", "pass", "unproven",
    "ahead", "behind", "standard", "allowed", "barred", "dies", "wraps", "may", "must", "perfectly",
    "randomly", "unfinished", "resigned", "coin", "stick", "disc", "box A", "box B", "yes", "no",
    "left hand", "right hand",
    "split", "hit", "on each", "in each", "and", "or", "nim", "chopsticks", "tic-tac-toe",
    "across", "down",
    "diagonally", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
)  # fmt: skip
MAX_BRANCHES = 40
PROSE = re.compile(r"[a-z]{2,}[,:;]? |[a-z] [a-z]|^[A-Z][a-z]+$")
NOT_PROSE = re.compile(
    r"[<>=\\]|^[#.]|::|\b(SELECT|INSERT|UPDATE|CREATE|DELETE)\b|^%\(|\bis-|picture-|default-src"
    r"|^(None|True|False|English|Deutsch|Parlour|Benedict)$|^accept-|parlour\.|--\w"
)
IN_MARKUP = re.compile(r'(?:aria-label|title|alt|placeholder)="([^"]+)"|>([^<>]+)(?=<|$)')
NOT_SHOWN = re.compile(  # what no page shows: for programmers, or only part of other texts
    r"^[,;:]|^(and|or) |^of (at|\{)|^in each|^on (each|\{columns)|^with \{list"
    r"|^for \{players|^by \{rules"
    r"|\{each\}|^\{words\} \{values\} at first"
    r"|this is misère: this|this is misère: ,|and wrap and wrap|the first the first"
    r"|will go in Parlour|give \{name2\} a default|class of a game or bot|as a game has a method"
    r"|a list with a (name|player)|a state of \{name\}|dictionary with options|pairs of a game"
    r"|compiled\(\)|a won node|numbered in another order|its proof was recorded|Grundy|added up"
    r"|\{a\},\{b\}|\{tally\}|none at \{index\}|players \{list\}$|player \{list\}$"
    r"|not a time control|\} random games?|^random game|^Draws$"
    r"|no seat \{seat\} to stop|nested that deep"
    r"|^(is taken|would turn no disc|other position|extra ending|a move takes|1 box is|given up"
    r"|you take turns, and a move takes|plays \{text\}|black disc|white disc|may not|must not)$"
    r"|^\{empty\} boxes are$|How it fares|\{format_odds\}|^always \{text\}|more than$"
    r"|^1 to \{most\}$"
    r"|takes \(1\)(.*)1 to|takes \(1 to(.*)That is 1 as|^Player \{row\}:$|^Games of training$"
    r"|^\{describe_training\}|by powers of ten$|^Plies$|^any perfect$|cannot be stored|the same id"
    r"|already a \{kind\}|to something that does not|^the version of|^list of|still here|^analysis "
    r"|^A line could have been$|^puzzles \{seed"
    r"|^Refused, with|the plan of these|no task \{name\}|not both$|with the plies|^Variants of"
    r"|who wins which variant|^Seats count from 0|whether it plays known openings from a"
)

Pattern = str


# Patterns of Python expressions


class Reader(ast.NodeVisitor):
    """Collects the patterns of all strings of a module that look like prose."""

    def __init__(self, module: str) -> None:
        self.module = module
        self.found: dict[Pattern, int] = {}
        self._locals: list[dict[str, list[ast.expr]]] = [{}]
        self._parts: list[set[str]] = [set()]  # variables that are only parts of sentences
        self._resolving: set[str] = set()

    # Scopes: a name may stand for text that was put together before

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Read a function, knowing what its variables may hold."""
        if f"{self.module}:{node.name}" in UNSEEN:
            return
        known: dict[str, list[ast.expr]] = {}
        for each in ast.walk(node):
            if isinstance(each, ast.Assign | ast.AugAssign | ast.AnnAssign) and each.value:
                targets = each.targets if isinstance(each, ast.Assign) else [each.target]
                for target in targets:
                    if isinstance(target, ast.Name):
                        known.setdefault(target.id, []).append(each.value)
            elif isinstance(each, ast.arg):
                known.setdefault(each.arg, []).append(ast.Name("?"))
            elif isinstance(each, ast.For | ast.comprehension):
                for name in ast.walk(each.target):
                    if isinstance(name, ast.Name):
                        known.setdefault(name.id, []).append(ast.Name("?"))
            elif isinstance(each, ast.NamedExpr):
                known.setdefault(each.target.id, []).append(each.value)
        holes = [each.value for each in ast.walk(node) if isinstance(each, ast.FormattedValue)]
        inside = Counter(each.id for each in holes if isinstance(each, ast.Name))
        names = [each for each in ast.walk(node) if isinstance(each, ast.Name)]
        uses = Counter(each.id for each in names if isinstance(each.ctx, ast.Load))
        self._parts.append(
            {
                name
                for name in inside
                if inside[name] == uses[name]
                and known.get(name)
                and all(map(_is_text, known[name]))
            }
        )
        self._locals.append(known)
        self._visit_body(node)
        self._locals.pop()
        self._parts.pop()

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_Module(self, node: ast.Module) -> None:
        """Leave out docstrings."""
        self._visit_body(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Leave out docstrings."""
        self._visit_body(node)

    def _visit_body(self, node: Any) -> None:
        for each in ast.iter_child_nodes(node):
            if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)):
                self.visit(each)

    def visit_Assign(self, node: ast.Assign) -> None:
        """Leave out what becomes part of a sentence further on."""
        names = {getattr(target, "id", "") for target in node.targets}
        if not names <= self._parts[-1]:
            self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        """Read the arguments, unless the call is for logs, patterns or Babel."""
        name = _name(node.func)
        if name in SKIPPED_CALLS:
            return
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        """Leave out what is only compared."""

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """Leave out keys."""
        self.visit(node.value)

    def visit_keyword(self, node: ast.keyword) -> None:
        """Leave out keyword arguments that are not texts."""
        if node.arg not in SKIPPED_KEYWORDS:
            self.visit(node.value)

    # Strings

    def visit_Constant(self, node: ast.Constant) -> None:
        """Read a string."""
        if isinstance(node.value, str):  # {} is filled by `format`
            pieces = node.value.split("{}")
            escaped = [piece.replace("{", "{{").replace("}", "}}") for piece in pieces]
            self._keep("{value}".join(escaped), node.lineno)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Read an f-string with all its branches, then what is inside its values."""
        for pattern in self._patterns(node):
            self._keep(pattern, node.lineno)
        for part in node.values:
            if isinstance(part, ast.FormattedValue) and not isinstance(part.value, ast.IfExp):
                self.visit(part.value)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Read strings that are joined by a plus."""
        if isinstance(node.op, ast.Add) and _is_text(node):
            for pattern in self._patterns(node):
                self._keep(pattern, node.lineno)
        elif not isinstance(node.op, ast.Mod):
            self.generic_visit(node)

    def _keep(self, pattern: Pattern, line: int) -> None:
        if re.search('<|="', pattern):  # the texts in markup
            for said, shown in IN_MARKUP.findall(pattern):
                self._keep(said or shown, line)
            return
        pattern = " ".join(pattern.split(" ")).strip()
        bare = re.sub(r"\{\w*\}", "", pattern)
        pattern = _number(pattern)
        shown = PROSE.search(bare) and not NOT_PROSE.search(bare) and not NOT_SHOWN.search(pattern)
        if shown and "\n" not in pattern:
            self.found.setdefault(pattern, line)
            if pattern.startswith("Say "):  # to Benedict; a page asks to type it
                self.found.setdefault(f"Type {pattern.removeprefix('Say ')}", line)

    # Branches

    def _patterns(self, node: ast.expr) -> list[Pattern]:
        """Return what an expression may be as text, with `{name}` for what is not known."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return [node.value.replace("{", "{{").replace("}", "}}")]
        if isinstance(node, ast.JoinedStr):
            return self._join([self._patterns(part) for part in node.values], node)
        if isinstance(node, ast.FormattedValue):
            return self._patterns(node.value) if node.format_spec is None else [_hole(node.value)]
        if isinstance(node, ast.IfExp):
            return [*self._patterns(node.body), *self._patterns(node.orelse)]
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
            return [each for part in node.values for each in self._patterns(part)]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and _is_text(node):
            return self._join([self._patterns(node.left), self._patterns(node.right)], node)
        if isinstance(node, ast.Call) and _name(node.func) == "count" and len(node.args) == 2:
            thing = node.args[1]
            if isinstance(thing, ast.Constant):
                number = _hole(node.args[0])
                return [f"{number} {thing.value}", f"{number} {thing.value}s"]
        if isinstance(node, ast.Call) and _name(node.func) == "count_plies":
            number = _hole(node.args[0])
            return [f"{number} ply", f"{number} plies"]
        if isinstance(node, ast.Call) and _name(node.func) in ("capital", "sentence"):
            return self._patterns(node.args[0])
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Dict):
            return [each for value in node.value.values for each in self._patterns(value)]
        if isinstance(node, ast.Name):
            return self._resolve(node)
        return [_hole(node)]

    def _resolve(self, node: ast.Name) -> list[Pattern]:
        """Return the texts that a variable is given somewhere in the function."""
        values = self._locals[-1].get(node.id, [])
        texts = values and all(_is_text(value) for value in values)
        if not texts or node.id in self._resolving:
            return [_hole(node)]
        self._resolving.add(node.id)
        found = [each for value in values for each in self._patterns(value)]
        self._resolving.discard(node.id)
        return found if len(found) <= MAX_BRANCHES else [_hole(node)]

    def _join(self, parts: list[list[Pattern]], node: ast.expr) -> list[Pattern]:
        size = 1
        for part in parts:
            size *= len(part)
        if size > MAX_BRANCHES:
            parts = [part if len(part) == 1 else ["{text}"] for part in parts]
        return list(dict.fromkeys("".join(each) for each in itertools.product(*parts)))


SKIPPED_CALLS = frozenset(
    "_ gettext ngettext getLogger exception warning info debug error compile Route APIRouter match"
    " sub fullmatch findall search split finditer getattr hasattr setattr get_template"
    " import_module joinpath startswith endswith removeprefix removesuffix replace partition"
    " Literal TypeVar"
    " execute text mount from_state export Path cast contextmanager Thread encode decode".split()
)
SKIPPED_KEYWORDS = frozenset(
    "name media_type pattern summary description responses tags extensions mode encoding kind"
    " template action role examples".split()
)


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def _is_text(node: ast.expr) -> bool:
    """Whether an expression is put together from literal text."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    if isinstance(node, ast.IfExp):
        return _is_text(node.body) and _is_text(node.orelse)
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Add) and (_is_text(node.left) or _is_text(node.right))
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Dict):
        return all(_is_text(value) for value in node.value.values)
    if isinstance(node, ast.Call):
        return _name(node.func) == "count"
    return isinstance(node, ast.JoinedStr)


def _hole(node: ast.expr) -> str:
    """Return a placeholder, called as the expression is."""
    if isinstance(node, ast.Name):
        name = node.id
    elif isinstance(node, ast.Attribute):
        name = node.attr
    elif isinstance(node, ast.Subscript):
        key = node.slice
        named = isinstance(key, ast.Constant) and isinstance(key.value, str)
        return f"{{{key.value}}}" if named and key.value.isidentifier() else _hole(node.value)
    elif isinstance(node, ast.Call):
        name = _name(node.func)
        if name in ("quote", "str", "len", "abs", "repr", "sentence", "capital", "next", "list"):
            return _hole(node.args[0]) if node.args else "{text}"
        if name in ("join", "get", "format"):
            name = "list"
    elif isinstance(node, ast.BinOp):
        return _hole(node.left)
    elif isinstance(node, ast.FormattedValue):
        return _hole(node.value)
    else:
        name = "text"
    return "{" + (name.strip("_").lower() or "text") + "}"


def _number(pattern: Pattern) -> Pattern:
    """Tell placeholders of the same name apart: `{name}`, `{name2}`."""
    seen: dict[str, int] = {}

    def rename(found: re.Match[str]) -> str:
        if found[0] in ("{{", "}}"):
            return found[0]
        name = found[1]
        seen[name] = seen.get(name, 0) + 1
        return "{" + name + (str(seen[name]) if seen[name] > 1 else "") + "}"

    return re.sub(r"\{\{|\}\}|\{(\w+)\}", rename, pattern)


def read_module(path: Path) -> dict[Pattern, int]:
    """Return the patterns in a module, each with the line where it stands."""
    reader = Reader(path.relative_to(ROOT).as_posix())
    reader.visit(ast.parse(path.read_text(encoding="utf-8")))
    return reader.found


def list_modules() -> Iterator[Path]:
    """List the modules whose sentences reach a page."""
    for glob in MODULES:
        for path in sorted(ROOT.glob(glob)):
            name = path.relative_to(ROOT).as_posix()
            folder = name.removesuffix(path.name)
            if not {name, folder} & UNSEEN and path.name != "__init__.py":
                yield path


# Sentences of explanations

END = re.compile(r"(?<=[a-z0-9)}…%][.!?]) (?=[A-Z{≈])")  # between two sentences


class Way:
    """One way through a template: the same condition is decided alike wherever it is asked."""

    def __init__(self, decisions: list[bool]) -> None:
        self.decisions = decisions
        self.taken: list[bool] = []
        self.known: dict[str, bool] = {}
        self.equal: dict[str, Any] = {}

    def decide(self, key: str) -> bool:
        """Decide a condition as this way has it, the first time with true."""
        if key not in self.known:
            at = len(self.taken)
            self.taken.append(self.decisions[at] if at < len(self.decisions) else True)
            self.known[key] = self.taken[-1]
        return self.known[key]


def read_template(body: str) -> set[Pattern]:
    """Return the patterns of all sentences that a template of explanations can make."""
    import jinja2

    tree = jinja2.Environment().parse(body)  # noqa: S701  # not HTML
    found: set[Pattern] = set()
    open_ways: list[list[bool]] = [[]]
    while open_ways:
        way = Way(open_ways.pop())
        text = " ".join(Phrasing(way).render(tree.body).split())
        for at in range(len(way.decisions), len(way.taken)):
            open_ways.append([*way.taken[:at], False])
        for part in END.split(text[:1].upper() + text[1:]):
            if re.search("[a-z]", re.sub(r"\{\w*\}", "", part)):
                found.add(_number(part))
    return found


class Phrasing:
    """Renders a template of explanations with placeholders in place of data."""

    def __init__(self, way: Way) -> None:
        self.way = way
        self.set: dict[str, Any] = {"you": "you", "opponent": "the opponent"}

    def render(self, body: Iterable[Any]) -> str:
        """Return the text of nodes."""
        out = ""
        for node in body:
            kind = type(node).__name__
            if kind == "Output":
                out += "".join(self.text(each) for each in node.nodes)
            elif kind == "Assign":
                self.set[node.target.name] = self.value(node.node)
            elif kind == "If":
                branches = [node, *node.elif_]
                chosen = next((each for each in branches if self.holds(each.test)), None)
                out += self.render(chosen.body if chosen else node.else_)
        return out

    def text(self, node: Any) -> str:
        """Return an expression as text."""
        value = self.value(node)
        return value if isinstance(value, str) else "" if value is None else str(value)

    def value(self, node: Any) -> Any:
        """Return what an expression is, with a placeholder for what is not known."""
        kind = type(node).__name__
        if kind == "TemplateData":
            return node.data
        if kind == "Const":
            return node.value
        if kind == "Name":
            return self.set.get(node.name, "{" + node.name + "}")
        if kind == "Concat":
            return "".join(self.text(each) for each in node.nodes)
        if kind == "CondExpr":
            chosen = node.expr1 if self.holds(node.test) else node.expr2
            return "" if chosen is None else self.value(chosen)
        if kind == "Or":
            return self.value(node.left if self.holds(node.left) else node.right)
        if kind == "Mod":
            values = node.right.items if type(node.right).__name__ == "Tuple" else [node.right]
            return re.sub("%d", "%s", node.left.value) % tuple(map(self.text, values))
        if kind == "Call":
            return self.call(node)
        if kind == "Getitem" and type(node.node).__name__ == "Dict":
            items = node.node.items
            for item in items[:-1]:
                if self.way.decide(f"{node.arg} == {item.key}"):
                    return self.value(item.value)
            return self.value(items[-1].value)
        return "{" + self.name(node) + "}"

    def call(self, node: Any) -> str:
        """Return what a function of the templates makes."""
        name, args = getattr(node.node, "name", ""), node.args
        if getattr(node.node, "attr", "") == "get":  # whose hands: not mine, not yours
            return ""
        if name in ("call", "address", "capital"):
            return self.text(args[0])
        if name == "conjugate":
            who = self.text(args[1])
            from parlour.core import conjugate

            return conjugate(args[0].value, who)
        if name in ("count", "count_plies"):
            number = "{" + self.name(args[0]) + "}"
            one, many = ("ply", "plies") if name == "count_plies" else (args[1].value, "")
            return f"{number} {one if self.way.decide(f'one {args[0]}') else many or one + 's'}"
        if name == "name_corners":
            return "{corners}"
        if name == "format_source":
            return "{source}"
        if name == "way":
            return "{move}"
        return "{" + self.name(node) + "}"

    def name(self, node: Any) -> str:
        """Return a name for the value of an expression."""
        kind = type(node).__name__
        if kind == "Name":
            return str(node.name)
        if kind == "Getattr":
            return str(node.attr)
        if kind == "Call":
            inner = getattr(node.node, "name", "") or self.name(node.node.node)
            if inner in ("format_value", "format_score", "format_piles", "format_signed"):
                return self.name(node.args[0])
            return self.name(node.args[0]) if node.args else inner
        if kind in ("Filter", "Getitem", "Neg", "Sub"):
            return self.name(getattr(node, "node", None) or node.left)
        return "value"

    def holds(self, node: Any) -> bool:
        """Decide a condition."""
        kind = type(node).__name__
        if kind == "Not":
            return not self.holds(node.node)
        if kind == "And":
            return self.holds(node.left) and self.holds(node.right)
        if kind == "Or":
            return self.holds(node.left) or self.holds(node.right)
        if kind == "Name" and node.name in self.set:
            return bool(self.set[node.name])
        if kind == "Name" and node.name == "supposed":
            return False
        if kind == "Compare" and node.ops[0].op == "eq":
            subject, value = str(node.expr), getattr(node.ops[0].expr, "value", None)
            if subject in self.way.equal:
                return bool(self.way.equal[subject] == value)
            if self.way.decide(str(node)):
                self.way.equal[subject] = value
                return True
            return False
        return self.way.decide(str(node))


def read_explanations() -> dict[Pattern, int]:
    """Return the patterns of the sentences of explanations."""
    text = (ROOT / "truth/explain/sentences.txt").read_text(encoding="utf-8")
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    sections = (section.partition("]\n")[2] for section in lines.split("\n[")[1:])
    return dict.fromkeys(sorted(each for body in sections for each in read_template(body)), 0)


# What games and bots say of themselves


def ask_registry() -> dict[str, int]:
    """Return titles, descriptions, options, presets and strengths of all games and bots."""
    from parlour.core import options_of, protocol, registry, sides, title
    from parlour.faces.web import forms
    from parlour.faces.web.table import list_rules

    found: list[str] = []
    games = [registry.game(name) for name in registry.games()]
    for game in games:
        found += [title(game), (type(game).__doc__ or "").partition("\n")[0], *sides(game)]
        presets = [
            registry.game(game.name, **{option.name: preset})
            for option in options_of(type(game)).values()
            for preset in option.presets or ()
        ]
        boxed = [each for each in (game, *presets) if protocol.rules_box(each)]
        found += [line for each in boxed for _, line in list_rules(each)]
        for field in forms.fields(game):
            found += [field.label, field.label.lower(), field.about, field.single]
            found += [text for _, text in field.choices]
            found += [text for _, text, _ in (*field.brings, *field.bundles)]
            found += [text for _, _, text in field.brings if text]
    for name in sorted({name for game in games for name in registry.bots(game)}):
        cls = registry.find("bots", name)
        found.append(" ".join((cls.__doc__ or "").partition("\n\n")[0].split()))
        found += [option.about for option in options_of(cls).values()]
    return dict.fromkeys((text.replace("{", "{{").replace("}", "}}") for text in found if text), 0)


# The catalogue


def collect() -> Catalog:
    """Return all texts, each with the file where it stands."""
    catalog = Catalog(fuzzy=False)
    options = {"newstyle_gettext": "true", "extensions": "jinja2.ext.i18n", "trimmed": "true"}
    web = ROOT / "faces" / "web"
    methods = [("templates/**.html", "jinja2.ext:babel_extract"), ("**.py", "python")]
    extracted = extract_from_dir(web, methods, {"templates/**.html": options})
    for file, _, message, _, context in sorted(extracted, key=lambda each: each[0]):
        catalog.add(message, locations=[(f"faces/web/{file}", 0)], context=context)
    sources = [(path.relative_to(ROOT).as_posix(), read_module(path)) for path in list_modules()]
    sources.append(("truth/explain/sentences.txt", read_explanations()))
    sources.append(("registry", ask_registry()))
    sources.append(("words", dict.fromkeys((*ALSO, *TERMS), 0)))
    for file, patterns in sources:
        for pattern in patterns:
            known = catalog.get(pattern)
            if known is not None and known.pluralizable:
                continue
            catalog.add(pattern, locations=[(file, 0)])
    return catalog


def read(path: Path) -> Catalog:
    """Return the catalogue in a file."""
    with path.open("rb") as file:
        return pofile.read_po(file, locale=path.parents[1].name, domain="parlour")


def compile_catalogue(path: Path) -> bytes:
    """Return a catalogue as `gettext` reads it."""
    compiled = io.BytesIO()
    mofile.write_mo(compiled, read(path))
    return compiled.getvalue()


def find_wrong() -> list[str]:
    """Say what is missing from the catalogues, no longer used, faulty or not compiled."""
    wrong = []
    wanted = {message.id for message in collect() if message.id}
    for path in sorted(LOCALE.glob("*/LC_MESSAGES/parlour.po")):
        catalog = read(path)
        known = {message.id for message in catalog if message.id}
        found = [f"not in the catalogue: {each}" for each in sorted(map(str, wanted - known))]
        found += [f"no longer used: {each}" for each in sorted(map(str, known - wanted))]
        found += find_faults(catalog)
        if path.with_suffix(".mo").read_bytes() != compile_catalogue(path):
            found.append("parlour.mo is not compiled from parlour.po")
        wrong += [f"{path.parents[1].name}: {each}" for each in found]
    return wrong


def update() -> None:
    """Write the texts into every catalogue and compile it."""
    template = collect()
    for path in sorted(LOCALE.glob("*/LC_MESSAGES/parlour.po")):
        catalog = read(path)
        catalog.update(template, no_fuzzy_matching=True)
        catalog.obsolete.clear()
        catalog.header_comment = f"# The texts of Parlour's web site: {path.parents[1].name}."
        catalog.project, catalog.version = "parlour", ""
        catalog.creation_date = catalog.revision_date = FIXED
        with path.open("wb") as file:
            pofile.write_po(file, catalog, width=100, include_lineno=False)
        path.with_suffix(".mo").write_bytes(compile_catalogue(path))


def find_faults(catalog: Catalog) -> Iterator[str]:
    """Find what is empty, fuzzy, or has other placeholders than the English text."""
    for message in catalog:
        if not message.id:
            continue
        ids = message.id if message.pluralizable else (message.id,)
        texts = message.string if message.pluralizable else (message.string,)
        if not all(texts) or message.fuzzy:
            yield f"not translated: {ids[0]}"
            continue
        holes = [set(HOLE.findall(each)) for each in ids]
        for text in texts:
            found = set(HOLE.findall(text))
            if not (found <= set.union(*holes) and set.intersection(*holes) <= found):
                yield f"other placeholders than in {ids[0]!r}: {text!r}"


FIXED = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)  # dates would differ for no reason
HOLE = re.compile(r"%\(\w+\)s|(?<!\{)\{\w+\}(?!\})")


def main() -> int:
    """Bring the catalogue up to date, or check it."""
    parser = argparse.ArgumentParser(description="Bring the catalogue of the web site up to date.")
    parser.add_argument("--check", action="store_true", help="only say what is wrong")
    check = parser.parse_args().check
    if not check:
        update()
    wrong = find_wrong()
    for each in wrong:
        print(each)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
