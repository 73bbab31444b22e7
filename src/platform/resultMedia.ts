import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as l10n from '@vscode/l10n';
import { contentTypeOfBytes } from '../domain/fileSignatures';
import { type InlineMedia, inlineMedia } from '../runs/inlineMedia';
import { mayFetch } from '../runs/publicAddress';
import { makePrivateFolder, PRIVATE_FILE, writePrivateFile } from '../vscode/privateFiles';

/** Media of a response, as a file beside which nothing of it crosses into a page. */
export interface SavedMedia {
  readonly path: string;
  readonly contentType: string;
}

const MOST_BYTES = 512 * 1024 * 1024;
const MOST_REDIRECTS = 5;

/** Writes the media of a value (bytes, a data URI, base64) into the folder. */
export async function writeInlineMedia(
  value: unknown,
  name: string,
  folder: string,
  contentType: string | undefined,
): Promise<SavedMedia> {
  const { bytes, contentType: mimeType } = inlineBytes(value);
  const type =
    mimeType ?? contentTypeOfBytes(bytes.subarray(0, 32)) ?? contentType ?? 'application/octet-stream';
  const path = join(folder, await withExtension(name, type));
  await makePrivateFolder(folder);
  await writePrivateFile(path, bytes);
  return { path, contentType: type };
}

function inlineBytes(value: unknown): InlineMedia {
  if (value instanceof Uint8Array) return { bytes: value };
  if (typeof value !== 'string') throw new Error(l10n.t('This part of the result contains no media.'));
  return inlineMedia(value);
}

/**
 * Fetches media from an address in a response, because the user asked for it. Never with the key or another sign of
 * the user's identity. Only over https; plain http only to the host that the service itself is reached at. VS Code's
 * own fetch follows its proxy settings.
 */
export async function fetchRemoteMedia(
  address: string,
  name: string,
  folder: string,
  baseUrl: string,
  signal: AbortSignal,
): Promise<SavedMedia> {
  const { response, url } = await follow(new URL(address), baseUrl, signal);
  if (!response.ok || !response.body) {
    throw new Error(l10n.t('{0} returned status {1} instead of the file.', url.host, response.status));
  }
  const contentType =
    response.headers.get('content-type')?.split(';', 1)[0]?.trim() || 'application/octet-stream';
  await makePrivateFolder(folder);
  const path = join(folder, await withExtension(name, contentType));
  const body = Readable.fromWeb(response.body as import('node:stream/web').ReadableStream);
  await pipeline(body, atMost(MOST_BYTES), createWriteStream(path, { mode: PRIVATE_FILE }), { signal });
  return { path, contentType };
}

/** The first address is the one that the user asked for. A redirect could lead to another host of this network. */
async function follow(
  first: URL,
  baseUrl: string,
  signal: AbortSignal,
): Promise<{ readonly response: Response; readonly url: URL }> {
  let url = first;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const { host } = url;
    if (!mayLoad(url, baseUrl))
      throw new Error(l10n.t('Only https addresses are loaded. “Copy Address” lets you open it elsewhere.'));
    if (host !== first.host && !mayFetch(url, baseUrl))
      throw new Error(
        l10n.t(
          '{0} was not asked: files are fetched over https from public hosts, or from the service.',
          host,
        ),
      );
    const options = {
      signal,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      redirect: 'manual',
    } as const;
    const response = await fetch(url, options).catch((cause: unknown) => {
      throw new Error(l10n.t('Could not reach {0}.', host), { cause });
    });
    const location = response.headers.get('location');
    if (
      response.status < 300 ||
      response.status >= 400 ||
      location === null ||
      !URL.canParse(location, url.href)
    )
      return { response, url };
    await response.body?.cancel();
    url = new URL(location, url);
  }
  throw new Error(l10n.t('{0} redirects too often.', first.host));
}

function mayLoad(url: URL, baseUrl: string): boolean {
  if (url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && url.host === new URL(baseUrl).host);
}

function atMost(bytes: number): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Uint8Array, _, done) {
      seen += chunk.byteLength;
      if (seen > bytes) done(new Error(l10n.t('The file is larger than 512 MB and was not loaded.')));
      else done(null, chunk);
    },
  });
}

async function withExtension(name: string, contentType: string): Promise<string> {
  const { extensionOfType } = await import('../intake/contentType');
  return `${name}.${extensionOfType(contentType) ?? 'bin'}`;
}
