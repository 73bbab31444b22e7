import { isObject, setOwn, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { failureIn } from './failureSigns';
import { firstOf, layersIn, pick, pickText } from './records';

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
  /** A form to send with the file, as S3 and its like have it; `unread`: it is of another kind. */
  readonly form?: { readonly fields: FormFields; readonly fileField: string } | 'unread';
}

/** `attributes`: JSON:API. */
const WRAPPERS = [
  ...['data', 'upload', 'result', 'media', 'attributes', 'presigned', 'presignedpost', 'presignedurl'],
  ...['uploadurl', 'target', 'post', 'form'],
];

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
  const layers = layersIn(json, WRAPPERS, 3);
  const records = [...layers, ...layers.flatMap(onlyPart)];
  return firstOf(records, (record) => {
    const uploadUrl = pickText(record, ...ADDRESSES);
    const uploadId =
      pickText(record, ...IDS) ??
      firstOf(layers, (layer) => pickText(layer, 'uploadid', 'mediauploadid', 'id'));
    if (uploadUrl === undefined || uploadId === undefined) return undefined;
    const form = formOf(record);
    return {
      uploadUrl,
      uploadId,
      method: methodOf(pickText(record, 'method', 'httpmethod', 'uploadmethod'), form !== undefined),
      headers: headersOf(pick(record, 'headers', 'uploadheaders', 'requiredheaders', 'httpheaders')),
      ...(form && { form }),
    };
  });
}

const ADDRESSES = words('uploadurl presignedurl signedurl puturl posturl url href');
const IDS = words('uploadid id mediauploadid mediaid');

/** The only part of an upload in parts; several are another protocol. */
function onlyPart(record: UnknownObject): readonly UnknownObject[] {
  const parts = pick(record, 'parts', 'urls', 'uploads');
  return Array.isArray(parts) && parts.length === 1 && isObject(parts[0]) ? [parts[0]] : [];
}

/** The form that goes along with the file: {fields: {key: "...", policy: "..."}} or a list of names and values. */
function formOf(record: UnknownObject): UploadTicket['form'] {
  const value = pick(record, 'fields', 'formfields', 'formdata', 'postfields', 'uploadfields');
  if (value === undefined || value === null) return undefined;
  const pairs = pairsOf(value);
  if (pairs?.length === 0) return undefined;
  const fields = pairs?.map(([name, text]) => [name, isPlain(text) ? String(text) : undefined] as const);
  if (
    !fields?.every((field): field is readonly [string, string] => field[1] !== undefined && field[0] !== '')
  )
    return 'unread';
  return {
    fields,
    fileField: pickText(record, 'filefield', 'filefieldname', 'fileparam', 'fileparameter') ?? 'file',
  };
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Of an object of names and values, or a list of {name, value}; undefined: neither. */
function pairsOf(value: unknown): (readonly [name: string, value: unknown])[] | undefined {
  if (Array.isArray(value))
    return value.map((entry) =>
      isObject(entry)
        ? ([pickText(entry, 'name', 'key', 'header') ?? '', pick(entry, 'value')] as const)
        : (['', undefined] as const),
    );
  return isObject(value) ? Object.entries(value) : undefined;
}

/** The reference that complete gives. */
export function readMediaRef(json: unknown): string | undefined {
  if (!isObject(json)) return undefined;
  const layers = layersIn(json, WRAPPERS, 2);
  if (layers.some((record) => failureIn(record) !== undefined)) return undefined;
  return firstOf(layers, (record) => pickText(record, 'mediaref', 'mediareference', 'ref', 'reference'));
}

function methodOf(text: string | undefined, isForm: boolean): UploadTicket['method'] {
  const method = text?.toUpperCase();
  if (isForm) return 'POST';
  return method === 'POST' || method === 'PATCH' ? method : 'PUT';
}

/** An object of names and values, or a list of {name, value}. */
function headersOf(value: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [rawName, rawValue] of pairsOf(value) ?? []) {
    const name = rawName.toLowerCase();
    // Go's http.Header becomes an array as JSON.
    const text = Array.isArray(rawValue) ? rawValue.join(', ') : rawValue;
    if (typeof text !== 'string' && typeof text !== 'number') continue;
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || FORBIDDEN_HEADERS.test(name)) continue;
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(String(text))) continue;
    setOwn(headers, name, String(text));
  }
  return headers;
}
