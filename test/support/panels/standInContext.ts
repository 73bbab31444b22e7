import { readFileSync } from 'node:fs';
import path from 'node:path';
import type * as vscode from 'vscode';
import { workspaceId } from '../../../src/store/workspaceId';
import { memento, secretsIn } from '../memory';
import { root } from '../paths';
import { EventEmitter, Uri } from './values';

export const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** The parts of a window that outlive it: a window that is opened with them again is the same after a reload. */
export interface Kept {
  folder: string;
  hasFolder: boolean;
  /** False: Restricted Mode. */
  readonly isTrusted: boolean;
  readonly storage: string;
  readonly global: Map<string, unknown>;
  readonly workspace: Map<string, unknown>;
  readonly secrets: Map<string, string>;
  readonly settings: Map<string, unknown>;
  clipboard: string;
  /** Names in the memory that go to other machines. */
  synced?: readonly string[];
}

/** The folder in which the extension keeps files for the workspace. */
export function workspaceStorage({ storage, folder }: Kept): string {
  return path.join(storage, 'global', 'workspaces', workspaceId([folder]));
}

/** The context that a window gives to the extension in a folder. */
export function contextOf(kept: Kept, extension: string): vscode.ExtensionContext {
  const { storage, global, workspace, secrets } = kept;
  const extensionUri = Uri.file(extension);
  return {
    subscriptions: [],
    globalState: {
      ...memento(global),
      setKeysForSync: (names: readonly string[]) => {
        kept.synced = names;
      },
    },
    workspaceState: memento(workspace),
    secrets: secretsIn(secrets, new EventEmitter()),
    extensionUri,
    extension: { id: 'model-bench.model-bench', extensionUri, packageJSON: manifest },
    globalStorageUri: Uri.file(path.join(storage, 'global')),
    asAbsolutePath: (file: string) => path.join(extension, file),
    environmentVariableCollection: {
      prepend: () => undefined,
      append: () => undefined,
      replace: () => undefined,
    },
  } as unknown as vscode.ExtensionContext;
}
