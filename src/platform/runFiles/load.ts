import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { RunDraft } from '../../domain/run';
import { withRefs } from '../../runFiles/mediaPaths';
import { draftIn, type ReadRunFile, type RunFileProblem, readRunFile } from '../../runFiles/read';
import { LARGEST_RUN_FILE } from '../../runFiles/text';
import { executeBuiltIn } from '../../vscode/commands';
import { fileFacts } from '../../vscode/fileFacts';
import { showErrorMessage } from '../../vscode/messages/notifications';
import { openDocument } from '../documentText';
import { filenameOf } from '../localFile';
import { namedMedia } from './places';

/** A run file from its editor, saved or not; else from the disk. */
export async function readFileAt(uri: vscode.Uri): Promise<ReadRunFile> {
  const open = openDocument(uri);
  if (open) return readRunFile(open.getText());
  const facts = await fileFacts(uri);
  if (!facts) throw new Error(l10n.t('“{0}” no longer exists.', filenameOf(uri)));
  if (facts.isFolder || facts.sizeBytes > LARGEST_RUN_FILE)
    throw new Error(l10n.t('“{0}” is too large to be a run file (more than 1 MB).', filenameOf(uri)));
  return readRunFile((await vscode.workspace.openTextDocument(uri)).getText());
}

/** The request of a run file for a run panel: local files have their URIs as references. */
export interface LoadedDraft {
  readonly draft: RunDraft;
  /** URIs of the local files that may be read, by their path in the run file. */
  readonly uris: ReadonlyMap<string, string>;
}

/** Only files of the workspace get a URI; others keep their path, which is uploaded from nowhere. */
export async function loadDraft(uri: vscode.Uri, file: ReadRunFile): Promise<LoadedDraft> {
  const media = await namedMedia(uri, file);
  const uris = new Map(
    media.flatMap(({ path, resolved }): [string, string][] =>
      typeof resolved === 'string' ? [] : [[path, vscode.Uri.file(resolved.path).toString()]],
    ),
  );
  return { draft: withRefs(draftIn(file), uris), uris };
}

/** @throws with what to fix, after the first of the problems was shown in the editor */
export async function rejectProblems(uri: vscode.Uri, problems: readonly RunFileProblem[]): Promise<void> {
  const message = notRunText(uri, problems);
  if (message === undefined) return;
  const show = l10n.t('Show File');
  if ((await showErrorMessage(message, show)) === show) await executeBuiltIn('vscode.open', uri);
  throw new vscode.CancellationError();
}

/** Undefined where no problem is an error. */
export function notRunText(
  uri: vscode.Uri,
  problems: readonly Pick<RunFileProblem, 'severity' | 'message'>[],
): string | undefined {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  const name = filenameOf(uri);
  if (!first) return undefined;
  return errors.length === 1
    ? l10n.t('“{0}” was not run. {1}', name, first.message)
    : l10n.t(
        '“{0}” was not run. Fix {1} problems before running, first: {2}',
        name,
        errors.length,
        first.message,
      );
}
