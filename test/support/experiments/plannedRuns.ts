import path from 'node:path';
import type { LoadedExperiment } from '../../../src/experiments/file/load';
import { type ExperimentOrder, planRuns } from '../../../src/experiments/plan/experimentJobs';
import type { ExperimentPorts } from '../../../src/experiments/plan/experimentWork';
import type { PlannedRun } from '../../../src/experiments/plan/plan';
import type { Store } from '../../../src/store/store';

/** A run of an experiment whose request names it. @param serves by default one row of one column */
export function runWithId(
  customId: string,
  serves: PlannedRun['serves'] = [{ variation: 0, item: 0 }],
): PlannedRun {
  const request = { model: 'cats', mode: 'execute', input: { id: customId }, params: {} };
  return { customId, repeat: 0, serves, requestSha256: customId, request };
}

/** An experiment of these runs, without judges. */
export function loadedOf(
  runs: readonly PlannedRun[],
  {
    items = [{ name: '', values: {}, files: [] }],
    variations = [{}],
  }: Partial<LoadedExperiment['plan']> = {},
  files: LoadedExperiment['files'] = new Map(),
): LoadedExperiment {
  const plan = { runs, unsent: [], variations, items, problems: [] };
  return { experiment: {}, plan, files, judges: [] } as unknown as LoadedExperiment;
}

export const resultsIn = (folder: string): string => path.join(folder, 'try.results.jsonl');

export interface RunsOf
  extends Pick<ExperimentOrder, 'loaded' | 'runs' | 'since' | 'known' | 'consent' | 'agent'>,
    Partial<Pick<ExperimentOrder, 'cannotWrite' | 'results'>> {
  readonly run: ExperimentPorts['run'];
  readonly ports?: Partial<ExperimentPorts>;
  readonly atOnce?: number;
  readonly baseUrl?: string;
}

/** Runs of an experiment in a folder, planned and not started. A job that pauses ends. */
export async function planHere(store: Store, folder: string, order: RunsOf): ReturnType<typeof planRuns> {
  const { run, ports, atOnce = 3, baseUrl = 'https://models.test', ...more } = order;
  const planned = await planRuns(store, {
    environment: { name: 'test', baseUrl },
    ...{ file: path.join(folder, 'try.experiment.json'), results: resultsIn(folder), name: 'try' },
    cannotWrite: () => undefined,
    ...more,
    ports: {
      upload: () => new Promise(() => {}),
      forget: async () => undefined,
      run: async (one) => {
        await one.announce?.();
        return run(one);
      },
      priceOf: () => undefined,
      concurrency: () => atOnce,
      ...ports,
    },
  });
  const { job } = planned;
  job.onDidChange(() => {
    if (job.state === 'paused') job.cancel();
  });
  return planned;
}
