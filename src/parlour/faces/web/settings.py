"""What the owner of a site decides when it is started; every server process is given the same."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """The decisions, each with what holds if none was made."""

    names: tuple[str, ...] = ()  # by which the site is reached; any, if there are none
    passphrase: str = ""  # that visitors of a private site have to know; none for a public one
    processes: int = 1  # that share its port
    archive: str = ""  # the file of an archive of Othello games, as the explorer makes it
    prefix: str = ""  # the path it is below, as in "/parlour"

    def answers_to(self, host: str) -> bool:
        """Whether a Host header names this site."""
        if not self.names:
            return True
        name, colon, port = host.rpartition(":")
        if not (colon and port.isdigit()):  # without a port; an IPv6 address ends with a bracket
            name = host
        return name.casefold().rstrip(".") in self.names
