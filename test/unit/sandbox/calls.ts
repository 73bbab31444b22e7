import type { TestSandbox } from '../../support/sandbox';

/** An answer, read whole. */
export interface Called {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads bodies of every shape, and fails on a wrong one
  readonly body: any;
}

type Target = Pick<TestSandbox, 'baseUrl' | 'apiKey'>;

/** Calls the sandbox with plain fetch, so that its tests share nothing with the client. */
export async function call(
  { baseUrl, apiKey }: Target,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Called> {
  const answer = await fetch(path.startsWith('http') ? path : `${baseUrl}${path}`, {
    method,
    headers: {
      'X-API-Key': apiKey,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) };
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
