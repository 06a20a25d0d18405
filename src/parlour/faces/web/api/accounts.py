"""Bot accounts, their challenges, and what happens to them as a stream of events."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import Depends, Header, Path, Query, Request
from fastapi.responses import Response, StreamingResponse
from starlette.websockets import WebSocket, WebSocketDisconnect

from parlour.core import registry
from parlour.faces.web.accounts import (
    AccountsDep,
    AccountService,
    ChallengesDep,
    ChallengeService,
    EventsDep,
    EventStream,
    FeedsDep,
    Greeting,
    is_here,
)
from parlour.faces.web.api import schemas, streams
from parlour.faces.web.api.description import (
    ACCOUNT,
    ANYBODY,
    ANYBODY_OR_KNOWN,
    PLAYER,
    Endpoints,
    link,
    stream_events,
    stream_socket,
)
from parlour.faces.web.api.tables import table_info
from parlour.faces.web.clients import Visitor, account_owner
from parlour.faces.web.errors import NotSignedIn, NotThere
from parlour.faces.web.live import TRY_LATER
from parlour.faces.web.requests import NOT_BARRED, VisitorDep
from parlour.faces.web.services import Services, services_of
from parlour.store import Account, Challenge, Event, Unavailable

FIRST = "$response.body#/0/id"
MAX_LISTED = 100
MAX_NUMBER = 2**53
UNKNOWN = 4401  # closes a stream whose token is not that of an account
TYPES: dict[str, type[Any]] = {each.model_fields["type"].default: each for each in schemas.EVENTS}

router = Endpoints("accounts")

AccountName = Annotated[str, Path(max_length=40, description="The name of a bot account.")]
ChallengeId = Annotated[str, Path(max_length=40, description="The id of a challenge.")]
Limit = Annotated[int, Query(ge=1, le=MAX_LISTED, description="How many to list at most.")]
After = Annotated[
    int | None,
    Query(
        ge=0,
        le=MAX_NUMBER,
        description="The id of the last event you have seen, as Last-Event-ID.",
    ),
]
LastEventId = Annotated[
    str | None,
    Header(
        max_length=20, pattern="^[0-9]*$", description="The id of the last event you have seen."
    ),
]


async def _account(visitor: VisitorDep, accounts: AccountsDep) -> Account:
    """Return the account whose token was sent."""
    return await asyncio.to_thread(accounts.read, visitor.account)


AccountDep = Annotated[Account, Depends(_account)]


def account_info(account: Account) -> schemas.AccountInfo:
    """Return an account as everybody may see it."""
    return schemas.AccountInfo(**vars(account), here=is_here(account))


# Accounts


@router.endpoint("GET /accounts", ANYBODY)
def list_accounts(
    accounts: AccountsDep,
    here: Annotated[bool, Query(description="Whether to list only those that are here.")] = False,
    limit: Limit = 30,
) -> list[schemas.AccountInfo]:
    """List bot accounts, those that were here last first."""
    found = accounts.list_here(limit) if here else accounts.list_all(limit)
    return [account_info(account) for account in found]


@router.endpoint(
    "POST /accounts",
    ANYBODY,
    (404, 409),
    status=201,
    answer="The account, and its token.",
    links=[link("readAccount", "The account.", name="$response.body#/account/name")],
    dependencies=NOT_BARRED,
)
def create_account(
    new: schemas.NewAccount, visitor: VisitorDep, accounts: AccountsDep
) -> schemas.AccountCreated:
    """Create a bot account. Its token is sent only once: keep it.

    One address may have 20 accounts, and create them only now and then.
    """
    account, token = accounts.create(new.name, new.description, new.games, visitor.network)
    return schemas.AccountCreated(account=account_info(account), token=token)


@router.endpoint("GET /accounts/{name}", ANYBODY, (404,))
def read_account(name: AccountName, accounts: AccountsDep) -> schemas.AccountInfo:
    """Return the account of this name, in capitals or not."""
    return account_info(accounts.find(name))


@router.endpoint("GET /account", ACCOUNT)
def read_own_account(account: AccountDep) -> schemas.AccountInfo:
    """Return the account whose token was sent."""
    return account_info(account)


@router.endpoint("PATCH /account", ACCOUNT, (404, 409))
def change_account(
    change: schemas.AccountChange, account: AccountDep, accounts: AccountsDep
) -> schemas.AccountInfo:
    """Change what your account says about itself; its name stays."""
    return account_info(
        accounts.change(account.id, description=change.description, games=change.games)
    )


@router.endpoint("DELETE /account", ACCOUNT, (409,), status=204, answer="The account is deleted.")
def delete_account(account: AccountDep, accounts: AccountsDep) -> None:
    """Delete your account and all that is stored of it.

    Its games in progress are lost. Finished games with others stay, without its name.
    """
    accounts.delete(account.id)


@router.endpoint("POST /account/token", ACCOUNT, (409,))
def rotate_token(account: AccountDep, accounts: AccountsDep) -> schemas.NewToken:
    """Replace your token; the old one is refused from now on, and open streams end."""
    return schemas.NewToken(token=accounts.rotate(account.id))


@router.endpoint(
    "GET /account/games", ACCOUNT, links=[link("readTable", "The first of them.", table_id=FIRST)]
)
def list_own_games(account: AccountDep, events: EventsDep) -> list[schemas.TableInfo]:
    """List your games in progress, the latest change first."""
    return [table_info(table) for table in events.list_games(account)]


@router.endpoint("GET /account/feed", ACCOUNT)
def read_feed(request: Request, account: AccountDep, feeds: FeedsDep) -> schemas.FeedInfo:
    """Return the secret addresses at which a feed reader sees when it is your turn."""
    return _feed_info(request, feeds.address_of(account_owner(account.id)))


@router.endpoint("POST /account/feed", ACCOUNT)
def renew_feed(request: Request, account: AccountDep, feeds: FeedsDep) -> schemas.FeedInfo:
    """Replace the addresses of your feed; the old ones are not known any more."""
    return _feed_info(request, feeds.renew(account_owner(account.id)))


def _feed_info(request: Request, secret: str) -> schemas.FeedInfo:
    base = f"{str(request.base_url).rstrip('/')}/feeds/{secret}"
    return schemas.FeedInfo(json_feed=f"{base}/feed.json", atom=f"{base}/feed.atom")


# Challenges

NEW = "$response.body#/id"
ANSWERS = (
    link("readChallenge", "The challenge as it is now.", challenge_id=NEW),
    link("acceptChallenge", "Accept it, as its opponent.", challenge_id=NEW),
    link("declineChallenge", "Decline it, as its opponent.", challenge_id=NEW),
    link("cancelChallenge", "Take it back, as its challenger.", challenge_id=NEW),
)
PLAYED = (
    link("readTable", "The game that began.", table_id="$response.body#/table"),
    link("readChallenge", "The challenge as it is now.", challenge_id="$request.path.challenge_id"),
)


@router.endpoint(
    "GET /challenges",
    ANYBODY_OR_KNOWN,
    links=[link("readChallenge", "The first of them.", challenge_id=FIRST)],
)
def list_challenges(
    visitor: VisitorDep,
    challenges: ChallengesDep,
    whose: Annotated[
        Literal["open", "mine"],
        Query(description="`open` for those that anybody may accept, `mine` for yours and to you."),
    ] = "open",
    limit: Limit = 30,
) -> list[schemas.ChallengeInfo]:
    """List open challenges, the newest first."""
    if whose == "mine" and not visitor.owner:
        raise NotSignedIn("say who you are to see your challenges: Authorization: Bearer TOKEN")
    found = (
        challenges.list_open(limit) if whose == "open" else challenges.list_of(visitor.owner, limit)
    )
    return [challenge_info(challenge) for challenge in found]


@router.endpoint(
    "POST /challenges", PLAYER, (403, 404, 409), status=201, links=ANSWERS, dependencies=NOT_BARRED
)
def create_challenge(
    new: schemas.NewChallenge, visitor: VisitorDep, challenges: ChallengesDep
) -> schemas.ChallengeInfo:
    """Challenge a bot account, or anybody, to a game for two."""
    challenge = challenges.create(
        visitor,
        new.opponent,
        registry.build("games", new.game, new.options),
        seat=new.seat,
        clock=new.clock,
        days=new.days or 0,
        seconds=new.seconds,
    )
    return challenge_info(challenge)


@router.endpoint("GET /challenges/{challenge_id}", ANYBODY, (404,), links=ANSWERS)
def read_challenge(challenge_id: ChallengeId, challenges: ChallengesDep) -> schemas.ChallengeInfo:
    """Return a challenge as it is now."""
    return challenge_info(challenges.read(challenge_id))


@router.endpoint(
    "POST /challenges/{challenge_id}/accept",
    PLAYER,
    (403, 404, 409),
    answer="The game has begun.",
    links=PLAYED,
    dependencies=NOT_BARRED,
)
def accept_challenge(
    challenge_id: ChallengeId,
    who: schemas.Acceptance,
    visitor: VisitorDep,
    challenges: ChallengesDep,
) -> schemas.ChallengeInfo:
    """Accept a challenge to you, or one to anybody: the game begins at `table`."""
    return challenge_info(challenges.accept(challenge_id, visitor, who.name))


@router.endpoint("POST /challenges/{challenge_id}/decline", PLAYER, (403, 404, 409))
def decline_challenge(
    challenge_id: ChallengeId, why: schemas.Refusal, visitor: VisitorDep, challenges: ChallengesDep
) -> schemas.ChallengeInfo:
    """Decline a challenge to you."""
    return challenge_info(challenges.decline(challenge_id, visitor, why.reason))


@router.endpoint("POST /challenges/{challenge_id}/cancel", PLAYER, (403, 404, 409))
def cancel_challenge(
    challenge_id: ChallengeId, visitor: VisitorDep, challenges: ChallengesDep
) -> schemas.ChallengeInfo:
    """Take back a challenge of yours."""
    return challenge_info(challenges.cancel(challenge_id, visitor))


def challenge_info(challenge: Challenge) -> schemas.ChallengeInfo:
    """Return a challenge as everybody may see it."""
    own, other = challenge.challenger_name, challenge.opponent_name
    opponent = schemas.PlayerInfo(name=other, account=challenge.opponent_account)
    shown = {
        "challenger": schemas.PlayerInfo(name=own, account=challenge.challenger_account),
        "opponent": opponent if challenge.opponent else None,
        "days": challenge.days or None,
    }
    return schemas.ChallengeInfo(**vars(challenge) | shown)


# Events


@router.endpoint(
    "GET /account/events",
    ACCOUNT,
    answer=stream_events("AccountEvent", "What waits for you, then everything that happens."),
    response_class=StreamingResponse,
)
async def follow_account(
    request: Request,
    account: AccountDep,
    visitor: VisitorDep,
    seconds: streams.Seconds = 60,
    after: After = None,
    last_event_id: LastEventId = None,
) -> StreamingResponse:
    """Send what happens to your account as server-sent events, for some seconds.

    The first is `hello`, with your open challenges and the games that wait for your move. With
    `Last-Event-ID`, or `after`, the events since that one follow: none is lost while you were away,
    for 30 days. While the stream is open, people see that your bot is here.
    """
    services = services_of(request)
    streams.check_room(services.hub, visitor)
    number = int(last_event_id) if last_event_id else after
    stream = _send_events(_messages(services, account, number, seconds))
    return StreamingResponse(stream, media_type="text/event-stream")


async def _send_events(messages: AsyncGenerator[Any]) -> AsyncIterator[str]:
    async with contextlib.aclosing(messages):
        async for message in messages:
            yield streams.STILL_HERE if message is None else streams.send_event(message, message.id)


async def _messages(
    services: Services, account: Account, after: int | None, seconds: float | None = None
) -> AsyncGenerator[Any]:
    """Yield what happens to an account as messages, or None while nothing does."""
    challenges = services.get(ChallengeService)
    found = services.get(EventStream).follow(account, after, seconds)
    async with contextlib.aclosing(found):
        async for each in found:
            message = each and await asyncio.to_thread(_message, each, challenges)
            if each is None or message is not None:
                yield message


def _message(found: Greeting | Event, challenges: ChallengeService) -> Any:
    """Return a greeting or an event as a message; None if what it tells of is no longer there."""
    if isinstance(found, tuple):
        number, event = found
        if event["type"] != "challenge":
            return TYPES[event["type"]](id=number, **event)
        try:
            challenge = challenges.read(event["challenge"])
        except NotThere:
            return None
        return schemas.ChallengeEvent(id=number, challenge=challenge_info(challenge))
    owner = account_owner(found.account.id)
    return schemas.Hello(
        id=found.number,
        account=account_info(found.account),
        challenges=[challenge_info(each) for each in found.challenges],
        turns=[
            schemas.Waiting(
                table=table.id,
                game=table.game,
                seat=next(at for at, seat in enumerate(table.seats) if seat.owner == owner),
                moves=len(table.moves),
            )
            for table in found.turns
        ],
    )


@router.endpoint(
    "GET /account/stream",
    ANYBODY,
    (426,),
    status=101,
    answer=stream_socket("AccountStreamMessage"),
    response_class=Response,
)
def open_account_stream(after: After = None) -> None:
    """Open a WebSocket that sends the events of your account and takes moves at all your tables.

    It sends what `followAccount` sends, takes `AccountStreamRequest`, and answers each by an
    `Acknowledgement` or a `ProblemMessage`. The close code 4401 says that the token is not that of
    an account. `/api/asyncapi.json` describes it for generators.
    """
    raise streams.UpgradeRequired("open a WebSocket at this address, or read the events instead")


@router.websocket("/account/stream")
async def account_stream(socket: WebSocket, after: After = None) -> None:
    """Send the events of an account, and take moves."""
    services = services_of(socket)
    visitor: Visitor = socket.state.visitor
    hub = services.hub
    await socket.accept()
    owner = visitor.owner or visitor.address
    if not hub.has_room(owner, streams.MAX_STREAMS):
        await socket.close(4429)
        return
    tasks: set[asyncio.Task[None]] = set()

    async def begin(who: Visitor) -> None:
        if not who.account:
            raise NotSignedIn("this is not the token of a bot account")
        if not tasks:
            account = await asyncio.to_thread(accounts.read, who.account)
            tasks.add(asyncio.create_task(_send_messages(socket, account, after)))

    accounts = services.get(AccountService)
    try:
        if visitor.account:
            await begin(visitor)
        await streams.answer_requests(socket, visitor, on_token=begin)
    except (WebSocketDisconnect, KeyError, RuntimeError):
        pass
    except Unavailable:
        await socket.close(TRY_LATER)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _send_messages(socket: WebSocket, account: Account, after: int | None) -> None:
    """Send what happens to an account until its token is replaced; then close."""
    async with contextlib.aclosing(_messages(services_of(socket), account, after)) as messages:
        async for message in messages:
            if message is not None:
                await socket.send_text(message.model_dump_json())
    await socket.close(UNKNOWN)
