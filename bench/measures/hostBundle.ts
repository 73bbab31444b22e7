import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { filesLoadedWith } from '../../test/support/loadedFiles';
import { stubHooks } from '../../test/support/vscodeStub';
import type { Measure } from '../measure';
import { buildPackage, bytesOf, dist } from '../support/build';

const run = promisify(execFile);

/**
 * The files that the extension host reads, compiles and runs before the first use of the extension. Loaded in plain
 * Node, where `vscode` is a stand-in that responses to every name: activation inside VS Code is a measure of its own.
 */
export const hostBundle: Measure = {
  name: 'host-bundle',
  what: 'bytes loaded at activation, and the time to import them / to import an empty extension',
  goals: [
    { figure: 'bytes', label: 'bytes', unit: 'bytes', atMost: 150_000 },
    { figure: 'load', label: 'import', unit: 'ms' },
    { figure: 'ratio', label: 'import / an empty one’s', unit: '' },
  ],
  pairs: 15,
  async prepare({ folder }) {
    buildPackage();
    const entry = path.join(dist, 'extension.js');
    const files = filesLoadedWith(entry);
    const bytes = files.reduce((sum, file) => sum + bytesOf(file), 0);
    const empty = path.join(folder, 'empty.mjs');
    writeFileSync(
      empty,
      "import * as vscode from 'vscode';\nexport function activate() { return vscode; }\n",
    );
    const loader = path.join(folder, 'loader.mjs');
    const hooks = stubHooks();
    writeFileSync(loader, `import { register } from 'node:module';\nregister(${JSON.stringify(hooks)});\n`);
    const timer = path.join(folder, 'timer.mjs');
    writeFileSync(
      timer,
      "import { pathToFileURL } from 'node:url';\nawait import('vscode');\nconst start = performance.now();\nawait import(pathToFileURL(process.argv[2]).href);\nconsole.log(performance.now() - start);\n",
    );
    const imported = async (file: string) => {
      const { stdout } = await run(process.execPath, ['--import', loader, timer, file]);
      return Number(stdout);
    };
    return {
      warmUp: 2,
      async pair() {
        const yardstick = await imported(empty);
        const ours = await imported(entry);
        return { bytes, load: ours - yardstick, ratio: ours / yardstick };
      },
    };
  },
};
