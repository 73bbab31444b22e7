import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Terminal } from '../commands/terminal';
import { UsageError } from '../commands/usageError';
import {
  mappingAmong,
  type ResponseMapping,
  responseMappingSchema,
  responseMappingsSchema,
  useResponseMappings,
} from '../domain/responseMapping';
import { textOrThrow } from '../intake/text';

/**
 * The words of a call without `--responses FILE`, whose mapping applies to this call.
 * @throws UsageError where the file has none
 */
export async function withoutResponses(words: readonly string[], out: Terminal): Promise<readonly string[]> {
  const at = words.findIndex((word) => /^--responses(?:=|$)/.test(word));
  if (at < 0) return words;
  const [, inline] = /^--responses=(.+)$/s.exec(words[at]!) ?? [];
  const file = inline ?? words[at + 1];
  if (file === undefined) throw new UsageError(l10n.t('--responses needs a file.'));
  const mappings = await readMappingFile(file);
  useResponseMappings((baseUrl) => mappingAmong(mappings, baseUrl) ?? mappings['*']);
  out.warn(l10n.t('Responses are read by the mapping of “{0}”.', file));
  return words.toSpliced(at, inline === undefined ? 2 : 1);
}

/** A table by base URL, or one mapping for any service. @throws UsageError */
async function readMappingFile(file: string): Promise<Readonly<Record<string, ResponseMapping>>> {
  const json = parsed(await readText(file), file);
  const table = responseMappingsSchema.safeParse(json);
  if (table.success && Object.keys(table.data).every((name) => URL.canParse(name))) return table.data;
  const one = responseMappingSchema.safeParse(json);
  if (one.success) return { '*': one.data };
  const [issue] = one.error.issues;
  throw new UsageError(
    l10n.t(
      '“{0}” has no response mapping: {1}',
      file,
      `${issue?.path.join('/') ?? ''} ${issue?.message ?? ''}`.trim(),
    ),
  );
}

/** @throws UsageError where the file cannot be read */
async function readText(file: string): Promise<string> {
  try {
    return textOrThrow(await readFile(resolve(file)), file);
  } catch (cause) {
    throw new UsageError(l10n.t('The file of --responses cannot be read: {0}', file), { cause });
  }
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new UsageError(l10n.t('“{0}” is not valid JSON.', file), { cause });
  }
}
