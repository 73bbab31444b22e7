import * as l10n from '@vscode/l10n';
import {
  type ResponseMapping,
  responseMappingSchema,
  responseMappingsSchema,
} from '../domain/responseMapping';
import { textOrThrow } from './text';

/**
 * The mappings of a file by base URL, or one for any service under "*".
 * @throws with a sentence where it has none
 */
export function mappingsIn(bytes: Uint8Array, name: string): Readonly<Record<string, ResponseMapping>> {
  const json = parsed(textOrThrow(bytes, name), name);
  const table = responseMappingsSchema.safeParse(json);
  if (table.success && Object.keys(table.data).every((url) => URL.canParse(url))) return table.data;
  const one = responseMappingSchema.safeParse(json);
  if (one.success) return { '*': one.data };
  const [issue] = one.error.issues;
  const reason = `${issue?.path.join('/') ?? ''} ${issue?.message ?? ''}`.trim();
  throw new Error(l10n.t('“{0}” has no response mapping: {1}', name, reason));
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new Error(l10n.t('“{0}” is not valid JSON.', name), { cause });
  }
}
