import type { LoadedExperiment } from '../../../src/experiments/load';

/** The only cell of an experiment, without an input. */
const cell = {
  ...{ customId: 'run', repeat: 0, serves: [{ variation: 0, item: 0 }], requestSha256: 'sha' },
  request: { model: 'cats', mode: 'execute', input: {}, params: {} },
};

/** A loaded experiment of one run. */
export const oneRun = {
  ...{ experiment: {}, files: new Map() },
  plan: { cells: [cell], variations: [{}], items: [], problems: [] },
} as unknown as LoadedExperiment;
