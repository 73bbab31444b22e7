import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { HttpError } from '../http/errors';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Accepts only the API key, in `X-API-Key` (interface, section 5). @throws {HttpError} 401 with the reason */
export function authenticate(headers: IncomingHttpHeaders, apiKey: string): void {
  if (headers.authorization !== undefined) {
    throw new HttpError(
      401,
      'wrong_credential_type',
      'An API key must not be sent in the Authorization header: bearer tokens are for signed-in browsers. ' +
        'Send the key in X-API-Key and leave Authorization out.',
    );
  }
  const given = headers['x-api-key'];
  if (typeof given !== 'string' || given === '') {
    throw new HttpError(401, 'missing_api_key', 'Send the API key in the X-API-Key header.');
  }
  if (!timingSafeEqual(digest(given), digest(apiKey))) {
    throw new HttpError(401, 'invalid_api_key', 'This API key is not valid.');
  }
}

/**
 * Proves to a client that holds the same API key that this is its sandbox, not another program on the same port.
 * Neither side sends the key. The origin is part of the proof, so that a program in between cannot pass on the proof
 * of a sandbox at another port.
 *
 * @returns HMAC-SHA256 in hex, keyed with the API key, of `sandbox`, the origin and the nonce, one a line
 */
export const proofOf = (apiKey: string, origin: string, nonce: string) =>
  createHmac('sha256', apiKey).update(`sandbox\n${origin}\n${nonce}`).digest('hex');
