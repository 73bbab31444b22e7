import { request } from 'node:http';
import type { TestSandbox } from './sandbox';

/** A response, read whole. */
export interface Called {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads bodies of every shape, and fails on a wrong one
  readonly body: any;
}

type Target = Pick<TestSandbox, 'baseUrl' | 'apiKey'>;

/**
 * Calls the sandbox with node:http, so that its tests share nothing with the client; on a connection of its own, so
 * that none is left over from a sandbox that was stopped.
 */
export function call(
  { baseUrl, apiKey }: Target,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Called> {
  const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const allHeaders = {
    'X-API-Key': apiKey,
    ...(sent !== undefined && { 'Content-Type': 'application/json' }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    request(new URL(path, baseUrl), { method, headers: allHeaders, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const received = Object.entries(response.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]);
        try {
          resolve({
            status: response.statusCode ?? 0,
            headers: new Headers(received),
            body: text === '' ? undefined : JSON.parse(text),
          });
        } catch (error) {
          reject(error);
        }
      });
    })
      .on('error', reject)
      .end(sent);
  });
}

export const run = (target: Target, body: unknown) => call(target, 'POST', '/api/runs', body);

/** Init, bytes, complete. */
export async function upload(
  target: Target,
  bytes: Uint8Array,
  contentType = 'image/png',
  filename = 'file.png',
): Promise<string> {
  const init = await call(target, 'POST', '/api/media/upload/init', {
    filename,
    content_type: contentType,
    media_type: contentType.split('/')[0],
    size_bytes: bytes.length,
  });
  const sent = await fetch(init.body.upload_url, {
    method: init.body.method,
    headers: init.body.headers,
    body: bytes as BodyInit,
  });
  if (!sent.ok) throw new Error(`sending the bytes: ${sent.status} ${await sent.text()}`);
  const done = await call(target, 'POST', '/api/media/upload/complete', { upload_id: init.body.upload_id });
  return done.body.media_ref as string;
}
