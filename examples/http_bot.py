"""A bot that is a server: it plays any game of the house, at random, and is asked by HTTP.

    python examples/http_bot.py
    parlour play nim --seat human --seat http://127.0.0.1:9000

It answers every question with one of the moves that the question lists. Write it in any language;
docs/rl.md says what is asked.
"""

import json
import random
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Bot(BaseHTTPRequestHandler):
    """Answers one question with a move."""

    def do_POST(self):
        """Read a question, and answer it."""
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = json.dumps({"move": random.choice(question["moves"])}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


if __name__ == "__main__":
    port = int(sys.argv[1]) if sys.argv[1:] else 9000
    ThreadingHTTPServer(("127.0.0.1", port), Bot).serve_forever()
