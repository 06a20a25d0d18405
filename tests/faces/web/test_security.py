"""Whatever a client sends: it is refused in one sentence, shown escaped, or does no harm."""

import contextlib
import json
import re
import socket
import time
from types import SimpleNamespace
from urllib.parse import quote, urlencode

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from parlour.faces.web import clients
from parlour.faces.web.clients import HEADERS, MAX_BODY, RateLimit
from parlour.faces.web.table.service import TableService
from tests.faces.web.house import FORM, lift_limits

MARKUP = "<script>alert(1)</script>\"'><img src=x onerror=alert(1) ' onmouseover='{{7*191}}${7*191}"
HOSTILE = [
    MARKUP[:40],
    MARKUP[25:],
    "\u202egnidaer thgir\u2066",
    "a\r\nSet-Cookie: parlour=x\r\n\r\nhello",
    "nul\0l",
    "\ud800 alone",
    "../../../../etc/passwd",
    "9" * 5000,
    " " * 100,
    "x" * 100_000,
]
EXECUTED = ("<script>alert", "<img src=x", "' onmouseover='", "1337", "Traceback")


def raw(house, data):
    """What the server answers to these bytes before it hangs up."""
    answer = b""
    with socket.create_connection(("127.0.0.1", house.port), timeout=60) as line:
        line.sendall(data)
        while part := line.recv(65536):
            answer += part
    return answer


def sentence(answer):
    """The one line of a refusal, which is no traceback."""
    assert answer.said
    assert "\n" not in answer.said
    assert "Traceback" not in answer.text
    return answer.said


def odd(form):
    """A form with anything in it, surrogates too, as bytes that a browser would not send."""
    return urlencode({_bytes(name): _bytes(text) for name, text in form.items()})


def _bytes(text):
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text


def quoted(text):
    return quote(text.encode("utf-8", "surrogatepass")[:300], safe="")


@pytest.fixture
def check(monkeypatch):
    """Call it to note an answer with a status that is not allowed, with a hostile text as it was
    sent, or with a long refusal. Hostile texts are sent more often than one client may.
    """
    lift_limits(monkeypatch)
    wrong = []

    def note(text, where, answer, allowed):
        seen = [each for each in EXECUTED if each in answer.text]
        long = answer.status >= 400 and len(answer.said) >= 500
        if answer.status not in allowed or seen or long:
            wrong.append(f"{text[:30]!a} in {where}: {answer.status} {seen} {answer.said}")

    yield note
    assert not wrong, "\n".join(wrong)


# From another site

ELSEWHERE = [
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://[::1"},
    {"Origin": "http://{host}.evil.example"},
    {"Origin": "http://{host}@evil.example"},
    {"Origin": "http://127.0.0.1:1999"},
    {"Origin": "http://127.0.0.1"},
    {"Origin": "{host}"},
    {"Origin": "https://evil.example", "Referer": "http://{host}/"},
    {"Origin": "", "Referer": "https://evil.example/http://{host}/"},
    {"Origin": "", "Referer": "http://[::1"},
    {"Origin": "", "Referer": ""},
    {"Origin": "http://{host}", "Sec-Fetch-Site": "cross-site"},
    {"Origin": "http://{host}", "Sec-Fetch-Site": "same-site"},
    {"Origin": "null", "Host": ""},
    {"Origin": "https://evil.example", "Authorization": "Bearer"},
    {"Origin": "https://evil.example", "Authorization": "Bearer " + "x" * 300},
]


def fill(house, headers):
    return {name: text.format(host=f"127.0.0.1:{house.port}") for name, text in headers.items()}


