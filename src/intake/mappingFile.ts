import * as l10n from '@vscode/l10n';
import en from 'zod/v4/locales/en.js';
import { type ResponseMapping, responseMappingsSchema } from '../domain/responseMapping';
import { isObject } from '../domain/value';
import { textOrThrow } from './text';

const { localeError } = en();

/**
 * The mappings of a file by base URL, or one for any service under "*".
 * @throws with a sentence where it has none
 */
export function mappingsIn(bytes: Uint8Array, name: string): Readonly<Record<string, ResponseMapping>> {
  const json = parsed(textOrThrow(bytes, name), name);
  const isTable = isObject(json) && Object.keys(json).every((url) => URL.canParse(url));
  const read = responseMappingsSchema.safeParse(isTable ? json : { '*': json }, { error: localeError });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const path = issue?.path.filter((part) => part !== '*').join('/') ?? '';
  throw new Error(
    l10n.t('“{0}” has no response mapping: {1}', name, `${path} ${issue?.message ?? ''}`.trim()),
  );
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new Error(l10n.t('“{0}” is not valid JSON.', name), { cause });
  }
}
