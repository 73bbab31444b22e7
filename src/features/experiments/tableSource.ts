import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Environment } from '../../domain/environment';
import { loggedError } from '../../domain/loggedError';
import { logLine } from '../../domain/logLine';
import type { ModelContract } from '../../domain/model';
import { comparesValues } from '../../experiments/file/askedMetrics';
import type { ExperimentFile } from '../../experiments/file/format';
import { type LoadedExperiment, loadExperiment } from '../../experiments/file/load';
import { type ExperimentProblem, readExperiment } from '../../experiments/file/read';
import { raterName } from '../../experiments/files/rater';
import { verdictTexts } from '../../experiments/judges/verdicts';
import type { Metric } from '../../experiments/metrics/metrics';
import { blockedTexts } from '../../experiments/plan/planProblemPlace';
import { type JudgementLine, judgementKey } from '../../experiments/results/judgements';
import { comparingOf } from '../../experiments/results/measuredValue';
import { recordedTable } from '../../experiments/results/recordedTable';
import type { ResultLine } from '../../experiments/results/resultLine';
import type { ReadResults } from '../../experiments/results/results';
import {
  appendLines,
  ResultsFile,
  resultPlaces,
  UnreadableLines,
} from '../../experiments/results/resultsFile';
import {
  type ComparedParts,
  comparedParts,
  comparedPartText,
  judgedResults,
} from '../../experiments/setup/comparedParts';
import { isInputPath } from '../../experiments/table/inputPaths';
import { metricsWithJudged } from '../../experiments/table/measureRun';
import { type OtherColumn, type OtherResults, tableWith } from '../../experiments/table/otherResults';
import { strayTexts } from '../../experiments/table/strayTexts';
import { ExperimentTable, type TablePlan } from '../../experiments/table/table';
import { environmentFor } from '../../platform/runFiles/environment';
import { readRunFile } from '../../runFiles/read';
import { ServiceError } from '../../service/errors';
import type { Services } from '../../services';
import type { Store } from '../../store/store';
import { messageOf } from '../../wording/errors';

type TableProblem = Pick<ExperimentProblem, 'message' | 'severity'>;

/** An experiment as the table shows it: the file, its inputs, and the results that it has. */
export interface TableSource {
  readonly environment?: Environment;
  /** Undefined while the file has errors. */
  readonly experiment?: ExperimentFile;
  /** Undefined while the file has errors. It includes runs of models with an unknown contract, which cannot be sent. */
  readonly loaded?: LoadedExperiment;
  readonly metrics: readonly Metric[];
  /** The experiment's own results, and the table that is shown: with columns of other results behind those. */
  readonly own: ExperimentTable;
  readonly table: ExperimentTable;
  readonly others: readonly OtherColumn[];
  readonly problems: readonly TableProblem[];
  /** The comparable parts of the results, by model. */
  readonly compared: readonly ComparedParts[];
  /** Lines of earlier requests that were paid for: see `ReadResults`. */
  readonly earlier: ReadResults['earlier'];
  /** The person who judges here; missing: not known. */
  readonly rater?: string;
}

/** The parts of an experiment to read besides its results. */
type KnownResults = Pick<ReadResults, 'results' | 'judging' | 'costs' | 'earlier' | 'judgements'> & {
  readonly problems: readonly TableProblem[];
};

type Opened = Omit<TableSource, 'own' | 'table' | 'others' | 'compared' | 'earlier' | 'rater'>;

const NO_PLAN: TablePlan = { variations: [], items: [], runs: [] };

function warning(message: string): TableProblem {
  return { message, severity: 'warning' };
}

export function experimentName(file: vscode.Uri): string {
  return posix.basename(file.path).replace(/\.experiment\.json$/, '');
}

/** Loads an experiment; its inputs are read once until they, or the text, change. */
export class TableLoader {
  #opened: { readonly text: string; readonly reading: Promise<Opened> } | undefined;
  readonly #results: ResultsFile;

  readonly #rater: Promise<string>;

  constructor(
    private readonly file: vscode.Uri,
    private readonly services: Services,
  ) {
    this.#rater = file.scheme === 'file' ? raterName() : Promise.resolve('');
    this.#results = new ResultsFile(resultPlaces(file.fsPath).file);
  }