def test_no_form_from_another_site_is_accepted(house):
    table = house.table("tictactoe")
    ann, _ = house.sitting(table, 0), house.sitting(table, 1)
    before = house.read(table)
    forms = [
        (f"/tables/{table}/move", {"move": "b2", "at": 0}),
        (f"/tables/{table}/resign", {}),
        (f"/tables/{table}/sit", {"seat": 0, "name": "Eve"}),
        ("/new/nim/seats", {"do": "person", "name": "Eve"}),
        ("/quick", {"game": "nim"}),
        ("/chat", {"text": "hello"}),
        ("/tournaments", {"game": "nim", "bot": ["random", "perfect"]}),
        ("/school", {"game": "sticks"}),
    ]
    attempts = [(path, form, ELSEWHERE[0]) for path, form in forms]
    attempts += [(*forms[0], headers) for headers in ELSEWHERE]
    accepted = []
    for path, form, headers in attempts:
        answer = ann.post(path, form, **fill(house, headers))
        if answer.status != 403 or "another site" not in sentence(answer):
            accepted.append(f"{path} with {headers}: {answer.status} {answer.said}")
    assert not accepted, "\n".join(accepted)
    assert house.read(table) == before
    assert ann.post(f"/tables/{table}/move", {"move": "b2", "at": 0}).status == 303


@pytest.mark.parametrize("kind", ["application/json", "text/plain", FORM, "multipart/form-data"])
def test_the_api_takes_nothing_from_another_site_in_the_name_of_a_browser(house, kind):
    table = house.table("tictactoe")
    ann, _ = house.sitting(table, 0), house.sitting(table, 1)
    move = json.dumps({"move": "b2", "at": 0}).encode()
    for path, body in ((f"tables/{table}/moves", move), ("tables", b'{"game": "nim"}')):
        for headers in ELSEWHERE[:2] + ELSEWHERE[-5:-2]:
            fields = {**fill(house, headers), "Content-Type": kind}
            assert ann.ask("POST", f"/api/{path}", body, fields).status == 403, headers
    assert not house.read(table).moves


def test_a_browser_that_does_not_say_from_where_is_refused(house):
    table = house.table("tictactoe")
    ann = house.sitting(table, 0)
    house.sitting(table, 1)
    kind = {"Content-Type": FORM}
    assert ann.ask("POST", f"/tables/{table}/move", b"move=b2", kind).status == 403
    kind = {"Content-Type": "application/json"}
    assert ann.ask("POST", f"/api/tables/{table}/moves", b'{"move": "b2"}', kind).status == 403
    assert not house.read(table).moves
    said_by_the_browser = {**kind, "Sec-Fetch-Site": "same-origin"}
    move = b'{"move": "b2"}'
    assert ann.ask("POST", f"/api/tables/{table}/moves", move, said_by_the_browser).status == 200


@pytest.mark.parametrize("kind", ["text/plain", FORM, "multipart/form-data; boundary=x", ""])
def test_the_api_reads_json_only_where_json_was_announced(house, kind):
    """What any page can send without asking first is no JSON to us."""
    headers = {"Content-Type": kind} if kind else {}
    answer = house.nobody().ask("POST", "/api/tables", b'{"game": "nim"}', headers)
    assert answer.status in (415, 422)
    assert sentence(answer)


@pytest.mark.parametrize("path", ["/live?topic=table:{0}", "/api/tables/{0}/stream"])
def test_no_live_connection_from_another_site_is_opened(house, path):
    table = house.table("tictactoe")
    ann = house.sitting(table, 0)
    for headers in ELSEWHERE:
        if "Authorization" not in headers:
            with pytest.raises(InvalidStatus) as refusal:
                ann.open(path.format(table), **fill(house, headers))
            assert refusal.value.response.status_code == 403, headers
    with ann.open(path.format(table), Origin=house.url) as line:
        assert table in line.recv(timeout=60)


def test_a_page_loads_nothing_inline_or_from_elsewhere(house):
    policy = house.browser().get("/").headers["content-security-policy"]
    rules = {name: places for name, *places in map(str.split, policy.split(";"))}
    assert rules["default-src"] == ["'none'"]
    assert rules["script-src"] == rules["style-src"] == rules["connect-src"] == ["'self'"]
    assert rules["base-uri"] == ["'none'"]
    assert {place for places in rules.values() for place in places} <= {"'none'", "'self'", "data:"}


def test_a_page_is_not_shown_in_a_frame_nor_its_answers_read_elsewhere(house):
    answer = house.browser().get("/", Origin="https://evil.example")
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert not [name for name in answer.headers if name.lower().startswith("access-control")]


