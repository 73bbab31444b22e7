import * as l10n from '@vscode/l10n';
import type { ModeContract, ModelContract, Shape } from '../domain/model';
import { formOf } from '../forms/buildForm';
import type { Field } from '../forms/fieldTypes';
import type { ServiceClient } from '../service/client';
import { formatPrice } from '../wording/money';
import { exitCodes } from './exitCodes';
import type { DescribeArguments } from './lookUpArguments';
import { table } from './table';
import type { Terminal } from './terminal';

/**
 * Prints the contract of each model: its modes with their fields and prices, or with `--json` their schemas.
 * @throws ServiceError where a model cannot be read
 */
export async function describe(
  { models, json }: DescribeArguments,
  client: ServiceClient,
  terminal: Terminal,
): Promise<number> {
  const contracts: ModelContract[] = [];
  for (const model of models) contracts.push(await client.getModel(model));
  if (json) {
    terminal.printJson(contracts.map(({ raw: _raw, ...contract }) => contract));
    return exitCodes.passed;
  }
  for (const [at, contract] of contracts.entries()) {
    if (at > 0) terminal.print('');
    for (const line of descriptionOf(contract)) terminal.print(line);
  }
  return exitCodes.passed;
}

function descriptionOf({ slug, name, description, price, modes }: ModelContract): string[] {
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

/** A row for each field of a shape; one for the whole where it has no fields of its own. */
function fieldRows(part: string, shape: Shape): string[][] {
  if (shape.origin === 'unknown') return part === 'input' ? [[part, l10n.t('any JSON object')]] : [];
  const form = formOf(shape.schema, {}, `/${part}`);
  const fields = form.kind === 'object' ? form.children() : [];
  return fields.map((field) => [
    `${part}.${field.key}`,
    typeText(field),
    factsOf(field).join(', '),
    (field.description ?? '').trim().split(/\r?\n/)[0]!.slice(0, LONGEST),
  ]);
}

const LONGEST = 100;
/** Choices that are named. */
const MOST_CHOICES = 8;

function typeText(field: Field): string {
  switch (field.kind) {
    case 'text':
      return field.format === 'none' ? 'string' : `string (${field.format})`;
    case 'number':
      return field.integer ? 'integer' : 'number';
    case 'enum': {
      const shown = field.options.slice(0, MOST_CHOICES).map(({ value }) => JSON.stringify(value));
      return [...shown, ...(field.options.length > MOST_CHOICES ? ['…'] : [])].join(' | ');
    }
    case 'const':
      return JSON.stringify(field.constant);
    case 'media':
      return field.accept.length === 0 ? 'media' : `media (${field.accept.join(', ')})`;
    case 'mediaList':
      return field.accept.length === 0 ? 'media[]' : `media[] (${field.accept.join(', ')})`;
    case 'stringList':
      return 'string[]';
    case 'array':
    case 'tuple':
      return 'array';
    case 'object':
    case 'map':
      return 'object';
    case 'choice':
      return field.variants.map(({ label }) => label).join(' | ');
    case 'boolean':
      return 'boolean';
    case 'json':
      return 'JSON';
  }
}

function factsOf(field: Field): string[] {
  const range =
    field.kind === 'number' && (field.min !== undefined || field.max !== undefined)
      ? [l10n.t('{0} to {1}', field.min ?? '…', field.max ?? '…')]
      : [];
  return [
    ...(field.required ? [l10n.t('required')] : []),
    ...range,
    ...(field.default === undefined ? [] : [l10n.t('default {0}', JSON.stringify(field.default))]),
  ];
}
