import * as vscode from 'vscode';
import { assertNever } from '../../domain/assertNever';
import { isLocalRef } from '../../domain/media';
import type { HitAct } from '../../protocol/search';
import { executeBuiltIn, executeCommand } from '../../vscode/commands';

/**
 * Chosen from the context menu of a hit in a run's result.
 * @param file its URI, as the page names it: only files are opened, and none is sent without a question
 */
export async function actOnResultHit(id: string, file: string | undefined, act: HitAct): Promise<void> {
  if (act === 'copyId') return vscode.env.clipboard.writeText(id);
  if (file === undefined || !isLocalRef(file)) return;
  const uri = vscode.Uri.parse(file, true);
  switch (act) {
    case 'reveal':
      await executeBuiltIn('revealInExplorer', uri);
      return;
    case 'findSimilar':
      await executeCommand('modelBench.findSimilar', uri);
      return;
    case 'copyImage':
      // Only a page can put a picture into the clipboard: its tile has no such entry.
      return;
    default:
      assertNever(act);
  }
}
