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
    parser.epilog = (
        "The token is shown once and stored only as a hash. Paste it at /admin of the site, where "
        "tables and tournaments can be hidden, renamed and deleted, and visitors barred for a "
        "time. What is done there is logged with the label."
    )
    parser.add_argument("label", nargs="?", default="", help="a name for the token: who uses it")
    parser.add_switch("--list", "list the tokens there are")
    parser.add_switch("--revoke", "make the token of this label invalid, at once and for good")
    parser.add_database("the database of the site, as for parlour web")
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
