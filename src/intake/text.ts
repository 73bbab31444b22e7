import * as l10n from '@vscode/l10n';

/** A file that is not here: only a pointer to it is. */
export interface PointerFault {
  readonly fault: 'pointer';
  readonly tool: 'lfs' | 'annex';
}

/** Why bytes are no text. `line`: from 1, of the first byte that cannot be read. */
export type TextFault =
  | PointerFault
  | { readonly fault: 'encoding'; readonly line: number }
  | { readonly fault: 'binary'; readonly line: number };

/**
 * Decodes the text of any file: UTF-16 with a byte order mark (Excel's "Unicode Text", PowerShell 5), else strict
 * UTF-8. The mark is no part of the text. Other encodings are not guessed, and no character is replaced: a paid run
 * would get garbled text. Text with NUL is UTF-16 without a mark, or no text.
 */
export function decodedText(bytes: Uint8Array): string | TextFault {
  const pointer = pointerFault(bytes);
  if (pointer) return pointer;
  const encoding = textEncoding(bytes);
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return { fault: bytes.includes(0) ? 'binary' : 'encoding', line: badLine(bytes, encoding) };
  }
  // ISO-2022-JP is seven-bit, and so reads as UTF-8: it switches to JIS X 0208 by one of these.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence is looked for
  const switched = text.search(/\x1b\$[@B]/);
  if (switched >= 0) return { fault: 'encoding', line: linesUpTo(text, switched) };
  const nul = text.indexOf('\0');
  // Programs that each add a mark leave several.
  return nul < 0 ? text.replace(/^\ufeff+/, '') : { fault: 'binary', line: linesUpTo(text, nul) };
}

/** The fault as a sentence. @param name of the file */
export function textFaultText(fault: TextFault, name: string): string {
  if (fault.fault === 'pointer') return pointerText(fault, name);
  const { line } = fault;
  return fault.fault === 'binary'
    ? l10n.t('“{0}” is not a text file (line {1}). Choose another file.', name, line)
    : l10n.t('“{0}” is not UTF-8 text (line {1}). Save it as UTF-8, or choose another file.', name, line);
}

const POINTERS = [
  ['version https://git-lfs.github.com/spec/', 'lfs'],
  ['version https://hawser.github.com/spec/', 'lfs'],
  ['/annex/objects/', 'annex'],
] as const;

/** @param start of a file */
export function pointerFault(start: Uint8Array | string): PointerFault | undefined {
  const text = typeof start === 'string' ? start : Buffer.from(start.subarray(0, 64)).toString('latin1');
  const tool = POINTERS.find(([beginning]) => text.startsWith(beginning))?.[1];
  return tool && { fault: 'pointer', tool };
}

/** @param name of the file, where it is not said already */
export function pointerText({ tool }: PointerFault, name?: string): string {
  if (name === undefined)
    return l10n.t(
      'The file is not here, only a pointer to it. Run “{0}”.',
      tool === 'lfs' ? 'git lfs pull' : 'git annex get',
    );
  return tool === 'lfs'
    ? l10n.t('“{0}” is a pointer of Git LFS, not the file itself. Run “git lfs pull”.', name)
    : l10n.t('“{0}” is a pointer of git-annex, not the file itself. Run “git annex get”.', name);
}

/** @throws with the sentence of the fault */
export function textOrThrow(bytes: Uint8Array, name: string): string {
  const text = decodedText(bytes);
  if (typeof text !== 'string') throw new Error(textFaultText(text, name));
  return text;
}

/** Bytes for display, like in an editor: unreadable ones are replaced. Never used for sending. */
export function shownText(bytes: Uint8Array): string {
  return new TextDecoder(textEncoding(bytes)).decode(bytes);
}

/** Like `shownText`, for the beginning of a file: a character that is cut off is left out. */
export function shownBeginning(bytes: Uint8Array): string {
  return new TextDecoder(textEncoding(bytes)).decode(bytes, { stream: true });
}

/** UTF-16 where the mark of a byte order says so, as editors and shells of Windows write it. */
function textEncoding([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** The line of the first byte that is not read: where a tolerant reading, written again, differs. */
function badLine(bytes: Uint8Array, encoding: string): number {
  const loose = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
  if (encoding !== 'utf-8') {
    const bad = loose.indexOf('\ufffd');
    return linesUpTo(loose, bad < 0 ? loose.length : bad);
  }
  const again = new TextEncoder().encode(loose);
  const bad = again.findIndex((byte, at) => byte !== bytes[at]);
  return bytes
    .subarray(0, bad < 0 ? bytes.length : bad)
    .reduce((lines, byte) => lines + (byte === 0x0a ? 1 : 0), 1);
}

function linesUpTo(text: string, end: number): number {
  return text.slice(0, end).split('\n').length;
}
