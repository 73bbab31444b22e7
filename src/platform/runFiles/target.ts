import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FileTarget } from '../../contributions';
import { activeFile } from '../fileIntake/openTabs';
import { isRunFileName } from './names';

/** The run file of a command: the one that was passed, else that of the active editor. */
export function targetFile(target: FileTarget | undefined): vscode.Uri {
  const uri = target instanceof vscode.Uri ? target : activeFile();
  if (uri && isRunFileName(uri.path)) return uri;
  throw new Error(l10n.t('Open a run file first: its name ends in .run.json.'));
}
