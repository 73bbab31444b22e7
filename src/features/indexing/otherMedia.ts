import type * as vscode from 'vscode';
import { contextKeys } from '../../contributions';
import { executeBuiltIn } from '../../platform/commands';
import { DisposableStore } from '../../platform/disposables';
import type { Services } from '../../services';

/** The catalog's events come in bursts, and each look reads contracts from the disk. */
const SETTLED_MS = 1_000;

/**
 * Whether a model of this service is known to index other files than images: only then every file's context menu
 * offers it. What is known is what was read before; nothing is asked of the service for a menu.
 */
export function watchOtherMedia(services: Services): vscode.Disposable {
  const store = new DisposableStore();
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    timer = undefined;
    indexesOtherFiles(services).then(
      (is) => executeBuiltIn('setContext', contextKeys.indexesOtherFiles, is),
      (error: unknown) => services.log.warn(String(error)),
    );
  };
  const lookSoon = () => {
    timer ??= setTimeout(look, SETTLED_MS);
  };
  store.add({ dispose: () => clearTimeout(timer) });
  store.add(services.catalog.onDidChange(lookSoon));
  store.add(services.connection.onDidChange(lookSoon));
  void services.ledger().then((ledger) => store.add({ dispose: ledger.onDidChange(lookSoon) }));
  look();
  return store;
}

async function indexesOtherFiles({ catalog, connection, ledger }: Services): Promise<boolean> {
  const baseUrl = connection.active?.baseUrl;
  if (baseUrl === undefined) return false;
  const { vectorMode } = await import('../../indexing/vectorMode');
  const listed = (catalog.models ?? []).filter(({ modeNames }) => modeNames.length > 1);
  const used = (await ledger()).datasets(baseUrl).map(({ model }) => model);
  for (const slug of new Set([...listed.map(({ slug }) => slug), ...used])) {
    const contract = await catalog.cachedContract(slug);
    const mode = contract && vectorMode(contract, 'index');
    // No types at all: it takes any file.
    const { accept } = mode?.shape ?? { accept: ['image/*'] };
    if (accept.length === 0 || accept.some((type) => !type.startsWith('image/'))) return true;
  }
  return false;
}
