"""What the site knows and shows in German, told by a fresh process as JSON.

With the argument "scrambled", the words of every English template are random letters first. What
is told must not change by that: nothing may be found out by looking into a sentence.
"""

from __future__ import annotations

import json
import random
import re
import string
import sys
import time
from collections.abc import Iterator
from typing import Any

from parlour.core import sentences

PARTS = re.compile(r"\{[^{}]*\}|[^\W\d_]+")


def scramble() -> None:
    """Replace the words of all templates from now on."""
    letters, find = random.Random(1), sentences.Language.find

    def scramble_word(part: re.Match[str]) -> str:
        is_word = not part[0].startswith("{")
        return "".join(letters.choices(string.ascii_lowercase, k=7)) if is_word else part[0]

    def find_scrambled(
        language: sentences.Language, template: str, plural: str, number: Any
    ) -> str:
        found = find(language, template, plural, number)
        return PARTS.sub(scramble_word, found) if type(language) is sentences.Language else found

    sentences.Language.find = find_scrambled  # type: ignore[method-assign]


def main() -> None:
    """Print what is known and shown."""
    if "scrambled" in sys.argv:
        scramble()
    import parlour.faces.web.app  # noqa: F401, which makes texts where it is imported
    from parlour.core import say
    from parlour.faces.web.texts import use_language

    sys.stdout.write(say("a text in English\n"))
    with use_language("de"):
        sys.stdout.write(json.dumps(list(tell()), default=str))


def tell() -> Iterator[Any]:
    """Yield one fact after another."""
    from parlour import boards, lessons
    from parlour.core import Match, ParlourError, capital, protocol, registry, seat_name, title
    from parlour.faces.web import forms
    from parlour.faces.web.table.service import seconds_left
    from parlour.faces.web.texts import passage, translate
    from parlour.players import explain
    from parlour.store import Seat, Table

    for name in ("nim", "sticks", "chopsticks", "tictactoe", "othello"):
        options = {"columns": 4, "rows": 4} if name == "othello" else {}
        game = registry.game(name, **options)
        state = game.start()
        moves = game.moves(state)
        yield translate(title(game)), [passage(line) for line in protocol.rules_text(game)]
        yield [(field.name, translate(field.label)) for field in forms.fields(game)]
        yield translate(capital(seat_name(game, 0)))
        yield boards.board(game, state, playable=True, action="/", names=("Ann", "left"))
        yield boards.board(game, state, marks={game.write_move(moves[0]): boards.Mark("win", 3)})
        for move in (None, moves[0], moves[-1]):
            yield [translate(line) for line in explain(game, state, move).sentences]
        yield translate(boards.name_move(game.write_move(moves[0]), game, state))
        try:
            game.read_move(state, "?")
        except ParlourError as error:
            yield translate(error.text)
        for end in ("time", "resigned", "left", "away"):
            match = Match(game, ("Ann", "Bob"))
            match.stop(0, end=end)
            seats = (Seat("person", "Ann", owner="a"), Seat("person", "Bob", owner="b"))
            table = Table(
                id="t",
                game=name,
                options=options,
                seats=seats,
                clock=(60.0, 0.0),
                turned=time.time(),
                result=match.result,
                reason=match.reason,
                end=match.end,
            )
            left = seconds_left(table, match, 0)
            yield left, match.result, translate(protocol.name_seats(match.reason, ("Ann", "Bob")))
    puzzle = lessons.find_puzzles(registry.game("tictactoe"), number=1, seed=3)[0]
    for move in puzzle.game.moves(puzzle.state):
        verdict = lessons.judge_answer(puzzle, move)
        yield [translate(line) for line in verdict.sentences], verdict.tells_line
        yield [translate(line) for line in verdict.answer]


if __name__ == "__main__":
    main()
