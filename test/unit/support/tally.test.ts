import assert from 'node:assert/strict';
import { type Failure, nothing, retryFailing, type Tally } from '../../run/tally';

const failure = (file: string, title: string): Failure => ({ file, title, error: 'Error: closed' });
const counts = (passed: number, failed: number) => ({ passed, failed, skipped: 0 });
const first: Tally = {
  ...nothing,
  ...counts(7, 2),
  byFile: { a: counts(3, 1), b: counts(4, 1) },
  failures: [failure('a', 'A opens'), failure('b', 'B opens')],
};

describe('A window suite with failures', () => {
  it('counts a test as passed and flaky when its file passes alone', async () => {
    const total = await retryFailing(first, async (file) =>
      file === 'a'
        ? { ...nothing, ...counts(4, 0), byFile: { a: counts(4, 0) } }
        : { ...nothing, ...counts(4, 1), failures: [failure('b', 'B opens')] },
    );
    assert.deepEqual(
      [
        total.passed,
        total.failed,
        total.flaky.map(({ title }) => title),
        total.failures.map(({ title }) => title),
      ],
      [8, 1, ['A opens'], ['B opens']],
    );
  });

  it('keeps the failure when the second run has no test', async () => {
    const total = await retryFailing(first, async () => nothing);
    assert.deepEqual([total.passed, total.failed, total.failures.length], [7, 2, 2]);
  });

  it('runs its failing files again beside a failure of no file, which stays', async () => {
    const hook = { ...first, ...counts(7, 3), failures: [...first.failures, failure('', 'hook')] };
    const total = await retryFailing(hook, async () => ({ ...nothing, ...counts(5, 0) }));
    assert.deepEqual(
      [total.passed, total.failed, total.failures.map(({ title }) => title)],
      [10, 1, ['hook']],
    );
  });

  it('runs nothing again when the suite ended early or very many files fail', async () => {
    const never = async () => assert.fail('It was run again.');
    const ended = { ...first, failures: [failure('', 'The suite ended')] };
    const many = { ...first, failures: Array.from({ length: 9 }, (_, at) => failure(`${at}`, 'fails')) };
    assert.deepEqual(await retryFailing(ended, never), ended);
    assert.deepEqual(await retryFailing(many, never), many);
  });
});
