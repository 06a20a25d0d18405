"""Connections that send half a request, or nothing, or never read, are closed; others are not."""

import contextlib
import socket
import struct

import pytest

from parlour.faces.web.serving import connections
from parlour.faces.web.serving.connections import HttpConnection
from tests.faces.web.house import PATIENCE, wait_until

SOON = 0.1  # seconds after which a client is late in these tests
LONG = 3600.0
GET = b"GET /preparing HTTP/1.1\r\nHost: 127.0.0.1\r\n"


@pytest.fixture
def hasty(monkeypatch):
    """A house that waits for headers, bodies and readers only briefly."""
    for name in ("HEADERS", "BODY", "READING"):
        monkeypatch.setattr(connections, name, SOON)


@pytest.fixture
def house(served_house):
    return served_house


def connect(house):
    return socket.create_connection(("127.0.0.1", house.port), timeout=PATIENCE)


def read_all(line):
    """Everything until the other side closes."""
    found = b""
    with contextlib.suppress(ConnectionResetError):
        while part := line.recv(65536):
            found += part
    return found


@pytest.mark.usefixtures("hasty")
def test_a_connection_that_sends_nothing_is_closed(house):
    for sent in (b"", b"\r\n", b"\r\n\r\n"):
        with connect(house) as line:
            line.sendall(sent)
            assert read_all(line) == b"", sent


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(
    "sent",
    [
        b"G",
        GET,
        GET + b"X-Slow: 1\r\nX-",
        b"POST /quick HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\ngame=",
        b"POST /quick HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\ngame=",
        GET + b"\r\n" + GET,  # the second of two is never finished
    ],
)
def test_half_a_request_is_closed_with_a_sentence(house, sent, caplog):
    with connect(house) as line:
        line.sendall(sent)
        answer = read_all(line)
    assert b"HTTP/1.1 408 " in answer or (b"POST" in sent and b"HTTP/1.1 40" in answer)
    assert not [record for record in caplog.records if record.exc_info]


def test_a_connection_that_trickles_is_closed_too(house, monkeypatch):
    """Each byte comes in time, but the headers never end."""
    monkeypatch.setattr(connections, "HEADERS", SOON)
    answer = None
    with connect(house) as line:
        line.sendall(GET)
        line.settimeout(0.01)
        while answer is None:
            line.sendall(b"X-Slow: 1\r\n")
            with contextlib.suppress(TimeoutError):
                answer = line.recv(1000)
    assert answer.startswith(b"HTTP/1.1 408")


def test_endless_headers_are_refused(house):
    with connect(house) as line:
        with contextlib.suppress(OSError):  # it may close while we still send
            line.sendall(GET + b"X-Long: " + b"x" * (2 * connections.MAX_HEADERS))
        assert read_all(line)[:12] in (b"HTTP/1.1 431", b"")


def test_a_huge_body_is_refused_and_its_sender_kept_out_for_a_while(house, monkeypatch):
    monkeypatch.setattr(connections, "APART", LONG)
    monkeypatch.setattr(HttpConnection, "_is_proxy", lambda self: False)
    head = b"POST /api/solve HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    with connect(house) as line:
        line.sendall(head + b"Content-Length: 99999999999\r\n\r\n")
        assert line.recv(12) == b"HTTP/1.1 413"
        with pytest.raises(ConnectionError):
            _send_for_ever(line, bytes(1 << 20))
    with contextlib.suppress(ConnectionResetError), connect(house) as again:
        assert read_all(again) == b""
    HttpConnection.census.kept_out.clear()
    assert house.nobody().get("/preparing").status == 200


def test_an_answer_that_takes_long_is_waited_for(house, monkeypatch):
    """Only the client is hurried: a request that came whole has all the time it needs."""
    monkeypatch.setattr(connections, "HEADERS", SOON)
    table = house.table("tictactoe")
    with connect(house) as line:
        line.sendall(b"GET /api/tables/%b/events?seconds=1 HTTP/1.1\r\n" % table.encode())
        line.sendall(b"Host: 127.0.0.1\r\nConnection: close\r\n\r\n\r\n")
        answer = read_all(line)
    assert answer.startswith(b"HTTP/1.1 200")
    assert answer.endswith(b"0\r\n\r\n")  # the last chunk


def test_one_network_may_only_keep_so_many_waiting_and_the_oldest_makes_room(house, monkeypatch):
    monkeypatch.setattr(connections, "MAX_UNFINISHED", 5)
    monkeypatch.setattr(connections, "SURELY_READ", 0.0)
    with contextlib.ExitStack() as stack:
        first = stack.enter_context(connect(house))
        first.sendall(GET)
        wait_until(lambda: HttpConnection.census.unfinished.get("127.0.0.1"))
        for _ in range(5):
            stack.enter_context(connect(house)).sendall(GET)
        assert read_all(first) == b""
        assert house.nobody().get("/preparing").status == 200
    wait_until(lambda: not HttpConnection.census.unfinished)


def test_one_network_may_only_have_so_many_connections(house, monkeypatch):
    wait_until(lambda: not HttpConnection.census.by_network)
    monkeypatch.setattr(connections, "MAX_CONNECTIONS", 2)
    monkeypatch.setattr(HttpConnection, "_is_proxy", lambda self: False)
    with connect(house), connect(house):
        wait_until(lambda: HttpConnection.census.by_network["127.0.0.1"] == 2)
        with contextlib.suppress(ConnectionResetError), connect(house) as third:
            assert read_all(third) == b""
    wait_until(lambda: not HttpConnection.census.by_network)
    assert house.nobody().get("/preparing").status == 200


def test_a_websocket_that_never_reads_is_closed(house, monkeypatch):
    """It asks for answers by pings and reads none of them."""
    monkeypatch.setattr(connections, "READING", SOON)
    key = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    ping = bytes([0x89, 0x80 | 125]) + bytes(4) + bytes(125)
    with connect(house) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.sendall(b"GET /live?topic=lobby: HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n" % house.port)
        line.sendall(b"Upgrade: websocket\r\nConnection: Upgrade\r\n" + key)
        line.sendall(b"Origin: http://127.0.0.1:%d\r\n\r\n" % house.port)
        assert line.recv(12) == b"HTTP/1.1 101"
        with pytest.raises(ConnectionError):
            _send_for_ever(line, ping * 1000)
    assert house.nobody().get("/preparing").status == 200


def test_a_page_that_never_reads_is_closed(house, monkeypatch):
    monkeypatch.setattr(connections, "READING", SOON)
    with connect(house) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        request = b"GET /static/parlour.css HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        with contextlib.suppress(OSError):
            line.settimeout(SOON)
            for _ in range(2000):
                line.sendall(request)
        wait_until(lambda: _is_reset(line))


def _send_for_ever(line, data):
    while True:
        line.sendall(data)


def _is_reset(line):
    """Whether the other side has ended the connection without our reading anything."""
    info = line.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 8)
    return struct.unpack("8B", info)[0] != 1  # established