# What every answer carries


def test_every_answer_has_the_headers_that_protect_it(house, monkeypatch):
    ann = house.browser()
    table = house.table("tictactoe")
    answers = {
        "page": ann.get("/docs"),
        "redirect": ann.post(f"/tables/{table}/sit", {"seat": 0, "name": "Ann"}),
        "refusal on a page": ann.post(f"/tables/{table}/move", {"move": "z9"}),
        "no page": ann.get("/nowhere"),
        "no table": ann.get("/tables/nowhere"),
        "slash": ann.get(f"/tables/{table}/"),
        "wrong method": ann.ask("PUT", f"/tables/{table}", headers={"Origin": house.url}),
        "another site": ann.post("/quick", {"game": "nim"}, Origin="null"),
        "too large": ann.post("/chat", "x" * (MAX_BODY + 1)),
        "static": ann.get("/static/parlour.css"),
        "no file": ann.get("/static/nothing.css"),
        "record": ann.get(f"/tables/{table}/record"),
        "api": ann.call("/games"),
        "api refusal": ann.call("/tables/nowhere"),
        "api no path": ann.call("/nowhere"),
        "api unfit": ann.call("/tables", {"game": 3}, Origin=house.url),
    }
    monkeypatch.setattr(house.services.get(TableService), "read", lambda *_: 1 // 0)
    answers["broken page"] = ann.get(f"/tables/{table}")
    answers["broken api"] = ann.call(f"/tables/{table}")
    for name, answer in answers.items():
        for header, value in HEADERS.items():
            assert answer.headers[header] == value, (name, header)
        kept = "no-cache" if name in ("static", "no file") else "no-store"
        assert answer.headers["cache-control"] == kept, name
        assert "server" not in answer.headers, name
    assert [answers[f"broken {each}"].status for each in ("page", "api")] == [500, 500]
    for name in ("broken page", "broken api"):
        assert "safe" in sentence(answers[name])
        assert "ZeroDivision" not in answers[name].text


def test_nothing_inline_is_on_any_page(house):
    ann = house.browser()
    table = house.table("othello")
    for path in ("/", "/docs", f"/tables/{table}", "/new/nim", "/new/nim/settings", "/nowhere"):
        page = ann.get(path).text
        assert not re.search(r"<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|javascript:", page)
        assert not re.search(r'(?:src|href|action)="(?:https?:)?//', page)


def test_a_cookie_is_kept_from_scripts_and_other_sites(house):
    given = house.nobody().get("/docs").headers["set-cookie"]
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(given.split("; "))
    assert "Secure" not in given
    assert clients.set_cookie("ann", secure=True).endswith("; Secure")
    assert house.nobody().get("/static/parlour.css").headers["set-cookie"] is None
    assert house.nobody().call("/games").headers["set-cookie"] is None
    ann = house.browser()
    assert ann.get("/docs").headers["set-cookie"] is None


# Texts


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:20]))
def test_hostile_names_are_shown_escaped_or_refused(house, check, text):
    table = house.table("tictactoe")
    ann, bob = house.browser(), house.browser()
    sat = ann.post(f"/tables/{table}/sit", odd({"seat": 0, "name": text}))
    check(text, "the name of a browser", sat, (303, 422))
    body = json.dumps({"name": text}).encode()
    kind = {"Content-Type": "application/json", "Origin": house.url}
    seated = bob.ask("POST", f"/api/tables/{table}/seats/1", body, kind)
    assert seated.status in (201, 422)
    for seat in house.read(table).seats:
        assert seat.name.isprintable()
        assert len(seat.name) <= 40
    for guest, path in ((ann, f"/tables/{table}"), (bob, f"/tables/{table}"), (bob, "/")):
        page = guest.get(path)
        check(text, path, page, (200,))
        assert "\u202e" not in page.text
    record = ann.get(f"/tables/{table}/record")
    assert record.status == 200
    assert record.headers["content-disposition"] == (
        f'attachment; filename="tictactoe-{table}.jsonl"'
    )
    assert record.headers.get_all("set-cookie") is None


