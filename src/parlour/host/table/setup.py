"""Setting up a game: in one sentence where it says enough, else by asking for what is missing.

What cannot be set up is refused in people's words instead of the names of options.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NoReturn

from parlour import core
from parlour.core import Game, ParlourError, options_of, registry
from parlour.host import understand
from parlour.host.language import Line, texts
from parlour.host.session import HostTable, Reply, Session
from parlour.host.table import knowledge
from parlour.host.table import state as tables
from parlour.host.table.knowledge import LINES, describe_bot
from parlour.host.table.playing import begin_game, put_aside
from parlour.host.understand import Meaning, find_bots, find_counts, read_answer, read_wish
from parlour.rules import CLASS_ENDINGS, RULES

MAX_PILES = 64
PARTIAL = ("count", "sizes", "asked")  # of an unfinished dialogue: piles, what was refused
NOT_OPTIONS = ("game", "begins", "against", "level", "players", "levels", *PARTIAL)
LIMITS = "table/lines/limits.txt"  # what he says to options that are not allowed
EXPRESSIONS = texts.read_expressions("understand/expressions/intents.txt")
FIRST = {"first", "1", "black", "x", "me", "begin", "start", "1st"}
SECOND = {"second", "2", "white", "o", "you", "2nd"}
SIZE = ("columns", "rows")
ORDERS = {"first": "me", "second": "you"}
COUNTED = re.compile(r"(?:(?:the )?number of |how many )?((?!the |a |an |whether |what |which ).*)")
Wish = Mapping[str, Any]  # the game, its options, and what else was said of it


def start_setup(session: Session, slots: Wish) -> Reply:
    """Begin the game that somebody wants to play, or ask for what is missing."""
    wish = dict(slots)
    if session.mode == "setup" and session.wished.get("game") == wish["game"]:
        before = {name: value for name, value in session.wished.items() if name not in PARTIAL}
        wish = {**before, **wish}
    return _proceed(session, wish)


def _proceed(session: Session, wish: Wish, *before: str) -> Reply:
    """Begin the game, or ask for what is missing or was refused, after a remark."""
    try:
        missing = core.extra(build_wished(wish), "asks_for")
    except ParlourError as error:
        return _ask_again(session, wish, error)
    watched = "players" in wish
    if "asked" in wish or (missing and missing not in wish and not watched):
        return _ask(session, wish, *before)
    return _watch_bots(session, wish) if watched else _begin(session, wish)


def build_wished(wish: Wish) -> Game:
    """Return the game that was asked for, or raise why it cannot be played."""
    name = str(wish["game"])
    options = {option: value for option, value in wish.items() if option not in NOT_OPTIONS}
    game: Game = registry.build("games", name, options)
    if game.seats < 2:
        most = int(options_of(type(game))["seats"].high or 0)
        raise core.BadOption("seats", game.seats, "it takes two to play", most=most)
    return game


def _ask_again(session: Session, wish: Wish, error: ParlourError) -> Reply:
    """Say what cannot be and ask for that alone; a game that is on goes on instead."""
    reason = explain_refusal(str(wish["game"]), _find_limit(wish, error))
    if session.mode == "game" and session.table is not None:
        return Reply(session, (reason,), choices=("board", "help"))
    before = session.wished if session.wished.get("game") == wish["game"] else {}
    return _ask(session, _leave_open(wish, error, before), reason)


def _find_limit(wish: Wish, error: ParlourError) -> ParlourError:
    """Return why even the most that an option allows is refused, where other options limit it."""
    name = getattr(error, "option", "")
    option = options_of(registry.find("games", wish["game"])).get(name)
    if option is not None and not option.depth and option.high is not None:
        try:
            build_wished({**wish, name: int(option.high)})
        except core.BadOption as nearer:
            return nearer if nearer.option == name and nearer.numbers else error
        except ParlourError:
            pass
    return error


def _leave_open(wish: Wish, error: ParlourError, before: Wish) -> dict[str, Any]:
    """Return a wish in which what was refused is as before, and asked for."""
    name = getattr(error, "option", "against")
    known = options_of(registry.find("games", wish["game"]))
    if name == "piles":
        rest = {key: value for key, value in wish.items() if key not in (*PARTIAL, name)}
        return rest | _keep_piles(wish[name], known[name])
    alike = name in SIZE and len({wish.get(side) for side in SIZE}) == 1
    asked = list(SIZE) if alike else [name]
    rest = {key: value for key, value in wish.items() if key not in asked}
    return {**rest, **{key: before[key] for key in asked if key in before}, "asked": asked}


def _keep_piles(piles: Sequence[object], option: core.Option) -> dict[str, Any]:
    """Return the piles that can be, and gaps for those to be asked for again."""
    if not 1 <= len(piles) <= (option.longest or 0):
        return {}
    most = option.high or 0
    sizes = [size if type(size) is int and 0 <= size <= most else None for size in piles]
    return {"count": len(piles), "sizes": sizes if any(sizes) or None in sizes else []}


# Questions and answers


def _ask(session: Session, wish: Wish, *before: str) -> Reply:
    """Ask the next question, after what there is to say before it; unless that asks already."""
    session, aside = _clear_table(session, str(wish["game"]))
    session = session.replace(mode="setup", wished=dict(wish), question="", table=None)
    asked = before and before[-1].endswith("?")
    line = " ".join(before if asked else (*before, *_next_question(wish)))
    like = ("3 4 5", "misère", "you start") if _asks_for_piles(wish) else ("first", "second")
    like = ("5", *like[1:]) if "count" in wish or "asked" in wish else like
    return Reply(session, (*aside, line), choices=(*like, "leave", "help"))


def _asks_for_piles(wish: Wish) -> bool:
    return tables.find_question(wish["game"]) == "piles"


def repeat_question(session: Session) -> str:
    """Return the question that a set-up waits for an answer to."""
    (question,) = _next_question(session.wished)
    return question


def _next_question(wish: Wish) -> tuple[str, ...]:
    if asked := wish.get("asked"):
        known = texts.read_sections(LIMITS).get(f"ask {' '.join(asked)}")
        return known or _ask_for_option(str(wish["game"]), asked[0])
    if not _asks_for_piles(wish):
        return LINES("first or second")
    if wish.get("count") is None:
        return LINES("how many piles")
    return LINES("how many coins", pile=[*wish.get("sizes", ()), None].index(None) + 1)


def _ask_for_option(game: str, name: str) -> tuple[str, ...]:
    """Ask for an option that has no question of its own, by what is said about it if it counts."""
    option = options_of(registry.find("games", game))[name]
    counted = COUNTED.fullmatch(option.about) if option.kind is int else None
    if counted:
        return texts.fill_lines(LIMITS, "ask how many", things=counted[1])
    return texts.fill_lines(LIMITS, "ask", option=name.replace("_", " "))


def _clear_table(session: Session, game: str) -> tuple[Session, tuple[str, ...]]:
    """Put the game aside, unless the same game only starts anew."""
    if session.table is not None and session.table.game == game:
        return session, ()
    return put_aside(session)


def continue_setup(session: Session, line: Line) -> Reply | None:
    """Answer a line while a game is being set up; None when it does not answer the question."""
    wish = dict(session.wished)
    if EXPRESSIONS["asks in setup"].search(line.plain) or "game" not in wish:
        return None
    if "asked" in wish:
        return _continue_with_option(session, wish, line.words)
    proceed = _continue_with_piles if _asks_for_piles(wish) else _continue_with_order
    return proceed(session, wish, line.words)


def correct_setup(session: Session, line: Line) -> Reply | None:
    """Take the last answer back and this one in its place; None when it answers nothing."""
    wish = dict(session.wished)
    if wish.get("sizes"):
        wish["sizes"] = list(wish["sizes"])[:-1]
    else:
        wish = {name: value for name, value in wish.items() if name not in ("count", "sizes")}
    words = tuple(EXPRESSIONS["not that number"].sub("", line.plain).split())
    return continue_setup(session.replace(wished=wish), Line(line.text, words))


def _continue_with_option(session: Session, wish: Wish, words: Sequence[str]) -> Reply | None:
    """Take the answer for what was refused, or do without it: by other piles, or as usual."""
    said = read_answer(words, wish["game"], wish["asked"])
    new = said.options | said.slots | _read_order(words)
    usual = not new and EXPRESSIONS["as usual"].search(" ".join(words))
    if not new and not usual:
        return None
    merged, note = _merge(wish, new), _note(wish, new)
    if usual or {*wish["asked"], "piles"} & new.keys():
        del merged["asked"]
    return _proceed(session, merged, *([note] if "asked" in merged else []))


def _read_order(words: Sequence[str]) -> dict[str, str]:
    """Read who begins from a single word."""
    return {"begins": ORDERS[words[0]]} if len(words) == 1 and words[0] in ORDERS else {}


def _merge(wish: Wish, new: Wish) -> dict[str, Any]:
    """Return a wish with what was said next; endings are added to those there are."""
    return (
        understand.add_endings(wish, new)
        if isinstance(new.get("endings"), tuple)
        else {**wish, **new}
    )


def _note(wish: Wish, new: Wish) -> str:
    """Say that something is noted: endings are repeated, and those there were are no news."""
    if not isinstance(new.get("endings"), tuple):
        return LINES("noted")[0]
    known = [sorted(ending) for ending in wish.get("endings", ())]
    fresh = [ending for ending in new["endings"] if sorted(ending) not in known]
    section = "noted endings" if fresh else "no new ending"
    return LINES(section, endings=_list_endings(fresh))[0]


def _list_endings(endings: Iterable[Sequence[int]]) -> str:
    return core.all_of(",".join(map(str, ending)) for ending in endings)


def _continue_with_order(session: Session, wish: Wish, words: Sequence[str]) -> Reply | None:
    more = read_wish(words, wish["game"])
    new = more.options | more.slots
    order = set(words) & ({"first", "second"} if new else FIRST | SECOND)  # not of `level 2`
    if order and not more.begins:
        new["begins"] = "me" if order & FIRST else "you"
    if not new:
        helps = Reply(session, LINES("help first or second"), choices=("first", "second", "leave"))
        return helps if "help" in words else None
    return _proceed(session, {**wish, **new}, *LINES("noted"))


def _continue_with_piles(session: Session, wish: Wish, typed: Sequence[str]) -> Reply | None:
    count, sizes = wish.get("count"), wish.get("sizes", ())
    if count is not None:  # `7 in pile 3` names the pile that was asked for
        at = [*sizes, None].index(None) + 1
        typed = re.sub(rf"\bpile {at}\b", "pile", " ".join(typed)).split()
    typed = EXPRESSIONS["for each"].sub("", " ".join(typed)).split()
    numbers = find_counts(typed)
    more = read_wish(typed, wish["game"])
    new = more.options | more.slots
    all_at_once = new.pop("piles", ())
    new |= _read_order(typed)
    numbers += [0] if not numbers and not new and {"none", "nothing", "no"} & set(typed) else []
    if odd := next((word for word in typed if re.fullmatch(r"-\d+|\d+\.\d+", word)), None):
        return _ask(session, wish, *LINES("not a count", number=odd))
    note = _note(wish, new)
    wish = _merge(wish, new)
    if not numbers:
        return _proceed(session, wish, note) if new else None
    gaps = 1 if count is None else count - sum(size is not None for size in sizes)
    if len(numbers) > gaps or all_at_once not in ((), tuple(numbers)):
        return _proceed(session, {**wish, "piles": tuple(all_at_once or numbers)})
    if count is None:
        if not 1 <= numbers[0] <= MAX_PILES:
            return _ask(session, wish, *LINES("most piles", most=MAX_PILES))
        return _proceed(session, {**wish, "count": numbers[0], "sizes": []})
    piles = _fill_gaps(sizes, numbers)
    option = options_of(registry.find("games", wish["game"]))["piles"]
    try:
        option.check([size for size in piles if size is not None])
    except ParlourError as error:
        sizes = _keep_piles(piles, option)["sizes"]
        return _ask(session, {**wish, "sizes": sizes}, explain_refusal(wish["game"], error))
    if len(piles) < count or None in piles:
        return _proceed(session, {**wish, "sizes": piles})
    if not any(piles):
        return _ask(session, {**wish, "sizes": []}, *LINES("no coin"))
    return _proceed(session, {**wish, "piles": tuple(piles)})


def _fill_gaps(sizes: Sequence[int | None], numbers: Sequence[int]) -> list[int | None]:
    """Return the piles with numbers in their gaps first, and then at their end."""
    left = iter(numbers)
    return [*(next(left, None) if size is None else size for size in sizes), *left]


# The beginning


def _begin(session: Session, wish: Wish) -> Reply:
    """Begin the game, if it can be; he says beforehand whether he can be beaten."""
    try:
        game = build_wished(wish)
        against = _name_opponent(wish, game)
        registry.build("bots", against)
        if not tables.describe_strength(against, game):
            _refuse_bot(against, game)
    except ParlourError as error:
        return _ask_again(session, wish, error)
    session, aside = _clear_table(session, game.name)
    begins = wish.get("begins") or ("you" if _begins_himself(game) else "me")
    table = tables.seat_players(game, against, person_begins=begins == "me")
    as_i = knowledge.speaks_as_i(table) and against in ("benedict", "perfect")
    name = knowledge.name_variant(game)
    lines = [*aside, f"{name}." if as_i else f"{name}, against {describe_bot(against)}."]
    levels = {"level", "depth", "plies"} & set(
        options_of(registry.find("bots", against.split()[0]))
    )
    if wish.get("level") is not None and wish.get("against") and not levels:
        lines += LINES("no level", bot=against.partition(" ")[0])
    lines += _say_endings(game)
    lines += _warn(table, game, str(wish.get("begins", "")))
    lines += knowledge.describe_marks(table, game)
    if begins == "you":
        who = knowledge.name_player(table, 0, game)
        lines.append(core.capital(f"{knowledge.join_verb(who, 'begin')}."))
    return begin_game(session.replace(question=""), table, lines)


def _say_endings(game: Any) -> tuple[str, ...]:
    """Repeat the extra endings, apart from the class's, and whether moving there wins."""
    endings = [each for each in getattr(game, "endings", ()) if each not in CLASS_ENDINGS]
    does = "loses" if endings and game.misere else "wins"
    return LINES("endings", endings=_list_endings(endings), does=does) if endings else ()


