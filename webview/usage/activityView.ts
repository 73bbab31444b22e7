import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ShownEntry } from '../../src/protocol/usage';
import { agentText } from '../../src/wording/agentGrant';
import { visibleText } from '../../src/wording/plainText';
import { choice, typedIn } from '../shared/controls';
import { windowOf } from '../shared/results/windowed';
import { moneyText, timeText, type Units } from './texts';

export interface ActivityFilter {
  readonly search: string;
  readonly kind: string;
  readonly model: string;
  readonly status: string;
}

/** Members of an entry that are chosen from a list. */
const CHOSEN = ['kind', 'model', 'status'] as const;

export const noFilter: ActivityFilter = { search: '', kind: '', model: '', status: '' };

/** Places of the entries that pass; every word of the search must be somewhere in an entry. */
export function passing(
  entries: readonly ShownEntry[],
  filter: ActivityFilter,
  from: number | undefined,
): readonly number[] {
  const terms = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.flatMap((entry, index) => {
    if (from !== undefined && entry.at !== undefined && entry.at < from) return [];
    if (CHOSEN.some((key) => filter[key] !== '' && entry[key] !== filter[key])) return [];
    if (terms.length === 0) return [index];
    const text = [
      entry.kind,
      entry.model,
      entry.mode,
      entry.status,
      entry.id,
      entry.description,
      entry.money?.amount,
      entry.agent && agentText(entry.agent),
    ]
      .filter(Boolean)
      .join(' ')
      .toLowerCase();
    return terms.every((term) => text.includes(term)) ? [index] : [];
  });
}

export function filterView(
  entries: readonly ShownEntry[],
  filter: ActivityFilter,
  change: (filter: Partial<ActivityFilter>) => void,
): TemplateResult {
  const select = (label: string, key: (typeof CHOSEN)[number]) => {
    const values = [...new Set(entries.flatMap((entry) => entry[key] ?? []))].sort();
    if (values.length < 2) return nothing;
    const options = [['', l10n.t('All')] as const, ...values.map((value) => [value, value] as const)];
    return choice(label, filter[key], options, (value) => change({ [key]: value }));
  };
  return html`<div class="controls line wraps">
    <label class="line">${l10n.t('Search')}
      <input type="search" .value=${filter.search}
        @input=${(event: Event) => change({ search: typedIn(event) })} />
    </label>
    ${select(l10n.t('Type'), 'kind')} ${select(l10n.t('Model'), 'model')} ${select(l10n.t('Status'), 'status')}
  </div>`;
}

/** Pixels of a row, and the most of all in sight. */
const ROW = 26;
const HEIGHT = 420;

/**
 * The page contains only the rows around those in sight, so that ten thousand entries scroll smoothly.
 * @param scrolled takes the box's new scroll position, before rows without content are in sight
 */
export function activityTable(
  entries: readonly ShownEntry[],
  rows: readonly number[],
  units: Units,
  openRun: (historyId: string) => void,
  scrollTop: number,
  scrolled: (scrollTop: number) => void,
): TemplateResult {
  const height = rows.length * ROW;
  const { first, last } = windowOf(
    Math.max(0, Math.min(scrollTop, height - HEIGHT)),
    HEIGHT,
    ROW,
    rows.length,
  );
  const scroll = ({ currentTarget }: Event) => {
    const top = (currentTarget as Element).scrollTop;
    if (Math.abs(top - scrollTop) > HEIGHT / 2) scrolled(top);
  };
  // A column with one value says nothing.
  const hasKinds = new Set(entries.map(({ kind }) => kind)).size > 1;
  const headings = [
    l10n.t('Time'),
    ...(hasKinds ? [l10n.t('Type')] : []),
    l10n.t('Model'),
    l10n.t('Status'),
    l10n.t('Amount'),
    l10n.t('Run'),
  ];
  return html`<div class="activity ${hasKinds ? '' : 'of-one-kind'}" role="table" aria-label=${l10n.t('Activity')} aria-rowcount=${rows.length + 1}>
    <div role="row" class="row head" aria-rowindex="1">
      ${headings.map(
        (heading, at) =>
          html`<span role="columnheader" class=${at === headings.length - 2 ? 'number clip' : 'clip'}>${heading}</span>`,
      )}
    </div>
    <div role="rowgroup" class="rows" tabindex="0" aria-label=${l10n.t('Activity')} @scroll=${scroll}>
      <div role="presentation" .style=${`height:${height}px;padding-top:${first * ROW}px`}>
        ${repeat(
          rows.slice(first, last),
          (row) => row,
          (row, index) => activityRow(entries[row]!, first + index + 2, units, hasKinds, openRun),
        )}
      </div>
    </div>
  </div>`;
}

function activityRow(
  entry: ShownEntry,
  rowIndex: number,
  units: Units,
  hasKinds: boolean,
  openRun: (historyId: string) => void,
): TemplateResult {
  const { historyId } = entry;
  const by = entry.agent && agentText(entry.agent);
  const model = [entry.model ?? entry.description, entry.mode, by].filter(Boolean).join(' · ');
  // The button of a row is for the keyboard; a click on it is one on its row.
  return html`<div
    role="row"
    class="row ${historyId === undefined ? '' : 'opens'}"
    aria-rowindex=${rowIndex}
    @click=${() => historyId !== undefined && openRun(historyId)}
  >
    <span role="cell" class="clip">${entry.at === undefined ? l10n.t('no time') : timeText(entry.at, units.locale)}</span>
    ${hasKinds ? html`<span role="cell" class="clip">${visibleText(entry.kind ?? '')}</span>` : nothing}
    <span role="cell" class="clip" title=${visibleText([entry.description ?? model, entry.description && by].filter(Boolean).join(' · '))}>${visibleText(model)}</span>
    <span role="cell" class="clip">${visibleText(entry.status ?? '')}</span>
    <span role="cell" class="number clip">${entry.money ? moneyText(entry.money, units) : l10n.t('unknown')}</span>
    <span role="cell" class="clip">${
      historyId === undefined
        ? entry.isUnexplained
          ? html`<span title=${visibleText(entry.id ?? '')}>${l10n.t('No known run')}</span>`
          : visibleText(entry.id ?? '')
        : html`<button class="text-button" title=${visibleText(entry.id ?? '')}>${l10n.t('Open Run')}</button>`
    }</span>
  </div>`;
}
