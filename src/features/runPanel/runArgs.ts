import * as vscode from 'vscode';
import type { RunModelArgs } from '../../contributions';
import { isObject } from '../../domain/value';
import { managedProblem } from '../../forms/checkDraft';
import { ServiceError } from '../../service/errors';

/** Of each field what it must be; whatever else stands there is refused, for it would be left out silently. */
const FIELDS: { readonly [Field in keyof Required<RunModelArgs>]: 'text' | 'object' | 'texts' } = {
  model: 'text',
  mode: 'text',
  scope: 'text',
  input: 'object',
  params: 'object',
  attachments: 'texts',
  historyId: 'text',
};

/**
 * The argument of `modelBench.runModel`, which a keybinding, a script or another extension may have written.
 * @throws ServiceError `invalidRequest` that names the field
 */
export function checkedRunArgs(args: unknown): Partial<RunModelArgs> {
  if (args === undefined || args === null || isTreeRow(args)) return {};
  if (!isObject(args))
    throw refused(vscode.l10n.t('“Run Model…” takes an object: { model, mode, scope, input, params }.'));
  for (const [field, value] of Object.entries(args)) {
    const problem = managedProblem(field) ?? problemOf(field, value);
    if (problem !== undefined)
      throw refused(vscode.l10n.t('The request given to “Run Model…” is not used. {0}', problem));
  }
  return args as Partial<RunModelArgs>;
}

/** VS Code hands the focused row to a button in the title of a tree; that button means any model. */
function isTreeRow(args: unknown): boolean {
  return typeof args === 'object' && args !== null && 'kind' in args && !Object.hasOwn(args, 'input');
}

function problemOf(field: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (field === 'parameters') return vscode.l10n.t('The name is “params”, not “parameters”.');
  if (field === 'options') {
    const managed = isObject(value) ? Object.keys(value).map(managedProblem).find(Boolean) : undefined;
    return managed ?? vscode.l10n.t('“options” cannot be given here.');
  }
  if (!Object.hasOwn(FIELDS, field))
    return vscode.l10n.t('“{0}” is no part of it: there are {1}.', field, Object.keys(FIELDS).join(', '));
  switch (FIELDS[field as keyof RunModelArgs]) {
    case 'text':
      return typeof value === 'string' ? undefined : vscode.l10n.t('“{0}” must be a text.', field);
    case 'object':
      return isObject(value) ? undefined : vscode.l10n.t('“{0}” must be an object.', field);
    case 'texts':
      return Array.isArray(value) && value.every((item) => typeof item === 'string')
        ? undefined
        : vscode.l10n.t('“{0}” must be a list of texts.', field);
  }
}

function refused(message: string): ServiceError {
  return new ServiceError('invalidRequest', message, 'none');
}
