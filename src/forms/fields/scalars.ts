import type { Json } from '../../domain/json';
import { addAll, countEach } from '../../domain/many';
import { isObject, sameJson } from '../../domain/value';
import type { EnumField, EnumOption, NumberField, TextField, TextFormat } from '../fieldTypes';
import { type Schema, type SchemaNode, strings } from '../schema/node';
import { asNumber, asText, definedMembers, type FieldContext, shownText } from './context';
import { formatHint } from './formatHint';

const FORMATS: readonly (readonly [format: TextFormat, names: RegExp])[] = [
  ['url', /^(url|uri|iri|http-url)$/i],
  ['email', /^(idn-)?email$/i],
  ['date', /^date$/i],
  ['time', /^time$/i],
  ['date-time', /^date-?time$/i],
  ['color', /^colou?r$/i],
  ['uuid', /^uuid$/i],
];
const LONG_NAME =
  /^(inputs?|text|prompt|\w+_prompt|prompt_\w+|content|context|instructions?|document|passage|body|message|story|markdown|description|source_text|template)$/i;
const SECRET_NAME = /(^|_)(password|secret|api_?key|access_token|auth_token|hf_token)$/i;
const COLOR = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i;
/** Longer strings get several lines. */
const LINE_LENGTH = 120;
const SLIDER_STEPS = 200;
/** Floats over a larger range are counts or weights; a slider does not suit them. */
const LARGEST_FLOAT_RANGE = 1000;

export function textField({ base, flat }: FieldContext, suggestions: readonly string[] = []): TextField {
  const { node } = flat;
  const hint = base.default ?? base.examples[0];
  return {
    ...base,
    kind: 'text',
    style: styleOf(base.key, node, [hint, base.value]),
    format: formatOf(base.key, node, hint),
    ...definedMembers({ formatHint: formatHint(node.format, base.value) }),
    suggestions,
    ...definedMembers({
      placeholder: typeof hint === 'string' ? asText(hint) : undefined,
      minLength: asNumber(node.minLength),
      maxLength: asNumber(node.maxLength),
    }),
  };
}

function styleOf(key: string, node: SchemaNode, samples: readonly (Json | undefined)[]): TextField['style'] {
  if (
    node.format === 'password' ||
    node.writeOnly === true ||
    node['x-cog-secret'] === true ||
    node.isSecret === true
  )
    return 'secret';
  if (SECRET_NAME.test(key)) return 'secret';
  if (['textarea', 'multiline', 'markdown', 'html', 'code'].includes(String(node.format))) return 'lines';
  if (/^(?:textarea|javascript|python|json|markdown|html)$/.test(String(node.editor))) return 'lines';
  if (node['x-multiline'] === true || node['x-widget'] === 'textarea') return 'lines';
  const long = samples.some(
    (sample) => typeof sample === 'string' && (sample.length > LINE_LENGTH || sample.includes('\n')),
  );
  if (long) return 'lines';
  const bounded = typeof node.maxLength === 'number' && node.maxLength <= LINE_LENGTH;
  if (bounded || node.format !== undefined || node.pattern !== undefined) return 'line';
  return LONG_NAME.test(key) || (asNumber(node.maxLength) ?? 0) > LINE_LENGTH ? 'lines' : 'line';
}

function formatOf(key: string, node: SchemaNode, hint: Json | undefined): TextFormat {
  const format = FORMATS.find(([, names]) => names.test(String(node.format)));
  if (format) return format[0];
  const named = /(^|_)colou?r$/i.test(key) && typeof hint === 'string' && COLOR.test(hint);
  return named ? 'color' : 'none';
}

