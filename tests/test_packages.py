"""The shape of the source: what import-linter cannot see."""

import importlib
import re
from pathlib import Path

import pytest

import parlour
from parlour._lazy import public_names

SOURCE = Path(parlour.__file__).parent
PACKAGES = sorted(
    ".".join(("parlour", *path.parent.relative_to(SOURCE).parts))
    for path in SOURCE.rglob("__init__.py")
)


@pytest.mark.slow
def test_every_public_name_of_a_package_can_be_imported():
    for package in PACKAGES:
        module = importlib.import_module(package)
        missing = [name for name in public_names(package) if getattr(module, name, None) is None]
        assert not missing, f"{package}: {missing}"
        with pytest.raises(AttributeError, match="nothing_of_the_kind"):
            module.nothing_of_the_kind  # noqa: B018  # the look-up is what is tested


def test_no_public_name_is_hidden_by_a_module_of_the_same_name():
    """Once such a module is imported, Python would hand it out instead."""
    for package in PACKAGES:
        folder = SOURCE.joinpath(*package.split(".")[1:])
        modules = {path.stem for path in folder.iterdir() if path.suffix == ".py" or path.is_dir()}
        names = {name for name, home in public_names(package).items() if home != package}
        assert not names & modules, package


def test_the_vocabulary_is_small_enough_to_know():
    """What few packages need stands in a module that core offers whole, as `protocol.grid`."""
    assert len(public_names("parlour.core")) <= 80


@pytest.mark.slow
def test_no_two_public_classes_share_a_name():
    homes = {}
    for package in PACKAGES:
        for name, home in public_names(package).items():
            value = getattr(importlib.import_module(package), name)
            if isinstance(value, type):
                homes.setdefault(name, {})[value] = home
    assert not {name: each for name, each in homes.items() if len(each) > 1}


def test_every_module_says_what_it_holds_and_is_finished():
    wrong = []
    for path in SOURCE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if not re.match(r'"""\S.{18}', text, re.DOTALL):
            wrong.append(f"{path} does not open with a docstring")
        for found in re.findall(r"\b(?:TODO|FIXME|XXX)\b|[\"'](?:/home/|/work/|/root/)", text):
            wrong.append(f"{path} has {found}")
    assert not wrong, "\n".join(wrong)
