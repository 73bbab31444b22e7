import { isCharged } from '../domain/amounts';
import type { RawResponse, RunResponse } from '../domain/response';
import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { namedAddress } from './addresses';
import { contentIn, namesWork } from './content';
import { readCost } from './cost';
import { type InnerResponse, innerResponse } from './envelope';
import { LONGEST_MESSAGE, looksLikeHtml, wordsIn } from './error';
import { type ReadStream, readStream, type StreamEvent } from './eventStream';
import { contradictsItself, failureIn, isFailureText, saysAccepted, saysSuccess } from './failureSigns';
import { bodyLayers, failureOfAll, failureOfLayer, isAboutProperties, stateIn } from './layers';
import { asText, firstOf, members, oneLine, overlaid, pick, pickEntry, pickText, plainName } from './records';
import { STATE_NAMES, type StateWord, stateOfWord } from './stateWords';

// Run results: "response body of a run: not shown" (section 2.5), and so are the states (section 3).

/** Where an envelope keeps the result, the likelier first. */
const OUTPUTS = words('output outputs result results prediction predictions response data');
const RUN_IDS = words('runid id executionid jobid taskid requestid predictionid');
/** Identifiers of work under way: with nothing but one, a success is that of the request. */
const TICKETS = words(
  'taskid jobid operationid predictionid ticketid batchid eventid callid inferenceid promptid executionarn',
);
/** Members of an envelope of a run. */
const ENVELOPE = words('status state output outputs result');
const ADDRESSES = words('statusurl pollurl pollingurl resulturl runurl followurl location self href url');
/** Names that only results have: a body with one of them at the top is a bare result. */
const BARE_RESULTS = new Set(
  words(`
    text label labels score scores embedding embeddings vector vectors hits matches neighbors image images
    caption answer summary translation generatedtext choices classes class objects boxes detections segments
    transcript language languages tokens audio video indexed count ids imageids documentids itemids vectorids
    created added updated inserted replaced upserted
  `),
);

/**
 * The state and output of a run from its response, by positive evidence: finished with a word for success or the
 * shape of a result, failed with a sign of failure, else unclear. Never throws.
 * @param asked the address that gave the response, the base of relative addresses in it
 * @param baseUrl of the environment: addresses below it are asked
 */
export function readRunResponse(raw: RawResponse, asked: URL, baseUrl = asked.origin): RunResponse {
  const { json } = raw;
  const inner = innerResponse(json);
  if (inner !== undefined) return innerRead(raw, inner, asked, baseUrl);
  const location = POLLED.map((name) => raw.headers[name]).find((value) => value !== undefined);
  const isCreated = raw.status === 201 && location !== undefined;
  const later =
    raw.status === 202 || raw.status === 303 || (isCreated && !(isObject(json) && contentIn(json)));
  const address: Address = (...records) =>
    followed(isCreated || later ? location : undefined, records, asked, baseUrl);
  if (isObject(json)) return recordRead(raw, json, later, address);
  const only = Array.isArray(json) && json.length === 1 ? (json[0] as unknown) : undefined;
  const ofOnly = isObject(only) ? recordRead(raw, only, later, address) : undefined;
  // A list of one run: with a result, the list is the output.
  if (ofOnly?.state === 'failed' || ofOnly?.state === 'accepted') return ofOnly;
  if (isObject(only) && ofOnly?.state === 'unclear' && isAboutRun(only)) return ofOnly;
  const stream = json === undefined ? readStream(raw) : undefined;
  if (stream !== undefined) return streamRead(raw, stream, address);
  return { ...bodyAlone(raw, later), ...(later && address()) };
}

/** Identifiers that only a run has which was begun. */
const BEGUN_IDS = RUN_IDS.filter((name) => name !== 'id' && name !== 'requestid');

/**
 * Whether the body of an error's status says that the run was executed all the same, or goes on: by a state or an
 * output. A 429, which is repeated otherwise, also says so by a cost, and by a run's identifier beside no failed state:
 * that run was begun. Other errors may be charged. Such a run is never sent again by itself.
 */
export function saysExecuted(raw: RawResponse, asked: URL): boolean {
  if (raw.status === 429 && isCharged(readRunResponse(raw, asked).cost)) return true;
  const json = innerResponse(raw.json)?.json ?? raw.json;
  if (!isObject(json)) return false;
  const states = bodyLayers(json).map(({ record, isResult }) => ({
    record,
    state: isResult ? undefined : stateIn(record),
  }));
  const mayBeBegun = raw.status === 429 && !states.some(({ state }) => state === 'failed');
  return states.some(({ record, state }) => {
    if (state === 'finished' || state === 'partial' || saysSuccess(record)) return true;
    const isBegun = (mayBeBegun || state === 'accepted') && namesRun(record);
    return isBegun || hasValue(pick(record, 'output', 'outputs', 'prediction', 'predictions'));
  });
}

