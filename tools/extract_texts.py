"""Bring the catalogue of the web site up to date with the texts in the code.

    python tools/extract_texts.py           # texts into every parlour.po, then compile them
    python tools/extract_texts.py --check   # only list what is missing, unused or wrong

Babel reads the texts of a page: templates, and `_()` in the code of the site. Sentences that are
made further below, and errors, are the literals of `say`, `say_number` and `count`; those of games
and explanations stand in text files. What games, options and bots are called, and their docstrings,
are asked of the registry.
"""

from __future__ import annotations

import argparse
import ast
import datetime
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from babel.messages import mofile, pofile
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir

ROOT = Path(__file__).parents[1] / "src" / "parlour"
LOCALE = ROOT / "faces" / "web" / "locale"
SOURCES = (  # whose sentences reach a page
    "core rules boards store arena/playing.py arena/results.py arena/sandbox engine truth players "
    "learn lessons faces/web"
).split()
PHRASES = ("rules/sentences/*.txt", "truth/explain/*.txt")
FIXED = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)  # dates would differ for no reason
HOLE = re.compile(r"%\(\w+\)s|(?<!\{)\{[^{}]*\}(?!\})")
LINK = re.compile(r"\{\w+:(and|or)\}")  # a list, and the word before its last item
GRAMMAR = frozenset(  # who does it, and the verb: a translation may have words of its own for them
    "{opponent} {you} {whose} {loser} {has} {takes} {makes} {chooses} {complete} {completes} "
    "{leaves}".split()
)

Message = str | tuple[str, str]  # with its plural


# The texts


def collect() -> Catalog:
    """Return all texts, each with the file where it stands."""
    catalog = Catalog(fuzzy=False)
    options = {"newstyle_gettext": "true", "extensions": "jinja2.ext.i18n", "trimmed": "true"}
    methods = [("templates/**.html", "jinja2.ext:babel_extract"), ("**.py", "python")]
    extracted = extract_from_dir(ROOT / "faces/web", methods, {"templates/**.html": options})
    for file, _, message, _, context in sorted(extracted, key=lambda each: each[0]):
        catalog.add(message, locations=[(f"faces/web/{file}", 0)], context=context)
    for path in list_modules():
        for message in read_module(path.read_text(encoding="utf-8")):
            catalog.add(message, locations=[(path.relative_to(ROOT).as_posix(), 0)])
    for path in sorted(path for pattern in PHRASES for path in ROOT.glob(pattern)):
        for message in read_phrases(path):
            catalog.add(message, locations=[(path.relative_to(ROOT).as_posix(), 0)])
    for text in ask_registry():
        catalog.add(text, locations=[("registry", 0)])
    return catalog


def list_modules() -> Iterator[Path]:
    """List the modules whose sentences reach a page."""
    for source in SOURCES:
        path = ROOT / source
        yield from [path] if path.is_file() else sorted(path.rglob("*.py"))


def read_module(source: str) -> Iterator[Message]:
    """Find the templates in a module: the literals of `say`, `say_number` and `count`, and those
    of errors that are raised with values.
    """
    tree = ast.parse(source)
    raised = {id(node.exc) for node in ast.walk(tree) if isinstance(node, ast.Raise)}
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                pass
            case _:
                continue
        if id(node) in raised and node.keywords:
            name = "say"
        match [name, *map(_literal, node.args)]:
            case ["say", str(template)]:
                found: Message = template
            case ["say_number", _, str(one), str(many)]:
                found = one, many
            case ["count", _, str(thing)]:
                found = f"{{number}} {thing}", f"{{number}} {thing}s"
            case _:
                continue
        first = found if isinstance(found, str) else found[0]
        if has_words(first):
            yield found
        yield from LINK.findall(first)


def read_phrases(path: Path) -> Iterator[Message]:
    """Find the sentences in a text file of games or explanations."""
    from parlour.core import sentences

    for phrase in sentences.Phrases(path):
        if has_words(phrase.one):
            yield (phrase.one, phrase.many) if phrase.many else phrase.one


def has_words(template: str) -> bool:
    """Return whether there is anything in a template to translate."""
    return re.search(r"[^\W\d_]", HOLE.sub("", template)) is not None


def _literal(node: ast.expr) -> Any:
    return node.value if isinstance(node, ast.Constant) else None


