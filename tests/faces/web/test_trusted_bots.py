"""Bots that start programs, ask servers or open files are for a site's owner, not for visitors."""

import pytest

import parlour
from parlour.core import ParlourError, Work, registry
from parlour.faces.web.table import read_bot
from parlour.faces.web.table.tasks import choose, list_bots

OPTIONS = {
    "language-model": "url=http://127.0.0.1:1/v1 model=m",
    "gtp": "command=gtp-rhino",
    "http": "url=http://127.0.0.1:1/",
}


@pytest.fixture(scope="module")
def trusted():
    """The names of the built-in bots that need trust."""
    return {
        claim.name
        for claim in registry.list_installed("bots")
        if claim.built_in and getattr(claim.load(), "needs_trust", "")
    }


def test_language_models_and_programs_need_trust_and_no_visitor_is_offered_one(trusted):
    assert trusted >= {"language-model", "gtp"}
    for game in parlour.games():
        listed = {each["name"] for each in list_bots({"game": game}, Work())}
        assert not listed & trusted, game


def test_no_visitor_seats_one_by_its_name(trusted):
    offered = list_bots({"game": "nim"}, Work())
    for name in trusted:
        for options in {"", OPTIONS.get(name, "")}:
            with pytest.raises(ParlourError, match="choose a bot from the list"):
                read_bot(offered, name, options)
            with pytest.raises(ParlourError):  # not even if it were listed
                read_bot([{"name": name}], name, options)
    for option in ("url=http://127.0.0.1:1/v1", "reskin=1", "model=m"):
        with pytest.raises(ParlourError, match="has no option"):
            read_bot([{"name": "random"}], "random", option)


def test_a_table_that_names_one_is_not_played_by_it(trusted):
    for name in trusted:
        payload = {"game": "nim", "moves": [], "bot": f"{name} {OPTIONS.get(name, '')}".strip()}
        with pytest.raises(ParlourError, match="name it at the command line"):
            choose(payload, Work())


def test_no_address_of_the_api_runs_a_file_by_the_name_of_a_game(house, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "g.py").write_text("open('ran', 'x').close()", encoding="utf-8")
    for path in ("/bots", "/pairing", "/tables", "/solve", "/explain"):
        assert house.nobody().call(path, {"game": "./g.py"}).status == 404, path
    assert not (tmp_path / "ran").exists()
