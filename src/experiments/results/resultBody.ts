import { createHash } from 'node:crypto';
import { isDeeper } from '../../domain/depth';
import { contentTypeOfBytes } from '../../domain/fileSignatures';
import type { Json } from '../../domain/json';
import type { RunResponse } from '../../domain/response';
import { extensionOfType } from '../../intake/contentType';
import type { ResultLine } from './resultLine';
import { contentMark, splitResult } from './resultMedia';
import { skeletonOf } from './resultSkeleton';

/**
 * A longer result has a file of its own, with its short parts in the line: lines stay readable, and git shows the
 * changes.
 */
const LONGEST_RESULT = 16_000;

/** Deeper values are not shown or measured: see `resultLine`. */
const DEEPEST = 500;

interface ResultFile {
  readonly extension: string;
  readonly bytes: Uint8Array;
}

/**
 * A kept result: in its line, in files beside it, or in both: each picture is a file, and the line has the rest with
 * a `contentMark` in its place.
 */
export interface KeptResult extends Pick<ResultLine, 'result' | 'result_without' | 'result_sha256'> {
  /** The long result itself, where it is one, then its media. */
  readonly files: readonly ResultFile[];
}

/** The kept part of a response: the part that Preview shows. Undefined: there is no result. */
export function keptResult({ output, raw }: Pick<RunResponse, 'output' | 'raw'>): KeptResult | undefined {
  if (output === undefined) return undefined;
  // Media and other bytes: they are no JSON.
  if (output === null && raw.json === undefined && raw.bytes.length > 0)
    return { result: contentMark(raw.bytes), files: [{ extension: extensionOf(raw), bytes: raw.bytes }] };
  if (isDeeper(output as Json, raw.bytes, DEEPEST)) return unreadKept(raw);
  const { rest, media } = splitResult(output as Json) ?? { rest: output as Json, media: [] };
  const files = media.map((medium) => ({ extension: extensionOf(medium), bytes: medium.bytes }));
  const text = JSON.stringify(rest);
  if (text.length <= LONGEST_RESULT) return { result: rest, files };
  const isText = typeof rest === 'string';
  const bytes = new TextEncoder().encode(isText ? rest : text);
  const skeleton = skeletonOf(rest, LONGEST_RESULT);
  return {
    ...(skeleton && { result: skeleton.rest, result_without: skeleton.without }),
    result_sha256: createHash('sha256').update(bytes).digest('hex'),
    files: [{ extension: isText ? 'txt' : 'json', bytes }, ...files],
  };
}

/** A result that is nested too deep to be read again, or written: the whole response, as a file. */
function unreadKept({ bytes, contentType }: RunResponse['raw']): KeptResult {
  const result_sha256 = createHash('sha256').update(bytes).digest('hex');
  return { result_sha256, files: [{ extension: extensionOf({ bytes, contentType }), bytes }] };
}

/** The extension of a file by its bytes, else by the type that it is said to have. */
export function extensionOf({
  bytes,
  contentType,
}: Pick<RunResponse['raw'], 'bytes' | 'contentType'>): string {
  const type = contentTypeOfBytes(bytes.subarray(0, 32)) ?? contentType.split(';', 1)[0]!.trim();
  return extensionOfType(type) ?? 'bin';
}

/**
 * The name of a result's file, relative to the results file, with `/`: that of its input, and the id that tells it
 * from others. Names have any origin: only characters that every file system takes are left.
 * @param folder name of the folder of such files
 * @param number of the file among those of its result, from 1
 */
export function bodyName(
  folder: string,
  item: string,
  customId: string,
  extension: string,
  number = 1,
): string {
  const [name = ''] = (item.split('/').at(-1) ?? '').split(/\.[^.]*$/);
  const plain = name
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}_-]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  const parts = [...(plain === '' ? [] : [plain]), customId, ...(number > 1 ? [number] : [])];
  return `${folder}/${parts.join('-')}.${extension}`;
}
