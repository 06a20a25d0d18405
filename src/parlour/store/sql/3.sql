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

-- People: where each sits, their settings, who waits for a game, who is at a table, the codes that
-- carry somebody to another device, rated games, and what was deleted.

CREATE TABLE seats (
    table_id TEXT NOT NULL,
    owner TEXT NOT NULL,
    PRIMARY KEY (owner, table_id),
    FOREIGN KEY (table_id) REFERENCES tables (id) ON DELETE CASCADE
);

CREATE TABLE people (
    id TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    changed DOUBLE PRECISION NOT NULL,
    rated BOOLEAN NOT NULL,
    body TEXT NOT NULL
);

CREATE TABLE waiting (
    owner TEXT NOT NULL PRIMARY KEY,
    variant TEXT NOT NULL,
    name TEXT NOT NULL,
    since DOUBLE PRECISION NOT NULL,
    seen DOUBLE PRECISION NOT NULL,
    table_id TEXT NOT NULL
);

CREATE TABLE presence (
    table_id TEXT NOT NULL,
    owner TEXT NOT NULL,
    server TEXT NOT NULL,
    seen DOUBLE PRECISION NOT NULL,
    gone DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (table_id, owner, server),
    FOREIGN KEY (table_id) REFERENCES tables (id) ON DELETE CASCADE
);

CREATE TABLE codes (
    hash TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    expires DOUBLE PRECISION NOT NULL
);

CREATE TABLE results (
    id TEXT NOT NULL PRIMARY KEY,
    game TEXT NOT NULL,
    one TEXT NOT NULL,
    other TEXT NOT NULL,
    points DOUBLE PRECISION NOT NULL,
    ended DOUBLE PRECISION NOT NULL,
    FOREIGN KEY (id) REFERENCES tables (id) ON DELETE CASCADE
);

CREATE TABLE deletions (
    hash TEXT NOT NULL PRIMARY KEY,
    deleted DOUBLE PRECISION NOT NULL,
    erased BOOLEAN NOT NULL
);

CREATE INDEX people_changed ON people (changed);
CREATE INDEX seats_table ON seats (table_id);
CREATE INDEX waiting_variant ON waiting (variant, since);
CREATE INDEX presence_owner ON presence (owner);
CREATE INDEX results_game ON results (game, ended);
CREATE INDEX results_one ON results (one);
CREATE INDEX results_other ON results (other);

-- Hosting: the addresses of those who were here lately, who is barred, tokens of the host, a log.

CREATE TABLE addresses (
    owner TEXT NOT NULL PRIMARY KEY,
    address TEXT NOT NULL,
    seen DOUBLE PRECISION NOT NULL
);

CREATE TABLE bars (
    subject TEXT NOT NULL PRIMARY KEY,
    until DOUBLE PRECISION NOT NULL,
    since DOUBLE PRECISION NOT NULL,
    label TEXT NOT NULL
);

CREATE TABLE admin_tokens (
    label TEXT NOT NULL PRIMARY KEY,
    hash TEXT NOT NULL,
    created DOUBLE PRECISION NOT NULL,
    revoked DOUBLE PRECISION NOT NULL
);

CREATE TABLE admin_log (
    id TEXT NOT NULL PRIMARY KEY,
    time DOUBLE PRECISION NOT NULL,
    label TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL
);

CREATE INDEX addresses_address ON addresses (address);
CREATE INDEX addresses_seen ON addresses (seen);
CREATE INDEX admin_log_time ON admin_log (time);

-- Puzzles that were asked, and what each person answered.

CREATE TABLE puzzles (
    id TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    changed DOUBLE PRECISION NOT NULL,
    game TEXT NOT NULL,
    body TEXT NOT NULL
);

CREATE TABLE cards (
    id TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    changed DOUBLE PRECISION NOT NULL,
    owner TEXT NOT NULL,
    puzzle TEXT NOT NULL,
    body TEXT NOT NULL
);

CREATE INDEX puzzles_changed ON puzzles (changed);
CREATE INDEX puzzles_game ON puzzles (game, changed);
CREATE INDEX cards_changed ON cards (changed);
CREATE UNIQUE INDEX cards_owner ON cards (owner, puzzle);

-- The moves of finished games in which a person sat, to be counted by position.

