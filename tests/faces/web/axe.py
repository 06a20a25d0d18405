"""axe-core looks at a page as those do who hear it read or move in it with keys alone, and finds
what would hinder them: a picture without words, grey on grey, a button that has no name.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from selenium.webdriver import Chrome

from tests.needs import need

AXE = Path(__file__).parents[3] / "build/npm/node_modules/axe-core/axe.min.js"
HINDERS = ("serious", "critical")

# Nothing is fetched for it, and it answers with what it found and where.
LOOK = """
const [without, done] = arguments;
const rules = Object.fromEntries(without.map(rule => [rule, {enabled: false}]));
axe.run(document, {preload: false, resultTypes: ["violations"], rules}).then(
  found => done(found.violations),
  error => done([{impact: "critical", id: "axe", help: String(error), nodes: []}]),
);
"""


def axe(driver: Chrome, without: Sequence[str] = ()) -> list[str]:
    """Everything on the page that seriously hinders somebody, one sentence each.

    Rules that have looked at the same page before can be left out.
    """
    need(AXE.exists(), "Looking at pages with axe-core needs npm: run tools/install_test_needs.sh.")
    if not driver.execute_script("return 'axe' in window"):
        driver.execute_script(AXE.read_text())
    return [
        f"{found['id']}: {found['help']}, at {' '.join(map(str, place['target']))}"
        for found in driver.execute_async_script(LOOK, list(without))
        if found["impact"] in HINDERS
        for place in found["nodes"] or [{"target": ["the page"]}]
    ]
