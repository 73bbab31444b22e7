import * as l10n from '@vscode/l10n';
import type { ModeContract, ModelContract, Shape } from '../domain/model';
import { memberTexts } from '../forms/completion';
import { firstSentence } from '../wording/firstSentence';
import { formatPrice } from '../wording/money';
import { table } from './table';

/** A model's modes with their fields and prices. */
export function descriptionOf({ slug, name, description, price, modes }: ModelContract): string[] {
  const title = name === slug ? slug : `${slug} (${name})`;
  const cost = formatPrice(price, 'en');
  return [
    cost === undefined ? title : `${title}, ${cost}`,
    ...(description === undefined ? [] : description.trim().split(/\r?\n/).slice(0, 3)),
    ...modes.flatMap((mode) => ['', ...modeText(mode)]),
  ];
}

function modeText(mode: ModeContract): string[] {
  const cost = formatPrice(mode.price, 'en');
  const scope = mode.vectorBacked ? l10n.t('needs a scope') : undefined;
  const facts = [cost, scope].filter((fact) => fact !== undefined);
  return [
    facts.length === 0 ? `${mode.name}:` : `${mode.name} (${facts.join(', ')}):`,
    ...table([...fieldRows('input', mode.input), ...fieldRows('params', mode.params)]).map(
      (line) => `  ${line}`,
    ),
  ];
}

function fieldRows(part: string, shape: Shape): string[][] {
  if (shape.origin === 'unknown') return part === 'input' ? [[part, l10n.t('any JSON object')]] : [];
  return memberTexts(shape.schema).map(({ name, required, facts, choices, description = '' }) => [
    `${part}.${name}`,
    required ? l10n.t('required') : '',
    facts,
    [...choices.slice(0, MOST_CHOICES), ...(choices.length > MOST_CHOICES ? ['…'] : [])].join(' | '),
    firstSentence(description),
  ]);
}

const MOST_CHOICES = 8;
