"""A bot that lives on a web site of Parlour: it accepts challenges and plays several games at once.

    pip install 'parlour[client]'
    python examples/web_bot.py http://127.0.0.1:8000 MyBot --player "minimax depth=3"

The first time it creates the account, and keeps its token in a file that only you can read. It
plays until Ctrl-C, and goes on by itself after a restart of the server, or of its own: the server
keeps the games, and tells it what happened meanwhile. With `--challenge` it also offers a game to
anybody, and another one whenever that was taken.
"""

import argparse
import logging
import os
import sys
import threading
import time
from pathlib import Path

import parlour

OFFER = 600  # seconds for which an offered game waits for somebody


def read_arguments():
    """What was typed."""
    parser = argparse.ArgumentParser(description="A bot for a web site of Parlour.")
    parser.add_argument("url", help="the site, as in http://127.0.0.1:8000")
    parser.add_argument("name", help="the name of the account")
    parser.add_argument("--player", default="perfect", help="a bot with its options, or a .py file")
    parser.add_argument("--game", action="append", default=[], help="a game it plays; else all")
    parser.add_argument("--about", default="", help="what people read about it")
    parser.add_argument("--challenge", metavar="GAME", help="offer this game to anybody")
    parser.add_argument("--games", type=int, default=4, help="games to think about at once")
    parser.add_argument("--token", type=Path, help="the file of the token (default: NAME.token)")
    return parser.parse_args()


def sign_in(arguments):
    """A session as the account, which is created the first time."""
    file = arguments.token or Path(f"{arguments.name}.token")
    if file.exists():
        return parlour.client.connect(arguments.url, file.read_text().strip())
    client = parlour.client.connect(arguments.url)
    client.create_account(arguments.name, arguments.about, arguments.game)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as kept:
        kept.write(client.token)
    return client


def offer(client, game, stop):
    """Keep one challenge open for anybody."""
    while not stop.is_set():
        try:
            if not any(each.opponent is None for each in client.challenges()):
                client.challenge(game=game, seconds=OFFER)
        except parlour.ParlourError as error:
            logging.warning("%s", error)
        stop.wait(15)


def main():
    """Play until Ctrl-C."""
    arguments = read_arguments()
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.WARNING)
    stop = threading.Event()
    try:
        with sign_in(arguments) as client:
            sys.stderr.write(f"{arguments.name} is at {arguments.url} (Ctrl-C ends it)\n")
            if arguments.challenge:
                threading.Thread(
                    target=offer, args=(client, arguments.challenge, stop), daemon=True
                ).start()
            while True:
                try:
                    client.play(arguments.player, threads=arguments.games, stop=stop)
                except parlour.client.Unreachable as error:
                    logging.warning("%s; trying again", error)
                    time.sleep(5)
    except KeyboardInterrupt:
        stop.set()
    except parlour.ParlourError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
