import { isCharged } from '../domain/amounts';
import type { Money } from '../domain/money';
import type { RawResponse, RunResponse } from '../domain/response';
import { responseMappingOf } from '../domain/responseMapping';
import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { bodyKind } from './bodyContent';
import { readCost } from './cost';
import { LONGEST_MESSAGE, wordsIn } from './error';
import { joinedText, readEvents } from './eventStream';
import { mappedRun } from './mapping';
import { followed } from './polledAddress';
import { firstOf, isContainer, members, oneLine, pick, pickEntry, pickText, plainName } from './records';
import {
  envelopesIn,
  isAboutRun,
  isFailed,
  type Signs,
  saysFinished,
  signsIn,
  stateOfWord,
} from './stateWords';

// A run's response: "body not shown" (section 2.5), and so are the states (section 3). The one rule:
//
// 1. The records that are read are the body and its envelopes, one level deep. The record that holds the output decides
//    by its state, and its output is the model's: nothing in it is looked at.
// 2. Failed by a word, a false flag or an error that is not empty. Accepted by a word, or by 202, 303, or 201 with an
//    address. Finished by a word, a true flag, a named result, or where no name speaks of a run, an error or a request.
// 3. Anything else is unclear: shown as received, and never booked as a success.

/** The result, in any record. */
const RESULTS = words('output outputs result');
/** The same in a record about a run, or alone: elsewhere they are parts of a bare result. */
const PARTS = words('results predictions prediction response data');
const RUN_IDS = words('runid jobid taskid id uuid requestid');

interface Read {
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
  const address = followed(raw, isObject(raw.json) ? envelopesIn(raw.json) : [], asked, baseUrl);
  const read = readBody(raw, isAskedLater(raw, address.followUrl !== undefined));
  const { state, runId, cost } = read;
  const whole = raw.json ?? (bodyKind(raw) === 'medium' ? null : (raw.text ?? null));
  const isResult = state === 'finished' || state === 'unclear';
  return {
    state,
    runId,
    output: read.output ? read.output.value : isResult ? whole : undefined,
    cost,
    message: state === 'failed' ? oneLine(wordsIn(read.failure), LONGEST_MESSAGE) : undefined,
    recognised: state !== 'unclear',
    ...(state === 'accepted' && address),
    raw,
  };
}

/** Whether the status of HTTP says that the result comes later. */
function isAskedLater({ status, headers }: RawResponse, hasAddress: boolean): boolean {
  return status === 202 || status === 303 || (status === 201 && headers.location !== undefined && hasAddress);
}

function readBody(raw: RawResponse, isLater: boolean): Read {
  const kind = bodyKind(raw);
  switch (kind) {
    case 'json':
      return isObject(raw.json) ? readRecord(raw.json, isLater) : readValue(raw.json, isLater);
    case 'stream':
      return readStream(raw, isLater);
    case 'text':
      return /^text\//i.test(raw.contentType)
        ? readValue(raw.text, isLater)
        : { state: later(isLater, 'unclear') };
    case 'medium':
      return { state: later(isLater, 'finished') };
    case 'page':
    case 'nothing':
      return { state: later(isLater, 'unclear') };
  }
}

const later = (isLater: boolean, state: RunResponse['state']) => (isLater ? 'accepted' : state);

function readRecord(json: UnknownObject, isLater: boolean): Read {
  const records = envelopesIn(json);
  const all = records.map(signsIn);
  const states = all.map(({ state }) => state);
  const run =
    records.findLast((record) => pickText(record, 'runid') !== undefined) ?? records.findLast(isNamed);
  const runId = run && pickText(run, ...RUN_IDS);
  const isAbout =
    runId !== undefined ||
    records.some((record) => pick(record, ...RESULTS) !== undefined) ||
    all.some(({ state, flag }) => state !== undefined || flag !== undefined);
  const cost = firstOf(records.toReversed(), (record) => readCost(record, !isAbout));
  const output = outputIn(records, isAbout || cost !== undefined, states.includes('finished'));
  const facts = { runId, cost, output };
  const failed = all.findIndex(isFailed);
  const isFinished = all.some(({ state, flag }) => state === 'finished' || flag === true);
  if (states.includes('failed'))
    return { ...facts, state: 'failed', failure: failureOf(records, all, states.indexOf('failed')) };
  if (states.includes('accepted')) return { ...facts, state: 'accepted' };
  // A finished run with an error and a result has signs of both.
  if (all.some(({ error }) => error !== undefined) && isFinished)
    return output ? { ...facts, state: 'unclear' } : { ...facts, state: 'failed', failure: json };
  if (failed >= 0) return { ...facts, state: 'failed', failure: failureOf(records, all, failed) };
  if (isLater && (output === undefined || output.value === null)) return { ...facts, state: 'accepted' };
  if (states.includes('unknown')) return { ...facts, state: 'unclear' };
  // {status: "ok", data: {run_id}}: the word is about the request.
  const isTicket =
    output === undefined && records.slice(1).some((record) => isNamed(record) && !hasSign(record));
  if (isFinished) return { ...facts, state: isTicket ? 'unclear' : 'finished' };
  if (output && output.value !== null) {
    const isOther =
      output.isPart && isObject(output.value) && members(output.value).some(([name]) => isAboutRun(name));
    return { ...facts, state: isOther || speaksOfRun(output.value) ? 'unclear' : 'finished' };
  }
  const names = records.flatMap((record) => members(record).map(([name]) => name));
  const isBare = names.length > 0 && !names.some(isAboutRun) && !speaksOfRun(json);
  return isBare ? { ...facts, state: 'finished', isBare: true } : { ...facts, state: 'unclear' };
}

