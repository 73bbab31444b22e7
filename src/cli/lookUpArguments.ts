import { parseArgs } from 'node:util';
import * as l10n from '@vscode/l10n';
import { needsBaseUrl, UsageError } from '../commands/usageError';
import { amountIn, shardIn } from './optionValues';

/** Commands about models and scopes. `search` and `index` are paid runs, the others cost nothing. */
export type LookUpArguments = ReturnType<typeof readLookUp>;
export type IndexArguments = ReturnType<typeof readIndex>;

const COMMANDS = ['models', 'describe', 'wallet', 'doctor', 'search', 'index'] as const;
type LookUp = (typeof COMMANDS)[number];

export function isLookUp(word: string | undefined): word is LookUp {
  return COMMANDS.some((one) => one === word);
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const CONNECTED = { 'base-url': text, 'key-command': text } as const;
const DATASET = { scope: text, model: text } as const;
const LOOK_UP = { ...CONNECTED, ...DATASET, json: flag } as const;
const INDEX = {
  ...CONNECTED,
  ...DATASET,
  'max-cost': text,
  shard: text,
  state: text,
  results: text,
  'retry-failed': flag,
  'retry-unconfirmed': flag,
} as const;

/** @param words after the command's own. @throws UsageError */
export function readLookUp(command: LookUp, words: readonly string[]) {
  if (command === 'index') return readIndex(words);
  const { values, positionals } = parsed(() => parseArgs({ args: [...words], options: LOOK_UP, ...ALLOWED }));
  const { 'base-url': baseUrl, 'key-command': keyCommand, json = false, scope, model } = values;
  if (command !== 'search' && (scope !== undefined || (model !== undefined && command !== 'doctor')))
    throw new UsageError(l10n.t('--scope and --model belong to “search”.'));
  if (baseUrl === undefined) throw new UsageError(needsBaseUrl(command));
  const connected = { baseUrl, keyCommand, json };
  switch (command) {
    case 'models':
      return { command, ...connected, text: positionals.join(' ') };
    case 'doctor':
      return { command, baseUrl, keyCommand, model };
    case 'describe':
      if (positionals.length === 0) throw new UsageError(l10n.t('“describe” needs the name of a model.'));
      return { command, ...connected, models: positionals };
    case 'wallet':
      if (positionals.length > 0) throw new UsageError(l10n.t('“wallet” takes no name.'));
      return { command, ...connected };
    case 'search': {
      const [file, ...others] = positionals;
      if (file === undefined || others.length > 0)
        throw new UsageError(l10n.t('“search” takes one file, which is searched with.'));
      if (scope === undefined || model === undefined)
        throw new UsageError(l10n.t('“search” needs --scope and --model.'));
      return { command, ...connected, file, scope, model };
    }
  }
}

/** @throws UsageError */
function readIndex(words: readonly string[]) {
  const { values, positionals } = parsed(() => parseArgs({ args: [...words], options: INDEX, ...ALLOWED }));
  const { 'base-url': baseUrl, scope, model, state, results } = values;
  if (baseUrl === undefined) throw new UsageError(needsBaseUrl('index'));
  if (positionals.length === 0) throw new UsageError(l10n.t('“index” needs a file or a folder.'));
  if (scope === undefined || model === undefined)
    throw new UsageError(l10n.t('“index” needs --scope and --model.'));
  const maxCost = amountIn(values['max-cost']);
  if (maxCost === undefined)
    throw new UsageError(l10n.t('“index” needs --max-cost: what its runs may cost together.'));
  return {
    command: 'index' as const,
    baseUrl,
    keyCommand: values['key-command'],
    paths: positionals,
    scope,
    model,
    folder: process.cwd(),
    maxCost,
    shard: shardIn(values.shard),
    state,
    results,
    retryFailed: values['retry-failed'] ?? false,
    retryUnconfirmed: values['retry-unconfirmed'] ?? false,
  };
}

const ALLOWED = { allowPositionals: true } as const;

/** The result of a reader of Node.js, with its errors as those of a call. */
function parsed<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