export function numberField({ base, flat }: FieldContext, integer: boolean): NumberField {
  const { node } = flat;
  const low = bound(asNumber(node.minimum), asNumber(node.exclusiveMinimum), Math.max);
  const high = bound(asNumber(node.maximum), asNumber(node.exclusiveMaximum), Math.min);
  const step = asNumber(node.multipleOf) ?? (integer ? 1 : undefined);
  const range = low.at !== undefined && high.at !== undefined ? high.at - low.at : Number.POSITIVE_INFINITY;
  const sliderStep = step ?? niceStep(range);
  const hint = base.default ?? base.examples.find((example) => typeof example === 'number');
  return {
    ...base,
    kind: 'number',
    integer,
    exclusiveMin: low.exclusive,
    exclusiveMax: high.exclusive,
    slider:
      range > 0 && range / sliderStep <= SLIDER_STEPS && (step !== undefined || range <= LARGEST_FLOAT_RANGE),
    sliderStep,
    ...definedMembers({ min: low.at, max: high.at, step }),
    ...definedMembers({ placeholder: typeof hint === 'number' ? String(hint) : undefined }),
  };
}

function bound(
  inclusive: number | undefined,
  exclusive: number | undefined,
  tighter: (a: number, b: number) => number,
) {
  if (exclusive === undefined) return { at: inclusive, exclusive: false };
  if (inclusive === undefined) return { at: exclusive, exclusive: true };
  const at = tighter(inclusive, exclusive);
  return { at, exclusive: at === exclusive };
}

/** At most a hundred steps of 1, 2 or 5 times a power of ten. */
function niceStep(range: number): number {
  if (!Number.isFinite(range) || range <= 0) return 1;
  const exponent = Math.floor(Math.log10(range / 100));
  const factor = [1, 2, 5, 10].find((each) => range / Number(`${each}e${exponent}`) <= 100.000001) ?? 10;
  return Number(`${factor}e${exponent}`);
}

export function enumField({ base }: FieldContext, all: readonly EnumOption[]): EnumField {
  const options = toldApart(all);
  const selected = options.findIndex((option) => sameJson(option.value, base.value));
  return { ...base, kind: 'enum', options, selected };
}

/** Options with equal labels, such as 1 and "1", with their values as JSON. */
function toldApart(options: readonly EnumOption[]): readonly EnumOption[] {
  const counts = countEach(options.map(({ label }) => label));
  if (counts.size === options.length) return options;
  return options.map((option) => {
    if (counts.get(option.label) === 1) return option;
    const written = JSON.stringify(option.value);
    const isValue = option.label === shownText(option.value) || option.label === written;
    return { ...option, label: isValue ? written : `${option.label} (${written})` };
  });
}

const optionsOf = new WeakMap<SchemaNode, readonly EnumOption[]>();

/** The options of an `enum`, with the labels that some generators put beside it. Made once for each schema. */
export function enumOptions(node: SchemaNode): readonly EnumOption[] {
  const known = optionsOf.get(node);
  if (known) return known;
  const made = makeOptions(node);
  optionsOf.set(node, made);
  return made;
}

function makeOptions(node: SchemaNode): EnumOption[] {
  const values = Array.isArray(node.enum) ? (node.enum as Json[]) : [];
  const names = [node.enumNames, node.enumTitles, node['x-enumNames'], node['x-enum-varnames']].find(
    Array.isArray,
  );
  const words = [node.enumDescriptions, node['x-enumDescriptions'], node['x-enum-descriptions']].find(
    Array.isArray,
  );
  return values.map((value, index) => ({
    value,
    label: shownText(strings(names)[index]) ?? optionLabel(value),
    ...definedMembers({ description: shownText(strings(words)[index]) }),
  }));
}

/** A choice of constants (`oneOf: [{ const, title }, …]`) as options; undefined when a variant is not a constant. */
export function constOptions(
  variants: readonly Schema[],
  resolve: (schema: Schema) => SchemaNode,
): EnumOption[] | undefined {
  const options: EnumOption[] = [];
  for (const variant of variants) {
    if (!isObject(variant)) return undefined;
    const node = resolve(variant);
    const label = shownText(node.title);
    if ('const' in node && !('properties' in node)) {
      const value = node.const as Json;
      options.push({
        value,
        label: label ?? optionLabel(value),
        ...definedMembers({ description: shownText(node.description) }),
      });
    } else if (Array.isArray(node.enum)) {
      const own = enumOptions(node);
      const only = own.length === 1 ? own[0] : undefined;
      addAll(options, only && label ? [{ ...only, label }] : own);
    } else return undefined;
  }
  return options;
}

function optionLabel(value: Json): string {
  return shownText(value) ?? JSON.stringify(value);
}
