import type * as vscode from 'vscode';
import { sentValue } from '../../experiments/plan/grid';
import type { StripHit } from '../../experiments/table/hitStrip';
import { isPicture } from '../../platform/hitFiles';
import type { ShownCell, ShownHit } from '../../protocol/experiment';
import type { Services } from '../../services';
import type { ShownTable } from './shownTable';

/** The user's own file of a hit in a column's results, which are of the scope that its requests name. */
export type HitFileOf = (
  shown: Pick<ShownTable, 'source'>,
  column: number,
  id: string,
) => Promise<vscode.Uri | undefined>;

export function hitFileOf(services: Services): HitFileOf {
  return async ({ source: { environment, loaded, table } }, column, id) => {
    const variation = table.plan.variations[column] ?? {};
    const sent = (place: string) => String(sentValue(loaded?.base, variation, place) ?? '');
    const dataset = { baseUrl: environment?.baseUrl ?? '', model: sent('/model'), scope: sent('/scope') };
    // Tests of pages run without VS Code.
    const { hitFile } = await import('../../platform/hitFiles');
    return hitFile(id, dataset, (await services.store()).datasets);
  };
}

/** Hits with their pictures, where the page may load those. */
export function withPictures(
  shown: ShownTable,
  column: number,
  hits: readonly StripHit[],
  fileOf: HitFileOf,
): Promise<ShownHit[]> {
  return Promise.all(
    hits.map(async (hit) => {
      const file = await fileOf(shown, column, hit.id);
      return { ...hit, ...(file && isPicture(file.path) && { src: shown.addresses.input(file.toString()) }) };
    }),
  );
}

/** Cells with the pictures of their hits. @param columnAt of a cell that does not name its own */
export function cellsWithPictures(
  shown: ShownTable,
  cells: readonly ShownCell[],
  columnAt: (at: number) => number,
  fileOf: HitFileOf,
): Promise<ShownCell[]> {
  return Promise.all(
    cells.map(async (cell, at) =>
      cell.hits
        ? { ...cell, hits: await withPictures(shown, cell.column ?? columnAt(at), cell.hits, fileOf) }
        : cell,
    ),
  );
}
