import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { type DemoStep, perform } from '../../demo/perform';
import { LONGEST_START_MS, Start } from '../../support/startWait';

describe('The demo', () => {
  const shows: DemoStep<undefined>['run'] = async () => 'rows';
  const fails: DemoStep<undefined>['run'] = () => Promise.reject(new Error('no rows\n  call log'));

  const performed = async (steps: readonly DemoStep<undefined>[], errors: readonly string[] = []) => {
    const said: string[] = [];
    const logs: string[] = [];
    const pictures = await perform(steps, {
      ...{ subject: undefined, limitMs: 60_000, errors, say: (line) => void said.push(line) },
      picture: async (name) => `${name}.png`,
      keepLogs: async (name) => void logs.push(name),
    });
    return { pictures, logs, lines: said.join('\n').split('\n') };
  };

  it('returns the pictures when every step happened', async () => {
    const { pictures, lines } = await performed([
      { title: 'Connect', run: shows },
      { title: 'Browse', run: shows, needs: 1 },
    ]);
    assert.deepEqual(pictures, ['01-connect.png', '02-browse.png']);
    assert.equal(lines.at(-1), '2 of 2 steps happened.');
  });

  it('tries no step whose precondition is missing, keeps the logs, and ends with two lines for the reader', async () => {
    const { pictures, logs, lines } = await performed([
      { title: 'Connect', run: fails },
      { title: 'Index', run: shows, needs: 1 },
      { title: 'Search', run: shows, needs: 2 },
      { title: 'Read the manual', run: shows },
    ]);
    assert.equal(pictures, undefined);
    assert.deepEqual(logs, ['01-connect']);
    assert.deepEqual(
      lines.filter((line) => line.includes('not tried')).map((line) => line.trim()),
      ['not tried: needs step 1', 'not tried: needs step 2'],
    );
    assert.deepEqual(lines.slice(-3), [
      '1 of 4 steps happened.',
      'Missing: step 1, Connect: no rows',
      'Look at: out/demo/01-connect.txt and .png',
    ]);
  });

  it('fails when the extension logged an error', async () => {
    const { pictures, lines } = await performed([{ title: 'Connect', run: shows }], ['it broke']);
    assert.equal(pictures, undefined);
    assert.match(lines.at(-2)!, /^Missing: .*it broke/);
  });
});

describe('The start of a window', () => {
  afterEach(() => mock.timers.reset());

  it('names the awaited part every ten seconds, for up to five minutes', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    const said: string[] = [];
    const start = new Start((line) => void said.push(line));
    const limits: number[] = [];
    await start.waitFor('the first rows', async (timeout) => {
      limits.push(timeout);
      mock.timers.tick(25_000);
    });
    assert.deepEqual(limits, [LONGEST_START_MS]);
    assert.equal(said.length, 2);
    assert.ok(said.every((line) => line.includes('Waiting for the first rows')));
    const late = start.waitFor('the host', () => Promise.reject(new Error('Timeout')));
    await assert.rejects(late, /^Error: the host did not come within \d+ s$/);
  });
});
