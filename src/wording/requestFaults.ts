import * as l10n from '@vscode/l10n';
import type { RequestFault } from '../domain/requestFaults';
import { LONGEST_SCOPE, type ScopeFault, scopeFault } from '../domain/scope';

/** What to change in a run request, as a sentence. */
export function faultText(fault: RequestFault): string {
  switch (fault.fault) {
    case 'managed':
      return fault.field === 'hardware_tier'
        ? l10n.t('Remove hardware_tier: the published model release determines the hardware.')
        : l10n.t('Remove {0}: it is managed by the platform and must not be sent.', fault.field);
    case 'misnamedParams':
      return l10n.t('Rename “parameters” to “params”.');
    case 'notJson':
      return l10n.t('The request contains a value that JSON cannot express, such as a number without end.');
    case 'localFile':
      return l10n.t('The request names a file of this computer that is not uploaded, so it was not sent.');
    case 'prototypeName':
      return l10n.t('The name “__proto__” cannot be sent. Remove it.');
    case 'unknownField':
      return l10n.t('Remove “{0}”. Allowed here: {1}.', fault.field, fault.known.join(', '));
    case 'type':
      return TYPE_TEXTS[fault.expected](fault.field);
    case 'missing':
      return fault.field === 'model' ? l10n.t('Enter the model to run.') : l10n.t('Choose a mode.');
    case 'scope':
      return SCOPE_TEXTS[fault.problem](fault.scope);
  }
}

/** The problem with a scope that a user types, as a sentence; undefined when it is well formed. */
export function scopeProblem(scope: string): string | undefined {
  const fault = scopeFault(scope);
  return fault && SCOPE_TEXTS[fault](scope);
}

const TYPE_TEXTS = {
  string: (field: string) => l10n.t('“{0}” must be a string.', field),
  object: (field: string) => l10n.t('“{0}” must be an object.', field),
  boolean: (field: string) => l10n.t('“{0}” must be true or false.', field),
};

const SCOPE_TEXTS: Readonly<Record<ScopeFault, (scope: string) => string>> = {
  missing: () => l10n.t('Enter a scope, for example playground.'),
  tooLong: ({ length }) =>
    l10n.t('A scope has at most {0} characters; this one has {1}.', LONGEST_SCOPE, length),
  badStart: () => l10n.t('A scope starts with a letter (A to Z) or a digit.'),
  badCharacter: () => l10n.t('A scope may contain letters (A to Z), digits, dots, underscores and hyphens.'),
};
