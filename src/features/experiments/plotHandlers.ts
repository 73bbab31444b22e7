import { fixedTexts, plotAxes, plotRuns, wholeText } from '../../experiments/table/plot';
import type { Handlers } from '../../protocol/channel';
import type { ShownCell } from '../../protocol/experiment';
import type { plotMethods } from '../../protocol/experimentPlot';
import { visibleText } from '../../wording/plainText';
import { cellsWithPictures, type HitFileOf } from './hitFileOf';
import type { ShownTable } from './shownTable';

/** The X/Y plot of the shown table. */
export function plotHandlers(
  shown: () => Promise<ShownTable>,
  fileOf: HitFileOf,
): Handlers<typeof plotMethods> {
  return {
    plotAxes: async () => {
      const { experiment, loaded, own: table } = (await shown()).source;
      const { places, columns } = plotAxes(table.plan);
      const input = typeof experiment?.run === 'object' ? experiment.run.input : undefined;
      const { over } = experiment ?? {};
      // Texts of templates differ from row to row.
      const ofRows =
        over && 'rows' in over ? [...Object.keys(over.media ?? {}), ...(over.templates ?? [])] : [];
      const mapped = [...Object.keys(over?.map ?? {}), ...ofRows];
      return {
        places: places.map(({ values, ...place }) => ({ ...place, values: [...values] })),
        columns: columns.map((values) => [...values]),
        rows: table.rows,
        repeats: experiment?.repeats ?? 1,
        fixed: fixedTexts(loaded?.plan.runs[0]?.request.input ?? input, [
          ...places.map(({ pointer }) => pointer),
          ...mapped,
        ]),
      };
    },
    plotCells: async ({ cells }) => {
      const all = await shown();
      const { table } = all.source;
      const plain = cells.map(
        (cell): ShownCell =>
          cell.row < table.rows
            ? all.plainCell(cell.row, cell.column, plotRuns(table, cell))
            : { state: 'empty', kind: 'none', text: '' },
      );
      return cellsWithPictures(all, plain, (at) => cells[at]!.column, fileOf);
    },
    plotRows: async ({ rows }) => {
      const table = await shown();
      return rows.filter((row) => row < table.source.table.rows).map((row) => table.rowHead(row));
    },
    plotText: async (cell) => visibleText(wholeText((await shown()).source.table, cell)),
  };
}
