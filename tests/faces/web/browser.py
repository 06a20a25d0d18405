"""A real browser before the real command: Debian's chromium, headless, and `parlour web` as a
process. Browsers are kept for the whole run and lent to one test after another with nothing left in
them; every wait ends by itself and then says what the page shows instead.
"""

from __future__ import annotations

import base64
import contextlib
import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from selenium.common.exceptions import TimeoutException, WebDriverException
from selenium.webdriver import ActionChains, Chrome, ChromeOptions, ChromeService, Keys
from selenium.webdriver.remote.webelement import WebElement

from tests.faces.web.forked import Forked, start_server
from tests.needs import need

Found = TypeVar("Found")

PHONE = (390, 844)
DESKTOP = (1280, 900)
PATIENCE = 60  # seconds; a page that takes longer is broken, even on a busy machine
START = 120  # seconds a process may take to begin, on a busy machine
LOOKING = 0.05  # seconds between two looks at a page
SCREENSHOTS = Path(__file__).parents[3] / "build" / "screenshots"

# A picture is taken when the letters are there and what moves has come to rest.
AT_REST = """
const done = arguments[0];
const ending = document.getAnimations().filter(a => isFinite(a.effect.getComputedTiming().endTime));
Promise.allSettled([document.fonts.ready, ...ending.map(a => a.finished)]).then(() => done());
"""

# The first element that can be seen and holds the text; in one question, for it is asked often.
SHOWN = """
const [css, text] = arguments;
for (const each of document.querySelectorAll(css)) {
  const isSeen = each.checkVisibility({opacityProperty: true, visibilityProperty: true});
  if (isSeen && (!text || (each.innerText ?? each.textContent).includes(text))) return each;
}
return null;
"""

MOST_SHIFT = 0.02  # over a whole game
# The sum of all shifts since the page was opened, but for those within half a second of a press, as
# the usual figure has it; that one takes the worst few seconds only.
SHIFTS = """
const done = arguments[0];
let total = 0;
const moved = [];
const observer = new PerformanceObserver((list) => {
  for (const entry of list.getEntriesByType("layout-shift")) {
    if (entry.hadRecentInput) continue;
    total += entry.value;
    moved.push(`${entry.value.toFixed(4)}: ` + entry.sources.map(({node}) =>
      (node?.outerHTML ?? node?.parentElement?.outerHTML ?? "").slice(0, 90)).join(" | "));
  }
  if (list.getEntriesByName("the last").length) done([total, moved]);
});
requestAnimationFrame(() => requestAnimationFrame(() => { // what has changed is drawn by now
  observer.observe({type: "layout-shift", buffered: true});
  performance.mark("the last");
  observer.observe({type: "mark", buffered: true});
}));
"""


