import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { DatasetSummary } from '../store/datasets';

/**
 * "1 failed", "2 unconfirmed", "10,000 items": counts that need the user come first, as a narrow side bar cuts off
 * the end.
 */
export function datasetCounts({ counts }: Pick<DatasetSummary, 'counts'>): string[] {
  const { indexed, failed, unknown } = counts;
  return [
    ...(failed > 0 ? [l10n.t('{0} failed', failed)] : []),
    ...(unknown > 0 ? [l10n.t('{0} unconfirmed', unknown)] : []),
    ...(indexed > 0 || failed + unknown === 0 ? [itemsText(indexed)] : []),
  ];
}

export function itemsText(count: number): string {
  return count === 1 ? l10n.t('1 item') : l10n.t('{0} items', count.toLocaleString(vscode.env.language));
}
