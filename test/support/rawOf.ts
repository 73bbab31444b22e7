import type { RawResponse } from '../../src/domain/response';
import { bodyJson } from '../../src/readers/bodyContent';

/** A response of the service with this body. */
export const rawOf = (body: unknown, status = 200, headers: Record<string, string> = {}): RawResponse => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const bytes = Buffer.from(text);
  const contentType = 'application/json';
  const all = { 'content-type': contentType, ...headers };
  const json = bodyJson(bytes, contentType);
  return { status, contentType, headers: all, bytes, ...(json === undefined ? { text } : { json }) };
};
