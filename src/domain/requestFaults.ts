import { childPointer } from './pointer';
import { MANAGED_FIELDS } from './run';
import { type ScopeFault, scopeFault } from './scope';
import { isObject } from './value';

/** A problem of one field of a run request; `wording/requestFaults.ts` has the sentences. */
export type RequestFault =
  | { readonly fault: 'managed' | 'misnamedParams'; readonly field: string }
  | { readonly fault: 'notJson' }
  /** A file of this computer that is not uploaded: its path would be sent. */
  | { readonly fault: 'localFile' }
  /** A member named `__proto__`: many JSON readers drop it without a word, so that another request would be executed. */
  | { readonly fault: 'prototypeName' }
  | { readonly fault: 'unknownField'; readonly field: string; readonly known: readonly string[] }
  | {
      readonly fault: 'type';
      readonly field: string;
      readonly expected: 'string' | 'object' | 'boolean';
    }
  | { readonly fault: 'missing'; readonly field: 'model' | 'mode' }
  | { readonly fault: 'scope'; readonly scope: string; readonly problem: ScopeFault };

export interface PlacedFault {
  /** RFC 6901 pointer into the request. */
  readonly pointer: string;
  readonly fault: RequestFault;
}

/** The fields of a run request, in their order. */
export const REQUEST_FIELDS: readonly string[] = ['model', 'mode', 'scope', 'input', 'params', 'options'];

/**
 * The mode's use of a scope: `required` for a vector-backed mode, `unused` for another; `optional` where the contract
 * is not known, or lacks the mode.
 */
export type ScopeUse = 'required' | 'optional' | 'unused';

/** Whether a mode is vector-backed by its name alone (section 2.1); a contract may declare more of them. */
export function isVectorMode(name: string): boolean {
  return /^(?:index|search)$/i.test(name);
}

/**
 * The structural rules of a run request (section 2.1) that hold for every model, in the order of the request; empty
 * when it may be sent as far as these go. It trusts no type: drafts come from forms, JSON editors, settings and
 * commands.
 */
export function requestFaults(request: object, scopeUse: ScopeUse): readonly PlacedFault[] {
  const given = request as Readonly<Record<string, unknown>>;
  return [
    ...nameFaults('model', given.model),
    ...(given.mode === undefined ? [] : nameFaults('mode', given.mode)),
    ...scopeFaults(given.scope, scopeUse),
    ...objectFaults('input', given.input),
    ...objectFaults('params', given.params),
    ...(given.options === undefined ? [] : optionFaults(given.options)),
    ...Object.keys(given).flatMap((field) => placed('', field, fieldFault(field))),
    ...['input', 'params', 'options'].flatMap((field) => prototypeNames(given[field], `/${field}`)),
  ];
}

/** Why a run request must not contain a field; undefined when it may. */
export function fieldFault(field: string, known = REQUEST_FIELDS): RequestFault | undefined {
  if (known.includes(field)) return undefined;
  if (field === 'parameters') return { fault: 'misnamedParams', field };
  return managedFault(field) ?? { fault: 'unknownField', field, known };
}

/** Why a field is never sent by a client, at the top of a request or in its options. */
export function managedFault(field: string): RequestFault | undefined {
  return MANAGED_FIELDS.includes(field) ? { fault: 'managed', field } : undefined;
}

function nameFaults(field: 'model' | 'mode', value: unknown): PlacedFault[] {
  const isNamed = typeof value === 'string' && value.trim() !== '';
  return isNamed ? [] : [{ pointer: `/${field}`, fault: { fault: 'missing', field } }];
}

function scopeFaults(value: unknown, use: ScopeUse): PlacedFault[] {
  if (use === 'unused' || (use === 'optional' && value === undefined)) return [];
  const scope = typeof value === 'string' ? value : '';
  const problem = scopeFault(scope);
  return problem === undefined ? [] : [{ pointer: '/scope', fault: { fault: 'scope', scope, problem } }];
}

function objectFaults(field: string, value: unknown): PlacedFault[] {
  return isObject(value)
    ? []
    : [{ pointer: `/${field}`, fault: { fault: 'type', field, expected: 'object' } }];
}

function optionFaults(options: unknown): PlacedFault[] {
  if (!isObject(options)) return objectFaults('options', options);
  return Object.keys(options).flatMap((field) => placed('/options', field, managedFault(field)));
}

/** Deeper than anybody writes by hand, and not so deep that writing it as JSON would overflow the stack. */
const DEEPEST = 1000;

/** @param around the objects and lists that contain the value: a value that contains itself has no end */
function prototypeNames(value: unknown, pointer: string, around = new Set<object>()): PlacedFault[] {
  if (typeof value !== 'object' || value === null) return [];
  if (around.size >= DEEPEST || around.has(value)) return [{ pointer, fault: { fault: 'notJson' } }];
  around.add(value);
  const faults = Object.entries(value).flatMap(([key, item]) => {
    // Most are plain values, whose pointers are not needed.
    if (key !== '__proto__' && typeof item !== 'object') return [];
    const at = childPointer(pointer, key);
    const own: PlacedFault[] =
      key === '__proto__' ? [{ pointer: at, fault: { fault: 'prototypeName' } }] : [];
    return [...own, ...prototypeNames(item, at, around)];
  });
  around.delete(value);
  return faults;
}

function placed(pointer: string, field: string, fault: RequestFault | undefined): PlacedFault[] {
  return fault === undefined ? [] : [{ pointer: childPointer(pointer, field), fault }];
}
