/** A text, or a whole XML document, without the characters that XML 1.0 (2.2) has no place for. */
export function xmlCharacters(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that XML excludes
  return text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '');
}
