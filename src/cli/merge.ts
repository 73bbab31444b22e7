import { copyFile, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { mergeResults, readResults } from '../experiments/results';
import { UsageError } from './arguments';
import { exitCodes } from './exitCodes';
import type { Terminal } from './terminal';

/**
 * Joins results files into one, with the files of large results. What the target has stays.
 * @returns the exit code
 */
export async function merge(out: string, names: readonly string[], terminal: Terminal): Promise<number> {
  const target = resolve(out);
  const texts = await Promise.all(names.map((name) => textOf(name)));
  const before = await readFile(target, 'utf8').catch(noFile);
  const merged = mergeResults([before, ...texts]);
  for (const [index, text] of texts.entries())
    await copyBodies(dirname(resolve(names[index]!)), dirname(target), text, terminal);
  // Whole or not at all: the target may be one of the files that were read.
  await writeFile(`${target}.part`, merged);
  await rename(`${target}.part`, target);
  const { results, unreadable } = readResults(merged);
  terminal.print(l10n.t('{0} results in {1}.', results.length, out));
  if (unreadable.length > 0)
    terminal.warn(l10n.t('{0} lines cannot be read; they stay at the end of the file.', unreadable.length));
  return exitCodes.passed;
}

async function textOf(name: string): Promise<string> {
  const text = await readFile(name, 'utf8').catch(noFile);
  if (text === '' && !(await stat(name).catch(() => undefined)))
    throw new UsageError(l10n.t('There is no file “{0}”.', name));
  return text;
}

function noFile(error: unknown): string {
  if ((error as { code?: unknown }).code === 'ENOENT') return '';
  throw error;
}

/** A folder's name and a file's: nothing leads outside. */
const INSIDE = /^[^/\\:]+\/[^/\\:]+$/;

async function copyBodies(from: string, to: string, text: string, terminal: Terminal): Promise<void> {
  if (from === to) return;
  for (const { result_file: name } of readResults(text).results) {
    if (name === undefined) continue;
    try {
      if (!INSIDE.test(name) || name.includes('..')) throw new Error(name);
      await mkdir(dirname(join(to, name)), { recursive: true });
      await copyFile(join(from, name), join(to, name));
    } catch {
      terminal.warn(l10n.t('The result file “{0}” could not be copied.', name));
    }
  }
}
