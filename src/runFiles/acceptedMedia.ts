import { basename } from 'node:path';
import { isOfOtherType } from '../domain/media';
import { type ModelContract, modeOf } from '../domain/model';
import { acceptedAt } from '../forms/acceptedAt';
import { fileFaultText } from '../intake/fileCheck';
import type { MediaFile } from './mediaFile';
import { draftIn, type ReadRunFile, type RunFileProblem } from './read';

/** Files of a run file, by their bytes, that their fields do not take: a run over them would be paid for nothing. */
export function acceptProblems(
  file: ReadRunFile,
  contract: ModelContract | undefined,
  media: readonly { readonly pointer: string; readonly path: string; readonly found: MediaFile | string }[],
): RunFileProblem[] {
  const mode = contract && modeOf(contract, draftIn(file).mode);
  if (!mode) return [];
  return media.flatMap(({ pointer, path, found }) => {
    if (typeof found === 'string') return [];
    const { contentType: is } = found;
    const bytes = { contentType: is, filename: basename(path) };
    if (!isOfOtherType(bytes, acceptedAt(mode, pointer))) return [];
    const message = fileFaultText({ fault: 'otherType', is }, path);
    return [{ source: 'media', severity: 'error', pointer: `${pointer}/media_ref`, message } as const];
  });
}
