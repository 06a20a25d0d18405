"""Bots that start programs, ask servers or open files are for a site's owner, not for visitors."""

import pytest

import parlour
from parlour.core import ParlourError, Work, registry
from parlour.faces.web.table import read_bot
from parlour.faces.web.table.tasks import choose, list_bots

TRUSTED = sorted(
    claim.name
    for claim in registry.list_installed("bots")
    if claim.built_in and getattr(claim.load(), "needs_trust", "")
)
OPTIONS = {
    "language-model": "url=http://127.0.0.1:1/v1 model=m",
    "gtp": "command=gtp-rhino",
    "http": "url=http://127.0.0.1:1/",
}


def test_language_models_and_programs_need_trust():
    assert {"language-model", "gtp"} <= set(TRUSTED)


@pytest.mark.parametrize("name", TRUSTED)
def test_no_visitor_is_offered_one(name):
    for game in parlour.games():
        listed = list_bots({"game": game}, Work())
        assert name not in [each["name"] for each in listed]


@pytest.mark.parametrize("name", TRUSTED)
@pytest.mark.parametrize("given", [True, False], ids=["with options", "without"])
def test_no_visitor_seats_one_by_its_name(name, given):
    options = OPTIONS.get(name, "") if given else ""
    with pytest.raises(ParlourError, match="choose a bot from the list"):
        read_bot(list_bots({"game": "nim"}, Work()), name, options)
    with pytest.raises(ParlourError):  # not even if it were listed
        read_bot([{"name": name}], name, options)


@pytest.mark.parametrize("name", TRUSTED)
def test_a_table_that_names_one_is_not_played_by_it(name):
    payload = {"game": "nim", "moves": [], "bot": f"{name} {OPTIONS.get(name, '')}".strip()}
    with pytest.raises(ParlourError, match="name it at the command line"):
        choose(payload, Work())


def test_no_option_of_another_bot_leads_to_one():
    for option in ("url=http://127.0.0.1:1/v1", "reskin=1", "model=m"):
        with pytest.raises(ParlourError, match="has no option"):
            read_bot([{"name": "random"}], "random", option)
