import assert from 'node:assert/strict';
import { markedProblems, messageFor, problemPlace } from '../../../src/runFiles/marks';
import { problemsIn, readRunFile } from '../../../src/runFiles/read';
import { scanRunFile } from '../../../src/runFiles/scan';
import { changeBetween } from '../../../src/runFiles/write';
import { contractOf, modeWith } from '../../support/runFiles/contract';
import { threadTime } from '../../support/threadTime';

/** As many parts as a run file holds: it may have 1,000,000 characters and 30,000 values. */
const filled = (part: (at: number) => string, most = 14_000, room = 990_000): string => {
  const parts: string[] = [];
  for (let length = 0, at = 0; at < most; at++) {
    const next = part(at);
    length += next.length + 1;
    if (length > room) break;
    parts.push(next);
  }
  return parts.join(',');
};
const withMembers = (members: string) => `{"model":"m","input":{},${members}}`;
const nested = (open: string, close: string, inner: string) =>
  `${open.repeat(95)}${inner}${close.repeat(95)}`;

const LARGEST: Readonly<Record<string, string>> = {
  'unknown members': withMembers(filled((at) => `"u${at}":1`, 29_000)),
  'members of one name': withMembers(filled(() => '"expect":[{"status":200}]', 9_000)),
  'local files': `{"model":"m","input":{"images":[${filled((at) => `{"media_ref":"../${at}.png"}`)}]}}`,
  'patterns of expectations': withMembers(`"expect":[${filled((at) => `{"matches":"(a+)+${at}"}`)}]`),
  'schemas of expectations': withMembers(
    `"expect":[${filled((at) => `{"schema":{"type":"x","pattern":"(${at}"}}`, 7_000)}]`,
  ),
  'nested objects': withMembers(`"params":{"a":[${filled(() => nested('{"a":', '}', '1'), 300)}]}`),
  'numbers that are not exact': withMembers(`"params":{"a":[${filled(() => '1e999', 29_000)}]}`),
  'syntax errors': `[${',x'.repeat(29_000)}]`,
  comments: `{${'/**/'.repeat(240_000)}}`,
  'empty lines': `{${'\n'.repeat(990_000)}"expect":[1]}`,
  'conflicts of a merge': '<<<<<<< a\n'.repeat(99_000),
};

describe('The largest run file of', () => {
  // Each takes well below a second; a step for each pair of members takes minutes.
  const contract = contractOf(
    modeWith({ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false }),
  );

  for (const [what, text] of Object.entries(LARGEST))
    it(`${what} is read, checked and marked`, () => {
      assert.ok(text.length > 50_000 && text.length <= 1_000_000, String(text.length));
      const steps: Record<string, number> = {};
      const measured = <T>(step: string, act: () => T): T => {
        let result: T;
        steps[step] = threadTime(() => {
          result = act();
        });
        return result!;
      };
      const file = measured('read', () => readRunFile(text));
      assert.doesNotMatch(file.errors[0]?.message ?? '', /too many|too long|nested/);
      for (const known of [undefined, contract]) {
        const problems = measured('check', () => problemsIn(file, known));
        measured('mark', () => {
          for (const problem of markedProblems(problems)) {
            problemPlace(problem, file);
            messageFor(problem, file);
          }
        });
      }
      assert.ok(file.errors.length <= 100);
      measured('scan', () => scanRunFile(text));
      measured('compare', () => changeBetween(text, text));
      // A quiet machine needs a tenth of it.
      for (const [step, ms] of Object.entries(steps)) assert.ok(ms < 500, `${step}: ${ms} ms`);
    });

  it('too many values is rejected with a sentence, and has no tests', () => {
    for (const text of [`[${','.repeat(999_000)}]`, withMembers(`"expect":[${'1,'.repeat(110_000)}1]`)]) {
      const [problem] = problemsIn(readRunFile(text), undefined);
      assert.match(problem!.message, /too many values/);
      assert.equal(scanRunFile(text).expect, undefined);
    }
  });
});
