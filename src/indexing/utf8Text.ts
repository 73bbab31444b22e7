import * as l10n from '@vscode/l10n';

/** Text of a file for a request. @throws where the bytes are no UTF-8: a paid run would get garbled text */
export function utf8Text(bytes: Uint8Array, filename: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(l10n.t('{0} is not UTF-8 text. Choose another file, or convert it to UTF-8.', filename));
  }
}
