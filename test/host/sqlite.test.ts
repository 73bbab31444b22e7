import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const { node, sqlite, electron } = process.versions as Partial<NodeJS.ProcessVersions>;

describe(`node:sqlite in the extension host (Node ${node}, SQLite ${sqlite}, Electron ${electron ?? 'none'})`, () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'model-bench-sqlite-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('keeps a row in a file, in WAL mode', () => {
    // require, as the extension's own bundle loads it in every form of extension host.
    const { DatabaseSync } = require('node:sqlite') as typeof import('node:sqlite');
    const file = path.join(folder, 'a.db');
    const first = new DatabaseSync(file);
    assert.deepEqual({ ...first.prepare('PRAGMA journal_mode = WAL').get() }, { journal_mode: 'wal' });
    first.exec('CREATE TABLE run (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID');
    first.prepare('INSERT INTO run VALUES (?)').run('one');
    first.close();
    const second = new DatabaseSync(file, { readOnly: true });
    assert.deepEqual(
      second
        .prepare('SELECT id FROM run')
        .all()
        .map((row) => row.id),
      ['one'],
    );
    second.close();
  });
});
