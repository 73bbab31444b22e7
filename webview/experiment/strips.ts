import * as l10n from '@vscode/l10n';
import { html, nothing, svg, type TemplateResult } from 'lit';
import type { CellDetail, ShownHit } from '../../src/protocol/experiment';
import { formatNumber } from '../../src/wording/number';
import { icon } from '../shared/icon';
import { scoreText } from '../shared/scoreText';
import { inputPart } from './inputPart';
import type { ExperimentPage } from './page';
import { blindLabel, hasHits } from './viewSettings';

/** The hits of a search as thumbnails in the order of the service. */
export function strip(hits: readonly ShownHit[]): TemplateResult {
  return html`<span class="strip">${hits.map(
    (hit) =>
      html`<span class="hit ${hit.mark ?? ''}" role="img" aria-label=${hitText(hit)} title=${hitText(hit)}>${content(hit)}</span>`,
  )}</span>`;
}

function content({ id, src, mark }: ShownHit): TemplateResult {
  const glyph = mark === undefined ? 'question' : mark === 'right' ? 'check' : 'close';
  return html`${
    src === undefined
      ? html`<span class="clip">${id.slice(id.lastIndexOf('/') + 1)}</span>`
      : html`<mb-thumbnail .side=${144} .src=${src}></mb-thumbnail>`
  }<span class="mark">${icon(glyph)}</span>`;
}

/** "red/red1.png · 0.93 · right". */
function hitText({ id, score, mark, judged: judgedAs }: ShownHit): string {
  const judged =
    mark === undefined ? l10n.t('not judged') : mark === 'right' ? l10n.t('right') : l10n.t('wrong');
  const own =
    judgedAs === '?'
      ? l10n.t('cannot tell')
      : judgedAs === undefined
        ? undefined
        : l10n.t('grade {0}', formatNumber(judgedAs));
  return [id, score === undefined ? undefined : scoreText(score), judged, own]
    .filter((part) => part !== undefined)
    .join(' · ');
}

type Strips = NonNullable<CellDetail['strips']>;
type Strip = Strips['columns'][number] & { readonly name: string };

/**
 * The strips of the shown columns in their order. Blind: one of the hits of all of them, in the host's order; of two columns
 * also their own, in the row's order.
 */
function shownStrips(page: ExperimentPage, row: number, { columns, pool }: Strips): Strip[] {
  const { head, view, active, window } = page.state;
  const shown = page.blocks.row(active.row, window.columns);
  const isBlind = view.blind !== undefined;
  const of = (column: number, name: string): Strip[] =>
    columns.flatMap((one) =>
      one.column === column ? { column, name, hits: isBlind ? one.hits.map(unlabelled) : one.hits } : [],
    );
  if (!isBlind) return page.columns.flatMap((column) => of(column, head?.columns[column]?.name ?? ''));
  const all = new Map(
    page.columns.flatMap((column) =>
      of(column, '').flatMap(({ hits }) => hits.map((hit) => [hit.id, hit] as const)),
    ),
  );
  const sides = page.columns.length === 2 && shown?.row === row ? [0, 1] : [];
  return [
    { column: -1, name: l10n.t('The hits of all columns'), hits: pool.flatMap((id) => all.get(id) ?? []) },
    ...sides.flatMap((place) => of(page.columnAt(shown, place)!, blindLabel(place))),
  ];
}

/** A hit with people's judgement alone. */
function unlabelled({ id, src, judged }: ShownHit): ShownHit {
  const mark = typeof judged !== 'number' ? undefined : judged > 0 ? 'right' : 'wrong';
  return { id, src, judged, mark };
}

/**
 * The row of a search: its query large, and the hits of each column, the same ones joined by lines. Arrow keys move between
 * hits, and beyond the first or last strip to the next row; digits judge them.
 */
export function stripsView(
  page: ExperimentPage,
  row: number,
  detail: CellDetail,
): TemplateResult | typeof nothing {
  const { strips, inputs } = detail;
  if (!strips) return nothing;
  const shown = shownStrips(page, row, strips);
  const isBlind = page.state.view.blind !== undefined;
  const first = isBlind ? undefined : shown[0];
  return html`<section class="hits-of-row" aria-label=${l10n.t('Hits')} @keydown=${(event: KeyboardEvent) => onKey(page, event)}>
    <div class="query">${inputs.map(inputPart)}</div>
    ${shown.map(({ name, hits }, at) => {
      const above = isBlind && at < 2 ? undefined : shown[at - 1]?.hits;
      return html`${above ? lines(above, hits) : nothing}
      <div class="quiet">${name}${at === 0 || !first ? nothing : html` · ${overlapText(first.hits, hits, strips.rank)}`}</div>
      <div class="strip">${hits.map((hit, rank) => {
        const text = [l10n.t('Hit {0}', rank + 1), hitText(hit), changeText(hit, rank, above)];
        const label = text.filter(Boolean).join(' · ');
        return html`<button type="button" class="hit ${hit.mark ?? ''} ${rank < strips.rank || isBlind ? '' : 'beyond'}" tabindex=${at === 0 && rank === 0 ? 0 : -1}
          data-strip=${at} data-hit=${rank} data-id=${hit.id} aria-label=${label} title=${label} @click=${() => page.ask(enlarge(hits, hit))}>${content(hit)}</button>`;
      })}</div>`;
    })}
    ${page.state.head && hasHits(page.state.head) ? judgingKeys(isBlind && shown.length === 3) : nothing}
  </section>`;
}

