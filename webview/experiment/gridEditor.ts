import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { firstInexact } from '../../src/domain/exactNumbers';
import { cannotBeExact } from '../../src/forms/issueMessage';
import type { GridChange, TableHead } from '../../src/protocol/experiment';
import { textButton } from '../shared/buttons';
import { checkbox, choice } from '../shared/controls';
import type { ExperimentPage } from './page';

/**
 * Edits the parts of the grid: each change is a step of the text that VS Code undoes, and saves when asked. A field
 * is written only when the text says something else than before: text that is being typed stays.
 */
export function gridEditor(page: ExperimentPage, head: TableHead): TemplateResult {
  const change = (changed: GridChange) => page.ask(page.host.call('edit', changed));
  // From the present state of all boxes: an earlier change may not be in the text yet.
  const changeMetrics = ({ target }: Event) => {
    const boxes = (target as HTMLElement)
      .closest('fieldset')!
      .querySelectorAll<HTMLInputElement>('input:checked');
    void change({ metrics: [...boxes].map(({ name }) => name) });
  };
  return html`${head.varied.map(({ pointer, name, json }) => variedField(page, pointer, name, json, change))}
    ${numberField(l10n.t('Repeats'), head.repeats, (repeats) => repeats !== undefined && change({ repeats }))}
    ${numberField(l10n.t('Sample of inputs (empty: all)'), head.sample?.inputs, (sample) => change({ sample: sample ?? null }))}
    ${head.compared.map((compared) => comparedField(compared, change))}
    <fieldset><legend>${l10n.t('Metrics')}</legend>${head.metricNames.map((name) => metricBox(head, name, changeMetrics))}
      ${textButton(l10n.t('Add Check…'), () => page.ask(page.host.call('addCheck', null)))}
      ${textButton(l10n.t('Add Judge…'), () => page.ask(page.host.call('addJudge', null)))}</fieldset>
    ${
      head.asked.length > 0
        ? checkbox(l10n.t('Failed runs count as wrong'), head.failedIsWrong, (failedIsWrong) =>
            change({ failedIsWrong }),
          )
        : nothing
    }`;
}

function variedField(
  page: ExperimentPage,
  pointer: string,
  name: string,
  json: string,
  change: (changed: GridChange) => unknown,
): TemplateResult {
  const read = (event: Event) => {
    const { value } = event.target as HTMLTextAreaElement;
    try {
      const inexact = firstInexact(value);
      if (inexact !== undefined) page.report(new Error(cannotBeExact(inexact)));
      else void change({ vary: { pointer, values: JSON.parse(value) } });
    } catch {
      page.report(
        new Error(
          l10n.t('The values of {0} are no JSON: write a list, or a range with from, to and step.', name),
        ),
      );
    }
  };
  return html`<label class="stacked-label"><span>${l10n.t('Values of {0}', name)} <span class="quiet">${pointer}</span></span>
    <textarea class="code" spellcheck="false" .value=${json} @change=${read}></textarea></label>`;
}

/** @param change gets undefined for an emptied field, and returns false when it has to have a number: the old one is back */
function numberField(
  label: string,
  value: number | undefined,
  change: (value: number | undefined) => unknown,
): TemplateResult {
  return html`<label class="stacked-label">${label}
    <input type="number" min="1" step="1" .value=${String(value ?? '')} @change=${(event: Event) => {
      const input = event.target as HTMLInputElement;
      const number = input.value === '' ? undefined : Math.max(1, Math.round(Number(input.value)));
      const shown = change(number) === false ? value : number;
      input.value = String(shown ?? '');
    }} /></label>`;
}

function metricBox({ asked }: TableHead, name: string, change: (event: Event) => void): TemplateResult {
  return html`<label><input type="checkbox" name=${name} .checked=${asked.includes(name)} @change=${change} />${name}</label>`;
}

/** The compared part of a model's results: one of the available parts. */
function comparedField(
  { model, at, parts }: TableHead['compared'][number],
  change: (changed: GridChange) => unknown,
): TemplateResult {
  const label =
    model === undefined
      ? l10n.t('Compared part of results')
      : l10n.t('Compared part of results of {0}', model);
  const places = [...new Set(['', at, ...parts])];
  const options = places.map((place) => [place, place === '' ? l10n.t('the whole result') : place] as const);
  const compare = (chosen: string) => change({ compared: { model, at: chosen } });
  return html`<div class="stacked-label">${choice(label, at, options, compare)}</div>`;
}
