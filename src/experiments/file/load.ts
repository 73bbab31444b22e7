import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Json, JsonObject } from '../../domain/json';
import { type ModelContract, modeOf } from '../../domain/model';
import { childPointer } from '../../domain/pointer';
import type { RunDraft } from '../../domain/run';
import { isObject } from '../../domain/value';
import { acceptedAt } from '../../forms/acceptedAt';
import { otherTypeText } from '../../runFiles/acceptedMedia';
import { type MediaFile, resolveMedia } from '../../runFiles/mediaFile';
import { mediaPaths, withRefs } from '../../runFiles/mediaPaths';
import { draftIn, readRunFile } from '../../runFiles/read';
import { LARGEST_RUN_FILE, type ParsedText, textOfFile } from '../../runFiles/text';
import { Turns } from '../../service/turns';
import { readInput } from '../files/door';
import { type Judge, judgeOf, judgeProblems } from '../judges/judge';
import type { Metric } from '../metrics/metrics';
import { requestsFault, sizeFault, variationsOf, variedDraft } from '../plan/grid';
import { type ExperimentPlan, modelsOf, planning } from '../plan/plan';
import { missingOutputs } from '../setup/outputPlaces';
import { undeclaredPlaces } from '../setup/places';
import { fewHits } from '../setup/searchSetUp';
import { metricsIn } from './askedMetrics';
import type { ExperimentFile } from './format';
import { type ExperimentItem, type ItemFault, type ItemFile, itemsOf } from './items';
import { itemFile, ownFile } from './ownFile';
import { type ExperimentProblem, readExperiment } from './read';
import { withRelevance } from './relevance';
import { templatesIn, tooLongText } from './rowTemplate';
import { sampledItems } from './sample';

/** An experiment with all the files that it names: its inputs are read, and its runs are planned but not sent. */
export interface LoadedExperiment {
  readonly experiment: ExperimentFile;
  readonly plan: ExperimentPlan;
  /** All inputs, those that a sample leaves out too. */
  readonly inputs: readonly ExperimentItem[];
  /** Problems of inputs; the other inputs can be run. */
  readonly faults: readonly ItemFault[];
  /** See `Items`. */
  readonly delimiter?: string;
  /** By the slugs that requests have. */
  readonly contracts: ReadonlyMap<string, ModelContract>;
  /** Local files by their URI in requests. */
  readonly files: ReadonlyMap<string, ItemFile>;
  readonly metrics: readonly Metric[];
  /** The models that judge results. Their runs follow from these: see `withJudgeRuns`. */
  readonly judges: readonly Judge[];
  readonly base: RunDraft;
}

export interface ReadyOrNot {
  readonly parsed: ParsedText;
  readonly problems: readonly ExperimentProblem[];
  /** Undefined when there are errors. */
  readonly loaded?: LoadedExperiment;
}

type ContractOf = (model: string) => Promise<ModelContract | undefined>;

export interface LoadOptions {
  /**
   * `keep`: runs of models without a contract stay in the plan, and cannot be sent; the caller says why. Otherwise such
   * a model is an error.
   */
  readonly unknownModels?: 'keep';
}

/**
 * Reads an experiment, the run file that it may name and its inputs, all inside its own folder, and plans its runs.
 * @param path absolute path of the experiment
 * @param contractOf the contract of a model; undefined: there is no such model
 */
