import type * as vscode from 'vscode';
import { sentValue } from '../../experiments/plan/grid';
import { hitFile } from '../../platform/hitFiles';
import type { Services } from '../../services';
import type { ShownTable } from './shownTable';

/** The user's own file of a hit in a column's results, which are of the scope that its requests name. */
export type HitFileOf = (shown: ShownTable, column: number, id: string) => Promise<vscode.Uri | undefined>;

export function hitFileOf(services: Services): HitFileOf {
  return async ({ source: { environment, loaded, table } }, column, id) => {
    const variation = table.plan.variations[column] ?? {};
    const sent = (place: string) => String(sentValue(loaded?.base, variation, place) ?? '');
    const dataset = { baseUrl: environment?.baseUrl ?? '', model: sent('/model'), scope: sent('/scope') };
    return hitFile(id, dataset, (await services.store()).datasets);
  };
}
