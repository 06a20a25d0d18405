"""Text files beside the code, with words and sentences for people who do not write Python.

A `#` at the beginning of a line is a comment, `[name]` opens a section, an indented line continues
the one before, and everything else is a line of its own.
"""

from __future__ import annotations

from pathlib import Path


def read_sections(path: Path, joint: str = " ") -> dict[str, tuple[str, ...]]:
    """Return the lines of a text file by section, in order."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for row in path.read_text(encoding="utf-8").splitlines():
        if not row.strip() or row.startswith("#"):
            continue
        if row[0] == "[" and row[-1] == "]":
            lines = found.setdefault(row[1:-1], [])
        elif row[0] == " ":
            lines[-1] += joint + row.strip()
        else:
            lines.append(row)
    return {section: tuple(lines) for section, lines in found.items()}
