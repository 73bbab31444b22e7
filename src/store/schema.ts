import { crc32 } from 'node:zlib';

export const SCHEMA = `
  -- Grows with each change of a kind of thing, for windows that show it.
  CREATE TABLE revision (topic TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO revision VALUES ('datasets', 0), ('jobs', 0), ('runs', 0), ('jobRuns', 0), ('spending', 0), ('agents', 0),
    ('results', 0);

  -- A window or a terminal that holds leases or has runs under way; beat grows while it lives.
  CREATE TABLE owner (
    id TEXT PRIMARY KEY, pid INTEGER NOT NULL, host TEXT NOT NULL, beat INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE lease (
    name TEXT PRIMARY KEY, owner TEXT NOT NULL REFERENCES owner ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE dataset (
    id INTEGER PRIMARY KEY,
    base_url TEXT NOT NULL, model TEXT NOT NULL, scope TEXT NOT NULL,
    last_at INTEGER NOT NULL,
    indexed INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0, unknown INTEGER NOT NULL DEFAULT 0,
    forgotten INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE UNIQUE INDEX dataset_key ON dataset (base_url, model, scope) WHERE forgotten = 0;
  -- Items are named by a path; a folder counts the items below it, at any depth.
  CREATE TABLE folder (
    id INTEGER PRIMARY KEY,
    dataset INTEGER NOT NULL REFERENCES dataset, path TEXT NOT NULL, parent TEXT, items INTEGER NOT NULL DEFAULT 0,
    -- The last part of the path behind what it is sorted by.
    name_key TEXT NOT NULL,
    UNIQUE (dataset, path)
  ) STRICT;
  CREATE INDEX folder_parent ON folder (dataset, parent, name_key);
  CREATE TABLE item (
    id INTEGER PRIMARY KEY,
    dataset INTEGER NOT NULL REFERENCES dataset, folder INTEGER NOT NULL REFERENCES folder,
    -- The name behind what it is sorted by.
    name_key TEXT NOT NULL,
    file TEXT NOT NULL, sha256 TEXT NOT NULL, size_bytes INTEGER NOT NULL, modified_ms REAL NOT NULL,
    media_ref TEXT, at INTEGER NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('indexed', 'failed', 'unknown')), reason TEXT,
    UNIQUE (folder, name_key)
  ) STRICT;
  CREATE INDEX item_file ON item (file);
  CREATE INDEX item_dataset ON item (dataset);
  CREATE INDEX item_reference ON item (media_ref) WHERE media_ref IS NOT NULL;
  CREATE INDEX item_open ON item (dataset, outcome, id) WHERE outcome <> 'indexed';
  CREATE TRIGGER item_added AFTER INSERT ON item BEGIN
    UPDATE dataset SET indexed = indexed + (new.outcome = 'indexed'), failed = failed + (new.outcome = 'failed'),
      unknown = unknown + (new.outcome = 'unknown'), last_at = max(last_at, new.at) WHERE id = new.dataset;
  END;
  CREATE TRIGGER item_changed AFTER UPDATE OF outcome, at ON item BEGIN
    UPDATE dataset SET
      indexed = indexed + (new.outcome = 'indexed') - (old.outcome = 'indexed'),
      failed = failed + (new.outcome = 'failed') - (old.outcome = 'failed'),
      unknown = unknown + (new.outcome = 'unknown') - (old.outcome = 'unknown'),
      last_at = max(last_at, new.at) WHERE id = new.dataset;
  END;

  -- Jobs of every kind; head and body are JSON that only the kind can read.
  CREATE TABLE job (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, target TEXT NOT NULL, head TEXT NOT NULL, at INTEGER NOT NULL,
    -- 0 until the whole plan is written: a job that was cut short in its planning has sent nothing.
    planned INTEGER NOT NULL DEFAULT 0, next_request INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE job_item (
    job TEXT NOT NULL REFERENCES job ON DELETE CASCADE, n INTEGER NOT NULL,
    key TEXT NOT NULL, body TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('planned', 'ready', 'inFlight', 'done', 'failed', 'unknown', 'skipped')),
    reason TEXT, at INTEGER,
    -- The last request it was in.
    request INTEGER,
    PRIMARY KEY (job, n)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX job_item_state ON job_item (job, state);
  CREATE INDEX job_item_request ON job_item (request, job);
  CREATE TABLE request (
    job TEXT NOT NULL REFERENCES job ON DELETE CASCADE, n INTEGER NOT NULL,
    sent_at INTEGER NOT NULL, answered_at INTEGER,
    outcome TEXT CHECK (outcome IN ('done', 'failed', 'unknown', 'returned')),
    reason TEXT, run_id TEXT, cost TEXT, currency TEXT, first_item TEXT NOT NULL, items INTEGER NOT NULL,
    PRIMARY KEY (job, n)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX request_run_id ON request (run_id) WHERE run_id IS NOT NULL;
  -- What is sent and has no outcome yet. An item of a target stands here once, whatever jobs and windows there are.
  CREATE TABLE in_flight (
    kind TEXT NOT NULL, target TEXT NOT NULL, key TEXT NOT NULL,
    job TEXT NOT NULL, item INTEGER NOT NULL, request INTEGER NOT NULL,
    PRIMARY KEY (kind, target, key),
    UNIQUE (job, item),
    FOREIGN KEY (job, item) REFERENCES job_item (job, n),
    FOREIGN KEY (job, request) REFERENCES request (job, n)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX in_flight_request ON in_flight (job, request);

  -- Runs of jobs without an outcome, which outlive their job: accepted ones, with where it is asked for, and those whose
  -- response was not understood, with its body, to be read again by a response mapping.
  CREATE TABLE accepted_run (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, target TEXT NOT NULL, job TEXT NOT NULL, request INTEGER NOT NULL,
    head TEXT NOT NULL, items TEXT NOT NULL, sent_at INTEGER NOT NULL, run_id TEXT, follow_url TEXT NOT NULL,
    status INTEGER, content_type TEXT, body BLOB
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX accepted_run_target ON accepted_run (kind, target);

  CREATE TABLE run (
    n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL,
    environment TEXT NOT NULL, base_url TEXT NOT NULL, model TEXT NOT NULL, mode TEXT NOT NULL, model_name TEXT NOT NULL,
    state TEXT NOT NULL, owner TEXT, settled_by_user INTEGER,
    started_at INTEGER NOT NULL, sent_at INTEGER, finished_at INTEGER,
    run_id TEXT, status INTEGER, message TEXT, cost TEXT, currency TEXT,
    -- Where an accepted run is asked for.
    follow_url TEXT,
    draft TEXT NOT NULL, request TEXT, attachments TEXT NOT NULL,
    -- JSON: who started it, where an agent did.
    agent TEXT
  ) STRICT;
  CREATE INDEX run_started ON run (started_at, n);
  CREATE INDEX run_revision ON run (revision);
  CREATE INDEX run_model ON run (model, started_at, n);
  -- What estimates look at.
  CREATE INDEX run_mode ON run (base_url, model, mode, started_at) WHERE state IN ('finished', 'accepted');
  CREATE INDEX run_unsettled ON run (started_at, n) WHERE state IN ('unknown', 'accepted', 'unclear');
  CREATE INDEX run_run_id ON run (run_id, base_url) WHERE run_id IS NOT NULL;
  CREATE INDEX run_running ON run (owner) WHERE state = 'running';
  -- What the user noted on a run of the history; a later record of the run leaves it.
  CREATE TABLE run_mark (
    run INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE, name TEXT, pinned INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX run_pinned ON run_mark (run) WHERE pinned = 1;
  -- A late record of a run that was deleted does not bring it back.
  CREATE TABLE deleted_run (id TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE result (
    run INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE,
    content_type TEXT NOT NULL, size_bytes INTEGER NOT NULL, truncated INTEGER NOT NULL, kept_bytes INTEGER NOT NULL,
    body BLOB, file TEXT,
    CHECK ((body IS NULL) <> (file IS NULL))
  ) STRICT;
  CREATE INDEX result_bytes ON result (kept_bytes);
  CREATE INDEX result_file ON result (file) WHERE file IS NOT NULL;
  -- The words of a run, for searches.
  CREATE TABLE run_text (run INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
  CREATE TRIGGER run_deleted AFTER DELETE ON run BEGIN
    DELETE FROM run_text WHERE run = old.n;
  END;

  -- Runs of jobs, as far as estimates need them.
  CREATE TABLE job_run (
    id TEXT PRIMARY KEY,
    base_url TEXT NOT NULL, model TEXT NOT NULL, mode TEXT NOT NULL, items INTEGER NOT NULL,
    started_at INTEGER NOT NULL, sent_at INTEGER NOT NULL, finished_at INTEGER NOT NULL,
    state TEXT NOT NULL, run_id TEXT, cost TEXT, currency TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX job_run_model ON job_run (base_url, model, mode, started_at);
  CREATE INDEX job_run_run_id ON job_run (run_id, base_url) WHERE run_id IS NOT NULL;

  CREATE TABLE upload (
    base_url TEXT NOT NULL, sha256 TEXT NOT NULL, media_type TEXT NOT NULL, media_ref TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (base_url, sha256, media_type)
  ) STRICT, WITHOUT ROWID;

  -- JSON: lists of amounts, one of each currency. Here and below amounts are exact decimals, as text.
  CREATE TABLE spending (
    workspace TEXT NOT NULL, base_url TEXT NOT NULL, spent TEXT NOT NULL, reserved TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (workspace, base_url)
  ) STRICT, WITHOUT ROWID;
  -- The estimate of a run that is about to leave, or has left, and of which no cost is known.
  CREATE TABLE reserve (
    base_url TEXT NOT NULL, id TEXT NOT NULL, workspace TEXT NOT NULL,
    -- JSON, as the cost.
    amount TEXT NOT NULL,
    -- Learned by another window than the sender's.
    cost TEXT,
    PRIMARY KEY (base_url, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX reserve_resolved ON reserve (base_url, id, cost) WHERE cost IS NOT NULL;

  -- Jobs that ended, for the history: the job and its items are removed.
  CREATE TABLE past_job (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, head TEXT NOT NULL, at INTEGER NOT NULL, ended_at INTEGER NOT NULL,
    done INTEGER NOT NULL, failed INTEGER NOT NULL, unknown INTEGER NOT NULL, requests INTEGER NOT NULL,
    -- JSON: a list of amounts, one of each currency.
    costs TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX past_job_at ON past_job (at);
  CREATE TABLE past_request (
    job TEXT NOT NULL REFERENCES past_job ON DELETE CASCADE, n INTEGER NOT NULL,
    first_item TEXT NOT NULL, items INTEGER NOT NULL,
    sent_at INTEGER NOT NULL, answered_at INTEGER, outcome TEXT, reason TEXT, run_id TEXT, cost TEXT, currency TEXT,
    PRIMARY KEY (job, n)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX past_request_run_id ON past_request (run_id) WHERE run_id IS NOT NULL;

  -- What came of the runs of experiments, by their results file: what was paid outlives a file that is lost.
  CREATE TABLE experiment_result (
    file TEXT NOT NULL, custom_id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('finished', 'failed', 'unconfirmed')),
    line TEXT NOT NULL, at INTEGER NOT NULL,
    -- Of the change that recorded it.
    revision INTEGER NOT NULL DEFAULT 0,
    -- 0 until the line stands in the file.
    written INTEGER NOT NULL DEFAULT 0,
    -- A large or binary result, which has a file of its own.
    body_name TEXT, body BLOB,
    PRIMARY KEY (file, custom_id),
    CHECK ((body_name IS NULL) = (body IS NULL))
  ) STRICT;
  CREATE INDEX experiment_result_unwritten ON experiment_result (file) WHERE written = 0;
  CREATE INDEX experiment_result_at ON experiment_result (at);
  CREATE INDEX experiment_result_run ON experiment_result (custom_id);

  -- The second and further files of a result: each of its pictures is one.
  CREATE TABLE experiment_file (
    file TEXT NOT NULL, custom_id TEXT NOT NULL, n INTEGER NOT NULL, name TEXT NOT NULL, bytes BLOB NOT NULL,
    PRIMARY KEY (file, custom_id, n),
    FOREIGN KEY (file, custom_id) REFERENCES experiment_result ON DELETE CASCADE ON UPDATE CASCADE
  ) STRICT;

  -- Lines of earlier requests of a run, which may have been paid: they outlive a file that is lost as well.
  CREATE TABLE experiment_earlier (
    file TEXT NOT NULL, custom_id TEXT NOT NULL, state TEXT NOT NULL, line TEXT NOT NULL, at INTEGER NOT NULL,
    written INTEGER NOT NULL,
    FOREIGN KEY (file, custom_id) REFERENCES experiment_result ON DELETE CASCADE ON UPDATE CASCADE
  ) STRICT;
  CREATE INDEX experiment_earlier_run ON experiment_earlier (file, custom_id);

  -- People's judgements of runs, as their lines are in the results file: they outlive a file that is lost.
  CREATE TABLE experiment_judgement (
    file TEXT NOT NULL, custom_id TEXT NOT NULL, kind TEXT NOT NULL, line TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (file, custom_id, kind)
  ) STRICT, WITHOUT ROWID;

  -- Agents' permissions to spend. Only a person gives one (giveAgentGrant.ts).
  CREATE TABLE agent_grant (
    id INTEGER PRIMARY KEY, environment TEXT NOT NULL, base_url TEXT NOT NULL,
    -- The name of the client that it is for; '': every client. 1: given by the --max-cost of that client's process.
    client TEXT NOT NULL, of_process INTEGER NOT NULL,
    amount TEXT NOT NULL, currency TEXT, tools TEXT NOT NULL, given_at INTEGER NOT NULL, until INTEGER NOT NULL,
    -- Canonical amounts; reserved: of calls that are running or unconfirmed.
    spent TEXT NOT NULL DEFAULT '0', reserved TEXT NOT NULL DEFAULT '0',
    ended_at INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX agent_grant_living ON agent_grant (environment, base_url, client, of_process)
    WHERE ended_at IS NULL;
  CREATE TABLE agent_call (
    id TEXT PRIMARY KEY, grant_id INTEGER NOT NULL REFERENCES agent_grant,
    agent TEXT NOT NULL, tool TEXT NOT NULL, key TEXT NOT NULL, request TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('running', 'finished', 'failed', 'stopped', 'unconfirmed')),
    reserved TEXT NOT NULL, charged TEXT, owner TEXT NOT NULL, work TEXT,
    started_at INTEGER NOT NULL, ended_at INTEGER,
    -- 1: sends no further run.
    stopping INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX agent_call_key ON agent_call (agent, tool, key);
  CREATE INDEX agent_call_open ON agent_call (owner) WHERE state = 'running';
  CREATE INDEX agent_call_request ON agent_call (request) WHERE state IN ('running', 'unconfirmed');
  CREATE INDEX agent_call_grant ON agent_call (grant_id, agent);
  CREATE INDEX agent_call_started ON agent_call (started_at);
  -- The latest time that a grant was checked at: a clock that is set back does not prolong one. Each given grant
  -- starts a new epoch.
  CREATE TABLE agent_clock (epoch INTEGER NOT NULL, at INTEGER NOT NULL) STRICT;
  INSERT INTO agent_clock VALUES (0, 0);
  PRAGMA user_version = 1;
`;

/** Differs for each other schema: a store of another one is in another folder. */
export const SCHEMA_ID = crc32(SCHEMA.replaceAll(/--.*/g, '').replaceAll(/\s+/g, ' ')).toString(16);
