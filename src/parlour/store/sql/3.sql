-- Bot accounts, challenges, the events of each account, addresses of feeds, and slow clocks.

CREATE TABLE accounts (
    id TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    changed DOUBLE PRECISION NOT NULL,
    handle TEXT NOT NULL,
    origin TEXT NOT NULL,
    body TEXT NOT NULL
);

CREATE TABLE challenges (
    id TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    changed DOUBLE PRECISION NOT NULL,
    challenger TEXT NOT NULL,
    opponent TEXT NOT NULL,
    state TEXT NOT NULL,
    body TEXT NOT NULL
);

CREATE TABLE feeds (
    id TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    changed DOUBLE PRECISION NOT NULL,
    owner TEXT NOT NULL,
    body TEXT NOT NULL
);

CREATE TABLE events (
    owner TEXT NOT NULL,
    number BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (owner, number)
);

CREATE INDEX accounts_changed ON accounts (changed);
CREATE UNIQUE INDEX accounts_handle ON accounts (handle);
CREATE INDEX accounts_origin ON accounts (origin, changed);
CREATE INDEX challenges_changed ON challenges (changed);
CREATE INDEX challenges_challenger ON challenges (challenger, state, changed);
CREATE INDEX challenges_opponent ON challenges (opponent, state, changed);
CREATE INDEX challenges_state ON challenges (state, changed);
CREATE INDEX feeds_changed ON feeds (changed);
CREATE INDEX feeds_owner ON feeds (owner, changed);
ALTER TABLE tables ADD COLUMN slow BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX tables_slow ON tables (slow, over, changed);
