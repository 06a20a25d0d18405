"""The processor that a figure was measured on."""

from __future__ import annotations

import platform
from pathlib import Path


def processor() -> str:
    """Return the name of this processor, with the widest vectors it knows."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text().splitlines() if path.exists() else []
    fields = dict(line.replace("\t", "").split(":", 1) for line in lines if ":" in line)
    name = fields.get("model name", platform.processor() or platform.machine()).strip()
    flags = fields.get("flags", "").split()
    widest = next((wide for wide in ("avx512f", "avx2") if wide in flags), "")
    numbers = (
        f"{word} {fields[word].strip()}" for word in ("cpu family", "model") if word in fields
    )
    return ", ".join([name, *numbers, *([widest] if widest else [])])
