import { html, type TemplateResult } from 'lit';
import type { TableHead } from '../../src/protocol/experiment';
import { groupedPlace, type ViewSettings } from './viewSettings';

/** Neighbouring columns with the same value of the place that columns are grouped by. */
export interface ColumnGroup {
  readonly text: string;
  /** Place of its first column on screen. */
  readonly first: number;
  readonly count: number;
}

/** Empty where columns are not grouped. */
export function columnGroups(
  view: ViewSettings,
  head: Pick<TableHead, 'columns'>,
  columns: readonly number[],
): ColumnGroup[] {
  if (view.group === undefined || view.blind !== undefined) return [];
  const groups: ColumnGroup[] = [];
  for (const [at, column] of columns.entries()) {
    const place = groupedPlace(head, column, view.group);
    const text = place ? `${place.name} ${place.value}` : '';
    const last = groups.at(-1);
    if (last?.text === text) groups[groups.length - 1] = { ...last, count: last.count + 1 };
    else groups.push({ text, first: at, count: 1 });
  }
  return groups;
}

/** A row above the heads of the columns: one head for each group. */
export function groupsRow(groups: readonly ColumnGroup[], tracks: string): TemplateResult {
  return html`<div role="row" aria-rowindex="1" class="cells" .style=${tracks}>
    ${groups.map(
      ({ text, first, count }) => html`<div role="columnheader" class="cell group" aria-colindex=${first + 2}
        aria-colspan=${count} .style=${`grid-column:${first + 2} / span ${count}`}><strong>${text}</strong></div>`,
    )}
  </div>`;
}
