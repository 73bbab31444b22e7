// node test/tool.mjs TOOL [ARGUMENT …]: runs a tool that is pinned with its whole tree (see support/runtime/tools).
import { spawnSync } from 'node:child_process';
import { register } from 'tsx/esm/api';

register();
const { toolScript } = await import('./support/runtime/tool.ts');
const [tool, ...args] = process.argv.slice(2);
const { status } = spawnSync(process.execPath, [await toolScript(tool), ...args], { stdio: 'inherit' });
process.exit(status ?? 1);
