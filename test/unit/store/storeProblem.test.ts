import assert from 'node:assert/strict';
import type { StoreProblemKind } from '../../../src/domain/storeProblem';
import { asProblem, isBusy, resultCode, StoreProblem } from '../../../src/store/storeProblem';

const FOLDER = '/a/folder';
const ofSqlite = (errcode: unknown) =>
  Object.assign(new Error('database trouble'), { code: 'ERR_SQLITE_ERROR', errcode });
const ofDisk = (code: string) => Object.assign(new Error(`${code}: disk trouble`), { code });

/** SQLite's result codes by their names, https://www.sqlite.org/rescode.html; the second ones are extended. */
const SQLITE: Readonly<Partial<Record<StoreProblemKind, readonly number[]>>> = {
  folder: [3 /* PERM */, 14 /* CANTOPEN */, 14 | (2 << 8) /* CANTOPEN_ISDIR */],
  locked: [5 /* BUSY */, 6 /* LOCKED */, 5 | (2 << 8) /* BUSY_SNAPSHOT */],
  readOnly: [8 /* READONLY */, 8 | (5 << 8) /* READONLY_CANTINIT */],
  io: [10 /* IOERR */, 10 | (4 << 8) /* IOERR_FSYNC */],
  damaged: [11 /* CORRUPT */, 26 /* NOTADB */, 11 | (1 << 8) /* CORRUPT_VTAB */],
  diskFull: [13 /* FULL */],
};
const DISK: Readonly<Partial<Record<StoreProblemKind, readonly string[]>>> = {
  diskFull: ['ENOSPC', 'EDQUOT'],
  folder: ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'],
  io: ['EIO'],
};

describe('A problem of the store', () => {
  const problems = [
    ...Object.entries(SQLITE).flatMap(([kind, codes]) =>
      codes.map((code) => [kind, ofSqlite(code)] as const),
    ),
    ...Object.entries(DISK).flatMap(([kind, codes]) => codes.map((code) => [kind, ofDisk(code)] as const)),
  ];

  it('contains the kind of SQLite’s or the disk’s error, its message, its cause and the folder', () => {
    for (const [kind, error] of problems) {
      const problem = asProblem(error, FOLDER);
      assert.ok(problem instanceof StoreProblem, error.message);
      assert.deepEqual(
        [problem.kind, problem.folder, problem.message, problem.cause, problem.name, problem.reason],
        [kind, FOLDER, error.message, error, 'StoreProblem', undefined],
      );
    }
  });

  it('suggests a retry only when another process has the file', () => {
    for (const [kind, error] of problems) assert.equal(isBusy(error), kind === 'locked', error.message);
    for (const no of [ofDisk('EBUSY'), new Error('busy'), { errcode: 5 }, ofSqlite('5')])
      assert.equal(isBusy(no), false);
    assert.deepEqual(
      [resultCode(ofSqlite(261)), resultCode(ofDisk('EIO')), resultCode({})],
      [261, undefined, undefined],
    );
  });

  it('keeps the first folder with it, and its reason', () => {
    const problem = new StoreProblem('readOnly', 'Opened to read only.', { reason: 'newer' });
    assert.equal(asProblem(problem, FOLDER), problem);
    assert.equal(asProblem(problem, '/another'), problem);
    assert.deepEqual([problem.folder, problem.reason], [FOLDER, 'newer']);
  });

  it('never hides a mistake of this program', () => {
    for (const error of [
      new TypeError('x is not a function'),
      ofSqlite(19),
      ofDisk('EMFILE'),
      'a text',
      undefined,
    ])
      assert.equal(asProblem(error, FOLDER), error);
  });
});
