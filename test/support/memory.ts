import type * as vscode from 'vscode';

/** An extension's memory between sessions, held in a map. */
export function memento(values = new Map<string, unknown>()) {
  return {
    keys: () => [...values.keys()],
    get: (key: string, fallback?: unknown) => (values.has(key) ? structuredClone(values.get(key)) : fallback),
    update: async (key: string, value: unknown) => {
      if (value === undefined) values.delete(key);
      else values.set(key, structuredClone(value));
    },
    setKeysForSync: () => undefined,
  } as vscode.ExtensionContext['globalState'];
}

/** An extension's secrets, held in a map. @param changed reports each change, also that of another window */
export function secretsIn(
  values: Map<string, string>,
  changed: Pick<vscode.EventEmitter<vscode.SecretStorageChangeEvent>, 'event' | 'fire'>,
): vscode.SecretStorage {
  return {
    keys: async () => [...values.keys()],
    get: async (key) => values.get(key),
    store: async (key, value) => {
      values.set(key, value);
      changed.fire({ key });
    },
    delete: async (key) => {
      values.delete(key);
      changed.fire({ key });
    },
    onDidChange: changed.event,
  };
}