function namesRun(record: UnknownObject): boolean {
  const run = pick(record, 'run', 'execution', 'job', 'prediction');
  return pickText(record, ...BEGUN_IDS) !== undefined || (isObject(run) && pickText(run, 'id') !== undefined);
}

function hasValue(output: unknown): boolean {
  return typeof output === 'object' && output !== null && Object.keys(output).length > 0;
}

/** Headers with the address of the work under way: RFC 9110, and Azure's. */
const POLLED = words('location operation-location azure-asyncoperation');

/** A gateway's status counts where the body within says less. */
function innerRead(raw: RawResponse, inner: InnerResponse, asked: URL, baseUrl: string): RunResponse {
  const read = { ...readRunResponse({ ...raw, ...inner }, asked, baseUrl), raw };
  if (inner.status === undefined || inner.status < 400) return read;
  const message = oneLine(wordsIn(inner.json, true) ?? read.message ?? String(inner.status), LONGEST_MESSAGE);
  return { ...read, state: 'failed', output: undefined, message, recognised: true };
}

/** Where a response may be polled, by its headers and these records. */
type Address = (...records: readonly UnknownObject[]) => Pick<RunResponse, 'followUrl' | 'notFollowed'>;

function recordRead(raw: RawResponse, json: UnknownObject, later: boolean, address: Address): RunResponse {
  const { record, wrapped } = unwrapped(json);
  const layers = bodyLayers(json);
  const words = layers.flatMap(({ record: layer, isResult }) => (isResult ? [] : (stateIn(layer) ?? [])));
  const named = mostTelling(words);
  const runId = pickText(record, ...RUN_IDS) ?? pickText(json, ...RUN_IDS.filter((name) => name !== 'id'));
  const isSuccess = layers.some(({ record: layer }) => saysSuccess(layer));
  const isBareBody =
    named === undefined && runId === undefined && !isSuccess && outputIn(record, true) === undefined;
  const cost = readCost(record, isBareBody) ?? (wrapped ? readCost(json) : undefined);
  const isEnvelope = named !== undefined || runId !== undefined || cost !== undefined || isSuccess;
  const output = outputIn(record, isEnvelope);
  const isBare = members(record).some(([key]) => BARE_RESULTS.has(plainName(key)));
  // RFC 9457: the type alone reports a problem.
  const isProblem = /^application\/problem\+/i.test(raw.contentType);
  const failure = firstOf(layers, failureOfLayer) ?? (isProblem ? { reason: wordsIn(json) } : undefined);
  const strictness = pickText(record, 'message', 'msg') === undefined ? undefined : 'named';
  const hasContent = contentIn(record, strictness) || (wrapped && contentIn(json, strictness));
  const isTakenOn =
    !contentIn(json, 'strictly') &&
    (layers.some((layer) => saysAccepted(layer.record)) ||
      (named === undefined &&
        isSuccess &&
        layers.some((layer) => pick(layer.record, ...TICKETS) !== undefined)));
  const isUnknownWord =
    (named === undefined &&
      !isSuccess &&
      hasUnknownState(record, runId !== undefined || output !== undefined)) ||
    // {code: 0, data: {id, status: "paused"}}: the success is that of the request.
    (named !== 'failed' &&
      named !== 'accepted' &&
      layers.some(
        ({ record: inner, isResult }) =>
          inner !== json && !isResult && (isStateAlone(inner) || contradictsItself(inner)),
      ));
  const polled = address(record, json);
  const state = stateFrom({
    failure: failure !== undefined,
    named,
    later: later || isTakenOn,
    isUnknownWord,
    isFollowable: polled.followUrl !== undefined,
    hasOutput: output !== undefined && contentIn(json, 'strictly'),
    isPositive: isSuccess || hasContent,
  });
  return {
    state,
    runId,
    output:
      output === undefined ? (state === 'finished' || state === 'unclear' ? json : undefined) : output.value,
    cost,
    message: state === 'failed' ? oneLine(failure?.reason ?? wordsIn(record), LONGEST_MESSAGE) : undefined,
    recognised:
      state !== 'unclear' &&
      !isUnknownWord &&
      (named !== undefined || failure !== undefined || output !== undefined || later || isBare || isSuccess),
    // A word that is not known may be a last one: with a result, it is not asked for another.
    ...(state === 'accepted' && !(isUnknownWord && output) && polled),
    raw,
  };
}

