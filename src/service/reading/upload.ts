import { isObject, setOwn } from '../../domain/value';
import { failureIn } from './failureSigns';
import { firstOf, layersIn, pick, pickText } from './records';

// Uploads: `upload_url` and `media_ref` are shown, the rest is not (sections 2.3, 2.4, 4).

export interface UploadTicket {
  readonly uploadUrl: string;
  readonly uploadId: string;
  /** PUT unless init names another. */
  readonly method: 'PUT' | 'POST' | 'PATCH';
  /** Only those that may be set; see `FORBIDDEN_HEADERS`. */
  readonly headers: Readonly<Record<string, string>>;
}

const WRAPPERS = ['data', 'upload', 'result', 'media'];

/**
 * Headers that init may not name: they are ours to set (length, host, connection), would carry a secret or a
 * session to where a response points (our key's header, cookies, proxy credentials), or would change how the
 * bytes are framed. `authorization` may be named: a store's own token, for its own address, is how some stores
 * work, and it is never our key.
 */
const FORBIDDEN_HEADERS =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|x-api-key|cookie|cookie2|proxy-.*|sec-.*|:.*)$/;

/** Where and how the bytes are sent; undefined when the address or the identifier is missing. */
export function readUploadTicket(json: unknown): UploadTicket | undefined {
  if (!isObject(json)) return undefined;
  return firstOf(layersIn(json, WRAPPERS, 2), (record) => {
    const uploadUrl = pickText(record, 'uploadurl', 'presignedurl', 'signedurl', 'puturl', 'url', 'href');
    const uploadId =
      pickText(record, 'uploadid', 'id', 'mediauploadid', 'mediaid') ?? pickText(json, 'uploadid', 'id');
    if (uploadUrl === undefined || uploadId === undefined) return undefined;
    return {
      uploadUrl,
      uploadId,
      method: methodOf(pickText(record, 'method', 'httpmethod', 'uploadmethod')),
      headers: headersOf(pick(record, 'headers', 'uploadheaders', 'requiredheaders', 'httpheaders')),
    };
  });
}

/** The reference that complete gives. */
export function readMediaRef(json: unknown): string | undefined {
  if (!isObject(json)) return undefined;
  const layers = layersIn(json, WRAPPERS, 2);
  if (layers.some((record) => failureIn(record) !== undefined)) return undefined;
  return firstOf(layers, (record) => pickText(record, 'mediaref', 'mediareference', 'ref', 'reference'));
}

function methodOf(text: string | undefined): UploadTicket['method'] {
  const method = text?.toUpperCase();
  return method === 'POST' || method === 'PATCH' ? method : 'PUT';
}

/** An object of names and values, or a list of {name, value}. */
function headersOf(value: unknown): Record<string, string> {
  const pairs = Array.isArray(value)
    ? value
        .filter(isObject)
        .map((entry) => [pickText(entry, 'name', 'key', 'header') ?? '', pick(entry, 'value')] as const)
    : isObject(value)
      ? Object.entries(value)
      : [];
  const headers: Record<string, string> = {};
  for (const [rawName, rawValue] of pairs) {
    const name = rawName.toLowerCase();
    // An array is what Go's http.Header becomes as JSON.
    const text = Array.isArray(rawValue) ? rawValue.join(', ') : rawValue;
    if (typeof text !== 'string' && typeof text !== 'number') continue;
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || FORBIDDEN_HEADERS.test(name)) continue;
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(String(text))) continue;
    setOwn(headers, name, String(text));
  }
  return headers;
}
