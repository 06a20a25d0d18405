"""Games for language models, by the Model Context Protocol: tools, rules as resources, a prompt.

`Room` holds the games and knows no protocol; `create_server` offers it to clients, and
`serve_stdio` and `serve_http` are its transports.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.mcp.room import Room, ToolRefusal, ToolReply
    from parlour.faces.mcp.server import create_server, serve_http, serve_stdio
else:
    __getattr__ = export(__name__)
