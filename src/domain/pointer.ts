/** RFC 6901 JSON pointers: "" is the whole value, "/input/images/0" a place in it. */

/** Characters of a pointer that a file or a caller gives. */
export const LONGEST_POINTER = 1_000;
/** Keys of such a pointer. */
export const MOST_SEGMENTS = 100;
/** A pointer with at most {@link MOST_SEGMENTS} keys. */
export const POINTER_PATTERN = new RegExp(`^(?:[^/]*/){0,${MOST_SEGMENTS}}[^/]*$`);

/** Whether a pointer that was given is short enough to be followed. */
export function isShortPointer(pointer: string): boolean {
  return pointer.length <= LONGEST_POINTER && POINTER_PATTERN.test(pointer);
}

/** The pointer of a member or item below `pointer`. */
export function childPointer(pointer: string, key: string | number): string {
  return `${pointer}/${escapeSegment(String(key))}`;
}

/** One key, escaped for use inside a pointer. */
function escapeSegment(key: string): string {
  return /[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key;
}

/** The keys of a pointer, unescaped; a pointer without its leading slash is read as if it had one. */
export function segmentsOf(pointer: string): string[] {
  if (pointer === '') return [];
  const body = pointer.startsWith('/') ? pointer.slice(1) : pointer;
  const segments = body.split('/');
  if (!body.includes('~')) return segments;
  return segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The pointer made of these keys. */
export function pointerOf(segments: readonly (string | number)[]): string {
  return segments.map((segment) => `/${escapeSegment(String(segment))}`).join('');
}

/** The pointer one level up, and "" for the top. */
export function parentPointer(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));
}
