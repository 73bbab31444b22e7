import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listFiles } from '@vscode/vsce';
import { contextKeys, views } from '../../src/contributions';
import { root } from '../support/paths';

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json'));
const texts = JSON.parse(read('package.nls.json')) as Record<string, string>;

describe('The manifest', () => {
  it('contributes exactly the commands that contributions.ts types', () => {
    const contributed = manifest.contributes.commands.map(({ command }: { command: string }) => command);
    const typed = /interface CommandArguments \{([\s\S]*?)\n\}/.exec(read('src/contributions.ts'))![1]!;
    const names = [...typed.matchAll(/^ {2}'([^']+)':/gm)].map((match) => match[1]);
    assert.deepEqual([...contributed].sort(), names.sort());
  });

  it('contributes exactly the views of contributions.ts', () => {
    const { activitybar } = manifest.contributes.viewsContainers;
    assert.deepEqual(
      activitybar.map(({ id }: { id: string }) => id),
      [views.container],
    );
    const { container, ...ids } = views;
    assert.deepEqual(
      manifest.contributes.views[container].map(({ id }: { id: string }) => id).sort(),
      Object.values(ids).sort(),
    );
  });

  it('names in its when clauses only contexts that someone sets', () => {
    const known = [...Object.values(contextKeys), ...Object.values(views)] as string[];
    const whens = [...JSON.stringify(manifest.contributes).matchAll(/"when":"((?:[^"\\]|\\.)*)"/g)];
    const used = whens.flatMap(
      ([, when]) => when!.replaceAll(/viewItem \S+ \S+/g, '').match(/modelBench\.\w+/g) ?? [],
    );
    assert.deepEqual(
      used.filter((key) => !known.includes(key)),
      [],
    );
  });

  it('has a text for every placeholder, and a use for every text', () => {
    const used = new Set([...read('package.json').matchAll(/"%([^%"]+)%"/g)].map((match) => match[1]!));
    assert.deepEqual([...used].sort(), Object.keys(texts).sort());
  });

  it('lets no workspace set where a key goes, or what it costs', () => {
    const { properties } = manifest.contributes.configuration as {
      properties: Record<string, { scope?: string }>;
    };
    const loose = Object.entries(properties).filter(
      ([, { scope }]) => scope !== 'application' && scope !== 'machine',
    );
    assert.deepEqual(
      loose.map(([name]) => name),
      [],
    );
  });

  it('tells in its texts of commands that exist only', () => {
    const named = Object.values(texts).flatMap((text) => [...text.matchAll(/\(command:([\w.]+)/g)]);
    const commands = manifest.contributes.commands.map(({ command }: { command: string }) => command);
    for (const [, command] of named) assert.ok(commands.includes(command), `${command} is no command`);
  });

  it('needs nothing at run time: all is bundled', () => {
    assert.equal(manifest.dependencies, undefined);
  });
});

describe('The package', () => {
  it('holds what a user needs, and nothing else', async () => {
    const files = await listFiles({ cwd: root, packageManager: 0 });
    const needed =
      /^(package\.json|package\.nls(\.[\w-]+)?\.json|README\.md|CHANGELOG\.md|LICENSE|media\/.+|l10n\/.+\.json|dist\/.+\.(js|css|ttf)|dist\/webview\/chunks\.json|dist\/THIRD_PARTY_NOTICES\.txt)$/;
    assert.deepEqual(
      files.filter((file) => !needed.test(file)),
      [],
    );
    for (const file of [
      'package.json',
      'README.md',
      'dist/extension.js',
      'dist/webview/chunks.json',
      'dist/sandbox.js',
    ])
      assert.ok(files.includes(file), `${file} is not packaged`);
  });
});
