-- The creator of a table, and what tables are counted by.

ALTER TABLE tables ADD COLUMN creator TEXT NOT NULL DEFAULT '';
ALTER TABLE tables ADD COLUMN bots BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE tables ADD COLUMN played BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX tables_creator ON tables (creator, over, changed);
