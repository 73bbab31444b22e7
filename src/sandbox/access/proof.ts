import { createHmac } from 'node:crypto';

/**
 * Proves to a client that holds the same API key that this is its sandbox, and no other program on the same port.
 * Neither side sends the key. The origin is part of the proof, so that a program in between cannot pass on the
 * proof of a sandbox at another port.
 *
 * @returns HMAC-SHA256 in hex, keyed with the API key, of `sandbox`, the origin and the nonce, one a line
 */
export const proofOf = (apiKey: string, origin: string, nonce: string) =>
  createHmac('sha256', apiKey).update(`sandbox\n${origin}\n${nonce}`).digest('hex');
