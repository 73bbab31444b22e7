import { addAll } from '../domain/many';
import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { contentIn, namesWork } from './content';
import { innerResponse } from './envelope';
import { LONGEST_MESSAGE, wordsIn } from './error';
import { errorIn, type FailureReason, failureIn, flagIn } from './failureSigns';
import { asText, firstOf, members, oneLine, pick, pickText, plainName } from './records';
import { STATE_NAMES, type StateWord, stateOfWord } from './stateWords';

// The places of a body for a run's state and its failure.

/** A body or a part of it that may report on the run. */
export interface Layer {
  readonly record: UnknownObject;
  /** The record is the result of a run that reports success: its members are the model's. */
  readonly isResult: boolean;
}

const ENVELOPES = words('data attributes run job task execution response body payload');
/** Lists of the answers of a language model, which hold the error of each (OpenRouter). */
const CHOICES = words('choices candidates');
const LISTS = words(
  'data result results response responses output outputs prediction predictions choices candidates generations items',
);
const MOST_LAYERS = 8;

/** A body and the envelopes within it, the outer ones first. */
export function bodyLayers(json: UnknownObject): Layer[] {
  const layers: Layer[] = [{ record: json, isResult: false }];
  // Grows while it is gone through.
  for (const { record, isResult } of layers) {
    if (layers.length > MOST_LAYERS) break;
    const isFinished = isResult || hasFinished(record);
    const add = (names: readonly string[], isInner: boolean) => {
      for (const name of names) {
        const inner = pick(record, name);
        if (isObject(inner)) layers.push({ record: inner, isResult: isInner });
      }
    };
    add(ENVELOPES, isResult);
    if (isAboutProperties(record)) add(['properties'], isResult);
    const inner = innerResponse(record)?.json;
    if (inner !== undefined) layers.push({ record: isObject(inner) ? inner : { data: inner }, isResult });
    const facts = contentIn(record, 'strictly')
      ? headsIn(record)
      : [...factsIn(record), ...waitingIn(record)];
    addAll(
      layers,
      facts.map((each) => ({ record: each, isResult })),
    );
    add(['result', 'results', 'output', 'outputs', 'prediction'], isFinished);
  }
  return layers;
}

/** {id, name, type, properties: {status}} of Azure and {class, properties} of Siren; a feature of GeoJSON has more. */
export function isAboutProperties(record: UnknownObject): boolean {
  if (!isObject(pick(record, 'properties'))) return false;
  const others = members(record).filter(([name]) => !AROUND_PROPERTIES.has(plainName(name)));
  return !contentIn(Object.fromEntries(others), 'strictly');
}

const AROUND_PROPERTIES = new Set(words('properties class entities'));

/** Records about the run alone, by any name: base_resp of MiniMax, ResponseMetadata of AWS, status of Qdrant. */
function factsIn(record: UnknownObject): UnknownObject[] {
  return members(record)
    .filter(([name]) => !NO_FACTS.has(plainName(name)))
    .flatMap(([name, value]) =>
      isObject(value) && (isOfState(name) || !contentIn(value)) ? [value as UnknownObject] : [],
    )
    .slice(0, MOST_LAYERS / 2);
}

/** inference_status of DeepInfra, which has times and a cost, too. */
function isOfState(name: string): boolean {
  return /(?:status|state)$/.test(plainName(name));
}

/** Heads beside a result that report a failure, by a state or a flag. */
function headsIn(record: UnknownObject): UnknownObject[] {
  const ofState = members(record).flatMap(([name, value]) => (isOfState(name) ? [value] : []));
  return [pick(record, 'header'), pick(record, 'meta'), ...ofState]
    .filter(isObject)
    .filter((head) => stateIn(head) === 'failed' || flagIn(head) === 'failed');
}

