import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobProgress } from '../../../src/jobs/progress';
import { tellFigures } from '../../support/figures';
import { jobFor, type Setup, setUp } from '../../support/indexingJobs';
import { makePictures } from '../../support/pictures';
import { type ChildSandbox, sandboxInChild, timesIndexed } from '../../support/sandbox';
import type { FaultRule } from '../../support/sandbox/faults';

/** `npm run faults` asks for the full size; in CI a small job shows the same. */
export const FULL = process.env.MODEL_BENCH_FAULTS === 'full';
export const IMAGES = FULL ? 1_000 : 80;

/** A sandbox and a folder of pictures for the tests of a suite, and the actions of tests of indexing jobs. */
class IndexedPictures {
  sandbox!: ChildSandbox;
  /** The windows' storage in one test. */
  folder!: string;
  pictures!: string;
  setups: Setup[] = [];
  #scopes = 0;

  readonly newScope = (name: string): string => `${name}-${++this.#scopes}`;

  readonly open = async (options: { batchSize?: number; scope?: string } = {}): Promise<Setup> => {
    const scope = options.scope ?? this.newScope('scope');
    const setup = await setUp(this.sandbox, join(this.folder, 'storage'), scope, options);
    this.setups.push(setup);
    return setup;
  };

  readonly indexedIn = (scope: string): Promise<Map<string, number>> => timesIndexed(this.sandbox, scope);

  /** The requests that reached the sandbox, without our own looks at its ledger. */
  readonly requests = async (): Promise<Record<string, number>> => {
    const all = (await this.sandbox.ledger()).requests;
    return Object.fromEntries(Object.entries(all).filter(([route]) => !route.startsWith('inspect')));
  };

  readonly faults = (...rules: FaultRule[]) => this.sandbox.change({ faults: rules, seed: 7 });

  readonly finish = async (setup: Setup): Promise<JobProgress> => {
    const job = await jobFor(setup, this.pictures);
    job.start();
    await job.done;
    return job.progress;
  };

  readonly tell = (what: string, times: Map<string, number>, lost: number, note?: string): void => {
    const doubled = [...times.values()].filter((often) => often > 1).length;
    tellFigures({ case: what, tried: IMAGES, lost, doubled, leaked: 0, ...(note !== undefined && { note }) });
  };

  readonly assertOnce = (times: Map<string, number>, count: number): void => {
    assert.equal(times.size, count);
    assert.deepEqual(
      [...times].filter(([, often]) => often !== 1),
      [],
    );
  };
}

/** Those of the suite that calls it; each test begins with a service without faults and a store of its own. */
export function useIndexedPictures(): IndexedPictures {
  const here = new IndexedPictures();
  before(async () => {
    here.sandbox = await sandboxInChild();
    here.pictures = await fs.mkdtemp(join(tmpdir(), 'pictures-'));
    await makePictures(here.pictures, IMAGES);
  });
  after(async () => {
    await here.sandbox.stop();
    await fs.rm(here.pictures, { recursive: true });
  });
  beforeEach(async () => {
    here.folder = await fs.mkdtemp(join(tmpdir(), 'indexing-'));
    here.setups = [];
    await here.sandbox.change({ faults: [], latencyMs: 0, rateLimit: null, wallet: '1000' });
  });
  afterEach(async () => {
    for (const setup of here.setups) await setup.close();
    await fs.rm(here.folder, { recursive: true });
  });
  return here;
}

export async function until(
  condition: () => boolean,
  job: { onDidChange(listener: () => void): () => void },
): Promise<void> {
  if (condition()) return;
  await new Promise<void>((resolve) => {
    const stop = job.onDidChange(() => {
      if (!condition()) return;
      stop();
      resolve();
    });
  });
}
