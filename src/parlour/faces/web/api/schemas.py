"""What the API is sent and what it answers, each field with its meaning.

The OpenAPI, the AsyncAPI of the streams and the page /docs are made from these declarations. Every
message of a stream has a field `type`, by which a program tells them apart.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StringConstraints

MAX_DAYS = 14

Name = Annotated[str, StringConstraints(min_length=1, max_length=40)]
Text = Annotated[str, StringConstraints(max_length=2000)]
MoveText = Annotated[str, StringConstraints(min_length=1, max_length=100)]
Options = Annotated[dict[str, Any], Field(default_factory=dict)]
Clock = tuple[
    Annotated[float, Field(ge=1, le=86400, strict=True)],
    Annotated[float, Field(ge=0, le=3600, strict=True)],
]
Days = Annotated[int, Field(ge=1, le=MAX_DAYS, strict=True)]
Number = Annotated[int, Field(ge=0, le=100_000, strict=True)]


class Schema(BaseModel):
    """What the API answers."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class Strict(Schema):
    """What the API is sent; fields that are not declared are refused."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class ProblemDocument(Schema):
    """Why a request was refused, and what would be right."""

    title: str
    """The kind of problem in a few words."""
    status: int
    """The HTTP status."""
    detail: str
    """What was wrong and what would be right, in one sentence."""


# Games


class GameInfo(Schema):
    """A game that can be played here."""

    name: str
    """The name by which requests call it."""
    about: str
    """What it is, in a sentence."""
    options: dict[str, Any]
    """Its options as JSON schema: the rules that can be chosen."""


class BotInfo(Schema):
    """A bot of the house that plays a variant."""

    name: str
    """The name by which a seat asks for it."""
    about: str
    """How it plays, in a sentence."""
    plays: str
    """How well it plays this variant."""
    options: dict[str, Any]
    """Its options as JSON schema."""


class Variant(Strict):
    """A game with its options."""

    game: Name
    """The name of the game, as `listGames` has it."""
    options: Options
    """The options that differ from their defaults, as `listGames` describes them."""


class TimedVariant(Variant):
    """A game to play by a clock, or without one."""

    clock: Clock | None = None
    """Seconds for the whole game, and seconds added for each move; without it there is no clock."""
    days: Days | None = None
    """A slow clock instead: how many days each move may take."""


class Played(Schema):
    """A game that somebody plays or is invited to, with its rules and its clock."""

    id: str
    """The id by which requests name it."""
    game: str
    """The name of the game."""
    options: dict[str, Any]
    """All options of the game, with their values."""
    clock: list[float] | None
    """Seconds for the whole game, and seconds added for each move; nothing without clocks."""
    days: int | None
    """How many days each move may take, by a slow clock; nothing without one."""


# Tables


class NewSeat(Strict):
    """A seat of a new table: a bot of the house, or open to anyone."""

    kind: Literal["open", "bot"] = "open"
    """`open` for anyone who takes it, `bot` for a bot of the house."""
    name: Annotated[str, StringConstraints(max_length=40)] = ""
    """The name of the bot at this table; by default that of its kind."""
    bot: Annotated[str, StringConstraints(max_length=40)] = ""
    """Which bot, as `listBots` names it."""
    options: Annotated[str, StringConstraints(max_length=200)] = ""
    """The options of the bot, as in `depth=3`."""


class NewTable(TimedVariant):
    """A table to create."""

    seats: Annotated[list[NewSeat], Field(default_factory=list, max_length=10)]
    """The seats in the order of play; those that are not given are open."""
    listed: StrictBool = True
    """Whether the lobby lists the table, so that anybody may find and join it."""


class SeatInfo(Schema):
    """A seat as everybody may see it."""

    kind: str
    """`person` for whoever took it, a bot account too; `bot` for a bot of the house; `open`."""
    name: str
    """The player's name; a bot of the house and a bot account have one as well."""
    bot: str
    """The bot of the house with its options, or nothing."""
    account: str
    """The name of the bot account that sits there, or nothing."""
    seconds_left: float | None
    """The seconds left on the seat's clock, or nothing without clocks."""


