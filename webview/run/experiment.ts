import * as l10n from '@vscode/l10n';
import type { Field } from '../../src/forms/fieldTypes';
import type { MenuItem } from '../shared/menu';
import { isReadable } from './fileLine';
import type { Placed } from './form/ids';
import type { RunPage } from './page';

/** In the menu of a field: an experiment over several of its values, or over files. */
export function varyItems(page: RunPage, field: Field & Placed, name = l10n.t('Vary…')): MenuItem[] {
  const isSecret = field.kind === 'text' && field.style === 'secret';
  if (field.key === '' || field.idSuffix || field.readOnly || isSecret || field.kind === 'const') return [];
  const isMedia = field.kind === 'media' || field.kind === 'mediaList';
  const label = isMedia ? l10n.t('Run over Files…') : name;
  const vary = { pointer: field.pointer, takesFiles: isMedia };
  return [{ label, icon: 'beaker', act: () => setUpExperiment(page, vary) }];
}

/**
 * Writes the request as an experiment, which is set up on its own page.
 * @param vary the field whose values or files are asked for first
 */
export async function setUpExperiment(
  page: RunPage,
  vary?: { readonly pointer: string; readonly takesFiles: boolean },
): Promise<void> {
  if (!isReadable(page)) return;
  page.sendEdit();
  await page.ask(page.host.call('setUpExperiment', { vary }));
}
