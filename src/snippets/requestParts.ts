import type { JsonObject } from '../domain/json';
import { localMedia, withUploadedRefs } from '../domain/media';
import { percentDecoded } from '../domain/percentDecoded';
import type { RunRequest } from '../domain/run';

/** The environment variable that every snippet reads the key from; the key itself is never in code. */
export const KEY_VARIABLE = 'MODEL_BENCH_API_KEY';

/** A local file of a request, as the code names it. */
export interface SnippetFile {
  /** The local URI in place of `media_ref` in the request. */
  readonly ref: string;
  /** As given to the code's own file functions. */
  readonly path: string;
  readonly filename: string;
  readonly contentType: string;
  /** Section 2.3. */
  readonly mediaType: string;
}

/** A request with its local files replaced by `marks`, texts that occur nowhere else in it. */
export interface MarkedRequest {
  readonly body: JsonObject;
  readonly uploads: readonly Upload[];
}

/** A local file to upload: its mark, and the arguments of the code's own upload function. */
interface Upload {
  readonly mark: string;
  readonly args: readonly [path: string, filename: string, contentType: string, mediaType: string];
}

/** Marks each local file once, however often it is in the request. A file not in `files` is named after its URI. */
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
  const uploads = refs.map((media, index): Upload => {
    const known = files.find((file) => file.ref === media.media_ref);
    const file = known ?? fileOfUri(media.media_ref, media.filename);
    return {
      mark: `${salt}${index + 1}.`,
      args: [file.path, file.filename, file.contentType, file.mediaType],
    };
  });
  const marks = new Map(refs.map((media, index) => [media.media_ref, uploads[index]!.mark]));
  return { body: withUploadedRefs(body, marks), uploads };
}

function fileOfUri(ref: string, filename: string | undefined): SnippetFile {
  const encoded = ref.replace(/^[a-z-]+:(\/\/[^/]*)?/, '');
  let path = percentDecoded(encoded);
  // file:///c:/x is the path c:/x.
  path = path.replace(/^\/(?=[a-zA-Z]:)/, '');
  const name = filename ?? path.split('/').at(-1) ?? path;
  return { ref, path, filename: name, contentType: 'application/octet-stream', mediaType: 'file' };
}
