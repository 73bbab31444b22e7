import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { assertNever } from '../../domain/assertNever';
import type { Dataset } from '../../domain/dataset';
import type { Json } from '../../domain/json';
import { sameJson } from '../../domain/value';
import { type AuditFinding, auditOf } from '../../experiments/figures/audit';
import { readExperiment } from '../../experiments/file/read';
import { EXPERIMENT_SUFFIX } from '../../experiments/file/suffix';
import type { Services } from '../../services';
import { executeBuiltIn } from '../../vscode/commands';
import { fileFacts } from '../../vscode/fileFacts';
import { freePlace } from '../../vscode/freePlace';
import { showQuickPick } from '../../vscode/messages/inputs';
import { formatShare } from '../../wording/number';
import type { ExperimentRuns } from './experimentRuns';
import { type HitFileOf, hitFileOf } from './hitFileOf';
import { ownFilesSearch } from './measureSearch';
import { TableLoader, type TableSource } from './tableSource';

interface AuditItem extends vscode.QuickPickItem {
  readonly files?: readonly string[];
}

/**
 * Audit Index…: searches a scope with a sample of its own files, after one question, and lists those that are treated oddly.
 * An audit that was made before is listed at once: it is paid.
 */
export async function auditIndex(
  services: Services,
  runs: ExperimentRuns,
  chosen: Dataset | undefined,
): Promise<void> {
  const search = await ownFilesSearch(services, chosen);
  if (!search) return;
  const { folder, name, environment, run, textAt } = search;
  const textOf = async (place: vscode.Uri) => (await vscode.workspace.openTextDocument(place)).getText();
  const isOurs = async (place: vscode.Uri) => {
    const { experiment } = readExperiment(await textOf(place));
    return experiment?.environment === environment && sameJson(experiment.run as Json, run as Json);
  };
  const place = await freePlace(folder, `${name}-audit`, EXPERIMENT_SUFFIX, isOurs);
  const isNew = (await fileFacts(place)) === undefined;
  if (isNew) await vscode.workspace.fs.writeFile(place, new TextEncoder().encode(textAt(place, true)));
  const loader = new TableLoader(place, services);
  const { own } = await loader.load(await textOf(place));
  if (own.plan.runs.some(({ customId }) => own.results.get(customId)?.state !== 'finished')) {
    if (await runs.start(place, 'missing')) await executeBuiltIn('vscode.open', place, { preview: false });
    await runs.ended(place);
  }
  const source = await loader.load(await textOf(place));
  if (source.own.results.size > 0) await showAudit(source, hitFileOf(services));
  else if (isNew) await vscode.workspace.fs.delete(place);
}

/** The files that searches treat oddly; one that is chosen is opened, of a pair both. */
async function showAudit(source: TableSource, fileOf: HitFileOf): Promise<void> {
  const findings = auditOf(source.table, 0);
  if (findings.length === 0) throw new Error(l10n.t('No search of this audit has finished with hits.'));
  const items = findings.flatMap((finding): AuditItem[] => [
    { label: headOf(finding, vscode.env.language), kind: vscode.QuickPickItemKind.Separator },
    ...finding.files.map((files) => ({ label: files.join(' ↔ '), files })),
    ...(finding.files.length === 0 ? [{ label: l10n.t('None') }] : []),
  ]);
  const title = l10n.t('Audit of the index, by searches with its own files');
  const placeHolder = l10n.t(
    'Hubs: found three times as often as the average. Duplicates: first hits of each other.',
  );
  const chosen = await showQuickPick(items, { title, placeHolder });
  for (const [at, name] of (chosen?.files ?? []).entries()) {
    const own = source.table.plan.items.find((item) => item.name === name)?.files[0]?.uri;
    const uri = own === undefined ? await fileOf({ source }, 0, name) : vscode.Uri.parse(own, true);
    const viewColumn = at === 0 ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
    if (uri) await executeBuiltIn('vscode.open', uri, { viewColumn });
  }
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
      return l10n.t('Hubs');
    case 'duplicate':
      return l10n.t('Near duplicates');
    default:
      return assertNever(kind);
  }
}