/** {jobs: [{id, state: "queued"}]}: the first entry of a list in which all entries wait. */
function waitingIn(record: UnknownObject): UnknownObject[] {
  return members(record).flatMap(([, list]) => {
    if (!Array.isArray(list) || list.length === 0 || list.length > MOST_ENTRIES) return [];
    const entries: readonly unknown[] = list;
    return entries.every((entry) => isObject(entry) && stateIn(entry) === 'accepted')
      ? [entries[0] as UnknownObject]
      : [];
  });
}

/** Members that repeat the request, or are no failure of the run. */
const NO_FACTS = new Set([
  ...ENVELOPES,
  ...words(
    'input inputs request params parameters options warning warnings hint help result results output outputs',
  ),
]);

/** Flags of a run that has ended, and of one under way; "accepted" may be the decision of a model. */
const ENDED = new Set(words('done completed complete finished ready'));
const UNDER_WAY = new Set(words('pending processing queued running inprogress async'));

/** The failure that a part of a body reports. */
export function failureOfLayer({ record, isResult }: Layer): FailureReason | undefined {
  if (!isResult || !contentIn(record, 'strictly'))
    return failureIn(record) ?? firstOf(listsOf(record), failureOfAll);
  // A result may have a state or an error of its own; with both, an identifier, or a flag, it is the run's.
  const isFailed =
    flagIn(record) === 'failed' ||
    (stateIn(record) === 'failed' && (errorIn(record) !== undefined || namesWork(record)));
  return isFailed ? failureIn(record) : failureOfAll(pick(record, ...CHOICES));
}

/** Lists that may be those of results, or of anything in a record without a result. */
function listsOf(record: UnknownObject): readonly unknown[] {
  const isBare = !contentIn(record, 'strictly');
  return isBare ? members(record).map(([, value]) => value) : LISTS.map((name) => pick(record, name));
}

/** The failure of a list in which every entry reports one. */
export function failureOfAll(list: unknown): FailureReason | undefined {
  if (!Array.isArray(list) || list.length === 0 || list.length > MOST_ENTRIES) return undefined;
  const isFailing = list.every((entry: unknown) => isObject(entry) && failureIn(entry) !== undefined);
  return isFailing ? { reason: oneLine(wordsIn(list), LONGEST_MESSAGE) ?? '' } : undefined;
}

const MOST_ENTRIES = 10_000;

/** JSend's "success" is the envelope's, and says nothing of a run within it. */
function hasFinished(record: UnknownObject): boolean {
  const state = stateIn(record);
  return state === 'finished' || state === 'partial';
}

/** The state that a record names, as far as the word is known. */
export function stateIn(record: UnknownObject): StateWord | undefined {
  const word = firstOf(STATE_NAMES, (name) => {
    const value = pick(record, name);
    return typeof value === 'string' ? stateOfWord(value) : undefined;
  });
  if (word !== undefined || pick(record, 'done') === true) return word;
  // Lines of Ollama; operations of Google, which may have a name alone.
  const isOperation = /(?:^|\/)operations\/[^/]+$/.test(pickText(record, 'name') ?? '');
  return isOperation || pick(record, 'done') === false || goesOn(record) ? 'accepted' : undefined;
}

/** {finished: false}, {is_processing: true}, and {progress: 0.4} or {percent_complete: 40} without a result. */
function goesOn(record: UnknownObject): boolean {
  const progress = pick(record, 'progress');
  if (typeof progress === 'number' && progress > 0 && progress < 1) return true;
  const percent = pick(record, 'percentcomplete', 'completionpercentage', 'progresspercent', 'progress');
  if (/^\d{1,2}(?:\.\d+)?%?$/.test(asText(percent) ?? '') && !contentIn(record, 'strictly'))
    return Number.parseFloat(String(percent)) > 1;
  const isNotYet = members(record).some(([name, value]) => {
    const [, word = ''] = /^(?:is)?(\w+)$/.exec(plainName(name)) ?? [];
    return (value === false && ENDED.has(word)) || (value === true && UNDER_WAY.has(word));
  });
  return isNotYet && !contentIn(record, 'strictly');
}