export async function loadExperiment(
  path: string,
  text: string,
  contractOf: ContractOf,
  { unknownModels }: LoadOptions = {},
): Promise<ReadyOrNot> {
  const { experiment, problems, ...parsed } = readExperiment(text);
  if (!experiment) return { parsed, problems };
  const folder = dirname(path);
  const setup = await new SetupReader(experiment, path, contractOf, unknownModels === 'keep').read();
  const all = [...problems, ...setup.problems];
  if (all.some(({ severity }) => severity === 'error')) return { parsed, problems: all };
  const { base, variations, contracts, files, judges, judgeContracts } = setup;
  const read = await itemsOf(
    experiment.over,
    experiment.expected,
    folder,
    (pointer) => {
      const [contract, ...others] = contracts.values();
      const mode = contract && others.length === 0 ? modeOf(contract, base.mode) : undefined;
      return mode ? acceptedAt(mode, pointer) : [];
    },
    setup.templates.columns,
  );
  const items = await withRelevance(read, experiment, path);
  const stopped = (pointer: string, why: string) => ({ parsed, problems: [...all, problem(pointer, why)] });
  if (items.tooMany !== undefined) return stopped('/over/map', items.tooMany);
  const { repeats = 1, seed = 0 } = experiment;
  const sampled = sampledItems(items.items, experiment.sample?.inputs, seed);
  const size = { variations: variations.length, items: sampled.length, repeats };
  const tooLarge = sizeFault(size) ?? requestsFault(base, variations.length * sampled.length);
  if (tooLarge !== undefined) return stopped('/vary', tooLarge);
  const tooLong = tooLongText(setup.templates, sampled, variations.length);
  if (tooLong !== undefined) return stopped('/over/templates', tooLong);
  for (const { files: own } of sampled) for (const file of own) files.set(file.uri, file);
  const plan = await new Turns().through(
    planning({
      base,
      variations,
      items: { ...items, items: sampled },
      contracts,
      hashes: new Map([...files].map(([uri, { sha256 }]) => [uri, sha256])),
      repeats,
      seed,
      ...(experiment.over && 'rows' in experiment.over && { templates: experiment.over.templates ?? [] }),
    }),
  );
  const loaded: LoadedExperiment = {
    experiment,
    base,
    files,
    inputs: items.items,
    judges,
    faults: items.faults,
    contracts: new Map([...judgeContracts, ...contracts]),
    ...(items.delimiter !== undefined && { delimiter: items.delimiter }),
    // Names of places as the file has them: a result tells no absolute path.
    plan: {
      ...plan,
      variations: variationsOf(experiment.vary),
      ...(experiment.labels && { labels: experiment.labels }),
    },
    metrics: metricsIn(experiment),
  };
  return { parsed, problems: all, loaded };
}

/**
 * Problems of an experiment, without reading its inputs.
 * @param contractOf undefined: the contract is not known, and not checked
 */
export async function checkExperiment(
  path: string,
  text: string,
  contractOf: ContractOf,
): Promise<readonly ExperimentProblem[]> {
  const { experiment, problems } = readExperiment(text);
  if (!experiment) return problems;
  const setup = await new SetupReader(experiment, path, contractOf, true).read();
  return [...problems, ...setup.problems];
}

interface NamedFile {
  /** In the experiment. */
  readonly place: string;
  /** In the request. */
  readonly pointer: string;
  readonly path: string;
  readonly file: MediaFile;
}

/** Reads the run that is varied, its values with local files as URIs, its models, and those of judges. */
class SetupReader {
  readonly #files = new Map<string, ItemFile>();
  readonly #media: NamedFile[] = [];
  readonly #problems: ExperimentProblem[] = [];

  /** @param path absolute path of the experiment */
  constructor(
    private readonly experiment: ExperimentFile,
    private readonly path: string,
    private readonly contractOf: ContractOf,
    private readonly keepsUnknown: boolean,
  ) {}

  async read() {
    const { experiment } = this;
    const base = await this.#draftOf(experiment.run, '/run');
    const vary = await this.#varied();
    const variations = variationsOf(vary);
    const tooLong = requestsFault(base, variations.length);
    const templates = templatesIn({ ...experiment, vary }, () =>
      (tooLong === undefined ? variations : []).map((variation) => variedDraft(base, variation)),
    );
    const contracts = new Map<string, ModelContract>();
    const models = modelsOf(base, variations);
    for (const model of models) await this.#addContract(contracts, model, '/run');
    if (models.length === 0) this.#report('/run', l10n.t('Name a model: { "run": { "model": … } }.'));
    const [contract, ...others] = contracts.values();
    const mode = contract && others.length === 0 && !vary['/mode'] ? modeOf(contract, base.mode) : undefined;
    for (const { place, pointer, path, file } of mode ? this.#media : []) {
      const message = otherTypeText(mode!, pointer, path, file);
      if (message !== undefined) this.#report(place, message);
    }
    for (const { pointer, message } of [
      ...undeclaredPlaces({ ...experiment, vary }, base, contracts),
      ...missingOutputs(experiment, base.mode, contracts),
      ...fewHits(experiment, base, contracts),
    ])
      this.#problems.push({ ...problem(pointer, message), severity: 'warning' });
    const judges = await this.#judges(base);
    if (tooLong !== undefined) this.#report('/vary', tooLong);
    for (const { pointer, message } of templates.problems) this.#report(pointer, message);
    return {
      base,
      variations,
      contracts,
      templates,
      files: this.#files,
      problems: this.#problems,
      ...judges,
    };
  }

