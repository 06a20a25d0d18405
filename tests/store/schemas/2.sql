-- A database of the second schema, as the program of that time wrote it.
BEGIN TRANSACTION;
CREATE TABLE pairings (
    id TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    changed DOUBLE PRECISION NOT NULL,
    tournament TEXT NOT NULL,
    state TEXT NOT NULL,
    body TEXT NOT NULL,
    FOREIGN KEY (tournament) REFERENCES tournaments (id) ON DELETE CASCADE
);
INSERT INTO "pairings" VALUES('pair1',0,1763200013.0,'cup2345678','done','{"number": 0, "game": 0, "seats": [0, 1], "points": [0.0, 1.0], "note": "", "table": "finished23"}');
INSERT INTO "pairings" VALUES('pair2',0,1763200013.0,'cup2345678','failed','{"number": 1, "game": 0, "seats": [1, 0], "points": [], "note": "it took too long", "table": ""}');
INSERT INTO "pairings" VALUES('pair3',0,1763200013.0,'cup2345678','waiting','{"number": 2, "game": 0, "seats": [0, 1], "points": [], "note": "", "table": ""}');
CREATE TABLE parlour_version (version INTEGER NOT NULL);
INSERT INTO "parlour_version" VALUES(2);
CREATE TABLE secrets (
    name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL
);
INSERT INTO "secrets" VALUES('cookies','abababababababababababababababababababababababababababababababab');
CREATE TABLE setups (
    id TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    changed DOUBLE PRECISION NOT NULL,
    owner TEXT NOT NULL,
    body TEXT NOT NULL
);
INSERT INTO "setups" VALUES('setup23456',0,1763200009.0,'a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1','{"game": "nim", "options": {"piles": [1, 2, 3]}, "seats": [{"kind": "person", "name": "Ann", "bot": "", "owner": ""}, {"kind": "bot", "name": "", "bot": "benedict", "owner": ""}], "pace": "self", "clock": null, "listed": true}');
CREATE TABLE tables (
    id TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    changed DOUBLE PRECISION NOT NULL,
    listed BOOLEAN NOT NULL,
    over BOOLEAN NOT NULL,
    body TEXT NOT NULL
, creator TEXT NOT NULL DEFAULT '', bots BOOLEAN NOT NULL DEFAULT FALSE, played BOOLEAN NOT NULL DEFAULT FALSE);
INSERT INTO "tables" VALUES('people2345',3,1763200005.0,1,0,'{"game": "tictactoe", "options": {"columns": 3, "rows": 3, "line": 3, "misere": false}, "seats": [{"kind": "person", "name": "Ann", "bot": "", "owner": "browser:a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1"}, {"kind": "person", "name": "Bob", "bot": "", "owner": "token:b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2"}], "pace": "self", "clock": null, "moves": ["b2", "a1", "b1"], "seconds": [1.5, 1.5, 1.5], "result": null, "reason": "", "agreed": 0, "offer": "", "next": "", "setup": "", "begun": 1763200000.0, "turned": 1763200000.0}','browser:a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1',0,1);
INSERT INTO "tables" VALUES('againstbot',0,1763200006.0,0,0,'{"game": "nim", "options": {"piles": [3, 4, 5], "misere": false, "endings": [], "seats": 2, "take": null}, "seats": [{"kind": "person", "name": "Zo\u00eb \u2603", "bot": "", "owner": "browser:a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1"}, {"kind": "bot", "name": "", "bot": "perfect seed=1", "owner": ""}], "pace": "ok", "clock": [300.0, 5.0], "moves": [], "seconds": [], "result": null, "reason": "", "agreed": 0, "offer": "", "next": "", "setup": "nim a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1", "begun": 0.0, "turned": 0.0}','browser:a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1',1,0);
INSERT INTO "tables" VALUES('finished23',0,1763200007.0,0,1,'{"game": "sticks", "options": {"sticks": 10, "take": 3}, "seats": [{"kind": "bot", "name": "", "bot": "random", "owner": ""}, {"kind": "bot", "name": "", "bot": "perfect", "owner": ""}], "pace": "self", "clock": null, "moves": ["1", "3", "2", "3", "1"], "seconds": [0.1, 0.1, 0.1, 0.1, 0.1], "result": [-1, 1], "reason": "", "agreed": 0, "offer": "", "next": "", "setup": "", "begun": 1763100000.0, "turned": 0.0}','tournament',1,1);
INSERT INTO "tables" VALUES('untouched2',0,1763200008.0,0,0,'{"game": "othello", "options": {"columns": 8, "rows": 8, "opening": "standard"}, "seats": [{"kind": "open", "name": "", "bot": "", "owner": ""}, {"kind": "open", "name": "", "bot": "", "owner": ""}], "pace": "self", "clock": null, "moves": [], "seconds": [], "result": null, "reason": "", "agreed": 0, "offer": "", "next": "", "setup": "", "begun": 0.0, "turned": 0.0}','',0,0);
CREATE TABLE talks (
    id TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    changed DOUBLE PRECISION NOT NULL,
    body TEXT NOT NULL
);
INSERT INTO "talks" VALUES('a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1',0,1763200010.0,'{"session": "{\"mode\": \"chat\"}", "lines": [["you", "hello \u0000 there"], ["benedict", "Good day."]], "choices": ["play"]}');
CREATE TABLE tournaments (
    id TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    changed DOUBLE PRECISION NOT NULL,
    owner TEXT NOT NULL,
    state TEXT NOT NULL,
    body TEXT NOT NULL
);
INSERT INTO "tournaments" VALUES('cup2345678',0,1763200012.0,'browser:a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1','done','{"name": "Cup", "games": [{"game": "sticks", "options": {"sticks": 10, "take": 3}}], "bots": ["random", "perfect"], "rounds": 1, "note": ""}');
CREATE TABLE trainings (
    id TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    changed DOUBLE PRECISION NOT NULL,
    owner TEXT NOT NULL,
    state TEXT NOT NULL,
    body TEXT NOT NULL
);
INSERT INTO "trainings" VALUES('class23456',0,1763200011.0,'browser:a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1','paused','{"name": "Red class", "game": "nim", "options": {"piles": [3]}, "settings": {"balls": 2}, "target": 100, "hats": "{}", "note": ""}');
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
CREATE INDEX tables_creator ON tables (creator, over, changed);
COMMIT;
