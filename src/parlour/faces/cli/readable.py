"""Output that cannot show a character: `text.encode(encoding, READABLE)` writes it in ASCII."""

from __future__ import annotations

import codecs

READABLE = "parlour-readable"  # the name of the error handler for outputs
IN_ASCII = dict(  # what Unicode does not take apart into letters and accents
    pair.split(" ")
    for pair in (
        "▲ ^,▼ v,● o,△ ^,▽ v,○ o,• *,· .,≈ ~,× x,÷ /,± +-,− -,½ .5,µ u,→ ->,… ...,"
        "’ ',‘ ',“ \",” \",– -,— -,ø o,Ø O,ß ss,æ ae,Æ AE,œ oe,ł l,đ d"
    ).split(",")
)


def _make_readable(error: UnicodeError) -> tuple[str, int]:
    """What stands for characters that an output cannot show: `^` for a triangle, `e` for `è`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_to_ascii, error.object[error.start : error.end])), error.end


def _to_ascii(char: str) -> str:
    if char in IN_ASCII:
        return IN_ASCII[char]
    import unicodedata  # few outputs need it

    bare = "".join(part for part in unicodedata.normalize("NFKD", char) if part.isascii())
    return bare or "?"


codecs.register_error(READABLE, _make_readable)
