import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type RequestOptions, request } from 'node:http';

const TIMEOUT_MS = 10_000;
/** Characters of a response: a proof has 64 digits. */
const MOST_CHARACTERS = 200;

/**
 * Whether the sandbox that holds this key listens at an address, and no other program. Neither the key nor a file is
 * sent; the proof is the keyed hash (HMAC-SHA256) of the address and a random nonce.
 */
export async function isOurSandbox(baseUrl: string, apiKey: string): Promise<boolean> {
  const nonce = randomBytes(24).toString('hex');
  const expected = createHmac('sha256', apiKey).update(`sandbox\n${baseUrl}\n${nonce}`).digest('hex');
  const { body } = await call(`${baseUrl}/__sandbox/proof/${nonce}`);
  const proof = /"proof":"([0-9a-f]{64})"/.exec(body)?.[1] ?? '';
  return proof !== '' && timingSafeEqual(Buffer.from(proof), Buffer.from(expected));
}

/**
 * Resets the play money of a sandbox. Its key is sent once it has proved that it holds the same.
 * @returns false when another program listens there, or it does not respond
 */
export async function refillPlayMoney(baseUrl: string, apiKey: string): Promise<boolean> {
  if (!(await isOurSandbox(baseUrl, apiKey))) return false;
  const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
  return (await call(`${baseUrl}/__sandbox/refill`, { method: 'POST', headers }, '{}')).status === 200;
}

/** Not by a proxy, as `fetch` may go in VS Code. */
function call(
  url: string,
  options: RequestOptions = {},
  sent?: string,
): Promise<{ readonly status?: number | undefined; readonly body: string }> {
  return new Promise((resolve) => {
    let body = '';
    const asked = request(url, { ...options, agent: false }, (response) => {
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
        if (body.length > MOST_CHARACTERS) response.destroy();
      });
      response.on('close', () => resolve({ status: response.statusCode, body }));
    });
    const timer = setTimeout(() => asked.destroy(), TIMEOUT_MS);
    asked.on('error', () => resolve({ body }));
    asked.on('close', () => clearTimeout(timer));
    asked.end(sent);
  });
}
