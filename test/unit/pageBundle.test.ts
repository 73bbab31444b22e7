import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { useBundle } from '../support/bundle';
import { pageNames } from '../support/paths';

/** Each takes its way through VS Code's service worker: thirty made a run panel open in half the time again. */
const MOST_SCRIPTS = 6;

describe('The bundle of the pages', () => {
  const built = useBundle('pages');

  it('keeps the code of a page in few files', () => {
    const chunks = JSON.parse(readFileSync(path.join(built.folder, 'chunks.json'), 'utf8')) as Record<
      string,
      string[]
    >;
    assert.deepEqual(Object.keys(chunks).sort(), pageNames().sort());
    for (const [page, names] of Object.entries(chunks))
      assert.ok(1 + names.length <= MOST_SCRIPTS, `${page} loads ${names.join(', ')}`);
  });

  it('contains no empty file', () => {
    for (const file of readdirSync(built.folder, { recursive: true, encoding: 'utf8' }))
      assert.ok(statSync(path.join(built.folder, file)).size > 0, file);
  });
});