class TableInfo(Played):
    """A table as everybody may see it."""

    version: int
    """How often the table has changed; a message with a smaller number is out of date."""
    seats: list[SeatInfo]
    """The seats in the order of play, counted from 0."""
    moves: list[str]
    """The moves so far, in the notation of the game."""
    position: str
    """The position now, on one line, in the notation of the game."""
    legal: list[str]
    """The legal moves in the position, at most the first 100; none when the game is over."""
    turn: int | None
    """The seat to move, counted from 0; nothing when the game is over."""
    result: list[int] | None
    """For each seat 1 for a win, 0 for a draw, -1 for a loss; nothing while the game goes on."""
    reason: str
    """Why the game ended where the rules alone do not say it, as in `player 1 resigned`."""
    ended_by: str
    """The extra ending that ended the game, if one did."""
    out: list[int]
    """The seats that are out while the others go on."""
    offer: str
    """What is offered, and by which seat, as in `undo 0`; nothing if nothing is."""
    next: str
    """The id of the table of the rematch, once there is one."""
    rated: bool
    """Whether the result counts for the ratings of the two people who play."""


class SeatRequest(Strict):
    """Who takes the seat."""

    name: Annotated[str, StringConstraints(max_length=40)] = ""
    """The name of the player; a bot account always sits by its own."""


class SeatTaken(Schema):
    """A seat that was taken."""

    seat: int
    """The number of the seat, counted from 0."""
    token: str
    """The secret token of the seat, sent only once; nothing for a bot account, which has one."""
    table: TableInfo
    """The table as it is now."""


class NewMove(Strict):
    """A move in the game's notation."""

    move: MoveText
    """The move, as `legal` of the table writes it."""
    at: Number | None = None
    """How many moves you have seen; a move chosen for an older position is refused with 409."""


# Truth


class Question(Variant):
    """A position of a variant, as text or as the moves that lead there; else the start."""

    position: Text = ""
    """The position on one line, as `position` of a table."""
    moves: Annotated[
        list[Annotated[str, StringConstraints(max_length=100)]],
        Field(default_factory=list, max_length=2000),
    ]
    """The moves that lead from the start to the position, instead of its text."""


class WhyQuestion(Question):
    """A position, and optionally a move in it."""

    move: Annotated[str, StringConstraints(max_length=100)] = ""
    """The move to explain; without it the position is explained."""


class SolveResult(Schema):
    """The value of a position for the seat to move."""

    outcome: str
    """`win`, `loss` or `draw`, with best play by everybody."""
    plies: int | None
    """How many moves the game lasts with best play; nothing where only the outcome is known."""
    method: str
    """How it was proven."""
    counts: dict[str, int] | None
    """How many positions of the variant are won, lost and drawn, where they were counted."""
    best: list[str]
    """The best moves."""
    sentence: str
    """The value in a sentence."""


class Explanation(Schema):
    """Why a position or a move is good or bad."""

    lines: list[str]
    """The reasons, in sentences."""


# Accounts


class NewAccount(Strict):
    """A bot account to create."""

    name: Annotated[str, StringConstraints(min_length=2, max_length=24)]
    """2 to 24 letters, digits, `-` or `_`, beginning with a letter; no other account has it."""
    description: Annotated[str, StringConstraints(max_length=300)] = ""
    """What people read about the bot before they challenge it."""
    games: Annotated[list[Name], Field(default_factory=list, max_length=50)]
    """The games it plays, by name; all if none is given."""


class AccountChange(Strict):
    """What to change of an account; what is left out stays."""

    description: Annotated[str, StringConstraints(max_length=300)] | None = None
    """What people read about the bot."""
    games: Annotated[list[Name], Field(max_length=50)] | None = None
    """The games it plays, by name; an empty list for all."""


class AccountInfo(Schema):
    """A bot account as everybody may see it."""

    name: str
    """Its name."""
    description: str
    """What its author says about it."""
    games: list[str]
    """The games it plays; all if the list is empty."""
    here: bool
    """Whether its event stream is open, so that it will notice a challenge at once."""
    created: float
    """When it was created, in seconds since 1970."""


class AccountCreated(Schema):
    """A new account and its secret."""

    account: AccountInfo
    """The account."""
    token: str
    """The secret token, sent only once: whoever has it is the account."""


class NewToken(Schema):
    """A new token for an account; the one before is refused from now on."""

    token: str
    """The secret token, sent only once."""


class FeedInfo(Schema):
    """Secret addresses that a feed reader can follow: whoever knows one sees whose turn it is."""

    json_feed: str
    """The feed as JSON Feed."""
    atom: str
    """The same as Atom."""


# Challenges


class NewChallenge(TimedVariant):
    """A challenge to a game for two."""

    opponent: Annotated[str, StringConstraints(max_length=40)] = ""
    """The name of the bot account that is challenged; nothing for anybody who accepts."""
    seat: Annotated[int, Field(ge=0, le=1, strict=True)] | None = None
    """The seat that the challenger takes: 0 begins. Without it lots are drawn."""
    seconds: Annotated[int, Field(ge=10, le=MAX_DAYS * 86400, strict=True)] = 600
    """After how many seconds the challenge expires."""


