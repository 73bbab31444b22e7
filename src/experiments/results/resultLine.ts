import { hash } from 'node:crypto';
import { readCharge } from '../../domain/amounts';
import { isDeeper } from '../../domain/depth';
import type { Json, JsonObject } from '../../domain/json';
import type { Money } from '../../domain/money';
import { isObject } from '../../domain/value';

/**
 * A line of `NAME.results.jsonl`: the outcome of one run. Other members are kept when files are
 * merged.
 */
export interface ResultLine {
  readonly custom_id: string;
  /** Place in the request → value. */
  readonly variation: JsonObject;
  /** The item's name: a path relative to the experiment, or "row 3". */
  readonly item: string;
  readonly item_sha256?: string;
  /** Of a judge’s run: the metric for which it judged a result of the variation and item. */
  readonly judge?: string;
  readonly repeat: number;
  readonly request_sha256: string;
  /** The name of the environment in which it ran. */
  readonly environment?: string;
  readonly state: OutcomeState;
  /** The part that Preview shows; left out when it is in `result_file`. */
  readonly result?: Json;
  /** JSON pointers to long parts of the result that are in `result_file` only: see `Skeleton`. */
  readonly result_without?: readonly string[];
  /** Of the content of a `result_file` that is text or JSON: equal results are found without reading them. */
  readonly result_sha256?: string;
  /** The name of the results' folder, and that of a file in it. */
  readonly result_file?: string;
  /** The same of further files: each picture of a result is one. */
  readonly other_files?: readonly string[];
  /** The response had NaN or other values that JSON does not have; in the result they are null. */
  readonly odd_values?: true;
  /** Why a medium that the result names by its address is not among the files. */
  readonly media_problem?: string;
  /** Of a failed or unconfirmed run. */
  readonly reason?: string;
  readonly cost?: Money;
  /** RFC 3339, UTC. */
  readonly started_at?: string;
  readonly duration_ms?: number;
  readonly run_id?: string;
  /** Of an unconfirmed run: the job that has sent it, as far as is known. */
  readonly sender?: string;
}

export type OutcomeState = 'finished' | 'failed' | 'unconfirmed';

/**
 * - `sent`: its request leaves, or has left; written before that, so that every reader of the line knows of it
 * - `returned`: the request of this sender was not executed
 */
type LineState = OutcomeState | 'sent' | 'returned';

const STATES: ReadonlySet<unknown> = new Set<LineState>([
  'finished',
  'failed',
  'unconfirmed',
  'sent',
  'returned',
]);

/** A line with the facts that decide which of several lines of one run counts. */
export interface ResultEntry {
  readonly line: ResultLine;
  readonly state: LineState;
  /** `started_at`, or ''. */
  readonly at: string;
  /** The sender of a `sent`, `returned` or `unconfirmed` line; or ''. */
  readonly sender: string;
  /** The hash of the line's text in the file: two lines with one hash are one. */
  readonly mark: string;
  /** That text, for lines that are written again; the line then lacks its result. */
  readonly text?: string;
}

/** The names of all files of a result. */
export function resultFiles({ result_file: first, other_files: others = [] }: ResultLine): readonly string[] {
  return first === undefined ? [] : [first, ...others];
}

/** Thirty years: no run takes longer. */
const LONGEST_MS = 1e12;
/** Deeper than any result that is shown or measured. */
const DEEPEST = 1_000;

/** Of each line that varies nothing. */
const NO_VALUES: JsonObject = {};

const isText = (value: Json) => typeof value === 'string';
/** The condition for using a member: a line counts without the others, which stay in its text. */
const MEMBERS: Readonly<Record<string, (value: Json) => boolean>> = {
  variation: isObject,
  item: isText,
  item_sha256: isText,
  judge: isText,
  repeat: Number.isSafeInteger,
  request_sha256: isText,
  environment: isText,
  result_without: (without) => Array.isArray(without) && without.every(isText),
  result_sha256: isText,
  result_file: isText,
  other_files: (files) => Array.isArray(files) && files.every(isText),
  odd_values: (odd) => odd === true,
  media_problem: isText,
  reason: isText,
  cost: (cost) => isObject(cost) && isText(cost.amount!) && readCharge(cost.amount) !== undefined,
  started_at: isText,
  duration_ms: (ms) => typeof ms === 'number' && ms >= 0 && ms <= LONGEST_MS,
  run_id: isText,
  sender: isText,
};

/**
 * An object as the line of a run: it needs an ID and a state; other members do not matter.
 * @param value becomes the line
 * @param text of the object
 * @param keepsText see `ResultEntry`
 */
export function readLine(value: JsonObject, text: string, keepsText = false): ResultEntry | undefined {
  const { custom_id: id, state } = value;
  if (typeof id !== 'string' || !isLineState(state)) return undefined;
  const isUsed = (name: string, member: Json) =>
    !(keepsText && name === 'result') &&
    (!Object.hasOwn(MEMBERS, name) || MEMBERS[name]!(member)) &&
    !isDeeper(member, text, DEEPEST);
  // The object itself where all of it is used: a file has 100,000 lines.
  const names = Object.keys(value);
  const used = names.filter((name) => name !== '__proto__' && isUsed(name, value[name]!));
  const known: { -readonly [Name in keyof ResultLine]?: ResultLine[Name] } =
    used.length === names.length ? value : Object.fromEntries(used.map((name) => [name, value[name]!]));
  const { cost } = known;
  if (cost && !isText(cost.currency ?? '')) known.cost = { amount: cost.amount };
  known.custom_id = id;
  if (!known.variation || Object.keys(known.variation).length === 0) known.variation = NO_VALUES;
  known.item ??= '';
  known.repeat ??= 0;
  known.request_sha256 ??= '';
  known.state = state === 'finished' || state === 'failed' ? state : 'unconfirmed';
  const line = known as ResultLine;
  const sender = typeof value.sender === 'string' ? value.sender : '';
  const mark = hash('sha256', text, 'base64url');
  return { line, state, at: line.started_at ?? '', sender, mark, ...(keepsText && { text }) };
}

function isLineState(state: Json | undefined): state is LineState {
  return STATES.has(state);
}
