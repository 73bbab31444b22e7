import { appendFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { format } from 'node:util';
import { tallyingReporter } from '../run/tallyingReporter';

/**
 * The function that VS Code calls inside its extension host: the same module under `@vscode/test-electron` and in the
 * server's host. The parent says through the environment where output and counts go, and what to run.
 */
export async function run(): Promise<void> {
  // Mocha is an ES module, which the CommonJS loader of older extension hosts does not give whole.
  const { default: Mocha } = await import('mocha');
  const output = process.env.MODEL_BENCH_OUTPUT;
  if (output) {
    // The host's console reaches the parent late, mixed with VS Code's own, or not at all.
    Mocha.reporters.Base.consoleLog = (...args: unknown[]) => appendFileSync(output, `${format(...args)}\n`);
  }
  const mocha = new Mocha({
    reporter: tallyingReporter(Mocha),
    timeout: 300_000,
    color: process.env.MODEL_BENCH_COLOR === '1',
    ...(JSON.parse(process.env.MODEL_BENCH_MOCHA ?? '{}') as Mocha.MochaOptions),
  });
  for (const name of readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).sort())
    if (name.endsWith('.test.cjs')) mocha.addFile(path.join(__dirname, name));
  await mocha.loadFilesAsync();
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failures > 0) throw new Error(`${failures} host tests failed.`);
}
