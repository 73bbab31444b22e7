import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { get } from 'node:http';

const TIMEOUT_MS = 5_000;

/**
 * Whether the sandbox that holds this key listens at an address, and no other program: `none` when nothing does.
 * Neither the key nor a file is sent; the proof is the keyed hash (HMAC-SHA256) of the address and a random nonce.
 */
export async function identify(baseUrl: string, apiKey: string): Promise<'sandbox' | 'other' | 'none'> {
  const nonce = randomBytes(24).toString('hex');
  const expected = createHmac('sha256', apiKey).update(`sandbox\n${baseUrl}\n${nonce}`).digest('hex');
  const body = await read(`${baseUrl}/__sandbox/proof/${nonce}`, expected.length + 100);
  if (body === undefined) return 'none';
  const proof = /"proof":"([0-9a-f]{64})"/.exec(body)?.[1] ?? '';
  return proof !== '' && timingSafeEqual(Buffer.from(proof), Buffer.from(expected)) ? 'sandbox' : 'other';
}

/** At most `limit` characters of a response's body; undefined: the connection was not accepted. */
function read(url: string, limit: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    let body = '';
    const request = get(url, { agent: false }, (response) => {
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
        if (body.length > limit) response.destroy();
      });
      response.on('close', () => resolve(body));
    });
    const timer = setTimeout(() => request.destroy(), TIMEOUT_MS);
    request.on('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? undefined : body),
    );
    request.on('close', () => clearTimeout(timer));
  });
}
