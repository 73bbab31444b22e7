import type { Json, JsonObject } from './json';
import { percentDecoded } from './percentDecoded';

/** A media object of section 2.2. */
export interface MediaObject {
  readonly media_ref: string;
  readonly filename?: string;
}

/**
 * In a draft, a file that is not uploaded yet is a media object whose `media_ref` is the file's URI, so that the
 * draft has the request's own shape and validates against the model's schema. Only URIs of editors and disks are local;
 * everything else is a reference of the service. A local URI is uploaded only when the user attached that very file
 * (the host keeps the list): an example from the service or a pasted JSON cannot make the extension read a file.
 */
const LOCAL_SCHEME = /^(?:file|memfs|vscode[\w-]*):/i;

/** Whether a `media_ref` still points at a local file. */
export function isLocalRef(mediaRef: string): boolean {
  return LOCAL_SCHEME.test(mediaRef);
}

/** Whether a value has the shape of a media object. */
export function isMediaObject(value: unknown): value is MediaObject & JsonObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { media_ref?: unknown }).media_ref === 'string'
  );
}

/** The name of a medium for people: that of its file where it is known. */
export function mediaName({ filename, media_ref: ref }: MediaObject): string {
  if (filename !== undefined) return filename;
  return isLocalRef(ref) ? percentDecoded(ref.slice(ref.lastIndexOf('/') + 1)) || ref : ref;
}

/** Every media object inside a value that still points at a local file, in document order, duplicates kept. */
export function localMedia(value: Json): MediaObject[] {
  if (Array.isArray(value)) return value.flatMap(localMedia);
  if (typeof value !== 'object' || value === null) return [];
  if (isMediaObject(value) && isLocalRef(value.media_ref)) return [value];
  return Object.values(value).flatMap(localMedia);
}

