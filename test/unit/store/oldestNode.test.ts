import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { root } from '../../support/paths';
import { nodeOf } from '../../support/runtime/parts';

/** SQLite and its binding differ from one Node to the next: the oldest has no numbered parameters, for one. */
describe('The store in the Node.js of the oldest VS Code', () => {
  it('passes its tests', async function () {
    this.timeout(240_000);
    const node = await nodeOf('oldest');
    if (node === process.execPath) return this.skip();
    const files = ['open', 'tables', 'jobs', 'nul'].map((name) => `test/unit/store/${name}.test.ts`);
    const mocha = path.join(root, 'node_modules/mocha/bin/mocha.js');
    const args = ['--import', 'tsx', mocha, '--reporter', 'dot', '--timeout', '60000', ...files];
    const child = spawn(node, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => {
        said += data;
      });
    const [code] = await once(child, 'close');
    assert.equal(code, 0, said);
    assert.doesNotMatch(said, /Warning/);
  });
});
