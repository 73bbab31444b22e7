// node test/prose.mjs [FILE OR FOLDER …]  finds riddles in comments, titles of tests and pages of documentation
// node test/prose.mjs --commits RANGE      checks the subjects of commits
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { items } from './support/prose/items.mjs';
import { firstRiddle } from './support/prose/rules.mjs';

const isWritten =
  /^(?:(?:src|webview|test|bench|bundling)\/.*\.(?:ts|mjs)|[\w.]+\.mjs|(?:docs\/)?[\w-]+\.md)$/;
const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);

function* subjects(range) {
  for (const line of git('log', '--no-merges', '--format=%h %s', range)) {
    const [, hash, text] = /^(\w+) (.*)$/.exec(line);
    yield { place: hash, kind: 'subject', text };
  }
}

function* passages(places) {
  for (const file of git('ls-files', '-co', '--exclude-standard', '--', ...places))
    if (isWritten.test(file) && existsSync(file))
      for (const item of items(file)) yield { ...item, place: `${file}:${item.line}` };
}

const [first, ...rest] = process.argv.slice(2);
const counts = {};
for (const item of first === '--commits'
  ? subjects(rest[0])
  : passages(first === undefined ? [] : [first, ...rest])) {
  counts[item.kind] ??= { all: 0, riddles: 0 };
  counts[item.kind].all += 1;
  const riddle = firstRiddle(item);
  if (!riddle) continue;
  counts[item.kind].riddles += 1;
  process.exitCode = 1;
  console.log(`${item.place} ${item.kind}: ${riddle.sentence.trim()}\n    ${riddle.advice}`);
}
if (process.exitCode)
  for (const [kind, { all, riddles }] of Object.entries(counts)) console.log(`${kind}: ${riddles} of ${all}`);
