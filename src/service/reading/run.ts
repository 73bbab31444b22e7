import { isObject, type UnknownObject } from '../../domain/value';
import { words } from '../../domain/words';
import { namedAddress } from '../addresses';
import type { RawResponse, RunResponse } from '../client';
import { readCost } from './cost';
import { LONGEST_MESSAGE, looksLikeHtml, wordsIn } from './error';
import { isError } from './itemSigns';
import { asText, firstOf, oneLine, pick, pickEntry, pickText, plainName } from './records';
import { stateOfWord } from './stateWords';

// Run results: "response body of a run: not shown" (section 2.5), and so are the states (section 3).

/** Where an envelope keeps the result, the likelier first. */
const OUTPUTS = words('output outputs result results prediction predictions response data');
const RUN_IDS = words('runid id executionid jobid taskid requestid predictionid');
/** Members of an envelope of a run. */
const ENVELOPE = words('status state output outputs result');
const ADDRESSES = words('statusurl pollurl pollingurl resulturl runurl followurl location self href url');
/** Names that only results have: a body with one of them at the top is a bare result. */
const BARE_RESULTS = new Set(
  words(`
    text label labels score scores embedding embeddings vector vectors hits matches neighbors image images
    caption answer summary translation generatedtext choices classes class objects boxes detections segments
    transcript language languages tokens audio video message indexed count
  `),
);

/**
 * The state and output of a run from its response. Never throws, whatever the body.
 * @param asked the address that gave the response: what an address in it is relative to
 * @param baseUrl of the environment: addresses below it are asked
 */
export function readRunResponse(raw: RawResponse, asked: URL, baseUrl = asked.origin): RunResponse {
  const { json } = raw;
  const later = raw.status === 202 || raw.status === 303;
  const location = raw.status === 201 || later ? (raw.headers.location ?? undefined) : undefined;
  const address = (...records: readonly UnknownObject[]) => followed(location, records, asked, baseUrl);
  if (!isObject(json)) return { ...bodyAlone(raw, later), ...(later && address()) };
  const { record, wrapped } = unwrapped(json);
  const named = stateIn(record);
  const runId = pickText(record, ...RUN_IDS) ?? pickText(json, ...RUN_IDS.filter((name) => name !== 'id'));
  const cost = readCost(record) ?? (wrapped ? readCost(json) : undefined);
  const found = outputIn(record, named !== undefined || runId !== undefined || cost !== undefined);
  const bare = Object.keys(record).some((key) => BARE_RESULTS.has(plainName(key)));
  const error = failureIn(record, found !== undefined || bare);
  const isUnclear =
    named === undefined && hasUnknownState(record, runId !== undefined || found !== undefined);
  const state =
    error !== undefined && named === undefined
      ? 'failed'
      : (named ?? ((later && !found) || isUnclear ? 'accepted' : 'finished'));
  const isKnown = named !== undefined || error !== undefined || found !== undefined || later || bare;
  return {
    state,
    runId,
    output: found === undefined ? (state === 'finished' ? json : undefined) : found.value,
    cost,
    message: state === 'failed' ? oneLine(error ?? wordsIn(record), LONGEST_MESSAGE) : undefined,
    recognised: isKnown && !isUnclear,
    // A word that is not known may be a last one: with a result, it is not asked for another.
    ...(state === 'accepted' && !(isUnclear && found) && address(record, json)),
    raw,
  };
}

/** {data: {...}} or {run: {...}} around everything. */
function unwrapped(json: UnknownObject): { record: UnknownObject; wrapped: boolean } {
  const own = pick(json, ...ENVELOPE) !== undefined;
  const inner = words('run data job execution').map((name) => pick(json, name));
  const record = inner.filter(isObject).find((one) => pick(one, ...ENVELOPE, 'runid') !== undefined);
  return own || record === undefined ? { record: json, wrapped: false } : { record, wrapped: true };
}

/**
 * The result inside an envelope. `results` or `data` alone may be the bare result of a search; they belong to an
 * envelope when other members of one are beside them.
 */
