"""A game is set up: in one sentence where it says enough, else by asking what is missing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from parlour.core import Game, ParlourError, declared, registry, values
from parlour.host.session import Reply, Session, Table
from parlour.host.table import state as tables
from parlour.host.table import words
from parlour.host.table.playing import begun, put_aside
from parlour.host.table.refusals import refusal
from parlour.host.understand import Meaning, Wish, counts, wish
from parlour.rules import Nim, Othello
from parlour.truth import is_solved_soon

MOST_PILES = 64
NOT_OPTIONS = ("game", "begins", "against", "level", "count", "sizes")
PARTIAL = ("count", "sizes")  # what an unfinished dialogue has of the piles
HELP = "Say first or second; who goes first is X. Or say leave."


def wished(session: Session, slots: Mapping[str, Any]) -> Reply:
    """Somebody wants to play: begin, or ask for what is missing."""
    asked = dict(slots)
    if session.mode == "setup" and session.wished.get("game") == asked["game"]:
        before = {name: value for name, value in session.wished.items() if name not in PARTIAL}
        asked = {**before, **asked}
    if reason := _trouble(asked):
        return _refused(session, reason)
    if asked["game"] == "nim" and "piles" not in asked:
        return _ask(session, asked)
    if asked["game"] == "othello" and "begins" not in asked:
        return _ask(session, asked)
    return _begin(session, asked)


def _trouble(asked: Mapping[str, Any]) -> str:
    """Why there is no such game; that is said before anything else is asked."""
    name = str(asked["game"])
    try:
        game = registry.made(registry.find("games", name), name, _options(asked))
    except ParlourError as trouble:
        return refusal(name, trouble)
    if isinstance(game, Nim) and game.seats < 2:
        return f"It takes two to play; nim is for 2 to {declared(Nim)['seats'].high} players."
    return ""


def _refused(session: Session, reason: str) -> Reply:
    """What cannot be is not begun; a game that is on goes on."""
    if session.mode == "game" and session.table is not None:
        return Reply(session, (reason,), choices=("board", "help"))
    session = session.but(mode="chat", wished={}, question="", table=None)
    return Reply(session, (reason,), choices=("game", "help"))


def _options(asked: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in asked.items() if name not in NOT_OPTIONS}


# Questions and answers


def _ask(session: Session, asked: Mapping[str, Any], before: str = "", question: str = "") -> Reply:
    """The next question, after what there is to say before it."""
    session, aside = _cleared(session, str(asked["game"]))
    session = session.but(mode="setup", wished=dict(asked), question="", table=None)
    line = " ".join(part for part in (before, question or _question(asked)) if part)
    like = ("first", "second") if asked["game"] == "othello" else ("3 4 5", "misère", "you start")
    like = ("5", *like[1:]) if "count" in asked else like
    return Reply(session, (*aside, line), choices=(*like, "leave", "help"))


def _question(asked: Mapping[str, Any]) -> str:
    if asked["game"] != "nim":
        return "Would you like to go first or second?"
    if asked.get("count") is None:
        return "How many piles would you like?"
    return f"How many coins in pile {len(asked.get('sizes', ())) + 1}?"


def _cleared(session: Session, game: str = "") -> tuple[Session, tuple[str, ...]]:
    """The session with its game put aside, unless the same game only starts anew."""
    if session.table is not None and session.table.game == game:
        return session, ()
    return put_aside(session)


ASKS = re.compile(
    r"\b(?:what|how)\b(?! about)|\b(?:why|if)\b"
    r"|(?<!\bone )(?<!\bplayer )(?<!\bperson )\bwho\b(?! (?:takes?|gets?|picks?|draws?)\b)"
)
FIRST = {"first", "1", "black", "x", "me", "begin", "start", "1st"}
SECOND = {"second", "2", "white", "o", "you", "2nd"}


def answered(session: Session, heard: Sequence[str], text: str) -> Reply | None:
    """What he makes of an answer while a game is being set up; None when it is none."""
    asked = dict(session.wished)
    if ASKS.search(" ".join(heard)) or "game" not in asked:
        return None
    if asked["game"] == "nim":
        return _piles(session, asked, heard)
    more = wish(heard, asked["game"])
    new = _said(more)
    said = set(heard) & ({"first", "second"} if new else FIRST | SECOND)  # `level 2` is no second
    if said and not more.begins:
        new["begins"] = "me" if said & FIRST else "you"
    if not new:
        helps = Reply(session, (HELP,), choices=("first", "second", "leave"))
        return helps if "help" in heard else None
    if reason := _trouble({**asked, **new}):
        return _ask(session, asked, reason)
    asked |= new
    return _begin(session, asked) if "begins" in asked else _ask(session, asked, "Noted.")


def _said(more: Wish) -> dict[str, Any]:
    """What a wish says beside the piles."""
    said = {name: value for name, value in more.options.items() if name != "piles"}
    told = {"begins": more.begins, "against": more.against, "level": more.level}
    return said | {name: value for name, value in told.items() if value not in ("", None)}


def _piles(session: Session, asked: dict[str, Any], heard: Sequence[str]) -> Reply | None:
    numbers = counts(heard)
    more = wish(heard, "nim")
    new = _said(more)
    if tuple(heard) in (("first",), ("second",)):
        new["begins"] = "me" if heard[0] == "first" else "you"
    numbers += [0] if not numbers and not new and {"none", "nothing", "no"} & set(heard) else []
    if odd := next((word for word in heard if re.fullmatch(r"-\d+|\d+\.\d+", word)), None):
        return _ask(session, asked, f"{odd} is no number of piles or coins.", "How many?")
    if reason := _trouble({**asked, **new}):
        return _ask(session, asked, reason)
    asked |= new
    if not numbers:
        return _ask(session, asked, "Noted.") if new else None
    count, piles = asked.get("count"), list(asked.get("sizes", ()))
    all_at_once = more.options.get("piles", ())
    if count is None and (len(numbers) > 1 or len(all_at_once) > 1):
        return _begin(session, {**asked, "piles": tuple(all_at_once or numbers)})
    if count is None:
        if not 1 <= numbers[0] <= MOST_PILES:
            return _ask(session, asked, f"Let us have 1 to {MOST_PILES} piles.", "How many?")
        return _ask(session, {**asked, "count": numbers[0], "sizes": []})
    piles += numbers
    if len(piles) < count:
        return _ask(session, {**asked, "sizes": piles})
    if not any(piles):
        again = {**asked, "sizes": []}
        return _ask(session, again, "There must be a coin somewhere.", "How many in pile 1?")
    return _begin(session, {**asked, "piles": tuple(piles[:count])})


# The beginning


def _begin(session: Session, asked: Mapping[str, Any]) -> Reply:
    """The game, if it can be; he says beforehand whether he can be beaten."""
    name = str(asked["game"])
    if reason := _trouble(asked):
        return _refused(session, reason)
    game: Game = registry.made(registry.find("games", name), name, _options(asked))
    try:
        against = _opponent(asked, game)
        registry.read_bot(against)
    except ParlourError as trouble:
        return _refused(session, refusal(name, trouble))
    if not tables.plays_well(against, game):
        return _refused(session, _does_not_play(against, game))
    session, aside = _cleared(session, name)
    begins = asked.get("begins") or _who_begins(game)
    table = tables.seated(game, against, person_begins=begins == "me")
    named = "" if words.speaks_as_i(table) and against in ("benedict", "perfect") else against
    lines = [*aside, f"{words.title_of(game)}{f', against {_told(named)}' if named else ''}."]
    if asked.get("level") is not None and asked.get("against") and not _has_levels(against):
        lines.append(f"A level does not apply to {against.partition(' ')[0]}; we play without one.")
    lines += _warning(table, game, str(asked.get("begins", "")))
    lines += words.marked(table, game)
    if begins == "you":
        lines.append(words.capital(f"{words.verb(words.name_of(table, 0, game), 'begin')}."))
    return begun(session.but(question=""), table, lines)


def _opponent(asked: Mapping[str, Any], game: Game) -> str:
    """Who plays against the person; the lowest and the highest level are the ends of the ladder."""
    against, level = str(asked.get("against", "")), asked.get("level")
    low, high = tables.LEVELS[0], tables.LEVELS[-1]
    level = None if level is None else max(low, min(level, high))
    at_an_end = level in (low, high)
    if at_an_end and not against and (steps := tables.ladder(game)):
        return steps[0 if level == low else -1]
    return tables.bot_text(against, level, game)


def _has_levels(bot: str) -> bool:
    """Whether a bot can play better or worse."""
    known = declared(registry.find("bots", bot.partition(" ")[0]))
    return bool({"level", "depth", "plies"} & set(known))


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
    """The same game once more, with what is changed; who only looked on looks on again."""
    table = session.table
    if table is None or slots.get("game", table.game) != table.game:
        return wished(session, slots)
    asked = {"game": table.game, **table.options, **slots}
    if tables.person(table) is None and not {"begins", "against", "level"} & set(slots):
        return _looked_on(session, asked, table.players)
    asked["against"] = slots.get("against") or _once_more(table, slots)
    if table.game != "nim" and "begins" not in slots:
        asked["begins"] = "me" if tables.person(table) in (0, None) else "you"
    return _begin(session, asked)


def _once_more(table: Table, slots: Mapping[str, Any]) -> str:
    """Whoever played before; at another level that is nobody who has a place on the ladder."""
    before = tables.opponent(table)
    climbs = slots.get("level") is not None
    return (
        "" if climbs and before in ("benedict", *tables.ladder(tables.game_of(table))) else before
    )


def watched(session: Session, meaning: Meaning) -> Reply:
    """Two bots play to the end while the person looks on; those who are not named are chosen."""
    name = str(meaning.slots.get("game") or "nim")
    try:
        known = declared(registry.find("games", name))
        options = {option: value for option, value in meaning.slots.items() if option in known}
        game: Game = registry.made(registry.find("games", name), name, options)
        wanted = [str(meaning.slots.get(who) or "") for who in ("first", "second")]
        named = [tables.bot_text(text, None, game) for text in wanted if text]
    except ParlourError as trouble:
        return Reply(session, (refusal(name, trouble),))
    others = [bot for bot in _worth_watching(game) if bot not in named]
    players = [*named, *others, *named, *others][:2]
    return _looked_on(session, {"game": name, **options}, players)


def _worth_watching(game: Game) -> list[str]:
    """Who plays when nobody is named, the most telling pair first."""
    quick = is_solved_soon(game)
    strong = ("engine", "benedict", "despacito", "minimax", "random")
    first = ("perfect", "minimax") if quick else strong
    able = registry.bots(game)
    rest = [bot for bot in able if bot not in first and (quick or bot != "perfect")]
    return [bot for bot in first if bot in able] + rest


def _looked_on(session: Session, asked: Mapping[str, Any], players: Sequence[str]) -> Reply:
    """A game of bots alone, by turns in the order given."""
    if reason := _trouble(asked):
        return Reply(session, (reason,))
    name = str(asked["game"])
    game: Game = registry.made(registry.find("games", name), name, _options(asked))
    for text in players:
        if not tables.plays_well(text, game):
            return Reply(session, (_does_not_play(text, game),))
    session, aside = put_aside(session)
    seats = tuple(players[seat % len(players)] for seat in range(game.seats))
    told = f"{words.title_of(game)}: {' against '.join(map(_told, players))}."
    return begun(session, Table(name, values(game), seats), [*aside, told])


def _does_not_play(text: str, game: Game) -> str:
    return (
        f"{words.capital(text)} does not play this; those who do: {', '.join(registry.bots(game))}."
    )