interface Evidence {
  readonly failure: boolean;
  readonly named: StateWord | undefined;
  /** The status of HTTP, or a message, says that the work goes on. */
  readonly later: boolean;
  readonly isUnknownWord: boolean;
  readonly isFollowable: boolean;
  readonly hasOutput: boolean;
  /** A sign of success other than a state, or the shape of a result. */
  readonly isPositive: boolean;
}

function stateFrom(evidence: Evidence): RunResponse['state'] {
  const { failure, named, later, isUnknownWord, isFollowable, hasOutput, isPositive } = evidence;
  if (named === 'failed') return 'failed';
  // An error before a retry, or of a part.
  if (named === 'accepted') return 'accepted';
  if (named === 'partial') return 'finished';
  if (failure) return named === 'finished' && hasOutput ? 'unclear' : 'failed';
  if (later && !hasOutput) return 'accepted';
  if (named === 'finished' && !isUnknownWord) return 'finished';
  if (isUnknownWord) return isFollowable && !hasOutput ? 'accepted' : 'unclear';
  return isPositive ? 'finished' : 'unclear';
}

/** A failure counts before a run that goes on, and that before one that has finished. */
function mostTelling(states: readonly StateWord[]): StateWord | undefined {
  return (['failed', 'accepted', 'partial', 'finished'] as const).find((state) => states.includes(state));
}

/** The last event has the state, the error, the cost and the identifier. */
function streamRead(raw: RawResponse, stream: ReadStream, address: Address): RunResponse {
  const { last, events, isComplete, isCut, output } = stream;
  const body = isObject(last) ? last : undefined;
  const read = body && recordRead({ ...raw, json: body }, body, false, address);
  const { runId, cost } = read ?? {};
  const facts = { runId, cost, raw };
  // The events after an error may count tokens, or be a retry that finished.
  const failing = events.findLast((event) => isFailing(event, event.data === last));
  if (read?.state === 'failed' || (failing && (failing.data === last || stateNamed(last) !== 'finished'))) {
    const message = read?.message ?? oneLine(wordsIn(failing?.data, true), LONGEST_MESSAGE);
    return { ...facts, state: 'failed', output, message, recognised: true };
  }
  const isResult = typeof output === 'string' ? output !== '' : contentOfEvent(last);
  const isCourse = /^(?:progress|status|ping|heartbeat|keep-?alive|logs?|queue)$/i.test(
    events.at(-1)?.name ?? '',
  );
  const state =
    read?.state === 'accepted'
      ? 'accepted'
      : isComplete || (!isCourse && ((read?.state === 'finished' && read.recognised) || isResult))
        ? 'finished'
        : 'unclear';
  const known = state === 'finished' && isCut ? 'unclear' : state;
  return { ...facts, state: known, output, recognised: known !== 'unclear', followUrl: read?.followUrl };
}

function isFailing({ name = '', data }: StreamEvent, isLast: boolean): boolean {
  if (stateOfWord(name) === 'failed') return true;
  // Others may be a word of a text.
  if (typeof data === 'string') return isLast && isFailureText(data);
  return isObject(data) && !contentIn(data, 'strictly') && failureIn(data) !== undefined;
}

function stateNamed(event: unknown): StateWord | undefined {
  return isObject(event) ? stateIn(event) : undefined;
}

function contentOfEvent(event: unknown): boolean {
  return isObject(event)
    ? contentIn(event, 'strictly')
    : Array.isArray(event)
      ? event.length > 0
      : Boolean(event);
}

/** {data: {...}} or {run: {...}} around everything. */
function unwrapped(json: UnknownObject): { record: UnknownObject; wrapped: boolean } {
  const own = pick(json, ...ENVELOPE) !== undefined;
  const names = words('run data job execution task response');
  const inner = [...names, ...(isAboutProperties(json) ? ['properties'] : [])]
    .map((name) => pick(json, name))
    .filter(isObject)
    .map(withAttributes);
  const record =
    // {status: "success", data: {status: "running"}} of JSend: the inner state is that of the run.
    inner.find((one) => stateIn(one) !== undefined) ??
    (own ? undefined : inner.find((one) => pick(one, ...ENVELOPE, 'runid') !== undefined));
  return record === undefined ? { record: json, wrapped: false } : { record, wrapped: true };
}

/** {data: {id, type, attributes: {...}}} of JSON:API as one record. */
function withAttributes(record: UnknownObject): UnknownObject {
  const attributes = pick(record, 'attributes');
  return isObject(attributes) ? overlaid([{ ...record, attributes: undefined }, attributes]) : record;
}

/**
 * The result inside an envelope. `results` or `data` alone may be the bare result of a search; they belong to an
 * envelope when other members of one are beside them.
 */
