import type { ErrorKind } from '../domain/failure';
import { logLine } from '../domain/logLine';
import type { RawResponse } from '../domain/response';
import { responseMappingOf } from '../domain/responseMapping';
import { namedAddress } from '../intake/namedAddress';
import { valueAt } from '../readers/mapping';
import { asText } from '../readers/records';
import { readMediaRef, readUploadTicket, type UploadTicket } from '../readers/upload';
import type { CallOptions, UploadedMedia, UploadOptions, UploadSource } from './client';
import { ServiceError } from './errors';
import type { Exchange } from './exchange';
import { causeText, invalidRequest, unreadable } from './failures';
import { BodyFailure } from './transport';

/** A source throws it from `open()` when the file is no longer the one that was measured. */
export class FileChangedError extends Error {
  override readonly name = 'FileChangedError';
}

export function fileChanged(file: string, cause: FileChangedError): ServiceError {
  return invalidRequest({ reason: 'fileChanged', file }, cause);
}

/**
 * Init, bytes, complete (section 4, rule 2). An address that expired or failed gets one new init; a response to
 * complete that was lost is requested again without sending the bytes again.
 */
export async function upload(
  exchange: Exchange,
  source: UploadSource,
  options: UploadOptions,
): Promise<UploadedMedia> {
  let ticket = await init(exchange, source, options);
  try {
    await sendBytes(exchange, ticket, source, options);
  } catch (error) {
    if (!addressFailed(error)) throw error;
    exchange.shared.log.info(logLine`upload: the address failed (${error.kind}), requesting a new one`);
    options.onProgress?.(0);
    ticket = await init(exchange, source, options);
    await sendBytes(exchange, ticket, source, options);
  }
  return await complete(exchange, ticket, options);
}

/** Statuses of an expired address, or of a failing store; others are about the file or the request. */
const OF_THE_ADDRESS: readonly number[] = [403, 404, 410];

/** Failures that a new upload URL may fix; not those of the file, the user or a rate limit. */
function addressFailed(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError)) return false;
  const { status, why } = error.details;
  if (status !== undefined) return OF_THE_ADDRESS.includes(status) || status >= 500;
  return (
    !['cancelled', 'rateLimited', 'notConnected', 'badKey'].includes(error.kind) &&
    !['fileChanged', 'fileUnreadable'].includes(why?.reason ?? '')
  );
}

interface Ticket extends UploadTicket {
  /** Where the bytes are sent. */
  readonly url: URL;
}

async function init(exchange: Exchange, source: UploadSource, options: CallOptions): Promise<Ticket> {
  const asked = exchange.url('/api/media/upload/init');
  const raw = await post(
    exchange,
    '/api/media/upload/init',
    {
      filename: source.filename,
      content_type: source.contentType,
      media_type: source.mediaType,
      size_bytes: source.sizeBytes,
    },
    options,
  );
  const { baseUrl } = exchange.shared;
  const ticket = readUploadTicket(raw.json, responseMappingOf(baseUrl)?.upload);
  if (ticket === undefined) throw unreadable({ reason: 'noUploadUrl' }, raw);
  const { url, refused } = namedAddress(ticket.uploadUrl, { asked, baseUrl, elsewhere: true });
  if (refused) throw unreadable({ reason: 'unsafeUploadUrl', refused }, raw);
  if (ticket.wantsForm) throw unreadable({ reason: 'uploadForm' }, raw);
  return { ...ticket, url };
}

/** Shorter values are words, such as the name of a method to sign. */
const SHORTEST_SIGNATURE = 17;
const MOST_SIGNATURES = 20;

/** Values that let anyone store a file at an upload address: stores repeat them in their errors. */
function signaturesOf({ url, headers }: Ticket): string[] {
  // A token of any header, without the scheme before it.
  const tokens = Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith('content-') ? [] : [value, value.slice(value.lastIndexOf(' ') + 1)],
  );
  const values = [...url.searchParams.values(), ...tokens];
  const long = values.filter((value) => value.length >= SHORTEST_SIGNATURE);
  return [...new Set(long)].slice(0, MOST_SIGNATURES);
}

