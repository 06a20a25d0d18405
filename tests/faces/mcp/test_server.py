"""`parlour mcp`, spoken to by the official client, and by one that sends nothing but garbage."""

import asyncio
import io
import json
import socket
import subprocess
import sys
import threading

import pytest

import parlour
from parlour.core import load
from parlour.faces.cli import main
from parlour.faces.mcp import Room, ToolReply

TOOLS = {
    *("list_games", "describe_game", "start_game", "get_position", "legal_moves", "play"),
    *("resign", "list_my_games", "review_game"),
}


def connect(server):
    """A client; its package takes long to load, so only here."""
    from mcp import Client

    return Client(server)


def talk(script, **settings):
    """Run a conversation with a server in this process."""
    from parlour.faces.mcp import create_server

    async def run():
        async with connect(create_server(Room(**settings))) as client:
            return await script(client)

    return asyncio.run(run())


async def play_out(client, **game):
    """Play a game to its end by the first legal moves."""
    reply = await client.call_tool("start_game", game)
    assert not reply.is_error, reply
    data = reply.structured_content
    while not data["over"]:
        move = {"game_id": data["game_id"], "move": data["legal_moves"][0]}
        reply = await client.call_tool("play", move)
        assert not reply.is_error, reply
        data = reply.structured_content
    return reply


@pytest.mark.slow
def test_the_official_client_plays_a_whole_game(tmp_path):
    path = tmp_path / "records.jsonl"

    async def script(client):
        game = {"game": "othello", "options": {"columns": 4, "rows": 4}}
        return await play_out(client, **game, opponent="random seed=4")

    reply = talk(script, records=path)
    [record] = load(path)
    assert list(record.result) == reply.structured_content["result"]
    assert record.players == ("mcp mcp", "random seed=4")
    made = parlour.game(record.game, **record.options)
    assert parlour.Match.from_record(made, record).over
    assert "of yours could be wrong" in reply.content[0].text
    assert "review" in reply.structured_content


def test_the_tools_the_rules_and_the_prompt_are_listed():
    async def script(client):
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == TOOLS
        assert tools["play"].input_schema["required"] == ["game_id", "move"]
        assert not tools["play"].annotations.read_only_hint
        assert tools["list_games"].annotations.read_only_hint
        listed = [str(each.uri) for each in (await client.list_resources()).resources]
        assert listed == [f"parlour://rules/{name}" for name in parlour.games()]
        templates = (await client.list_resource_templates()).resource_templates
        assert templates[0].uri_template == "parlour://rules/{game}"
        rules = (await client.read_resource("parlour://rules/nim")).contents[0].text
        assert "Whoever takes the last coin wins." in rules
        assert [each.name for each in (await client.list_prompts()).prompts] == ["play_a_game"]
        prompt = await client.get_prompt("play_a_game", {"game": "nim", "opponent": "perfect"})
        assert "game: nim, opponent: perfect" in prompt.messages[0].content.text

    talk(script)


def test_hints_are_tools_only_where_the_host_allows_them():
    async def ask(client):
        game = (await client.call_tool("start_game", {"game": "nim"})).structured_content
        return await client.call_tool("hint", {"game_id": game["game_id"]})

    async def allowed(client):
        assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS | {
            "hint",
            "explain",
        }
        assert (await ask(client)).structured_content["best"] == ["2 from 1"]

    async def forbidden(client):
        from mcp import MCPError

        with pytest.raises(MCPError, match="there is no tool 'hint'"):
            await ask(client)

    talk(allowed, hints=True)
    talk(forbidden)


REFUSED = [
    ("play", {"game_id": "nim-1"}, "Play needs the argument move."),
    ("play", {"game_id": 3, "move": "1"}, "Game_id cannot be 3; it must be a text."),
    ("start_game", {"game": "nim", "seat": "1"}, "it must be a whole number"),
    ("start_game", {"game": "nim", "seat": True}, "it must be a whole number"),
    ("start_game", {"game": "nim", "set": 1}, "did you mean 'seat'?"),
    ("list_games", {"x": 1}, "List_games has no argument 'x'; it has none."),
    ("get_position", {"game_id": "x" * 10**5}, "at most 500 characters"),
    ("start_game", {"game": "x" * 10**6}, "at most 500 characters"),
    ("start_game", {"game": "nim", "options": {"piles": "1" * 20_000}}, "at most 10,000"),
]


def test_refusals_are_tool_errors_in_one_sentence():
    async def script(client):
        for tool, arguments, reason in REFUSED:
            reply = await client.call_tool(tool, arguments)
            assert reply.is_error
            assert reason in reply.content[0].text
            assert len(reply.content[0].text) < 500

    talk(script)


def test_a_missing_tool_resource_or_prompt_is_a_protocol_error():
    async def script(client):
        from mcp import MCPError

        for call in (
            client.call_tool("shell", {"command": "ls"}),
            client.read_resource("parlour://rules/../../etc/passwd"),
            client.get_prompt("play_a_game", {"game": "chess"}),
        ):
            with pytest.raises(MCPError, match="there is no"):
                await call

    talk(script)


def test_an_error_inside_is_reported_and_the_server_goes_on(monkeypatch):
    monkeypatch.setattr(Room, "list_my_games", lambda _: 1 / 0)

    async def script(client):
        reply = await client.call_tool("list_my_games", {})
        assert reply.is_error
        assert "Something went wrong inside: ZeroDivisionError" in reply.content[0].text
        return await client.call_tool("list_games", {})

    assert not talk(script).is_error


