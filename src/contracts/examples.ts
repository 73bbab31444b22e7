import type { JsonObject } from '../domain/json';
import type { RunExample } from '../domain/model';
import { isObject, type UnknownObject } from '../domain/value';
import { pick, pickRecord, pickText } from '../readers/records';

// Examples, in the detail of a model or of a mode, under the usual names.

/** The examples in a record: {input, params}, or the input alone; one, or a list of them. */
export function examplesIn(record: UnknownObject): RunExample[] {
  return requestExamples(pick(record, 'examples', 'example', 'samples', 'defaultexample'));
}

/** The examples in a value that is known to hold some. */
export function requestExamples(value: unknown): RunExample[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.slice(0, 50).flatMap((each) => (isObject(each) ? [readExample(each)] : []));
}

function readExample(value: UnknownObject): RunExample {
  const request = pickRecord(value, 'request', 'value', 'body');
  const record = request ?? value;
  const title = pickText(value, 'title', 'name', 'label', 'summary');
  const input = pickRecord(record, 'input', 'inputs');
  if (input === undefined) return { title: request && title, input: record as JsonObject, params: {} };
  // A `parameters` beside the input of one request; a payload may have both of them inside.
  const params = pick(record, 'params', 'parameters');
  return { title, input: input as JsonObject, params: isObject(params) ? (params as JsonObject) : {} };
}
