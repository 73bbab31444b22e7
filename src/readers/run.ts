import type { Money } from '../domain/money';
import type { RawResponse, RunResponse } from '../domain/response';
import { responseMappingOf } from '../domain/responseMapping';
import { isContainer, isObject, type UnknownObject } from '../domain/value';
import { oneLine, words } from '../domain/words';
import { bodyKind, isMediaType } from '../intake/bodyContent';
import { joinedText, readEvents } from '../intake/eventStream';
import { namedAddress } from '../intake/namedAddress';
import { readCost } from './cost';
import { LONGEST_MESSAGE, wordsIn } from './error';
import { mappedRun } from './mapping';
import { firstOf, isAddress, members, pick, pickEntry, pickText, plainName } from './records';
import { envelopesIn, isAboutRun, isFailed, type Signs, signsIn, stateOfWord } from './stateWords';

// A run's response: "body not shown" (section 2.5), and so are the states (section 3). The one rule:
// 1. The records that are read are the body and its envelopes, one level deep. The record that holds the output decides
//    by its state, and its output is the model's: nothing in it is looked at.
// 2. Failed by a word, a false flag or an error that is not empty, or as JSON in place of a medium. Accepted by a word, or by 202, 303, or 201 with an
//    address. Finished by a word, a true flag, a named result, or where no name speaks of a run, an error or a request.
// 3. Anything else is unclear: shown as received, and never booked as a success.

/** The result, in any record. */
const RESULTS = words('output outputs result');
/** The same in a record about a run, or alone: elsewhere they are parts of a bare result. */
const PARTS = words('results predictions prediction response data');
const RUN_IDS = words('runid jobid taskid id uuid requestid');

/**
 * The state, the output and the cost of a run, by the mapping of the service and the usual names. Never throws.
 * @param asked the address that gave the response, the base of relative addresses in it
 * @param baseUrl of the environment: addresses below it are asked
 */
export function readRunResponse(raw: RawResponse, asked: URL, baseUrl = asked.origin): RunResponse {
  const mapping = responseMappingOf(baseUrl);
  const usual = readByNames(raw, asked, baseUrl);
  return mapping === undefined ? usual : mappedRun(usual, mapping, baseUrl);
}

function readByNames(raw: RawResponse, asked: URL, baseUrl: string): RunResponse {
  const { status, headers } = raw;
  const address = followed(raw, isObject(raw.json) ? envelopesIn(raw.json) : [], asked, baseUrl);
  const isCreated = status === 201 && headers.location !== undefined && address.followUrl !== undefined;
  const read = readBody(raw, status === 202 || status === 303 || isCreated);
  const { runId, cost } = read;
  const isNoMedium = read.state === 'unclear' && raw.json && isMediaType(headers['content-type'] ?? '');
  const state = isNoMedium ? 'failed' : read.state;
  const whole = raw.json ?? (bodyKind(raw) === 'medium' ? null : (raw.text ?? null));
  const isResult = state === 'finished' || state === 'unclear';
  return {
    state,
    runId,
    output: read.output ? read.output.value : isResult ? whole : undefined,
    cost,
    message: state === 'failed' ? oneLine(wordsIn(read.failure ?? raw.json), LONGEST_MESSAGE) : undefined,
    recognised: state !== 'unclear',
    ...(state === 'accepted' && address),
    raw,
  };
}

/** @param isLater the status of HTTP says that the result comes later */
function readBody(raw: RawResponse, isLater: boolean): ReadRun {
  const read = (value: unknown) => (isObject(value) ? readRecord(value, isLater) : readValue(value, isLater));
  const kind = bodyKind(raw);
  if (kind === 'json') return read(raw.json);
  if (kind === 'text' && /^text\/(?!event-stream)/i.test(raw.contentType)) return read(raw.text);
  const stream = kind === 'stream' ? readStream(raw, read) : undefined;
  return stream ?? { state: isLater ? 'accepted' : kind === 'medium' ? 'finished' : 'unclear' };
}