  /** Whether a file may be one that the experiment reads. @param path relative to its folder, with "/" */
  async reads(path: string): Promise<boolean> {
    const experiment = (await this.#opened?.reading)?.experiment;
    return experiment === undefined || isInputPath(experiment, path);
  }

  /** The inputs on the disk, or the known contracts, have changed. */
  forget(): void {
    this.#opened = undefined;
  }

  /** Starts no run. In a trusted workspace the service is asked for contracts that are not known. */
  async load(text: string, compared: ComparedWith = NOTHING_COMPARED): Promise<TableSource> {
    if (this.#opened?.text !== text) this.#opened = { text, reading: this.#open(text) };
    const opened = await this.#opened.reading;
    const { problems, ...read } = await this.#readResults();
    const { loaded, experiment, metrics } = opened;
    const isMeasured = metrics.length > 0 || comparesValues(experiment);
    const recorded = loaded && (await recordedTable(loaded, this.#results.path, read, isMeasured));
    const lines = new Map(read.results.map((line) => [line.custom_id, line]));
    const own =
      recorded?.table ??
      new ExperimentTable(NO_PLAN, lines, comparingOf(experiment), read.judgements, read.costs);
    const shown = await withOthers(own, opened.metrics, compared.others);
    const parts = comparedParts(judgedResults(experiment, own.plan, own.results), own.comparing);
    const allProblems = [
      ...parts.flatMap((one) => comparedPartText(one) ?? []),
      ...(recorded ? strayTexts(recorded.strays, vscode.env.language) : []),
      ...compared.problems,
      ...shown.missing,
      ...(recorded?.problems ?? []),
      ...verdictTexts(opened.loaded?.judges ?? [], own.judging.verdicts),
    ];
    return {
      ...opened,
      ...shown,
      own,
      compared: parts,
      earlier: read.earlier,
      rater: await this.#rater,
      ...(recorded && { loaded: recorded.loaded }),
      problems: [...opened.problems, ...problems, ...allProblems.map(warning)],
    };
  }

  async #open(text: string): Promise<Opened> {
    const environment = environmentFor(readRunFile(text), this.services.connection);
    // Its path is one of another computer: a file of this name on this one is not the experiment's.
    if (this.file.scheme !== 'file') {
      const { experiment, problems } = readExperiment(text);
      const message = l10n.t(
        'The inputs and results of this experiment are read once it is in a folder on disk.',
      );
      return { experiment, metrics: [], problems: [...problems, warning(message)] };
    }
    const contracts = new Contracts(environment, this.services);
    const read = await loadExperiment(this.file.fsPath, text, (model) => contracts.of(model), {
      unknownModels: 'keep',
    });
    const { loaded, problems } = read;
    const { experiment } = readExperiment(text);
    const opened = { environment, experiment };
    if (!loaded) return { ...opened, metrics: [], problems };
    const { metrics } = loaded;
    const allProblems = [...contracts.problems(), ...blockedTexts(loaded)];
    return { ...opened, loaded, metrics, problems: [...problems, ...allProblems.map(warning)] };
  }

  async #readResults(): Promise<KnownResults> {
    const file = this.#results.path;
    const none = (message: string) => ({
      results: [],
      judging: [],
      costs: new Map(),
      earlier: new Map(),
      judgements: [],
      problems: [warning(message)],
    });
    if (this.file.scheme !== 'file') return { ...none(''), problems: [] };
    const read = await this.#results.read().catch((error: unknown) => messageOf(error));
    if (typeof read === 'string') return none(read);
    const { sent, costs, earlier, judgements, unreadable } = read;
    // Requests that jobs of this computer have in flight are in progress, not unconfirmed.
    const ours = sent.size > 0 ? (await this.services.store()).experimentResults.inFlight(file) : new Map();
    const isKnown = ({ custom_id: id }: ResultLine) => !(sent.has(id) && ours.has(id));
    return {
      results: read.results.filter(isKnown),
      judging: read.judging.filter(isKnown),
      costs,
      earlier,
      judgements,
      problems: unreadable.length > 0 ? [warning(new UnreadableLines(file, unreadable).message)] : [],
    };
  }
}

/** The contracts of an experiment's models, and which of them are not known. */
class Contracts {
  readonly #unknown: { readonly model: string; readonly error: unknown }[] = [];

  constructor(
    private readonly environment: Environment | undefined,
    private readonly services: Services,
  ) {}

  async of(model: string): Promise<ModelContract | undefined> {
    if (!this.environment) {
      this.#unknown.push({ model, error: undefined });
      return undefined;
    }
    const models = this.services.catalog.of(this.environment);
    try {
      const cached = await models.cachedContract(model);
      if (cached) return cached;
      if (vscode.workspace.isTrusted) return await models.contract(model);
      this.#unknown.push({ model, error: undefined });
    } catch (error) {
      this.services.log.info(logLine`The contract of a model was not read: ${loggedError(error)}`);
      this.#unknown.push({ model, error });
    }
    return undefined;
  }

  /** Which models are not known, in sentences. */
  problems(): string[] {
    const isMissing = ({ error }: { readonly error: unknown }) =>
      error instanceof ServiceError && error.kind === 'notFound';
    const missing = this.#unknown.filter(isMissing);
    const names = this.#unknown.filter((one) => !isMissing(one)).map(({ model }) => `“${model}”`);
    const unknown =
      names.length === 1
        ? l10n.t(
            'The model {0} is not known, so its runs are not checked. Connect to the service to run the experiment.',
            names[0]!,
          )
        : l10n.t(
            'The models {0} are not known, so their runs are not checked. Connect to the service to run the experiment.',
            names.join(', '),
          );
    return [
      ...missing.map(({ model }) => l10n.t('The service has no model “{0}”.', model)),
      ...(names.length > 0 ? [unknown] : []),
    ];
  }
}

/** The results that a table is compared with, and why others are not. */
export interface ComparedWith {
  readonly others: readonly OtherResults[];
  readonly problems: readonly string[];
}
const NOTHING_COMPARED: ComparedWith = { others: [], problems: [] };

/** @param metrics that the experiment asks for */
async function withOthers(own: ExperimentTable, metrics: readonly Metric[], others: readonly OtherResults[]) {
  const { table, columns, missing } =
    others.length === 0
      ? { table: own, columns: [], missing: new Map<OtherResults, number>() }
      : await tableWith(own, others);
  return {
    table,
    others: columns,
    metrics: metricsWithJudged(metrics, table),
    missing: [...missing].map(([{ label }, count]) =>
      count === 1
        ? l10n.t(
            'The file of 1 result of {0} is not available, for example since git does not track it.',
            label,
          )
        : l10n.t(
            'The files of {0} results of {1} are not available, for example since git does not track them.',
            count,
            label,
          ),
    ),
  };
}

/** With a person's judgements: written into the results file before they are shown. */
export async function withJudgements(
  source: TableSource,
  lines: readonly JudgementLine[],
  file: vscode.Uri,
  store: Store,
): Promise<TableSource> {
  const texts = lines.map((line) => JSON.stringify(line));
  const written = resultPlaces(file.fsPath).file;
  await appendLines(written, texts);
  // For a file that is lost: work of people is kept as results are.
  await store.experimentResults.recordJudgements(
    written,
    lines.map(({ custom_id: customId, judgement: kind, judged_at: at }, n) => ({
      customId,
      kind,
      line: texts[n]!,
      at: Date.parse(at),
    })),
  );
  const { plan, results, comparing, judgements, paid, judging } = source.own;
  const latest = new Map([...judgements, ...lines].map((line) => [judgementKey(line), line]));
  const own = new ExperimentTable(plan, results, comparing, [...latest.values()], paid, judging);
  const others = [...new Set(source.others.map(({ of }) => of))];
  return { ...source, own, ...(await withOthers(own, source.metrics, others)) };
}

/** The folder that everything of an experiment is in. */
export function folderOf(file: vscode.Uri): vscode.Uri {
  return file.with({ path: posix.dirname(file.path) });
}
