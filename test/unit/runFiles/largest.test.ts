import assert from 'node:assert/strict';
import type * as marks from '../../../src/runFiles/marks';
import type * as read from '../../../src/runFiles/read';
import type * as scan from '../../../src/runFiles/scan';
import type * as write from '../../../src/runFiles/write';
import { useCounted } from '../../support/countedWork';
import { contractOf, modeWith } from '../../support/runFiles/contract';

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
  // A step for each pair of members would be a thousand times as many.
  const counted = useCounted<typeof marks & typeof read & typeof scan & typeof write>(
    ['marks', 'read', 'scan', 'write'].map((name) => `src/runFiles/${name}.ts`),
  );
  const contract = contractOf(
    modeWith({ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false }),
  );

  for (const [what, text] of Object.entries(LARGEST))
    it(`${what} is read, checked and marked in steps that grow with its length`, async () => {
      assert.ok(text.length > 50_000 && text.length <= 1_000_000, String(text.length));
      const steps: Record<string, number> = {};
      const { code } = counted;
      const step = async <T>(name: string, act: () => T): Promise<T> => {
        let result: T;
        steps[name] = await counted.steps(() => {
          result = act();
        });
        return result!;
      };
      const file = await step('read', () => code.readRunFile(text));
      assert.doesNotMatch(file.errors[0]?.message ?? '', /too many|too long|nested/);
      for (const known of [undefined, contract]) {
        const problems = await step('check', () => code.problemsIn(file, known));
        await step('mark', () => {
          for (const problem of code.markedProblems(problems)) {
            code.problemPlace(problem, file);
            code.messageFor(problem, file);
          }
        });
      }
      assert.ok(file.errors.length <= 100);
      await step('scan', () => code.scanRunFile(text));
      await step('compare', () => code.changeBetween(text, text));
      for (const [name, taken] of Object.entries(steps))
        assert.ok(taken < 60 * text.length, `${name}: ${taken} steps for ${text.length} characters`);
    });

  it('too many values is rejected with a sentence, and has no tests', () => {
    for (const text of [`[${','.repeat(999_000)}]`, withMembers(`"expect":[${'1,'.repeat(110_000)}1]`)]) {
      const { problemsIn, readRunFile, scanRunFile } = counted.code;
      const [problem] = problemsIn(readRunFile(text), undefined);
      assert.match(problem!.message, /too many values/);
      assert.equal(scanRunFile(text).expect, undefined);
    }
  });
});
