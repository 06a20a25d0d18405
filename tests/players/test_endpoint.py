"""Requests to servers: bounded in time and size, and each kind of failure has its own error."""

import threading

import pytest

from parlour.core import ParlourError
from parlour.players.endpoint import (
    BadReply,
    EndpointRefused,
    EndpointStopped,
    EndpointTimeout,
    chat_url,
    post_json,
    request_chat,
)
from tests.endpoints import Answer, endpoint, say

PATIENCE = 20.0  # seconds; only ends a hang


def test_json_goes_there_and_comes_back():
    with endpoint(lambda asked: Answer(b'{"got": 1}')) as (url, asked):
        assert post_json(url, {"a": [1, "é"]}, seconds=PATIENCE) == {"got": 1}
    assert asked[0].body == {"a": [1, "é"]}
    assert asked[0].headers["Content-Type"] == "application/json"


def test_a_server_that_hangs_is_out_of_time():
    late = pytest.raises(EndpointTimeout, match=r"did not answer within 0\.2 s")
    with endpoint(lambda _: Answer(hangs=True)) as (url, _), late:
        post_json(url, {}, seconds=0.2)


def test_a_server_that_sends_a_byte_now_and_then_is_out_of_time():
    drips = Answer(b"{", drips=True)
    with endpoint(lambda _: drips) as (url, _), pytest.raises(EndpointTimeout):
        post_json(url, {}, seconds=0.3)


def test_a_caller_may_stop_waiting():
    stop = threading.Event()

    def answer(_):
        stop.set()
        return Answer(hangs=True)

    with endpoint(answer) as (url, _), pytest.raises(EndpointStopped):
        post_json(url, {}, seconds=PATIENCE, stop=stop)


def test_an_answer_that_is_too_large_or_not_json_is_refused():
    with endpoint(lambda _: Answer(b"[" + b"1," * 1000)) as (url, _):
        with pytest.raises(BadReply, match="more than 100 bytes"):
            post_json(url, {}, seconds=PATIENCE, max_bytes=100)
        with pytest.raises(BadReply, match="not JSON"):
            post_json(url, {}, seconds=PATIENCE)


def test_json_nested_too_deep_is_refused():
    with endpoint(lambda _: Answer(b"[" * 500_000)) as (url, _), pytest.raises(BadReply):
        post_json(url, {}, seconds=PATIENCE)


def test_an_error_says_its_status_reason_and_when_to_come_back():
    body = b'{"error": {"message": "slow\\ndown"}}'
    answer = Answer(body, 429, {"Retry-After": "7"})
    refused = pytest.raises(EndpointRefused, match="the error 429: slow down")
    with endpoint(lambda _: answer) as (url, _), refused as refusal:
        post_json(url, {}, seconds=PATIENCE)
    assert (refusal.value.status, refusal.value.wait) == (429, 7)


def test_redirects_are_not_followed():
    with endpoint(lambda _: Answer(b"{}")) as (other, reached):
        moved = Answer(b"", 302, {"Location": other})
        with endpoint(lambda _: moved) as (url, _), pytest.raises(EndpointRefused, match="302"):
            post_json(url, {}, seconds=PATIENCE)
    assert reached == []


def test_a_server_that_is_not_there_cannot_be_reached():
    with pytest.raises(EndpointRefused, match="cannot be reached") as refusal:
        post_json("http://127.0.0.1:1/", {}, seconds=PATIENCE)
    assert refusal.value.status == 0


@pytest.mark.parametrize("url", ["file:///etc/passwd", "x", "http://", "http://[", "http://a b/"])
def test_only_addresses_of_the_web_are_asked(url):
    with pytest.raises(ParlourError, match="needs an address like"):
        post_json(url, {}, seconds=PATIENCE)


def test_the_address_of_chat_completions_may_be_left_to_us():
    assert chat_url("http://h/v1/") == chat_url("http://h/v1") == "http://h/v1/chat/completions"
    assert chat_url("http://h/chat/completions") == "http://h/chat/completions"
    assert chat_url("https://h/v1?a=b") == "https://h/v1/chat/completions?a=b"


def chat(url, **how):
    messages = [{"role": "user", "content": "hello"}]
    return request_chat(url, "m", messages, seconds=PATIENCE, **how)


def test_a_chat_has_words_and_tokens():
    with endpoint(lambda _: say("hi", (12, 3))) as (url, asked):
        reply = chat(url, key="abc", temperature=0.5)
    assert (reply.text, reply.tokens_in, reply.tokens_out) == ("hi", 12, 3)
    assert asked[0].path == "/v1/chat/completions"
    assert asked[0].headers["Authorization"] == "Bearer abc"
    assert asked[0].body["temperature"] == 0.5


def test_servers_may_leave_out_the_tokens_send_parts_or_say_nothing():
    parts = [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]
    for content, text in ((parts, "ab"), (None, ""), ("x", "x")):
        with endpoint(lambda _, said=content: say(said, None)) as (url, _):
            reply = chat(url)
        assert (reply.text, reply.tokens_in, reply.tokens_out) == (text, None, None)


def test_a_reply_that_is_no_chat_completion_is_refused():
    for body in (b"{}", b"3", b'{"choices": [{"message": {"content": ["a"]}}]}'):
        answer = Answer(body)
        with (
            endpoint(lambda _, answer=answer: answer) as (url, _),
            pytest.raises(BadReply, match="not a chat"),
        ):
            chat(url)


@pytest.mark.parametrize("key", ["a\nb", "sécret", "two words", "\x00"])
def test_an_impossible_key_is_refused_without_being_quoted(key):
    with pytest.raises(ParlourError) as refusal:
        chat("http://127.0.0.1:1", key=key)
    assert key not in str(refusal.value)
