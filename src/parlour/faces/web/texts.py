"""The words of the site in the reader's language.

The catalogue is GNU gettext: `locale/LANGUAGE/LC_MESSAGES/parlour.po`, compiled beside it. A
request is answered in the language that its cookie names, else in the one the browser likes best.
It is kept in a context variable, which threads started for a request inherit; live pages, rendered
for many readers, set it by `use_language`.

Texts of the site itself are marked where they stand: `_("Save")`, `{% trans %}` in templates. What
comes from the packages below, or was raised as an error, is plain English there and is translated
where it is shown, by `translate` or `passage`.
"""

from __future__ import annotations

import gettext as catalogues
import html
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from parlour.faces.web.sentences import WORD, Patterns

LANGUAGES = {"en": "English", "de": "Deutsch", "es": "Español"}
COOKIE = "language"
GROUPS = {"en": ",", "de": ".", "es": "\N{NARROW NO-BREAK SPACE}"}  # of three digits
PLIES = {"ply": "move", "plies": "moves", "Plies": "Moves"}  # the page's word, in English too
SHORT = 8  # letters of a name that always fit
STAND_IN = "\N{OBJECT REPLACEMENT CHARACTER}"  # for a name, which is not translated
MAX_RANGES = 20  # of an Accept-Language header that are read

_language: ContextVar[str] = ContextVar("language", default="en")


# The language of a request


def language() -> str:
    """Return the language that is being answered in: "en", "de" or "es"."""
    return _language.get()


@contextmanager
def use_language(name: str) -> Iterator[None]:
    """Answer in a language meanwhile."""
    token = _language.set(known_language(name))
    try:
        yield
    finally:
        _language.reset(token)


def known_language(name: str) -> str:
    """Return the language of this name, or English."""
    return name if name in LANGUAGES else "en"


def choose_language(headers: Mapping[str, str]) -> str:
    """Return the language of a request: the one its cookie names, else the browser's favourite."""
    try:
        chosen = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        chosen = None
    if chosen is not None and chosen.value in LANGUAGES:
        return chosen.value
    return negotiate(headers.get("accept-language", ""))


def negotiate(accepted: str) -> str:
    """Return the language of ours that an Accept-Language header likes best, else English.

    `de-AT` is content with German; q=0 refuses a language. Among equals the first listed wins.
    """
    best, most = "en", 0.0
    for part in accepted.split(",")[:MAX_RANGES]:
        tag, *parameters = (piece.strip() for piece in part.split(";"))
        name = tag.casefold().partition("-")[0]
        quality = 1.0
        for each in parameters:
            if found := re.fullmatch(r"q\s*=\s*([01](?:\.[0-9]{0,3})?)", each, re.IGNORECASE):
                quality = float(found[1])
        if quality > most and (name in LANGUAGES or name == "*"):
            best, most = ("en" if name == "*" else name), quality
    return best


# Texts of the site


@cache
def _translations(name: str) -> catalogues.NullTranslations:
    folder = Path(__file__).parent / "locale"
    return catalogues.translation("parlour", folder, [name], fallback=True)


def gettext(text: str) -> str:
    """Return a text of the site in the reader's language."""
    return _translations(language()).gettext(text)


def ngettext(singular: str, plural: str, number: int) -> str:
    """Return the form of a text that fits a number, in the reader's language."""
    return _translations(language()).ngettext(singular, plural, number)


def pgettext(context: str, text: str) -> str:
    """Return a text whose translation depends on where it stands."""
    return _translations(language()).pgettext(context, text)


def _(text: str, **values: Any) -> str:
    """Return a text of the site in the reader's language, with values: `_("%(n)s more", n=3)`.

    If a value is markup, so is the result.
    """
    found = gettext(text)
    if any(hasattr(value, "__html__") for value in values.values()):
        found = Markup(found)  # noqa: S704, the catalogue is ours
    return found % values


def number(value: int) -> str:
    """Return a number with its digits in groups of three."""
    return f"{value:,}".replace(",", GROUPS[language()])


# Texts from the packages below


def translate(text: str) -> str:
    """Return an English text of the packages below in the reader's language, as far as possible."""
    return "".join(part for part, _ in _translate_parts(str(text)))


def passage(text: str) -> Markup:
    """Return an English text in the reader's language, with what stays English marked as such."""
    return Markup().join(
        part if done else Markup('<span lang="en">{}</span>').format(part)
        for part, done in _translate_parts(str(text))
    )


def _translate_parts(text: str) -> Sequence[tuple[str, bool]]:
    if language() == "en":
        return [(WORD.sub(lambda word: PLIES.get(word[0], word[0]), text), True)]
    return _patterns(language()).translate_parts(text)


@cache
def _patterns(name: str) -> Patterns:
    texts = getattr(_translations(name), "_catalog", {})
    plain = {text: found for text, found in texts.items() if isinstance(text, str)}
    without_context = {text: found for text, found in plain.items() if text and "\4" not in text}
    return Patterns(without_context, GROUPS[name])


def name_player(name: str) -> str:
    """Return what a player is called on the page: names of people stay as they are."""
    if name == "You":
        return _("You")
    if found := re.fullmatch(r"Player (\d+)", name):
        return _("Player %(number)s", number=found[1])
    if name.endswith(" bot"):
        return _("%(name)s bot", name=name.removesuffix(" bot"))
    return name


def name_in_sentence(words: tuple[str, str]) -> Markup:
    """Return a name and the rest of a sentence, translated, with the name where it may be cut."""
    name, rest = words
    if name == "You" or not name:
        return escape(translate(f"{name} {rest}".strip()))
    shown = name_player(name)
    title = Markup(' title="{}"').format(shown) if len(shown) > SHORT else ""
    marked = Markup('<span class="name"{}>{}</span>').format(title, shown)
    return escape(translate(f"{STAND_IN} {rest}")).replace(STAND_IN, marked)


def translate_labels(choices: Sequence[Any]) -> list[tuple[str, ...]]:
    """Translate all but the first of each choice of a form: its label, and what is said of it."""
    pairs = ((each, each) if isinstance(each, str) else each for each in choices)
    return [(key, *map(translate, labels)) for key, *labels in pairs]


IN_MARKUP = re.compile(
    r'(?P<before>\b(?:aria-label|title|alt|placeholder)=")(?P<value>[^"]+)"|>(?P<text>[^<>]+)<'
)


def translate_markup(markup: str, names: Sequence[str] = ()) -> Markup:
    """Translate the texts in a drawing: what it shows, and what it says to screen readers.

    A text may be the name of a player or begin with one: `Ann, left hand, 1 finger`.
    """

    def replace(found: re.Match[str]) -> str:
        if found["text"] is None:
            return f'{found["before"]}{_in_markup(found["value"], names)}"'
        return f">{_in_markup(found['text'], names)}<"

    return Markup(IN_MARKUP.sub(replace, markup))  # noqa: S704, escaped again piece by piece


def _in_markup(text: str, names: Sequence[str]) -> str:
    bare = html.unescape(text)
    shown = bare.strip()
    return text if not shown else str(escape(bare.replace(shown, _with_name(shown, names))))


def _with_name(text: str, names: Sequence[str]) -> str:
    for name in names:
        if text == name:
            return name_player(name)
        if text.endswith("…") and name.startswith(text[:-1]):  # there was no room for all of it
            return text
        if text.startswith(f"{name}, "):
            said = translate(f"{STAND_IN}{text.removeprefix(name)}")
            return said.replace(STAND_IN, name_player(name))
    return translate(text)
