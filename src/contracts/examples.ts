import type { JsonObject } from '../domain/json';
import type { RunExample } from '../domain/model';
import { isObject, type UnknownObject } from '../domain/value';
import { members, pick, pickRecord, pickText } from '../readers/records';
import { nameRole } from './roles';

// Examples, in the detail of a model or of a mode, under the usual names.

const MOST = 50;

/** The examples in a record: {input, params}, or the input alone; one, a list, or a table by title. */
export function examplesIn(record: UnknownObject): RunExample[] {
  for (const [name, value] of members(record)) {
    const examples = nameRole(name) === 'example' ? requestExamples(value) : [];
    if (examples.length > 0) return examples;
  }
  return [];
}

/** The examples in a value that is known to hold some. */
export function requestExamples(value: unknown): RunExample[] {
  const list = Array.isArray(value) ? value : isObject(value) ? asList(value) : [];
  return list.slice(0, MOST).flatMap(readExample);
}

/** One example, or a table of them: {"A cat": {input: ...}}. */
function asList(value: UnknownObject): unknown[] {
  const entries = members(value);
  const isTable =
    entries.length > 0 &&
    entries.every(([, item]) => isObject(item) && pickRecord(item, 'input', 'body', 'value') !== undefined);
  return isTable ? entries.map(([title, item]) => ({ title, ...(item as UnknownObject) })) : [value];
}

function readExample(value: unknown): RunExample[] {
  if (!isObject(value)) return [];
  const request = pickRecord(value, 'request', 'value', 'body');
  const record = request ?? value;
  const title = pickText(value, 'title', 'exampletitle', 'name', 'label', 'summary');
  const input = pickRecord(record, 'input', 'inputs');
  if (input === undefined) {
    const isTitled = request !== undefined || typeof value.example_title === 'string';
    return [{ title: isTitled ? title : undefined, input: withoutTitle(record) as JsonObject, params: {} }];
  }
  // A `parameters` beside the input of one request; a payload may have both of them inside.
  const params = pick(record, 'params', 'parameters');
  return [{ title, input: input as JsonObject, params: isObject(params) ? (params as JsonObject) : {} }];
}

/** {text, example_title, output} has the input between other members. */
function withoutTitle(record: UnknownObject): UnknownObject {
  if (!('example_title' in record) && !('output' in record)) return record;
  const { example_title: _title, output: _output, ...input } = record;
  return input;
}
