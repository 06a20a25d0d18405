"""Options: what can be set on a game or a bot, declared once and used by every face.

A game or a bot is a dataclass whose fields are made by `option()`. The annotation of the field says
what kind of value it holds; the option gives the limits and a description. That one declaration
serves to check values, to read typed text, and to describe the option as JSON schema for web forms,
the API, command-line flags and Benedict's questions.
"""

from __future__ import annotations

import dataclasses
import math
import re
import shlex
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from parlour.core.errors import BadOption, BadText, UnknownName
from parlour.core.sentences import quote, say, suggest, whole

YES = frozenset({"yes", "y", "true", "on", "1"})
NO = frozenset({"no", "n", "false", "off", "0"})
NOTHING = frozenset({"", "none", "no", "off"})
SCALARS: dict[str, type] = {"bool": bool, "int": int, "float": float, "str": str}
WORDS: dict[type, tuple[str, str]] = {
    int: (say("a whole number"), say("whole numbers")),
    float: (say("a number"), say("numbers")),
    str: (say("a text"), say("texts")),
    bool: (say("yes or no"), say("yes or no")),
}
JSON_TYPES = {bool: "boolean", int: "integer", float: "number", str: "string"}
GROUP = r"[(\[]([^()\[\]]*)[)\]]"
BRACKETED = re.compile(rf"[\s,;/|]*(?:{GROUP}[\s,;/|]*)+")
KIND = re.compile(r"(tuple\[)?(tuple\[)?(bool|int|float|str)(, \.\.\.\])?(, \.\.\.\])?( \| None)?")


class _Unset:
    """The value of a field until the chosen preset fills it."""

    def __repr__(self) -> str:
        return "as the preset says"


UNSET: Any = _Unset()


