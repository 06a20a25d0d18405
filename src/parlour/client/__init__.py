"""The client for bot writers: an account on a web site of Parlour, its challenges and its games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.client.connection import Refused, Unreachable
    from parlour.client.session import (
        Client,
        Event,
        RemoteAccount,
        RemoteChallenge,
        RemoteSeat,
        RemoteTable,
        connect,
    )
else:
    __getattr__ = export(__name__)
