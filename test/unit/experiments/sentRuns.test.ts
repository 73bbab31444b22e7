import assert from 'node:assert/strict';
import { mkdir, readFile, rename, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { JsonObject } from '../../../src/domain/json';
import type { RunResponse } from '../../../src/domain/response';
import type { RunRequest } from '../../../src/domain/run';
import type { ItemFile } from '../../../src/experiments/file/items';
import type { ExperimentPorts } from '../../../src/experiments/plan/experimentWork';
import type { PlannedRun } from '../../../src/experiments/plan/plan';
import { sortRuns } from '../../../src/experiments/plan/wantedRuns';
import type { ResultLine } from '../../../src/experiments/results/resultLine';
import { ServiceError } from '../../../src/service/errors';
import { readResults } from '../../support/atOnce';
import { loadedOf, planHere, type RunsOf, resultsIn, runWithId } from '../../support/experiments/plannedRuns';
import { answered } from '../../support/runsInMemory';
import { useStoreFolder } from '../../support/store/openStore';

type Upload = Awaited<ReturnType<ExperimentPorts['upload']>>;

const medium = (name: string) => ({ media_ref: `file:///${name}`, filename: name });
const fileOf = (name: string, sha256: string): ItemFile => ({
  ...{ path: `/${name}`, uri: medium(name).media_ref, filename: name, sizeBytes: 1, sha256 },
});
/** `a` and `b` have one content. */
const FILES = new Map([fileOf('a', 'x'), fileOf('b', 'x'), fileOf('c', 'y')].map((file) => [file.uri, file]));
const keyOf = (sha256: string) => ({ baseUrl: 'https://models.test', sha256, mediaType: 'image' as const });

function runOf(id: string, input: JsonObject, params: JsonObject = {}): PlannedRun {
  const run = runWithId(id);
  return { ...run, request: { ...run.request, input: { id, ...input }, params } };
}

describe('A run of an experiment', () => {
  const use = useStoreFolder();

  /** Sends these runs to their end. @returns their lines by ID, and the orders that left */
  async function play(runs: readonly PlannedRun[], more: Partial<RunsOf> = {}) {
    const store = await use.open();
    const loaded = loadedOf(runs, {}, more.ports ? FILES : new Map());
    const { missing, ...sorted } = await sortRuns(store, loaded, resultsIn(use.folder));
    const orders: Parameters<ExperimentPorts['run']>[0][] = [];
    const { run = async () => answered } = more;
    const planned = await planHere(store, use.folder, {
      ...{ ...sorted, loaded, runs: missing, atOnce: 1, ...more },
      run: async (order) => {
        orders.push(order);
        return run(order);
      },
    });
    planned.job.start();
    await planned.done.catch(() => undefined);
    const text = await readFile(resultsIn(use.folder), 'utf8').catch(() => '');
    const lines = new Map(
      readResults(text).results.map((line): [string, ResultLine] => [line.custom_id, line]),
    );
    return { lines, orders, requests: orders.map(({ request }): RunRequest => request) };
  }

  describe('with files', () => {
    /** Each upload has a number. @param before the outcome of the one with this number */
    function uploads(before: (n: number, file: ItemFile) => Partial<Upload> = () => ({})) {
      const taken: string[] = [];
      const forgotten: string[] = [];
      const ports: Partial<ExperimentPorts> = {
        upload: async (file) => {
          taken.push(file.sha256);
          const n = taken.length;
          return { mediaRef: `ref-${n}`, key: keyOf(file.sha256), reused: false, ...before(n, file) };
        },
        forget: async ({ sha256 }) => {
          forgotten.push(sha256);
        },
      };
      return { taken, forgotten, ports };
    }

    it('leaves with their references at any place, each content uploaded once', async () => {
      const { taken, ports } = uploads();
      const { requests } = await play(
        [
          runOf('one', { image: medium('a'), again: [medium('a')] }, { mask: medium('b') }),
          runOf('two', { image: medium('b') }, { mask: medium('c') }),
        ],
        { ports },
      );
      assert.deepEqual(taken.toSorted(), ['x', 'y']);
      const refs = { x: `ref-${taken.indexOf('x') + 1}`, y: `ref-${taken.indexOf('y') + 1}` };
      const sent = (name: string, ref: string) => ({ media_ref: ref, filename: name });
      assert.deepEqual(
        requests.map(({ input, params }) => ({ ...input, ...params })),
        [
          { id: 'one', image: sent('a', refs.x), again: [sent('a', refs.x)], mask: sent('b', refs.x) },
          { id: 'two', image: sent('b', refs.x), mask: sent('c', refs.y) },
        ],
      );
    });

    it('fails unsent when a file has changed since it was planned, and with the reason of its upload', async () => {
      for (const [fault, reason] of [
        [() => ({ key: keyOf('other') }), /The file has changed/],
        [
          () => {
            throw new Error('The disk is gone.');
          },
          /The disk is gone/,
        ],
      ] as const) {
        const id = String(reason);
        const { ports } = uploads((_, { sha256 }) => (sha256 === 'x' ? fault() : {}));
        const runs = [runOf(id, { image: medium('a') }), runOf(`other ${id}`, { image: medium('c') })];
        const { lines, requests } = await play(runs, { ports });
        assert.deepEqual([lines.get(id)?.state, requests.length], ['failed', 1]);
        assert.match(lines.get(id)?.reason ?? '', reason);
      }
    });

    it('replaces the reference of an earlier job once when the service rejects it, and sends again', async () => {
      const { taken, forgotten, ports } = uploads((n) => ({ reused: n === 1 }));
      const { lines, requests } = await play([runOf('one', { image: medium('a') })], {
        ports,
        run: async () => {
          throw new ServiceError('invalidRequest', { serviceMessage: 'no such file' });
        },
      });
      assert.deepEqual([taken.length, forgotten], [2, ['x']]);
      assert.deepEqual(
        requests.map(({ input }) => (input.image as JsonObject).media_ref),
        ['ref-1', 'ref-2'],
      );
      assert.equal(lines.get('one')?.state, 'failed');
    });

    it('counts for the budget with its media, and at least one', async () => {
      const pictures = { images: [medium('a'), medium('b'), medium('c')] };
      const price = { amount: '0.5' };
      const { orders } = await play([runOf('three', pictures), runOf('none', {})], {
        ports: { ...uploads().ports, priceOf: () => price as never },
      });
      assert.deepEqual(
        orders.map(({ request, items, price: known }) => [request.input.id, items, known]),
        [
          ['three', 3, price],
          ['none', 1, price],
        ],
      );
    });
  });

  it('takes the state and the reason of its response', async () => {
    const responses: readonly [Partial<RunResponse>, ResultLine['state'], RegExp | undefined][] = [
      [{ state: 'finished' }, 'finished', undefined],
      [{ state: 'failed', message: 'No cat in it.' }, 'failed', /^No cat in it\.$/],
      [{ state: 'failed' }, 'failed', /gave no reason/],
      [{ state: 'unclear' }, 'unconfirmed', /does not say whether the run finished or failed/],
      [{ state: 'accepted' }, 'unconfirmed', /accepted/],
    ];
    const runs = responses.map((_, n) => runOf(`${n}`, {}));
    const { lines } = await play(runs, {
      run: async ({ request }) => ({ ...answered, runId: 'r', ...responses[Number(request.input.id)]![0] }),
    });
    for (const [n, [{ state }, expected, reason]] of responses.entries()) {
      const line = lines.get(`${n}`)!;
      assert.equal(line.state, expected, state);
      if (reason) assert.match(line.reason ?? '', reason, state);
      else assert.equal(line.reason, undefined);
      // An accepted run has no result yet; that of others is kept, however they ended.
      assert.deepEqual(line.result, state === 'accepted' ? undefined : answered.output, state);
      assert.deepEqual([line.run_id, line.cost?.amount], ['r', '0.01'], state);
    }
  });

  it('begins when its request leaves, not while it waits for its turn', async () => {
    const { now } = Date;
    let clock = now();
    Date.now = () => clock;
    try {
      const { lines } = await play([runOf('one', {}), runOf('two', {})], {
        run: async ({ request, onPhase }) => {
          for (const phase of ['waiting', 'sending', 'receiving'] as const) {
            clock += 10_000;
            if (request.input.id === 'one') onPhase?.(phase as never);
          }
          return answered;
        },
      });
      assert.equal(lines.get('one')?.duration_ms, 10_000);
      assert.equal(lines.get('two')?.duration_ms, undefined, 'its time is not known');
    } finally {
      Date.now = now;
    }
  });

  it('keeps a long result and a picture as files, and marks values that JSON does not have', async () => {
    const picture = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100, 1)]);
    const output = {
      vector: Array.from({ length: 9_000 }, (_, n) => n),
      image: picture.toString('base64'),
      label: 'cat',
    };
    const { lines } = await play([runOf('one', {})], {
      run: async () => ({ ...answered, output, raw: { ...answered.raw, json: output, hasOddValues: true } }),
    });
    const line = lines.get('one')!;
    assert.deepEqual([line.result_without, line.odd_values], [['/vector'], true]);
    assert.match(line.result_sha256 ?? '', /^[0-9a-f]{64}$/);
    const files = [line.result_file!, ...line.other_files!];
    assert.deepEqual(files, ['try.results/one.json', 'try.results/one-2.png']);
    const [whole, kept] = await Promise.all(files.map((name) => readFile(path.join(use.folder, name))));
    assert.equal(JSON.parse(String(whole)).vector.length, 9_000);
    assert.deepEqual(kept, picture);
  });

  it('stays, and says so, when its folder is moved while it is on its way', async () => {
    const store = await use.open();
    const folder = path.join(use.folder, 'here');
    await mkdir(folder);
    const loaded = loadedOf([runWithId('a')]);
    const { missing, ...sorted } = await sortRuns(store, loaded, resultsIn(folder));
    const { job, done } = await planHere(store, folder, {
      ...{ ...sorted, loaded, runs: missing },
      run: async () => {
        await rename(folder, path.join(use.folder, 'there'));
        return answered;
      },
    });
    job.start();
    await assert.rejects(done, /cannot be written into .* They are kept/);
  });

  it('stays unsent when the results file cannot be written, and says so', async () => {
    const told: unknown[] = [];
    const store = await use.open();
    const loaded = loadedOf([runOf('one', {})]);
    const { missing, ...sorted } = await sortRuns(store, loaded, resultsIn(use.folder));
    await mkdir(resultsIn(use.folder));
    let sent = 0;
    const { job, done } = await planHere(store, use.folder, {
      ...{ ...sorted, loaded, runs: missing, cannotWrite: (error) => told.push(error) },
      run: async () => {
        sent++;
        return answered;
      },
    });
    job.start();
    await done.catch(() => undefined);
    assert.deepEqual([sent, told.length], [0, 1]);
    assert.match(String(told[0]), /is not a file/);
    await rmdir(resultsIn(use.folder));
    assert.equal(
      (await sortRuns(store, loaded, resultsIn(use.folder))).missing.length,
      1,
      'it is sent later',
    );
  });
});
