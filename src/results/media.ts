import { contentTypeOfBase64 } from '../domain/fileSignatures';
import { isObject } from '../domain/value';
import { words } from '../domain/words';
import type { Medium, ResultMedia } from './resultView';
import { firstKey, spelled } from './sampling';

/** Media in JSON: a string, or an object around one. */

const addressKeys = words('url uri src href image_url audio_url video_url download_url');
const inlineKeys = words('b64_json base64 data bytes blob');
const typeKeys = words('content_type contentType mime_type mimeType media_type type');
const nameKeys = words('filename file_name name title');

type Families = readonly (readonly [medium: Exclude<Medium, 'file'>, pattern: RegExp])[];

const families: Families = [
  ['image', /^image$/],
  ['audio', /^audio$/],
  ['video', /^video$/],
];
const extensions: Families = [
  ['image', /^(?:png|jpe?g|gif|webp|avif|bmp|svg)$/],
  ['audio', /^(?:mp3|wav|ogg|oga|flac|m4a)$/],
  ['video', /^(?:mp4|webm|mov)$/],
];
/** Property names of a bare address or base64 text. */
const mediaNames: Families = [
  ['image', /^(?:image|picture|photo|thumbnail|mask|depth|heatmap|img)s?(?:_?url|_?uri)?$/i],
  ['audio', /^(?:audio|sound|speech|voice|wav)s?(?:_?url|_?uri)?$/i],
  ['video', /^(?:video|clip|movie|animation)s?(?:_?url|_?uri)?$/i],
];

function mediumIn(table: Families, text: string | undefined): Medium | undefined {
  return text === undefined ? undefined : table.find(([, pattern]) => pattern.test(text))?.[0];
}

/** The medium of a MIME type. */
export function contentMedium(contentType: string | undefined): Medium {
  return mediumIn(families, contentType?.split('/', 1)[0]) ?? 'file';
}

function mediumOfAddress(address: string): Medium | undefined {
  return mediumIn(extensions, /\.([a-z0-9]{2,4})(?:[?#]|$)/i.exec(address)?.[1]?.toLowerCase());
}

const isAddress = (text: string) => /^https?:\/\/[^\s]+$/i.test(text) && text.length < 4096;

/** The MIME type of a data URI (RFC 2397), of one without a telling type by its bytes; undefined for other text. */
function contentTypeOfDataUri(text: string): string | undefined {
  const head = /^data:([^,]{0,190}),/i.exec(text.slice(0, 200));
  if (!head) return undefined;
  const declared = head[1]!.split(';', 1)[0]!.trim().toLowerCase();
  const isTelling = declared !== '' && !declared.endsWith('/octet-stream');
  const signed = isTelling ? undefined : contentTypeOfBase64(text.slice(head[0].length));
  return signed ?? (declared || 'text/plain');
}

function mediaOfString(text: string, pointer: string, key: string | undefined): ResultMedia | undefined {
  const inline = contentTypeOfDataUri(text) ?? contentTypeOfBase64(text);
  if (inline !== undefined)
    return { pointer, medium: contentMedium(inline), from: 'inline', contentType: inline };
  if (!isAddress(text)) return undefined;
  const medium = mediumOfAddress(text) ?? mediumIn(mediaNames, key);
  return medium && { pointer, medium, from: 'remote', address: text };
}

/** A data URI, base64 of a known format, an address, or an object around one of them as media; else undefined. */
export function resultMedia(value: unknown, pointer: string, key?: string): ResultMedia | undefined {
  if (typeof value === 'string') return mediaOfString(value, pointer, key);
  if (
    !isObject(value) ||
    Object.values(value).some((member) => typeof member === 'object' && member !== null)
  ) {
    return undefined; // more than one medium: its members are looked at one by one
  }
  const texts = (keys: readonly string[]) =>
    spelled(value, keys)
      .map((one) => value[one])
      .filter((text) => typeof text === 'string');
  const contentType = texts(typeKeys).find((type) => /^[\w.+-]+\/[\w.+-]+$/.test(type));
  const name = texts(nameKeys).find((text) => text !== '');
  const facts = { ...(contentType !== undefined && { contentType }), ...(name !== undefined && { name }) };

  const inlineKey = firstKey(value, inlineKeys, (text) => typeof text === 'string');
  if (inlineKey) {
    const text = value[inlineKey] as string;
    const inline = contentTypeOfDataUri(text) ?? contentTypeOfBase64(text);
    const known = inline ?? (contentType !== undefined && looksBase64(text) ? contentType : undefined);
    if (known !== undefined) {
      return {
        pointer: `${pointer}/${inlineKey}`,
        medium: contentMedium(known),
        from: 'inline',
        ...facts,
        contentType: known,
      };
    }
  }
  const addressKey = firstKey(value, addressKeys, (text) => typeof text === 'string' && isAddress(text));
  if (addressKey) {
    const address = value[addressKey] as string;
    const known = contentType === undefined ? undefined : contentMedium(contentType);
    const medium =
      known ?? mediumOfAddress(address) ?? mediumIn(mediaNames, addressKey) ?? mediumIn(mediaNames, key);
    if (medium) return { pointer: `${pointer}/${addressKey}`, medium, from: 'remote', address, ...facts };
  }
  if (typeof value.media_ref === 'string') {
    const medium =
      contentType === undefined ? (mediumOfAddress(name ?? '') ?? 'file') : contentMedium(contentType);
    return { pointer, medium, from: 'reference', address: value.media_ref, ...facts };
  }
  return undefined;
}

function looksBase64(text: string): boolean {
  return text.length >= 16 && /^[A-Za-z0-9+/_-]+={0,2}$/.test(text.slice(0, 256).trimEnd());
}
