"""`parlour admin-token LABEL`: make, list and revoke the tokens that open the host's page."""

from __future__ import annotations

import contextlib
import hashlib
import secrets
from datetime import UTC, datetime

from parlour.core import BadText
from parlour.faces.cli.command import Parser
from parlour.faces.cli.web import import_web

MAX_LABEL = 40  # characters
PREFIX = "parlour-admin-"


def run(parser: Parser, arguments: list[str]) -> int:
    """Make a token and show it once, or list or revoke tokens."""
    parser.add_flags("admin-token")
    given = parser.parse(arguments)
    import_web()
    from parlour.store import open_store

    label = " ".join(given.label.split())
    if bool(label) == bool(given.list):
        raise BadText("give the label of a token, such as: parlour admin-token ann; or --list")
    if len(label) > MAX_LABEL or not label.isprintable():
        raise BadText(f"a label has at most {MAX_LABEL} printable characters")
    with contextlib.closing(open_store(given.database or None)) as store:
        if given.list:
            for token in store.admin_tokens.list():
                made = f"{datetime.fromtimestamp(token.created, UTC):%Y-%m-%d}"
                print(f"{token.label}  made {made}{', revoked' if token.revoked else ''}")
        elif given.revoke:
            store.admin_tokens.revoke(label)
            print(f"The token {label} is not valid any more.")
        else:
            secret = PREFIX + secrets.token_urlsafe(24)
            store.admin_tokens.add(label, hashlib.sha256(secret.encode()).hexdigest())
            print(f"{secret}\nPaste it at /admin of the site. It is not shown again.")
            print(f"It is for the site whose database is {store.name}.")
    return 0
