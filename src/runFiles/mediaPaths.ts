import * as l10n from '@vscode/l10n';
import type { Json } from '../domain/json';
import { isLocalRef, isMediaObject, type MediaObject, withUploadedRefs } from '../domain/media';
import { childPointer } from '../domain/pointer';
import type { RunDraft } from '../domain/run';

export interface MediaPath {
  /** Of the media object. */
  readonly pointer: string;
  /** Relative to the run file, with `/` between its parts, as written in the file. */
  readonly path: string;
  /** Why it cannot be a path of a run file on any disk. */
  readonly fault?: string;
}

/** Whether a `media_ref` is a path relative to the run file; anything else is a reference of the service. */
function isRelativePath(mediaRef: string): boolean {
  return /^\.\.?\//.test(mediaRef);
}

/** The local files that a draft names, in document order. */
export function mediaPaths({ input, params }: Pick<RunDraft, 'input' | 'params'>): MediaPath[] {
  return [...pathsBelow(input, '/input'), ...pathsBelow(params, '/params')];
}

function pathsBelow(value: Json | undefined, pointer: string): MediaPath[] {
  if (typeof value !== 'object' || value === null) return [];
  if (isMediaObject(value)) return pathsOf(value, pointer);
  return Object.entries(value).flatMap(([key, item]) =>
    typeof item === 'object' ? pathsBelow(item, childPointer(pointer, key)) : [],
  );
}

function pathsOf({ media_ref: path }: MediaObject, pointer: string): MediaPath[] {
  if (isRelativePath(path)) {
    if (!path.includes('\0') && !path.includes('\\')) return [{ pointer, path }];
    return [{ pointer, path, fault: l10n.t('A path of a run file has “/” between its parts.') }];
  }
  if (!isLocalRef(path) && !isAbsolutePath(path)) return [];
  const fault = l10n.t('Enter a path relative to this file that begins with “./” or “../”.');
  return [{ pointer, path, fault }];
}

function isAbsolutePath(path: string): boolean {
  return /^(?:\/|\\|[a-zA-Z]:[\\/]|~[\\/]|\.\.?\\)/.test(path);
}

/** The draft with the references of its local files replaced; `refs` maps a path to its replacement. */
export function withRefs(draft: RunDraft, refs: ReadonlyMap<string, string>): RunDraft {
  return {
    ...draft,
    input: withUploadedRefs(draft.input, refs),
    params: withUploadedRefs(draft.params, refs),
  };
}

/** The draft as a form has it, for a check: local files as URIs, which are not read. */
export function pathsAsUris(draft: RunDraft): RunDraft {
  const paths = mediaPaths(draft).map(({ path }) => path);
  return paths.length === 0
    ? draft
    : withRefs(draft, new Map(paths.map((path) => [path, `file:///${path}`])));
}
