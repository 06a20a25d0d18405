"""The server: what it offers to clients of the Model Context Protocol, and how they connect.

Each tool is a function of the room with a JSON schema; what it refuses becomes a tool error that
says what would be right, so that the model can try again. Calls run in a few threads, and more than
a few hundred at a time are turned away. On standard input a line that is too long is dropped, as
the library drops what is not JSON.
"""

from __future__ import annotations

import inspect
import json
import logging
import math
import socket
import threading
import tomllib
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

import anyio
import anyio.from_thread
import anyio.lowlevel
import anyio.to_thread
import mcp_types as types
from mcp import MCPError
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server

from parlour import core
from parlour.core import BadOption, ParlourError, one_of, quote, registry, sentence, suggest, title
from parlour.faces.lines import open_input, read_lines
from parlour.faces.mcp.room import Room, ToolReply

MAX_LINE = 1 << 20  # bytes of a request
MAX_WAITING = 300  # calls at a time
THREADS = 4  # for calls that are answered at once, and as many for those that may take long
AHEAD = 100  # lines read before they are asked for
MAX_ERROR = 1_000  # characters
RULES = "parlour://rules/"
PLAIN = "text/plain"
NAME = "parlour"
Context = ServerRequestContext[Any, Any]
TEXTS = tomllib.loads((Path(__file__).parent / "texts.toml").read_text(encoding="utf-8"))
ARGUMENTS: Mapping[str, Mapping[str, Any]] = TEXTS["arguments"]
TOOLS = (  # the functions of the room that are offered
    *("list_games", "describe_game", "start_game", "get_position", "legal_moves", "play"),
    *("resign", "list_my_games", "review_game", "hint", "explain"),
)
HINTS = frozenset({"hint", "explain"})  # offered where the host allows them
CHANGES = frozenset({"start_game", "play", "resign"})  # the others only read
QUICK = frozenset({"list_games", "get_position", "legal_moves", "list_my_games"})  # nobody thinks
KINDS: dict[str, type] = {"string": str, "integer": int, "object": dict}
WORDS = {"string": "a text", "integer": "a whole number", "object": "an object"}


