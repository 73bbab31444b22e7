import type { Json, JsonObject } from '../domain/json';
import { localMedia, withUploadedRefs } from '../domain/media';
import type { RunRequest } from '../domain/run';

/** The environment variable that every snippet reads the key from; the key itself never stands in code. */
export const KEY_VARIABLE = 'MODEL_BENCH_API_KEY';

/** A local file of a request, as the code shall name it. */
export interface SnippetFile {
  /** The local URI that stands as `media_ref` in the request. */
  readonly ref: string;
  /** As given to the code's own file functions. */
  readonly path: string;
  readonly filename: string;
  readonly contentType: string;
  /** Section 2.3. */
  readonly mediaType: string;
}

/** A request whose local files are replaced by `marks`, texts that occur nowhere else in it. */
export interface MarkedRequest {
  readonly body: JsonObject;
  readonly uploads: readonly (SnippetFile & { readonly mark: string })[];
}

/** Names each local file once, however often it stands in the request. A file not in `files` is told by its URI. */
export function markFiles(request: RunRequest, files: readonly SnippetFile[]): MarkedRequest {
  const { model, mode, scope, input, params, options } = request;
  const body: JsonObject = {
    model,
    ...(mode === undefined ? {} : { mode }),
    ...(scope === undefined ? {} : { scope }),
    input,
    params,
    ...(options === undefined ? {} : { options }),
  };
  const refs = [...new Map(localMedia(body).map((media) => [media.media_ref, media])).values()];
  const text = JSON.stringify(body);
  let salt = 'mark';
  while (text.includes(salt)) salt += 'k';
  const uploads = refs.map((media, index) => {
    const known = files.find((file) => file.ref === media.media_ref);
    return { ...(known ?? fileOfUri(media.media_ref, media.filename)), mark: `${salt}${index + 1}.` };
  });
  const marks = new Map(uploads.map((upload) => [upload.ref, upload.mark]));
  return { body: withUploadedRefs(body, marks), uploads };
}

function fileOfUri(ref: string, filename: string | undefined): SnippetFile {
  const encoded = ref.replace(/^[a-z-]+:(\/\/[^/]*)?/, '');
  let path = encoded;
  try {
    path = decodeURIComponent(encoded);
  } catch {
    // A URI that is not well encoded is shown as it is.
  }
  // file:///c:/x is the path c:/x.
  path = path.replace(/^\/(?=[a-zA-Z]:)/, '');
  const name = filename ?? path.split('/').at(-1) ?? path;
  return { ref, path, filename: name, contentType: 'application/octet-stream', mediaType: 'file' };
}

/** How a language writes a JSON value. */
export interface Notation {
  readonly indent: string;
  readonly words: { readonly true: string; readonly false: string; readonly null: string };
  key(name: string): string;
}

/**
 * A value as a literal. Texts are written as JSON writes them, which Python and JavaScript read alike; each mark
 * becomes the variable it stands for.
 */
export function literal(
  value: Json,
  notation: Notation,
  variables: ReadonlyMap<string, string>,
  level = 0,
): string {
  if (value === null) return notation.words.null;
  if (typeof value === 'boolean') return value ? notation.words.true : notation.words.false;
  if (typeof value === 'string') return variables.get(value) ?? JSON.stringify(value);
  if (typeof value === 'number') return JSON.stringify(value);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => literal(item, notation, variables, level + 1))
    : Object.entries(value).map(
        ([key, item]) => `${notation.key(key)}: ${literal(item, notation, variables, level + 1)}`,
      );
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return `${open}${close}`;
  const inner = notation.indent.repeat(level + 1);
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${notation.indent.repeat(level)}${close}`;
}

/** The base URL without its trailing slash, so that paths can be put after it. */
export function trimmed(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, '');
}
