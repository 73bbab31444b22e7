import assert from 'node:assert/strict';
import fc from 'fast-check';
import { loggedError } from '../../../src/domain/loggedError';
import { type LogLine, loggedCode, loggedName, logLine } from '../../../src/domain/logLine';

declare const typed: string;
declare const route: `GET /api/marketplace/models/${string}`;
declare const state: 'paused' | 'running';
declare const log: (line: LogLine) => void;

/** Never called: the compiler reads it, and an expectation that is not met does not compile. */
function linesThatDoNotCompile(): void {
  // @ts-expect-error: any string may be typed by a user
  log(typed);
  // @ts-expect-error: also in a template of its own
  log(`You typed ${typed}`);
  // @ts-expect-error: also as a part of a line
  log(logLine`You typed ${typed}`);
  // @ts-expect-error: also beside words that the code names
  log(logLine`A job is ${state}: ${typed}`);
  // @ts-expect-error: also where only its end is not known
  log(logLine`${route}`);
  // @ts-expect-error: also as an error, which may quote it
  log(logLine`It failed: ${new Error(typed)}`);
  // @ts-expect-error: also where its type is not known
  log(logLine`It failed: ${JSON.parse(typed) as unknown}`);
  log(logLine`A job is ${state}, ${3} of ${4}, ${true}: ${loggedError(new Error(typed))}`);
}
void linesThatDoNotCompile;

describe('A line of the log', () => {
  it('consists of its words and of words that the code names', () => {
    const word = 'paused' as 'paused' | 'running';
    assert.equal(logLine`A job is ${word}, ${3} of ${4}.`, 'A job is paused, 3 of 4.');
    assert.equal(logLine`No \n break`, 'No \n break');
  });

  it('contains codes of errors, but no sentences in place of codes', () => {
    assert.equal(loggedCode(Object.assign(new Error('x'), { code: 'ECONNRESET' })), ' ECONNRESET');
    fc.assert(
      fc.property(fc.string(), (code) => {
        const line = loggedCode(Object.assign(new Error('x'), { code }));
        assert.ok(line === '' || /^ [A-Z][A-Z0-9_]+$/.test(line));
      }),
    );
  });

  it('contains only listed names', () => {
    assert.equal(loggedName('run', { run: 1 }), 'run');
    for (const name of ['toString', '__proto__', 'my words'])
      assert.notEqual(loggedName(name, { run: 1 }), name);
  });
});
