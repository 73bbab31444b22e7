import { basename, dirname, posix } from 'node:path';
import { git, startGit } from '../../programs/git';
import { MOST_RESULT_BYTES } from '../results/resultsFile';
import { resultFilePlaces } from './places';

/* Earlier results in git. Only reading commands run, on objects that the repository has. */

export interface ResultsCommit {
  readonly hash: string;
  /** ISO 8601, with the committer's offset. */
  readonly date: string;
  readonly subject: string;
  /** The file in that commit, from the top of the repository: it may have had another name. */
  readonly path: string;
}

/** Older ones are named in a terminal. */
const MOST_COMMITS = 200;
const LONGEST_LOG = 2_000_000;

/**
 * The commits that changed a results file, newest first, also from before it was renamed. Empty: git does not know it,
 * or there is no git.
 */
export async function commitsOf(file: string): Promise<ResultsCommit[]> {
  const format = '--format=%x01%H%x1f%cI%x1f%s';
  const args = [
    'log',
    '-z',
    '--follow',
    '--name-only',
    '--no-ext-diff',
    '--no-textconv',
    '--no-mailmap',
    format,
  ];
  const log = await git(
    dirname(file),
    [...args, `--max-count=${MOST_COMMITS}`, '--', basename(file)],
    LONGEST_LOG,
  ).catch(() => Buffer.alloc(0));
  return log
    .toString()
    .split('\u0001')
    .flatMap((entry) => {
      const [facts = '', path = ''] = entry.split('\0');
      const [hash = '', date = '', subject = ''] = facts.split('\u001f');
      return /^[\da-f]{40,64}$/.test(hash) && path.trim() !== ''
        ? [{ hash, date, subject, path: path.replace(/^\n/, '') }]
        : [];
    });
}

/**
 * The content of a file in a commit.
 * @param file absolute path
 * @param revision names the commit as git does
 * @param path from the top of the repository; missing: that of the file now
 * @throws when there is none
 */
export async function fileInCommit(file: string, revision: string, path?: string): Promise<Uint8Array> {
  // An option or a range is no commit.
  if (!/^[^-:\s][^:\s]*$/.test(revision)) throw new Error(`${revision} names no commit`);
  const object = `${revision}:${path ?? `./${basename(file)}`}`;
  return git(dirname(file), ['cat-file', 'blob', object], MOST_RESULT_BYTES);
}

/** Of all files of one commit together, and of one. */
const MOST_BODY_BYTES = 300_000_000;
const LARGEST_BODY = 64_000_000;
/** For all of them: a slow disk writes some 100 MB a second. */
const LONGEST_BATCH_MS = 5_000;

/**
 * Reads the files of results that a commit has, with one process for all. Those that the commit does not have are left
 * out, and so are large ones.
 * @param names as result lines name them
 */
export async function bodiesInCommit(
  file: string,
  { hash, path = `./${basename(file)}` }: Pick<ResultsCommit, 'hash'> & Partial<Pick<ResultsCommit, 'path'>>,
  names: readonly string[],
  onBody: (name: string, bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  const folder = path.slice(0, path.lastIndexOf('/') + 1) + resultFilePlaces(path).folder;
  const asked = names.filter((name) => !/[\r\n]/.test(name));
  const child = await startGit(dirname(file), ['cat-file', '--batch'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    deadline: LONGEST_BATCH_MS,
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  // A process that ends early reads no more.
  child.stdin!.on('error', () => undefined);
  child.stdin!.end(asked.map((name) => `${hash}:${folder}/${posix.basename(name)}\n`).join(''));
  let pieces: Buffer[] = [];
  let [held, wanted, at, total] = [0, 1, 0, 0];
  try {
    for await (const piece of child.stdout!) {
      pieces.push(piece as Buffer);
      held += (piece as Buffer).length;
      if (held < wanted) continue;
      let rest = Buffer.concat(pieces);
      for (wanted = 1; ; at += 1) {
        const end = rest.indexOf('\n');
        if (end < 0) break;
        const size = Number(/^[\da-f]{40,64} blob (\d+)$/.exec(rest.subarray(0, end).toString())?.[1] ?? -1);
        total += Math.max(0, size);
        if (size > LARGEST_BODY || total > MOST_BODY_BYTES) return;
        wanted = size < 0 ? end + 1 : end + size + 2;
        if (rest.length < wanted) {
          total -= size;
          break;
        }
        if (size >= 0) await onBody(asked[at]!, rest.subarray(end + 1, end + 1 + size));
        rest = rest.subarray(wanted);
        wanted = 1;
      }
      [pieces, held] = [[rest], rest.length];
    }
  } finally {
    child.kill();
    await ended;
  }
}