/**
 * The bytes, streamed, with their exact length. One attempt at each address: after a failure half-way the next one
 * uses a new address. The key goes along only when the address is on the service's own origin.
 */
async function sendBytes(
  exchange: Exchange,
  ticket: Ticket,
  source: UploadSource,
  options: UploadOptions,
): Promise<void> {
  const { method, url, headers } = ticket;
  const { contentType, sizeBytes } = source;
  const base = new URL(exchange.shared.baseUrl);
  const bytes = () => measured(source, options.onProgress);
  try {
    await exchange.send({
      kind: 'upload',
      signatures: signaturesOf(ticket),
      method,
      url,
      label: logLine`${method} to the upload address`,
      headers: {
        'content-type': contentType,
        ...headers,
        'content-length': String(sizeBytes),
      },
      body: () => (sizeBytes === 0 ? new Uint8Array() : bytes()),
      signal: options.signal,
      bulk: options.bulk,
      mostAttempts: 1,
    });
  } catch (error) {
    const cause = error instanceof ServiceError ? error.cause : undefined;
    if (!(cause instanceof BodyFailure))
      throw url.origin === base.origin ? error : byUploadServer(error, url.host);
    if (cause.cause instanceof FileChangedError) throw fileChanged(source.filename, cause.cause);
    const why = { reason: 'fileUnreadable', file: source.filename, cause: causeText(cause.cause) } as const;
    throw invalidRequest(why, cause.cause);
  }
}

/** Kinds about the key, the wallet or the model, which another server's status says nothing of. */
const OF_THE_SERVICE: readonly ErrorKind[] = ['badKey', 'noPermission', 'cannotPay', 'notFound', 'conflict'];

/** A status of the server of the upload addresses: of an address that it does not take (any more), or of the file. */
function byUploadServer(error: unknown, host: string): unknown {
  if (!(error instanceof ServiceError) || error.details.status === undefined) return error;
  const { kind, details } = error;
  const why = { reason: 'uploadRejected', host, status: error.details.status } as const;
  if (OF_THE_SERVICE.includes(kind)) return new ServiceError('serviceFailing', { ...details, why });
  return kind === 'invalidRequest' ? new ServiceError(kind, { ...details, why }) : error;
}

/**
 * The source's bytes, counted. The last piece is held back until the source has ended, for only then is it certain
 * that the file did not change: a changed one never arrives whole.
 */
async function* measured(
  source: UploadSource,
  onProgress?: (sentBytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let taken = 0;
  let sent = 0;
  let held: Uint8Array | undefined;
  const release = (piece: Uint8Array) => {
    sent += piece.length;
    onProgress?.(sent);
  };
  for await (const piece of source.open()) {
    taken += piece.length;
    if (taken > source.sizeBytes) throw new FileChangedError('it grew');
    if (held !== undefined) {
      yield held;
      release(held);
    }
    held = piece;
  }
  if (taken !== source.sizeBytes) throw new FileChangedError('it shrank');
  if (held === undefined) return;
  yield held;
  release(held);
}

async function complete(
  exchange: Exchange,
  ticket: UploadTicket,
  options: CallOptions,
): Promise<UploadedMedia> {
  const body = { upload_id: ticket.uploadId };
  const raw = await post(exchange, '/api/media/upload/complete', body, options);
  const at = responseMappingOf(exchange.shared.baseUrl)?.upload?.reference;
  const mediaRef = at === undefined ? readMediaRef(raw.json) : asText(valueAt(raw.json, at));
  if (mediaRef === undefined) throw unreadable({ reason: 'noMediaRef' }, raw);
  return { mediaRef };
}

async function post(
  exchange: Exchange,
  route: `/api/media/upload/${'init' | 'complete'}`,
  body: object,
  options: CallOptions,
): Promise<RawResponse> {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  return await exchange.send({
    kind: 'upload',
    method: 'POST',
    url: exchange.url(route),
    label: logLine`POST ${route}`,
    headers: { 'content-type': 'application/json' },
    body: () => bytes,
    signal: options.signal,
    bulk: options.bulk,
  });
}
