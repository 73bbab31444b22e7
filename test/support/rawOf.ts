import type { RawResponse } from '../../src/service/client';
import { jsonOf } from '../../src/service/rawResponse';

/** A response of the service with this body. */
export const rawOf = (body: unknown, status = 200, headers: Record<string, string> = {}): RawResponse => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const bytes = Buffer.from(text);
  const contentType = 'application/json';
  const all = { 'content-type': contentType, ...headers };
  const json = jsonOf(bytes, contentType);
  return { status, contentType, headers: all, bytes, ...(json === undefined ? { text } : { json }) };
};
