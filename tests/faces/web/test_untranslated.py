"""A reader of another language is shown no English that is not marked as English.

The language of this test is English in wide letters, made of the texts in the code: all that a page
shows in ordinary letters has not passed through a catalogue, and must be data, such as a name or a
move. Whether there is a translation already makes no difference.
"""

from __future__ import annotations

import gettext
import re
import string
from html.parser import HTMLParser

import pytest

from parlour.faces.web import texts
from tests.faces.web.house import lift_limits, opened_in, wait_until
from tests.faces.web.test_browser_pages import PAGES
from tests.tools.texts import extract_texts

pytestmark = pytest.mark.slow

HOLE = re.compile(r"%\(\w+\)s|%%|\{\{|\}\}|\{[^{}]*\}|</?\w[^>]*>")
LETTERS = {ord(each): ord(each) + 0xFEE0 for each in string.ascii_letters}
SAID = ("aria-label", "title", "alt", "placeholder", "summary")
UNSEEN = ("script", "style", "template", "code", "pre", "noscript")
VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
# Data: names, moves, positions, formats, what programs are called, and options as they are typed.
DATA = re.compile(
    r"Parlour|Benedict|English|Deutsch|Español|MENACE|API|JSON|CSV|GGF|OBF|WTHOR|UTC|Elo|RSS|Atom"
    r"|\b(Ann|Annabelle|Bob|Rex(-[0-9a-f]{8})?|Bartholomew the extraordinarily long)\b"
    r"|\b(Ida|Alexandra-Sophie)\b|\b[2-9a-z]{3}-[2-9a-z]{3}\b|^[2-9a-z]{5}$"
    r"|(?<=Ｏｐｅｎｉｎｇ: ).*|Quick, and fond of corners."
    r"|Tiger and friends|The tiger. What now\?|<iframe .*|results\.json|Two lines and a trap"
    r"|Black begins; all four squares are alike|The (perpendicular opening|main line)|Too early"
    r"|\b[a-h][1-9]\b|\b[XO]\b|\b[A-D]\b|[a-z_]+=\S+|\b\d+[kM]\b|\bk\b|\bn\b|/\S+|abcd-2345"
    r"|\b(perfect|benedict|minimax|standard|one-at-a-time|brute-force|short-prediction|random|hats"
    r"|engine|despacito|school)\b( \w+)?|'hit left right'|'split 2 0'"
)


def widen(text: str) -> str:
    """The text in wide letters, with its placeholders as they are, but for English grammar."""
    parts = re.split(f"({HOLE.pattern})", text)
    kept = [each for each in parts if each not in extract_texts().GRAMMAR]
    return "".join(each if HOLE.fullmatch(each) else each.translate(LETTERS) for each in kept)


class Wide(gettext.NullTranslations):
    """Every text in the code, in wide letters."""

    def __init__(self, catalog) -> None:
        super().__init__()
        self._known = {
            text
            for message in catalog
            for text in (message.id if message.pluralizable else (message.id,))
        }

    def gettext(self, text):
        return widen(text) if text in self._known else ""

    def pgettext(self, context, text):
        return widen(text)

    def ngettext(self, one, many, number):
        return self.gettext(one if number == 1 else many)


class Page(HTMLParser):
    """What a page shows and says, outside of what is marked as English."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []
        self._open: list[tuple[str, bool]] = []

    @property
    def _quiet(self) -> bool:
        return any(skipped for _, skipped in self._open)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        english = given.get("lang") == "en" and tag != "html"
        if not self._quiet and not english:
            self.shown += [given[name] for name in SAID if given.get(name)]
        if tag not in VOID:
            self._open.append((tag, english or tag in UNSEEN))

    def handle_endtag(self, tag):
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        if not self._quiet and data.strip():
            self.shown.append(" ".join(data.split()))


def left_in_english(page: str) -> list[str]:
    """The texts of a page in which ordinary letters stand that are no data."""
    reader = Page()
    reader.feed(page)
    return [text for text in reader.shown if re.search("[A-Za-z]{2}", DATA.sub("", text))]


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A house in whose lobby no other test leaves names."""
    with opened_in(tmp_path_factory.mktemp("untranslated")) as found:
        yield found


@pytest.fixture(scope="module")
def wide():
    """A language of wide letters, called xx."""
    tool, find = extract_texts(), texts._translations
    translations = Wide(tool.collect())
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(texts.LANGUAGES, "xx", "Ｗｉｄｅ")
        patch.setitem(texts.GROUPS, "xx", ",")
        patch.setattr(
            texts, "_translations", lambda name: translations if name == "xx" else find(name)
        )
        yield


WAITS = re.compile('data-again|id="pending"')  # something is still being worked out


def read_page(guest, path: str) -> str:
    """A page in the language of this test, once everything on it is there."""
    cookies = f"parlour={guest.cookie}; language=xx"

    def look() -> str | None:
        page = guest.get(path, Cookie=cookies).text
        return None if WAITS.search(page) else page

    return str(wait_until(look))


def test_no_page_shows_english_to_a_reader_of_another_language(house, wide, monkeypatch):
    lift_limits(monkeypatch)
    wrong = []
    for name, (where, _) in PAGES.items():
        guest = house.browser()
        page = read_page(guest, where if isinstance(where, str) else where(guest))
        left = left_in_english(page) if 'lang="xx"' in page else ["it is in another language"]
        wrong += [f"{name}: {text}" for text in left]
    assert not wrong, "\n".join(wrong)
