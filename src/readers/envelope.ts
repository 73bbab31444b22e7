import { isObject } from '../domain/value';
import { bodyJson } from './bodyContent';
import { looksLikeHtml } from './error';
import { pick } from './records';

/** A response that is text in another. */
export interface InnerResponse {
  readonly json: unknown;
  /** Where it is no JSON. */
  readonly text?: string;
  readonly contentType?: string;
  /** That a gateway names beside it. */
  readonly status?: number;
}

/** The body in the envelope of a gateway, {statusCode, body: "…"} of AWS, and JSON that is written as text twice. */
export function innerResponse(json: unknown): InnerResponse | undefined {
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

function parsedText(text: string): InnerResponse | undefined {
  if (!/^\s*(?:[[{]|null\s*$)/.test(text)) return undefined;
  const json = bodyJson(Buffer.from(text), 'application/json');
  return json === undefined ? undefined : { json };
}
