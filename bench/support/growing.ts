// The work of argv[2] at the size of argv[3], in the folder of argv[4]: prints as JSON the seconds of the processor that it
// took, and the megabytes that its result holds.
import path from 'node:path';
import { readModel } from '../../src/contracts/model';
import { parseExactly } from '../../src/domain/exactNumbers';
import { loadExperiment } from '../../src/experiments/file/load';
import { comparingOf } from '../../src/experiments/results/measuredValue';
import { ResultsFile, resultPlaces } from '../../src/experiments/results/resultsFile';
import { ExperimentTable } from '../../src/experiments/table/table';
import { filtered, sorted } from '../../src/features/catalog/arrangement';
import { planIndexing } from '../../src/indexing/plan';
import { readSummary } from '../../src/readers/catalog';
import { problemsIn, readRunFile } from '../../src/runFiles/read';
import { FINISHED, writeFinished } from './experiment';
import { dataset, fillStore, itemAt } from './storeData';

/** Each prepares its input, and returns the work on it, whose result is held. */
const works: Record<string, (size: number, folder: string) => Promise<() => unknown>> = {
  async items(size, folder) {
    const files = Array.from({ length: size }, (_, n) => {
      const { imageId, file: uri, sizeBytes, modifiedMs } = itemAt(n);
      const open = () => {
        throw new Error(`${uri} is read, though it is unchanged.`);
      };
      const names = { filename: path.basename(imageId), contentType: 'image/png' };
      return { imageId, uri, sizeBytes, modifiedMs, ...names, open };
    });
    return async () => {
      const store = await fillStore(folder, size, 0);
      const plan = await planIndexing(dataset, files, [], store.datasets);
      await store.close();
      const { unchanged, failedBefore } = plan;
      if (unchanged.length + failedBefore.length !== size) throw new Error('The plan is another.');
      return plan;
    };
  },
  async cells(size, folder) {
    const file = await writeFinished(folder, size);
    return async () => {
      const { loaded } = await loadExperiment(file, JSON.stringify(FINISHED), async () => undefined, {
        unknownModels: 'keep',
      });
      const { plan } = loaded!;
      const { results, judgements, costs } = await new ResultsFile(resultPlaces(file).file).read();
      const lines = new Map(results.map((line) => [line.custom_id, line]));
      const runs = plan.unsent;
      const table = new ExperimentTable(
        { ...plan, runs },
        lines,
        comparingOf(FINISHED as never),
        judgements,
        costs,
      );
      if (table.finished(size - 1, 0).length !== 1) throw new Error('The last cell has no result.');
      return table;
    };
  },
  async models(size) {
    const price = { amount: '0.01', currency: 'USD' };
    const rows = Array.from({ length: size }, (_, n) => ({
      ...{ slug: `model-${n}`, name: `Model ${(n * 7_919) % size}`, category: `Group ${n % 20}`, price },
      ...{ description: `What model ${n} does with a text.`, tags: ['text', 'small'] },
    }));
    const text = JSON.stringify(rows);
    return () => {
      const models = (parseExactly(text) as unknown[]).flatMap((row) => readSummary(row) ?? []);
      return filtered(sorted(models, { sort: 'name', group: 'group' }, []), 'model small');
    };
  },
  async runFiles(size) {
    const input = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } };
    const contract = readModel({ slug: 'echo', modes: { execute: { input_schema: input } } }, 'echo')!;
    const expect = [{ status: 'finished' }];
    const texts = Array.from({ length: size }, (_, n) =>
      JSON.stringify({ version: 1, model: 'echo', input: { text: `text ${n}` }, expect }, null, 2),
    );
    return () =>
      texts.map((text) => {
        const file = readRunFile(text);
        return { file, problems: problemsIn(file, contract) };
      });
  },
};

const [, , name = '', size = '', folder = ''] = process.argv;
const work = await works[name]!(Number(size), folder);
const held = () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
const before = held();
const cpu = process.cpuUsage();
const result = await work();
const { user, system } = process.cpuUsage(cpu);
console.log(JSON.stringify({ seconds: (user + system) / 1e6, mb: (held() - before) / 1e6 }));
// Until here, so that it is held.
process.exit(result === undefined ? 1 : 0);
