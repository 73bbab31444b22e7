import * as l10n from '@vscode/l10n';
import type { Json } from '../../domain/json';
import { isMediaObject, mediaTypeOf } from '../../domain/media';
import { valueText } from '../../domain/words';
import { contentTypeOf } from '../../intake/contentType';
import type { ShownInput } from '../../protocol/experiment';
import { visibleText } from '../../wording/plainText';
import { itemLabel } from '../file/itemLabel';
import type { ExperimentItem } from '../file/items';
import { comparableText, isBlank } from '../metrics/equality';
import { shortened } from './outcome';
import type { TableItem } from './table';

/** A varying part of a row's request, in its own form. */
type ItemInput = Omit<ShownInput, 'src'> & { readonly uri?: string };

/** The varying parts of a row's request. */
export function itemInputs({ values }: Pick<ExperimentItem, 'values'>): ItemInput[] {
  return Object.values(values).map(itemInput);
}

function itemInput(value: Json): ItemInput {
  if (!isMediaObject(value)) return { medium: 'text', text: visibleText(shortened(valueText(value))) };
  const name = value.filename ?? value.media_ref;
  const medium = mediaTypeOf(contentTypeOf(name)) ?? 'file';
  return { medium, text: visibleText(shortened(name)), uri: value.media_ref };
}

/** The name of a row, and whether its input is gone. */
export function rowName({ name, isGone }: Pick<TableItem, 'name' | 'isGone'>): string {
  const label = itemLabel(name);
  return isGone ? l10n.t('{0} before: input changed or gone', label) : label;
}

/** The expected value of a row on one line; a label in one of its spellings. */
export function expectedText(expected: Json | undefined): { expected?: string } {
  if (isBlank(expected)) return {};
  return { expected: shortened(comparableText(expected) ?? valueText(expected)) };
}