/** The URIs of the local files in these values, each once. */
export function localRefs(...values: readonly Json[]): string[] {
  return [...new Set(values.flatMap(localMedia).map(({ media_ref: uri }) => uri))];
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

/** File name endings by the kinds of media that users have as files. */
export const MEDIA_ENDINGS = {
  image: ['png', 'jpg', 'jpeg', 'webp', 'gif', 'bmp', 'tif', 'tiff', 'avif', 'svg'],
  audio: ['mp3', 'wav', 'flac', 'ogg', 'oga', 'm4a', 'aac', 'opus'],
  video: ['mp4', 'webm', 'mov', 'mkv', 'avi', 'm4v'],
} as const;

/** Names of one type that differ by more than the "x-" of an unregistered one. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/tif': 'image/tiff',
  'image/ms-bmp': 'image/bmp',
  'image/svg': 'image/svg+xml',
  'image/vnd.microsoft.icon': 'image/icon',
  'audio/mp3': 'audio/mpeg',
  'audio/mpeg3': 'audio/mpeg',
  'audio/mpeg-3': 'audio/mpeg',
  'audio/mpg': 'audio/mpeg',
  'audio/aacp': 'audio/aac',
  'audio/opus': 'audio/ogg',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/pn-wav': 'audio/wav',
  'audio/m4a': 'audio/mp4',
  'video/m4v': 'video/mp4',
  'video/mov': 'video/quicktime',
  'video/mkv': 'video/matroska',
  'video/avi': 'video/msvideo',
  'video/vnd.avi': 'video/msvideo',
  'text/comma-separated-values': 'text/csv',
  'application/csv': 'text/csv',
  'text/json': 'application/json',
  'text/xml': 'application/xml',
  'application/yaml': 'text/yaml',
  'application/javascript': 'text/javascript',
  'application/zip-compressed': 'application/zip',
};

/** One name for all names of a MIME type, without parameters, for comparison: "image/jpeg" for "image/jpg". */
export function commonType(mimeType: string): string {
  const plain = mimeType.split(';', 1)[0]!.trim().toLowerCase().replace('/x-', '/');
  return OTHER_NAMES[plain] ?? plain;
}

/** Containers that hold sound alone or with pictures: the same bytes are of two types. So are those of HEIF. */
const CONTAINERS: readonly string[] = ['webm', 'mp4', 'ogg', 'matroska'];

/** The other type that the bytes of a container may have: "audio/webm" for "video/webm". */
export function siblingType(mimeType: string): string | undefined {
  const [family, form = ''] = commonType(mimeType).split('/');
  if (family === 'image') return { heic: 'image/heif', heif: 'image/heic' }[form];
  if (!CONTAINERS.includes(form)) return undefined;
  return family === 'video' ? `audio/${form}` : family === 'audio' ? `video/${form}` : undefined;
}

/**
 * The type as which a file fits one of the types a field accepts, as those of an `<input>`: "image/png", "image/*", ".png";
 * undefined where it fits none. No types: every file does. Of the two types of a container the field decides.
 * @param filename missing where it is not known: then it may have any ending
 */
export function acceptedType(
  mimeType: string,
  accept: readonly string[],
  filename?: string,
): string | undefined {
  const name = filename?.toLowerCase();
  const fits = (type: string) =>
    accept.length === 0 ||
    accept.some((pattern) => {
      if (isEnding(pattern) && (name === undefined || name.endsWith(pattern.toLowerCase()))) return true;
      const wanted = commonType(isEnding(pattern) ? typeOfEnding(pattern) : pattern);
      return (
        wanted === '*/*' ||
        wanted === commonType(type) ||
        (wanted.endsWith('/*') && commonType(type).startsWith(wanted.slice(0, -1)))
      );
    });
  if (fits(mimeType)) return mimeType;
  const sibling = siblingType(mimeType);
  return sibling !== undefined && fits(sibling) ? sibling : undefined;
}

/** Whether a file fits one of the types a field accepts, see `acceptedType`. */
export function isAccepted(mimeType: string, accept: readonly string[], filename?: string): boolean {
  return acceptedType(mimeType, accept, filename) !== undefined;
}

/** Whether a type that a field accepts is the ending of a file name: ".png". */
function isEnding(accepted: string): boolean {
  return accepted.startsWith('.');
}

/** "image/jpg" for ".jpg": its other endings are taken, too. */
function typeOfEnding(ending: string): string {
  return `${mediaFamily(ending)}/${ending.slice(1)}`;
}

/** `image` for "image/png" and ".png": the first half of a type, or the kind of media with this ending; else undefined. */
export function mediaFamily(accepted: string): string | undefined {
  if (!isEnding(accepted)) return accepted.split('/', 1)[0];
  const ending = accepted.slice(1).toLowerCase();
  return Object.entries(MEDIA_ENDINGS).find(([, endings]) =>
    (endings as readonly string[]).includes(ending),
  )?.[0];
}

/** Whether a file is certainly none that is accepted: one of an unknown type may be of any, but has its ending. */
export function isOfOtherType(
  { contentType, filename }: { readonly contentType: string; readonly filename: string },
  accept: readonly string[],
): boolean {
  if (isAccepted(contentType, accept, filename)) return false;
  return mediaTypeOf(contentType) !== undefined || accept.every(isEnding);
}

/** Other endings of files of the same type: ".jpeg" for ".jpg". */
function sameEndings(ending: string): string[] {
  const others = Object.values(MEDIA_ENDINGS).flatMap((endings) => endings.map((one) => `.${one}`));
  return others.filter((one) => commonType(typeOfEnding(one)) === commonType(typeOfEnding(ending)));
}

/** The endings of all files that are accepted, where the field names endings; undefined: by their types. */
export function acceptedEndings(accept: readonly string[]): string[] | undefined {
  if (!accept.some(isEnding)) return undefined;
  const lists = accept.map((type) => {
    const family = type.endsWith('/*') ? mediaFamily(type) : undefined;
    const known = Object.entries(MEDIA_ENDINGS).find(([kind]) => kind === family);
    return isEnding(type) ? [type, ...sameEndings(type)] : known?.[1].map((ending) => `.${ending}`);
  });
  return lists.includes(undefined) ? undefined : [...new Set(lists.flatMap((list) => list ?? []))];
}