  #report(pointer: string, message: string): void {
    this.#problems.push(problem(pointer, message));
  }

  async #addContract(contracts: Map<string, ModelContract>, model: string, place: string): Promise<void> {
    const contract = await this.contractOf(model);
    if (contract) contracts.set(model, contract);
    else if (!this.keepsUnknown) this.#report(place, l10n.t('The service has no model “{0}”.', model));
  }

  /** A run of the experiment, its local files as URIs. @param place pointer in the experiment at which problems are shown */
  async #draftOf(run: ExperimentFile['run'], place: string): Promise<RunDraft> {
    const none: RunDraft = { model: '', mode: 'execute', input: {}, params: {} };
    const own = dirname(this.path);
    if (typeof run !== 'string') {
      const draft = draftIn({ members: run as JsonObject } as never);
      return this.#withFiles({ ...none, ...draft }, this.path, place);
    }
    const wrong = (message: string) => {
      this.#report(place, message);
      return none;
    };
    const runFile = await ownFile(resolve(own, run), own);
    if (typeof runFile !== 'string' && runFile.fault !== 'unreadable')
      return wrong(l10n.t('There is no run file “{0}” in the folder of the experiment.', run));
    if (typeof runFile === 'string' && (await stat(runFile)).size > LARGEST_RUN_FILE)
      return wrong(l10n.t('“{0}” is too large to be a run file.', run));
    const bytes =
      typeof runFile === 'string' && (await readInput(runFile, LARGEST_RUN_FILE).catch(() => undefined));
    if (!bytes) return wrong(l10n.t('“{0}” cannot be read.', run));
    const file = readRunFile(textOfFile(bytes));
    if (file.errors[0] || !file.members)
      return wrong(l10n.t('“{0}”: {1}', run, file.errors[0]?.message ?? l10n.t('This is no run file.')));
    const inexact = file.inexact.find(({ pointer }) => !pointer.startsWith('/expect/'));
    if (inexact) return wrong(l10n.t('“{0}”: {1}', run, `${inexact.pointer}: ${inexact.message}`));
    return this.#withFiles({ ...none, ...draftIn(file) }, resolve(own, run), place);
  }

  /** The models that judge, each with its run. @param varied the run of the experiment */
  async #judges(varied: RunDraft) {
    const { metrics = [], vary } = this.experiment;
    const judges: Judge[] = [];
    const judgeContracts = new Map<string, ModelContract>();
    for (const [index, entry] of metrics.entries()) {
      if (typeof entry === 'string' || !('judge' in entry)) continue;
      const place = childPointer(childPointer('/metrics', index), 'judge');
      const draft = await this.#draftOf(entry.judge, place);
      const { model } = draft;
      if (model === '') this.#report(place, l10n.t('Name the model that judges: “model”.'));
      else await this.#addContract(judgeContracts, model, place);
      const judge = judgeOf(entry, draft, judgeContracts.get(model));
      judges.push(judge);
      for (const message of judgeProblems(judge, { base: varied, variations: variationsOf(vary) }))
        this.#report(place, message);
    }
    return { judges, judgeContracts };
  }

  /** The values of `vary`, local files as URIs. */
  async #varied(): Promise<NonNullable<ExperimentFile['vary']>> {
    const resolved: NonNullable<ExperimentFile['vary']> = {};
    for (const [pointer, values] of Object.entries(this.experiment.vary ?? {})) {
      if (!Array.isArray(values)) {
        resolved[pointer] = values;
        continue;
      }
      const draft = { model: '', mode: '', input: { values }, params: {} };
      // Behind the place of the values and the index of one.
      const placeIn = (within: string) => pointer + within.replace(/^\/input\/values\/\d+/, '');
      const { input } = await this.#withFiles(draft, this.path, childPointer('/vary', pointer), placeIn);
      resolved[pointer] = input.values as Json[];
    }
    return resolved;
  }

  /**
   * @param from absolute path of the file that names them
   * @param place pointer in the experiment at which problems are shown
   */
  async #withFiles(
    draft: RunDraft,
    from: string,
    place: string,
    pointerOf = (pointer: string) => pointer,
  ): Promise<RunDraft> {
    if (!isObject(draft.input) || !isObject(draft.params)) return draft;
    const refs = new Map<string, string>();
    for (const { path, pointer, fault } of mediaPaths(draft)) {
      const file = fault ?? (await resolveMedia(path, from, [dirname(this.path)]));
      if (typeof file === 'string') {
        this.#report(place, file);
        continue;
      }
      this.#media.push({ place, pointer: pointerOf(pointer), path, file });
      const filename = path.slice(path.lastIndexOf('/') + 1);
      const item = await itemFile(file.path, file.sizeBytes, filename);
      refs.set(path, item.uri);
      this.#files.set(item.uri, item);
    }
    return withRefs(draft, refs);
  }
}

function problem(pointer: string, message: string): ExperimentProblem {
  return { pointer, message, severity: 'error', source: 'meaning' };
}
