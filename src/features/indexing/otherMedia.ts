import type * as vscode from 'vscode';
import { contextKeys } from '../../contributions';
import { loggedError } from '../../domain/loggedError';
import { mediaFamily } from '../../domain/media';
import type { Services } from '../../services';
import { executeBuiltIn } from '../../vscode/commands';
import { DisposableStore } from '../../vscode/disposables';

/** Changes of the catalog come in bursts, and each look reads contracts from the disk. */
const SETTLED_MS = 1_000;

/**
 * Whether a model of this service is known to index other files than images: only then every file's context menu
 * offers it. A window starts with the last result; the models are searched where the catalog or the store is in use.
 * Sends no request to the service.
 */
export function watchOtherMedia(services: Services): vscode.Disposable {
  const { catalog, connection, context, log } = services;
  const store = new DisposableStore();
  const wasShown = () => context.globalState.get<boolean>(serviceKey(connection.active?.baseUrl));
  const show = () => executeBuiltIn('setContext', contextKeys.indexesOtherFiles, wasShown() ?? false);
  const look = async () => {
    const key = serviceKey(connection.active?.baseUrl);
    const now = await indexesOtherFiles(services);
    if (context.globalState.get(key) !== now) await context.globalState.update(key, now);
    await show();
  };
  const lookSoon = store.soon(SETTLED_MS, () => {
    look().catch((error: unknown) => log.warn(loggedError(error)));
  });
  store.add(catalog.onDidChange(() => catalog.active.models && lookSoon()));
  store.add(
    services.onDidOpenStore(({ changes }) => {
      lookSoon();
      store.add({ dispose: changes.on('datasets', lookSoon) });
    }),
  );
  const start = async () => {
    await show();
    if (wasShown() === undefined && (await services.storeVersion()) !== undefined) lookSoon();
  };
  store.add(connection.onDidChange(() => void start()));
  void start();
  return store;
}

function serviceKey(baseUrl: string | undefined): string {
  return `indexing.otherMedia.${baseUrl ?? ''}`;
}

async function indexesOtherFiles(services: Services): Promise<boolean> {
  const catalog = services.catalog.active;
  const baseUrl = catalog.environment?.baseUrl;
  if (baseUrl === undefined) return false;
  const { vectorMode } = await import('../../indexing/vectorMode');
  const listed = (catalog.models ?? []).filter(({ modeNames }) => modeNames.length > 1);
  const isUsed = (await services.storeVersion()) !== undefined;
  const used = isUsed ? (await services.store()).datasets.summaries(baseUrl) : [];
  for (const slug of new Set([...listed.map(({ slug }) => slug), ...used.map(({ model }) => model)])) {
    const contract = await catalog.cachedContract(slug);
    const mode = contract && vectorMode(contract, 'index');
    // No types at all: it takes any file.
    const { accept } = mode?.shape ?? { accept: ['image/*'] };
    if (accept.length === 0 || accept.some((type) => mediaFamily(type) !== 'image')) return true;
  }
  return false;
}
