import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import { hasSignature, typeAmong } from '../domain/fileSignatures';
import { acceptedType, mediaTypeOf } from '../domain/media';
import { contentTypeOf } from './contentType';
import { type PointerFault, pointerFault, pointerText, shownText } from './text';

/** Bytes from the beginning of a file that tell its kind. */
export const HEAD_BYTES = 512;

/** Why the bytes of a file are not those of the medium that its name promises. */
export type FileFault =
  | { readonly fault: 'emptyFile' }
  | PointerFault
  /** `is`: the MIME type of the text, `HTML` … */
  | { readonly fault: 'textInside'; readonly is: 'text/html' | 'text/plain'; readonly named: string }
  | { readonly fault: 'otherBytes'; readonly is?: OtherBytes; readonly named: string }
  | { readonly fault: 'otherType'; readonly is: string };

/** Known causes of bytes that are not those of the format. */
type OtherBytes = 'zeros' | 'appleDouble' | 'gzip' | 'converted';

export interface FileHead {
  readonly filename: string;
  readonly sizeBytes: number;
  /** Its first bytes: `HEAD_BYTES`, or all there are. */
  readonly head: Uint8Array;
}

/**
 * The type of a file by its first bytes, else by its name, for every way in; or why it is not to be uploaded. A paid
 * run over an error page or a pointer is of no use.
 * @param accept the types that the field takes, see `acceptedType`; empty: any file
 */
export function checkedType(
  { filename, sizeBytes, head }: FileHead,
  accept: readonly string[] = [],
): { readonly contentType: string } | FileFault {
  if (sizeBytes === 0 || head.length === 0) return { fault: 'emptyFile' };
  const pointer = pointerFault(head);
  if (pointer) return pointer;
  const named = contentTypeOf(filename);
  const contentType = typeAmong(head, named);
  if (contentType === undefined && isBinary(named)) {
    const is = textType(head);
    if (is && !(named === 'image/svg+xml' && is === 'text/plain')) return { fault: 'textInside', is, named };
    if (hasSignature(named) && !isPdfInside(head, named)) {
      const cause = causeOf(head);
      return { fault: 'otherBytes', ...(cause && { is: cause }), named };
    }
  }
  const type = contentType ?? named;
  const isKnown = contentType !== undefined || mediaTypeOf(named) !== undefined;
  const accepted = acceptedType(type, accept, filename);
  if (isKnown && accepted === undefined) return { fault: 'otherType', is: type };
  return { contentType: accepted ?? type };
}

/** The first bytes of a file that is read piece by piece. */
export async function firstBytes(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const head: number[] = [];
  for await (const piece of pieces) {
    head.push(...piece.subarray(0, HEAD_BYTES - head.length));
    if (head.length >= HEAD_BYTES) break;
  }
  return Uint8Array.from(head);
}

/** The first bytes of a file on this machine's disk. Never waits for a pipe. */
export async function headAt(path: string): Promise<Uint8Array> {
  // Not on Windows, where the flag is undefined.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The fault as a sentence that says what to do. @param name of the file */
export function fileFaultText(fault: FileFault, name: string): string {
  switch (fault.fault) {
    case 'emptyFile':
      return l10n.t('“{0}” is empty. Choose another file.', name);
    case 'pointer':
      return pointerText(fault, name);
    case 'textInside':
      return fault.is === 'text/html'
        ? l10n.t('“{0}” holds a web page, not {1}. Download the file again.', name, fault.named)
        : l10n.t('“{0}” holds text, not {1}. Download the file again.', name, fault.named);
    case 'otherBytes':
      return otherBytesText(fault, name);
    case 'otherType':
      return l10n.t('“{0}” is {1}, a type that this field does not take.', name, fault.is);
  }
}

function otherBytesText(
  { is, named }: { readonly is?: OtherBytes; readonly named: string },
  name: string,
): string {
  switch (is) {
    case 'zeros':
      return l10n.t('“{0}” holds only zeros, not {1}. Copy the file again.', name, named);
    case 'appleDouble':
      return l10n.t(
        '“{0}” holds what macOS notes about a file, not {1}. Use the file without “._”.',
        name,
        named,
      );
    case 'gzip':
      return l10n.t('“{0}” is compressed with gzip. Unpack it first.', name);
    case 'converted':
      return l10n.t(
        'The line ends inside “{0}” were converted, so it is no {1} any more. Copy it as a binary file.',
        name,
        named,
      );
    case undefined:
      return l10n.t('“{0}” does not begin as {1}: it is damaged, encrypted or something else.', name, named);
  }
}

/** Whether files of a type are never text: an error page is often saved under such a name. */
function isBinary(type: string): boolean {
  return /^(?:image|audio|video|font)\/|^application\/(?:pdf|zip|gzip|epub|msword|vnd\.(?:openxmlformats|oasis|ms-))/.test(
    type,
  );
}

/** Some bytes may be before the beginning of a PDF. */
function isPdfInside(head: Uint8Array, named: string): boolean {
  return named === 'application/pdf' && Buffer.from(head).includes('%PDF-');
}

function causeOf(head: Uint8Array): OtherBytes | undefined {
  if (head.every((byte) => byte === 0)) return 'zeros';
  const start = Buffer.from(head.subarray(0, 8)).toString('latin1');
  if (start.startsWith('\0\x05\x16\x07')) return 'appleDouble';
  if (start.startsWith('\x1f\x8b')) return 'gzip';
  return start.startsWith('\x89PNG\n') || start.startsWith('\x89PNG\r\r') ? 'converted' : undefined;
}

/** Undefined: the bytes are no text. */
function textType(head: Uint8Array): 'text/html' | 'text/plain' | undefined {
  const text = shownText(head);
  // A character may be cut at the end.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: bytes of binary formats are looked for
  if (/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text) || /\ufffd(?!.{0,2}$)/s.test(text)) return undefined;
  // Some bytes may be before the beginning of a PDF.
  if (text.includes('%PDF-')) return undefined;
  return /^\s*(?:<!doctype html|<html|<head|<body|<script)/i.test(text) ? 'text/html' : 'text/plain';
}
