import mime from 'mime';

/** Ambiguous: MPEG transport streams to the table of types, but usually TypeScript in a workspace. */
const AMBIGUOUS = /\.m?ts$/i;

/** MIME type by file name; `application/octet-stream` when the name has no known extension. */
export function contentTypeOf(filename: string): string {
  if (AMBIGUOUS.test(filename)) return 'application/octet-stream';
  return mime.getType(filename) ?? 'application/octet-stream';
}

/** The usual extension of files of a type, without the dot; undefined for an unknown type. */
export function extensionOfType(contentType: string): string | undefined {
  const extension = mime.getExtension(contentType);
  // VS Code plays .mp3, and does not know the other name.
  return extension === 'mpga' ? 'mp3' : extension || undefined;
}
