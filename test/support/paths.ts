import { existsSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Where things are. Host tests run from a bundle, elsewhere than their sources: their parent tells them the
 * root.
 */
export const root =
  process.env.MODEL_BENCH_ROOT ?? path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * Downloads of the scripts: tens of thousands of files. They are in node_modules, since vsce lists every other file
 * of the folder and takes a millisecond for each. Set MODEL_BENCH_CACHE to share them between clones, or to keep
 * them.
 */
export const cacheFolder = realPath(
  process.env.MODEL_BENCH_CACHE ?? path.join(root, 'node_modules', '.cache', 'model-bench'),
);

/** npm installs nothing behind a symbolic link. */
function realPath(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : folder;
}

/** Everything a run leaves behind: test bundles, logs, screenshots. */
export const outFolder = path.join(root, 'out');

/** Names of the webview pages. */
export const pageNames = () =>
  readdirSync(path.join(root, 'webview')).filter((name) =>
    existsSync(path.join(root, 'webview', name, 'main.ts')),
  );

export const packageFile = path.join(root, 'dist', 'model-bench.vsix');

/** Bytes that it may have. */
export const LARGEST_PACKAGE = 2_000_000;

/** The extension's full name, publisher first. */
export const extensionId = 'model-bench.model-bench';
