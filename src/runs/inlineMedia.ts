import { percentDecoded } from '../domain/percentDecoded';

/** Media inside a value. `told` is the MIME type that a data URI names. */
export interface InlineMedia {
  readonly bytes: Uint8Array;
  readonly contentType?: string;
}

/** The bytes of a data URI (RFC 2397), or of base64. */
export function inlineMedia(text: string): InlineMedia {
  const dataUri = /^data:([^,]{0,200}),/i.exec(text);
  if (!dataUri) return { bytes: Buffer.from(text, 'base64') };
  const [type, ...parameters] = (dataUri[1] ?? '').split(';');
  const body = text.slice(dataUri[0].length);
  const contentType = type || 'text/plain';
  return parameters.includes('base64')
    ? { bytes: Buffer.from(body, 'base64'), contentType }
    : { bytes: Buffer.from(percentDecoded(body)), contentType };
}