class Acceptance(SeatRequest):
    """Who accepts a challenge."""


class Refusal(Strict):
    """Why a challenge is declined."""

    reason: Annotated[str, StringConstraints(max_length=200)] = ""
    """A sentence for the challenger, or nothing."""


class PlayerInfo(Schema):
    """One of the two players of a challenge."""

    name: str
    """The player's name, or nothing for a person without one."""
    account: str
    """The name of the bot account, or nothing for a person."""


class ChallengeInfo(Played):
    """A challenge as everybody may see it."""

    state: Literal["open", "accepted", "declined", "cancelled", "expired"]
    """What has become of it."""
    challenger: PlayerInfo
    """Who challenges."""
    opponent: PlayerInfo | None
    """Who is challenged, or who accepted; nothing while anybody may."""
    seat: int | None
    """The seat of the challenger; nothing if lots are drawn."""
    expires: float
    """When it expires, in seconds since 1970."""
    reason: str
    """Why it was declined, if a reason was given."""
    table: str
    """The id of the table, once it is accepted."""


# Messages of streams, to programs


class TableMessage(TableInfo):
    """A table, sent when the stream begins and after every change."""

    type: Literal["table"] = "table"


class Acknowledgement(Schema):
    """A request of yours was carried out; a move is stored by now."""

    type: Literal["ok"] = "ok"
    ok: Literal[True] = True
    """Always true."""
    table: str = ""
    """The table of the move, on the stream of an account."""
    moves: int | None = None
    """How many moves have been played after your move; nothing after a token."""


class ProblemMessage(ProblemDocument):
    """A request of yours was refused."""

    type: Literal["problem"] = "problem"


class OwnSeat(Schema):
    """Where the account plays."""

    table: str
    """The id of the table."""
    game: str
    """The name of the game."""
    seat: int
    """Your seat, counted from 0."""


class Waiting(OwnSeat):
    """A game that waits for your move."""

    moves: int
    """How many moves have been played."""


class EventId(Schema):
    """The number of an event."""

    id: int
    """Grows from event to event; send it as Last-Event-ID to get everything after it."""


class Hello(EventId):
    """What waits for the account when its stream begins."""

    type: Literal["hello"] = "hello"
    account: AccountInfo
    """The account itself."""
    challenges: list[ChallengeInfo]
    """Its open challenges, received and sent."""
    turns: list[Waiting]
    """The games in which it is its turn."""


class ChallengeEvent(EventId):
    """A challenge was received, or one of the account's challenges was answered or has expired."""

    type: Literal["challenge"] = "challenge"
    challenge: ChallengeInfo
    """The challenge as it is now; `state` says what has become of it."""


class GameEvent(OwnSeat, EventId):
    """Something about a game of the account."""


class GameStart(GameEvent):
    """A game has begun: all seats are taken."""

    type: Literal["game_start"] = "game_start"


class Turn(GameEvent):
    """It is your turn."""

    type: Literal["turn"] = "turn"
    moves: int
    """How many moves have been played; send it as `at` with your move."""


class Offer(GameEvent):
    """Another player offers something: to take back a move, a draw, a rematch."""

    type: Literal["offer"] = "offer"
    offer: str
    """What is offered: the operation of the same name accepts it, `decline` declines it."""
    by: int
    """The seat that offers it."""


class GameEnd(GameEvent):
    """A game is over."""

    type: Literal["game_end"] = "game_end"
    result: list[int]
    """For each seat 1 for a win, 0 for a draw, -1 for a loss."""
    reason: str
    """Why it ended where the rules alone do not say it."""


# Messages of streams, from programs


class MoveRequest(NewMove):
    """Play a move at the table of this stream."""

    type: Literal["move"]


class TokenRequest(Strict):
    """Say who you are, where the Authorization header cannot be set, as in a browser."""

    type: Literal["token"]
    token: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    """The token of a seat, or of a bot account."""


class AccountMoveRequest(MoveRequest):
    """Play a move at one of your tables, on the stream of an account."""

    table: Name
    """The id of the table."""


EVENTS = (Hello, ChallengeEvent, GameStart, Turn, Offer, GameEnd)
UNIONS: dict[str, tuple[type[Schema], ...]] = {
    "TableStreamMessage": (TableMessage, Acknowledgement, ProblemMessage),
    "TableStreamRequest": (MoveRequest, TokenRequest),
    "AccountEvent": EVENTS,
    "AccountStreamMessage": (*EVENTS, Acknowledgement, ProblemMessage),
    "AccountStreamRequest": (AccountMoveRequest, TokenRequest),
}
