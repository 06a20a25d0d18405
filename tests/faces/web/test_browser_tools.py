"""The browser tests would be worth nothing if these did not find what they look for."""

from urllib.parse import quote

import pytest

from tests.faces.web.axe import axe, barriers
from tests.faces.web.browser import PHONE, complaints, expect_no_shift

pytestmark = pytest.mark.long

HEAD = '<!doctype html><html lang="en"><meta charset="utf-8"><title>A page</title>'
WORDS = "<main><h1>A page</h1><p>Words.</p></main>"
FAULTS = """
<main><h1>A page</h1><img src="data:,"><button></button>
<p style="color: #ddd; background: #fff">Hardly to be read.</p></main>
"""
LAYOUT = '<meta name="viewport" content="width=device-width"><main><h1>A page</h1>'
LAYOUT += "<p style='width: 2000px'>Wide.</p><small>Tiny.</small></main>"
INLINE = """
<meta http-equiv="Content-Security-Policy" content="script-src 'none'">
<script>document.title = 'bad'</script>
"""


def show(driver, page):
    driver.get("data:text/html;charset=utf-8," + quote(HEAD + page))


def test_axe_finds_planted_faults_and_nothing_else(browser):
    driver = browser()
    show(driver, WORDS)
    assert axe(driver) == []
    show(driver, FAULTS)
    found = {each.partition(":")[0] for each in axe(driver)}
    assert found == {"button-name", "color-contrast", "image-alt"}


def test_small_words_and_a_wide_page_are_barriers(browser):
    driver = browser(PHONE)
    show(driver, LAYOUT)
    assert barriers(driver) == [
        "too small: Tiny.",
        "the page is 1618 px wider than the window",  # 2,000 and a margin of 8, of 390
    ]


def test_movement_and_refused_scripts_are_noticed(browser):
    driver = browser()
    show(driver, WORDS)
    expect_no_shift(driver)
    driver.execute_script("document.querySelector('h1').style.marginTop = '300px'")
    with pytest.raises(AssertionError, match=r"Words\."):
        expect_no_shift(driver)
    show(driver, INLINE)
    assert [line for line in complaints(driver) if "Content Security Policy" in line]
    assert driver.title == "A page"
