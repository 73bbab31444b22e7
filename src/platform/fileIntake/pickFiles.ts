import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { MEDIA_ENDINGS } from '../../domain/media';
import { showOpenDialog } from '../../vscode/messages/fileDialogs';

/** File name endings of the dialog's filters. */
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  ...MEDIA_ENDINGS,
  table: ['csv', 'tsv', 'jsonl', 'ndjson'],
};

export interface FileQuestion {
  readonly openLabel: string;
  readonly title?: string;
  readonly many?: boolean;
  /** `only`: where the system's dialog cannot choose both. */
  readonly folders?: boolean | 'only';
  /** `image`, `audio`, `video` or `table`: listed first. */
  readonly kind?: string | undefined;
  /** Endings of the only files that are asked for, as ".png": listed first, in place of those of the kind. */
  readonly endings?: readonly string[] | undefined;
}

/** Asks for files in the system's dialog. Empty: cancelled. */
export async function pickFiles(question: FileQuestion): Promise<readonly vscode.Uri[]> {
  const { openLabel, title, many = false, folders = false, kind } = question;
  const wanted = question.endings?.map((ending) => ending.slice(1));
  const endings = wanted ?? (kind === undefined ? undefined : ENDINGS[kind]);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const picked = await showOpenDialog({
    openLabel,
    canSelectMany: many,
    canSelectFiles: folders !== 'only',
    canSelectFolders: folders !== false,
    title,
    ...(folder && { defaultUri: folder }),
    ...(endings && {
      filters: { [kindName(kind)]: [...endings], [l10n.t('All Files')]: ['*'] },
    }),
  });
  return picked ?? [];
}

function kindName(kind: string | undefined): string {
  if (kind === undefined || ENDINGS[kind] === undefined) return l10n.t('Supported Files');
  if (kind === 'image') return l10n.t('Images');
  if (kind === 'table') return l10n.t('Tables');
  return kind === 'audio' ? l10n.t('Audio') : l10n.t('Video');
}
