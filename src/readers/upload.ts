import type { ResponseMapping } from '../domain/responseMapping';
import { isObject, setOwn, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { valueAt } from './mapping';
import { firstOf, members, pick, pickText, plainName, scalarText } from './records';
import { isFailed, signsIn } from './stateWords';

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

/** Records that a body of an upload may be, or have around it; any other record is one where only an upload's names are in it. */
const OF_UPLOAD = new Set(
  words(`
    data upload result media attributes presigned presignedpost presignedurl uploadurl target post form response payload
  `),
);

/**
 * Headers that init may not name: they are ours to set (length, host, connection), would carry a secret or a
 * session to where a response points (our key's header, cookies, proxy credentials), or would change how the
 * bytes are framed. `authorization` may be named: a store's own token, for its own address, is how some stores
 * work, and it is never our key.
 */
const FORBIDDEN_HEADERS =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|x-api-key|cookie|cookie2|proxy-.*|sec-.*|:.*)$/;

/** Where and how the bytes are sent; undefined when the address or the identifier is missing. */
export function readUploadTicket(
  body: unknown,
  mapping: NonNullable<ResponseMapping['upload']> = {},
): UploadTicket | undefined {
  // The places of a mapping come first, under the usual names.
  const own = { upload_url: mapping.url, upload_id: mapping.id };
  const named = Object.entries(own).flatMap(([name, at]) =>
    at === undefined ? [] : [[name, valueAt(body, at)] as const],
  );
  const json = isObject(body) ? { ...body, ...Object.fromEntries(named) } : body;
  if (!isObject(json)) return undefined;
  const layers = uploadLayers(json);
  if (layers.some(hasFailed)) return undefined;
  const parts = layers.flatMap((layer) => onlyPart(layer.record).map((record) => ({ ...layer, record })));
  return firstOf([...layers, ...parts], ({ record, isUpload }) => {
    const uploadUrl = pickText(record, ...ADDRESSES, ...(isUpload ? words('url href') : []));
    const all = [record, ...layers.map((layer) => layer.record)];
    const uploadId = firstOf(IDS, (name) => firstOf(all, (each) => pickText(each, name)));
    if (uploadUrl === undefined || uploadId === undefined) return undefined;
    const form = formOf(record);
    return {
      uploadUrl,
      uploadId,
      method: methodOf(
        pickText(record, 'method', 'httpmethod', 'uploadmethod', 'verb', 'httpverb'),
        form !== undefined,
      ),
      headers: headersOf(pick(record, 'headers', 'uploadheaders', 'requiredheaders', 'httpheaders')),
      ...(form && { form }),
    };
  });
}

const ADDRESSES = words('uploadurl presignedurl signedurl puturl posturl');
/** The likelier first: a less likely name counts only where no record has a likelier one. */
const IDS = words('uploadid mediauploadid id mediaid fileid uploadtoken uploadkey uuid key');

interface Layer {
  readonly record: UnknownObject;
  /** A plain `url` in it is the upload's. */
  readonly isUpload: boolean;
}

/** Records around an upload, the outer ones first, under any names. */
const DEEPEST = 4;
const MOST_LAYERS = 50;

function uploadLayers(json: UnknownObject): readonly Layer[] {
  const layers: (Layer & { readonly depth: number })[] = [{ record: json, isUpload: true, depth: 0 }];
  // Grows while it is gone through.
  for (const { record, depth, isUpload } of layers)
    for (const [name, inner] of depth < DEEPEST ? members(record) : [])
      if (isObject(inner) && layers.length < MOST_LAYERS && !NO_LAYER.test(plainName(name)))
        layers.push({
          record: inner,
          isUpload: OF_UPLOAD.has(plainName(name)) || (depth > 0 && isUpload && isAlone(record)),
          depth: depth + 1,
        });
  return layers;
}

function hasFailed({ record, isUpload }: Layer): boolean {
  return isUpload && isFailed(signsIn(record));
}

/** Whether a record has one member. */
function isAlone(record: UnknownObject): boolean {
  return members(record).length === 1;
}

/** Names and values to send along. */
const NO_LAYER = /headers$|fields$|^formdata$/;

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
  const layers = uploadLayers(json);
  if (layers.some(hasFailed)) return undefined;
  return firstOf(layers, ({ record, isUpload }) =>
    pickText(record, 'mediaref', 'mediareference', ...(isUpload ? words('ref reference') : [])),
  );
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
    const text = Array.isArray(rawValue) ? rawValue.map(scalarText).join(', ') : rawValue;
    if (typeof text !== 'string' && typeof text !== 'number') continue;
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || FORBIDDEN_HEADERS.test(name)) continue;
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(String(text))) continue;
    setOwn(headers, name, String(text));
  }
  return headers;
}
