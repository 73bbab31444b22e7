import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import esbuild from 'esbuild';
import { outFolder, root } from '../support/paths';

/** The module with the `run()` that VS Code calls. */
export const hostRunner = path.join(outFolder, 'test/host/runner.cjs');

/**
 * Bundles the host tests and their runner, as CommonJS: the only form that every VS Code takes for
 * `extensionTestsPath`.
 */
export async function bundleHostTests(files: readonly string[]): Promise<void> {
  const outdir = path.dirname(hostRunner);
  rmSync(outdir, { recursive: true, force: true });
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['test/host/runner.ts', ...(files.length > 0 ? files : allHostTests())],
    outbase: 'test/host',
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    // As in the product: the CommonJS of jsonc-parser loads its parts from beside it.
    mainFields: ['module', 'main'],
    target: 'node22',
    format: 'cjs',
    sourcemap: 'inline',
    external: ['vscode', 'mocha', 'esbuild', 'playwright-core', 'fast-check'],
    banner: { js: "const __importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
    define: { 'import.meta.url': '__importMetaUrl' },
    logLevel: 'warning',
  });
}

function allHostTests(): string[] {
  return readdirSync(path.join(root, 'test/host'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/host/${name}`);
}
