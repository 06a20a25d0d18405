"""Below a path everything stays below it: links, forms, redirects, cookies, files and sockets."""

import asyncio
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest

from parlour.core.errors import BadText
from parlour.faces.web import prefix
from parlour.faces.web.app import Settings
from parlour.faces.web.prefix import PrefixMiddleware, path_of, read_prefix
from parlour.faces.web.signing import hash_token
from tests.conftest import LONG
from tests.faces.web.house import OpenHouse

PREFIX = "/some/parlour"
PAGES = 60 if LONG else 40  # visited
BOT = [{"kind": "open"}, {"kind": "bot", "bot": "random"}]


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prefix")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(folder))
        found = OpenHouse(f"sqlite:///{folder}/x.sqlite", settings=Settings(prefix=PREFIX))
        yield found
        found.close()


class Addresses(HTMLParser):
    """All addresses in a page, whatever they are for."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("href", "src", "action", "formaction", "poster", "cite"):
                self.found.append((tag, value or ""))
            elif name == "content" and "url=" in (value or ""):
                self.found.append((tag, value.partition("url=")[2]))


def addresses(page, at):
    """The addresses of a page as a browser understands them, none of which leaves the prefix."""
    for tag, value in Addresses(page).found:
        if value.startswith(("data:", "mailto:", "https://github.com/")):
            continue
        parts = urlsplit(urljoin(at, value))
        assert parts.netloc in ("", "127.0.0.1"), value
        assert parts.path == PREFIX or parts.path.startswith(f"{PREFIX}/"), (at, tag, value)
        yield tag, parts


def test_no_link_of_any_page_leaves_the_prefix_and_all_lead_somewhere(house):
    guest = house.nobody()
    guest.get(f"{PREFIX}/docs")
    for game in ("nim", "othello"):
        made = house.nobody().call("/tables", {"game": game, "seats": BOT, "listed": True})
        assert made.status == 201
    waiting, seen, kinds, answered = [f"{PREFIX}/"], set(), set(), set()
    while waiting and len(seen) < PAGES:
        at = waiting.pop(0)
        if at in seen:
            continue
        seen.add(at)
        page = guest.get(at)
        if page.status == 303:
            assert urlsplit(page.headers["location"]).path.startswith(f"{PREFIX}/"), at
            continue
        assert page.status == 200, at
        answered.add(urlsplit(at).path)
        if not page.headers["content-type"].startswith("text/html"):
            continue
        for tag, parts in addresses(page.text, at):
            address = parts.path + (f"?{parts.query}" if parts.query else "")
            kind = re.sub(r"(?<=/tables/)\w+|\d+", "*", parts.path)  # one of each
            heavy = "/atlas" in kind or "/why" in kind  # what a worker has to compute
            if tag in ("a", "link", "script", "img") and kind not in kinds and not heavy:
                kinds.add(kind)
                waiting.append(address)
    for path in ("/", "/new/nim", "/lab", "/school", "/tournaments", "/analyse", "/docs"):
        assert PREFIX + path in answered
    for file in ("/static/parlour.js", "/static/parlour.css", "/static/boards.css"):
        assert PREFIX + file in answered
    for path in answered:
        if path.endswith(".css"):
            assert "url(/" not in guest.get(path).text


def test_templates_make_every_address_by_url():
    folder = Path(prefix.__file__).parent / "templates"
    for file in folder.glob("*.html"):
        for value in re.findall(
            r'(?:\b(?:href|src|action|formaction)="|; url=)([^"]*)', file.read_text()
        ):
            assert value.startswith(("{{ url(", "#", "?")) or not value, (file.name, value)


def test_a_whole_game_is_played_below_the_prefix(house):
    guest = house.nobody()
    page = guest.get(f"{PREFIX}/docs")
    cookies = page.headers.get_all("set-cookie")
    assert cookies
    assert all(f"; Path={PREFIX}/;" in f"{each};" for each in cookies)
    table = house.table("sticks", BOT, options={"sticks": 10})
    sat = guest.post(f"{PREFIX}/tables/{table}/sit", {"seat": 0, "name": "Ann"})
    assert sat.headers["location"].startswith(f"{PREFIX}/tables/{table}")
    live = f"{PREFIX}/live?topic=table:{table}&have=&view="
    with guest.open(live, Origin=guest.origin) as socket:
        news = json.loads(socket.recv(timeout=60))["html"]
        assert list(addresses(news, f"{PREFIX}/tables/{table}"))
    here = f"{guest.origin}{PREFIX}/tables/{table}"
    moved = guest.send(f"{PREFIX}/tables/{table}/move", {"move": "1", "at": 0}, Referer=here)
    assert moved.json == {"ok": True}  # the script stays on the page
    elsewhere = guest.send(
        f"{PREFIX}/tables/{table}/resign", "", Referer=f"{guest.origin}{PREFIX}/"
    )
    assert elsewhere.json.get("go", f"{PREFIX}/").startswith(f"{PREFIX}/")


def test_a_proxy_may_take_the_prefix_away(house):
    guest = house.nobody()
    page = guest.get("/docs")
    assert page.status == 200
    assert list(addresses(page.text, f"{PREFIX}/docs"))
    assert guest.get("/static/parlour.js").status == 200
    assert guest.ask("GET", f"{PREFIX}/healthz").status == 200


def test_a_host_signs_in_below_the_prefix(house):
    house.store.admin_tokens.add("laptop", hash_token("secret"))
    guest = house.nobody()
    answer = guest.post(f"{PREFIX}/admin/sign-in", {"token": "secret"})
    assert answer.headers["location"] == f"{PREFIX}/admin"
    cookies = answer.headers.get_all("set-cookie")
    assert any(f"; Path={PREFIX}/admin;" in f"{each};" for each in cookies)


def test_a_page_of_the_site_may_have_the_name_of_the_path():
    seen = []

    async def app(scope, receive, send):
        seen.append(path_of(scope))

    for path in ("/lab", "/lab/", "/lab/lab", "/labs"):
        asyncio.run(PrefixMiddleware(app, "/lab")({"type": "http", "path": path}, None, None))
    assert seen == ["/", "/", "/lab", "/labs"]


def test_programs_learn_the_prefix(house):
    document = house.nobody().ask("GET", f"{PREFIX}/api/openapi.json").json
    assert document["servers"] == [{"url": PREFIX}]
    kind = {"Content-Type": "application/json"}
    made = house.nobody().ask("POST", f"{PREFIX}/api/tables", b'{"game": "nim"}', kind)
    assert made.status == 201


def test_only_a_path_is_a_prefix():
    assert read_prefix("/parlour/") == read_prefix("/parlour") == "/parlour"
    assert read_prefix("") == read_prefix("/") == ""
    for wrong in ("parlour", "//evil.example", "/a b", "/a/../b?", "https://example.org/x", '/"'):
        with pytest.raises(BadText, match="write it as /parlour"):
            read_prefix(wrong)
