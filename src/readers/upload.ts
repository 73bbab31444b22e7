import type { ResponseMapping } from '../domain/responseMapping';
import { isObject, setOwn, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { valueAt } from './mapping';
import { firstOf, pick, pickText, scalarText } from './records';
import { envelopesIn, isFailed, signsIn } from './stateWords';

/** The fields of a form as a store wants them, in this order. */
export type FormFields = readonly (readonly [name: string, value: string])[];

// Uploads: `upload_url` and `media_ref` are shown, the rest is not (sections 2.3, 2.4, 4).

export interface UploadTicket {
  readonly uploadUrl: string;
  readonly uploadId: string;
  /** PUT unless init names another. */
  readonly method: 'PUT' | 'POST' | 'PATCH';
  /** Only those that may be set; see `FORBIDDEN_HEADERS`. */
  readonly headers: Readonly<Record<string, string>>;
  /** A form to send with the file, as object stores have it; `unread`: it is of another kind. */
  readonly form: { readonly fields: FormFields; readonly fileField: string } | 'unread' | undefined;
}

/**
 * Headers that init may not name: they are ours to set (length, host, connection), would carry a secret or a
 * session to where a response points (our key's header, cookies, proxy credentials), or would change how the
 * bytes are framed. `authorization` may be named: a store's own token, for its own address, is how some stores
 * work, and it is never our key.
 */
const FORBIDDEN_HEADERS =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|x-api-key|cookie|cookie2|proxy-.*|sec-.*|:.*)$/;

const ADDRESSES = words('uploadurl presignedurl signedurl url');
/** The likelier first: a less likely name counts only where no record has a likelier one. */
const IDS = words('uploadid id mediaid fileid');
/** Records with the address, beside the usual envelopes. */
const TARGETS = words('upload media');

/** A body, its envelopes and the records about the upload in them; none: it reports an error. */
function recordsOf(body: unknown): readonly UnknownObject[] {
  if (!isObject(body)) return [];
  const outer = envelopesIn(body);
  const inner = outer.flatMap((record) => TARGETS.map((name) => pick(record, name)).filter(isObject));
  const records = [...outer, ...inner];
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
  const form = formOf(part('fields', 'formfields'), scalarText(part('filefield') ?? 'file'));
  const method = scalarText(part('method', 'httpmethod')).toUpperCase();
  return {
    uploadUrl,
    uploadId,
    method: form !== undefined || method === 'POST' ? 'POST' : method === 'PATCH' ? 'PATCH' : 'PUT',
    headers: headersOf(part('headers', 'uploadheaders')),
    form,
  };
}

/** The form that goes along with the file: {fields: {key: "...", policy: "..."}} or a list of names and values. */
function formOf(value: unknown, fileField: string): UploadTicket['form'] {
  const pairs = value === undefined ? [] : pairsOf(value);
  if (pairs?.length === 0) return undefined;
  const isPlain = pairs?.every(([name, text]) => name !== '' && /^(?:str|num|bool)/.test(typeof text));
  if (!pairs || !isPlain) return 'unread';
  return { fields: pairs.map(([name, text]) => [name, String(text)]), fileField };
}

/** Of an object of names and values, or a list of {name, value}; undefined: neither. */
function pairsOf(value: unknown): (readonly [name: string, value: unknown])[] | undefined {
  if (!Array.isArray(value)) return isObject(value) ? Object.entries(value) : undefined;
  const records = value.map((entry) => (isObject(entry) ? entry : {}));
  return records.map((entry) => [pickText(entry, 'name', 'key') ?? '', pick(entry, 'value')]);
}

/** The reference that complete gives. */
export function readMediaRef(json: unknown): string | undefined {
  return firstOf(recordsOf(json), (record) => pickText(record, 'mediaref', 'ref', 'reference'));
}

function headersOf(value: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [rawName, rawValue] of pairsOf(value) ?? []) {
    const name = rawName.toLowerCase();
    const text = Array.isArray(rawValue) ? rawValue.map(scalarText).join(', ') : rawValue;
    if (typeof text !== 'string' && typeof text !== 'number') continue;
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || FORBIDDEN_HEADERS.test(name)) continue;
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(String(text))) continue;
    setOwn(headers, name, String(text));
  }
  return headers;
}
