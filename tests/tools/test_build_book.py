"""The book loads nothing from elsewhere and lists its versions; what the workflow says is so."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from tools.build_book import find_foreign, write_versions

ROOT = Path(__file__).parents[2]
WORKFLOW = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.mark.parametrize(
    "page",
    [
        '<script src="https://cdn.example/a.js"></script>',
        "<img alt='' src='//pictures.example/a.png'>",
        '<link rel="stylesheet" href="https://fonts.example/css?family=Inter">',
        "<style>@import 'https://fonts.example/a.css';</style>",
        "<style>p { background: url(http://pictures.example/a.png) }</style>",
    ],
)
def test_what_a_page_would_load_from_another_site_is_found(page, tmp_path):
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    assert len(find_foreign(tmp_path)) == 1


@pytest.mark.parametrize(
    "page",
    [
        '<a href="https://github.com/parlour-games">a link to follow</a>',
        '<script src="../versions.js"></script>',
        '<link rel="canonical" href="https://parlour.example/">',
        "<style>p { background: url('data:image/svg+xml,<svg xmlns=\"http://w3.example/svg\"/>') }",
    ],
)
def test_links_and_what_lies_beside_a_page_are_its_own(page, tmp_path):
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    assert find_foreign(tmp_path) == []


def test_versions_are_listed_newest_first_by_their_numbers(tmp_path):
    for name in ("0.9.0", "0.10.0", "0.2.1"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").touch()
    write_versions(tmp_path)
    listed = json.loads((tmp_path / "versions.json").read_text(encoding="utf-8"))
    assert listed == ["0.10.0", "0.9.0", "0.2.1"]
    assert "url=0.10.0/index.html" in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_the_workflow_runs_every_python_that_the_metadata_claims():
    claimed = re.findall(r"Python :: (3\.\d+)", " ".join(PROJECT["classifiers"]))
    assert f">={claimed[0]}" == PROJECT["requires-python"]
    matrices = re.findall(r"python: \[(.*)\]", WORKFLOW)
    assert len(matrices) == 2
    for matrix in matrices:
        assert re.findall(r"[\d.]+", matrix) == claimed


def test_every_action_of_the_workflow_is_pinned_to_a_commit():
    used = re.findall(r"uses: (\S+)", WORKFLOW)
    assert used
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", each) for each in used)
