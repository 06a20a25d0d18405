"""The host's page and the entrance of a private site, in a browser, with scripts and without."""

from __future__ import annotations

import pytest

from parlour.faces.cli import main
from tests.faces.web.axe import axe
from tests.faces.web.browser import PHONE, fill, press, see, shot
from tests.faces.web.house import Guest

PASSPHRASE = "seven green bottles"  # noqa: S105


def make_token(server, capsys, label):
    assert main(["admin-token", label, "--database", server.database]) == 0
    return capsys.readouterr().out.splitlines()[0]


@pytest.mark.parametrize("scripts", [True, False])
def test_a_host_signs_in_hides_a_table_and_bars_its_address(browser, start_server, capsys, scripts):
    server = start_server()
    made = Guest(server.port).call("/tables", {"game": "sticks"})
    assert made.status == 201
    driver = browser(PHONE if scripts else (1280, 900), scripts=scripts, dark=scripts)
    driver.get(f"{server.url}/admin")
    fill(driver, "#token", "wrong")
    press(driver, "#sign-in")
    see(driver, "#notice", "not valid")
    fill(driver, "#token", make_token(server, capsys, "ann"))
    press(driver, "#sign-in")
    see(driver, "h2", "Tables")
    press(driver, ".rows summary")
    shot(driver, f"admin-{'phone-dark' if scripts else 'desk'}")
    press(driver, ".rows a", "Hide")
    see(driver, "h1", "Hide this table from the lobby?")
    press(driver, "#really")
    see(driver, "table td", "hide")
    press(driver, ".rows summary")
    press(driver, ".rows a", "127.0.0.1")
    see(driver, "h1", "Block this visitor")
    shot(driver, f"admin-ask-{'phone-dark' if scripts else 'desk'}")
    press(driver, "#really")
    see(driver, ".rows", "until")
    assert Guest(server.port).call("/tables", {"game": "sticks"}).status == 403


def test_everybody_can_use_these_pages(browser, start_server, capsys, monkeypatch):
    monkeypatch.setenv("PARLOUR_PASSPHRASE", PASSPHRASE)
    server = start_server("", "--private")
    driver = browser(PHONE, dark=True)
    driver.get(f"{server.url}/admin")
    see(driver, "#passphrase")
    assert axe(driver) == []
    fill(driver, "#passphrase", PASSPHRASE)
    press(driver, "#enter")
    see(driver, "#token")
    assert axe(driver) == []
    fill(driver, "#token", make_token(server, capsys, "ann"))
    press(driver, "#sign-in")
    see(driver, "h2", "Tables")
    passed = {"Parlour-Passphrase": PASSPHRASE}
    made = Guest(server.port).call("/tables", {"game": "sticks"}, **passed)
    table = made.json["id"]
    for language in ("en", "de", "es"):
        driver.add_cookie({"name": "language", "value": language})
        for path in (
            "",
            "/bar?subject=192.0.2.7",
            f"/rename?subject={table}",
            f"/delete?subject={table}",
        ):
            driver.get(f"{server.url}/admin{path}")
            see(driver, "#really" if path else "#find")
            assert driver.execute_script("return document.documentElement.lang") == language
            assert axe(driver) == [], (language, path)


def test_a_private_site_is_entered_once(browser, start_server, monkeypatch):
    monkeypatch.setenv("PARLOUR_PASSPHRASE", PASSPHRASE)
    server = start_server("", "--private")
    driver = browser()
    driver.get(f"{server.url}/lab")
    see(driver, "#passphrase")
    shot(driver, "private-desk")
    fill(driver, "#passphrase", "wrong one")
    press(driver, "#enter")
    see(driver, "#notice", "That is not the passphrase")
    fill(driver, "#passphrase", PASSPHRASE)
    press(driver, "#enter")
    see(driver, "h1", "Lab")
    driver.get(server.url)
    see(driver, "h2")