def test_hostile_texts_in_any_field_of_a_form_are_shown_escaped_or_refused(house, check):
    table = house.table("nim")
    ann, _ = house.sitting(table, 0), house.sitting(table, 1)
    record = {"game": "nim", "options": {}, "players": ["a", "b"], "moves": []}
    for text in HOSTILE:
        for path, form in (
            (f"/tables/{table}/move", {"move": text}),
            (f"/tables/{table}/move", {"pile": text, "amount": text}),
            (f"/tables/{table}/move?view={'x' * 50}", {text: text}),
            (f"/tables/{table}/ok", {"at": text}),
            (f"/tables/{table}/sit", {"seat": text, "name": "x"}),
            ("/new/nim/seats", {"do": "person", "name": text}),
            ("/new/nim/seats", {"do": "bot", "bot": text, "name": "x"}),
            ("/new/nim/seats", {"do": "bot", "bot": "random", "name": text}),
            ("/new/nim/seats", {"do": "bot", "bot": "random", "options": text}),
            ("/new/nim/settings", {"do": text, "option": text, "text": text}),
            ("/new/nim/settings", {"do": "add", "option": "piles", "text": text}),
            ("/new/nim/settings", {"do": "add", "option": "endings", "text": text}),
            ("/new/nim/settings", {"do": "save", "clock": text, "pace": text}),
            ("/quick", {"game": text}),
            ("/tournaments", {"game": text}),
            ("/tournaments", {"game": "nim", "bot": text, "rounds": "1"}),
            ("/tournaments", {"game": "nim", "bot": "random", "rounds": text}),
            ("/analyse", {"record": text}),
            ("/analyse", {"record": json.dumps({**record, "moves": [text]})}),
            ("/analyse", {"record": json.dumps({**record, "players": [text, text]})}),
            ("/analyse", {"record": json.dumps({**record, "options": {text: text}})}),
            ("/analyse/nim", {"do": "moves", "moves": text}),
            ("/analyse/nim", {"do": "position", "position": text}),
            ("/analyse/nim/walk", {"move": text}),
            ("/lab/nim/move", {"move": text}),
            (f"/lab/nim/move?position={quoted(text)}", {"move": "1 from 1"}),
            (f"/lab/nim/play?piles={quoted(text)}", {}),
            ("/school", {"game": text}),
            ("/school", {"game": "sticks", "games": "5", "name": text, "seed": text}),
        ):
            answer = ann.post(path, odd(form))
            check(text, f"{path} {list(form)}", answer, (303, 403, 404, 409, 413, 422))
        check(text, "the set-up", ann.get("/new/nim"), (200,))


def test_hostile_texts_in_addresses_are_shown_escaped_or_refused(house, check):
    ann = house.browser()
    table = house.table("tictactoe")
    for text in HOSTILE:
        part = quoted(text)
        for path in (
            f"/tables/{part}",
            f"/tables/{table}?view={part}&why={part}",
            f"/tables/{table}?{part}={part}",
            f"/new/{part}",
            f"/tournaments/{part}",
            f"/tournaments?game={part}",
            f"/school/{part}",
            f"/school/{part}/hats",
            f"/static/{part}",
            f"/{part}",
            f"/analyse/{part}",
            f"/analyse?table={part}",
            f"/analyse/nim/walk?moves={part}&at={part}",
            f"/analyse/nim/walk?position={part}&{part}={part}",
            f"/lab/{part}",
            f"/lab/nim?piles={part}&position={part}",
            f"/lab/nim/atlas.{part}",
            f"/api/tables/{part}",
            f"/api/tables?limit={part}",
            f"/api/tables/{part}/events?seconds=0",
        ):
            answer = ann.get(path)
            check(text, path, answer, (200, 303, 307, 404, 405, 409, 422))


