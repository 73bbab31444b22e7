import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { UsageError } from '../commands/usageError';
import { mappingAmong, type ResponseMapping, useResponseMappings } from '../domain/responseMapping';
import { mappingsIn } from '../intake/mappingFile';
import { messageOf } from '../wording/errors';
import { takenFile } from './optionValues';
import type { Terminal } from './terminal';

/**
 * The words of a call without `--responses FILE`, whose mapping applies to this call.
 * @throws UsageError where the file has none
 */
export async function withoutResponses(words: readonly string[], out: Terminal): Promise<readonly string[]> {
  const { file, rest } = takenFile(words, 'responses');
  if (file === undefined) return words;
  const mappings = await readMappingFile(file);
  useResponseMappings((baseUrl) => mappingAmong(mappings, baseUrl) ?? mappings['*']);
  out.warn(l10n.t('Responses are read by the mapping of “{0}”.', file));
  return rest;
}

/** A table by base URL, or one mapping for any service. @throws UsageError */
async function readMappingFile(file: string): Promise<Readonly<Record<string, ResponseMapping>>> {
  const bytes = await readFile(resolve(file)).catch((cause: unknown) => {
    throw new UsageError(l10n.t('The file of --responses cannot be read: {0}', file), { cause });
  });
  try {
    return mappingsIn(bytes, file);
  } catch (cause) {
    throw new UsageError(messageOf(cause), { cause });
  }
}