class Tool:
    """A tool: a function of the room, whose parameters are the arguments."""

    def __init__(self, name: str, room: Room) -> None:
        self.name = name
        self.call: Callable[..., ToolReply] = getattr(room, name)
        found = dict(inspect.signature(self.call).parameters)
        self.names_client = found.pop("client", None) is not None
        self.arguments = {each: ARGUMENTS.get(f"{name} {each}", ARGUMENTS[each]) for each in found}
        self.required = [each for each in found if found[each].default is inspect.Parameter.empty]

    def describe(self) -> types.Tool:
        """Return the tool as clients are told of it."""
        return types.Tool(
            name=self.name,
            description=inspect.getdoc(self.call),
            input_schema={
                "type": "object",
                "properties": {name: dict(each) for name, each in self.arguments.items()},
                "required": self.required,
                "additionalProperties": False,
            },
            annotations=types.ToolAnnotations(
                read_only_hint=self.name not in CHANGES,
                destructive_hint=False,
                open_world_hint=False,
            ),
        )

    def check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments that fit the schema; `ParlourError` says what does not."""
        for name in given:
            if name not in self.arguments:
                known = one_of(self.arguments) if self.arguments else "none"
                hint = suggest(name, self.arguments) or f"; it has {known}"
                raise ParlourError(f"{self.name} has no argument {quote(name)}{hint}")
        for name in self.required:
            if name not in given:
                raise ParlourError(f"{self.name} needs the argument {name}")
        found = {name: value for name, value in given.items() if value is not None}
        for name, value in found.items():
            kinds = self.arguments[name]["type"]
            kinds = [kinds] if isinstance(kinds, str) else kinds
            if not any(isinstance(value, KINDS[kind]) for kind in kinds) or isinstance(value, bool):
                raise BadOption(name, value, f"it must be {one_of(WORDS[kind] for kind in kinds)}")
            longest = self.arguments[name].get("maxLength", math.inf)
            if len(value if isinstance(value, str) else json.dumps(value)) > longest:
                raise BadOption(name, value, f"it must have at most {longest:,} characters")
        return found


class Handlers:
    """Answers the requests of clients."""

    def __init__(self, room: Room) -> None:
        self._room = room
        offered = [name for name in TOOLS if room.hints or name not in HINTS]
        self._tools = {name: Tool(name, room) for name in offered}
        self._waiting = 0
        self._limits: dict[bool, anyio.CapacityLimiter] = {}

    async def list_tools(
        self, _: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[tool.describe() for tool in self._tools.values()])

    async def call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        tool = self._tools.get(params.name)
        if tool is None:
            hint = suggest(params.name, self._tools) or f"; there are {one_of(self._tools)}"
            raise MCPError(types.INVALID_PARAMS, f"there is no tool {quote(params.name)}{hint}")
        try:
            arguments = tool.check(params.arguments or {})
            if tool.names_client:
                arguments["client"] = _name_client(context)
            reply = await self._run(partial(tool.call, **arguments), slow=tool.name not in QUICK)
        except ParlourError as error:
            return _refuse(sentence(str(error)))
        except Exception as error:  # a game of somebody else may raise anything
            return _refuse(f"Something went wrong inside: {core.describe_error(error)}")
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=reply.text)],
            structured_content=reply.data,
        )

    async def _run(self, call: Callable[[], Any], *, slow: bool) -> Any:
        """Return what a call returns, in a thread of those for its kind."""
        if self._waiting >= MAX_WAITING:
            raise ParlourError("there are too many requests at once; wait for the answers first")
        limit = self._limits.setdefault(slow, anyio.CapacityLimiter(THREADS))
        self._waiting += 1
        try:
            return await anyio.to_thread.run_sync(call, limiter=limit)
        finally:
            self._waiting -= 1

    # The rules, to read

    async def list_resources(
        self, _: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        found = [
            types.Resource(
                uri=f"{RULES}{name}", name=name, title=f"The rules of {name}", mime_type=PLAIN
            )
            for name in registry.games()
        ]
        return types.ListResourcesResult(resources=found)

    async def list_templates(
        self, _: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        template = types.ResourceTemplate(
            uri_template=f"{RULES}{{game}}",
            name="rules",
            title="The rules of a game",
            mime_type=PLAIN,
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(
        self, _: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        if not uri.startswith(RULES):
            where = f"the rules of a game are at {RULES}nim"
            raise MCPError(types.INVALID_PARAMS, f"there is nothing at {quote(uri)}; {where}")
        try:
            text = await self._run(
                partial(self._room.read_rules, uri.removeprefix(RULES)), slow=False
            )
        except ParlourError as error:
            raise MCPError(types.INVALID_PARAMS, str(error)[:MAX_ERROR]) from None
        contents = types.TextResourceContents(uri=uri, mime_type=PLAIN, text=text)
        return types.ReadResourceResult(contents=[contents])

    # How to begin

    async def list_prompts(
        self, _: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        arguments = [
            types.PromptArgument(name="game", description="the game to play", required=True),
            types.PromptArgument(name="opponent", description="the bot to play against"),
        ]
        about = "Play a game to its end, and learn from its review"
        prompt = types.Prompt(
            name="play_a_game", title="Play a game", description=about, arguments=arguments
        )
        return types.ListPromptsResult(prompts=[prompt])

    async def get_prompt(
        self, _: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        if params.name != "play_a_game":
            raise MCPError(types.INVALID_PARAMS, f"there is no prompt {quote(params.name)}")
        given = params.arguments or {}
        try:
            cls: Any = registry.find("games", str(given.get("game", ""))[:MAX_ERROR])
        except ParlourError as error:
            raise MCPError(types.INVALID_PARAMS, str(error)[:MAX_ERROR]) from None
        against = str(given.get("opponent") or "")[:MAX_ERROR]
        text = TEXTS["prompt"].format(
            title=title(cls()), name=cls.name, against=against and f", opponent: {against}"
        )
        message = types.PromptMessage(role="user", content=types.TextContent(text=text))
        return types.GetPromptResult(messages=[message])


def _refuse(text: str) -> types.CallToolResult:
    content = types.TextContent(type="text", text=text[:MAX_ERROR])
    return types.CallToolResult(content=[content], is_error=True)


def _name_client(context: Context) -> str:
    """Return the name that the client gave itself; it is not to be trusted."""
    params = context.session.client_params
    return "" if params is None else str(params.client_info.name)


def create_server(room: Room) -> Server[Any]:
    """Return the server of a room."""
    handlers = Handlers(room)
    return Server(
        NAME,
        version=version("parlour"),
        title="Parlour",
        instructions=TEXTS["instructions"],
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
    )


# Transports


def serve_stdio(room: Room) -> int:
    """Answer one client on standard input and output until it leaves; return the exit code."""
    server = create_server(room)

    async def serve() -> None:
        lines = cast("anyio.AsyncFile[str]", read_input())
        async with stdio_server(stdin=lines) as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    with _silence_logs(), closing(room):
        anyio.run(serve)
    return 0


@contextmanager
def _silence_logs() -> Iterator[None]:
    """Log nothing but what is critical meanwhile: what clients send is no event."""
    before = logging.root.manager.disable
    logging.disable(logging.ERROR)
    try:
        yield
    finally:
        logging.disable(before)


async def read_input() -> AsyncIterator[str]:
    """Yield the lines of standard input; those that are too long are left out.

    They are read in a thread that does not keep the program from ending.
    """
    send, receive = anyio.create_memory_object_stream[str](AHEAD)
    token = anyio.lowlevel.current_token()

    def read() -> None:
        with suppress(Exception):  # nobody listens any more
            with suppress(OSError):
                for line in read_lines(open_input(), MAX_LINE):
                    if len(line) <= MAX_LINE:
                        anyio.from_thread.run(send.send, line, token=token)
            anyio.from_thread.run_sync(send.close, token=token)

    threading.Thread(target=read, name="parlour-mcp-input", daemon=True).start()
    async with receive:
        async for line in receive:
            yield line


def serve_http(room: Room, listening: socket.socket) -> int:
    """Answer clients of this machine over HTTP until Ctrl-C; return the exit code."""
    import uvicorn

    app = create_server(room).streamable_http_app(max_request_body_size=MAX_LINE)
    config = uvicorn.Config(
        app,
        log_config=None,  # it would close the handlers of others
        log_level="critical",
        timeout_graceful_shutdown=2,
        server_header=False,
    )
    with _silence_logs(), closing(room):
        uvicorn.Server(config).run(sockets=[listening])
    return 0
