import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { outFolder, root } from '../../test/support/paths';
import * as parts from '../../test/support/runtime/parts';
import { VSCode } from '../../test/support/vscode';
import { buildPackage } from './build';

const run = promisify(execFile);

/**
 * A VS Code with the packaged extension and the yardsticks installed, as the journeys have it.
 * @param fill writes the initial content of the workspace
 */
export async function openBenchWindow(fill?: (workspace: string) => Promise<void>): Promise<VSCode> {
  buildPackage();
  mkdirSync(path.join(outFolder, 'logs'), { recursive: true });
  const code = await parts.codeServer('newest');
  const packed = await mkdtemp(path.join(tmpdir(), 'model-bench-yardsticks-'));
  try {
    const files: string[] = [];
    for (const name of ['empty', 'bare']) {
      const file = path.join(packed, `${name}.vsix`);
      const vsce = path.join(root, 'node_modules/@vscode/vsce/vsce');
      const args = ['package', '--no-dependencies', '--allow-missing-repository', '--skip-license'];
      await run(process.execPath, [vsce, ...args, '--out', file], {
        cwd: path.join(root, 'bench/yardsticks', name),
      });
      files.push(file);
    }
    return await VSCode.open({
      prepare: async (workspace) => {
        await fill?.(workspace);
        const base = path.dirname(workspace);
        for (const file of files) {
          const own = [
            '--user-data-dir',
            path.join(base, 'user'),
            '--extensions-dir',
            path.join(base, 'ext'),
          ];
          const config = ['--config', path.join(base, 'code-server.yaml')];
          await run(code.node, [code.entry, ...own, ...config, '--install-extension', file]);
        }
      },
    });
  } finally {
    await rm(packed, { recursive: true });
  }
}
