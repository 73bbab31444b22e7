/**
 * The tables. Texts of clients (ids, file names, inputs) are kept as JSON, which has neither NUL nor lone surrogates:
 * Node 22 cuts a text at its NUL.
 */
export const schema = `
  CREATE TABLE wallet (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    micros INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE runs (
    position INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL UNIQUE,
    model TEXT NOT NULL,
    mode TEXT NOT NULL,
    scope TEXT,
    status TEXT NOT NULL CHECK (status IN ('succeeded', 'failed')),
    micros INTEGER NOT NULL CHECK (micros >= 0),
    items INTEGER NOT NULL CHECK (items >= 0),
    ids TEXT CHECK (json_valid(ids)),
    ended_at INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX runs_by_end ON runs (ended_at);
  CREATE INDEX runs_by_model ON runs (model);

  CREATE TABLE jobs (
    run_id TEXT PRIMARY KEY,
    body TEXT NOT NULL CHECK (json_valid(body))
  ) STRICT;

  CREATE TABLE uploads (
    upload_id TEXT PRIMARY KEY,
    media_ref TEXT NOT NULL,
    record TEXT NOT NULL CHECK (json_valid(record))
  ) STRICT;
  CREATE INDEX uploads_by_media ON uploads (media_ref);

  CREATE TABLE datasets (
    dataset INTEGER PRIMARY KEY,
    model TEXT NOT NULL,
    scope TEXT NOT NULL,
    dimensions INTEGER NOT NULL,
    items INTEGER NOT NULL DEFAULT 0,
    UNIQUE (model, scope)
  ) STRICT;
  CREATE TABLE vectors (
    position INTEGER PRIMARY KEY,
    dataset INTEGER NOT NULL REFERENCES datasets ON DELETE CASCADE,
    item TEXT NOT NULL,
    vector BLOB NOT NULL,
    facts TEXT NOT NULL CHECK (json_valid(facts)),
    indexed_at INTEGER NOT NULL,
    UNIQUE (dataset, item)
  ) STRICT;
  CREATE INDEX vectors_by_dataset ON vectors (dataset);
  CREATE TRIGGER vector_added AFTER INSERT ON vectors BEGIN
    UPDATE datasets SET items = items + 1 WHERE dataset = new.dataset;
  END;
  CREATE TRIGGER vector_removed AFTER DELETE ON vectors BEGIN
    UPDATE datasets SET items = items - 1 WHERE dataset = old.dataset;
  END;
`;

/** The `user_version` of a database with these tables. */
export const SCHEMA_VERSION = 1;
