"""The value of misère Othello on 6x6: `python bench/othello_misere.py`, a quarter of an hour.

Two searches with a window of one step each: the first player leads by at least 2, and not by 4. The
four first moves come to the same by symmetry, so they begin after one. The table takes 4 GB.
"""

from __future__ import annotations

import time

import parlour
from parlour.engine import MisereSearcher

MEGABYTES = 4096
GUESSES = (8, 10, 12, 14, 16)  # plies of searches that fill the table with good first moves
ALL = 64  # plies: to the end


def main() -> None:
    """Search, and print what is proven as soon as it is."""
    game = parlour.game("othello", columns=6, rows=6, misere=True)
    state = game.play(game.start(), game.moves(game.start())[0])
    searcher = MisereSearcher(game, MEGABYTES)
    for depth in GUESSES:
        searcher.search(state[0], state[1], depth)
    for lead in (2, 4):
        begun = time.process_time()
        value, _ = searcher.search_window(state[0], state[1], -lead, -lead + 1, ALL)  # the second's
        least = "at least" if value <= -lead else "less than"
        spent = time.process_time() - begun
        print(f"{least} {lead}: {searcher.nodes:,} positions so far, {spent:.0f} CPU s", flush=True)


if __name__ == "__main__":
    main()
