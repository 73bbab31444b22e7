import * as l10n from '@vscode/l10n';
import type { Json, JsonObject } from '../../../src/domain/json';
import { fieldFault } from '../../../src/domain/requestFaults';
import { isObject } from '../../../src/domain/value';
import { faultText } from '../../../src/wording/requestFaults';

/** The JSON tab's text: `input` and `params` of the request. */

export interface RequestParts {
  readonly input: JsonObject;
  readonly params: JsonObject;
}

export function textOf({ input, params }: RequestParts): string {
  return JSON.stringify({ input, params }, null, 2);
}

/** The request of a text, or why it is none, as a message. */
export function readText(text: string): RequestParts | { readonly problem: string } {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return { problem: l10n.t('This is not valid JSON.') };
  }
  if (!isObject(value)) return { problem: l10n.t('Enter an object with "input" and "params".') };
  const stray = Object.keys(value)
    .map((field) => fieldFault(field, ['input', 'params']))
    .find((fault) => fault !== undefined);
  if (stray) return { problem: faultText(stray) };
  const { input = {}, params = {} } = value;
  if (!isObject(input)) return { problem: notAnObject('input') };
  if (!isObject(params)) return { problem: notAnObject('params') };
  return { input, params };
}

function notAnObject(field: string): string {
  return faultText({ fault: 'type', field, expected: 'object' });
}
