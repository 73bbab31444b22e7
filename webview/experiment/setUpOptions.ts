import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { TableHead } from '../../src/protocol/experiment';
import type { GridChange } from '../../src/protocol/experimentSetUp';
import { checkbox } from '../shared/choices';
import { choice } from '../shared/controls';
import type { ExperimentPage } from './page';

/** The certainty at which a column ends early, unless the file has another one. */
const CONFIDENCE = 0.95;

/** Examples. */
const THRESHOLD = '>= 0.9';
const MARGIN = '0.02';

/** Repeats, sample, early ends and thresholds. Closed at first while all have their first values. */
export function optionsSection(page: ExperimentPage, head: TableHead): TemplateResult {
  const { repeats, sample, seed, asked, thresholds, stop, margin, hasExpected } = head;
  const change = (changed: GridChange) => void page.ask(page.host.call('edit', changed));
  const hasOwn =
    sample !== undefined ||
    stop ||
    margin !== undefined ||
    !head.failedIsWrong ||
    Object.keys(thresholds).length > 0;
  // Emptying the last option does not fold them under the user's hands.
  const isOpen = page.state.areOptionsOpen ?? (repeats !== 1 || Boolean(hasOwn));
  const toggled = ({ target }: Event) => page.update({ areOptionsOpen: (target as HTMLDetailsElement).open });
  return html`<details ?open=${isOpen} @toggle=${toggled}>
    <summary>${l10n.t('Repeats, sample and thresholds')}</summary>
    <div class="options line wraps">
      ${wholeNumber(l10n.t('Repeats'), repeats, 1, (value) => change({ repeats: value ?? 1 }))}
      ${wholeNumber(l10n.t('Sample of inputs (empty: all)'), sample, 1, (value) => change({ sample: value ?? null }))}
      ${wholeNumber(l10n.t('Seed of random choices'), seed, undefined, (value) => change({ seed: value ?? null }))}
      ${hasExpected ? html`<div>${stopChoice(head, change)}</div>` : nothing}
      ${
        asked.length > 0
          ? html`<label>${l10n.t('Difference that does not matter')}
              <input type="number" step="any" min="0" placeholder=${MARGIN} .value=${String(margin ?? '')}
                @change=${({ target }: Event) => change({ margin: (target as HTMLInputElement).valueAsNumber || null })} /></label>`
          : nothing
      }
      ${asked.map((metric) => thresholdField(metric, thresholds[metric], change))}
      ${
        asked.length > 0
          ? checkbox(l10n.t('Failed runs count as wrong'), head.failedIsWrong, (failedIsWrong) =>
              change({ failedIsWrong }),
            )
          : nothing
      }
    </div>
  </details>`;
}

/** @param change gets undefined for an emptied field */
function wholeNumber(
  label: string,
  value: number | undefined,
  min: number | undefined,
  change: (value: number | undefined) => void,
): TemplateResult {
  const read = ({ target }: Event) => {
    const { valueAsNumber } = target as HTMLInputElement;
    if (Number.isNaN(valueAsNumber)) change(undefined);
    else change(Math.max(min ?? -Infinity, Math.round(valueAsNumber)));
  };
  return html`<label>${label}
    <input type="number" step="1" min=${min ?? nothing} .value=${String(value ?? '')} @change=${read} /></label>`;
}

function stopChoice({ stop, stopMetrics }: TableHead, change: (changed: GridChange) => void): TemplateResult {
  const options = [
    [undefined, l10n.t('never')] as const,
    ...stopMetrics.map(
      (metric) => [metric, l10n.t('once their {0} is certainly not the best', metric)] as const,
    ),
  ];
  return choice(l10n.t('End columns early'), stop?.metric, options, (metric) =>
    change({
      stop: metric === undefined ? null : { metric, confidence: stop?.confidence ?? CONFIDENCE },
    }),
  );
}

function thresholdField(
  metric: string,
  bound: string | undefined,
  change: (changed: GridChange) => void,
): TemplateResult {
  const read = ({ target }: Event) =>
    change({ threshold: { metric, bound: (target as HTMLInputElement).value.trim() } });
  return html`<label>${l10n.t('Threshold of {0}', metric)}
    <input type="text" placeholder=${THRESHOLD} spellcheck="false" .value=${bound ?? ''} @change=${read} /></label>`;
}