function readRecord(json: UnknownObject, isLater: boolean): ReadRun {
  const records = envelopesIn(json);
  const all = records.map(signsIn);
  const has = (word: string) => all.some(({ state }) => state === word);
  const isFinished = has('finished') || all.some(({ flag }) => flag === true);
  const run =
    records.findLast((record) => pickText(record, 'runid') !== undefined) ?? records.findLast(isNamed);
  const runId = run && pickText(run, ...RUN_IDS);
  const isAbout =
    runId !== undefined ||
    all.some(isSign) ||
    records.some((record) => pick(record, ...RESULTS) !== undefined);
  const cost = firstOf(records.toReversed(), (record) => readCost(record, !isAbout));
  const output = outputIn(records, isAbout || cost !== undefined, has('finished'));
  const facts = { runId, cost, output };
  const failure = failureOf(records, all);
  if (has('failed')) return { ...facts, state: 'failed', failure };
  if (has('accepted')) return { ...facts, state: 'accepted' };
  // A finished run with an error and a result has signs of both.
  if (isFinished && all.some(({ error }) => error !== undefined))
    return { ...facts, state: output ? 'unclear' : 'failed', failure: json };
  if (all.some(isFailed)) return { ...facts, state: 'failed', failure };
  const hasResult = output && output.value !== null && !(output.isPart && !isFinished);
  if (isLater && !hasResult) return { ...facts, state: 'accepted' };
  // {data: {job: {id}}}: a run is named, and nothing says that it has finished.
  const isNamedWithin = !isAbout && records.flatMap(envelopesIn).some(isNamed);
  if (has('unknown') || isNamedWithin) return { ...facts, state: 'unclear' };
  // {status: "ok", data: {run_id}}: the word is about the request.
  const isTicket = !output && records.some((record, at) => at > 0 && isNamed(record) && !isSign(all[at]!));
  if (isFinished) return { ...facts, state: isTicket ? 'unclear' : 'finished' };
  if (output && output.value !== null) {
    const isOther = output.isPart && isObject(output.value) && tellsOfRun(output.value, true);
    return { ...facts, state: isOther || speaksOfRun(output.value) ? 'unclear' : 'finished' };
  }
  const isOther = records.some((record, at) => namesResult(record) || tellsOfRun(record, at > 0));
  const isBare = members(json).length > 0 && !isOther && !speaksOfRun(json);
  return isBare ? { ...facts, state: 'finished', isBare: true } : { ...facts, state: 'unclear' };
}

const isNamed = (record: UnknownObject) => pickText(record, ...RUN_IDS) !== undefined;
const isSign = ({ state, flag }: Signs) => state !== undefined || flag !== undefined;
const namesResult = (one: UnknownObject) => members(one).some(([name]) => RESULTS.includes(plainName(name)));

/** By a name in it, or in a record that is alone in an envelope. */
function tellsOfRun(record: UnknownObject, isEnvelope = false): boolean {
  const [first, ...others] = members(record);
  const only = isEnvelope && others.length === 0 ? first?.[1] : undefined;
  return members(record).some((each) => isAboutRun(...each)) || (isObject(only) && tellsOfRun(only));
}

/** The error where a record has one, else the record that failed. */
function failureOf(records: readonly UnknownObject[], all: readonly Signs[]): unknown {
  const at = Math.max(
    0,
    all.findIndex(({ state }) => state === 'failed'),
    all.findIndex(isFailed),
  );
  const error = all[at]?.error ?? firstOf(all, (signs) => signs.error);
  return error === undefined || error === true ? records[at] : error;
}

/** @param isAbout the records are about a run, so that a part is its result */
function outputIn(
  records: readonly UnknownObject[],
  isAbout: boolean,
  isFinished: boolean,
): { readonly value: unknown; readonly isPart?: true } | undefined {
  const named = firstOf(records, (record) => pickEntry(record, ...RESULTS));
  if (named) return { value: named[1] };
  // {status: "completed", result: null}
  if (isFinished && records.some(namesResult)) return { value: null };
  const part = firstOf(records, (record) =>
    isAbout || members(record).length === 1 ? pickEntry(record, ...PARTS) : undefined,
  );
  return part && !(isObject(part[1]) && isNamed(part[1])) ? { value: part[1], isPart: true } : undefined;
}

/** Records within records, beyond which a body is data. */
const DEEPEST = 40;
/** Records that are looked at for words of a run, and entries of one list: more of them are data, or like the first. */
const MOST_RECORDS = 2_000;
const MOST_ENTRIES = 100;

/**
 * Whether a part of a body reports a failure or a run under way, or has the state of something with an identifier. Lists
 * are data, unless all entries do.
 */
function speaksOfRun(value: unknown, depth = 0, left = { records: MOST_RECORDS }): boolean {
  if (depth > DEEPEST || !isContainer(value) || --left.records < 0) return false;
  const isSpeaking = (each: unknown) => speaksOfRun(each, depth + 1, left);
  if (!isObject(value))
    return Array.isArray(value) && value.length > 0 && value.slice(0, MOST_ENTRIES).every(isSpeaking);
  const signs = signsIn(value);
  if (isFailed(signs) || signs.state === 'accepted' || (signs.state !== undefined && isNamed(value)))
    return true;
  return members(value).some(([, inner]) => isSpeaking(inner));
}

