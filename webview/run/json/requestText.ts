import * as l10n from '@vscode/l10n';
import type { Json, JsonObject } from '../../../src/domain/json';
import { isObject } from '../../../src/domain/value';
import { managedProblem } from '../../../src/forms/checkDraft';

/** The JSON tab's text: the request's own `input` and `params`, nothing around them. */

export interface RequestParts {
  readonly input: JsonObject;
  readonly params: JsonObject;
}

export function textOf({ input, params }: RequestParts): string {
  return JSON.stringify({ input, params }, null, 2);
}

/** What a text means, or in a sentence why it means no request yet. */
export function readText(text: string): RequestParts | { readonly problem: string } {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return { problem: l10n.t('This is not valid JSON yet.') };
  }
  if (!isObject(value)) return { problem: l10n.t('Write an object with "input" and "params".') };
  const stray = Object.keys(value).find((key) => key !== 'input' && key !== 'params');
  if (stray !== undefined)
    return {
      problem:
        managedProblem(stray) ??
        (stray === 'parameters' ? l10n.t('The name is "params", not "parameters".') : undefined) ??
        l10n.t('Only "input" and "params" stand here; "{0}" does not.', stray),
    };
  const { input = {}, params = {} } = value;
  if (!isObject(input)) return { problem: l10n.t('"input" must be an object.') };
  if (!isObject(params)) return { problem: l10n.t('"params" must be an object, also when empty.') };
  return { input, params };
}
