import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { readLimit } from '../domain/amounts';
import { warnOfSetting } from './settingWarning';

interface Setting<Value> {
  readonly schema: z.ZodMiniType<Value>;
  /** The valid values, as the end of a sentence. */
  readonly expected: () => string;
  /** Used in place of a value that does not fit; missing: the default of package.json. */
  readonly instead?: { readonly value: Value; readonly text: () => string };
}

const wholeNumber = (least: number, most = Number.MAX_SAFE_INTEGER): Setting<number> => ({
  schema: z.int().check(z.gte(least), z.lte(most)),
  expected: () =>
    most === Number.MAX_SAFE_INTEGER
      ? l10n.t('a whole number of at least {0}', least)
      : l10n.t('a whole number from {0} to {1}', least, most),
});
const switched: Setting<boolean> = {
  schema: z.boolean(),
  expected: () => l10n.t('true or false'),
};
/** An amount of money, also as text: `readAmount` reads both. */
const amount: Setting<number | string | null> = {
  schema: z.nullable(z.union([z.number(), z.string().check(z.regex(/^\d+(\.\d+)?$/))])),
  expected: () => l10n.t('a number, or empty'),
};

/** A limit of spending: `readLimit` reads it. */
const limit: Setting<number | string | null> = {
  schema: z.union([
    z.null(),
    z.number(),
    z.string().check(z.refine((text) => text.trim() === '' || readLimit(text) !== undefined)),
  ]),
  expected: () => l10n.t('an amount such as 10 or 10 USD, or empty'),
};

/** Names, as a list. */
const names: Setting<readonly string[]> = {
  schema: z.array(z.string()),
  expected: () => l10n.t('a list of names of environments'),
};

/** Every setting but the environments, which `environments.ts` reads. Ranges are those of package.json. */
const SETTINGS = {
  runTimeoutSeconds: wholeNumber(0),
  'indexing.concurrency': wholeNumber(1, 64),
  'indexing.batchSize': wholeNumber(1, 1000),
  'indexing.respectGitignore': switched,
  openModelAfterConnecting: switched,
  'history.limit': {
    ...wholeNumber(1, 100_000),
    // Runs are kept, as the meaning of the value is unknown: deleted runs do not come back.
    instead: { value: undefined, text: () => l10n.t('no run is deleted') },
  } satisfies Setting<number | undefined>,
  'budget.session': limit,
  'budget.workspace': limit,
  'budget.confirmRuns': wholeNumber(0),
  'wallet.lowBalance': amount,
  confirmPaidRuns: names,
};

type SettingName = keyof typeof SETTINGS;
type SettingValue<Name extends SettingName> =
  (typeof SETTINGS)[Name] extends Setting<infer Value> ? Value : never;

/**
 * A setting as the user has it now. One of a wrong type or out of its range is reported once, and its default is
 * used; for the history's limit, which deletes, undefined.
 */
export function readSetting<Name extends SettingName>(name: Name): SettingValue<Name> {
  const settings = vscode.workspace.getConfiguration('modelBench');
  const { schema, expected, instead } = SETTINGS[name] as unknown as Setting<SettingValue<Name>>;
  const value = settings.get<unknown>(name);
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const fallback = settings.inspect(name)?.defaultValue as SettingValue<Name>;
  const shown = fallback === null ? l10n.t('empty') : String(fallback);
  const used = instead?.text() ?? l10n.t('the default applies ({0})', shown);
  warnOfSetting(
    name,
    l10n.t('The setting modelBench.{0} must be {1}. Until it is, {2}.', name, expected(), used),
  );
  return instead ? instead.value : fallback;
}
