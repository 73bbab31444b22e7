import * as l10n from '@vscode/l10n';
import { contentTypeOfBytes } from '../../domain/fileSignatures';
import type { Json } from '../../domain/json';
import type { RawResponse } from '../../domain/response';
import { isObject } from '../../domain/value';
import { contentMedium, resultMedia } from '../../results/media';
import { mayFetch } from '../../runs/publicAddress';
import { type Transport, TransportFailure } from '../../service/transport';
import type { ResultMedium } from './resultMedia';

/** The size of a kept file: the database holds it until it is written. */
const MOST_BYTES = 32 * 2 ** 20;
const MOST_REDIRECTS = 5;
/** Between two pieces of a file. */
const SILENCE_MS = 30_000;
/** For a whole file: a server that sends a byte now and then would keep the run waiting. */
const LONGEST_MS = 600_000;
/** Further media of one result stay addresses. */
const MOST_MEDIA = 64;

/** Addresses of pictures, sounds and films that a result names, each once, in its order. */
export function remoteMedia(result: Json): string[] {
  const addresses = new Set<string>();
  // Explicit stack: deep JSON would overflow recursion. The elements of a list have its key.
  const left: { readonly value: Json; readonly key: string | undefined }[] = [
    { value: result, key: undefined },
  ];
  for (let next = left.pop(); next && addresses.size < MOST_MEDIA; next = left.pop()) {
    const { value, key } = next;
    const media = resultMedia(value, '', key);
    if (media?.from === 'remote' && media.medium !== 'file' && URL.canParse(media.address ?? ''))
      addresses.add(media.address!);
    // One by one: a call takes some 100,000 arguments.
    else if (Array.isArray(value)) for (const one of value.toReversed()) left.push({ value: one, key });
    else if (isObject(value))
      for (const [name, one] of Object.entries(value).reverse()) left.push({ value: one as Json, key: name });
  }
  return [...addresses];
}

/** The hosts of addresses, each once. */
export function hostsOf(addresses: readonly string[]): string[] {
  return [...new Set(addresses.map((address) => new URL(address).host))];
}

/** No response came: later there may be one. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/**
 * Fetches a picture, sound or film that a result names by address: without the key or anything else that says who
 * asks, over https from public hosts, or from the service's own origin. Redirects are followed to such addresses
 * only.
 * @throws Unreachable, or an Error with the reason why there is no such file
 */
export async function fetchMedium(
  address: string,
  baseUrl: string,
  transport: Transport,
  signal?: AbortSignal,
): Promise<ResultMedium> {
  let url = new URL(address);
  const longest = AbortSignal.timeout(LONGEST_MS);
  const ends = signal ? AbortSignal.any([signal, longest]) : longest;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const { host } = url;
    if (!mayFetch(url, baseUrl))
      throw new Error(
        l10n.t(
          '{0} was not asked: files are fetched over https from public hosts, or from the service.',
          host,
        ),
      );
    const response = await get(url, transport, ends);
    const { location } = response.headers;
    const isRedirect = response.status >= 300 && response.status < 400 && location !== undefined;
    if (!isRedirect || !URL.canParse(location, url.href)) return mediumOfResponse(response, host);
    url = new URL(location, url);
  }
  throw new Error(l10n.t('{0} redirects too often.', url.host));
}

async function get(url: URL, transport: Transport, signal: AbortSignal): Promise<RawResponse> {
  try {
    return await transport.send({
      method: 'GET',
      url,
      signal,
      silenceMs: SILENCE_MS,
      maxBytes: MOST_BYTES,
      headers: { accept: 'image/*, audio/*, video/*', 'accept-encoding': 'identity' },
    });
  } catch (cause) {
    if (cause instanceof TransportFailure && cause.reason === 'tooLarge')
      throw new Error(l10n.t('The file of {0} is larger than 32 MB and was not kept.', url.host), { cause });
    throw new Unreachable(l10n.t('Could not reach {0}.', url.host), { cause });
  }
}

/** By its bytes: an error page may be called a picture. */
function mediumOfResponse({ status, bytes }: RawResponse, host: string): ResultMedium {
  if (status !== 200) throw new Error(l10n.t('{0} returned status {1} instead of the file.', host, status));
  const contentType = contentTypeOfBytes(bytes.subarray(0, 32));
  if (contentType === undefined || contentMedium(contentType) === 'file')
    throw new Error(l10n.t('{0} returned no picture, sound or film.', host));
  return { contentType, bytes };
}
