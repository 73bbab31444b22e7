import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listFiles } from '@vscode/vsce';
import { contextKeys, customEditors, panels, views } from '../../src/contributions';
import { NEEDED, PACKAGED } from '../release/checks';
import { paletteTitles } from '../support/panels/menus';
import { root } from '../support/paths';

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json'));
const commands: { command: string; title: string }[] = manifest.contributes.commands;
const texts = JSON.parse(read('package.nls.json')) as Record<string, string>;

describe('The manifest', () => {
  it('names one owner in all its addresses: the one of `repository`', () => {
    const { repository, homepage, bugs, qna, sponsor } = manifest;
    const [, owner] = /^https:\/\/github\.com\/([\w-]+)\/model-bench\.git$/.exec(repository.url) ?? [];
    assert.ok(owner, 'the repository is on GitHub');
    const home = `https://github.com/${owner}/model-bench`;
    assert.equal(homepage, `${home}#readme`);
    assert.equal(bugs.url, `${home}/issues`);
    assert.equal(qna, `${home}/discussions`);
    assert.equal(sponsor.url, `https://github.com/sponsors/${owner}`);
  });

  // contributions.ts has no command without a title in package.nls.json, nor the reverse: else it does not compile.
  it('contributes exactly the commands that package.nls.json titles', () => {
    const titles = commands.map(({ command, title }) => [command, title]);
    const names = Object.keys(texts).flatMap((key) => /^command\.(\w+)\.title$/.exec(key)?.[1] ?? []);
    const expected = names.map((name) => [`modelBench.${name}`, `%command.${name}.title%`]);
    assert.deepEqual(titles.sort(), expected.sort());
  });

  it('keeps its commands, and the palette of a connected window with a run panel, few', () => {
    assert.ok(commands.length <= 75, `${commands.length} commands`);
    const rows = paletteTitles({
      ...{ 'modelBench.connected': true, 'modelBench.hasEnvironment': true, 'modelBench.sandbox': true },
      activeWebviewPanelId: panels.run,
    });
    // VS Code adds “Focus on … View” for each view.
    const focus = manifest.contributes.views[views.container].length;
    assert.ok(rows.length + focus <= 35, `${focus} views and ${rows.join(', ')}`);
  });

  it('gives a run panel three icons in its title', () => {
    const title: { when: string; group: string }[] = manifest.contributes.menus['editor/title'];
    const icons = title.filter(({ when, group }) => when.includes(panels.run) && /^navigation/.test(group));
    assert.equal(icons.length, 3);
  });

  it('uses in its menus, keybindings and texts only commands that exist', () => {
    const { menus, keybindings } = manifest.contributes;
    const entries = [...Object.values(menus).flat(), ...keybindings] as {
      command?: string;
      submenu?: string;
    }[];
    const links = Object.values(texts).flatMap((text) => [...text.matchAll(/\(command:([\w.]+)/g)]);
    const known = commands.map(({ command }) => command);
    const used = [
      ...entries.flatMap(({ command, submenu }) => (submenu ? [] : (command ?? 'none'))),
      ...links.map(([, command]) => command!),
    ];
    assert.deepEqual(
      used.filter((command) => !known.includes(command)),
      [],
    );
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

  it('uses in its when clauses only contexts that are set', () => {
    const ids = [contextKeys, views, customEditors, panels].flatMap((some) => Object.values<string>(some));
    const whens = [...JSON.stringify(manifest.contributes).matchAll(/"when":"((?:[^"\\]|\\.)*)"/g)];
    const used = whens.flatMap(
      ([, when]) => when!.replaceAll(/viewItem \S+ \S+/g, '').match(/modelBench\.\w+/g) ?? [],
    );
    assert.deepEqual(
      used.filter((key) => !ids.includes(key)),
      [],
    );
  });

  it('contains a text for every placeholder, and a use for every text', () => {
    const used = new Set([...read('package.json').matchAll(/"%([^%"]+)%"/g)].map((match) => match[1]!));
    assert.deepEqual([...used].sort(), Object.keys(texts).sort());
  });

  it('keeps the address of the key and the costs out of workspace settings', () => {
    const groups = manifest.contributes.configuration as { properties: Record<string, { scope?: string }> }[];
    const settings = groups.flatMap(({ properties }) => Object.entries(properties));
    assert.ok(settings.length > 10);
    const loose = settings.filter(([, { scope }]) => scope !== 'application' && scope !== 'machine');
    assert.deepEqual(
      loose.map(([name]) => name),
      [],
    );
  });

  it('needs nothing at run time: all is bundled', () => {
    assert.equal(manifest.dependencies, undefined);
  });
});

describe('The package', () => {
  it('draws each step of its walkthrough for every kind of theme, and gives it a button', () => {
    for (const { steps } of manifest.contributes.walkthroughs)
      for (const { media, description } of steps) {
        const pictures = ['dark', 'light', 'hc', 'hcLight'].map((kind) => read(media.image[kind]));
        assert.equal(new Set(pictures).size, 4, media.image.dark);
        // Drawings are sharp at any size; a theme's variables do not reach them.
        for (const picture of pictures) assert.match(picture, /^<svg (?!.*var\()/s);
        assert.match(texts[description.slice(1, -1)] ?? '', /\]\(command:modelBench\./);
      }
  });

  it('contains the needed files only', async () => {
    // It looks through all of node_modules.
    const files = await listFiles({ cwd: root, packageManager: 0 });
    assert.deepEqual(
      files.filter((file) => !PACKAGED.test(file)),
      [],
    );
    for (const file of NEEDED) assert.ok(files.includes(file), `${file} is not packaged`);
  });
});
