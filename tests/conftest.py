"""What all tests share: markers by what a test needs, the order of files, and a data folder each.

Most markers follow from the fixtures a test asks for, so that nobody has to remember them; a test
that starts such a thing by itself says so with `pytestmark`. CONTRIBUTING.md lists them.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator

import hypothesis
import pytest

from parlour.kernels import cache_folder

# How many examples hypothesis tries: few while one writes, many when nobody waits.
EXAMPLES = {"quick": 20, "": 50, "long": 10_000}
EFFORT = os.environ.get("PARLOUR_EFFORT", "")
LONG = EFFORT == "long"

hypothesis.settings.register_profile(
    "parlour",
    max_examples=EXAMPLES[EFFORT],
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
    derandomize=not LONG,
)
hypothesis.settings.load_profile("parlour")

# Whatever home a test gives to a process, nothing is compiled a second time.
os.environ["PARLOUR_CACHE"] = str(cache_folder())

# A program started in the background of a script ignores Ctrl-C, and so would all it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)

MARKER_OF_FIXTURE = {
    "house": "site",
    "browser": "browser",
    "chromiums": "browser",
    "server": "server",
    "shared_server": "server",
    "start_server": "server",
    "web": "server",
    "served_house": "server",
    "postgres_url": "postgresql",
}
# The longest files, so that no worker begins one of them when the others have finished.
SLOWEST = (
    "test_wheel.py",
    "faces/web/test_browser.py",
    "faces/web/test_browser_pages.py",
    "faces/web/test_browser_still.py",
    "faces/web/serving/test_workers.py",
    "faces/web/serving/test_proxies.py",
    "faces/web/test_kill.py",
    "truth/disk/test_solutions.py",
    "faces/web/workers/test_pool.py",
)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests by what they need, leave some to a long run, and put the slowest files first."""
    left = [item for item in items if item.get_closest_marker("long") and not LONG]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in set(left)]
    for item in items:
        asked = {
            MARKER_OF_FIXTURE[name]
            for name in getattr(item, "fixturenames", ())
            if name in MARKER_OF_FIXTURE
        }
        parameters = getattr(getattr(item, "callspec", None), "params", {}).values()
        if "postgresql" in [each for each in parameters if isinstance(each, str)]:
            asked.add("postgresql")
        for marker in sorted(asked):
            item.add_marker(marker)
    places = {path: place for place, path in enumerate(SLOWEST)}

    def place(item: pytest.Item) -> int:
        path = item.nodeid.partition("::")[0].removeprefix("tests/")
        return places.get(path, len(places))

    items.sort(key=place)
    gc.freeze()  # thousands of tests stay; nothing is gained by looking through them again


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say that not everything was run: workers do not tell what they left out."""
    if not LONG:
        terminalreporter.write_line("Tests marked `long` are left to make test-long.")


@pytest.fixture(autouse=True)
def _own_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the games and bots of whoever runs the tests out of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield
