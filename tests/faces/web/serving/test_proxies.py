"""The proxy files that ship work: pages, sockets, addresses, and a rolling restart."""

import contextlib
import json
import re
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from tests.faces.web.browser import Server
from tests.faces.web.house import Guest, wait_until
from tests.faces.web.test_kill import (
    Player,
    Watcher,
    begin,
    by_api,
    by_page,
    check_stored,
    finish,
)
from tests.needs import need
from tests.postgres import cluster

pytestmark = [pytest.mark.server, pytest.mark.long]

DEPLOY = Path(__file__).parents[4] / "deploy"
NGINX = """
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.txt;
events {{ }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/parlour.conf;
}}
"""


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Proxy:
    """One of the two proxies, with the file we ship, at other ports."""

    def __init__(self, kind, folder, ports):
        program = shutil.which(kind)
        need(program, f"this needs {kind} (Debian: apt install {kind})")
        self.kind, self.port = kind, free_port()
        if kind == "nginx":
            text = (DEPLOY / "nginx.conf").read_text()
            text = re.sub(
                r"listen 80;\n\s*listen \[::\]:80;", f"listen 127.0.0.1:{self.port};", text
            )
            text = text.replace("    server 127.0.0.1:8000;\n", "").replace(
                "# server 127", "server 127"
            )
            text = text.replace("8001", str(ports[0])).replace("8002", str(ports[1]))
            (folder / "parlour.conf").write_text(text)
            (folder / "nginx.conf").write_text(NGINX.format(folder=folder))
            command = [program, "-p", str(folder), "-c", str(folder / "nginx.conf")]
        else:
            text = (DEPLOY / "Caddyfile").read_text()
            text = text.replace("parlour.example.org {", f"http://127.0.0.1:{self.port} {{")
            both = " ".join(f"127.0.0.1:{port}" for port in ports)
            text = text.replace("reverse_proxy 127.0.0.1:8000 {", f"reverse_proxy {both} {{")
            (folder / "Caddyfile").write_text("{\n\tadmin off\n}\n" + text)
            file = str(folder / "Caddyfile")
            command = [program, "run", "--config", file, "--adapter", "caddyfile"]
        with (folder / "proxy.txt").open("wb") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)

    def close(self):
        self.process.terminate()
        self.process.wait()

    def answers(self):
        with contextlib.suppress(OSError):
            return Guest(self.port).get("/docs").status in (200, 403, 404)
        return False


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    """Two servers on one database, logging as JSON."""
    database = cluster().new_database()
    options = ("--log-format", "json", "--log-level", "info")
    found = [Server(tmp_path_factory.mktemp("web"), database, *options) for _ in range(2)]
    for server in found:
        server.start()
    yield found
    for server in found:
        server.close()


@pytest.fixture(params=["nginx", "caddy"])
def proxy(request, servers, tmp_path):
    found = Proxy(request.param, tmp_path, [server.port for server in servers])
    wait_until(found.answers)
    yield found
    found.close()


def test_pages_and_sockets_pass_and_the_visitor_is_known_by_address(proxy, servers):
    table, (ann, bob) = begin(proxy.port, "browser", "browser")
    with bob.live(f"table:{table}") as page:
        page.recv(timeout=60)
        legal = ann.call(f"/tables/{table}").json["legal"]
        assert ann.send(f"/tables/{table}/move", {"move": legal[0], "at": 0}).status in (200, 409)
        while json.loads(page.recv(timeout=60))["version"] < 3:
            pass
    assert Guest(proxy.port).ask("GET", "/metrics").status == 404
    claim = {"X-Forwarded-For": "192.0.2.7"}  # which is worthless
    answer = Guest(proxy.port).ask("GET", "/api/games", headers=claim)
    assert answer.status == 200

    def logged():
        lines = [line for server in servers for line in server.log.split("\n")[:-1]]
        found = [json.loads(line) for line in lines if line.startswith("{")]
        return [line for line in found if line.get("request") == answer.headers["x-request-id"]]

    (line,) = wait_until(logged)  # it is written after the answer
    assert line["address"] == "127.0.0.1"


def test_a_rolling_restart_drops_no_game_and_pages_come_back(proxy, servers):
    table, people = begin(proxy.port, "browser", "browser")
    other, programs = begin(proxy.port, "program", "program")
    players = [
        *(Player(guest, table, seat, by_page) for seat, guest in enumerate(people)),
        *(Player(guest, other, seat, by_api) for seat, guest in enumerate(programs)),
    ]
    watchers = [Watcher(people[1], table) for _ in range(4)]
    for each in (*players, *watchers):
        each.start()
    for server in servers:
        before = [len(player.acknowledged) for player in players]
        assert server.stop() == 0
        server.start()
        wait_until(lambda before=before: all(map(moved_on, players, before)))
    finish(players)
    # nginx asks the other server; Caddy does not send a form twice, and answers 502 for once.
    excused = {502} if proxy.kind == "caddy" else set()
    assert {status for player in players for status, *_ in player.odd} <= excused
    tables = check_stored(servers[0].database, players)
    for watcher in watchers:
        wait_until(lambda watcher=watcher: watcher.version == tables[table].version)
        watcher.left = True
        watcher.join(20)


def moved_on(player, before):
    return player.over or len(player.acknowledged) > before + 2
