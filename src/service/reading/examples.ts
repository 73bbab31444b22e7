import type { JsonObject } from '../../domain/json';
import type { RunExample } from '../../domain/model';
import { isObject, type UnknownObject } from '../../domain/value';
import { words } from '../../domain/words';
import { firstOf, pick, pickRecord, pickText } from './records';
import { readShape } from './shape';

// Examples, in the detail of a model or of a mode, under the usual names.

const EXAMPLES = words('examples exampleinputs example exampleinput sampleinput samples examplerequest');

/** Examples of a mode: {input, params}, or the input alone; one, a list, or a table by title. */
export function readExamples(
  own: UnknownObject,
  shared: readonly UnknownObject[],
  inputNames: readonly string[],
): RunExample[] {
  for (const record of [own, ...shared]) {
    const value = pick(record, ...EXAMPLES);
    const list = Array.isArray(value) ? value : isObject(value) ? asList(value) : [];
    const examples = list.flatMap(readExample);
    if (examples.length > 0) return examples;
  }
  const input = firstOf([own, ...shared], (record) => pickRecord(record, ...inputNames));
  if (input === undefined) return [];
  // JSON Schema's own `examples`; and an input contract that is nothing but an example is one.
  if (Array.isArray(input.examples)) return input.examples.flatMap(readExample);
  const shape = readShape(input);
  if (shape?.origin !== 'example') return [];
  const example = pickRecord(input, 'example', 'sample') ?? input;
  return [{ input: example as JsonObject, params: {} }];
}

/** One example, or a table of them: {"A cat": {input: ...}}. */
function asList(value: UnknownObject): unknown[] {
  const entries = Object.entries(value);
  const table =
    entries.length > 0 &&
    entries.every(([, item]) => isObject(item) && pickRecord(item, 'input') !== undefined);
  return table ? entries.map(([title, item]) => ({ title, ...(item as UnknownObject) })) : [value];
}

function readExample(value: unknown): RunExample[] {
  if (!isObject(value)) return [];
  const request = pickRecord(value, 'request', 'value', 'body');
  const record = request ?? value;
  const title = pickText(value, 'title', 'name', 'label', 'summary');
  const input = pickRecord(record, 'input', 'inputs');
  if (input === undefined)
    return [{ title: request === undefined ? undefined : title, input: record as JsonObject, params: {} }];
  const params = pickRecord(record, 'params', 'parameters') ?? {};
  return [{ title, input: input as JsonObject, params: params as JsonObject }];
}
