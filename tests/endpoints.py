"""A server on this machine that answers as a test says, for tests of players over the network."""

from __future__ import annotations

import contextlib
import http.server
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Answer:
    """What the server sends: after `wait` is over, the status, the headers and the parts."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    hangs: bool = False  # until the test is over
    drips: bool = False  # a byte now and then, for ever


@dataclass
class Asked:
    """A request as it arrived."""

    path: str
    headers: dict[str, str]
    body: Any

    @property
    def question(self) -> str:
        """All that a model was shown."""
        return "\n".join(message["content"] for message in self.body["messages"])


def say(text: str | None, tokens: tuple[int, int] | None = (100, 10), **more: Any) -> Answer:
    """Return the chat completion in which a model says this."""
    body: dict[str, Any] = {
        "object": "chat.completion",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}}],
        **more,
    }
    if tokens:
        body["usage"] = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}
    return Answer(json.dumps(body).encode())


@contextlib.contextmanager
def endpoint(answer: Callable[[Asked], Answer]) -> Iterator[tuple[str, list[Asked]]]:
    """Yield the address of a server, and the requests it was sent."""
    asked: list[Asked] = []
    enough = threading.Event()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            size = int(self.headers["Content-Length"])
            body = json.loads(self.rfile.read(size))
            request = Asked(self.path, dict(self.headers), body)
            asked.append(request)
            reply = answer(request)
            with contextlib.suppress(OSError):
                if reply.hangs:
                    enough.wait()
                    return
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(reply.body)
                while reply.drips and not enough.wait(0.02):
                    self.wfile.write(b" ")
                    self.wfile.flush()

        def log_message(self, *_: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", asked
    finally:
        enough.set()
        server.shutdown()
        thread.join()
        server.server_close()
