"""What on a page would hinder somebody who hears it read, moves in it with keys alone, or sees
little: what axe-core finds, words that are too small, and a page that is wider than its window.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from selenium.webdriver import Chrome

from tests.needs import need

AXE = Path(__file__).parents[3] / "build/npm/node_modules/axe-core/axe.min.js"
IMPACTS = ("serious", "critical")

# Nothing is fetched for it, and it answers with what it found and where.
LOOK = """
const [without, done] = arguments;
const rules = Object.fromEntries(without.map(rule => [rule, {enabled: false}]));
axe.run(document, {preload: false, resultTypes: ["violations"], rules}).then(
  found => done(found.violations),
  error => done([{impact: "critical", id: "axe", help: String(error), nodes: []}]),
);
"""

# Words smaller than 16 px outside of drawings, and by how much the page is wider than the window.
MEASURE = """
const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), small = [];
while (words.nextNode()) {
  const { parentElement: around, data } = words.currentNode;
  const isSmall = parseFloat(getComputedStyle(around).fontSize) < 16;
  if (data.trim() && isSmall && !around.closest("svg, noscript")) small.push(data.trim());
}
const { scrollWidth, clientWidth } = document.documentElement;
return [small, scrollWidth - clientWidth];
"""


def axe(driver: Chrome, without: Sequence[str] = ()) -> list[str]:
    """Return every serious violation on the page, one sentence each.

    Rules that have looked at the same page before can be left out.
    """
    need(AXE.exists(), "Looking at pages with axe-core needs npm: run tools/install_test_needs.sh.")
    if not driver.execute_script("return 'axe' in window"):
        driver.execute_script(AXE.read_text())
    return [
        f"{found['id']}: {found['help']}, at {' '.join(map(str, place['target']))}"
        for found in driver.execute_async_script(LOOK, list(without))
        if found["impact"] in IMPACTS
        for place in found["nodes"] or [{"target": ["the page"]}]
    ]


def barriers(driver: Chrome, without: Sequence[str] = ()) -> list[str]:
    """Return all that axe-core finds, the words that are too small, and an overflow to the side."""
    small, beyond = driver.execute_script(MEASURE)
    overflow = [f"the page is {beyond} px wider than the window"] * (beyond > 0)
    return axe(driver, without) + [f"too small: {each}" for each in small] + overflow