def _name_opponent(wish: Wish, game: Game) -> str:
    """Name the opponent; the lowest and the highest level are the weakest and the strongest."""
    against, level = str(wish.get("against", "")), wish.get("level")
    low, high = tables.LEVELS[0], tables.LEVELS[-1]
    level = None if level is None else max(low, min(level, high))
    at_an_end = level in (low, high)
    if at_an_end and not against and (steps := tables.list_opponents(game)):
        return steps[0 if level == low else -1]
    return tables.name_bot(against, level, game)


def _begins_himself(game: Game) -> bool:
    """Say whether he begins: at nim he does iff that wins; elsewhere the person does."""
    chooses = core.extra(game, "chooses_beginner") and game.seats == 2
    value = tables.find_value(game, game.start()) if chooses else None
    return value is not None and value.outcome == "win"


def _warn(table: HostTable, game: Game, begins: str) -> tuple[str, ...]:
    """Say whether he can be beaten, where the person has set it up in their own way."""
    if tables.counts_discs(game) or game.seats != 2 or not knowledge.speaks_as_i(table):
        return ()
    if not tables.never_errs(tables.find_opponent(table), game):
        return LINES("errs")
    value = tables.find_value(game, game.start())
    if value is None:
        return LINES("unknown")
    if value.outcome == "draw":
        return ()
    if knowledge.name_player(table, 0 if value.outcome == "win" else 1, game) == "you":
        return LINES("beatable")
    usual = type(game)(**{name: getattr(game, name) for name in core.extra(game, "free_options")})
    return LINES("unbeatable") if begins or game != usual else ()


