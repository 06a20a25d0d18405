"""Leaves a file wherever it can, and says where it could."""

import contextlib
from dataclasses import dataclass
from pathlib import Path

from parlour import option


@dataclass(frozen=True)
class Writer:
    name = "writer"
    places: str = option("", "folders to write to, with colons between them")

    def choose(self, game, state):
        written = []
        for place in self.places.split(":"):
            with contextlib.suppress(OSError):
                Path(place).mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(OSError):
                Path(place, "left_behind").write_text("here", encoding="ascii")
                written.append(place)
        with contextlib.suppress(OSError):
            Path(__file__).write_text("def choose(game, state): return None", encoding="ascii")
            written.append(__file__)
        raise OSError(f"could write to {written}")
