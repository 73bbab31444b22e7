import type { Json, JsonObject } from './model';

/** A media object of section 2.2. */
export interface MediaObject {
  readonly media_ref: string;
  readonly filename?: string;
}

/**
 * In a draft, a file that is not uploaded yet stands as a media object whose `media_ref` is the file's URI, so
 * that the draft has the request's own shape and validates against the model's schema. Only URIs of these
 * schemes are local; everything else is a reference of the service. A local URI is uploaded only when the
 * user attached that very file (the host keeps the list): an example from the service or a pasted JSON cannot
 * make the extension read a file.
 */
const LOCAL_SCHEMES = ['file:', 'vscode-remote:', 'vscode-vfs:', 'vscode-test-web:', 'memfs:'];

/** Whether a `media_ref` still points at a local file. */
export function isLocalRef(mediaRef: string): boolean {
  return LOCAL_SCHEMES.some((scheme) => mediaRef.startsWith(scheme));
}

/** Whether a value has the shape of a media object. */
export function isMediaObject(value: unknown): value is MediaObject & JsonObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { media_ref?: unknown }).media_ref === 'string'
  );
}

/** Every media object inside a value that still points at a local file, in document order, duplicates kept. */
export function localMedia(value: Json): MediaObject[] {
  if (Array.isArray(value)) return value.flatMap(localMedia);
  if (typeof value !== 'object' || value === null) return [];
  if (isMediaObject(value) && isLocalRef(value.media_ref)) return [value];
  return Object.values(value).flatMap(localMedia);
}

/** The value with every local reference replaced; `refs` maps a local URI to the `media_ref` of its upload. */
export function withUploadedRefs<T extends Json>(value: T, refs: ReadonlyMap<string, string>): T {
  if (Array.isArray(value)) return value.map((item) => withUploadedRefs(item, refs)) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (isMediaObject(value)) {
    const uploaded = refs.get(value.media_ref);
    return (uploaded === undefined ? value : { ...value, media_ref: uploaded }) as T;
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withUploadedRefs(item, refs)]),
  ) as unknown as T;
}
