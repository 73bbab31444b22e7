import * as l10n from '@vscode/l10n';
import type { Json, JsonObject } from '../domain/json';
import type { ModelContract, Shape } from '../domain/model';
import { modeOf } from '../domain/model';
import { childPointer, segmentsOf } from '../domain/pointer';
import type { Problem } from '../domain/problems';
import { REQUEST_FIELDS, requestFaults } from '../domain/requestFaults';
import type { RunDraft, RunRequest } from '../domain/run';
import { isObject } from '../domain/value';
import { faultText } from '../wording/requestFaults';
import { idsField } from './schema/mediaHints';
import { validateValue } from './validate';

export interface CheckOptions {
  /** `skip`: the user chose to run without validation. Everything else is still checked. */
  readonly schema?: 'check' | 'skip';
  /** Where many drafts are checked: the results for inputs and parameters of earlier drafts. */
  readonly known?: KnownParts;
}

/** A longer part is checked again: its text would be held. */
const LONGEST_KNOWN = 2_000;
/** Parts of a shape to hold: at most 10 MB. */
const MOST_KNOWN = 2_500;

/** The results for inputs and parameters, so that a grid of thousands of requests checks each of its values once. */
export class KnownParts {
  readonly #checks = new Map<Shape, Map<string, DraftCheck>>();

  of(shape: Shape, value: JsonObject, check: () => DraftCheck): DraftCheck {
    const text = JSON.stringify(value);
    if (text.length > LONGEST_KNOWN) return check();
    const checks = this.#checks.get(shape) ?? new Map<string, DraftCheck>();
    this.#checks.set(shape, checks);
    const known = checks.get(text);
    if (known) return known;
    if (checks.size >= MOST_KNOWN) checks.clear();
    const checked = check();
    checks.set(text, checked);
    return checked;
  }
}

/**
 * The interface's run validation checklist (section 4, rule 3), before anything is uploaded or paid: the rules for
 * every model and those of the contract. Takes drafts from forms and from JSON editors, settings or commands alike,
 * so it does not trust the types.
 *
 * @returns what to fix, in the order of the request; empty when the draft may be sent
 */
export function checkDraft(contract: ModelContract, draft: RunDraft, options: CheckOptions = {}): Problem[] {
  return [...checkInFull(contract, draft, options).problems];
}

export interface DraftCheck {
  readonly problems: readonly Problem[];
  /** The rules of the model's schemas that were not checked, in sentences for the user. */
  readonly notes: readonly string[];
}

/** The same, with the list of constraints that only the service can check. */
export function checkInFull(
  contract: ModelContract,
  draft: RunDraft,
  options: CheckOptions = {},
): DraftCheck {
  const mode = modeOf(contract, draft.mode);
  const scopeUse = mode === undefined ? 'optional' : mode.vectorBacked ? 'required' : 'unused';
  const structural = requestFaults(draft, scopeUse)
    .filter(({ pointer }) => pointer !== '/mode')
    .map(({ pointer, fault }) => ({ pointer, message: faultText(fault) }));
  const schemas = options.schema === 'skip' ? undefined : mode;
  const check = (shape: Shape, value: JsonObject, pointer: string) => {
    const check = () => checkShape(shape, value, pointer);
    return options.known ? options.known.of(shape, value, check) : check();
  };
  const input: Json = draft.input;
  const params: Json = draft.params;
  const checked = {
    input: schemas && isObject(input) ? check(schemas.input, input, '/input') : NOT_CHECKED,
    params: schemas && isObject(params) ? check(schemas.params, params, '/params') : NOT_CHECKED,
  };
  const problems = [
    ...structural,
    ...modelProblems(contract, draft),
    ...modeProblems(contract, draft),
    ...checked.input.problems,
    ...(isObject(input) ? idProblems(input) : []),
    ...checked.params.problems,
  ];
  const notes = [...new Set([...checked.input.notes, ...checked.params.notes])];
  return { problems: problems.sort((a, b) => problemRank(a.pointer) - problemRank(b.pointer)), notes };
}

/** The position of a problem's field in a request; a pointer to another place comes last. */
function problemRank(pointer: string): number {
  const [field = ''] = segmentsOf(pointer);
  const place = REQUEST_FIELDS.indexOf(field);
  return place < 0 ? REQUEST_FIELDS.length : place;
}

/**
 * The request of a draft. It is shown, copied as code, saved and sent. `mode` is left out only for a model that
 * declares none (section 2.1: the default is `execute`), `scope` is sent only for vector-backed modes, `params`
 * always. Local files are still URIs; `withUploadedRefs` replaces them.
 */
export function toRunRequest(contract: ModelContract, draft: RunDraft): RunRequest {
  const mode = modeOf(contract, draft.mode);
  const sendsMode = contract.modesDeclared || draft.mode !== 'execute';
  const scope = mode?.vectorBacked === true ? draft.scope : undefined;
  const options = draft.options && Object.keys(draft.options).length > 0 ? draft.options : undefined;
  return {
    model: draft.model,
    ...(sendsMode ? { mode: mode?.name ?? draft.mode } : {}),
    ...(scope ? { scope } : {}),
    input: draft.input,
    params: draft.params,
    ...(options ? { options } : {}),
  };
}

function modelProblems(contract: ModelContract, { model }: RunDraft): Problem[] {
  const isNamed = typeof model === 'string' && model.trim() !== '';
  if (!isNamed || model === contract.slug || model === contract.id) return [];
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

/** A shape made from an example gives a form, but does not block a request. */
function checkShape(shape: Shape, value: JsonObject, pointer: string): DraftCheck {
  if (shape.origin === 'example' || shape.origin === 'unknown') return NOT_CHECKED;
  const { issues, notes } = validateValue(shape.schema, value, pointer);
  return { problems: issues.map(({ pointer: at, message }) => ({ pointer: at, message })), notes };
}

const NOT_CHECKED: DraftCheck = { problems: [], notes: [] };

/** Section 2.2: as many ids as images. No id twice either, since the later image would replace the earlier one. */
function idProblems(input: JsonObject): Problem[] {
  return Object.keys(input).flatMap((key): Problem[] => {
    const idsKey = idsField(key, input);
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
