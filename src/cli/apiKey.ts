import { once } from 'node:events';
import * as l10n from '@vscode/l10n';
import { UsageError } from '../commands/usageError';
import { NotStarted, startProgram } from '../programs/startProgram';

/** A password manager may ask for a fingerprint or a password first. */
const LONGEST_WAIT_MS = 120_000;
const LONGEST_OUTPUT = 10_000;

/**
 * The API key: the output of the command of `--key-command`, the variable MODEL_BENCH_API_KEY, or the output of the
 * command in MODEL_BENCH_API_KEY_COMMAND. It is held in memory only.
 * @throws UsageError without any output of the command
 */
export async function readApiKey(
  command: string | undefined,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  if (command !== undefined) return keyOfCommand(command);
  const key = env.MODEL_BENCH_API_KEY?.trim() ?? '';
  if (key !== '') return key;
  const other = env.MODEL_BENCH_API_KEY_COMMAND?.trim() ?? '';
  if (other !== '') return keyOfCommand(other);
  throw new UsageError(
    l10n.t(
      'Set the environment variable MODEL_BENCH_API_KEY to the API key, or name a command that prints it with --key-command.',
    ),
  );
}

/** Run without a shell, so that no part of the command is expanded; its questions and messages go to the terminal. */
async function keyOfCommand(command: string): Promise<string> {
  const [name, ...args] = commandWords(command);
  if (name === undefined) throw new UsageError(l10n.t('The key command is empty.'));
  const child = await startProgram(name, args, {
    stdio: ['inherit', 'pipe', 'inherit'],
    deadline: LONGEST_WAIT_MS,
  }).catch((error) => {
    if (!(error instanceof NotStarted)) throw error;
    throw new UsageError(l10n.t('The key command was not started. {0}', error.message));
  });
  let output = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.length > LONGEST_OUTPUT) child.kill();
  });
  const [code, signal] = await once(child, 'close');
  if (code !== 0)
    throw new UsageError(
      l10n.t('The key command “{0}” failed: {1}.', name, signal ?? l10n.t('exit code {0}', code)),
    );
  const key = output.trim();
  if (key === '') throw new UsageError(l10n.t('The key command “{0}” printed no key.', name));
  if (/\s/.test(key))
    throw new UsageError(
      l10n.t('The key command “{0}” printed more than a key: one word is expected.', name),
    );
  return key;
}

/** The words of a command; quotes, single or double, keep spaces. A backslash is a character as any other. */
export function commandWords(command: string): string[] {
  return [...command.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+|["']/g)].map(([word]) =>
    word.replaceAll(
      /"([^"]*)"|'([^']*)'/g,
      (_, double: string | undefined, single: string | undefined) => double ?? single ?? '',
    ),
  );
}
