import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  mappingAmong,
  type ResponseMapping,
  responseMappingsSchema,
  useResponseMappings,
} from '../domain/responseMapping';
import { warnOfSetting } from '../vscode/settingWarning';

/** Reads responses by `modelBench.responses`, as the user has it now; a workspace's value does not count. */
export function useMappingsOfSettings(): void {
  useResponseMappings((baseUrl) => mappingAmong(mappings(), baseUrl));
}

function mappings(): Readonly<Record<string, ResponseMapping>> {
  const value = vscode.workspace.getConfiguration('modelBench').inspect('responses')?.globalValue ?? {};
  if (value === known?.value) return known.read;
  const read = responseMappingsSchema.safeParse(value);
  const [issue] = read.success ? [] : read.error.issues;
  if (issue)
    warnOfSetting(
      'responses',
      l10n.t(
        'The setting modelBench.responses is not valid at “{0}”. Until it is fixed, no response mapping applies.',
        issue.path.join('/'),
      ),
    );
  known = { value, read: read.success ? read.data : {} };
  return known.read;
}

/** Settings keep their values until they change. */
let known: { readonly value: unknown; readonly read: Readonly<Record<string, ResponseMapping>> } | undefined;
