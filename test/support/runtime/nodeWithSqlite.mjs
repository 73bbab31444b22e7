// Imported first by the project's scripts. They need node:sqlite, which Node has from 22.13 on: where it is missing,
// the same command is run by the Node that the tests of the newest VS Code need anyway, and its exit code is this
// process's.
import { spawn } from 'node:child_process';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { register } from 'tsx/esm/api';

if (!isBuiltin('node:sqlite')) {
  const unregister = register();
  const { nodeOf } = await import('./parts.ts');
  const node = await nodeOf('newest');
  await unregister();
  const own = `Node.js ${process.versions.node}`;
  console.log(`${own} has no node:sqlite: running under ${path.relative(process.cwd(), node) || node}.`);
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit' });
  // A terminal's Ctrl+C reaches both; a signal that ends this process alone is passed on.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  process.exit(
    await new Promise((resolve) => {
      child.once('error', (error) => {
        console.error(error);
        resolve(1);
      });
      child.once('close', (code) => resolve(code ?? 1));
    }),
  );
}
