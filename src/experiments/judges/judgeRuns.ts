import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as l10n from '@vscode/l10n';
import type { Json } from '../../domain/json';
import { isMediaObject } from '../../domain/media';
import { segmentsOf } from '../../domain/pointer';
import type { RunDraft } from '../../domain/run';
import { valueText } from '../../domain/words';
import { checkDraft, KnownParts, toRunRequest } from '../../forms/checkDraft';
import { Turns } from '../../service/turns';
import type { ComparedPlace } from '../file/format';
import type { ExperimentItem, ItemFile } from '../file/items';
import type { LoadedExperiment } from '../file/load';
import { readBody, shownBodyPath } from '../files/bodies';
import { askedRequest, type PlannedRun } from '../plan/plan';
import { judgeId, requestHash } from '../plan/runId';
import { readCompared } from '../results/comparedFiles';
import { measuredValue, UNREADABLE } from '../results/measuredValue';
import { type ResultLine, resultFiles } from '../results/resultLine';
import { isContentMark } from '../results/resultMedia';
import type { CellRun, ExperimentTable } from '../table/table';
import { baselineOf, type Judge } from './judge';
import { judgedKey } from './judgedKey';
import { filledDraft, type JudgedValue, type JudgedValues, NoValue } from './template';

/** The runs of judges that the results so far lead to. */
export interface JudgeRuns {
  /** Those that can be sent, each once for all results that it judges. */
  readonly runs: readonly PlannedRun[];
  /** IDs by the name of the metric, then by `judgedKey`: of a comparison there are two, with both orders. */
  readonly requests: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
  /** Files of results that judges look at. */
  readonly files: ReadonlyMap<string, ItemFile>;
  /** Why some results cannot be judged, in sentences. */
  readonly problems: readonly string[];
}

interface Made {
  readonly requests: readonly string[];
  readonly runs: readonly Omit<PlannedRun, 'serves'>[];
  readonly files: readonly ItemFile[];
  readonly problem?: string;
}

/** Requests by the lines that they are about: the same until one of these, or the experiment, changes. */
const known = new WeakMap<Judge, WeakMap<ResultLine, Map<string, Made>>>();

/**
 * The runs of an experiment's judges: one for each finished result, or for each pair of results in both orders.
 * @param table with the results so far
 * @param results absolute path of the results file
 */
export async function judgeRuns(
  { judges, base }: Pick<LoadedExperiment, 'judges' | 'base'>,
  table: ExperimentTable,
  results: string,
): Promise<JudgeRuns> {
  const turns = new Turns();
  const runs = new Map<string, PlannedRun & { readonly serves: PlannedRun['serves'][number][] }>();
  const files = new Map<string, ItemFile>();
  const requests = new Map<string, Map<string, readonly string[]>>();
  const problems = new Set<string>();
  for (const judge of judges) {
    const maker = new JudgeRequestMaker(judge, base, table, results);
    const own = new Map<string, readonly string[]>();
    requests.set(judge.metric.name, own);
    if (judge.output !== undefined) await readCompared(results, table.results.values(), judge.output);
    for (const { row, column, run, other } of judgedRuns(judge, table)) {
      const made = await maker.make(row, run, other);
      own.set(judgedKey(run.custom_id, row), made.requests);
      if (made.problem !== undefined) problems.add(`${judge.metric.name}: ${made.problem}`);
      for (const file of made.files) files.set(file.uri, file);
      for (const cell of made.runs) {
        const judgeRun = runs.get(cell.customId);
        const place = { variation: column, item: row };
        if (judgeRun) judgeRun.serves.push(place);
        else runs.set(cell.customId, { ...cell, serves: [place] });
      }
      if (turns.isOver) await turns.next();
    }
  }
  return { runs: [...runs.values()], requests, files, problems: [...problems] };
}

interface JudgedRun {
  readonly row: number;
  readonly column: number;
  readonly run: ResultLine;
  /** The result that it is compared with. */
  readonly other?: ResultLine;
}

/** The results to judge, in the order of the table. */
function* judgedRuns(judge: Judge, table: ExperimentTable): Generator<JudgedRun> {
  const baseline = baselineOf(judge.metric, table.plan);
  const isPair = judge.metric.judge.kind === 'pairwise';
  const finished = ({ line }: CellRun) => line?.state === 'finished';
  for (let row = 0; row < table.rows; row += 1) {
    if (table.plan.items[row]!.isGone) continue;
    for (let column = 0; column < table.ownColumns; column += 1)
      for (const run of table.runs(row, column).filter(finished)) {
        if (!isPair) yield { row, column, run: run.line! };
        if (!isPair || baseline === undefined || column === baseline) continue;
        const other = table.runs(row, baseline).find(({ repeat }) => repeat === run.repeat);
        // Both columns may ask for the same.
        if (other && finished(other) && other.customId !== run.customId)
          yield { row, column, run: run.line!, other: other.line! };
      }
  }
}

class JudgeRequestMaker {
  readonly #known: WeakMap<ResultLine, Map<string, Made>>;
  readonly #parts = new KnownParts();
  readonly #needsFile: boolean;