def start_chromium(profile: Path) -> Chrome:
    """A browser of its own, which finds no other machine than this one."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    need(chromium and driver, "Browser tests need Debian's chromium and chromium-driver.")
    options = ChromeOptions()
    options.binary_location = str(chromium)
    for argument in (
        "--headless=new",
        f"--user-data-dir={profile}",
        f"--window-size={DESKTOP[0]},{DESKTOP[1]}",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        "--no-proxy-server",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-extensions",
        "--disable-sync",
        "--no-first-run",
        "--hide-scrollbars",
        "--lang=en",
        *(["--no-sandbox"] if os.geteuid() == 0 else []),  # chromium refuses one to root
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    opened = Chrome(options=options, service=ChromeService(executable_path=str(driver)))
    opened.set_page_load_timeout(START)
    opened.set_script_timeout(START)
    return opened


def arrange(
    driver: Chrome, size: tuple[int, int], *, scripts: bool, dark: bool, motion: bool
) -> None:
    """Make the open page a phone or a desk, with scripts or without, as somebody likes it."""
    phone = size[0] < 600
    features = {
        "prefers-color-scheme": "dark" if dark else "light",
        "prefers-reduced-motion": "no-preference" if motion else "reduce",
    }
    commands: dict[str, dict[str, object]] = {
        "Emulation.setDeviceMetricsOverride": {
            "width": size[0],
            "height": size[1],
            "deviceScaleFactor": 1,
            "mobile": phone,
        },
        "Emulation.setTouchEmulationEnabled": {"enabled": phone},
        "Emulation.setScriptExecutionDisabled": {"value": not scripts},
        "Emulation.setEmulatedMedia": {
            "features": [{"name": name, "value": value} for name, value in features.items()]
        },
    }
    for command, arguments in commands.items():
        driver.execute_cdp_cmd(command, arguments)


def clear(driver: Chrome) -> None:
    """Leave one new empty page, and nothing kept of those before."""
    before = driver.window_handles
    driver.switch_to.new_window("tab")
    fresh = driver.current_window_handle
    for window in before:
        driver.switch_to.window(window)
        driver.close()
    driver.switch_to.window(fresh)
    driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
    driver.execute_cdp_cmd("Network.clearBrowserCache", {})
    driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})


def complaints(driver: Chrome) -> list[str]:
    """What the browser refused or scripts stumbled over since it was last asked.

    An answer like 404, or a server that has gone, is no complaint: pages live with both.
    """
    return [
        line["message"]
        for line in driver.get_log("browser")
        if line["level"] == "SEVERE" and line["source"] != "network"
    ]


@pytest.fixture(scope="session")
def chromiums(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Chrome]]:
    """The browsers that no test is using, ended with the run."""
    idle: list[Chrome] = []
    yield idle
    for driver in idle:
        driver.quit()


@pytest.fixture
def browser(
    chromiums: list[Chrome], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., Chrome]]:
    """Call it for a browser, and again for another person's; none may complain meanwhile."""
    lent: list[Chrome] = []

    def lend(
        size: tuple[int, int] = DESKTOP,
        *,
        scripts: bool = True,
        dark: bool = False,
        motion: bool = False,
    ) -> Chrome:
        driver = chromiums.pop() if chromiums else start_chromium(tmp_path_factory.mktemp("chrome"))
        lent.append(driver)
        arrange(driver, size, scripts=scripts, dark=dark, motion=motion)
        return driver

    yield lend
    said = []
    for driver in lent:
        try:
            said += complaints(driver)
            clear(driver)
        except WebDriverException:  # the test has broken it, and says so itself
            driver.quit()
        else:
            chromiums.append(driver)
    assert not said, "\n".join(said)


def until(
    driver: Chrome, sentence: str, look: Callable[[], Found], seconds: float = PATIENCE
) -> Found:
    """What the look finds, as soon as it finds something; the page may be changing meanwhile."""
    __tracebackhide__ = True
    deadline = time.monotonic() + seconds
    while True:
        trouble = ""
        try:
            if found := look():
                return found
        except TimeoutException:  # a page that never came; looking again might press twice
            raise
        except WebDriverException as error:
            trouble = str(error.msg).partition("\n")[0]
        if time.monotonic() > deadline:
            break
        time.sleep(LOOKING)
    shows = driver.execute_script("return document.body ? document.body.innerText : ''")
    pytest.fail(
        f"{sentence} did not come within {seconds} s. {trouble}\n"
        f"{driver.current_url} shows:\n{shows}\n" + "\n".join(complaints(driver))
    )


def shown(driver: Chrome, css: str, text: str = "") -> WebElement | None:
    """The first element that can be seen and holds the text, if there is one now."""
    found: WebElement | None = driver.execute_script(SHOWN, css, text)
    return found


def see(driver: Chrome, css: str, text: str = "", seconds: float = PATIENCE) -> WebElement:
    """Wait for an element that can be seen and holds the text."""
    __tracebackhide__ = True
    found = until(driver, f"{css} {text!r}", lambda: shown(driver, css, text), seconds)
    assert found
    return found


def press(driver: Chrome, css: str, text: str = "") -> None:
    """Press it with the mouse as soon as it is there and not disabled."""
    __tracebackhide__ = True

    def pressed() -> bool:
        element = shown(driver, css, text)
        if element is None or not element.is_enabled():
            return False
        element.click()
        return True

    until(driver, f"{css} {text!r} to press", pressed)


def fill(driver: Chrome, css: str, text: str) -> None:
    """Replace what stands in a field."""
    __tracebackhide__ = True

    def filled() -> bool:
        field = shown(driver, css)
        if field is None:
            return False
        field.clear()
        field.send_keys(text)
        return True

    until(driver, f"{css} to fill", filled)


def keys(driver: Chrome, *typed: str) -> None:
    """Type, wherever the focus is."""
    ActionChains(driver).send_keys(*typed).perform()