@dataclasses.dataclass(frozen=True)
class Option:
    """One option: its kind and its limits."""

    default: Any
    about: str
    low: float | None = None
    high: float | None = None
    longest: int | None = None
    choices: tuple[str, ...] = ()
    presets: Mapping[str, Mapping[str, Any]] | None = None
    bundles: Mapping[str, tuple[Any, ...]] = dataclasses.field(default_factory=dict)
    name: str = ""  # this and the rest come from the field it is given to
    kind: type = str
    depth: int = 0  # 0 a single value, 1 a list of them, 2 a list of lists
    optional: bool = False

    @property
    def has_default(self) -> bool:
        """Whether it has a default of its own; if not, the chosen preset fills it."""
        return self.default is not UNSET

    @property
    def allowed(self) -> str:
        """What is allowed, as the end of a sentence."""
        if self.choices:
            return say("it must be {choices:or}", choices=self.choices)
        single, many = WORDS[self.kind]
        what = (single, many, say("lists of {many}", many=many))[self.depth]
        low, high = self.low, self.high
        if low is not None and high is not None:
            what = say("{what} from {low} to {high}", what=what, low=low, high=high)
        elif low is not None:
            what = say("{what} of at least {low}", what=what, low=low)
        elif high is not None:
            what = say("{what} of at most {high}", what=what, high=high)
        if self.longest is not None:
            what = say("{what}, at most {longest} of them", what=what, longest=self.longest)
        if self.optional:
            return say("it must be {what}, or none", what=what)
        return say("it must be {what}", what=what)

    @property
    def limits(self) -> str:
        """What numbers and how many are allowed, in few words: `1 to 19`, or nothing."""
        words = ""
        if self.low is not None and self.high is not None:
            words = f"{self.low:,} to {self.high:,}"
        elif self.low is not None:
            words = f"{self.low:,} or more"
        elif self.high is not None:
            words = f"at most {self.high:,}"
        each = f"each {words}" if words and self.depth else words
        most = "" if self.longest is None else f"at most {self.longest} numbers"
        return ", ".join(filter(None, (each, most)))

    def check(self, value: object) -> Any:
        """Return the value with lists as tuples; `BadOption` when it is not allowed."""
        value = unwrap(value)
        if value is None and self.optional:
            return None
        try:
            return self._check(value, self.depth)
        except (TypeError, RecursionError):
            raise BadOption(self.name, value, self.allowed) from None

    def _check(self, value: Any, depth: int) -> Any:
        if depth:
            if not isinstance(value, tuple | list | range):
                raise TypeError
            if self.longest is not None and len(value) > self.longest:
                raise TypeError
            return tuple(self._check(unwrap(item), depth - 1) for item in value)
        if self.kind is float and type(value) is int and abs(value) < 2**53:
            value = float(value)
        if type(value) is not self.kind or (self.choices and value not in self.choices):
            raise TypeError
        if isinstance(value, int | float):
            low = -math.inf if self.low is None else self.low
            high = math.inf if self.high is None else self.high
            if not low <= value <= high or math.isinf(value):
                raise TypeError
        return value

    def read(self, text: str) -> Any:
        """Return the value that a text means; `BadOption` when it is not allowed."""
        if self.optional and text.strip().casefold() in NOTHING:
            return None
        if self.kind is not str or self.depth or self.choices:  # free text is kept as typed
            text = text.strip()
        if self.kind is not str or self.choices:
            text = text.casefold()
        try:
            return self.check(self._read(text, self.depth))
        except (TypeError, ValueError, BadOption):
            raise BadOption(self.name, text, self.allowed) from None

    def _read(self, text: str, depth: int) -> Any:
        if depth and text.casefold() in NOTHING:
            return ()
        if depth == 2:
            return tuple(self._group(group) for group in self._groups(text))
        if depth == 1:
            words = re.sub(r"\band\b|[\s,;+()\[\]]", " ", text).split()
            return tuple(self._read(word, 0) for word in words)
        if self.kind is bool:
            if text in YES or text in NO:
                return text in YES
            raise ValueError
        if self.kind is int:
            if not re.fullmatch(r"[+-]?[0-9]+", text):
                raise ValueError
            size = whole(text.lstrip("+-"))
            return -size if text[0] == "-" else size
        if self.kind is float:
            return float(text)
        return {choice.casefold(): choice for choice in self.choices}.get(text, text)

    def _groups(self, text: str) -> list[str]:
        """Split a list of lists: `1,2;3`, `(1,2),(3)` or `[[1,2],[3]]`."""
        if not re.search(r"[()\[\]]", text):
            return re.split(r"[;/|]", text)
        around = re.fullmatch(r"[(\[](\s*[(\[].*)[)\]]", text, re.DOTALL)
        if not BRACKETED.fullmatch(around[1] if around else text):
            raise ValueError
        return re.findall(GROUP, text)

    def _group(self, text: str) -> Any:
        """Read one of the lists; anything may stand between whole numbers."""
        if self.kind is int:
            text = " ".join(re.findall("[0-9]+", text))
        items = self._read(text.strip(), 1)
        if not items:
            raise ValueError
        return items

    def write(self, value: Any) -> str:
        """Return the value as text that `read` reads back."""
        if value is None or value == ():
            return "none"
        return self._write(value, self.depth)

    def _write(self, value: Any, depth: int) -> str:
        if depth:
            return ";,"[depth % 2].join(self._write(item, depth - 1) for item in value)
        if self.kind is bool:
            return "yes" if value else "no"
        return str(value)

    def schema(self) -> dict[str, Any]:
        """This option as JSON schema."""
        scalar: dict[str, Any] = {"type": JSON_TYPES[self.kind]}
        if self.choices:
            scalar["enum"] = list(self.choices)
        if self.low is not None:
            scalar["minimum"] = self.low
        if self.high is not None:
            scalar["maximum"] = self.high
        described = scalar
        for _ in range(self.depth):
            described = {"type": "array", "items": described}
            if self.longest is not None:
                described["maxItems"] = self.longest
        if self.optional:
            described = {"anyOf": [described, {"type": "null"}]}
        described["description"] = self.about
        if self.has_default:
            described["default"] = plain(self.default)
        if self.presets:
            described["x-presets"] = {k: plain(dict(v)) for k, v in self.presets.items()}
        if self.bundles:
            described["x-bundles"] = {k: plain(v) for k, v in self.bundles.items()}
        return described


