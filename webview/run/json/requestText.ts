import * as l10n from '@vscode/l10n';
import type { JsonObject } from '../../../src/domain/json';
import type { ShownContract } from '../../../src/domain/model';
import { fieldFault, REQUEST_FIELDS } from '../../../src/domain/requestFaults';
import type { RunDraft } from '../../../src/domain/run';
import { isObject } from '../../../src/domain/value';
import { faultText } from '../../../src/wording/requestFaults';
import { readJson, type TextProblem } from './jsonText';

/** The JSON tab's text: `input`, `params` and, where there are any, `options` of the request. */

export interface RequestParts {
  readonly input: JsonObject;
  readonly params: JsonObject;
  readonly options?: JsonObject | undefined;
}

const FIELDS = ['input', 'params', 'options'];

export function requestText({ input, params, options }: RequestParts): string {
  return JSON.stringify({ input, params, ...(options ? { options } : {}) }, null, 2);
}

/** The request of a text, or the problem with the text. */
export function readText(text: string): RequestParts | TextProblem {
  const read = readJson(text);
  if ('problem' in read) return read;
  const { value } = read;
  if (!isObject(value)) return { problem: l10n.t('Enter an object with "input" and "params".'), offset: 0 };
  const stray = Object.keys(value).find((field) => fieldFault(field, FIELDS) !== undefined);
  if (stray !== undefined) return at(text, stray, faultText(fieldFault(stray, FIELDS)!));
  const { input = {}, params = {}, options } = value;
  if (!isObject(input)) return notAnObject(text, 'input');
  if (!isObject(params)) return notAnObject(text, 'params');
  if (options !== undefined && !isObject(options)) return notAnObject(text, 'options');
  return { input, params, options };
}

function notAnObject(text: string, field: string): TextProblem {
  return at(text, field, faultText({ fault: 'type', field, expected: 'object' }));
}

/** A problem of a member of the outermost object. */
function at(text: string, field: string, problem: string): TextProblem {
  return { problem, offset: Math.max(0, text.indexOf(JSON.stringify(field))) };
}

/**
 * The draft of a whole run request that is pasted from code: its model and mode are no part of the JSON tab's text,
 * and are taken out of it. Undefined: the text is no whole request, or one of another model or mode.
 */
export function draftOfRequest(
  text: string,
  contract: ShownContract,
  before: RunDraft,
): RunDraft | undefined {
  const read = readJson(text);
  const given = 'value' in read && isObject(read.value) ? read.value : undefined;
  if (!given || !('model' in given || 'mode' in given || 'scope' in given)) return undefined;
  if (Object.keys(given).some((field) => fieldFault(field, REQUEST_FIELDS) !== undefined)) return undefined;
  const { model = before.model, mode = before.mode, scope, input = {}, params = {}, options } = given;
  if (model !== contract.slug && model !== contract.id) return undefined;
  if (!contract.modes.some(({ name }) => name === mode)) return undefined;
  if (!isObject(input) || !isObject(params) || (options !== undefined && !isObject(options)))
    return undefined;
  const { options: _before, ...others } = before;
  return {
    ...others,
    mode: String(mode),
    ...(typeof scope === 'string' && { scope }),
    input: input as JsonObject,
    params: params as JsonObject,
    ...(options !== undefined && { options: options as JsonObject }),
  };
}
