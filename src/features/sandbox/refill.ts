import { request } from 'node:http';
import { identify } from './proof';

const TIMEOUT_MS = 10_000;

/**
 * Resets the play money of a sandbox. Its key is sent once it has proved that it holds the same.
 *
 * @returns false when another program listens there, or it does not respond
 */
export async function refillPlayMoney(baseUrl: string, apiKey: string): Promise<boolean> {
  return (await identify(baseUrl, apiKey)) === 'sandbox' && (await post(baseUrl, apiKey)) === 200;
}

function post(baseUrl: string, apiKey: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const call = request(
      `${baseUrl}/__sandbox/refill`,
      { method: 'POST', agent: false, headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' } },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    call.setTimeout(TIMEOUT_MS, () => call.destroy());
    call.on('error', () => resolve(undefined));
    call.end('{}');
  });
}
