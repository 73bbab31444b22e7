import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ShownEntry } from '../../src/protocol/usage';
import { agentText } from '../../src/wording/agentGrant';
import { visibleText } from '../../src/wording/plainText';
import { windowOf } from '../shared/results/windowed';
import { moneyText, rowTimeText, timeText, type Units } from './texts';

/** Places of the entries in which every word of the search is. */
export function passing(
  entries: readonly ShownEntry[],
  search: string,
  from: number | undefined,
): readonly number[] {
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.flatMap((entry, index) => {
    if (from !== undefined && entry.at !== undefined && entry.at < from) return [];
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
  const headings = [l10n.t('Time'), l10n.t('Model'), l10n.t('Status'), l10n.t('Amount')];
  // A type that all of them have says nothing.
  const hasKinds = new Set(entries.map(({ kind }) => kind)).size > 1;
  return html`<div class="activity" role="table" aria-label=${l10n.t('Activity')} aria-rowcount=${rows.length + 1}>
    <div role="row" class="row head quiet" aria-rowindex="1">
      ${headings.map((heading, at) => html`<span role="columnheader" class=${at === 3 ? 'number clip' : 'clip'}>${heading}</span>`)}
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
  const { at, historyId, status, description, money, id } = entry;
  const kind = hasKinds || entry.model === undefined ? entry.kind : undefined;
  const by = entry.agent && agentText(entry.agent);
  const text = (...parts: readonly (string | undefined)[]) => visibleText(parts.filter(Boolean).join(' · '));
  const name = text(entry.model ?? description, entry.mode, kind, by);
  const all = text(
    at === undefined ? undefined : timeText(at, units.locale),
    name,
    entry.model && description,
    status,
    id,
  );
  const open = l10n.t('Open Run');
  // The button of a row is for the keyboard; a click on it is one on its row.
  return html`<div
    role="row"
    class="row ${historyId === undefined ? '' : 'opens'}"
    aria-rowindex=${rowIndex}
    title=${all}
    @click=${() => historyId !== undefined && openRun(historyId)}
  >
    <span role="cell" class="clip">${at === undefined ? l10n.t('no time') : rowTimeText(at, units.locale)}</span>
    <span role="cell" class="clip">${
      historyId === undefined
        ? name
        : html`<button class="text-button link" aria-label=${`${open}: ${name}`}>${name || open}</button>`
    }</span>
    <span role="cell" class="clip">${entry.isUnexplained ? l10n.t('No known run') : visibleText(status ?? '')}</span>
    <span role="cell" class="number clip">${money ? moneyText(money, units) : l10n.t('unknown')}</span>
  </div>`;
}
