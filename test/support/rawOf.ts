import type { RawResponse } from '../../src/domain/response';
import { bodyContent } from '../../src/intake/bodyContent';

export const rawOf = (body: unknown, status = 200, headers: Record<string, string> = {}): RawResponse => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const bytes = Buffer.from(text);
  const all = { 'content-type': 'application/json', ...headers };
  return { status, headers: all, bytes, ...bodyContent(bytes, 'application/json') };
};