/** The keys that judge the hit with the focus, or of two searches the better one. */
function judgingKeys(isPair: boolean): TemplateResult {
  const keys: readonly (readonly [string, string])[] = [
    ['0', l10n.t('not relevant')],
    ['1', l10n.t('a little')],
    ['2', l10n.t('relevant')],
    ['3', l10n.t('exactly')],
    ['?', l10n.t('cannot tell')],
    ['Delete', l10n.t('take back')],
    ...(isPair
      ? ([
          ['L', l10n.t('the first is better')],
          ['R', l10n.t('the second is better')],
          ['S', l10n.t('both are alike')],
        ] as const)
      : []),
  ];
  return html`<p class="quiet">${keys.map(([key, text]) => html`<kbd>${key}</kbd> ${text} `)}</p>`;
}

/** Judges a hit, or with two columns in sight which search is better. @returns false: the key does neither */
function judge(page: ExperimentPage, key: string, id: string): boolean {
  const { open, view } = page.state;
  if (!open || !page.state.head || !hasHits(page.state.head)) return false;
  const blind = view.blind !== undefined;
  const grades: Readonly<Record<string, number | '?' | null>> = { '?': '?', Delete: null, Backspace: null };
  const grade = /^[0-3]$/.test(key) ? Number(key) : grades[key];
  if (grade !== undefined) {
    void page.ask(page.host.call('judgeHit', { row: open.row, id, grade, blind }));
    return true;
  }
  const side = 'lrs'.indexOf(key.toLowerCase());
  const shown = page.blocks.row(page.state.active.row, page.state.window.columns);
  if (side < 0 || !blind || page.columns.length !== 2 || shown?.row !== open.row) return false;
  const column = page.columnAt(shown, side % 2)!;
  const preferred = { row: open.row, column, columns: page.columns, blind, kind: 'preferred' as const };
  void page.ask(
    page.host.call('judge', { ...preferred, value: side === 2 ? 0 : 1 }).then(() => nextRow(page, 1)),
  );
  return true;
}

/** Its place in the strip above. */
function changeText({ id }: ShownHit, rank: number, above: readonly ShownHit[] | undefined): string {
  if (!above) return '';
  const before = above.findIndex((one) => one.id === id);
  if (before < 0) return l10n.t('new');
  if (before === rank) return '';
  return before > rank ? l10n.t('up from {0}', before + 1) : l10n.t('down from {0}', before + 1);
}

function overlapText(one: readonly ShownHit[], other: readonly ShownHit[], rank: number): string {
  const ids = new Set(one.slice(0, rank).map(({ id }) => id));
  const both = other.slice(0, rank).filter(({ id }) => ids.has(id)).length;
  return l10n.t('overlap@{0} {1}', rank, formatNumber(both / rank));
}

/** Pixels from one hit to the next, as the style sheet has them. */
const STEP = 68;
const TILE = 64;
const BETWEEN = 18;

/** From a hit to the same one in the strip below; a short end where it has none. */
function lines(above: readonly ShownHit[], below: readonly ShownHit[]): TemplateResult {
  const middle = (at: number) => at * STEP + TILE / 2;
  const places = new Map(below.map(({ id }, at) => [id, at]));
  const width = Math.max(above.length, below.length) * STEP;
  return html`<svg class="same" width=${width} height=${BETWEEN} aria-hidden="true">${above.map(
    ({ id }, at) => {
      const to = places.get(id);
      return to === undefined
        ? svg`<line class="lost" x1=${middle(at)} y1="0" x2=${middle(at)} y2="5" />`
        : svg`<line x1=${middle(at)} y1="0" x2=${middle(to)} y2=${BETWEEN} />`;
    },
  )}</svg>`;
}

async function enlarge(hits: readonly ShownHit[], chosen: ShownHit): Promise<void> {
  const shown = hits.flatMap(({ src, id }) => (src === undefined ? [] : [{ src, name: id }]));
  const at = shown.findIndex(({ name }) => name === chosen.id);
  if (at >= 0) (await import('../shared/lightbox')).openLightbox(shown, at);
}

function tile(at: number, rank: number): HTMLElement | null {
  return document.querySelector(`.hits-of-row [data-strip="${at}"][data-hit="${rank}"]`);
}

function onKey(page: ExperimentPage, event: KeyboardEvent): void {
  const { dataset } = event.target as HTMLElement;
  if (dataset.hit === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  if (judge(page, event.key, dataset.id ?? '')) {
    event.preventDefault();
    event.stopPropagation();
    if (/^[0-3?]$/.test(event.key)) forward(page, Number(dataset.strip), Number(dataset.hit));
    return;
  }
  const [at, rank] = [Number(dataset.strip), Number(dataset.hit)];
  const steps: Readonly<Record<string, readonly [strip: number, hit: number]>> = {
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
  };
  const step = steps[event.key];
  if (!step) return;
  event.preventDefault();
  event.stopPropagation();
  const to = tile(at + step[0], rank + step[1]) ?? (step[0] === 0 ? null : tile(at + step[0], 0));
  if (to) to.focus();
  else if (step[0] !== 0) void page.ask(nextRow(page, step[0]));
}

/** The next hit to judge: behind the last one, the next row. */
function forward(page: ExperimentPage, at: number, rank: number): void {
  const next = tile(at, rank + 1) ?? (page.state.view.blind === undefined ? tile(at + 1, 0) : null);
  if (next) next.focus();
  else void page.ask(nextRow(page, 1));
}

/** Opens the row above or below, with the focus on its first hit. */
async function nextRow(page: ExperimentPage, step: number): Promise<void> {
  const { active, open } = page.state;
  const row = active.row + step;
  if (row < 0 || row >= page.blocks.total) return;
  const column = open?.place ?? Math.max(0, active.column);
  page.update({ active: { row, column } });
  await page.blocks.loaded(row, column);
  await page.openAt({ row, column }, () => {
    if (page.state.active.row === row) tile(0, 0)?.focus();
  });
}
