import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as l10n from '@vscode/l10n';
import { mediaTypeOf } from '../domain/media';
import type { ModelContract } from '../domain/model';
import { readFileAt } from '../experiments/files/door';
import { acceptProblems } from '../runFiles/acceptedMedia';
import { resolveMedia } from '../runFiles/mediaFile';
import { mediaPaths, withRefs } from '../runFiles/mediaPaths';
import { isInside } from '../runFiles/paths';
import { draftIn, type ReadRunFile, type RunFileProblem, readRunFile } from '../runFiles/read';
import { LARGEST_RUN_FILE, textOfFile } from '../runFiles/text';
import type { LocalFile } from '../runs/runs';
import { fileBytes } from '../service/fileBytes';
import { messageOf } from '../wording/errors';
import { UsageError } from './usageError';

export interface NamedRunFile {
  /** The name in the call. */
  readonly name: string;
  readonly path: string;
  /** Folder that its media files are in: the one of the call, or its own when it is not in that. */
  readonly root: string;
  readonly file: ReadRunFile;
}

/** @param here folder of the call. @throws UsageError when there is no such file */
export async function readNamed(name: string, here: string): Promise<NamedRunFile> {
  const path = resolve(here, name);
  const root = isInside(path, here) ? here : dirname(path);
  return { name, path, root, file: readRunFile(await readNamedText(path)) };
}

/** The text of a run file or an experiment. @throws UsageError when there is none */
export async function readNamedText(name: string): Promise<string> {
  const read = await readFileAt(resolve(name), LARGEST_RUN_FILE).catch((error: unknown) => {
    throw new UsageError(messageOf(error));
  });
  if (!read) throw new UsageError(l10n.t('There is no file “{0}”.', name));
  return textOfFile(read.bytes);
}

/** The path of a file whose folder may be reached by links: the state knows results by their file. */
export async function realPlace(file: string): Promise<string> {
  const path = resolve(file);
  const folder = dirname(path);
  return join(await realpath(folder).catch(() => folder), basename(path));
}

/** Resolves media paths; the draft has the files' URIs in their place. Reads no file. */
export async function mediaFor(
  { path: runFile, root, file }: NamedRunFile,
  contract: ModelContract | undefined,
) {
  const draft = draftIn(file);
  const refs = new Map<string, string>();
  const files = new Map<string, LocalFile>();
  const problems: RunFileProblem[] = [];
  for (const { pointer, path, fault } of mediaPaths(draft)) {
    if (fault !== undefined) continue;
    const resolved = await resolveMedia(path, runFile, [root]);
    const { contentType } = typeof resolved === 'string' ? { contentType: '' } : resolved;
    const mediaType = mediaTypeOf(contentType);
    const message =
      typeof resolved === 'string'
        ? resolved
        : mediaType === undefined &&
          l10n.t('The media type of “{0}” cannot be determined from its name.', path);
    if (message || typeof resolved === 'string' || mediaType === undefined) {
      problems.push({
        source: 'media',
        severity: 'error',
        pointer: `${pointer}/media_ref`,
        message: message || '',
      });
      continue;
    }
    problems.push(...acceptProblems(file, contract, [{ pointer, path, resolved }]));
    const uri = pathToFileURL(resolved.path).href;
    refs.set(path, uri);
    const filename = path.slice(path.lastIndexOf('/') + 1);
    const source = {
      filename,
      contentType,
      mediaType,
      sizeBytes: resolved.sizeBytes,
      open: () => fileBytes(resolved.path),
    };
    files.set(uri, { uri, source });
  }
  return { draft: withRefs(draft, refs), files: [...files.values()], problems };
}
