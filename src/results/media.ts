import { isObject } from '../domain/value';
import { contentTypeOfBase64 } from './fileSignatures';
import type { Medium, ResultMedia } from './resultView';
import { firstKey } from './sampling';

/** Media in JSON: a string, or an object around one. */

const addressKeys = [
  'url',
  'uri',
  'src',
  'href',
  'image_url',
  'audio_url',
  'video_url',
  'download_url',
] as const;
const inlineKeys = ['b64_json', 'base64', 'data', 'bytes', 'blob'] as const;
const typeKeys = ['content_type', 'contentType', 'mime_type', 'mimeType', 'media_type', 'type'] as const;
const nameKeys = ['filename', 'file_name', 'name', 'title'] as const;

const extensions: { readonly [medium in Exclude<Medium, 'file'>]: readonly string[] } = {
  image: ['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'bmp', 'svg'],
  audio: ['mp3', 'wav', 'ogg', 'oga', 'flac', 'm4a'],
  video: ['mp4', 'webm', 'mov'],
};

/** Property names of a bare address or base64 text, by medium. */
const namesOfMedia: { readonly [medium in Exclude<Medium, 'file'>]: RegExp } = {
  image: /^(?:image|picture|photo|thumbnail|mask|depth|heatmap|img)s?(?:_?url|_?uri)?$/i,
  audio: /^(?:audio|sound|speech|voice|wav)s?(?:_?url|_?uri)?$/i,
  video: /^(?:video|clip|movie|animation)s?(?:_?url|_?uri)?$/i,
};

/** The medium of a MIME type. */
export function mediumOf(contentType: string | undefined): Medium {
  const family = contentType?.split('/', 1)[0];
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'file';
}

function mediumOfName(name: string | undefined): Medium | undefined {
  if (name === undefined) return undefined;
  return (['image', 'audio', 'video'] as const).find((medium) => namesOfMedia[medium].test(name));
}

function mediumOfAddress(address: string): Medium | undefined {
  const extension = /\.([a-z0-9]{2,4})(?:[?#]|$)/i.exec(address)?.[1]?.toLowerCase();
  if (extension === undefined) return undefined;
  return (['image', 'audio', 'video'] as const).find((medium) => extensions[medium].includes(extension));
}

const isAddress = (text: string) => /^https?:\/\/[^\s]+$/i.test(text) && text.length < 4096;

/** The MIME type of a data URI (RFC 2397); undefined for other text. */
export function contentTypeOfDataUri(text: string): string | undefined {
  if (!text.startsWith('data:')) return undefined;
  const head = text.slice(5, 205).split(',', 1)[0];
  if (head === undefined || head.length > 190) return undefined;
  return head.split(';', 1)[0]?.toLowerCase() || 'text/plain';
}

function mediaOfString(text: string, pointer: string, key: string | undefined): ResultMedia | undefined {
  const inline = contentTypeOfDataUri(text) ?? contentTypeOfBase64(text);
  if (inline !== undefined) return { pointer, medium: mediumOf(inline), from: 'inline', contentType: inline };
  if (!isAddress(text)) return undefined;
  const medium = mediumOfAddress(text) ?? mediumOfName(key);
  return medium && { pointer, medium, from: 'remote', address: text };
}

/** A data URI, base64 of a known format, an address, or an object around one of them as media; else undefined. */
export function mediaOf(value: unknown, pointer: string, key?: string): ResultMedia | undefined {
  if (typeof value === 'string') return mediaOfString(value, pointer, key);
  if (
    !isObject(value) ||
    Object.values(value).some((member) => typeof member === 'object' && member !== null)
  ) {
    return undefined; // more than one medium: its members are looked at one by one
  }
  const typeKey = firstKey(
    value,
    typeKeys,
    (type) => typeof type === 'string' && /^[\w.+-]+\/[\w.+-]+$/.test(type),
  );
  const contentType = typeKey && (value[typeKey] as string);
  const nameKey = firstKey(value, nameKeys, (name) => typeof name === 'string' && name !== '');
  const name = nameKey && (value[nameKey] as string);
  const facts = { ...(contentType !== undefined && { contentType }), ...(name !== undefined && { name }) };

  const inlineKey = firstKey(value, inlineKeys, (text) => typeof text === 'string');
  if (inlineKey) {
    const text = value[inlineKey] as string;
    const inline = contentTypeOfDataUri(text) ?? contentTypeOfBase64(text);
    const known = inline ?? (contentType !== undefined && looksBase64(text) ? contentType : undefined);
    if (known !== undefined) {
      return {
        pointer: `${pointer}/${inlineKey}`,
        medium: mediumOf(known),
        from: 'inline',
        ...facts,
        contentType: known,
      };
    }
  }
  const addressKey = firstKey(value, addressKeys, (text) => typeof text === 'string' && isAddress(text));
  if (addressKey) {
    const address = value[addressKey] as string;
    const known = contentType === undefined ? undefined : mediumOf(contentType);
    const medium = known ?? mediumOfAddress(address) ?? mediumOfName(addressKey) ?? mediumOfName(key);
    if (medium) return { pointer: `${pointer}/${addressKey}`, medium, from: 'remote', address, ...facts };
  }
  if (typeof value.media_ref === 'string') {
    const medium =
      contentType === undefined ? (mediumOfAddress(name ?? '') ?? 'file') : mediumOf(contentType);
    return { pointer, medium, from: 'reference', address: value.media_ref, ...facts };
  }
  return undefined;
}

function looksBase64(text: string): boolean {
  return text.length >= 16 && /^[A-Za-z0-9+/_-]+={0,2}$/.test(text.slice(0, 256).trimEnd());
}
