import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as l10n from '@vscode/l10n';
import type { Json, JsonObject } from '../../domain/json';
import { addAll } from '../../domain/many';
import { type ModelContract, modeOf } from '../../domain/model';
import { childPointer } from '../../domain/pointer';
import type { RunDraft } from '../../domain/run';
import { isObject } from '../../domain/value';
import { acceptedAt } from '../../forms/acceptedAt';
import { otherTypeText } from '../../runFiles/acceptedMedia';
import { type MediaFile, mediaFaultText, resolveMedia } from '../../runFiles/mediaFile';
import { mediaPaths, withRefs } from '../../runFiles/mediaPaths';
import { draftIn, readRunFile } from '../../runFiles/read';
import { LARGEST_RUN_FILE, type ParsedText, textOfFile } from '../../runFiles/text';
import { sha256Of } from '../../runs/uploads/sha256Of';
import { fileBytes } from '../../service/fileBytes';
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
import { ownFile } from './ownFile';
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
  contractOf: (model: string) => Promise<ModelContract | undefined>,
  { unknownModels }: LoadOptions = {},
): Promise<ReadyOrNot> {
  const { experiment, problems, ...parsed } = readExperiment(text);
  if (!experiment) return { parsed, problems };
  const folder = dirname(path);
  const setup = await setUp(experiment, path, contractOf, unknownModels === 'keep');
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
  if (items.tooMany !== undefined) return { parsed, problems: [...all, problem('/over/map', items.tooMany)] };
  const { repeats = 1, seed = 0 } = experiment;
  const sampled = sampledItems(items.items, experiment.sample?.inputs, seed);
  const size = { variations: variations.length, items: sampled.length, repeats };
  const tooLarge = sizeFault(size) ?? requestsFault(base, variations.length * sampled.length);
  if (tooLarge !== undefined) return { parsed, problems: [...all, problem('/vary', tooLarge)] };
  const tooLong = tooLongText(setup.templates, sampled, variations.length);
  if (tooLong !== undefined) return { parsed, problems: [...all, problem('/over/templates', tooLong)] };
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
  contractOf: (model: string) => Promise<ModelContract | undefined>,
): Promise<readonly ExperimentProblem[]> {
  const { experiment, problems } = readExperiment(text);
  if (!experiment) return problems;
  return [...problems, ...(await setUp(experiment, path, contractOf, true)).problems];
}

/** The run that is varied, its values with local files as URIs, its models, and those of judges. */
async function setUp(
  experiment: ExperimentFile,
  path: string,
  contractOf: (model: string) => Promise<ModelContract | undefined>,
  keepsUnknown: boolean,
) {
  const files = new Map<string, ItemFile>();
  const base = await baseOf(experiment.run, path, '/run', files);
  const judges = await judgesOf(experiment, base.draft, path, files, contractOf, keepsUnknown);
  const { vary, problems, media: inVary } = await varied(experiment.vary ?? {}, path, files);
  const variations = variationsOf(vary);
  const tooLong = requestsFault(base.draft, variations.length);
  const models = modelsOf(base.draft, variations);
  const templates = templatesIn({ ...experiment, vary }, () =>
    (tooLong === undefined ? variations : []).map((variation) => variedDraft(base.draft, variation)),
  );
  const contracts = new Map<string, ModelContract>();
  const missing: ExperimentProblem[] = [];
  for (const model of models) {
    const contract = await contractOf(model);
    if (contract) contracts.set(model, contract);
    else if (!keepsUnknown) missing.push(problem('/run', noModelText(model)));
  }
  if (models.length === 0) missing.push(problem('/run', l10n.t('Name a model: { "run": { "model": … } }.')));
  const [contract, ...others] = contracts.values();
  const mode =
    contract && others.length === 0 && !vary?.['/mode'] ? modeOf(contract, base.draft.mode) : undefined;
  const media = mode ? [...base.media, ...inVary] : [];
  const otherTypes = media.flatMap(({ place, pointer, path: named, file }) => {
    const message = otherTypeText(mode!, pointer, named, file);
    return message === undefined ? [] : problem(place, message);
  });
  const undeclared = [
    ...undeclaredPlaces({ ...experiment, vary }, base.draft, contracts),
    ...missingOutputs(experiment, base.draft.mode, contracts),
    ...fewHits(experiment, base.draft, contracts),
  ].map(({ pointer, message }) => ({ ...problem(pointer, message), severity: 'warning' as const }));
  return {
    base: base.draft,
    variations,
    contracts,
    files,
    judges: judges.judges,
    judgeContracts: judges.contracts,
    templates,
    problems: [
      ...[...base.problems, ...problems, ...missing, ...otherTypes, ...undeclared, ...judges.problems],
      ...(tooLong === undefined ? [] : [problem('/vary', tooLong)]),
      ...templates.problems.map(({ pointer, message }) => problem(pointer, message)),
    ],
  };
}

function noModelText(model: string): string {
  return l10n.t('The service has no model “{0}”.', model);
}