def tab_to(driver: Chrome, css: str, most: int = 300) -> None:
    """Go on with the Tab key until the focus is there."""
    __tracebackhide__ = True
    for _ in range(most):
        if driver.execute_script("return document.activeElement.matches(arguments[0])", css):
            return
        keys(driver, Keys.TAB)
    pytest.fail(f"{css} cannot be reached with the Tab key on {driver.current_url}")


def shot(driver: Chrome, name: str) -> None:
    """Wait until nothing moves; with PARLOUR_SCREENSHOTS=1 keep a picture in build/screenshots."""
    driver.execute_async_script(AT_REST)
    if not os.environ.get("PARLOUR_SCREENSHOTS"):
        return
    page = driver.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
    picture = driver.execute_cdp_cmd(
        "Page.captureScreenshot", {"captureBeyondViewport": True, "clip": {**page, "scale": 1}}
    )
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    file = SCREENSHOTS / f"{name}.png"
    file.write_bytes(base64.b64decode(picture["data"]))


def expect_no_shift(*drivers: Chrome) -> None:
    """Expect that nothing has moved on these pages by itself since they were opened."""
    __tracebackhide__ = True
    for driver in drivers:
        total, moved = driver.execute_async_script(SHIFTS)
        assert total <= MOST_SHIFT, "\n".join(moved)


class Server:
    """`parlour web` as a process of its own, on a port and with a folder that it keeps."""

    def __init__(self, folder: Path, database: str = "", *options: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.database = database or f"sqlite:///{folder / 'parlour.db'}"
        self.options = options
        self.folder = folder
        self.processes: list[Forked | subprocess.Popen[bytes]] = []

    @property
    def log(self) -> str:
        """All that it has printed, over all its starts."""
        return (self.folder / "log.txt").read_text(errors="replace")

    @property
    def runs(self) -> bool:
        return self.processes[-1].poll() is None

    def start(self) -> None:
        """Begin, and wait until the first page can be had."""
        __tracebackhide__ = True
        place = ("--host", "127.0.0.1", "--port", str(self.port), "--database", self.database)
        process = start_server(
            ["web", *place, *self.options],
            self.folder / "log.txt",
            {**os.environ, "XDG_DATA_HOME": str(self.folder)},
        )
        self.processes.append(process)
        deadline = time.monotonic() + START
        while not self.answers():
            with contextlib.suppress(subprocess.TimeoutExpired):
                code = process.wait(LOOKING)
                pytest.fail(f"The server ended by itself with {code}:\n{self.log}")
            if time.monotonic() > deadline:
                pytest.fail(f"No first page came from {self.url} in {START} s:\n{self.log}")

    def answers(self) -> bool:
        """Whether the first page can be had."""
        asked = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        with contextlib.closing(asked), contextlib.suppress(OSError, http.client.HTTPException):
            asked.request("GET", "/", headers={"Accept": "text/html"})
            return asked.getresponse().status < http.HTTPStatus.BAD_REQUEST
        return False

    def kill(self) -> None:
        """End it without warning, as a power cut would."""
        self.processes[-1].kill()
        self.processes[-1].wait()

    def stop(self) -> int:
        """Ask it to end; its exit code."""
        self.processes[-1].send_signal(signal.SIGTERM)
        try:
            return self.processes[-1].wait(PATIENCE)
        except subprocess.TimeoutExpired:
            pytest.fail(f"The server did not end in {PATIENCE} s when asked to:\n{self.log}")

    def close(self) -> None:
        """End everything it has ever started."""
        for process in self.processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture(name="start_server")
def _start_server(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[..., Server]]:
    """Servers of the test's own, ended with it: `start_server(database, *options)`."""
    servers: list[Server] = []

    def start(database: str = "", *options: str) -> Server:
        server = Server(tmp_path_factory.mktemp("web"), database, *options)
        servers.append(server)
        server.start()
        return server

    yield start
    for server in servers:
        server.close()
        sys.stdout.write(server.log)  # shown by pytest when the test has failed


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The one server of all tests that only use it."""
    with contextlib.closing(Server(tmp_path_factory.mktemp("web"))) as server:
        server.start()
        yield server


@pytest.fixture
def server(shared_server: Server) -> Iterator[Server]:
    """A server that others have used and will use: it must go on running."""
    before = len(shared_server.log)
    if not shared_server.runs:
        shared_server.start()
    yield shared_server
    sys.stdout.write(shared_server.log[before:])  # shown by pytest when the test has failed
