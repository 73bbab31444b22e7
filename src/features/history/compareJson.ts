import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { RunRecord } from '../../domain/runRecord';
import { jsonText } from '../../platform/jsonText';
import { shortened, textLines } from '../../platform/longTexts';
import { RunResult } from '../../platform/runResult';
import { FOREIGN_JSON } from '../../platform/textEditor';
import type { Services } from '../../services';
import { executeBuiltIn } from '../../vscode/commands';
import { plainLine } from '../../wording/plainText';
import { RUN_DOCUMENTS } from './compare';
import { keptRequest } from './kept';
import { runName } from './nodes';

export async function compareAsJson(left: RunRecord, right: RunRecord): Promise<void> {
  const title = l10n.t('{0} ↔ {1}', runAndTime(left), runAndTime(right));
  await executeBuiltIn('vscode.diff', uriOf(left), uriOf(right), plainLine(title), { preview: false });
}

/** A run by its name and when it began. */
export function runAndTime(run: RunRecord): string {
  const time = new Date(run.startedAt).toLocaleString(vscode.env.language, {
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return `${runName(run)}, ${time}`;
}

function uriOf(run: RunRecord): vscode.Uri {
  const name = runAndTime(run).replaceAll(/[\\/]/g, '-');
  return vscode.Uri.from({ scheme: RUN_DOCUMENTS, path: `/${name}.${FOREIGN_JSON}`, query: run.id });
}

/**
 * A run as JSON, without identifiers and times, which differ between any two runs; for a response, the content of its
 * envelope.
 */
export async function runDocument(services: Services, id: string): Promise<string> {
  const history = await services.history();
  const run = history.get(id);
  if (!run) return l10n.t('This run is no longer in the history.');
  const bytes = await history.runs.result(id);
  const result = bytes && RunResult.kept(run, bytes);
  const { state, status, message, cost } = run;
  const outcome = { state, status, message, cost };
  return shortened(jsonText({ request: keptRequest(run), outcome, result: comparableResult(result) }));
}

/** A text by its lines, so that a comparison shows which differ. */
function comparableResult(result: RunResult | undefined): unknown {
  if (!result) return null;
  if (result.kind === 'binary') return { contentType: result.contentType, bytes: result.bytes.length };
  return typeof result.output === 'string' ? textLines(result.output) : result.output;
}
