"""`parlour web` opens a browser where somebody sits in front of one, and reads the games given."""

import signal
import sys
import webbrowser

import pytest

from parlour.faces.cli import main, web
from parlour.faces.cli.web import has_browser
from parlour.lessons import Archive
from tests.rules.test_formats import squares, wthor


class Terminal:
    """What the command sees of its terminal; pytest puts the real output aside."""

    def __init__(self, platform, at_desk=True):
        self.platform, self.at_desk, self.stdout = platform, at_desk, self

    def isatty(self):
        return self.at_desk


@pytest.fixture(autouse=True)
def desk(monkeypatch):
    """A terminal in a window, on a computer with a browser."""
    for name in ("CI", "SSH_CONNECTION", "SSH_TTY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(web, "sys", Terminal(sys.platform))
    monkeypatch.setattr(webbrowser, "get", lambda: webbrowser.BackgroundBrowser("firefox"))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems have one display")
def test_none_is_opened_without_a_display(monkeypatch):
    monkeypatch.delenv("DISPLAY")
    assert not has_browser()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert has_browser()


def test_a_browser_is_opened_only_at_a_desk_and_in_a_window_of_its_own(monkeypatch):
    def find():
        raise webbrowser.Error

    assert has_browser()
    for name in ("CI", "SSH_CONNECTION", "SSH_TTY"):
        with monkeypatch.context() as patch:
            patch.setenv(name, "1")
            assert not has_browser(), name
    for place, name, value in [
        (web, "sys", Terminal(sys.platform, at_desk=False)),
        (webbrowser, "get", lambda: webbrowser.GenericBrowser("w3m")),
        (webbrowser, "get", find),
    ]:
        with monkeypatch.context() as patch:
            patch.setattr(place, name, value)
            assert not has_browser(), name


# The games of an archive


@pytest.fixture
def signals():
    """The handlers of this process, which the command replaces."""
    held = {each: signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGUSR1)}
    yield
    for each, handler in held.items():
        signal.signal(each, handler)


def test_the_site_is_opened_with_the_games_it_was_given(tmp_path, monkeypatch, signals):
    source = tmp_path / "WTH_2001.wtb"
    source.write_bytes(wthor((squares("f5", "d6", "c3"), 40), (squares("f5", "f6"), 32)))
    served = []

    def serve(store, listening, settings):
        served.append(settings)
        for each in listening:
            each.close()

    monkeypatch.setattr("parlour.faces.web.serve", serve)
    database = f"sqlite:///{tmp_path}/site.sqlite"
    given = ["web", "--port", "0", "--database", database, "--no-browser", "--games", str(source)]
    assert main(given) == 0
    [settings] = served
    assert Archive(settings.archive).games == 2