function outputIn(record: UnknownObject, envelope: boolean): { value: unknown } | undefined {
  const alone = members(record).length === 1;
  const names = envelope || alone ? OUTPUTS : ['output', 'outputs', 'result'];
  const entry = pickEntry(record, ...names);
  return entry && { value: entry[1] };
}

/**
 * Whether a record has a state in a word that is not known, which is not "finished". `state` and `phase` may be members
 * of a bare result ({state: "California"}), and count only in an envelope.
 */
function hasUnknownState(record: UnknownObject, isEnvelope: boolean): boolean {
  const word = pick(record, ...(isEnvelope ? STATE_NAMES : ['status']));
  const isWord = typeof word === 'string' && /\p{L}/u.test(word) && stateOfWord(word) === undefined;
  return isWord;
}

/** Whether a record is about a run, and has no result of it. */
function isAboutRun(record: UnknownObject): boolean {
  return isStateAlone(record) || (namesWork(record) && !contentIn(record, 'strictly'));
}

/** Whether a record has a state in a word that is not known, and no result. */
function isStateAlone(record: UnknownObject): boolean {
  return !contentIn(record, 'strictly') && hasUnknownState(record, true);
}

/** A body other than a JSON object. */
function bodyAlone(raw: RawResponse, later: boolean): RunResponse {
  const { json } = raw;
  const isMedia = /^(?:image|audio|video|font|model)\//i.test(raw.contentType);
  const text = isMedia ? undefined : raw.text;
  // The result of media is the bytes themselves: they are in `raw`.
  const output = json ?? text ?? null;
  const message = failureAlone(raw);
  if (message !== undefined) return { state: 'failed', output, message, recognised: true, raw };
  const isResult = json === undefined ? isFileOrText({ ...raw, text }) : isResultAlone(json);
  // "running" of an address that is polled.
  const isState = typeof output === 'string' && stateOfWord(output.trim()) === 'accepted';
  const state = later || isState ? 'accepted' : isResult ? 'finished' : 'unclear';
  return { state, output, recognised: state !== 'unclear', raw };
}

/** A list of errors alone (Salesforce, Google's streams), or words that report one. */
function failureAlone({ json, text, contentType }: RawResponse): string | undefined {
  if (Array.isArray(json)) return failureOfAll(json)?.reason;
  const words = typeof json === 'string' ? json : json === undefined ? text : undefined;
  if (words === undefined || looksLikeHtml(contentType, words)) return undefined;
  return isFailureText(words) ? oneLine(words, LONGEST_MESSAGE) : undefined;
}

function isResultAlone(json: unknown): boolean {
  // A stream as a list (Google) ends in its error.
  if (Array.isArray(json)) return json.length > 0 && failureOfAll(json.slice(-1)) === undefined;
  return json !== null && json !== false && json !== '';
}

/** Text that a type says is such, and files. Web pages, other markup and bytes of an unknown type are no results. */
function isFileOrText({ contentType, text, bytes, undecoded }: RawResponse): boolean {
  const type = contentType.split(';')[0]!.trim().toLowerCase();
  if (text === undefined) {
    if (bytes.length === 0 || undecoded !== undefined) return false;
    return !/^(?:$|text\/|multipart\/|application\/(?:octet-stream|.*(?:json|xml|html|javascript|yaml|urlencoded|msgpack|cbor|protobuf|grpc)))/.test(
      type,
    );
  }
  const isText = /^text\/(?!html|xml|event-stream)/.test(type) && text.trim() !== '';
  return isText && !looksLikeHtml(type, text) && !looksLikeData(text);
}

/** JSON that was cut off, in the notation of Python, or within a call, under a type of text. */
function looksLikeData(text: string): boolean {
  return /^\s*(?:[\w$.]{1,40}\()?(?:\{\s*["'}]|\[\s*[[{"'])/.test(text);
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
    ...links
      .map((inner) => (Array.isArray(inner) ? linksByRelation(inner) : inner))
      .filter(isObject)
      .flatMap((inner) =>
        words('status get self result poll run').map((name) => {
          const value = pick(inner, name);
          return isObject(value) ? pickText(value, 'href', 'url') : asText(value);
        }),
      ),
  ];
}

/** [{rel: "self", href: "…"}] of HATEOAS and Siren, where a link may have several relations. */
function linksByRelation(links: readonly unknown[]): UnknownObject {
  return Object.fromEntries(
    links
      .slice(0, MOST_LINKS)
      .filter(isObject)
      .flatMap((link) => [link.rel].flat().map((rel) => [String(rel), link])),
  );
}

const MOST_LINKS = 50;

function isAddress(text: string | undefined): text is string {
  return text !== undefined && /^(?:https?:\/\/|\/|\.{1,2}\/)/i.test(text);
}