def unwrap(value: Any) -> Any:
    """Return the plain values in a number, array or series of another library."""
    to_list = getattr(value, "tolist", None) or getattr(value, "to_list", None)
    return to_list() if callable(to_list) and not isinstance(value, type) else value


def check_argument(name: str, value: Any, kind: type, **limits: Any) -> Any:
    """Return an argument as a plain value; `BadOption` if it is not within limits of an option."""
    return Option(None, "", name=name, kind=kind, **limits).check(value)


def check_type(name: str, value: Any, kind: Any, allowed: str) -> Any:
    """Return an argument if it is of this kind; `BadOption` names it and says what is allowed."""
    if not isinstance(value, kind):
        raise BadOption(name, value, allowed)
    return value


def option(
    default: Any = UNSET,
    about: str = "",
    *,
    low: float | None = None,
    high: float | None = None,
    longest: int | None = None,
    choices: tuple[str, ...] = (),
    presets: Mapping[str, Mapping[str, Any]] | None = None,
    bundles: Mapping[str, tuple[Any, ...]] | None = None,
) -> Any:
    """Declare a field of a game or bot as an option.

    `low` and `high` bound every number in it, `longest` the length of a list, `choices` the texts
    it may be. An option with `presets` chooses among them by name, and the chosen preset fills the
    fields that have no default. `bundles` are named values to add to a list all at once.
    """
    choices = tuple(presets) if presets else choices
    opt = Option(default, about, low, high, longest, choices, presets, bundles or {})
    return dataclasses.field(default=default, metadata={"option": opt})


_OPTIONS: dict[type, dict[str, Option]] = {}


def options_of(cls: type) -> dict[str, Option]:
    """Return the options that a game or bot class declares, by name, in order."""
    if cls not in _OPTIONS:
        _OPTIONS[cls] = _read_fields(cls) if dataclasses.is_dataclass(cls) else {}
    return _OPTIONS[cls]


def _read_fields(cls: Any) -> dict[str, Option]:
    found = {}
    for field in dataclasses.fields(cls):
        if "option" in field.metadata:
            annotation = field.type if isinstance(field.type, str) else _spell(field.type)
            kind = KIND.fullmatch(annotation)
            if kind is None or (kind[1] is None) != (kind[4] is None):
                raise TypeError(
                    f"{cls.__name__}.{field.name} is declared as {annotation}; an option is a "
                    "bool, int, float or str, a tuple[int, ...] of one, or a tuple of such tuples, "
                    "each with | None if it may be left open"
                )
            found[field.name] = dataclasses.replace(
                field.metadata["option"],
                name=field.name,
                kind=SCALARS[kind[3]],
                depth=(kind[1] is not None) + (kind[2] is not None),
                optional=kind[6] is not None,
            )
    presets = [opt.presets.values() for opt in found.values() if opt.presets]
    for name, opt in found.items():
        if not opt.has_default and not any(all(name in p for p in each) for each in presets):
            raise TypeError(f"{cls.__name__}: give {name} a default, or a preset that fills it")
    return found


def _spell(annotation: Any) -> str:
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)


def settle(thing: Any) -> None:
    """Fill open options from the preset, and check every option; for `__post_init__`."""
    known, given = options_of(type(thing)), _options(thing)
    filling = _fill_from_presets(known, given)
    for name, opt in known.items():
        value = filling[name] if given[name] is UNSET else given[name]
        object.__setattr__(thing, name, opt.check(value))


