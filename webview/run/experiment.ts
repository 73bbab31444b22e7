import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { placeTaken } from '../../src/domain/experimentSetup';
import type { Field } from '../../src/forms/fieldTypes';
import type { MenuItem } from '../shared/menu';
import type { Placed } from './form/ids';
import type { RunPage } from './page';
import { unreadableText } from './work';

/** The code for setting up an experiment: a chunk of its own, loaded with the first varied field. */
export type ExperimentViews = typeof import('./experiment/views');

async function loadViews(page: RunPage): Promise<ExperimentViews> {
  const loaded = page.state.experimentViews ?? (await import('./experiment/views'));
  page.update({ experimentViews: loaded });
  return loaded;
}

/** The shown parts of the experiment; loaded first when it came back with its panel. */
function viewsOf(page: RunPage): ExperimentViews | undefined {
  if (!page.state.experimentViews) void page.ask(loadViews(page));
  return page.state.experimentViews;
}

/** In the menu of a field. A file is varied by running over files. */
export function varyItems(page: RunPage, field: Field & Placed, name = l10n.t('Vary')): MenuItem[] {
  const isSecret = field.kind === 'text' && field.style === 'secret';
  if (field.key === '' || field.idSuffix || field.readOnly || isSecret || field.kind === 'const') return [];
  const isMedia = field.kind === 'media' || field.kind === 'mediaList';
  const vary = () => page.ask(loadViews(page).then((views) => views.vary(page, field)));
  return [{ label: isMedia ? l10n.t('Run over Files…') : name, icon: 'beaker', act: vary }];
}

/** The replacement of a field with values from the experiment. Undefined: the field stays. */
export function takenField(page: RunPage, field: Field & Placed): unknown {
  const { vary, over } = page.state.work?.experiment ?? {};
  if (!vary || field.idSuffix || placeTaken({ ...vary, ...over?.map }, field.pointer) === undefined)
    return undefined;
  return viewsOf(page)?.taken(page, field);
}

/** The part for the experiment, above the bar with the button. */
export function experimentPart(page: RunPage): unknown {
  const { work, contract, experimentShown } = page.state;
  if (!work || !contract || (!work.experiment && !experimentShown)) return nothing;
  return viewsOf(page)?.section(page) ?? nothing;
}

/** Leads to that part before the first varied field. */
export function showExperiment(page: RunPage): void {
  page.update({ experimentShown: true });
  void page.ask(loadViews(page).then((views) => views.focusSection(page)));
}

/** In the tabs with the text of one run. */
export function experimentNote(page: RunPage): TemplateResult | typeof nothing {
  if (!page.state.work?.experiment) return nothing;
  return html`<p class="quiet" role="note">
    ${l10n.t('This is one request. What the experiment varies takes the place of the values here.')}
  </p>`;
}

/** Has the host write the experiment, and ask before anything is sent. */
export async function runExperiment(page: RunPage): Promise<void> {
  const { work } = page.state;
  if (!work?.experiment) return;
  const unreadable = unreadableText(work);
  if (unreadable !== undefined) return page.update({ notice: l10n.t('Not sent. {0}', unreadable) });
  page.sendEdit();
  page.update({ notice: undefined });
  await page.ask(page.host.call('runExperiment', { draft: work.draft, experiment: work.experiment }));
}
