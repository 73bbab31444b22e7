import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { asText, firstOf, LONGEST_NAME, members, nameWords, pick, plainName, scalarText } from './records';

// The usual words for a run, an item of a batch and a job; the interface shows none (section 3). This is the only table
// of them: other words, and other places, are for a response mapping.

export type StateWord = 'finished' | 'accepted' | 'failed';

const WORDS: ReadonlyMap<string, StateWord> = new Map(
  Object.entries({
    finished: 'succeeded success successful completed complete done finished ok ready indexed',
    accepted:
      'accepted queued pending processing running inprogress started starting scheduled submitted created waiting',
    failed: 'failed fail failure error errored cancelled canceled aborted rejected timeout timedout expired',
  }).flatMap(([meaning, list]) => words(list).map((word) => [word, meaning as StateWord])),
);
const STATES = words('status state phase');
const FLAGS = words('success ok succeeded');
const ERRORS = words('error errors exception failure traceback');

/** The meaning of a word for a state, compared without case, `_` and `-`; undefined for other words. */
export function stateOfWord(word: string): StateWord | undefined {
  return WORDS.get(plainName(word.slice(0, LONGEST_NAME)));
}

/** The signs of a run in one record. `unknown`: it has a state in another word, or a number of an error. */
export interface Signs {
  readonly state?: StateWord | 'unknown' | undefined;
  readonly flag?: boolean | undefined;
  /** Its error, where it has one that is not empty. */
  readonly error?: unknown;
}

/** The state, the flag and the error in a record, whose names are compared without case, `_` and `-`. */
export function signsIn(record: UnknownObject): Signs {
  return {
    state: stateIn(record),
    flag: firstOf(FLAGS, (name) => flagOf(pick(record, name))),
    error: ERRORS.map((name) => pick(record, name)).find(isError),
  };
}

/** The first state counts, but a failure before all others. */
function stateIn(record: UnknownObject): Signs['state'] {
  const states = STATES.map((name) => stateOfValue(pick(record, name))).filter(
    (state) => state !== undefined,
  );
  if (states.length > 0) return states.includes('failed') ? 'failed' : states[0];
  const code = asText(pick(record, 'code', 'statuscode'));
  const isRefused = code !== undefined && /^-?\d{1,10}$/.test(code) && Number(code) !== 0;
  return isRefused && !isSuccessStatus(Number(code)) ? 'unknown' : undefined;
}

function stateOfValue(value: unknown): Signs['state'] {
  if (value === undefined || isSuccessStatus(value)) return undefined;
  if (typeof value === 'number' && value >= 400 && value < 600) return 'failed';
  if (typeof value !== 'string') return 'unknown';
  // STATUS_OK, STATE_FAILED: enumerations repeat the name of their member.
  const plain = plainName(value.slice(0, LONGEST_NAME));
  return stateOfWord(plain.replace(/^(?:status|state|phase)(?=.)/, '')) ?? 'unknown';
}

/** A status of HTTP in a body is that of the response. */
function isSuccessStatus(value: unknown): boolean {
  return typeof value === 'number' && value >= 200 && value < 300;
}

function flagOf(value: unknown): boolean | undefined {
  const text = scalarText(value).toLowerCase();
  if (text === 'true' || value === 1) return true;
  return text === 'false' || value === 0 ? false : undefined;
}

function isError(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  if (Array.isArray(value)) return value.length > 0;
  return value === true || (isObject(value) && members(value).length > 0);
}

/** Whether a record, by its own names and values, reports a failure. */
export function isFailed({ state, flag, error }: Signs): boolean {
  return (
    state === 'failed' || flag === false || (error !== undefined && state !== 'finished' && flag !== true)
  );
}

const ABOUT = new Set([
  ...STATES,
  ...FLAGS,
  ...ERRORS,
  ...words(
    'id uuid runid jobid taskid requestid code statuscode message msg detail details title type done finished',
  ),
]);

/** Whether a name speaks of a run, an error or a request: with all of its words, or with one whose value is a failure. */
export function isAboutRun(name: string, value?: unknown): boolean {
  const parts = nameWords(name);
  const isAbout = ABOUT.has(plainName(name)) || parts.every((word) => ABOUT.has(word));
  return isAbout || parts.some((word) => isFailed(signsIn({ [word]: value })));
}

/** The names of records around a run's own. */
const ENVELOPES = words('data run job execution task response body payload');

/** A body and its envelopes, one level deep: the records that may tell of a run. */
export function envelopesIn(json: UnknownObject): readonly UnknownObject[] {
  return [json, ...ENVELOPES.map((name) => pick(json, name)).filter(isObject)];
}

/** Whether a body reports success by a word or a flag. */
export function saysFinished(json: unknown): boolean {
  if (!isObject(json)) return false;
  return envelopesIn(json)
    .map(signsIn)
    .some(({ state, flag }) => state === 'finished' || flag === true);
}

/** Whether a body that should have data reports a failure instead: by a false flag, an error, or a word. */
export function saysFailure(json: unknown): boolean {
  return isObject(json) && envelopesIn(json).some((record) => isFailed(signsIn(record)));
}
