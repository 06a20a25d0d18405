"""A game is set up: in one sentence where it says enough, else by asking what is missing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from parlour.core import registry
from parlour.core.errors import ParlourError
from parlour.core.game import Game
from parlour.core.options import values
from parlour.host import tables, words
from parlour.host.meaning import Meaning
from parlour.host.playing import begun
from parlour.host.refusals import refusal
from parlour.host.rulebook import title
from parlour.host.session import Reply, Session, Table
from parlour.host.wishes import wish
from parlour.rules.nim import Nim
from parlour.rules.othello import Othello

MOST_PILES = 64
NOT_OPTIONS = ("game", "begins", "against", "level", "count", "sizes")


def wished(session: Session, slots: Mapping[str, Any]) -> Reply:
    """Somebody wants to play: begin, or ask for what is missing."""
    asked = dict(slots)
    if asked["game"] == "nim" and "piles" not in asked:
        return _ask(session, asked, "How many piles would you like?", "3 4 5")
    if asked["game"] == "othello" and "begins" not in asked and _can_be(asked):
        return _ask(session, asked, "Would you like to go first or second?", "first")
    return _begin(session, asked)


def _can_be(asked: Mapping[str, Any]) -> bool:
    """Whether there is such a game; if not, that is said before anything else is asked."""
    name = str(asked["game"])
    try:
        registry.made(registry.find("games", name), name, _options(asked))
    except ParlourError:
        return False
    return True


def _options(asked: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in asked.items() if name not in NOT_OPTIONS}


def _ask(session: Session, asked: Mapping[str, Any], question: str, like: str) -> Reply:
    session = session.but(mode="setup", wished=dict(asked), question="", table=None)
    return Reply(session, (question,), choices=(like, "first", "second", "leave", "help"))


def answered(session: Session, heard: Sequence[str], text: str) -> Reply | None:
    """What he makes of an answer while a game is being set up; None when it is none."""
    asked = dict(session.wished)
    if asked.get("game") == "nim":
        return _piles(session, asked, heard)
    said = set(heard)
    more = wish(heard, asked["game"])
    if more.begins:
        asked["begins"] = more.begins
    elif said & {"first", "1", "black", "x", "me", "begin", "start", "1st"}:
        asked["begins"] = "me"
    elif said & {"second", "2", "white", "o", "you", "2nd"}:
        asked["begins"] = "you"
    else:
        return None
    return _begin(session, asked)


def _piles(session: Session, asked: dict[str, Any], heard: Sequence[str]) -> Reply | None:
    numbers = [int(word) for word in heard if word.isdigit() and len(word) < 12]
    numbers += [0] if not numbers and {"none", "nothing", "no"} & set(heard) else []
    more = wish(heard, "nim")
    asked |= {name: value for name, value in more.options.items() if name != "piles"}
    asked |= {"begins": more.begins} if more.begins else {}
    if odd := next((word for word in heard if re.fullmatch(r"-\d+|\d+\.\d+", word)), None):
        return _ask(session, asked, f"{odd} is no number of piles or coins. How many?", "3")
    if not numbers:
        return None
    count, piles = asked.get("count"), list(asked.get("sizes", ()))
    all_at_once = more.options.get("piles", ())
    if count is None and (len(numbers) > 1 or len(all_at_once) > 1):
        return _begin(session, {**asked, "piles": tuple(all_at_once or numbers)})
    if count is None:
        if not 1 <= numbers[0] <= MOST_PILES:
            return _ask(session, asked, f"Let us have 1 to {MOST_PILES} piles. How many?", "3")
        asked |= {"count": numbers[0], "sizes": []}
        return _ask(session, asked, "How many coins in pile 1?", "5")
    piles += numbers
    if len(piles) < count:
        return _ask(
            session, {**asked, "sizes": piles}, f"How many coins in pile {len(piles) + 1}?", "5"
        )
    if not any(piles):
        again = {**asked, "sizes": []}
        return _ask(session, again, "There must be a coin somewhere. How many in pile 1?", "5")
    return _begin(session, {**asked, "piles": tuple(piles[:count])})


def _begin(session: Session, asked: Mapping[str, Any]) -> Reply:
    """The game, if it can be; he says beforehand whether he can be beaten."""
    name = str(asked["game"])
    try:
        game: Game = registry.made(registry.find("games", name), name, _options(asked))
        against = tables.bot_text(str(asked.get("against", "")), asked.get("level"), game)
        registry.read_bot(against)
    except ParlourError as trouble:
        session = session.but(mode="chat", wished={}, question="", table=None)
        return Reply(session, (refusal(name, trouble),), choices=("game", "help"))
    if not tables.plays_well(against, game):
        session = session.but(mode="chat", wished={}, question="", table=None)
        return Reply(session, (_does_not_play(against, game),))
    begins = asked.get("begins") or _who_begins(game)
    table = tables.seated(game, against, person_begins=begins == "me")
    named = "" if words.speaks_as_i(table) and against in ("benedict", "perfect") else against
    lines = [f"{title(game)}{f', against {_told(named)}' if named else ''}."]
    lines += _warning(table, game, str(asked.get("begins", "")))
    lines += words.marked(table, game)
    if begins == "you":
        lines.append(words.capital(f"{words.verb(words.name_of(table, 0, game), 'begin')}."))
    return begun(session.but(question=""), table, lines)


def _told(bot: str) -> str:
    """A bot and its options in words: `perfect, level 3`."""
    name, _, options = bot.partition(" ")
    return f"{name}, {options.replace('=', ' ')}" if options else name


def _who_begins(game: Game) -> str:
    """At nim he begins iff that wins; elsewhere the person does."""
    if isinstance(game, Nim) and game.seats == 2:
        value = tables.value_here(game, game.start())
        return "you" if value is not None and value.outcome == "win" else "me"
    return "me"


def _warning(table: Table, game: Game, begins: str) -> list[str]:
    """Whether he can be beaten, where the person has set it up in their own way."""
    if isinstance(game, Othello) or game.seats != 2 or not words.speaks_as_i(table):
        return []
    if not tables.is_exact(tables.opponent(table), game):
        return ["At this level I err now and then; you can win."]
    value = tables.value_here(game, game.start())
    if value is None:
        return ["I do not know who wins this."]
    if value.outcome == "draw":
        return []
    if words.name_of(table, 0 if value.outcome == "win" else 1, game) == "you":
        return ["I can be beaten here, if you make no mistake."]
    own_way = begins or game != type(game)(
        **({"piles": game.piles} if isinstance(game, Nim) else {})
    )
    return ["I cannot be beaten here, whatever you do."] if own_way else []


def again(session: Session, slots: Mapping[str, Any]) -> Reply:
    """The same game once more, with what is changed."""
    table = session.table
    if table is None:
        return wished(session, slots)
    against = slots.get("against") or tables.opponent(table)
    asked = {"game": table.game, **table.options, **slots, "against": against}
    if table.game != "nim" and "begins" not in slots:
        asked["begins"] = "me" if tables.person(table) == 0 else "you"
    return _begin(session, asked)


def watched(session: Session, meaning: Meaning) -> Reply:
    """Two bots play to the end while the person looks on."""
    name = str(meaning.slots.get("game") or "nim")
    try:
        game: Game = registry.game(name)
        players = [
            tables.bot_text(str(meaning.slots[who]), None, game) for who in ("first", "second")
        ]
    except ParlourError as trouble:
        return Reply(session, (refusal(name, trouble),))
    for text in players:
        if not tables.plays_well(text, game):
            return Reply(session, (_does_not_play(text, game),))
    table = Table(name, values(game), tuple(players))
    title = f"{words.capital(tables.called(game))}: {players[0]} against {players[1]}."
    return begun(session, table, [title])


def _does_not_play(text: str, game: Game) -> str:
    return (
        f"{words.capital(text)} does not play this; those who do: {', '.join(registry.bots(game))}."
    )