interface Found {
  readonly draft: RunDraft;
  readonly media: readonly NamedFile[];
  readonly problems: readonly ExperimentProblem[];
}

interface NamedFile {
  /** In the experiment. */
  readonly place: string;
  /** In the request. */
  readonly pointer: string;
  readonly path: string;
  readonly file: MediaFile;
}

/** The run that is varied, its local files as URIs. */
async function baseOf(
  run: ExperimentFile['run'],
  path: string,
  place: string,
  files: Map<string, ItemFile>,
): Promise<Found> {
  const none: RunDraft = { model: '', mode: 'execute', input: {}, params: {} };
  const own = dirname(path);
  if (typeof run !== 'string') {
    const draft = draftIn({ members: run as JsonObject } as never);
    return withFiles({ ...none, ...draft }, path, own, place, files);
  }
  const runFile = await ownFile(resolve(own, run), own);
  const wrong = (message: string): Found => ({
    draft: none,
    media: [],
    problems: [problem(place, message)],
  });
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
  return withFiles({ ...none, ...draftIn(file) }, resolve(own, run), own, place, files);
}

/** The models that judge, each with its run. @param varied the run of the experiment */
async function judgesOf(
  { metrics = [], vary }: ExperimentFile,
  varied: RunDraft,
  path: string,
  files: Map<string, ItemFile>,
  contractOf: (model: string) => Promise<ModelContract | undefined>,
  keepsUnknown: boolean,
) {
  const judges: Judge[] = [];
  const contracts = new Map<string, ModelContract>();
  const problems: ExperimentProblem[] = [];
  for (const [index, entry] of metrics.entries()) {
    if (typeof entry === 'string' || !('judge' in entry)) continue;
    const place = childPointer(childPointer('/metrics', index), 'judge');
    const { draft, ...read } = await baseOf(entry.judge, path, place, files);
    addAll(problems, read.problems);
    const { model } = draft;
    const contract = model === '' ? undefined : await contractOf(model);
    if (contract) contracts.set(model, contract);
    else if (model === '') problems.push(problem(place, l10n.t('Name the model that judges: “model”.')));
    else if (!keepsUnknown) problems.push(problem(place, noModelText(model)));
    const judge = judgeOf(entry, draft, contract);
    judges.push(judge);
    addAll(
      problems,
      judgeProblems(judge, { base: varied, variations: variationsOf(vary) }).map((message) =>
        problem(place, message),
      ),
    );
  }
  return { judges, contracts, problems };
}

/** The values of `vary`, local files as URIs. */
async function varied(
  vary: NonNullable<ExperimentFile['vary']>,
  path: string,
  files: Map<string, ItemFile>,
): Promise<{ readonly vary: ExperimentFile['vary'] } & Omit<Found, 'draft'>> {
  const problems: ExperimentProblem[] = [];
  const media: NamedFile[] = [];
  const resolved: [string, NonNullable<ExperimentFile['vary']>[string]][] = [];
  for (const [pointer, values] of Object.entries(vary)) {
    if (!Array.isArray(values)) {
      resolved.push([pointer, values]);
      continue;
    }
    const draft = { model: '', mode: '', input: { values }, params: {} };
    const withMedia = await withFiles(draft, path, dirname(path), childPointer('/vary', pointer), files);
    addAll(problems, withMedia.problems);
    // Behind the place of the values and the index of one.
    const placed = (within: string) => pointer + within.replace(/^\/input\/values\/\d+/, '');
    addAll(
      media,
      withMedia.media.map((file) => ({ ...file, pointer: placed(file.pointer) })),
    );
    resolved.push([pointer, withMedia.draft.input.values as Json[]]);
  }
  return { vary: Object.fromEntries(resolved), media, problems };
}

/** @param place pointer in the experiment at which problems are shown */
async function withFiles(
  draft: RunDraft,
  from: string,
  root: string,
  place: string,
  files: Map<string, ItemFile>,
): Promise<Found> {
  if (!isObject(draft.input) || !isObject(draft.params)) return { draft, media: [], problems: [] };
  const media: NamedFile[] = [];
  const refs = new Map<string, string>();
  const problems: ExperimentProblem[] = [];
  for (const { path, pointer, fault } of mediaPaths(draft)) {
    const attached = fault === undefined ? await resolveMedia(path, from, [root]) : undefined;
    if (!attached || typeof attached === 'string') {
      problems.push(problem(place, fault ?? attached ?? mediaFaultText('missing', path)));
      continue;
    }
    media.push({ place, pointer, path, file: attached });
    const uri = pathToFileURL(attached.path).href;
    refs.set(path, uri);
    const sha256 = await sha256Of(fileBytes(attached.path));
    const filename = path.slice(path.lastIndexOf('/') + 1);
    files.set(uri, { path: attached.path, uri, filename, sizeBytes: attached.sizeBytes, sha256 });
  }
  return { draft: withRefs(draft, refs), media, problems };
}

function problem(pointer: string, message: string): ExperimentProblem {
  return { pointer, message, severity: 'error', source: 'meaning' };
}
