import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, parse } from 'node:path';
import * as l10n from '@vscode/l10n';
import { type ProgramOptions, startProgram } from './startProgram';

/*
 * Git, with the configuration of the user alone as far as git allows: folders inside a repository are not taken for
 * repositories, and settings of a repository that name programs, files or addresses have neutral values.
 */

/** Commands that read answer much sooner. */
const DEADLINE = 5_000;
/** The first that can ignore a bare repository inside another one. */
const LEAST_VERSION = [2, 38] as const;

const NEUTRAL: readonly (readonly [setting: string, value: string])[] = [
  ['safe.bareRepository', 'explicit'],
  ['core.fsmonitor', 'false'],
  ['core.attributesFile', ''],
  ['diff.orderFile', '/dev/null'],
  ['log.showSignature', 'false'],
];

const ARGUMENTS = [
  ...['--literal-pathspecs', '--no-pager'],
  ...NEUTRAL.flatMap(([setting, value]) => ['-c', `${setting}=${value}`]),
];

/**
 * Starts a reading command of git.
 * @param folder absolute path inside the repository; left out: the command is about none
 * @throws NotStarted, and an error with a sentence where git is too old
 */
export async function startGit(
  folder: string | undefined,
  args: readonly string[],
  options: Pick<ProgramOptions, 'stdio' | 'deadline'> = {},
) {
  versionCheck ??= checkVersion();
  await versionCheck.catch((error) => {
    versionCheck = undefined;
    throw error;
  });
  const place = folder === undefined ? [] : ['-C', folder];
  return startProgram('git', [...place, ...ARGUMENTS, ...args], { ...options, env: environment() });
}

/**
 * Runs a reading command of git, for at most five seconds.
 * @returns its output
 * @throws when it fails, or has more output than `mostBytes`
 */
export async function git(
  folder: string | undefined,
  args: readonly string[],
  mostBytes: number,
): Promise<Buffer> {
  return outputOf(await startGit(folder, args, { ...SILENT, deadline: DEADLINE }), mostBytes);
}

const SILENT = { stdio: ['ignore', 'pipe', 'ignore'] } satisfies ProgramOptions;

async function outputOf(child: Awaited<ReturnType<typeof startProgram>>, mostBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  const status = new Promise<number | null>((done) => child.once('close', done));
  child.stdout!.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > mostBytes) child.kill('SIGKILL');
    else pieces.push(piece);
  });
  if ((await status) !== 0) throw new Error(l10n.t('Git could not read this.'));
  return Buffer.concat(pieces);
}

function environment(): Record<string, string> {
  const ceilings = [dirname(homedir()), tmpdir(), parse(homedir()).root];
  const known = process.env.GIT_CEILING_DIRECTORIES;
  return {
    GIT_CEILING_DIRECTORIES: [...(known ? [known] : []), ...ceilings].join(delimiter),
    // Objects that are missing are not fetched: no protocol has this name.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
  };
}

let versionCheck: Promise<void> | undefined;

async function checkVersion(): Promise<void> {
  const child = await startProgram('git', ['--version'], { ...SILENT, deadline: DEADLINE });
  const text = (await outputOf(child, 10_000)).toString();
  const [major = 0, minor = 0] = (/^git version (\d+)\.(\d+)/.exec(text) ?? []).slice(1).map(Number);
  const [leastMajor, leastMinor] = LEAST_VERSION;
  if (major < leastMajor || (major === leastMajor && minor < leastMinor))
    throw new Error(l10n.t('Git {0} or later is needed.', LEAST_VERSION.join('.')));
}
