import { isObject } from '../../domain/value';
import { exclusiveBounds, isMarkedRequired, schemaType } from './dialects';
import type { Dialect } from './drafts';
import { DYNAMIC, MEDIA_MARK, RESOURCE, type SchemaNode, SOFT, UNCHECKED } from './node';

const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];
const NUMBERS = ['minimum', 'maximum', ...COUNTS, 'minContains', 'maxContains'];
const PLAIN = ['title', 'description', 'default', 'format', 'deprecated', 'readOnly', 'writeOnly'];
const CONTENT = ['contentMediaType', 'contentEncoding', 'discriminator'];
const SPOKEN = ['enumNames', 'enumTitles', 'enumDescriptions', 'isSecret', 'editor'];
const ANNOTATIONS = [...PLAIN, ...CONTENT, ...SPOKEN, 'advanced', 'group', 'accept'];

/** Keywords of our own, which a schema cannot set. */
const OURS: ReadonlySet<string> = new Set([DYNAMIC, MEDIA_MARK, RESOURCE, SOFT, UNCHECKED]);

/** Whether a keyword of a node restricts nothing: it describes the value, or is one of our own. */
export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.includes(keyword) || keyword === 'examples' || keyword.startsWith('x-');
}

/** Copies the keywords that describe a value and do not restrict it. */
export function addAnnotations(raw: SchemaNode, node: Record<string, unknown>): void {
  for (const key of Object.keys(raw)) {
    if (ANNOTATIONS.includes(key) || (key.startsWith('x-') && !OURS.has(key))) node[key] = raw[key];
  }
  if (typeof node.format !== 'string') delete node.format;
  // Apify fills its forms with `prefill`, and sends nothing of it by itself.
  const example = 'example' in raw ? [raw.example] : 'prefill' in raw ? [raw.prefill] : [];
  const examples = Array.isArray(raw.examples) ? raw.examples : example;
  if (examples.length > 0) node.examples = examples;
}

/** Copies well-formed keywords that restrict a value without a schema inside. */
export function addConstraints(raw: SchemaNode, node: Record<string, unknown>, { draft }: Dialect): void {
  const types = schemaType(raw.type);
  if (types !== undefined) node.type = types;
  if (Array.isArray(raw.enum)) node.enum = raw.enum;
  if ('const' in raw) node.const = raw.const;
  for (const key of NUMBERS) {
    if (Number.isFinite(raw[key])) node[key] = raw[key];
  }
  const multiple = draft === 3 ? raw.divisibleBy : raw.multipleOf;
  if (typeof multiple === 'number' && multiple > 0) node.multipleOf = multiple;
  exclusiveBounds(raw, node);
  if (raw.uniqueItems === true) node.uniqueItems = true;
  if (typeof raw.pattern === 'string') node.pattern = raw.pattern;
  const required = Array.isArray(raw.required) ? raw.required.filter((key) => typeof key === 'string') : [];
  const isOwn = draft === undefined || draft === 3;
  const late =
    isOwn && isObject(raw.properties) ? Object.entries(raw.properties).filter(isMarkedRequired) : [];
  const keys = [...new Set([...required, ...late.map(([key]) => key)])];
  if (keys.length > 0) node.required = keys;
}