def ask_registry() -> set[str]:
    """Return what games and bots say of themselves."""
    from parlour.core import Text, options_of, protocol, registry
    from parlour.faces.web import forms
    from parlour.faces.web.table import list_rules

    found: set[str] = set()
    games = [registry.game(name) for name in registry.games()]
    for game in games:
        found.add((type(game).__doc__ or "").partition("\n")[0])
        for option in options_of(type(game)).values():
            presets = [
                registry.game(game.name, **{option.name: each}) for each in option.presets or ()
            ]
            found |= {
                line
                for each in (game, *presets)
                if protocol.rules_box(each)
                for _, line in list_rules(each)
            }
        for field in forms.fields(game):
            found |= {field.label, field.about, field.single}
            found |= {text for _, text, *_ in (*field.choices, *field.bundles)}
    for name in {name for game in games for name in registry.bots(game)}:
        bot = registry.find("bots", name)
        found.add(" ".join((bot.__doc__ or "").partition("\n\n")[0].split()))
        found |= {option.about for option in options_of(bot).values()}
    templates = {
        text.template if isinstance(text, Text) else text.replace("{", "{{").replace("}", "}}")
        for text in found
    }
    return set(filter(has_words, templates))


# The catalogues


def list_catalogues() -> list[Path]:
    """List the catalogues of all languages."""
    return sorted(LOCALE.glob("*/LC_MESSAGES/parlour.po"))


def read(path: Path) -> Catalog:
    """Return the catalogue in a file."""
    with path.open("rb") as file:
        return pofile.read_po(file, locale=path.parents[1].name, domain="parlour")


def compile_catalogue(path: Path) -> bytes:
    """Return a catalogue as `gettext` reads it."""
    compiled = io.BytesIO()
    mofile.write_mo(compiled, read(path))
    return compiled.getvalue()


def update() -> None:
    """Write the texts into every catalogue and compile it."""
    template = collect()
    for path in list_catalogues():
        catalog = read(path)
        catalog.update(template, no_fuzzy_matching=True)
        catalog.obsolete.clear()
        catalog.header_comment = f"# The texts of Parlour's web site: {path.parents[1].name}."
        catalog.project, catalog.version = "parlour", ""
        catalog.creation_date = catalog.revision_date = FIXED
        with path.open("wb") as file:
            pofile.write_po(file, catalog, width=100, include_lineno=False, sort_output=True)
        path.with_suffix(".mo").write_bytes(compile_catalogue(path))


def find_missing() -> Iterator[str]:
    """Find what is not in the catalogues, no longer used or not translated."""
    wanted = {message.id for message in collect() if message.id}
    for path in list_catalogues():
        language, catalog = path.parents[1].name, read(path)
        known = {message.id: message for message in catalog if message.id}
        for text in sorted(map(str, wanted - known.keys())):
            yield f"{language}: not in the catalogue: {text}"
        for text in sorted(map(str, known.keys() - wanted)):
            yield f"{language}: no longer used: {text}"
        for message in known.values():
            if message.fuzzy or not is_translated(message):
                yield f"{language}: not translated: {message.id}"


def find_faults() -> Iterator[str]:
    """Find translations with other placeholders, and catalogues that are not compiled."""
    for path in list_catalogues():
        language = path.parents[1].name
        for message in read(path):
            if message.id and is_translated(message) and has_other_placeholders(message):
                yield f"{language}: other placeholders: {message.id}"
        if path.with_suffix(".mo").read_bytes() != compile_catalogue(path):
            yield f"{language}: parlour.mo is not compiled from parlour.po"


def is_translated(message: Any) -> bool:
    """Return whether every form of a message has a translation."""
    return all(message.string) if message.pluralizable else bool(message.string)


def has_other_placeholders(message: Any) -> bool:
    """Return whether a translation lacks a placeholder, or has one that the English has not."""
    ids = message.id if message.pluralizable else (message.id,)
    texts = message.string if message.pluralizable else (message.string,)
    wanted = [set(HOLE.findall(each)) for each in ids]
    found = [set(HOLE.findall(each)) for each in texts]
    every, least = set.union(*wanted), set.intersection(*wanted) - GRAMMAR
    return any(not (least <= each <= every) for each in found)


def main() -> int:
    """Bring the catalogue up to date, or check it."""
    parser = argparse.ArgumentParser(description="Bring the catalogue of the web site up to date.")
    parser.add_argument("--check", action="store_true", help="only list what is wrong")
    if not parser.parse_args().check:
        update()
    wrong = [*find_missing(), *find_faults()]
    print("\n".join(wrong))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
