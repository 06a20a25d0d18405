"""The documents are right: examples run, public names are documented, links lead somewhere."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import parlour
from parlour._lazy import public_names
from tests import pages

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "parlour"
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_the_examples_of_the_reference_run_as_shown(monkeypatch, tmp_path):
    """Those of the other pages are run by `test_wheel.py`."""
    monkeypatch.chdir(tmp_path)
    pages.run(ROOT / "docs" / "reference.md")


def test_every_make_target_and_file_that_a_page_names_exists():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    wrong = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        targets = re.findall(r"^\$ make (\S+)", text, re.MULTILINE)
        wrong += [f"{page.name}: make {each}" for each in targets if f"\n{each}:" not in makefile]
        links = re.findall(r"\]\(([^)#]+)\)", text)
        wrong += [f"{page.name}: {each}" for each in links if not (page.parent / each).exists()]
    assert not wrong, "\n".join(wrong)


REFERENCE = dict(
    re.findall(
        r"^### (\w+)\n(.*?)(?=^##|\Z)",
        (ROOT / "docs" / "reference.md").read_text(encoding="utf-8"),
        re.DOTALL | re.MULTILINE,
    )
)


def write_signature(name, function):
    """The signature as the reference has it, without annotations."""
    parameters = inspect.signature(function).parameters.values()
    bare = [each.replace(annotation=inspect.Parameter.empty) for each in parameters]
    if bare and bare[0].name == "self":
        del bare[0]
    text = f"{name}{inspect.Signature(bare)}"
    return re.sub(r"Rule\(.*?fewest=\d+\)", "<HATS>", text)


def is_plain_error(thing):
    """Whether it is an error that is made of a sentence alone."""
    is_error = isinstance(thing, type) and issubclass(thing, Exception)
    return is_error and "__init__" not in vars(thing)


def members(cls):
    """The public members of a class of ours, with what they are."""
    names = {*dir(cls), *getattr(cls, "__dataclass_fields__", ())} - {*dir(Exception), *dir(object)}
    return {n: inspect.getattr_static(cls, n, None) for n in names if not n.startswith("_")}


def test_every_public_name_is_documented_and_every_documented_name_is_public():
    assert set(REFERENCE) == set(parlour.__all__)


def find_mistakes(name):
    """Yield the mistakes in the chapter of a public name, each as a phrase."""
    text, thing = REFERENCE[name], getattr(parlour, name)
    example = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    listed = set(re.findall(r"`(\w+)", re.sub(r"```.*?```", "", text, flags=re.DOTALL)))
    raised = "".join(re.findall(r"[Rr]aises ((?:`\w+`(?:, | and | or )?)+)", text))
    known = {*parlour.__all__, "ImportError", "TypeError"}
    yield from (f"raises {each}" for each in set(re.findall(r"`(\w+)`", raised)) - known)
    if ">>> " not in example:
        yield "has no example"
    if hasattr(thing, "__path__"):  # a package, with public names of its own
        signatures = {}
        for inner in public_names(thing.__name__):
            if callable(each := getattr(thing, inner)):
                if not re.search(rf"\b{name}\.{inner}\b", text):
                    yield f"lacks {inner}"
                if not is_plain_error(each):
                    signatures[f"parlour.{name}.{inner}"] = each
    elif inspect.ismodule(thing):
        signatures = {f"parlour.{name}.check": thing.check}
    elif is_plain_error(thing):
        signatures = {}  # it is made of a sentence
    else:
        signatures = {name: thing}
        if not text.startswith(f"\n`{write_signature(name, thing)}`\n"):
            yield "does not begin with the signature"
        if isinstance(thing, type):
            named = members(thing)
            yield from (f"lacks {each}" for each in set(named) - listed)
            signatures |= {
                member: getattr(thing, member)
                for member, each in named.items()
                if callable(each) or isinstance(each, classmethod)
            }
        elif not re.search(rf"\b{name}\b", example):
            yield "is not in its example"
    for label, function in signatures.items():
        if label in (name, f"parlour.{name}.check"):
            parameters = set(inspect.signature(function).parameters) - {"args", "kwargs"}
            yield from (f"lacks the parameter {each}" for each in parameters - listed)
        if f"`{write_signature(label, function)}`" not in text:
            yield f"lacks `{write_signature(label, function)}`"


def test_the_reference_has_every_signature_parameter_and_error_and_an_example():
    wrong = [f"{name}: {each}" for name in parlour.__all__ for each in find_mistakes(name)]
    assert not wrong, "\n".join(wrong)


def test_every_document_that_states_the_version_states_the_one_of_the_package():
    for path, line in {
        "CHANGELOG.md": r"^## (.+)$",
        "CITATION.cff": r"^version: (.+)$",
        "docs/hosting.md": r"parlour-([\d.]+)-py3",
        "docs/tutorials/researcher.md": r"version = \{(.+)\}",
    }.items():
        found = re.search(line, Path(path).read_text(encoding="utf-8"), re.MULTILINE)
        assert found[1] == parlour.__version__, path


def test_documents_and_examples_import_only_public_names():
    """What they tell people to import is a name of `parlour`, not of a module within it."""
    examples = (ROOT / "examples").rglob("*.py")
    found = []
    for page in (*PAGES, *examples):
        if "decisions" in page.parts:  # they speak to those who work on the code
            continue
        text = page.read_text(encoding="utf-8")
        if page.suffix == ".md":
            text = "\n".join(re.findall(r"```(?:python)?\n(.*?)```", text, re.DOTALL))
        found += [
            (page.name, line)
            for line in re.findall(r"^(?:>>> )?((?:from|import) parlour.*)$", text, re.MULTILINE)
            if not is_public_import(line)
        ]
    assert found == []


def is_public_import(line):
    """Whether a line imports the package, or names that it offers."""
    if line == "import parlour":
        return True
    names = line.removeprefix("from parlour import ")
    return names != line and set(re.findall(r"\w+", names)) <= set(parlour.__all__)


def test_every_public_name_is_there_and_says_what_it_is():
    for name in parlour.__all__:
        assert getattr(parlour, name).__doc__, name
    assert set(parlour.__all__) <= set(dir(parlour))
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        parlour.nothing_of_the_kind  # noqa: B018  # the look-up is what is tested


def test_every_option_of_every_game_is_in_the_book():
    from parlour.core.options import options_of
    from parlour.core.registry import find

    book = (ROOT / "docs" / "games.md").read_text(encoding="utf-8")
    for name in parlour.games():
        chapter = re.search(rf"^## {name}\n(.*?)(?=^## |\Z)", book, re.DOTALL | re.MULTILINE)
        assert chapter, name
        for option in options_of(find("games", name)):
            assert f"`{option}`" in chapter[1], f"{name}: {option}"


# The page for newcomers


def has_definition(path: Path, name: str) -> bool:
    """Whether a file defines `function`, `Class.method` or `function.inner`."""
    found: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    for part in name.split("."):
        inside = [each for node in found for each in ast.walk(node) if isinstance(each, kinds)]
        found = [each for each in inside if each.name == part]
    return bool(found)


@pytest.mark.slow
def test_every_path_and_function_of_the_architecture_page_exists():
    code = re.sub(r"```.*?```", "", ARCHITECTURE, flags=re.DOTALL)
    quoted = set(re.findall(r"`([\w.][\w./-]*/[\w./-]*|[\w./-]+\.py)(?::([\w.]+))?`", code))
    assert len(quoted) > 120
    for path, name in sorted(quoted):
        if "NAME" in path:  # a file that the reader is about to write
            continue
        file = next((top / path for top in (SOURCE, ROOT) if (top / path).exists()), None)
        assert file, path
        assert not name or has_definition(file, name), f"{path}:{name}"


@pytest.mark.slow
def test_the_paths_of_the_architecture_page_are_walked_as_it_says():
    """In a process of its own, where nothing is remembered that a path would pass by."""
    walk = [sys.executable, "-m", "tools.count_paths"]
    done = subprocess.run(walk, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    calls = dict(re.findall(r"^(.*): (\d+) calls$", done.stdout, re.MULTILINE))
    assert len(calls) == 7
    assert int(calls["An answered puzzle"]) <= 30
    assert int(calls["A judged agent"]) <= 25


def list_packages(folder: Path) -> set[str]:
    return {path.parent.name for path in folder.glob("*/__init__.py")}


def test_both_maps_have_every_package_in_the_layer_that_the_linter_checks():
    packages = list_packages(SOURCE)
    diagram = re.findall(r"```\n(.*?)```", ARCHITECTURE, re.DOTALL)[0]
    rows = (packages & set(re.findall(r"\w+", line)) for line in diagram.splitlines())
    layers = [row for row in rows if row]
    assert set().union(*layers) == packages
    [order] = re.findall(r"`(faces > [^`]*)`", CONTRIBUTING)
    assert [set(re.findall(r"\w+", each)) for each in order.split(">")] == layers
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    checked = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    named = [set(re.findall(r"parlour\.(\w+)", each)) for each in checked]
    assert named == [row - {"store"} for row in layers]


def test_the_list_in_contributing_has_every_package_with_the_packages_in_it():
    rows = dict(re.findall(r"^  (\w+)/ +(.*)$", CONTRIBUTING, re.MULTILINE))
    assert set(rows) == list_packages(SOURCE)
    for package, about in rows.items():
        assert set(re.findall(r"(\w+)/", about)) == list_packages(SOURCE / package), package


def test_the_architecture_page_lists_every_package_with_names_it_offers():
    rows = re.findall(r"^\| `([\w/]+)/` \| .* \| (.*)\|$", ARCHITECTURE, re.MULTILINE)
    packages = {path.parent.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("__init__.py")}
    assert {package for package, _ in rows} == packages - {"."}
    for package, names in rows:
        offered = public_names_of(package)
        assert set(re.findall(r"`(\w+)`", names)) <= offered, package


def public_names_of(package: str) -> set[str]:
    """The names a package offers, given as a path."""
    name = f"parlour.{package.replace('/', '.')}"
    __import__(name)
    return set(public_names(name))