function isNamed(record: UnknownObject): boolean {
  return pickText(record, ...RUN_IDS) !== undefined;
}

function hasSign(record: UnknownObject): boolean {
  const { state, flag } = signsIn(record);
  return state !== undefined || flag !== undefined;
}

/** The error where a record has one, else the record. */
function failureOf(records: readonly UnknownObject[], all: readonly Signs[], at: number): unknown {
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
  const isEmpty = (record: UnknownObject) =>
    members(record).some(([name, value]) => value === null && RESULTS.includes(plainName(name)));
  if (isFinished && records.some(isEmpty)) return { value: null };
  const part = firstOf(records, (record) =>
    isAbout || members(record).length === 1 ? pickEntry(record, ...PARTS) : undefined,
  );
  return part && !(isObject(part[1]) && isNamed(part[1])) ? { value: part[1], isPart: true } : undefined;
}

/** Values that are looked at: a larger body is data. */
const MOST_VALUES = 20_000;

/**
 * Whether a part of a body reports a failure or a run under way, or has the state of something with an identifier. Lists
 * are data, unless all entries do.
 */
function speaksOfRun(value: unknown): boolean {
  const speaks = (entry: unknown): boolean => {
    if (!isObject(entry)) return false;
    const signs = signsIn(entry);
    return isFailed(signs) || signs.state === 'accepted' || (signs.state !== undefined && isNamed(entry));
  };
  const pending: unknown[] = [value];
  for (let at = 0; at < pending.length && at < MOST_VALUES; at++) {
    const each = pending[at];
    if (speaks(each)) return true;
    if (Array.isArray(each)) {
      if (each.length > 0 && each.every(speaks)) return true;
      if (each.length === 1) pending.push(each[0]);
    } else if (isObject(each))
      for (const [, inner] of members(each)) if (isContainer(inner)) pending.push(inner);
  }
  return false;
}

/** A list, a text or a number is a result; one word of a state is that state. */
function readValue(value: unknown, isLater: boolean): Read {
  const output = { value };
  if (typeof value === 'string') {
    const word = stateOfWord(value.trim());
    if (word === 'accepted' || word === 'failed')
      return { state: word, ...(word === 'failed' && { failure: value }) };
    // "Error: out of memory"
    if (isAboutRun(/^\s*\[?(\w+)/.exec(value)?.[1] ?? '')) return { state: later(isLater, 'unclear') };
  }
  const isEmpty =
    value === null || value === false || value === '' || (Array.isArray(value) && value.length === 0);
  const isResult = !isEmpty && !speaksOfRun(value);
  return isLater ? { state: 'accepted' } : isResult ? { state: 'finished', output } : { state: 'unclear' };
}

/** The last event by the same rule; an earlier failure is one unless the last event says that the run finished. */
function readStream(raw: RawResponse, isLater: boolean): Read {
  const events = (readEvents(raw) ?? []).filter(({ data }) => data !== '' && data !== '[DONE]');
  const last = events.at(-1);
  if (last === undefined) return { state: later(isLater, 'unclear') };
  const named = stateOfWord(last.name ?? '');
  const state = named === undefined ? {} : { state: named };
  const text = named === 'failed' ? undefined : joinedText(events);
  if (text !== undefined)
    return isCut(last.data) ? { state: 'unclear' } : { state: 'finished', output: { value: text } };
  const read: Read = isObject(last.data)
    ? readRecord({ ...state, ...last.data }, isLater)
    : { ...readValue(last.data, isLater), ...state, failure: last.data };
  const failed = events.findLast(
    ({ name, data }) => stateOfWord(name ?? '') === 'failed' || (isObject(data) && isFailed(signsIn(data))),
  );
  const isSaid = isObject(last.data) && signsIn(last.data).state === 'finished';
  if (failed && !isSaid) return { ...read, state: 'failed', failure: failed.data };
  // The last of several parts is not the whole.
  const isDoubtful = isCut(last.data) || (events.length > 1 && read.isBare);
  if (isDoubtful && read.state === 'finished') return { state: 'unclear' };
  return { ...read, output: read.output ?? (read.state === 'finished' ? { value: last.data } : undefined) };
}

/** The connection ended within an event. */
function isCut(data: unknown): boolean {
  return typeof data === 'string' && /^\s*[[{]/.test(data);
}

/**
 * Whether the body of an error's status says that the run was executed all the same, or goes on: by a state or an
 * output. A 429, which is repeated otherwise, also says so by a cost, and by a run's identifier beside no failed state:
 * that run was begun. Other errors may be charged. Such a run is never sent again by itself.
 */
export function saysExecuted(raw: RawResponse, asked: URL): boolean {
  const { cost } = readRunResponse(raw, asked);
  if (raw.status === 429 && isCharged(cost)) return true;
  if (!isObject(raw.json)) return false;
  const records = envelopesIn(raw.json);
  const all = records.map(signsIn);
  if (saysFinished(raw.json)) return true;
  if (records.some((record) => hasValue(pick(record, 'output', 'outputs', 'prediction', 'predictions'))))
    return true;
  const isBegun =
    all.some(({ state }) => state === 'accepted') ||
    (raw.status === 429 && !all.some(({ state }) => state === 'failed'));
  return (
    isBegun &&
    records.some(
      (record, at) =>
        pickText(record, 'runid', 'jobid', 'taskid') !== undefined ||
        (at > 0 && pickText(record, 'id') !== undefined),
    )
  );
}

function hasValue(output: unknown): boolean {
  return typeof output === 'object' && output !== null && Object.keys(output).length > 0;
}