  constructor(
    private readonly judge: Judge,
    private readonly base: LoadedExperiment['base'],
    private readonly table: ExperimentTable,
    private readonly results: string,
  ) {
    this.#known = known.get(judge) ?? new WeakMap();
    known.set(judge, this.#known);
    this.#needsFile = /"media_ref":"\{\{/.test(JSON.stringify([judge.draft.input, judge.draft.params]));
  }

  async make(row: number, run: ResultLine, other: ResultLine | undefined): Promise<Made> {
    const ofRun = this.#known.get(run) ?? new Map<string, Made>();
    this.#known.set(run, ofRun);
    // Of one request there may be another result after a retry.
    const key = `${row} ${other ? `${other.custom_id} ${other.started_at}` : ''}`;
    const made = ofRun.get(key) ?? (await this.#makeNew(row, run, other));
    ofRun.set(key, made);
    return made;
  }

  async #makeNew(row: number, run: ResultLine, other: ResultLine | undefined): Promise<Made> {
    const item = this.table.plan.items[row]!;
    const shared = { input: inputValue(item, this.base), expected: expectedValue(item) };
    const output = await this.#output(run);
    const orders: JudgedValues[] = [{ ...shared, output }];
    if (other) {
      const compared = await this.#output(other);
      orders[0] = { ...shared, output, other: compared };
      orders.push({ ...shared, output: compared, other: output });
    }
    const all = orders.map((values) => this.#request(values));
    const problem = all.find((one) => one.problem !== undefined)?.problem;
    // One order alone would not be a judgement.
    const canBeSent = problem === undefined;
    return {
      requests: all.every((one) => one.requests.length > 0) ? all.flatMap((one) => one.requests) : [],
      runs: canBeSent ? all.flatMap((one) => one.runs) : [],
      files: canBeSent ? all.flatMap((one) => one.files) : [],
      ...(problem !== undefined && { problem }),
    };
  }

  #output(line: ResultLine) {
    return outputValue(line, this.judge.output ?? this.table.at, this.results, this.#needsFile);
  }

  #request(values: JudgedValues): Made {
    const { contract, metric } = this.judge;
    const files = Object.values(values).flatMap(({ file }) => file ?? []);
    const hashes = new Map(files.map(({ uri, sha256 }) => [uri, sha256]));
    const filled = this.#filled(values);
    if (typeof filled === 'string') return { requests: [], runs: [], files: [], problem: filled };
    const customId = judgeId(requestHash(askedRequest(filled, {}), hashes));
    const requests = [customId];
    if (!contract) return { requests, runs: [], files: [] };
    const request = toRunRequest(contract, filled);
    const requestSha256 = requestHash(request, hashes);
    const [first] = checkDraft(contract, filled, { known: this.#parts });
    // An earlier result of it is still one.
    if (first) return { requests, runs: [], files: [], problem: `${first.pointer}: ${first.message}` };
    const run = { customId, requestSha256, request, repeat: 0 };
    return { requests, runs: [{ ...run, judge: metric.name }], files };
  }

  #filled(values: JudgedValues) {
    try {
      return filledDraft(this.judge.draft, values);
    } catch (error) {
      if (!(error instanceof NoValue)) throw error;
      const name = `{{${error.placeholder}}}`;
      return error.wanted === 'file'
        ? l10n.t('A result or row has no file for {0}, and is not judged.', name)
        : l10n.t('A result or row has no text for {0}, and is not judged.', name);
    }
  }
}

/** A larger file of a result is not judged. */
const MOST_BYTES = 64_000_000;

/** The input of a row: its one value, or its values by the names of their places; without rows the run's own input. */
export function inputValue({ values, files }: ExperimentItem, base: RunDraft): JudgedValue {
  const own = Object.keys(values).length > 0 ? values : base.input;
  const named = Object.entries(own).map(([place, value]) => [placeholderName(place), shown(value)] as const);
  const [only, ...others] = named;
  const text =
    only && others.length === 0
      ? isMediaObject(Object.values(own)[0])
        ? undefined
        : valueText(only[1])
      : JSON.stringify(Object.fromEntries(named));
  return { ...(text !== undefined && { text }), ...(files[0] && { file: files[0] }) };
}

/** The last part of a pointer that is no number: "/input/images/0" is of "images". */
function placeholderName(place: string): string {
  if (!place.startsWith('/')) return place;
  return segmentsOf(place).findLast((segment) => !/^\d+$/.test(segment)) ?? place;
}

/** A local file by its name: its address is of this computer. */
function shown(value: Json): Json {
  return isMediaObject(value) ? (value.filename ?? posix.basename(value.media_ref)) : value;
}

export function expectedValue({ expected }: ExperimentItem): JudgedValue {
  return expected === undefined || expected === null ? {} : { text: valueText(expected) };
}

/**
 * The part of a result that is judged, and the first medium that the result has as a file.
 * @param results absolute path of the results file
 */
export async function outputValue(
  line: ResultLine,
  at: ComparedPlace,
  results: string,
  withFile: boolean,
): Promise<JudgedValue> {
  const value = measuredValue(line, at);
  const isText = value !== undefined && value !== UNREADABLE && !isContentMark(value);
  const file = withFile ? await mediumOf(line, results) : undefined;
  return { ...(isText && { text: valueText(value) }), ...(file && { file }) };
}

async function mediumOf(line: ResultLine, results: string): Promise<ItemFile | undefined> {
  const name = resultFiles(line).find((one) => !/\.(?:json|txt)$/i.test(one));
  const path = name === undefined ? undefined : shownBodyPath(results, name);
  if (name === undefined || path === undefined) return undefined;
  const bytes = await readBody(results, name, MOST_BYTES);
  if (!bytes) return undefined;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const uri = pathToFileURL(path).href;
  return { path, uri, filename: posix.basename(name), sizeBytes: bytes.length, sha256 };
}