def test_hostile_lines_are_answered_by_benedict_and_shown_escaped(house, check):
    for text in HOSTILE:
        ann = house.browser()
        reply = ann.send("/chat", odd({"text": text, "back": text}))
        assert reply.status == 200, text[:20]
        assert reply.json.keys() >= {"lines", "choices"}
        after = ann.post("/chat", odd({"text": text[:50], "back": text}))
        assert after.status == 303
        assert re.match(r"/(?![/\\])", after.headers["location"])
        assert after.headers.get_all("set-cookie") is None
        check(text, "the chat", ann.get("/docs"), (200,))


def test_no_address_leads_out_of_the_folder_of_files(served_house):
    for path in ("../app.py", "..%2fapp.py", "%2e%2e/app.py", "/etc/passwd", "%2fetc/passwd", "."):
        request = f"GET /static/{path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        answer = raw(served_house, request.encode())
        assert answer.startswith((b"HTTP/1.1 404", b"HTTP/1.1 405")), path


# Bodies


def test_a_body_that_is_too_large_is_refused(house):
    ann = house.browser()
    too_much = b"a" * (MAX_BODY + 1)
    json_kind = {"Content-Type": "application/json", "Origin": house.url}
    for answer in (
        ann.post("/chat", too_much.decode()),
        ann.ask("POST", "/api/solve", too_much, json_kind),
        ann.ask("POST", "/api/solve", iter([too_much]), json_kind),  # chunked
        ann.ask("POST", "/chat", iter([too_much]), {"Origin": house.url}),
    ):
        assert answer.status == 413
        assert sentence(answer) == "At most 512 kB can be sent at once."


def test_a_length_that_is_not_that_of_the_body_is_refused(served_house):
    place = f"127.0.0.1:{served_house.port}"
    head = f"POST /chat HTTP/1.1\r\nHost: {place}\r\nOrigin: http://{place}\r\n"
    head += "Connection: close\r\n"
    for length in (str(10**30), "99999999999", "-1", "x", "0x10", "٣"):
        answer = raw(served_house, f"{head}Content-Length: {length}\r\n\r\ntext=x".encode())
        assert re.match(rb"HTTP/1.1 4(00|13) ", answer), length
    with socket.create_connection(("127.0.0.1", served_house.port)) as line:
        line.sendall(f"{head}Content-Length: 100\r\n\r\ntext=x".encode())  # the rest never comes
    request = f"{head}Content-Length: 6\r\n\r\ntext=helloGET / HTTP/9\r\n\r\n"
    assert raw(served_house, request.encode()).startswith(b"HTTP/1.1 303 ")
    assert served_house.nobody().get("/docs").status == 200


def test_many_fields_and_deep_json_are_refused(house):
    ann = house.browser()
    fields = "&".join(f"a{number}=1" for number in range(2000))
    answer = ann.post("/chat", fields)
    assert answer.status == 422
    assert sentence(answer) == "A form can have at most 500 fields."
    kind = {"Content-Type": "application/json", "Origin": house.url}
    for inside in (
        "[" * 100_000 + "]" * 100_000,
        '{"a":' * 400 + "1" + "}" * 400,
        "9" * 5000,
        "-1e999",
        "NaN",
        '"\\ud800"',
        '{"\\ud800": 1}',
        "1" + "0" * 100_000,
    ):
        for path in ("/api/tables", "/api/solve"):
            body = f'{{"game": "nim", "options": {{"piles": {inside}}}}}'.encode()
            answer = ann.ask("POST", path, body, kind)
            assert answer.status in (400, 422), inside[:20]
            assert len(sentence(answer)) < 300
            body = f'{{"game": "nim", "options": {inside}}}'.encode()
            assert ann.ask("POST", path, body, kind).status in (400, 404, 422)
        ann = house.browser()


def test_an_odd_host_changes_no_page(house):
    for host in ("", "[::1", "a b", MARKUP[:25], "evil.example", "x" * 5000, "\xff", "%"):
        for path in ("/docs", "/tables/nowhere/", "/static", "/api/tables/"):
            answer = house.nobody().get(path, Host=host)
            assert answer.status in (200, 307, 400, 404), (host, path)
            assert "<script>alert" not in answer.text


