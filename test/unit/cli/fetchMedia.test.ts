import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { contentMark } from '../../../src/experiments/results/resultMedia';
import { PNG } from '../../support/addressService';
import { readResults } from '../../support/atOnce';
import { callHere } from '../../support/commandLine';
import { type FaultProxy, startFaultProxy } from '../../support/faultProxy';

describe('Pictures at addresses, of an experiment in a terminal', () => {
  let folder: string;
  let service: FaultProxy;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-media-'));
    service = await startFaultProxy({
      behind: ({ path: route, body }) => {
        if (route.endsWith('.png'))
          return route.includes('gone')
            ? { status: 403 }
            : { headers: { 'content-type': 'image/png' }, body: PNG };
        if (!route.endsWith('/api/runs')) return { body: { slug: 'm', modes: ['execute'] } };
        const { text } = (JSON.parse(body.toString()) as { input: { text: string } }).input;
        return { body: { status: 'completed', output: [`${service.url}/${text}.png`] } };
      },
    });
  });
  afterEach(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  const call = async (texts: readonly string[], ...words: string[]) => {
    const experiment = { run: { model: 'm', input: {} }, vary: { '/input/text': texts } };
    await writeFile(path.join(folder, 'try.experiment.json'), JSON.stringify(experiment));
    return await callHere(
      [
        ...['experiment', 'try.experiment.json', '--base-url', service.url, '--max-cost', '1'],
        ...['--state', path.join(folder, 'state'), ...words],
      ],
      { cwd: folder, apiKey: 'key' },
    );
  };

  it('stay with --fetch-media, at once or later, and are named without it', async () => {
    const first = await call(['a', 'b']);
    assert.equal(first.code, 0, first.err);
    assert.match(first.err, /by address: 2\. .*--fetch-media/);
    const later = await call(['a', 'b'], '--fetch-media');
    assert.equal(later.code, 0, later.err);
    assert.doesNotMatch(later.err, /address|could not be kept/);
    await call(['a', 'b', 'c'], '--fetch-media');
    assert.equal(service.executedRuns, 3);
    assert.equal((await readdir(path.join(folder, 'try.results'))).length, 3);
    const { results } = readResults(await readFile(path.join(folder, 'try.results.jsonl'), 'utf8'));
    assert.deepEqual(
      results.map(({ result }) => result),
      Array.from({ length: 3 }, () => [contentMark(PNG)]),
    );
  });

  it('lead to a warning where they are gone, with each reason once', async () => {
    const { code, err } = await call(['a', 'gone'], '--fetch-media');
    assert.equal(code, 0, err);
    assert.match(err, /^Results whose files could not be kept: 1\.\n {2}.*403.*$/m);
    assert.doesNotMatch(err, /by address/);
    assert.equal((await readdir(path.join(folder, 'try.results'))).length, 1);
  });
});
