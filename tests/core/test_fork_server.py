"""The fork server: children handle requests, can be killed, and end with it."""

from __future__ import annotations

import os
import socket
import time

import pytest

from parlour.core import ForkServer, ParlourError

HERE = "tests.core.test_fork_server"


def load(greeting: str):
    """Runs in the server; what it returns runs in a child."""

    def handle(request, files):
        connection = socket.socket(fileno=files[0])
        connection.sendall(f"{greeting} {request['name']} {os.getpid()}\n".encode())
        connection.recv(1)  # until the test says so, or is gone
        connection.sendall(b"bye\n")

    return handle


def refuse() -> None:
    raise ParlourError("there is nothing to load")


@pytest.fixture
def server():
    made = ForkServer(f"{HERE}:load", "hello")
    yield made
    made.close()


@pytest.fixture
def fork(server):
    """Forks a child, and returns its number and our end of the connection with it."""
    connections = []

    def call(name: str) -> tuple[int, socket.socket]:
        ours, theirs = socket.socketpair()
        connections.append(ours)
        ours.settimeout(60)
        with theirs:
            return server.fork({"name": name}, [theirs.fileno()]), ours

    yield call
    for each in connections:
        each.close()


def read_line(connection: socket.socket) -> list[str]:
    line = b""
    while not line.endswith(b"\n"):
        line += connection.recv(1)
    return line.decode().split()


def is_gone(pid: int) -> bool:
    for _ in range(600):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


def test_every_request_is_handled_by_a_child_of_its_own(fork):
    connections = [fork(name)[1] for name in ("ann", "bob")]
    answers = [read_line(each) for each in connections]
    assert [answer[:2] for answer in answers] == [["hello", "ann"], ["hello", "bob"]]
    assert len({answer[2] for answer in answers}) == 2
    connections[0].sendall(b"x")
    assert read_line(connections[0]) == ["bye"]


def test_a_child_that_is_killed_takes_no_other_with_it(server, fork):
    (number, ann), (_, bob) = fork("ann"), fork("bob")
    pid = int(read_line(ann)[2])
    read_line(bob)
    server.kill(number)
    server.kill(number)
    assert ann.recv(1) == b""
    assert is_gone(pid)
    bob.sendall(b"x")
    assert read_line(bob) == ["bye"]
    assert server.is_open


def test_children_end_with_the_server(server, fork):
    _, ann = fork("ann")
    pid = int(read_line(ann)[2])
    server.close()
    assert not server.is_open
    assert is_gone(pid)


def test_a_server_that_cannot_load_ends_by_itself(capfd):
    server = ForkServer(f"{HERE}:refuse")
    assert server.process.wait(60) == 1
    assert not server.is_open
    assert "there is nothing to load" in capfd.readouterr().err
