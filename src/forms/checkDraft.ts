import * as l10n from '@vscode/l10n';
import type { Json, JsonObject } from '../domain/json';
import type { ModeContract, ModelContract, Shape } from '../domain/model';
import { modeOf } from '../domain/model';
import { childPointer } from '../domain/pointer';
import type { Problem } from '../domain/problems';
import { MANAGED_FIELDS, type RunDraft, type RunRequest } from '../domain/run';
import { scopeProblem } from '../domain/scope';
import { isObject } from '../domain/value';
import { idsOf } from './schema/mediaHints';
import { validateValue } from './validate';

/** Why a field must not stand in a run request, as a sentence; undefined for a field that is not managed. */
export function managedProblem(field: string): string | undefined {
  if (!MANAGED_FIELDS.includes(field)) return undefined;
  return field === 'hardware_tier'
    ? l10n.t('Remove hardware_tier: the published model release determines the hardware.')
    : l10n.t('Remove {0}: it is managed by the platform and must not be sent.', field);
}

export interface CheckOptions {
  /** `skip`: the user chose to run without validation. Everything else is still checked. */
  readonly schema?: 'check' | 'skip';
}

/**
 * The interface's run validation checklist (section 4, rule 3), before anything is uploaded or paid. Takes drafts from
 * forms and from JSON editors, settings or commands alike, so it does not trust the types.
 *
 * @returns what must be fixed, in the order of the request; empty when the draft may be sent
 */
export function checkDraft(contract: ModelContract, draft: RunDraft, options: CheckOptions = {}): Problem[] {
  const mode = modeOf(contract, draft.mode);
  const checked = options.schema !== 'skip';
  const input: Json = draft.input;
  const params: Json = draft.params;
  return [
    ...modelProblems(contract, draft),
    ...modeProblems(contract, draft),
    ...scopeProblems(mode, draft),
    ...objectProblems('/input', input, l10n.t('The input must be an object.')),
    ...(mode && checked && isObject(input) ? schemaProblems(mode.input, input, '/input') : []),
    ...(isObject(input) ? idProblems(input) : []),
    ...objectProblems('/params', params, l10n.t('The parameters must be an object; {} stands for none.')),
    ...(mode && checked && isObject(params) ? schemaProblems(mode.params, params, '/params') : []),
    ...optionProblems(draft),
    ...managedProblems(draft),
  ];
}

/**
 * The request that a draft stands for: what is shown, copied as code, saved and sent. `mode` is left out only for a
 * model that declares none (section 2.1: the default is `execute`), `scope` is sent only for vector-backed modes,
 * `params` always. Local files are still URIs; `withUploadedRefs` replaces them.
 */
export function toRunRequest(contract: ModelContract, draft: RunDraft): RunRequest {
  const mode = modeOf(contract, draft.mode);
  const sendsMode = contract.modesDeclared || draft.mode !== 'execute';
  const scope = mode?.vectorBacked === true ? draft.scope : undefined;
  const options = draft.options && Object.keys(draft.options).length > 0 ? draft.options : undefined;
  return {
    model: draft.model,
    ...(sendsMode ? { mode: draft.mode } : {}),
    ...(scope ? { scope } : {}),
    input: draft.input,
    params: draft.params,
    ...(options ? { options } : {}),
  };
}

function modelProblems(contract: ModelContract, draft: RunDraft): Problem[] {
  const model: unknown = draft.model;
  if (typeof model !== 'string' || model.trim() === '')
    return [{ pointer: '/model', message: l10n.t('Enter the model to run.') }];
  if (model === contract.slug || model === contract.id) return [];
  const message = l10n.t('This request is for {0}, but the model shown is {1}.', model, contract.slug);
  return [{ pointer: '/model', message }];
}

function modeProblems(contract: ModelContract, draft: RunDraft): Problem[] {
  const name: unknown = draft.mode;
  if (typeof name === 'string' && modeOf(contract, name)) return [];
  const names = contract.modes.map((mode) => mode.name).join(', ');
  const asked = typeof name === 'string' && name !== '' ? name : undefined;
  const message = asked
    ? l10n.t('{0} has no mode {1}. Choose one of: {2}.', contract.name, asked, names)
    : l10n.t('Choose a mode: {0}.', names);
  return [{ pointer: '/mode', message }];
}

function scopeProblems(mode: ModeContract | undefined, draft: RunDraft): Problem[] {
  const scope: unknown = draft.scope;
  if (scope === undefined && mode?.vectorBacked !== true) return [];
  // A draft may keep the scope of another mode; a mode without vectors ignores it.
  if (mode && !mode.vectorBacked) return [];
  const message = typeof scope === 'string' ? scopeProblem(scope) : scopeProblem('');
  return message === undefined ? [] : [{ pointer: '/scope', message }];
}

function objectProblems(pointer: string, value: unknown, message: string): Problem[] {
  return isObject(value) ? [] : [{ pointer, message }];
}

/** A shape made from an example gives a form, but does not block a request. */
function schemaProblems(shape: Shape, value: JsonObject, pointer: string): Problem[] {
  if (shape.origin === 'example' || shape.origin === 'unknown') return [];
  return validateValue(shape.schema, value, pointer).issues.map((issue) => ({
    pointer: issue.pointer,
    message: issue.message,
  }));
}

/** Section 2.2: as many ids as images. No id twice either, since the later image would replace the earlier one. */
function idProblems(input: JsonObject): Problem[] {
  return Object.keys(input).flatMap((key): Problem[] => {
    const idsKey = idsOf(key, input);
    const media = input[key];
    const ids = idsKey === undefined ? undefined : input[idsKey];
    if (idsKey === undefined || !Array.isArray(media) || !Array.isArray(ids)) return [];
    const pointer = childPointer('/input', idsKey);
    if (ids.length !== media.length) {
      const message = l10n.t(
        'Enter one ID per item: there are {0} items and {1} IDs.',
        media.length,
        ids.length,
      );
      return [{ pointer, message }];
    }
    const again = ids.findIndex((id, index) => ids.indexOf(id) < index);
    if (again < 0) return [];
    const message = l10n.t('Two items have the ID {0}. Give each item its own ID.', String(ids[again]));
    return [{ pointer: childPointer(pointer, again), message }];
  });
}

function optionProblems(draft: RunDraft): Problem[] {
  const options: unknown = draft.options;
  if (options === undefined) return [];
  if (!isObject(options)) return [{ pointer: '/options', message: l10n.t('The options must be an object.') }];
  return managedIn(options, '/options');
}

function managedProblems(draft: RunDraft): Problem[] {
  return managedIn(draft, '');
}

function managedIn(fields: object, pointer: string): Problem[] {
  return Object.keys(fields).flatMap((key) => {
    const message = managedProblem(key);
    return message === undefined ? [] : [{ pointer: childPointer(pointer, key), message }];
  });
}
