import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { ShownCell, ShownJudgement, TableHead } from '../../src/protocol/experiment';
import { formatNumber } from '../../src/wording/number';
import { textButton } from '../shared/buttons';
import { icon } from '../shared/icon';
import type { ExperimentPage } from './page';
import { isJudging } from './viewSettings';

type Judgement = { readonly kind: Exclude<ShownJudgement['kind'], 'note'> } & Pick<ShownJudgement, 'value'>;

const SCORES = [1, 2, 3, 4, 5];

interface JudgementKey {
  /** As `KeyboardEvent.key` has it. */
  readonly key: string;
  readonly glyph?: string;
  readonly label: string;
  readonly judgement: Judgement;
}

function judgementKeys(): JudgementKey[] {
  return [
    { key: '+', glyph: 'thumbsup', label: l10n.t('Good'), judgement: { kind: 'thumbs_up', value: 1 } },
    { key: '-', glyph: 'thumbsdown', label: l10n.t('Bad'), judgement: { kind: 'thumbs_up', value: 0 } },
    ...SCORES.map((value) => ({
      key: String(value),
      label: l10n.t('Score {0} of 5', value),
      judgement: { kind: 'score', value } as const,
    })),
    {
      key: 'b',
      glyph: 'star-full',
      label: l10n.t('Best of Row'),
      judgement: { kind: 'preferred', value: 1 },
    },
  ];
}

/** Whether a key judges the active cell; it does so only in the grid, and only while judging is on. */
export function judgeByKey(page: ExperimentPage, { key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (!isJudging(page.state.view, page.state.head) || ctrlKey || metaKey || altKey) return false;
  if (key === 'Delete' || key === 'Backspace') {
    withdraw(page);
    return true;
  }
  const pressed = judgementKeys().find((one) => one.key === key.toLowerCase());
  if (pressed) void page.judge(pressed.judgement, pressed.label);
  return pressed !== undefined;
}

/** Takes back everything that is said of the active cell. */
function withdraw(page: ExperimentPage): void {
  const { own: judged = {} } = page.activeCell ?? {};
  for (const kind of ['thumbs_up', 'score', 'preferred'] as const)
    if (judged[kind] !== undefined) void page.judge({ kind, value: null }, l10n.t('Judgement removed'));
}

/** The judgements of the active cell, with their keys; and judging without knowing the columns. */
export function judgeBar(page: ExperimentPage, head: TableHead): TemplateResult | typeof nothing {
  const { view } = page.state;
  if (!isJudging(view, head)) return nothing;
  const cell = page.activeCell;
  const isOpenToJudge = cell?.state === 'finished' || cell?.state === 'partly';
  const judged = cell?.own ?? {};
  return html`<div class="filter line wraps" role="toolbar" aria-label=${l10n.t('Judge the active cell')}>
    ${judgementKeys().map(({ key, glyph, label, judgement }) => {
      const isGiven = judged[judgement.kind] === judgement.value;
      return html`<button type="button" class="secondary judge" aria-keyshortcuts=${key} ?disabled=${!isOpenToJudge}
        aria-label=${label} title=${l10n.t('{0} (key {1} in the table)', label, key)} aria-pressed=${isGiven ? 'true' : 'false'}
        @click=${() => void page.judge(isGiven ? { ...judgement, value: null } : judgement, label)}
        >${glyph === undefined ? key : icon(glyph)}</button>`;
    })}
    <span class="quiet">${l10n.t('Delete removes.')}</span>
    <span class="live" role="status">${page.state.announcement ?? ''}</span>
    <span class="grow"></span>
    ${
      view.blind === undefined
        ? textButton(l10n.t('Judge Blind'), () => beginBlind(page))
        : html`<span class="quiet">${l10n.t('Columns are unnamed, and shuffled in each row.')}</span>
            ${textButton(l10n.t('Reveal Columns'), () => page.changeView({ blind: undefined }), { kind: 'primary' })}`
    }
  </div>`;
}

function beginBlind(page: ExperimentPage): void {
  page.closeCell();
  const [seed = 0] = crypto.getRandomValues(new Int32Array(1));
  page.changeView({ blind: seed, pair: undefined });
}

/** People's judgements of a cell, as signs with words. */
export function judgedSigns({ judged = {}, hasNote = false }: ShownCell): TemplateResult | typeof nothing {
  const { thumbs_up: thumb, score, preferred } = judged;
  if (thumb === undefined && score === undefined && preferred !== 1 && !hasNote) return nothing;
  return html`${
    thumb === undefined
      ? nothing
      : thumb >= 0.5
        ? sign('thumbsup', l10n.t('judged good'))
        : sign('thumbsdown', l10n.t('judged bad'))
  } ${
    score === undefined
      ? nothing
      : html`<span class="quiet">${l10n.t('score {0}', formatNumber(score))}</span>`
  } ${preferred === 1 ? sign('star-full', l10n.t('best of row')) : nothing} ${
    hasNote ? sign('note', l10n.t('has a note')) : nothing
  }`;
}

function sign(glyph: string, label: string): TemplateResult {
  return html`<span class="sign" role="img" aria-label=${label} title=${label}>${icon(glyph)}</span>`;
}
