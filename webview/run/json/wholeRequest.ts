import type { JsonObject } from '../../../src/domain/json';
import type { ShownContract } from '../../../src/domain/model';
import { fieldFault, REQUEST_FIELDS } from '../../../src/domain/requestFaults';
import type { RunDraft } from '../../../src/domain/run';
import { isObject } from '../../../src/domain/value';
import { readJson } from './jsonText';

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