function outputIn(record: UnknownObject, envelope: boolean): { value: unknown } | undefined {
  const alone = Object.keys(record).length === 1;
  const names = envelope || alone ? OUTPUTS : ['output', 'outputs', 'result'];
  const entry = pickEntry(record, ...names);
  return entry && { value: entry[1] };
}

/** The state that a record names, as far as the word is known. */
function stateIn(record: UnknownObject): RunResponse['state'] | undefined {
  const word = pick(record, 'status', 'state', 'phase');
  const state = typeof word === 'string' ? stateOfWord(word) : undefined;
  return state === 'partial' ? 'finished' : state;
}

/**
 * Whether a record has a state in a word that is not known, which is not "finished". `state` and `phase` may be members
 * of a bare result ({state: "California"}), and count only in an envelope.
 */
function hasUnknownState(record: UnknownObject, isEnvelope: boolean): boolean {
  const word = pick(record, 'status', ...(isEnvelope ? ['state', 'phase'] : []));
  const isWord = typeof word === 'string' && /\p{L}/u.test(word) && stateOfWord(word) === undefined;
  return isWord && pick(record, 'success', 'ok', 'succeeded') !== true;
}

/**
 * The failure in a 2xx response: `error`, `success: false`, `ok: false`. A list of `errors` beside a result is about
 * parts of it.
 */
function failureIn(record: UnknownObject, hasResult: boolean): string | undefined {
  const error = firstOf(['error', 'failure', ...(hasResult ? [] : ['errors'])], (name) => {
    const value = pick(record, name);
    return isError(value) ? value : undefined;
  });
  if (error !== undefined) return wordsIn(error) ?? wordsIn(record) ?? asText(error) ?? '';
  if (pick(record, 'success', 'ok', 'succeeded') === false) return wordsIn(record) ?? '';
  return undefined;
}

/** A body other than a JSON object. Arrays and bare values are results, and so is text unless it is a web page. */
function bodyAlone(raw: RawResponse, later: boolean): RunResponse {
  const state = later ? 'accepted' : 'finished';
  if (raw.json !== undefined) return { state, output: raw.json, recognised: true, raw };
  if (/^(?:image|audio|video)\//i.test(raw.contentType))
    // The result is the bytes themselves: they are in `raw`.
    return { state, output: null, recognised: true, raw };
  const { text } = raw;
  if (text === undefined) return { state, output: null, recognised: false, raw };
  const plain = /^text\/plain/i.test(raw.contentType) && text !== '' && !looksLikeHtml(raw.contentType, text);
  return { state, output: text, recognised: plain || later, raw };
}

/** Where to poll: the Location header, else an address in the body. The first that may be asked counts. */
function followed(
  location: string | undefined,
  records: readonly UnknownObject[],
  asked: URL,
  baseUrl: string,
): Pick<RunResponse, 'followUrl' | 'notFollowed'> {
  const named = [location, ...records.flatMap(addressesIn)].filter(isAddress);
  const read = named.map((text) => namedAddress(text, { asked, baseUrl }));
  const url = read.find((each) => each.url !== undefined && each.url.href !== asked.href)?.url;
  if (url !== undefined) return { followUrl: url.href };
  const refused = read.find((each) => each.refused)?.refused;
  return refused ? { notFollowed: { reason: 'refusedAddress', refused } } : {};
}

/** The addresses in the response at which the run's state can be requested, the likelier first. */
function addressesIn(record: UnknownObject): readonly (string | undefined)[] {
  const links = words('links urls link').map((name) => pick(record, name));
  return [
    pickText(record, ...ADDRESSES),
    ...links.filter(isObject).flatMap((inner) =>
      words('status get self result poll run').map((name) => {
        const value = pick(inner, name);
        return isObject(value) ? pickText(value, 'href', 'url') : asText(value);
      }),
    ),
  ];
}

function isAddress(text: string | undefined): text is string {
  return text !== undefined && /^(?:https?:\/\/|\/|\.{1,2}\/)/i.test(text);
}
