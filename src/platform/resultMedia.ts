import { createWriteStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as vscode from 'vscode';
import { contentTypeOfBytes } from '../results/fileSignatures';

/** Media of a response, as a file beside which nothing of it crosses into a page. */
export interface MediaFile {
  readonly path: string;
  readonly contentType: string;
}

const MOST_BYTES = 512 * 1024 * 1024;

/** Writes the media that stands in a value (bytes, a data URI, base64) into the folder. */
export async function writeInlineMedia(
  value: unknown,
  name: string,
  folder: string,
  contentType: string | undefined,
): Promise<MediaFile> {
  const { bytes, told } = inlineBytes(value);
  const type = told ?? contentTypeOfBytes(bytes.subarray(0, 32)) ?? contentType ?? 'application/octet-stream';
  const path = join(folder, await withExtension(name, type));
  await fs.mkdir(folder, { recursive: true });
  await fs.writeFile(path, bytes);
  return { path, contentType: type };
}

function inlineBytes(value: unknown): { readonly bytes: Uint8Array; readonly told?: string } {
  if (value instanceof Uint8Array) return { bytes: value };
  if (typeof value !== 'string') throw new Error(vscode.l10n.t('This part of the result contains no media.'));
  const dataUri = /^data:([^,]{0,200}),/.exec(value);
  if (!dataUri) return { bytes: Buffer.from(value, 'base64') };
  const [type, ...parameters] = (dataUri[1] ?? '').split(';');
  const body = value.slice(dataUri[0].length);
  const told = type || 'text/plain';
  return parameters.includes('base64')
    ? { bytes: Buffer.from(body, 'base64'), told }
    : { bytes: Buffer.from(decodeURIComponent(body)), told };
}

/**
 * Fetches media from an address that stands in a response, because the user asked for it. Never with the key, nor
 * with anything else that says who asks. Only over https; plain http only to the host that the service itself is
 * reached at. VS Code's own fetch follows its proxy settings.
 */
export async function fetchRemoteMedia(
  address: string,
  name: string,
  folder: string,
  baseUrl: string,
  signal: AbortSignal,
): Promise<MediaFile> {
  const url = new URL(address);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && url.host === new URL(baseUrl).host)) {
    throw new Error(
      vscode.l10n.t('Only https addresses are loaded. “Copy Address” lets you open it elsewhere.'),
    );
  }
  const response = await fetch(url, { signal, credentials: 'omit', referrerPolicy: 'no-referrer' }).catch(
    (cause: unknown) => {
      throw new Error(vscode.l10n.t('Could not reach {0}.', url.host), { cause });
    },
  );
  if (!response.ok || !response.body) {
    throw new Error(vscode.l10n.t('{0} returned status {1} instead of the file.', url.host, response.status));
  }
  const contentType =
    response.headers.get('content-type')?.split(';', 1)[0]?.trim() || 'application/octet-stream';
  await fs.mkdir(folder, { recursive: true });
  const path = join(folder, await withExtension(name, contentType));
  const body = Readable.fromWeb(response.body as import('node:stream/web').ReadableStream);
  await pipeline(body, atMost(MOST_BYTES), createWriteStream(path), { signal });
  return { path, contentType };
}

function atMost(bytes: number): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Uint8Array, _, done) {
      seen += chunk.byteLength;
      if (seen > bytes) done(new Error(vscode.l10n.t('The file is larger than 512 MB and was not loaded.')));
      else done(null, chunk);
    },
  });
}

async function withExtension(name: string, contentType: string): Promise<string> {
  const { default: mime } = await import('mime');
  return `${name}.${mime.getExtension(contentType) ?? 'bin'}`;
}