def _fill_from_presets(known: Mapping[str, Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of the options that the chosen presets fill."""
    filling: dict[str, Any] = {}
    for name, opt in known.items():
        if opt.presets:
            filling |= opt.presets[opt.check(given.get(name, opt.default))]
    return filling


def without_caches(thing: Any) -> Any:
    """Return what a pickle or copy keeps of an object: all but what it can work out again."""
    state = object.__getstate__(thing)
    if not isinstance(state, dict):
        return state
    cls = type(thing)
    kept = {
        k: v for k, v in state.items() if not isinstance(getattr(cls, k, None), cached_property)
    }
    return kept or None


def reduce_to_options(thing: Any) -> tuple[Any, ...]:
    """Pickle or copy an object as its class and options, without what it holds meanwhile."""
    return _remake, (type(thing), _options(thing))


def _remake(cls: type, options: Mapping[str, Any]) -> Any:
    return cls(**options)


def make(cls: type, name: str, values: Mapping[str, Any]) -> Any:
    """Return a game or bot with these options; an unknown one is refused with a suggestion."""
    for given in values:
        _find_option(cls, name, given)
    return cls(**values)


def read_assignments(cls: type, name: str, words: Iterable[str]) -> dict[str, Any]:
    """Read options that are written as `seed=3`; an unknown one is refused with a suggestion."""
    chosen = {}
    for word in words:
        given, equals, value = word.partition("=")
        if not equals:
            text = quote(word)
            raise BadText("{text} should be an option with its value, like seed=3", text=text)
        given = given.replace("-", "_")
        chosen[given] = _find_option(cls, name, given).read(value)
    return chosen


def _find_option(cls: type, name: str, given: str) -> Option:
    known = options_of(cls)
    if given not in known:
        hint = suggest(given, known)
        if not hint:
            hint = say("; it has {names:or}", names=tuple(known)) if known else say("; it has none")
        raise UnknownName(
            "{name} has no option {given}{hint}", name=name, given=quote(given), hint=hint
        )
    return known[given]


def values(thing: Any) -> dict[str, Any]:
    """Return the value of every option, as JSON values."""
    return {name: plain(value) for name, value in _options(thing).items()}


def _options(thing: Any) -> dict[str, Any]:
    return {name: getattr(thing, name) for name in options_of(type(thing))}


def describe(thing: Any) -> str:
    """Return the name of a game or bot with the options that are not default: `nim misere=yes`."""
    return describe_choice(thing, _options(thing))


def describe_choice(thing: Any, given: Mapping[str, Any]) -> str:
    """Return the same for a class that is to be made with these options."""
    cls = thing if isinstance(thing, type) else type(thing)
    changed = _changed_options(cls, given).items()
    words = [f"{name}={_quote_words(text)}" for name, text in changed]
    return " ".join([str(getattr(thing, "name", cls.__name__)), *words])


def as_flags(thing: Any) -> list[str]:
    """Return the options that are not default as command-line flags: `["--misere", "yes"]`"""
    changed = _changed_options(type(thing), _options(thing)).items()
    return [word for name, text in changed for word in (f"--{name.replace('_', '-')}", text)]


def _changed_options(cls: type, given: Mapping[str, Any]) -> dict[str, str]:
    """Return the options that are not default, as text."""
    known = options_of(cls)
    filling = _fill_from_presets(known, given)
    changed = {}
    for name, opt in known.items():
        usual = opt.default if opt.has_default else filling[name]
        if plain(value := given.get(name, usual)) != plain(usual):
            changed[name] = opt.write(value)
    return changed


def split_command(text: str) -> list[str]:
    """Split a command, or what `describe` wrote, into words as a shell does."""
    try:
        return shlex.split(text)
    except ValueError:
        raise BadText("{text} has an unclosed quotation mark", text=quote(text)) from None


def _quote_words(text: str) -> str:
    """Return the text in quotes if a shell would split it otherwise."""
    return shlex.quote(text) if re.search(r"[\s'\"\\]", text) else text


def plain(value: Any) -> Any:
    """Return the value as JSON has it: lists in place of tuples."""
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


def schema(cls: type) -> dict[str, Any]:
    """Return the options of a game or bot as one JSON schema object."""
    check_type("cls", cls, type, "it must be the class of a game or bot")
    return {
        "type": "object",
        "properties": {name: opt.schema() for name, opt in options_of(cls).items()},
        "additionalProperties": False,
    }
