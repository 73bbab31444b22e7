import { mediaTypeOf } from '../domain/media';
import { sha256Of } from '../runs/uploads/sha256Of';
import { Turns } from '../service/turns';
import type { Datasets } from '../store/datasets';
import type { Uploads } from '../store/uploads';
import type { PlannedFile } from './indexFile';

/** Known contents and uploads of this machine. */
interface Known {
  readonly datasets: Pick<Datasets, 'ofFile'>;
  readonly uploads: Pick<Uploads, 'find'>;
}

/** Read for this in all, to know contents: about a fifth of a second. */
const MOST_READ_BYTES = 32 * 2 ** 20;

/**
 * How many bytes of these files a job will upload; a content with a reusable upload counts 0. The content is known
 * from the plan or from another dataset with the unchanged file; else it is read, if all such files are small enough:
 * if not, the number is the most.
 */
export async function bytesToUpload(
  baseUrl: string,
  files: readonly PlannedFile[],
  { datasets, uploads }: Known,
) {
  const turns = new Turns();
  const isUploaded = ({ contentType }: PlannedFile, sha256: string) => {
    const mediaType = mediaTypeOf(contentType);
    return mediaType !== undefined && uploads.find({ baseUrl, sha256, mediaType }) !== undefined;
  };
  const unread: PlannedFile[] = [];
  let bytes = 0;
  for (const file of files) {
    const sha256 = file.sha256 ?? fileContent(file, datasets);
    if (sha256 === undefined) unread.push(file);
    else if (!isUploaded(file, sha256)) bytes += file.sizeBytes;
    if (turns.isOver) await turns.next();
  }
  const unreadBytes = unread.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (unreadBytes > MOST_READ_BYTES) return { bytes: bytes + unreadBytes, isMost: true };
  for (const file of unread) {
    // One that cannot be read fails in the job, with its reason.
    const sha256 = await readHash(file);
    if (sha256 !== undefined && !isUploaded(file, sha256)) bytes += file.sizeBytes;
    if (turns.isOver) await turns.next();
  }
  return { bytes, isMost: false };
}

function fileContent(
  { uri, sizeBytes, modifiedMs }: PlannedFile,
  datasets: Known['datasets'],
): string | undefined {
  const same = datasets
    .ofFile(uri)
    .find((item) => item.sizeBytes === sizeBytes && item.modifiedMs === modifiedMs && item.sha256 !== '');
  return same?.sha256;
}

async function readHash(file: PlannedFile): Promise<string | undefined> {
  try {
    return await sha256Of(file.open());
  } catch {
    return undefined;
  }
}
