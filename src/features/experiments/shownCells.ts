import * as l10n from '@vscode/l10n';
import type { ExperimentItem } from '../../experiments/file/items';
import type { ResultLine } from '../../experiments/results/resultLine';
import { blindOrder } from '../../experiments/table/blindOrder';
import { differenceFrom, differsFrom } from '../../experiments/table/differences';
import { expectedText, itemInputs, rowName } from '../../experiments/table/itemTexts';
import { shortened } from '../../experiments/table/outcome';
import type { CellRun } from '../../experiments/table/table';
import { tableCell } from '../../experiments/table/tableCell';
import type { ShownCell, ShownInput, TableQuery } from '../../protocol/experiment';
import type { RowHead } from '../../protocol/experimentPlot';
import { formatDifference } from '../../wording/number';
import { visibleText } from '../../wording/plainText';
import type { TableSource } from './tableSource';

/** Where the page loads files from; undefined for one outside the experiment's folder. */
export interface MediaAddresses {
  /** @param uri of an input */
  input(uri: string): string | undefined;
  /**
   * @param name as a line names its file
   * @param file absolute path of the results file that has the line, where it is not the experiment's own
   */
  result(name: string, file?: string): string | undefined;
  /** Its absolute path. Undefined: it is no file that may be shown. */
  resultPath(name: string, file?: string): string | undefined;
}

/** The rows of a loaded experiment as the page shows them. */
export class ShownCells {
  constructor(
    readonly source: TableSource,
    readonly addresses: MediaAddresses,
    readonly locale: string,
  ) {}

  /** The results file that a column is of; undefined: the experiment's own. */
  fileOf(column: number): string | undefined {
    return this.source.others.find((other) => other.column === column)?.of.file;
  }

  rowHead(row: number): RowHead {
    const item = this.source.table.plan.items[row]!;
    const name = visibleText(shortened(rowName(item)));
    return { row, name, inputs: this.inputs(item), ...expectedText(item.expected) };
  }

  cells(row: number, columns: readonly number[], query: TableQuery): ShownCell[] {
    return query.blind === undefined
      ? columns.map((column) => this.#cell(row, column, query.baseline))
      : this.#blindCells(row, columns, query.columns, query.blind);
  }

  /** The cells of these columns, without signs that identify a column. */
  #blindCells(row: number, columns: readonly number[], all: readonly number[], seed: number): ShownCell[] {
    const order = blindOrder(all, seed, row);
    return columns.map((place) => {
      const column = order[all.indexOf(place)] ?? place;
      // Judgements of others would influence this one.
      const { state, kind, text, score, hits, src, more, own } = this.#cell(row, column, undefined);
      return {
        column,
        state,
        kind,
        text: blindNames[kind]?.() ?? text,
        score,
        // Scores and labels would influence a judgement.
        ...(hits && { hits: hits.map(({ id }) => ({ id })) }),
        src,
        more,
        ...(own && { judged: own, own }),
      };
    });
  }

  #cell(row: number, column: number, baseline: number | undefined): ShownCell {
    const compared = this.source.table.against(column, baseline);
    return {
      ...this.plainCell(row, column),
      ...(compared !== undefined && this.#comparison(row, column, compared)),
    };
  }

  /** A cell that is compared with no other. @param runs those that are shown; missing: all */
  plainCell(row: number, column: number, runs?: readonly CellRun[]): ShownCell {
    const { table, metrics } = this.source;
    if (column >= table.columns) return { state: 'missing', kind: 'none', text: '' };
    const { file, verdicts, hits, ...view } = tableCell(
      table,
      row,
      column,
      metrics,
      this.locale,
      runs,
      this.source.rater,
    );
    const src = file === undefined ? undefined : this.addresses.result(file, this.fileOf(column));
    return {
      ...view,
      text: visibleText(view.text),
      ...(hits && { hits: [...hits] }),
      src,
      ...(verdicts && { verdicts: verdicts.map(visibleText) }),
    };
  }

  #comparison(row: number, column: number, baseline: number): Pick<ShownCell, 'differs' | 'difference'> {
    const { table } = this.source;
    const differs = differsFrom(table, row, column, baseline);
    const difference = differs ? differenceFrom(table, row, column, baseline) : undefined;
    return {
      differs,
      ...(difference !== undefined && { difference: formatDifference(difference, this.locale) }),
    };
  }

  /** The address of the picture that a run of a column gave. */
  picture(line: ResultLine, column: number): string | undefined {
    const { kind, file } = this.source.table.outcome(line);
    return kind !== 'media' && file !== undefined
      ? this.addresses.result(file, this.fileOf(column))
      : undefined;
  }

  /** The varying parts of a row's request, each in its own form. */
  inputs(item: ExperimentItem): ShownInput[] {
    return itemInputs(item).map(({ medium, text, uri }) => {
      const src = uri === undefined ? undefined : this.addresses.input(uri);
      return { medium, text, src };
    });
  }
}

/** In place of the names of files, which may reveal their column. */
const blindNames: Partial<Record<ShownCell['kind'], () => string>> = {
  picture: () => l10n.t('Picture'),
  media: () => l10n.t('File'),
};
