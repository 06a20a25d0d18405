"""Writes beside what is not its own and reads it, and plays only when it found something."""

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from parlour import option


@dataclass(frozen=True)
class Reader:
    name = "reader"
    secrets: str = option("", "files to be read, with colons between them")

    def choose(self, game, state):
        places = [Path(place) for place in self.secrets.split(":")]
        for place in places:
            with suppress(OSError):
                place.with_name("left_behind").write_bytes(b"")
        places += [Path("/proc/1/root", *place.parts[1:]) for place in places]
        places += [Path("/etc/passwd"), Path("/etc/shadow")]
        for place in places:
            if os.access(place, os.R_OK) and place.read_bytes():
                return game.moves(state)[0]
        raise PermissionError("there is nothing to be read")
