import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { packageFile, root } from '../support/paths';
import { isPreRelease, packageProblems, versionProblems } from './checks';

/** Rehearses a release. The workflow _Release_ publishes this package. Resolves to the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  if (!args.includes('--dry-run')) {
    console.log('Only the workflow Release publishes: push the tag of the version. Here, use --dry-run.');
    return 1;
  }
  const at = args.indexOf('--tag');
  const tag = at < 0 ? undefined : args[at + 1];
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const { version } = JSON.parse(read('package.json')) as { readonly version: string };
  const flag = isPreRelease(version) ? '--pre-release' : '';
  console.log(`Packaging ${version}${flag && ', a pre-release'} …`);
  execFileSync('npm', ['run', '--silent', 'package', ...(flag ? ['--', flag] : [])], {
    ...{ cwd: root, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' },
  });
  const bytes = readFileSync(packageFile);
  const problems = [
    ...versionProblems(version, read('CHANGELOG.md'), tag),
    ...(await packageProblems(bytes, version)),
  ];
  console.log(`${path.relative(process.cwd(), packageFile)}: ${bytes.length} bytes`);
  for (const problem of problems) console.log(`✘ ${problem}`);
  // For the job that publishes.
  const { GITHUB_OUTPUT } = process.env;
  if (GITHUB_OUTPUT) appendFileSync(GITHUB_OUTPUT, `prerelease=${flag}\n`);
  console.log(problems.length === 0 ? 'Ready to publish. Nothing was published.' : 'Not ready to publish.');
  return problems.length === 0 ? 0 : 1;
}
