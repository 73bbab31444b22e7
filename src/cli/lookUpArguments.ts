import { parseArgs } from 'node:util';
import * as l10n from '@vscode/l10n';
import { needsBaseUrl, UsageError } from './usageError';

interface Connected {
  readonly baseUrl: string;
  readonly keyCommand: string | undefined;
  /** Print JSON for programs, one document. */
  readonly json: boolean;
}

export interface ModelsArguments extends Connected {
  readonly command: 'models';
  /** Words that a model's name, description, group or tags must have. */
  readonly text: string;
}

export interface DescribeArguments extends Connected {
  readonly command: 'describe';
  readonly models: readonly string[];
}

export interface WalletArguments extends Connected {
  readonly command: 'wallet';
}

export interface SearchArguments extends Connected {
  readonly command: 'search';
  readonly file: string;
  readonly scope: string;
  readonly model: string;
}

/** Commands that ask the service for something. `search` is a paid run, the others cost nothing. */
export type LookUpArguments = ModelsArguments | DescribeArguments | WalletArguments | SearchArguments;

const options = {
  'base-url': { type: 'string' },
  'key-command': { type: 'string' },
  scope: { type: 'string' },
  model: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** @param words after the command's own. @throws UsageError */
export function readLookUp(command: LookUpArguments['command'], words: readonly string[]): LookUpArguments {
  const { values, positionals } = parsed(words);
  const { 'base-url': baseUrl, 'key-command': keyCommand, json = false, scope, model } = values;
  if (command !== 'search' && (scope !== undefined || model !== undefined))
    throw new UsageError(l10n.t('--scope and --model belong to “search”.'));
  if (baseUrl === undefined) throw new UsageError(needsBaseUrl(command));
  const connected = { baseUrl, keyCommand, json };
  switch (command) {
    case 'models':
      return { command, ...connected, text: positionals.join(' ') };
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

function parsed(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