def play_again(session: Session, slots: Wish) -> Reply:
    """Play the same game again, with changes; after watching, watch again."""
    table = session.table
    if table is None or slots.get("game", table.game) != table.game:
        return start_setup(session, slots)
    wish = {"game": table.game, **table.options, **slots}
    if tables.find_person(table) is None and not {"begins", "against", "level"} & set(slots):
        return _proceed(session, {**wish, "players": table.players})
    wish["against"] = slots.get("against") or _name_same_opponent(table, slots)
    chooses = core.extra(tables.load_game(table), "chooses_beginner")
    if not chooses and "begins" not in slots:
        wish["begins"] = "me" if tables.find_person(table) in (0, None) else "you"
    return _begin(session, wish)


def _name_same_opponent(table: HostTable, slots: Wish) -> str:
    """Name the opponent of the last game, unless another level replaces them."""
    before = tables.find_opponent(table)
    steps = ("benedict", *tables.list_opponents(tables.load_game(table)))
    return "" if slots.get("level") is not None and before in steps else before


def watch(session: Session, meaning: Meaning, line: Line | None = None) -> Reply:
    """Let two bots play what a line asks for while the person watches; choose those not named."""
    slots, plain = meaning.slots, "" if line is None else line.plain
    words = re.sub(r"\b2 (?=(?:bots|computers|players|programs)\b)", "", plain).split()
    asked = read_wish(words, str(slots.get("game") or "nim"))
    named = [str(slots[who]) for who in ("first", "second") if slots.get(who)]
    known = options_of(registry.find("games", asked.game))
    options = asked.options | {name: slots[name] for name in slots if name in known}
    players = named or find_bots(words)[:2]
    parts = re.split(" against | and ", " ".join(words))
    levels = [read_wish(part.split()).level for part in parts][: len(players)]
    return _proceed(session, {"game": asked.game, **options, "players": players, "levels": levels})


