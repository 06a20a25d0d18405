-- Six models and the secrets. A migration that has been released is never changed.

CREATE TABLE tables (
    id TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    changed DOUBLE PRECISION NOT NULL,
    listed BOOLEAN NOT NULL,
    over BOOLEAN NOT NULL,
    body TEXT NOT NULL
);

CREATE TABLE setups (
    id TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    changed DOUBLE PRECISION NOT NULL,
    owner TEXT NOT NULL,
    body TEXT NOT NULL
);

CREATE TABLE talks (
    id TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    changed DOUBLE PRECISION NOT NULL,
    body TEXT NOT NULL
);

CREATE TABLE trainings (
    id TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    changed DOUBLE PRECISION NOT NULL,
    owner TEXT NOT NULL,
    state TEXT NOT NULL,
    body TEXT NOT NULL
);

CREATE TABLE tournaments (
    id TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    changed DOUBLE PRECISION NOT NULL,
    owner TEXT NOT NULL,
    state TEXT NOT NULL,
    body TEXT NOT NULL
);

CREATE TABLE pairings (
    id TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    changed DOUBLE PRECISION NOT NULL,
    tournament TEXT NOT NULL,
    state TEXT NOT NULL,
    body TEXT NOT NULL,
    FOREIGN KEY (tournament) REFERENCES tournaments (id) ON DELETE CASCADE
);

CREATE TABLE secrets (
    name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL
);

CREATE INDEX tables_changed ON tables (changed);
CREATE INDEX setups_changed ON setups (changed);
CREATE INDEX talks_changed ON talks (changed);
CREATE INDEX trainings_changed ON trainings (changed);
CREATE INDEX tournaments_changed ON tournaments (changed);
CREATE INDEX pairings_changed ON pairings (changed);
CREATE INDEX tables_lobby ON tables (over, listed, changed);
CREATE INDEX setups_owner ON setups (owner, changed);
CREATE INDEX trainings_owner ON trainings (owner, changed);
CREATE INDEX trainings_state ON trainings (state, changed);
CREATE INDEX tournaments_owner ON tournaments (owner, changed);
CREATE INDEX tournaments_state ON tournaments (state, changed);
CREATE INDEX pairings_tournament ON pairings (tournament, state);
CREATE INDEX pairings_state ON pairings (state, changed);
