import type { RunModelArgs } from '../../contributions';
import { fieldFault, managedFault, type RequestFault } from '../../domain/requestFaults';
import { isObject } from '../../domain/value';
import { ServiceError } from '../../service/errors';

type FieldType = 'string' | 'object' | 'boolean';

/** The type of each field; any other field is rejected, since it would be ignored. */
const FIELDS: { readonly [Field in keyof Required<RunModelArgs>]: FieldType } = {
  model: 'string',
  mode: 'string',
  scope: 'string',
  input: 'object',
  params: 'object',
  options: 'object',
  historyId: 'string',
  environment: 'string',
  preview: 'boolean',
  preserveFocus: 'boolean',
};

/**
 * The argument of `modelBench.runModel`, which a keybinding, a script or another extension may have written.
 * @throws ServiceError `invalidRequest` that names the field
 */
export function checkedRunArgs(args: unknown): Partial<RunModelArgs> {
  if (args === undefined || args === null || isTreeRow(args)) return {};
  if (!isObject(args)) throw rejected();
  for (const [field, value] of Object.entries(args)) {
    const fault = value === undefined ? managedFault(field) : memberFault(field, value);
    if (fault) throw rejected(fault);
  }
  return args as Partial<RunModelArgs>;
}

/** VS Code hands the focused row to a button in the title of a tree; that button means any model. */
function isTreeRow(args: unknown): boolean {
  return typeof args === 'object' && args !== null && 'kind' in args && !Object.hasOwn(args, 'input');
}

function memberFault(field: string, value: unknown): RequestFault | undefined {
  if (field === 'options' && isObject(value)) {
    const managed = Object.keys(value).map(managedFault).find(Boolean);
    if (managed) return managed;
  }
  const unusable = fieldFault(field, Object.keys(FIELDS));
  if (unusable) return unusable;
  const expected = FIELDS[field as keyof RunModelArgs];
  return fits(value, expected) ? undefined : { fault: 'type', field, expected };
}

function fits(value: unknown, expected: FieldType): boolean {
  return expected === 'object' ? isObject(value) : typeof value === expected;
}

function rejected(fault?: RequestFault): ServiceError {
  return new ServiceError('invalidRequest', { why: { reason: 'commandArgument', fault } });
}
