"""What the documents say is so: examples run, public names are documented, links lead somewhere."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest

import parlour
from parlour._lazy import public_names
from tests import pages

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "parlour"
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_readme_and_guides_are_among_the_pages():
    assert len(PAGES) > 5


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples_run_as_shown(page, monkeypatch, tmp_path):
    """Those that need no command to be run first; `test_wheel.py` runs the pages whole."""
    if page.parent.name == "tutorials":
        return
    monkeypatch.chdir(tmp_path)
    pages.run(page, kinds=("python", "file"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_make_target_that_is_named_exists(page):
    targets = re.findall(r"^\$ make (\S+)", page.read_text(encoding="utf-8"), re.MULTILINE)
    for target in targets:
        assert f"\n{target}:" in (ROOT / "Makefile").read_text(encoding="utf-8")


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


@pytest.mark.parametrize("name", parlour.__all__)
def test_the_reference_has_the_signature_every_parameter_and_an_example(name):
    text, thing = REFERENCE[name], getattr(parlour, name)
    example = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    assert ">>> " in example
    if hasattr(thing, "__path__"):  # a package, with public names of its own
        for inner in public_names(thing.__name__):
            if callable(each := getattr(thing, inner)):
                assert re.search(rf"\b{name}\.{inner}\b", text)
                if not is_plain_error(each):
                    assert f"`{write_signature(f'parlour.{name}.{inner}', each)}`" in text, inner
        return
    if inspect.ismodule(thing):
        function = thing.check
        assert f"`{write_signature(f'parlour.{name}.check', function)}`" in text
    elif is_plain_error(thing):
        return  # it is made of a sentence
    else:
        function = thing
        assert text.startswith(f"\n`{write_signature(name, thing)}`\n")
    listed = set(re.findall(r"`(\w+)", re.sub(r"```.*?```", "", text, flags=re.DOTALL)))
    parameters = set(inspect.signature(function).parameters) - {"args", "kwargs"}
    assert parameters <= listed
    if not isinstance(thing, type):
        assert re.search(rf"\b{name}\b", example)
        return
    for member, what in members(thing).items():
        assert member in listed, member
        if callable(what) or isinstance(what, classmethod):
            signature = write_signature(member, getattr(thing, member))
            assert f"`{signature}`" in text, signature


@pytest.mark.parametrize("name", parlour.__all__)
def test_the_reference_says_that_public_errors_are_raised(name):
    known = {*parlour.__all__, "ImportError", "TypeError"}
    for raised in re.findall(r"[Rr]aises ((?:`\w+`(?:, | and | or )?)+)", REFERENCE[name]):
        assert set(re.findall(r"`(\w+)`", raised)) <= known


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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


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


def test_every_path_and_function_of_the_architecture_page_exists():
    code = re.sub(r"```.*?```", "", ARCHITECTURE, flags=re.DOTALL)
    quoted = set(re.findall(r"`([\w.][\w./-]*/[\w./-]*|[\w./-]+\.py)(?::([\w.]+))?`", code))
    assert len(quoted) > 120
    for path, name in sorted(quoted):
        if "NAME" in path:  # a file that somebody is about to write
            continue
        file = next((top / path for top in (SOURCE, ROOT) if (top / path).exists()), None)
        assert file, path
        assert not name or has_definition(file, name), f"{path}:{name}"


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


BARS = {
    "A solve": 20,
    "A click": 25,
    "A line to Benedict": 20,
    "A tournament": 35,
    "An engine move": 18,
}


@pytest.mark.parametrize("path", BARS)
def test_the_calls_of_a_path_are_counted_right_and_are_not_too_many(path):
    chapter = re.search(rf"^### {path}: (\d+) calls\n(.*?)(?=^##)", ARCHITECTURE, re.DOTALL | re.M)
    assert chapter, path
    numbers = [int(each) for each in re.findall(r"^\| (\d+) \|", chapter[2], re.MULTILINE)]
    assert numbers == list(range(1, int(chapter[1]) + 1))
    assert len(numbers) <= BARS[path]


def test_contracts_and_the_architecture_page_name_the_same_packages():
    contracts = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    layers = re.search(
        r'name = "packages import one way".*?layers = \[(.*?)\]', contracts, re.DOTALL
    )
    assert layers
    diagram = ARCHITECTURE.partition("```\n")[2].partition("```")[0]
    for package in re.findall(r"parlour\.(\w+)", layers[1]):
        assert re.search(rf"\b{package}\b", diagram), package