def _list_watchable(game: Game) -> list[str]:
    """List who plays when nobody is named, the most telling pair first."""
    quick = tables.is_solved_here(game)
    strong = (tables.MIDDLING, "benedict", "despacito", "minimax", "random")
    first = ("perfect", "minimax") if quick else strong
    rest = [bot for bot in registry.bots(game) if quick or bot != "perfect"]
    every = dict.fromkeys(tables.name_bot(bot, None, game) for bot in (*first, *rest))
    return [bot for bot in every if tables.describe_strength(bot, game)]


def _watch_bots(session: Session, wish: Wish) -> Reply:
    game = build_wished(wish)
    try:
        pairs = zip_longest(wish["players"], wish.get("levels", ()))
        named = [tables.name_bot(text, level, game) for text, level in pairs]
        others = [bot for bot in _list_watchable(game) if bot not in named]
        players = named if len(named) > 1 else [*named, *others, *named][:2]
        for text in players:
            if not tables.describe_strength(text, game):
                _refuse_bot(text, game)
    except ParlourError as error:
        return Reply(session, (explain_refusal(game.name, error),))
    session, aside = put_aside(session)
    seats = tuple(players[seat % len(players)] for seat in range(game.seats))
    line = f"{knowledge.name_variant(game)}: {' against '.join(map(describe_bot, players))}."
    lines = [*aside, line, *_say_endings(game)]
    return begin_game(session, HostTable(game.name, core.values(game), seats), lines)