CREATE TABLE choices (
    table_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    version INTEGER NOT NULL,
    situation BIGINT NOT NULL,
    following BIGINT NOT NULL,
    payoff INTEGER NOT NULL,
    by_person BOOLEAN NOT NULL,
    PRIMARY KEY (table_id, number),
    FOREIGN KEY (table_id) REFERENCES tables (id) ON DELETE CASCADE
);

CREATE INDEX choices_situation ON choices (situation, following, payoff, by_person);

-- Classes: their pupils, the positions shown to them, what each answered, and who is there.

CREATE TABLE classes (
    id TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    changed DOUBLE PRECISION NOT NULL,
    owner TEXT NOT NULL,
    code TEXT NOT NULL,
    ends TEXT NOT NULL,
    body TEXT NOT NULL
);

CREATE TABLE pupils (
    id TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    changed DOUBLE PRECISION NOT NULL,
    class_id TEXT NOT NULL,
    owner TEXT NOT NULL,
    handle TEXT NOT NULL,
    body TEXT NOT NULL,
    FOREIGN KEY (class_id) REFERENCES classes (id) ON DELETE CASCADE
);

CREATE TABLE class_questions (
    id TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    changed DOUBLE PRECISION NOT NULL,
    class_id TEXT NOT NULL,
    body TEXT NOT NULL,
    FOREIGN KEY (class_id) REFERENCES classes (id) ON DELETE CASCADE
);

CREATE TABLE class_answers (
    question_id TEXT NOT NULL,
    pupil_id TEXT NOT NULL,
    answered DOUBLE PRECISION NOT NULL,
    move TEXT NOT NULL,
    PRIMARY KEY (question_id, pupil_id),
    FOREIGN KEY (question_id) REFERENCES class_questions (id) ON DELETE CASCADE,
    FOREIGN KEY (pupil_id) REFERENCES pupils (id) ON DELETE CASCADE
);

CREATE TABLE class_presence (
    pupil_id TEXT NOT NULL,
    server TEXT NOT NULL,
    seen DOUBLE PRECISION NOT NULL,
    gone DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (pupil_id, server),
    FOREIGN KEY (pupil_id) REFERENCES pupils (id) ON DELETE CASCADE
);

CREATE INDEX classes_changed ON classes (changed);
CREATE INDEX classes_owner ON classes (owner, changed);
CREATE UNIQUE INDEX classes_code ON classes (code);
CREATE INDEX classes_ends ON classes (ends);
CREATE INDEX pupils_changed ON pupils (changed);
CREATE INDEX pupils_owner ON pupils (owner, changed);
CREATE UNIQUE INDEX pupils_handle ON pupils (class_id, handle);
CREATE INDEX class_questions_changed ON class_questions (changed);
CREATE INDEX class_questions_class ON class_questions (class_id, changed);
CREATE INDEX class_answers_pupil ON class_answers (pupil_id);

-- Studies: trees of moves with comments.

CREATE TABLE studies (
    id TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    changed DOUBLE PRECISION NOT NULL,
    owner TEXT NOT NULL,
    public BOOLEAN NOT NULL,
    body TEXT NOT NULL
);

CREATE INDEX studies_changed ON studies (changed);
CREATE INDEX studies_owner ON studies (owner, changed);
CREATE INDEX studies_public ON studies (public, changed);

-- Homework of a class, and what each pupil has done of it.

CREATE TABLE homework (
    id TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    changed DOUBLE PRECISION NOT NULL,
    class_id TEXT NOT NULL,
    body TEXT NOT NULL,
    FOREIGN KEY (class_id) REFERENCES classes (id) ON DELETE CASCADE
);

CREATE TABLE pupil_work (
    id TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    changed DOUBLE PRECISION NOT NULL,
    homework TEXT NOT NULL,
    pupil TEXT NOT NULL,
    body TEXT NOT NULL,
    FOREIGN KEY (homework) REFERENCES homework (id) ON DELETE CASCADE,
    FOREIGN KEY (pupil) REFERENCES pupils (id) ON DELETE CASCADE
);

CREATE INDEX homework_changed ON homework (changed);
CREATE INDEX homework_class ON homework (class_id, changed);
CREATE INDEX pupil_work_changed ON pupil_work (changed);
CREATE INDEX pupil_work_homework ON pupil_work (homework, changed);
CREATE INDEX pupil_work_pupil ON pupil_work (pupil, changed);
