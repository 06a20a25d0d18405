"""The words of the site in the reader's language.

The catalogue is GNU gettext: `locale/LANGUAGE/LC_MESSAGES/parlour.po`, compiled beside it. A
request is answered in the language that its cookie names, else in the one the browser likes best.
It is kept in a context variable, which threads started for a request inherit; live pages, rendered
for many readers, set it by `use_language`.

Texts of the site itself are marked where they stand: `_("Save")`, `{% trans %}` in templates. What
comes from the packages below, or was raised as an error, is a `Text`, which a `Catalogue` says by
its template, with `translate` or `passage` where it is shown.
"""

from __future__ import annotations

import gettext as catalogues
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape
from starlette.requests import cookie_parser

from parlour.core import Text, sentences

LANGUAGES = {"en": "English", "de": "Deutsch", "es": "Español"}
COOKIE = "language"
GROUPS = {"en": ",", "de": ".", "es": "\N{NARROW NO-BREAK SPACE}"}  # of three digits
PLIES = {"ply": "move", "plies": "moves", "Plies": "Moves"}  # the page's word, in English too
PLY = re.compile(r"(?<![\w{])(ply|plies|Plies)(?!\w)")  # in a template
SHORT = 8  # letters of a name that always fit
MAX_RANGES = 20  # of an Accept-Language header that are read


# The language of a request


def language() -> str:
    """Return the language that is being answered in: "en", "de" or "es"."""
    return _spoken().name


def _spoken() -> Catalogue:
    found = sentences.current_language.get()
    return found if isinstance(found, Catalogue) else _catalogue("en")


@contextmanager
def use_language(name: str) -> Iterator[None]:
    """Answer in a language meanwhile."""
    token = sentences.current_language.set(_catalogue(known_language(name)))
    try:
        yield
    finally:
        sentences.current_language.reset(token)


def known_language(name: str) -> str:
    """Return the language of this name, or English."""
    return name if name in LANGUAGES else "en"


def choose_language(headers: Mapping[str, str]) -> str:
    """Return the language of a request: the one its cookie names, else the browser's favourite."""
    chosen = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
    return chosen if chosen in LANGUAGES else negotiate(headers.get("accept-language", ""))


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


class Untranslated(catalogues.NullTranslations):
    """Answers for texts that a catalogue does not have: with nothing."""

    def gettext(self, *_: Any, **_named: Any) -> str:
        """Return nothing."""
        return ""

    ngettext = pgettext = gettext


@cache
def _translations(name: str) -> catalogues.NullTranslations:
    folder = Path(__file__).parent / "locale"
    found = catalogues.translation("parlour", folder, [name], fallback=True)
    found.add_fallback(Untranslated())
    return found


def gettext(text: str) -> str:
    """Return a text of the site in the reader's language."""
    return _translations(language()).gettext(text) or text


def ngettext(singular: str, plural: str, number: int) -> str:
    """Return the form of a text that fits a number, in the reader's language."""
    found = _translations(language()).ngettext(singular, plural, number)
    return found or (singular if number == 1 else plural)


def pgettext(context: str, text: str) -> str:
    """Return a text whose translation depends on where it stands."""
    return _translations(language()).pgettext(context, text) or text


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


class Catalogue(sentences.Language):
    """Says texts as a catalogue translates their templates, else in English."""

    sides = True

    def __init__(self, name: str) -> None:
        self.name = name
        self.group = GROUPS[name]

    def look_up(self, template: str, plural: str, number: Any) -> str:
        """Return the translation of a template for a number, or nothing if there is none."""
        found = _translations(self.name)
        if not plural:
            return found.gettext(template)
        whole = number if isinstance(number, int) else 1 + (number != 1)
        return found.ngettext(template, plural, whole)

    def find(self, template: str, plural: str, number: Any) -> str:
        """Return the template to fill, for this number if there is a plural."""
        if translated := self.look_up(template, plural, number):
            return translated
        return PLY.sub(lambda word: PLIES[word[0]], super().find(template, plural, number))


class Passage(Catalogue):
    """Says texts with signs around what stays English, and around names."""

    def write(self, template: str, plural: str, values: Mapping[str, Any], finish: str) -> str:
        """Return a text in this language, marked if it is not."""
        text = super().write(template, plural, values, finish)
        text = STOPPED_TWICE.sub(r"\1", text)
        is_said = self.name == "en" or not sentences.has_words(template)
        if is_said or self.look_up(template, plural, values.get("number")):
            return text
        return f"{STAYS}{text}{END}"

    def say(self, value: object) -> str:
        """Return a text, a name, or anything else as it is."""
        if isinstance(value, Text):
            return super().say(value)
        plain = SIGNS.sub("", str(value))
        return f"{NAME}{plain}{END}" if isinstance(value, Name) else plain


class Name(str):
    """What a player is called, which a page may cut short."""

    __slots__ = ()


STAYS, NAME, END = "\ue000", "\ue001", "\ue002"  # for private use
SIGNS = re.compile("[\ue000-\ue002]")
STOPPED_TWICE = re.compile(f"([.!?…:]['\"”’)]*{END}+)[.]$")
SIGNED_NAME = re.compile(f"{NAME}([^{END}]*){END}")


_catalogue = cache(Catalogue)  # by the name of its language
_passages = cache(Passage)


def translate(text: object) -> str:
    """Return a text in the reader's language; a plain string is looked up as a whole."""
    return _say(_spoken(), text)


def passage(text: object) -> Markup:
    """Return a text in the reader's language, with what stays English marked as such."""
    said = str(escape(_say(_passages(language()), text)))
    said = SIGNED_NAME.sub(lambda found: show_name(Markup(found[1])), said)  # noqa: S704, escaped
    said = said.replace(STAYS, '<span lang="en">').replace(END, "</span>")
    return Markup(said)  # noqa: S704, escaped before the signs became markup


def _say(said_in: Catalogue, text: object) -> str:
    """Say a text; a plain string as if it were a template without values."""
    if isinstance(text, Text | Name):
        return said_in.say(text)
    plain = SIGNS.sub("", str(text)).replace("{", "{{").replace("}", "}}")
    return said_in.write(plain, "", {}, "") if plain else ""


def show_name(name: str) -> Markup:
    """Return a name that may be cut short, and is then shown in full by its title."""
    title = Markup(' title="{}"').format(name) if len(name) > SHORT else ""
    return Markup('<span class="name"{}>{}</span>').format(title, name)


def name_player(name: str) -> str:
    """Return what a player is called on the page: names of people stay as they are."""
    if isinstance(name, Text):  # of a side, as nobody gave a name
        return name
    if name == "You":
        return Name(_("You"))
    if found := re.fullmatch(r"Player (\d+)", name):
        return Name(_("Player %(number)s", number=found[1]))
    if name.endswith(" bot"):
        return Name(_("%(name)s bot", name=name.removesuffix(" bot")))
    return Name(name)


def translate_labels(choices: Sequence[Any]) -> list[tuple[str, ...]]:
    """Translate all but the first of each choice of a form: its label, and what is said of it."""
    pairs = ((each, each) if isinstance(each, str) else each for each in choices)
    return [(key, *map(translate, labels)) for key, *labels in pairs]
