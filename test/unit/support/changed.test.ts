import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../support/paths';
import { importsOf, reachedFrom, testFiles, testsTouchedBy } from '../../support/run/changed';

describe('Tests that a change touches', () => {
  const tests = testFiles();
  let imports: Awaited<ReturnType<typeof importsOf>>;
  before(async () => {
    imports = await importsOf(tests);
  });
  const touchedBy = (file: string) => testsTouchedBy([file], tests, imports);
  const inVSCode = (file: string) =>
    touchedBy(file).filter((test) => !/^test\/(?:unit|processes)\//.test(test));

  it('include the rules over the tree for every change', () => {
    const touched = touchedBy(['a-file', 'nobody', 'names'].join('-'));
    assert.ok(touched.includes('test/unit/house.test.ts'), touched.join());
    assert.ok(
      touched.every((test) => /^test\/unit\/[^/]+$/.test(test)),
      touched.join(),
    );
  });

  it('import a changed file, directly or not', () => {
    const touched = touchedBy('src/forms/fields/scalars.ts');
    for (const test of ['test/unit/forms/fields/choice.test.ts', 'test/unit/forms/form.test.ts'])
      assert.ok(touched.includes(test), test);
    assert.ok(!touched.includes('test/unit/store/nul.test.ts'));
  });

  for (const [file, test] of [
    ['src/commands/experiment.ts', 'test/processes/cli/commandLine.test.ts'],
    ['src/cli/merge.ts', 'test/processes/cli/commandLine.test.ts'],
    ['src/experiments/plan/experimentWork.ts', 'test/processes/experiments/runs.test.ts'],
    ['src/sandbox/main.ts', 'test/processes/sandbox/process.test.ts'],
    ['src/features/runPanel/panel.ts', 'test/host/runPanel.test.ts'],
    ['src/features/runPanel/panel.ts', 'test/panels/runPanel/running.test.ts'],
  ] as const)
    it(`include ${test} when ${file} changes`, () => {
      assert.ok(touchedBy(file).includes(test), touchedBy(file).join());
    });

  it('include for each source file a test that loads it', () => {
    const files = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `src/${file.replaceAll(path.sep, '/')}`);
    const isRule = (test: string) => path.posix.dirname(test) === 'test/unit';
    // Most are in the imports of a test; only for the others, all rules are asked.
    const loaded = new Set(
      tests.filter((test) => !isRule(test)).flatMap((test) => [...reachedFrom(test, imports.inputs)]),
    );
    const untested = files.filter((file) => !loaded.has(file) && touchedBy(file).every(isRule));
    assert.deepEqual(untested, []);
  });

  it('name a changed file themselves, or with a helper where it lies beside tests', () => {
    assert.ok(inVSCode('package.nls.json').includes('test/journeys/languages.test.ts'));
    assert.ok(inVSCode('test/support/resultPage.css').includes('test/panels/results.test.ts'));
  });
});
