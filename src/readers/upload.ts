import type { ResponseMapping } from '../domain/responseMapping';
import { isObject, setOwn, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { valueAt } from './mapping';
import { firstOf, pick, pickText, scalarText } from './records';
import { envelopesIn, isFailed, signsIn } from './stateWords';

// Uploads: `upload_url` and `media_ref` are shown, the rest is not (sections 2.3, 2.4, 4).

export interface UploadTicket {
  readonly uploadUrl: string;
  readonly uploadId: string;
  /** PUT unless init names another. */
  readonly method: 'PUT' | 'POST' | 'PATCH';
  /** Only those that may be set; see `FORBIDDEN_HEADERS`. */
  readonly headers: Readonly<Record<string, string>>;
  /** A form is wanted around the file, where the interface sends its bytes alone. */
  readonly wantsForm: boolean;
}

/** Headers that init may not name: ours to set, with a secret or a session, or about framing. A store has its own token. */
const FORBIDDEN_HEADERS =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|x-api-key|cookie|cookie2|proxy-.*|sec-.*|:.*)$/;

const ADDRESSES = words('uploadurl presignedurl signedurl url');
/** The likelier first: a less likely name counts only where no record has a likelier one. */
const IDS = words('uploadid id mediaid fileid');

/** A body and its envelopes; none: it reports an error. */
function recordsOf(body: unknown): readonly UnknownObject[] {
  const records = isObject(body) ? envelopesIn(body) : [];
  return records.some((record) => isFailed(signsIn(record))) ? [] : records;
}

/** Where and how the bytes are sent; undefined when the address or the identifier is missing. */
export function readUploadTicket(
  body: unknown,
  mapping: NonNullable<ResponseMapping['upload']> = {},
): UploadTicket | undefined {
  const records = recordsOf(body);
  const mapped = (at: string | undefined) => (at === undefined ? undefined : valueAt(body, at));
  const named = { upload_url: mapped(mapping.url), upload_id: mapped(mapping.id) };
  const all = [named, ...records];
  const home = all.find((record) => pickText(record, ...ADDRESSES) !== undefined);
  const uploadUrl = home && pickText(home, ...ADDRESSES);
  const uploadId = firstOf(IDS, (name) => firstOf(all, (record) => pickText(record, name)));
  if (uploadUrl === undefined || uploadId === undefined || records.length === 0) return undefined;
  const part = (...names: readonly string[]) => firstOf([home, ...records], (one) => pick(one!, ...names));
  const method = scalarText(part('method')).toUpperCase();
  return {
    uploadUrl,
    uploadId,
    method: method === 'POST' || method === 'PATCH' ? method : 'PUT',
    headers: headersOf(part('headers')),
    wantsForm: Object.keys(part('fields', 'formfields') ?? {}).length > 0,
  };
}

/** The reference that complete gives. */
export function readMediaRef(json: unknown): string | undefined {
  return firstOf(recordsOf(json), (record) => pickText(record, 'mediaref', 'ref', 'reference'));
}

function headersOf(value: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [rawName, rawValue] of isObject(value) ? Object.entries(value) : []) {
    const name = rawName.toLowerCase();
    const text = Array.isArray(rawValue) ? rawValue.map(scalarText).join(', ') : rawValue;
    if (typeof text !== 'string' && typeof text !== 'number') continue;
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || FORBIDDEN_HEADERS.test(name)) continue;
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(String(text))) continue;
    setOwn(headers, name, String(text));
  }
  return headers;
}
