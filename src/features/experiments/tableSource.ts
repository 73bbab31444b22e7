import { stat } from 'node:fs/promises';
import { dirname, posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Environment } from '../../domain/environment';
import { loggedError } from '../../domain/loggedError';
import { logLine } from '../../domain/logLine';
import type { ModelContract } from '../../domain/model';
import { itemFaultText } from '../../experiments/faultText';
import type { ExperimentFile } from '../../experiments/format';
import { sizeFault, variationsOf } from '../../experiments/grid';
import { itemsOf } from '../../experiments/items';
import { type JudgementLine, judgementKey } from '../../experiments/judgements';
import { type LoadedExperiment, loadExperiment, metricsIn } from '../../experiments/load';
import type { Metric } from '../../experiments/metrics/metrics';
import { planProblemPlace } from '../../experiments/planProblemPlace';
import { type ExperimentProblem, readExperiment } from '../../experiments/read';
import { isMergeMark, type ReadResults, type ResultLine, ResultsReader } from '../../experiments/results';
import { appendResults, readResultsFile, resultPlaces } from '../../experiments/resultsFile';
import { expectedAt } from '../../experiments/summary';
import { isInputPath } from '../../experiments/table/inputPaths';
import { metricsWithJudged } from '../../experiments/table/measureRun';
import { ExperimentTable, type TablePlan, withPlaces } from '../../experiments/table/table';
import { environmentFor } from '../../platform/runFiles/environment';
import { readRunFile } from '../../runFiles/read';
import type { Services } from '../../services';
import { messageOf } from '../../wording/errors';

type TableProblem = Pick<ExperimentProblem, 'message' | 'severity'>;

/** An experiment as the table shows it: the file, its inputs, and the results that it has. */
export interface TableSource {
  readonly environment?: Environment;
  /** Undefined while the file has errors. */
  readonly experiment?: ExperimentFile;
  /** Undefined while its runs cannot be planned: results are found by their place then. */
  readonly loaded?: LoadedExperiment;
  readonly metrics: readonly Metric[];
  readonly table: ExperimentTable;
  readonly problems: readonly TableProblem[];
}

/** What is read of an experiment besides its results. */
type Opened = Omit<TableSource, 'table'> & { readonly plan: TablePlan };

export function experimentName(file: vscode.Uri): string {
  return posix.basename(file.path).replace(/\.experiment\.json$/, '');
}

/** A longer file would fill the memory of the extension host. */
const MOST_RESULT_BYTES = 256_000_000;

/** Loads an experiment; what was read of its inputs is kept until they, or the text, change. */
export class TableLoader {
  #opened: { readonly text: string; readonly found: Promise<Opened> } | undefined;
  readonly #reader = new ResultsReader();

  constructor(
    private readonly file: vscode.Uri,
    private readonly services: Services,
  ) {}

