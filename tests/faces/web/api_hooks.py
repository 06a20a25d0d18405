"""What schemathesis sends, made likelier: real tables, accounts, games and moves in the place of
every other text that could be one, and the token that belongs to them. It is loaded by schemathesis
itself, which is told of the tables and accounts by the environment.
"""

import json
import os
import uuid
import zlib

import requests
import schemathesis

ADDRESS = os.environ["ADDRESS"]
TABLES = json.loads(os.environ["TABLES"])  # pairs of a name and the token of a seat
ACCOUNTS = json.loads(os.environ["ACCOUNTS"])  # pairs of a name and its token
CHALLENGES = json.loads(os.environ["CHALLENGES"])
SEATS = dict(TABLES)  # of tables that were made meanwhile, too
VARIANTS = [
    ("nim", {}),
    ("nim", {"piles": [1, 2], "misere": True, "seats": 3}),
    ("sticks", {"sticks": 10}),
    ("chopsticks", {}),
    ("tictactoe", {}),
    ("othello", {}),
    ("othello", {"columns": 4, "rows": 4}),
]
MOVES = ["1 from 1", "1", "b2", "LL", "c4", "resign"]
SEAT_LISTS = [
    [{"kind": "bot", "bot": "random"}, {"kind": "open"}],
    [{"kind": "bot", "bot": "perfect"}, {"kind": "bot", "bot": "benedict", "name": "Ben"}],
]
FINAL = {"/api/account": "DELETE", "/api/account/token": "POST"}  # end the token they are sent with


def new_account():
    body = {"name": f"x{uuid.uuid4().hex[:12]}"}
    return requests.post(f"{ADDRESS}/api/accounts", json=body, timeout=60).json()["token"]


def is_name(value):
    return isinstance(value, str) and 0 < len(value) <= 40 and value.isalnum()


def token_for(path, method, lots, table_id):
    if FINAL.get(path) == method.upper():
        return new_account()
    if path.startswith(("/api/account", "/api/challenges")):
        return ACCOUNTS[lots // 11 % len(ACCOUNTS)][1]
    return SEATS.get(table_id) or ACCOUNTS[0][1]


@schemathesis.auth(refresh_interval=None)
class Likely:
    """Sends what is likely to be right, with the token that belongs to it."""

    def get(self, case, context):
        told = getattr(case.meta.phase.data, "parameter", None) if case.meta else None
        return None if str(told).lower() == "authorization" else case

    def set(self, case, data, context):
        make_likely(case)


def make_likely(case):
    lots = zlib.crc32(ascii((case.path_parameters, case.body)).encode())

    def one_of(choices, by):
        return choices[lots // by % len(choices)]

    given = case.path_parameters or {}
    if is_name(given.get("table_id")) and given["table_id"] not in SEATS and lots % 4:
        given["table_id"] = one_of(TABLES, 1)[0]
    if is_name(given.get("challenge_id")) and len(given["challenge_id"]) != 10 and lots % 4:
        given["challenge_id"] = one_of(CHALLENGES, 1)
    if is_name(given.get("name")) and lots % 2:
        given["name"] = one_of(ACCOUNTS, 1)[0]
    token = token_for(case.operation.path, case.operation.method, lots, given.get("table_id"))
    case.headers["Authorization"] = f"Bearer {token}"
    if case.operation.path.endswith("/events"):  # nobody stays for half a minute
        asked = {"seconds": 0, **(case.query or {})}
        is_right = str(asked["seconds"]) in map(str, range(3601))
        case.query = {**asked, "seconds": 0} if is_right else asked
    if isinstance(case.body, dict) and lots % 3:
        game, options = one_of(VARIANTS, 3)
        likely = {
            "game": game,
            "options": options,
            "move": one_of(MOVES, 5),
            "seats": one_of(SEAT_LISTS, 7),
            "opponent": one_of(ACCOUNTS, 13)[0],
        }
        for field, value in likely.items():
            held = case.body.get(field)
            was_right = 0 < len(held) <= 40 if isinstance(held, str) else held == type(value)()
            if type(held) is type(value) and was_right:
                case.body[field] = value


@schemathesis.hook
def after_call(context, case, response):
    """Remember the seats that were taken and the tables that were made."""
    if response.status_code != 201:
        return
    found = json.loads(response.content)
    if case.operation.path == "/api/tables":
        SEATS.setdefault(found["id"], ACCOUNTS[0][1])
    elif "/seats/" in case.operation.path and found["token"]:
        SEATS[found["table"]["id"]] = found["token"]
