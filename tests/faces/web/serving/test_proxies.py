"""The proxy files that ship work: pages, sockets, addresses, a path, and a rolling restart."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from parlour.core import registry
from parlour.core.referee import Match
from parlour.store.store import open_store
from tests.faces.web.browser import Server
from tests.faces.web.house import Guest, wait_until
from tests.faces.web.test_kill import PILES, Player, Watcher, by_api, by_page
from tests.needs import need
from tests.postgres import cluster

pytestmark = pytest.mark.server

DEPLOY = Path(__file__).parents[4] / "deploy"
PAUSE = 0.12  # seconds; a look and a move in each stay below 20 requests a second
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

    def __init__(self, kind, folder, ports, prefix=""):
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
            if prefix:
                text = text.replace("location / {", f"location {prefix}/ {{")
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


@pytest.fixture(params=["nginx", pytest.param("caddy", marks=pytest.mark.long)])
def proxy(request, servers, tmp_path):
    found = Proxy(request.param, tmp_path, [server.port for server in servers])
    wait_until(found.answers)
    yield found
    found.close()


def lay(port, *, seats=2):
    nobody = Guest(port)
    table = nobody.call("/tables", {"game": "nim", "options": {"piles": PILES}}).json["id"]
    browsers = [Guest(port) for _ in range(seats)]
    for seat, each in enumerate(browsers):
        each.get("/docs")
        sat = each.post(f"/tables/{table}/sit", {"seat": seat, "name": f"Guest {seat}"})
        assert sat.status == 303
    return table, browsers


def test_pages_and_sockets_pass_and_the_visitor_is_known_by_address(proxy, servers):
    table, (ann, bob) = lay(proxy.port)
    with bob.live(f"table:{table}") as page:
        page.recv(timeout=60)
        assert ann.send(f"/tables/{table}/move", {"move": "1a", "at": 0}).status in (200, 422)
        legal = ann.call(f"/tables/{table}").json["legal"]
        assert ann.send(f"/tables/{table}/move", {"move": legal[0], "at": 0}).status in (200, 409)
        while json.loads(page.recv(timeout=60))["version"] < 3:
            pass
    assert Guest(proxy.port).ask("GET", "/metrics").status == 404
    told = Guest(proxy.port).ask("GET", "/api/games")
    assert told.status == 200
    request = told.headers["x-request-id"]

    def logged():
        lines = [line for server in servers for line in server.log.split("\n")[:-1]]
        told = [json.loads(line) for line in lines if line.startswith("{")]
        return [line for line in told if line.get("request") == request]

    (line,) = wait_until(logged)  # it is written after the answer
    assert line["address"] == "127.0.0.1"
    claimed = Guest(proxy.port).ask("GET", "/api/games", headers={"X-Forwarded-For": "192.0.2.7"})
    assert claimed.status == 200
    wait_until(lambda: claimed.headers["x-request-id"] in "".join(each.log for each in servers))
    assert "192.0.2.7" not in "".join(
        each.log for each in servers
    )  # a visitor's claim is worthless


def test_a_rolling_restart_drops_no_game_and_pages_come_back(proxy, servers):
    table, (ann, bob) = lay(proxy.port)
    nobody = Guest(proxy.port)
    other = nobody.call("/tables", {"game": "nim", "options": {"piles": PILES}}).json["id"]
    tokens = [
        nobody.call(f"/tables/{other}/seats/{seat}", {"name": f"Bot {seat}"}).json["token"]
        for seat in (0, 1)
    ]
    programs = [Guest(proxy.port, token=token) for token in tokens]
    players = [
        *(Player(guest, table, seat, by_page, PAUSE) for seat, guest in enumerate((ann, bob))),
        *(Player(guest, other, seat, by_api, PAUSE) for seat, guest in enumerate(programs)),
    ]
    watchers = [Watcher(bob, table) for _ in range(4)]
    for each in (*players, *watchers):
        each.start()
    for server in servers:
        before = [len(player.acknowledged) for player in players]
        assert server.stop() == 0
        server.start()
        wait_until(lambda before=before: all(map(moved_on, players, before)))
    for player in players:
        player.hurries = True
    for player in players:
        player.join(240)
        assert player.over
        # nginx asks the other server; Caddy does not send a form twice, and answers 502 for once.
        excused = {502} if proxy.kind == "caddy" else set()
        assert {status for status, *_ in player.odd} <= excused, player.odd
    with contextlib.closing(open_store(servers[0].database)) as store:
        tables = [store.tables.get(table), store.tables.get(other)]
    for stored, theirs in zip(tables, (players[:2], players[2:]), strict=True):
        Match.from_record(registry.game("nim", piles=PILES), stored.record())
        for player in theirs:
            for at, move in player.acknowledged.items():
                assert stored.moves[at] == move
    for watcher in watchers:
        wait_until(lambda watcher=watcher: watcher.version == tables[0].version)
        watcher.left = True
        watcher.join(20)


def moved_on(player, before):
    return player.over or len(player.acknowledged) > before + 2


def test_nginx_serves_a_site_below_a_path(tmp_path):
    server = Server(tmp_path, "", "--root-path", "/parlour")
    server.start()
    proxy = Proxy("nginx", tmp_path, [server.port] * 2, "/parlour")
    try:
        wait_until(proxy.answers)
        guest = Guest(proxy.port)
        page = guest.get("/parlour/new/nim")
        assert page.status == 200
        assert 'href="/parlour/static/parlour.css' in page.text
        assert guest.get("/parlour/static/parlour.js").status == 200
        assert guest.get("/new/nim").status in (403, 404)  # nothing else is ours there
        moved = guest.post("/parlour/new/nim/seats", {"do": "person", "name": "Ann"})
        assert moved.headers["location"].startswith("/parlour/new/nim")
        with guest.open("/parlour/live?topic=lobby:&have=&view=", Origin=guest.origin) as live:
            assert 'href=\\"/parlour/' in live.recv(timeout=60)
    finally:
        proxy.close()
        server.close()
