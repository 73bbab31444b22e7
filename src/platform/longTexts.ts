import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isConfirmed } from '../vscode/dialogs';
import { formatBytes } from '../wording/bytes';

/**
 * Characters that VS Code passes on without being held up: it writes, reads and splits a text at once, in some 15 ms
 * for a million of the worst.
 */
const LONG_TEXT = 2 ** 20;

/** Whether VS Code would be held up by a text. */
export function isLong({ length }: string): boolean {
  return length > LONG_TEXT;
}

/** Copies a text; asks first about one that would hold up the window. */
export async function copyText(text: string): Promise<void> {
  const yes = l10n.t('Copy');
  if (await isWanted(text, l10n.t('Copy {0} of text?', textSize(text)), yes))
    await vscode.env.clipboard.writeText(text);
}

/** The beginning of a text that a document of ours gives to VS Code without a question. */
export function shortened(text: string): string {
  if (!isLong(text)) return text;
  const rest = l10n.t('The rest of {0} is not shown.', textSize(text));
  return `${text.slice(0, LONG_TEXT)}\n… ${rest}\n`;
}

/** The lines of a text, as far as such a document has them: each that differs is seen. */
export function textLines(text: string): readonly string[] {
  return shortened(text).split('\n');
}

/** Whether a text may hold up the window: one that is not long does not, and of others the user is asked. */
export async function isWanted(text: string, question: string, yes: string): Promise<boolean> {
  if (!isLong(text)) return true;
  const detail = l10n.t(
    'VS Code may not respond for some seconds. To keep the whole response, save it as a file instead.',
  );
  return isConfirmed(question, detail, yes);
}

function textSize({ length }: string): string {
  return formatBytes(length, vscode.env.language);
}