/** A list, a text or a number is a result; one word of a state is that state. */
function readValue(value: unknown, isLater: boolean): ReadRun {
  const word = typeof value === 'string' ? stateOfWord(value.trim()) : undefined;
  if (word === 'accepted' || word === 'failed') return { state: word, failure: value };
  if (isLater) return { state: 'accepted' };
  // "Error: out of memory"
  const first = typeof value === 'string' ? (/^\s*\[?(\w+)/.exec(value)?.[1] ?? '') : '';
  const isEmpty =
    value === null || value === false || value === '' || (Array.isArray(value) && value.length === 0);
  return isEmpty || isAboutRun(first) || speaksOfRun(value)
    ? { state: 'unclear' }
    : { state: 'finished', output: { value } };
}

const ADDRESSES = words('statusurl pollurl resulturl runurl location self href url');

/** Where an accepted run is asked for: the header `Location`, else an address in these records. The first allowed one counts. */
function followed(
  { status, headers }: RawResponse,
  records: readonly UnknownObject[],
  asked: URL,
  baseUrl: string,
): Pick<RunResponse, 'followUrl' | 'notFollowed'> {
  const location = [201, 202, 303].includes(status) ? headers.location : undefined;
  const named = records.map((record) => pickText(record, ...ADDRESSES)).filter(isAddress);
  const read = [location ?? [], named].flat().map((text) => namedAddress(text, { asked, baseUrl }));
  const url = read.find((each) => each.url !== undefined && each.url.href !== asked.href)?.url;
  if (url !== undefined) return { followUrl: url.href };
  const refused = read.find((each) => each.refused)?.refused;
  return refused ? { notFollowed: { reason: 'refusedAddress', refused } } : {};
}

/** The parts of a run in one value. */
interface ReadRun {
  readonly state: RunResponse['state'];
  /** Missing: the body has none. */
  readonly output?: { readonly value: unknown } | undefined;
  /** The record or value with the words of a failure. */
  readonly failure?: unknown;
  readonly runId?: string | undefined;
  readonly cost?: Money | undefined;
  /** Finished only because no name speaks of a run. */
  readonly isBare?: true;
}

/**
 * The run of a stream that was received whole: its last event, by the rule of one value; an earlier failure is one unless
 * the last event says that the run finished. Undefined: no event.
 */
function readStream(raw: RawResponse, read: (value: unknown) => ReadRun): ReadRun | undefined {
  const events = (readEvents(raw) ?? []).filter(({ data }) => data !== '' && data !== '[DONE]');
  const last = events.at(-1);
  if (last === undefined) return undefined;
  // The connection ended within an event.
  const isCut = typeof last.data === 'string' && /^\s*[[{]/.test(last.data);
  const named = stateOfWord(last.name ?? '');
  const state = named === undefined ? {} : { state: named };
  const text = named === 'failed' ? undefined : joinedText(events);
  if (text !== undefined)
    return isCut ? { state: 'unclear' } : { state: 'finished', output: { value: text } };
  const { data } = last;
  const whole = isObject(data) ? read({ ...state, ...data }) : { ...read(data), ...state, failure: data };
  const failed = events.findLast(
    (event) =>
      stateOfWord(event.name ?? '') === 'failed' || (isObject(event.data) && isFailed(signsIn(event.data))),
  );
  const isSaid = isObject(data) && signsIn(data).state === 'finished';
  if (failed && !isSaid) return { ...whole, state: 'failed', failure: failed.data };
  // The last of several parts is not the whole.
  if (whole.state === 'finished' && (isCut || (events.length > 1 && whole.isBare)))
    return { state: 'unclear' };
  // A part that the last event lacks, where one event has it.
  const runs = events.slice(-MOST_ENTRIES).flatMap(({ data: each }) => (isObject(each) ? read(each) : []));
  const [cost, ...costs] = runs.flatMap((run) => run.cost ?? []);
  const [only, ...outputs] = runs.flatMap((run) => run.output ?? []);
  const output = whole.output ?? (outputs.length === 0 ? only : undefined) ?? { value: data };
  const paid = { ...whole, cost: whole.cost ?? (costs.length === 0 ? cost : undefined) };
  return whole.state === 'finished' ? { ...paid, output } : paid;
}
