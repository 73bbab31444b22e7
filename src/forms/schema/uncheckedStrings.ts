import * as l10n from '@vscode/l10n';
import { isCheckable } from '../patterns/pattern';
import type { SchemaNode } from './node';

/** Formats for which the form has no hint. JSON Schema makes formats annotations, which refuse nothing. */
const UNCHECKED_FORMATS = new Set([
  ...['hostname', 'idn-hostname', 'ipv4', 'ipv6', 'uri-reference', 'iri', 'iri-reference', 'uri-template'],
  ...['json-pointer', 'relative-json-pointer', 'regex', 'duration'],
]);

/** Constraints of a schema on strings that only the service checks, in words. */
export function uncheckedStrings({ pattern, format }: SchemaNode): string[] {
  const notes: string[] = [];
  if (typeof pattern === 'string' && !isCheckable(pattern))
    notes.push(l10n.t('Only the service checks the pattern {0}.', pattern.slice(0, 60)));
  if (typeof format === 'string' && UNCHECKED_FORMATS.has(format))
    notes.push(l10n.t('Only the service checks the format {0}.', format));
  return notes;
}