LINES = [
    "",
    "x",
    "[]",
    "null",
    '{"move": 3}',
    '{"move": "b2", "at": "0"}',
    '{"move": "b2", "at": 0.0}',
    '{"token": 5, "move": "b2"}',
    '{"token": "\\ud800"}',
    '{"move": "\\ud800"}',
    '{"move": "' + "x" * 1000 + '"}',
    '{"move": "b2", "at": ' + "9" * 1500 + "}",
    "[" * 1900,
    "x" * 60_000,
]


def test_any_message_on_a_stream_is_answered_and_the_stream_goes_on(house):
    table = house.table("tictactoe")
    ann, _ = house.player(table, 0), house.player(table, 1)
    with ann.stream(table) as stream:
        stream.recv(timeout=60)
        for line in LINES:
            stream.send(line)
            answer = json.loads(stream.recv(timeout=60))
            assert answer["status"] in (403, 409, 422), line[:30]
            assert answer["detail"]
        stream.send('{"move": "b2", "at": 0}')
        answers = [json.loads(stream.recv(timeout=60)) for _ in range(2)]  # and the table
        assert any(answer.get("ok") for answer in answers)


def test_a_message_that_is_too_long_or_no_text_ends_only_its_own_connection(served_house):
    house = served_house
    table = house.table("tictactoe")
    ann, bob = house.player(table, 0), house.sitting(table, 1)
    with bob.live(f"table:{table}") as page:
        page.recv(timeout=60)
        for bad in ("x" * 100_000, b"\xff\x00"):
            for stream in (ann.stream(table), bob.live(f"table:{table}")):
                with stream, contextlib.suppress(ConnectionClosed):
                    stream.send(bad)
                    for _ in stream:  # until the server closes it
                        pass
        assert ann.call(f"/tables/{table}/moves", {"move": "b2"}).status == 200
        assert "b2" in page.recv(timeout=60)


def test_a_page_on_an_unknown_topic_is_closed_for_good(house):
    for topic in ("", ":", "table", "table:", "table:nowhere", "talk:x", "x" * 5000, "table:\0"):
        with house.browser().live(topic) as page, pytest.raises(ConnectionClosed) as gone:
            page.recv(timeout=60)
        assert gone.value.rcvd.code == 4404, topic


def test_an_unknown_view_ends_only_its_own_connection(house):
    ann, eve = house.browser(), house.browser()
    school = ann.post("/school", {"game": "sticks", "games": 10, "seed": 1}).headers["location"]
    topic = f"training:{school.rpartition('/')[2]}"
    with ann.live(topic) as page:
        page.recv(timeout=60)
        for view in ("values", "3:x", "1:zz", "::", "\0", "<script>", "1:" + "9" * 90):
            with eve.live(topic, view=view) as other:
                try:
                    assert "<script>" not in other.recv(timeout=60)
                except ConnectionClosed as gone:
                    assert gone.rcvd.code == 4404, view
        ann.post(f"{school}/more", {"games": 10})
        page.recv(timeout=60)


# How much


def test_one_browser_that_asks_too_much_is_refused_and_others_are_not(house, monkeypatch):
    greedy, modest = house.browser(), house.browser()
    now = time.monotonic()
    monkeypatch.setattr(clients, "time", SimpleNamespace(monotonic=lambda: now))
    answers = [greedy.call("/games") for _ in range(130)]
    refused = [answer for answer in answers if answer.status == 429]
    assert refused
    assert answers[0].status == 200
    assert sentence(refused[0]) == "Too many requests; wait a moment and try again."
    assert sentence(greedy.get("/docs")) == sentence(refused[0])
    with pytest.raises(InvalidStatus):
        greedy.live("lobby:")
    assert modest.get("/docs").status == 200
    now += 1
    assert greedy.get("/docs").status == 200


def test_a_bucket_fills_steadily_up_to_its_burst():
    limit = RateLimit(rate=2, burst=3)
    assert [limit.take("ann", now=0) for _ in range(4)] == [True, True, True, False]
    assert limit.take("bob", now=0)
    assert [limit.take("ann", now=0.6) for _ in range(2)] == [True, False]
    assert [limit.take("ann", now=100) for _ in range(4)] == [True, True, True, False]