def test_too_many_calls_at_once_are_turned_away(monkeypatch):
    monkeypatch.setattr("parlour.faces.mcp.server.MAX_WAITING", 2)
    over = threading.Event()

    def wait(_):
        over.wait()
        return ToolReply("done")

    monkeypatch.setattr(Room, "list_my_games", wait)

    async def script(client):
        calls = [asyncio.create_task(client.call_tool("list_my_games", {})) for _ in range(10)]
        _, waiting = await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED)
        while len(waiting) > 2:
            _, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        over.set()
        return [await call for call in calls]

    replies = talk(script)
    refused = [reply.content[0].text for reply in replies if reply.is_error]
    assert len([text for text in refused if "too many requests at once" in text]) == 8


def test_lines_that_are_too_long_are_left_out(monkeypatch):
    from parlour.faces.mcp.server import MAX_LINE, read_input

    sent = b"one\n" + b"x" * (MAX_LINE + 10) + b"\n\xff\nlast"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(sent)))

    async def read():
        return [line async for line in read_input()]

    assert asyncio.run(read()) == ["one", "�", "last"]


# As a process


def command(*flags):
    return [sys.executable, "-m", "parlour", "mcp", *flags]


@pytest.mark.server
def test_a_client_starts_the_command_and_plays(tmp_path):
    path = tmp_path / "records.jsonl"

    async def run():
        from mcp import StdioServerParameters

        program, *arguments = command("--records", str(path))
        async with connect(StdioServerParameters(command=program, args=arguments)) as client:
            await play_out(client, game="tictactoe", opponent="random seed=1")
            await client.call_tool("start_game", {"game": "sticks", "seat": 2})

    asyncio.run(run())
    assert [record.game for record in load(path)] == ["tictactoe", "sticks"]


REQUESTS = [  # by methods and parameters, which a client should not send
    ("no/such", {}),
    ("resources/read", {"uri": "file:///etc/passwd"}),
    ("resources/read", {"uri": "parlour://rules/\x00"}),
    ("tools/call", {}),
    ("tools/call", {"name": "play", "arguments": "x"}),
    ("tools/call", {"name": "play", "arguments": {"game_id": {}}}),
    ("tools/call", {"name": "start_game", "arguments": {"game": "nim", "options": [[[[]]]]}}),
    ("tools/call", {"name": "start_game", "arguments": {"game": "nim", "opponent": "'"}}),
]
GARBAGE = [
    *(b"", b"{", b"[]", b"null", b"3", b'"x"', b"{}", b"[" * 5_000, bytes(range(32)), b"\xff\xfe"),
    b'{"jsonrpc": "1.0", "id": [1], "method": 3}',
    b'{"jsonrpc": "2.0", "method": "notifications/none"}',
    b'{"jsonrpc": "2.0", "id": 3, "result": {}}',
    b'{"a": "' + b"x" * (2 << 20) + b'"}',
]


@pytest.mark.server
def test_malformed_requests_leave_the_server_answering(tmp_path):
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}}
    hello["clientInfo"] = {"name": "garbage", "version": "1"}
    requests = [("initialize", hello), *REQUESTS, ("tools/call", {"name": "list_games"})]
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()
        for number, (method, params) in enumerate(requests)
    ]
    lines[1:1] = [b'{"jsonrpc": "2.0", "method": "notifications/initialized"}', *GARBAGE]
    pipe, log = subprocess.PIPE, tmp_path / "log"
    with log.open("wb") as errors:
        process = subprocess.Popen(
            command("--records", str(tmp_path / "r")), stdin=pipe, stdout=pipe, stderr=errors
        )

    def write():
        process.stdin.write(b"".join(line.replace(b"\n", b" ") + b"\n" for line in lines))
        process.stdin.flush()

    writer = threading.Thread(target=write)
    writer.start()
    answers = {}
    while not {*range(len(requests))} <= {*answers}:
        answer = json.loads(process.stdout.readline())
        answers[answer.get("id")] = answer
    writer.join()
    process.stdin.close()
    assert process.wait(60) == 0
    process.stdout.close()
    assert "Traceback" not in log.read_text(encoding="utf-8", errors="replace")
    assert answers[0]["result"]["serverInfo"]["name"] == "parlour"
    assert "nim" in str(answers[len(requests) - 1]["result"]["structuredContent"])
    for number, request in enumerate(REQUESTS, start=1):
        assert "error" in answers[number] or answers[number]["result"]["isError"], request


@pytest.mark.server
def test_over_http_clients_of_this_machine_play(tmp_path):
    records = str(tmp_path / "records.jsonl")
    process = subprocess.Popen(
        command("--http", "0", "--records", records), stdout=subprocess.PIPE, text=True
    )
    try:
        address = process.stdout.readline().split()[3]

        async def run():
            async with connect(address) as client:
                return await play_out(client, game="sticks", opponent="random seed=1")

        assert "could be wrong" in asyncio.run(run()).content[0].text
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def test_a_missing_package_is_reported_in_a_sentence(tmp_path, monkeypatch, capsys):
    monkeypatch.delattr("parlour.faces.mcp.create_server")
    monkeypatch.delitem(sys.modules, "parlour.faces.mcp.server")
    monkeypatch.setitem(sys.modules, "mcp", None)
    assert main(["mcp", "--records", str(tmp_path / "r")]) == 2
    assert "pip install 'parlour[mcp]'" in capsys.readouterr().err


def test_a_port_in_use_is_reported_in_a_sentence(tmp_path, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["mcp", "--http", port, "--records", str(tmp_path / "r")]) == 2
    assert "cannot listen on 127.0.0.1 port" in capsys.readouterr().err