  /** Whether a file may be one that the experiment reads. @param path relative to its folder, with "/" */
  async reads(path: string): Promise<boolean> {
    const experiment = (await this.#opened?.found)?.experiment;
    return experiment === undefined || isInputPath(experiment, path);
  }

  /** The inputs on the disk, or what is known of models, have changed. */
  forget(): void {
    this.#opened = undefined;
  }

  /** Starts no run. In a trusted workspace the service is asked for contracts that are not known. */
  async load(text: string): Promise<TableSource> {
    if (this.#opened?.text !== text) this.#opened = { text, found: this.#open(text) };
    const { plan, ...opened } = await this.#opened.found;
    const { results, judgements, problems } = await this.#results();
    const { repeats = 1, sample, seed = 0, expected } = opened.experiment ?? {};
    const size = { repeats, sample: sample === undefined ? undefined : { count: sample, seed } };
    const placed = withPlaces(plan, size, results);
    const table = new ExperimentTable(placed, results, expectedAt(expected), judgements);
    const metrics = metricsWithJudged(opened.metrics, table);
    return { ...opened, metrics, table, problems: [...opened.problems, ...problems] };
  }

  async #open(text: string): Promise<Opened> {
    const { experiment, problems } = readExperiment(text);
    const none: TablePlan = { variations: [], items: [], cells: [] };
    if (!experiment) return { plan: none, metrics: [], problems };
    const environment = environmentFor(readRunFile(text), this.services.connection);
    const planned = environment && (await this.#planned(text, environment));
    if (planned) return { ...planned, environment, experiment };
    const { items, faults } = await itemsOf(experiment.over, experiment.expected, dirname(this.file.fsPath));
    const unread = faults.map(
      (fault): TableProblem => ({ message: itemFaultText(fault), severity: 'warning' }),
    );
    const variations = variationsOf(experiment.vary);
    const { repeats = 1, sample } = experiment;
    const tooLarge = sizeFault({ variations: variations.length, items: items.length, repeats }, sample);
    if (tooLarge !== undefined)
      return { plan: none, metrics: [], problems: [...problems, { message: tooLarge, severity: 'error' }] };
    const message = l10n.t(
      'The models are not known, so runs are not checked. Connect to the service to run the experiment.',
    );
    return {
      ...{ experiment, metrics: metricsIn(experiment) },
      plan: { variations, items, cells: [] },
      problems: [...problems, ...unread, { message, severity: 'warning' }],
    };
  }

  /** Undefined: a contract that is needed could not be read. */
  async #planned(
    text: string,
    environment: Environment,
  ): Promise<Pick<Opened, 'plan' | 'loaded' | 'metrics' | 'problems'> | undefined> {
    const models = this.services.catalog.of(environment);
    const contractOf = async (model: string): Promise<ModelContract> => {
      const cached = await models.cachedContract(model);
      if (cached) return cached;
      if (vscode.workspace.isTrusted) return models.contract(model);
      throw new Error('In a workspace that is not trusted, no contract is asked for.');
    };
    try {
      const { loaded, problems } = await loadExperiment(this.file.fsPath, text, contractOf);
      if (!loaded) return { plan: { variations: [], items: [], cells: [] }, metrics: [], problems };
      const { plan, metrics, faults } = loaded;
      const found = [
        ...faults.map(itemFaultText),
        ...plan.problems.map(
          (problem) => `${planProblemPlace(problem, plan)}: ${problem.pointer}: ${problem.message}`,
        ),
      ];
      const warnings = found.map((message): TableProblem => ({ message, severity: 'warning' }));
      return { plan, loaded, metrics, problems: [...problems, ...warnings] };
    } catch (error) {
      this.services.log.info(logLine`An experiment was not planned: ${loggedError(error)}`);
      return undefined;
    }
  }

  async #results(): Promise<{
    readonly results: ReadonlyMap<string, ResultLine>;
    readonly judgements: readonly JudgementLine[];
    readonly problems: readonly TableProblem[];
  }> {
    const { file } = resultPlaces(this.file.fsPath);
    const name = file.slice(dirname(file).length + 1);
    const problem = (message: string): readonly TableProblem[] => [{ message, severity: 'warning' }];
    const facts = await stat(file).catch(() => undefined);
    if (facts && facts.size > MOST_RESULT_BYTES)
      return {
        results: new Map(),
        judgements: [],
        problems: problem(l10n.t('“{0}” is too large to be shown.', name)),
      };
    const read = await readResultsFile(file, this.#reader).catch((error: unknown) => messageOf(error));
    if (typeof read === 'string') return { results: new Map(), judgements: [], problems: problem(read) };
    const { results, judgements, unreadable } = read;
    return {
      results: new Map(results.map((line) => [line.custom_id, line])),
      judgements,
      problems: unreadableTexts(unreadable, name).flatMap(problem),
    };
  }
}

/** Lines of a results file that are none, and apart from these the marks of a merge. */
function unreadableTexts(unreadable: ReadResults['unreadable'], name: string): string[] {
  const [mark] = unreadable.filter(({ text }) => isMergeMark(text));
  const others = unreadable.filter(({ text }) => !isMergeMark(text));
  return [
    ...(mark
      ? [
          l10n.t(
            'A merge of “{0}” is not finished (line {1}). The results of both sides are used: remove the lines that begin with <<<<<<<, ======= and >>>>>>>.',
            ...[name, mark.line],
          ),
        ]
      : []),
    ...(others[0]
      ? [
          l10n.t(
            'Line {0} of “{1}” cannot be read ({2} such lines). They stay in the file.',
            ...[others[0].line, name, others.length],
          ),
        ]
      : []),
  ];
}

/** With what somebody says of runs: written into the results file before it is shown. */
export async function withJudgements(
  source: TableSource,
  lines: readonly JudgementLine[],
  file: vscode.Uri,
): Promise<TableSource> {
  await appendResults(
    resultPlaces(file.fsPath).file,
    lines.map((line) => ({ line: JSON.stringify(line) })),
  );
  const { plan, results, at, judgements } = source.table;
  const latest = new Map([...judgements, ...lines].map((line) => [judgementKey(line), line]));
  const table = new ExperimentTable(plan, results, at, [...latest.values()]);
  return { ...source, table, metrics: metricsWithJudged(source.metrics, table) };
}

/** The folder that everything of an experiment is in. */
export function folderOf(file: vscode.Uri): vscode.Uri {
  return file.with({ path: posix.dirname(file.path) });
}
