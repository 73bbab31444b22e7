import * as l10n from '@vscode/l10n';
import { html, nothing, type PropertyValues } from 'lit';
import type { PartOf, TableRows, TableSort } from '../../../src/results/resultView';
import { formatNumber } from '../../../src/wording/number';
import { plainLine, visibleText } from '../../../src/wording/plainText';
import { define, ResultElement, resultButton } from '../element';
import { errorMessage } from '../errorMessage';
import { MOST_ROWS, windowOf } from './windowed';

const ROW = 24;
const PAGE = 200;

/** Least widths of a column, in rem: of numbers, and of anything else. */
const NARROW = 5;
const WIDE = 9;

/** Records as a table that is sorted by the host and holds only the rows in sight. */
class TableView extends ResultElement<PartOf<'table'>> {
  static override properties = {
    sort: { state: true },
    top: { state: true },
  };
  declare sort: TableSort | undefined;
  declare top: number;
  /** Pages that were asked for; a page that is not there yet shows empty rows. */
  #pages = new Map<number, TableRows | 'asked'>();

  protected reset(): void {
    this.sort = undefined;
    this.top = 0;
    this.#pages = new Map();
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (changed.has('sort')) this.#pages = new Map();
  }

  protected override render() {
    const { shows: part } = this;
    const rows = Math.min(part.rows, MOST_ROWS);
    const height = Math.min(rows, 15) * ROW;
    const shown = windowOf(this.top ?? 0, height, ROW, rows);
    this.#ask(shown.first, shown.last);
    // The same widths for the head and each row, for any content.
    const widths = part.columns.map(({ numeric }) => (numeric ? NARROW : WIDE));
    const least = widths.reduce((sum, rem) => sum + rem, 0);
    const tracks = widths.map((rem) => `minmax(${rem}rem,${rem}fr)`).join(' ');
    const columns = `grid-template-columns:${tracks};min-width:${least}rem`;
    return html`<div class="mb-table" role="table" tabindex="0" aria-label=${this.name} aria-rowcount=${rows + 1} aria-colcount=${part.columns.length}
        .style=${`max-height:${height + ROW + 20}px`} @scroll=${this.#scroll}>
        <div role="rowgroup" class="mb-head" .style=${`min-width:${least}rem`}>
          <div role="row" aria-rowindex="1" class="mb-cells" .style=${columns}>
            ${part.columns.map((column, at) => this.#header(column, at))}
          </div>
        </div>
        <div role="rowgroup" class="mb-sizer" .style=${`height:${rows * ROW}px;min-width:${least}rem`}>
          ${Array.from({ length: shown.last - shown.first }, (_, index) => this.#row(shown.first + index, columns))}
        </div>
      </div>
      <p class="mb-tools line wraps">
        <span class="mb-note">${part.rows === 1 ? l10n.t('1 row') : l10n.t('{0} rows', formatNumber(part.rows))}${
          part.moreColumns > 0 ? ` · ${l10n.t('{0} more columns in the JSON', part.moreColumns)}` : ''
        }</span>
        ${resultButton(l10n.t('Copy'), () => this.actions.copyValue(this.pointer))}
      </p>
      ${this.problem === undefined ? nothing : html`<p class="mb-note" role="alert">${this.problem}</p>`}`;
  }

  #header({ name, numeric }: PartOf<'table'>['columns'][number], at: number) {
    const sorted = this.sort?.column === at ? (this.sort.descending ? 'descending' : 'ascending') : 'none';
    const icon =
      sorted === 'none'
        ? ''
        : `codicon ${sorted === 'descending' ? 'codicon-arrow-small-down' : 'codicon-arrow-small-up'}`;
    return html`<div role="columnheader" class=${numeric ? 'mb-numeric clip' : 'clip'} aria-sort=${sorted} aria-colindex=${at + 1}>
      <button type="button" class="clip" @click=${() => this.#sortBy(at)}>${name === '' ? l10n.t('Value') : plainLine(name)}<span class=${icon} aria-hidden="true"></span></button>
    </div>`;
  }

  #row(at: number, columns: string) {
    const page = this.#pages.get(Math.floor(at / PAGE));
    const cells = page === 'asked' ? undefined : page?.[at % PAGE]?.cells;
    return html`<div role="row" aria-rowindex=${at + 2} class="mb-cells" .style=${`${columns};top:${at * ROW}px`}>
      ${this.shows.columns.map((column, index) => {
        const text = visibleText(cells?.[index] ?? '');
        return html`<div role="cell" class=${column.numeric ? 'mb-numeric clip' : 'clip'} title=${text}>${text}</div>`;
      })}
    </div>`;
  }

  #sortBy(column: number) {
    const { sort } = this;
    if (sort?.column !== column) this.sort = { column, descending: this.shows.columns[column]!.numeric };
    else if (sort.descending === this.shows.columns[column]!.numeric)
      this.sort = { column, descending: !sort.descending };
    else this.sort = undefined;
  }

  #scroll(event: Event) {
    this.top = (event.target as Element).scrollTop;
  }

  #ask(first: number, last: number) {
    for (let page = Math.floor(first / PAGE); page * PAGE < last; page++) {
      if (this.#pages.has(page)) continue;
      void this.#load(page);
    }
  }

  async #load(page: number) {
    const pages = this.#pages;
    pages.set(page, 'asked');
    try {
      pages.set(page, await this.actions.rows(this.pointer, this.sort, page * PAGE, PAGE));
      if (pages === this.#pages) this.requestUpdate();
    } catch (error) {
      this.problem = errorMessage(error);
    }
  }
}

define('mb-table', TableView);
