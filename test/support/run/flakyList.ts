import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../paths';

/** Titles of window tests that are known to fail for a reason outside the product. */
export function flakyTitles(): readonly string[] {
  return readFileSync(path.join(root, 'test/flaky.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}

export function isListedAsFlaky(title: string): boolean {
  return flakyTitles().includes(title);
}
