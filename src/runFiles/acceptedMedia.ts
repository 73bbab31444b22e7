import { basename } from 'node:path';
import { isOfOtherType } from '../domain/media';
import { type ModeContract, type ModelContract, modeOf } from '../domain/model';
import { acceptedAt } from '../forms/acceptedAt';
import { fileFaultText } from '../intake/fileCheck';
import type { MediaFile } from './mediaFile';
import { draftIn, type ReadRunFile, type RunFileProblem } from './read';

/** Files of a run file, by their bytes, that their fields do not take: a run over them would be paid for nothing. */
export function acceptProblems(
  file: ReadRunFile,
  contract: ModelContract | undefined,
  media: readonly {
    readonly pointer: string;
    readonly path: string;
    readonly resolved: MediaFile | string;
  }[],
): RunFileProblem[] {
  const mode = contract && modeOf(contract, draftIn(file).mode);
  if (!mode) return [];
  return media.flatMap(({ pointer, path, resolved }) => {
    const message = typeof resolved === 'string' ? undefined : otherTypeText(mode, pointer, path, resolved);
    if (message === undefined) return [];
    return [{ source: 'media', severity: 'error', pointer: `${pointer}/media_ref`, message } as const];
  });
}

/** Why the field at a place of a mode's request does not take a file; undefined where it does. */
export function otherTypeText(
  mode: ModeContract,
  pointer: string,
  path: string,
  { contentType: is }: Pick<MediaFile, 'contentType'>,
): string | undefined {
  const isOther = isOfOtherType({ contentType: is, filename: basename(path) }, acceptedAt(mode, pointer));
  return isOther ? fileFaultText({ fault: 'otherType', is }, path) : undefined;
}
