import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Where things are. Host tests run from a bundle, elsewhere than their sources: their parent tells them the
 * root.
 */
export const root =
  process.env.MODEL_BENCH_ROOT ?? path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** What the scripts fetch. Set MODEL_BENCH_CACHE to share it between clones, or to keep it between CI runs. */
export const cacheFolder = process.env.MODEL_BENCH_CACHE ?? path.join(root, '.cache');

/** Everything a run leaves behind: test bundles, logs, screenshots. */
export const outFolder = path.join(root, 'out');

export const packageFile = path.join(root, 'dist', 'model-bench.vsix');

/** The extension's full name, publisher first. */
export const extensionId = 'model-bench.model-bench';
