import { isObject } from '../domain/value';
import { words } from '../domain/words';
import { bodyJson } from './bodyContent';
import { looksLikeHtml } from './error';
import { isError } from './failureSigns';
import { isContainer, members, pick, plainName } from './records';
import { STATE_NAMES, stateOfWord } from './stateWords';

/** A response that is text in another. */
export interface InnerResponse {
  readonly json: unknown;
  /** Where it is no JSON. */
  readonly text?: string;
  readonly contentType?: string;
  /** That a gateway names beside it. */
  readonly status?: number;
}

/**
 * The body in the envelope of a gateway, {statusCode, body: "…"} of AWS, in the data of GraphQL, {data: {runModel: {...}}},
 * and JSON that is written as text twice.
 */
export function innerResponse(json: unknown): InnerResponse | undefined {
  const field = fieldOfGraphQl(json) ?? onlyRun(json);
  return isObject(field) ? { json: field } : textWithin(json);
}

/** The same, without the fields of GraphQL: their names may tell of items. */
export function textWithin(json: unknown): InnerResponse | undefined {
  if (typeof json === 'string') return parsedText(json);
  if (!isObject(json)) return undefined;
  const [status, body] = [Number(pick(json, 'statuscode')), pick(json, 'body')];
  if (!(status >= 100 && status < 600) || typeof body !== 'string') return undefined;
  const inner = parsedText(body);
  if (inner !== undefined) return { ...inner, status };
  if (body.trim() === '' || pick(json, 'isbase64encoded') === true) return undefined;
  const contentType = looksLikeHtml('', body) ? 'text/html' : 'text/plain';
  return { json: undefined, text: body, contentType, status };
}

/** The record or list under the only field of a query, which has the name that its writer chose. */
export function fieldOfGraphQl(json: unknown): object | undefined {
  if (!isObject(json)) return undefined;
  const data = pick(json, 'data');
  const others = members(json).filter(([name]) => plainName(name) !== 'data');
  if (!isObject(data) || !others.every(([name]) => /^(?:errors|extensions)$/.test(name))) return undefined;
  if (isError(json.errors)) return undefined;
  const [[name = '', field] = [], ...more] = members(data);
  return more.length === 0 && isContainer(field) && !KNOWN.has(plainName(name)) ? field : undefined;
}

/** {generation: {id, status: "PENDING"}}: a run under the name of its kind. */
function onlyRun(json: unknown): object | undefined {
  const [[name = '', run] = [], ...more] = isObject(json) ? members(json) : [];
  if (more.length > 0 || !isObject(run) || KNOWN.has(plainName(name))) return undefined;
  const word = pick(run, ...STATE_NAMES);
  const isRun = pick(run, 'id', 'uuid') !== undefined && typeof word === 'string';
  return isRun && stateOfWord(word) !== undefined ? run : undefined;
}

/** Names with a meaning of their own. */
const KNOWN = new Set(
  words(`
    run job task execution prediction operation attributes properties result results output outputs response body payload
    data error errors message detail details status meta metadata input params usage billing cost scores labels
  `),
);

function parsedText(text: string): InnerResponse | undefined {
  if (!/^\s*(?:[[{]|null\s*$)/.test(text)) return undefined;
  const json = bodyJson(Buffer.from(text), 'application/json');
  return json === undefined ? undefined : { json };
}