def _refuse_bot(text: str, game: Game) -> NoReturn:
    """Raise that a bot does not play this."""
    (line,) = LINES("does not play", bot=core.capital(text), others=", ".join(registry.bots(game)))
    raise ParlourError(line)


# Refusals


def explain_refusal(game_name: str, error: ParlourError) -> str:
    """Say why a variant is not allowed: in plain words, or else in those of the error."""
    limits = texts.read_sections(LIMITS)
    (limit,) = limits.get(f"{game_name} {getattr(error, 'option', '')}", ("",))
    if not isinstance(error, core.BadOption) or not limit:
        return core.sentence(str(error))
    cls = registry.find("games", game_name)
    option = options_of(cls)[error.option]
    if error.option in core.extra(cls, "pile_options"):
        which = _find_fault(error, int(option.high or 0), option.longest)
        most, high = option.longest, f"{int(option.high or 0):,}"
        return limits[which][0].format(high=high, most=most) if which else limit
    if error.numbers:
        return limits[f"{game_name} {error.option} here"][0].format(**error.numbers)
    low, high = (f"{int(bound or 0):,}" for bound in (option.low, option.high))
    rules = core.one_of(RULES.values()).replace("Benedict's", "my")
    return limit.format(low=low, high=high, rules=rules)


def _find_fault(error: core.BadOption, largest: int, most: int | None) -> str:
    """Name the section that says what is wrong with some piles."""
    numbers = _find_numbers(error.value)
    faults = {
        "pile too large": any(number > largest for number in numbers),
        "pile below 0": any(number < 0 for number in numbers),
        "too many piles": most is not None and (len(numbers) > most or error.value == ()),
        "no coin": most is not None and numbers and not any(numbers),
    }
    return next((name for name, found in faults.items() if found), "")


def _find_numbers(value: object) -> list[int]:
    """Return all whole numbers in what was given for some piles, as text or not."""
    if isinstance(value, str):
        found = re.findall(r"-?[0-9]+", value)
        return [-1 if number[0] == "-" else core.whole(number) for number in found]
    if isinstance(value, tuple | list):
        return [number for item in value for number in _find_numbers(item)]
    return [value] if type(value) is int else []
