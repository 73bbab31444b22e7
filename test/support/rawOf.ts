import type { RawResponse } from '../../src/service/client';
import { rawResponse } from '../../src/service/rawResponse';

/** A response of the service with this body. */
export const rawOf = (body: unknown, status = 200, headers: Record<string, string> = {}): RawResponse => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return rawResponse(status, { 'content-type': 'application/json', ...headers }, Buffer.from(text), {
    maxBytes: 1e6,
  });
};
