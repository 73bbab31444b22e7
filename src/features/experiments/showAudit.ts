import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { assertNever } from '../../domain/assertNever';
import { type AuditFinding, auditOf } from '../../experiments/figures/audit';
import { executeBuiltIn } from '../../vscode/commands';
import { showQuickPick } from '../../vscode/messages/inputs';
import { formatShare } from '../../wording/number';
import type { HitFileOf } from './hitFileOf';
import type { ShownTable } from './shownTable';

interface AuditItem extends vscode.QuickPickItem {
  readonly files?: readonly string[];
}

/** Audit Index…: the files that the searches of a column treat oddly; one that is chosen is opened, of a pair both. */
export async function showAudit(shown: ShownTable, column: number, fileOf: HitFileOf): Promise<void> {
  const findings = auditOf(shown.source.table, column);
  if (findings.length === 0)
    throw new Error(l10n.t('There is no finished search with a metric of hits to audit the index by.'));
  const items = findings.flatMap((finding): AuditItem[] => [
    { label: headOf(finding, shown.locale), kind: vscode.QuickPickItemKind.Separator },
    ...finding.files.map((files) => ({ label: files.join(' ↔ '), files })),
    ...(finding.files.length === 0 ? [{ label: l10n.t('None') }] : []),
  ]);
  const title = l10n.t('Audit of the index, by searches with its own files');
  const chosen = await showQuickPick(items, { title });
  for (const [at, name] of (chosen?.files ?? []).entries()) {
    const uri = await uriOf(shown, column, name, fileOf);
    const viewColumn = at === 0 ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
    if (uri) await executeBuiltIn('vscode.open', uri, { viewColumn });
  }
}

function uriOf(shown: ShownTable, column: number, name: string, fileOf: HitFileOf) {
  const item = shown.source.table.plan.items.find((one) => one.name === name);
  const own = item?.files[0]?.uri;
  return own === undefined ? fileOf(shown, column, name) : vscode.Uri.parse(own, true);
}

/** "Never found by another query: 1 of 18, 5.6% (1.0% to 25.8%)". */
function headOf({ kind, files, n, interval }: AuditFinding, locale: string): string {
  const count = kind === 'duplicate' ? 2 * files.length : files.length;
  const [share, low, high] = [count / n, interval.low, interval.high].map((one) => formatShare(one, locale));
  return l10n.t('{0}: {1} of {2}, {3} ({4} to {5})', kindText(kind), count, n, share!, low!, high!);
}

function kindText(kind: AuditFinding['kind']): string {
  switch (kind) {
    case 'notItself':
      return l10n.t('Not their own first hit');
    case 'neverFound':
      return l10n.t('Found by no other query');
    case 'hub':
      return l10n.t('Hubs: found three times as often as a hit on average');
    case 'duplicate':
      return l10n.t('Near duplicates: each the first hit of the other');
    default:
      return assertNever(kind);
  }
}
