import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Metafile } from 'esbuild';
import { root } from '../paths';

/**
 * The test files that a change can touch: those that import a changed file, directly or not, or start a program that
 * does, and those that name a changed file without an import; for a file beside tests, it is enough that a helper
 * names it. Features, platform, pages, the manifest and translations are part of the package: the panels, the
 * host tests and journeys with the name of their folder, and the main job count. Rules over the whole tree (the tests right in
 * test/unit) always count.
 * @param since a commit or branch; changes that are not committed also count
 */
export async function touchedTests(since: string): Promise<readonly string[]> {
  const changed = changedFiles(since);
  if (changed.length === 0) return [];
  const tests = testFiles();
  return testsTouchedBy(changed, tests, await importsOf(tests));
}

/** The same of these files. Paths are relative to the root, with slashes. */
export function testsTouchedBy(
  changed: readonly string[],
  tests: readonly string[],
  { inputs }: Metafile,
): readonly string[] {
  // A unit test may import a part of the window over a stub: that is no reason to leave out the window's tests.
  const packaged = changed.filter(
    (file) => PACKAGED.test(file) && (IN_WINDOW.test(file) || !(file in inputs)),
  );
  const isOf = (test: string) => isMainJob(test, packaged) || packaged.some((file) => isNamesake(test, file));
  return tests.filter((test) => isRule(test) || isOf(test) || isTouched(test, changed, inputs)).sort();
}

const PACKAGED = /^(?:(?:src|webview|l10n)\/|package(?:\.nls.*)?\.json$)/;
const IN_WINDOW = /^(?:(?:src\/(?:features|platform|connection|vscode)|webview)\/|package\.json$)/;

/** Every test file, relative to the root. */
export function testFiles(): readonly string[] {
  return ['unit', 'processes', 'host', 'panels', 'journeys'].flatMap((height) =>
    readdirSync(path.join(root, 'test', height), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => `test/${height}/${file.replaceAll(path.sep, '/')}`),
  );
}

/** The way through all features, for files that no test imports. */
function isMainJob(test: string, packaged: readonly string[]): boolean {
  return packaged.length > 0 && test === 'test/journeys/mainJob.test.ts';
}

/** Whether a test has the name of the file's feature or page: for a feature without tests, the host tests. */
function isNamesake(test: string, file: string): boolean {
  const [, height = '', rest = ''] = /^test\/(host|panels|journeys)\/(.+)$/.exec(test) ?? [];
  // Each of them runs the whole host, and all of them take less than one window.
  if (height === 'panels') return true;
  const [, name] = /^(?:src\/features|webview)\/([^/]+)\//.exec(file) ?? [];
  if (name === undefined || name === 'shared') return height === 'host';
  // Everything here runs something: the page of that name is that of the run panel.
  const feature = name === 'run' ? 'runPanel' : name;
  return rest.toLowerCase().includes(feature.toLowerCase());
}

function isRule(test: string): boolean {
  return path.posix.dirname(test) === 'test/unit';
}

function isTouched(test: string, changed: readonly string[], inputs: Metafile['inputs']): boolean {
  const reached = reachedFrom(test, inputs);
  if (changed.some((file) => reached.has(file))) return true;
  const helpers = [...reached].filter((file) => file.startsWith('test/'));
  return changed
    .filter((file) => !(file in inputs))
    .some((file) => {
      // With the folder: “main.ts” alone is in every second test.
      const name = file.split('/').slice(-2).join('/');
      // Scripts that start VS Code name the manifest for all journeys.
      const readers = file.startsWith('test/') ? helpers : [test];
      return readers.some((reader) => readFileSync(path.join(root, reader), 'utf8').includes(name));
    });
}

/** A test and all that it imports, directly or not. */
export function reachedFrom(test: string, inputs: Metafile['inputs']): ReadonlySet<string> {
  const reached = new Set<string>();
  const pending = [test];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    for (const one of inputs[file]?.imports ?? []) if (!one.external) pending.push(one.path);
  }
  return reached;
}

/** Programs that tests start, by the function of `test/support/programs.ts` that builds them. */
const PROGRAMS = {
  cliProgram: 'src/cli/main.ts',
  sandboxProgram: 'src/sandbox/main.ts',
  watchedSandboxProgram: 'test/support/sandbox/program.ts',
};

/** The imports of the test files and of the programs that they start, file by file; starting counts as importing. */
export async function importsOf(tests: readonly string[]): Promise<Metafile> {
  const scripts = readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((file) => `test/${file.replaceAll(path.sep, '/')}`)
    .filter((file) => /\.ts$/.test(file) && !/\.(?:test|d)\.ts$/.test(file));
  const entries = [...tests, ...scripts, ...Object.values(PROGRAMS)];
  const { metafile } = await build({
    // One bundle: one for each test would print the shared code many times.
    stdin: { contents: entries.map((entry) => `import './${entry}';`).join('\n'), resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    loader: { '.css': 'empty', '.ttf': 'empty' },
    logLevel: 'error',
  });
  for (const [file, input] of Object.entries(metafile.inputs))
    if (file.startsWith('test/') && file !== 'test/support/programs.ts')
      for (const started of startedBy(file)) input.imports.push({ path: started, kind: 'dynamic-import' });
  return metafile;
}

/** The programs and scripts that a file names to start them as processes. */
function startedBy(file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const programs = Object.entries(PROGRAMS).flatMap(([name, entry]) => (text.includes(name) ? [entry] : []));
  const named = [...text.matchAll(/['"`]([\w./-]+\.ts)['"`]/g)].flatMap(([, name = '']) =>
    [name, path.posix.join(path.posix.dirname(file), name)].filter((one) => existsSync(path.join(root, one))),
  );
  return [...programs, ...named];
}

/** Paths relative to the root, with slashes; includes deleted files. */
export function changedFiles(since: string): readonly string[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  const lines = `${git('diff', '--name-only', '--relative', since)}\n${git('ls-files', '--others', '--exclude-standard')}`;
  return [...new Set(lines.split('\n').filter((line) => line !== ''))];
}
