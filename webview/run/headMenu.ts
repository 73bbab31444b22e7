import * as l10n from '@vscode/l10n';
import type { Field } from '../../src/forms/fieldTypes';
import type { MenuItem } from '../shared/menu';
import { varyItems } from './experiment';
import { saveAs } from './fileLine';
import type { RunPage } from './page';

/** Replacements of the whole request, and ways to keep it: the model's examples, an empty form, a run file. */
export function headMenu(page: RunPage, scope: Field | undefined): MenuItem[] {
  const examples = (page.mode?.examples ?? []).map((example, index) => ({
    label: example.title ?? l10n.t('Example {0}', index + 1),
    icon: 'lightbulb',
    act: () => page.loadExample(index),
  }));
  return [
    ...examples,
    ...(examples.length > 0 ? (['line'] as const) : []),
    ...(scope ? varyItems(page, scope, l10n.t('Vary Scope')) : []),
    { label: l10n.t('Reset Form'), icon: 'clear-all', act: () => page.resetForm() },
    { label: l10n.t('Save as Run File…'), icon: 'save-as', act: () => saveAs(page) },
  ];
}
