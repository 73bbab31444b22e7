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

/** Keeps a mapping in the user's settings; undefined removes it. Returns a function that brings the one before back. */
export async function keepMapping(
  baseUrl: string,
  mapping: ResponseMapping | undefined,
): Promise<() => Promise<void>> {
  const before = settings().inspect<Readonly<Record<string, unknown>>>('responses')?.globalValue;
  const others = Object.entries(before ?? {}).filter(
    ([url]) => mappingAmong({ [url]: {} }, baseUrl) === undefined,
  );
  const write = (value: unknown) => settings().update('responses', value, vscode.ConfigurationTarget.Global);
  await write({ ...Object.fromEntries(others), ...(mapping && { [baseUrl]: mapping }) });
  return async () => write(before);
}

const settings = () => vscode.workspace.getConfiguration('modelBench');

function mappings(): Readonly<Record<string, ResponseMapping>> {
  const value = settings().inspect('responses')?.globalValue ?? {};
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
