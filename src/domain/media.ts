import type { Json, JsonObject } from './json';

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

/** The kinds of section 2.3; `image` is the value the interface shows, the others follow from it. */
export type MediaType = 'image' | 'audio' | 'video' | 'file';

/** The `media_type` of a MIME type; undefined when the type does not determine it, so that the user is asked. */
export function mediaTypeOf(mimeType: string | undefined): MediaType | undefined {
  const type = (mimeType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const [kind] = type.split('/');
  if (kind === 'image' || kind === 'audio' || kind === 'video') return kind;
  if (!/^(application|text|font|model)\/./.test(type) || type === 'application/octet-stream')
    return undefined;
  return 'file';
}

/** Whether a file of this MIME type fits one of the types a field accepts ("image/*"); no types: every file does. */
export function isAccepted(mimeType: string, accept: readonly string[]): boolean {
  const type = mimeType.toLowerCase();
  return (
    accept.length === 0 ||
    accept.some((pattern) => {
      const wanted = pattern.toLowerCase();
      return (
        wanted === '*/*' || wanted === type || (wanted.endsWith('/*') && type.startsWith(wanted.slice(0, -1)))
      );
    })
  );
}
