"""The shape of the source: what import-linter cannot see."""

from __future__ import annotations

import ast
import importlib
import re
from collections import Counter
from pathlib import Path

import pytest

import parlour
from parlour._lazy import public_names

SOURCE = Path(parlour.__file__).parent
PACKAGES = sorted(
    ".".join(("parlour", *path.parent.relative_to(SOURCE).parts))
    for path in SOURCE.rglob("__init__.py")
)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_of_a_package_can_be_imported(package):
    module = importlib.import_module(package)
    for name in public_names(package):
        assert getattr(module, name) is not None, name
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        module.nothing_of_the_kind  # noqa: B018  # the look-up is what is tested


@pytest.mark.parametrize("package", PACKAGES)
def test_no_public_name_is_hidden_by_a_module_of_the_same_name(package):
    """Once such a module is imported, Python would hand it out instead."""
    folder = SOURCE.joinpath(*package.split(".")[1:])
    modules = {path.stem for path in folder.iterdir() if path.suffix == ".py" or path.is_dir()}
    hidden = {name for name, home in public_names(package).items() if home != package} & modules
    assert not hidden


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_says_what_it_is_for(package):
    assert len(importlib.import_module(package).__doc__ or "") > 20


def test_a_prefix_that_three_files_share_is_a_package():
    prefixes = Counter(
        (path.parent, path.stem.partition("_")[0]) for path in SOURCE.rglob("[!_]*_*.py")
    )
    assert [f"{folder}/{prefix}_*" for (folder, prefix), many in prefixes.items() if many > 2] == []


def test_nothing_is_unfinished_or_speaks_of_a_machine():
    for path in SOURCE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\b(TODO|FIXME|XXX)\b", text), path
        assert not re.search(r"[\"'](/home/|/work/|/root/)", text), path


def test_every_module_opens_by_saying_what_it_holds():
    silent = [
        path
        for path in SOURCE.rglob("*.py")
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert silent == []
