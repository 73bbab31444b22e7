import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { listModels, modelDetail } from '../../src/sandbox/models/catalog';
import { check } from '../support/check';
import { root } from '../support/paths';
import { makePictures } from '../support/pictures';
import { PSEUDO_LANGUAGE, pseudo, readTexts } from '../support/pseudoLanguage';
import { useVSCode } from './journey';

const english = JSON.parse(readFileSync(path.join(root, 'package.nls.json'), 'utf8')) as Record<
  string,
  string
>;
const named = (key: string) => pseudo(english[key]!);
const command = (name: string) => `Model Bench: ${named(`command.${name}.title`)}`;

/** IDs of the sandbox, and points in time. */
const GENERATED = /\b(?:media|run)_[0-9a-f]+|\d{4}-\d\d-\d\dT[\d:.]+Z/g;
/** Of VS Code, of formats, units and months, of the test's files and of the sandbox's usage texts. */
const NAMES = [
  'JSON, HTTP, URL, CSV, TSV, PNG, SVG, USD, UTC, kB, curl, Python, TypeScript, JavaScript',
  'Model Bench, Sandbox, Welcome, has actions, Actions for, Control K M, Shift+Alt+H, AM, PM',
  'Jan, Feb, Mar, Apr, May, Jun, Jul, Aug, Sep, Oct, Nov, Dec',
  'lovely, awful, rows.csv, moods, playground, images, set-0, picture-0.png, picture-1.png, picture-2.png',
  'label, positive, neutral, negative, score, parts, execute, media_ref, filename, indexed_at, succeeded',
  'active, cost, runs, failed, workspace, id, name, ws_sandbox, from, to, by model, model, mode, median duration ms',
].flatMap((names) => names.split(', '));

describe('An artificial language, longer than English and without a translation by hand', () => {
  const journey = useVSCode({
    language: PSEUDO_LANGUAGE,
    prepare: async (folder) => {
      await makePictures(path.join(folder, 'images'), 3);
      await writeFile(path.join(folder, 'rows.csv'), 'text\nlovely\nawful\n');
      await writeFile(
        path.join(folder, 'moods.experiment.json'),
        JSON.stringify({
          version: 1,
          run: { model: 'sentiment', input: {} },
          vary: { '/params/top_k': [1, 2] },
          over: { rows: 'rows.csv', map: { '/input/text': 'text' } },
        }),
      );
    },
  });
  const isData = dataOf([
    ...listModels(new URLSearchParams()).models.map(({ slug }) => modelDetail(slug)),
    NAMES,
  ]);

  const found: object[] = [];
  async function looksTranslated(name: string, part: Page | Frame | Locator): Promise<void> {
    const { plain, clipped } = await readTexts(part);
    const left = plain.filter((text) => !isData(text));
    await journey.vscode.screenshot(`journeys/pseudo-${name}`);
    if (left.length + clipped.length > 0) found.push({ name, left, clipped });
  }
  const noneFound = () => assert.deepEqual(found.splice(0), []);

  it('fills the side bar, before a connection and after it', async () => {
    const { vscode } = journey;
    await vscode.showModelBench();
    const start = vscode.welcome(named('view.catalog')).getByRole('button').first();
    await start.waitFor();
    await looksTranslated('welcome', vscode.welcome(named('view.catalog')));
    await vscode.runCommand(command('startSandbox'));
    await vscode.treeRow(named('view.catalog'), 'Sentiment').waitFor();
    for (const view of ['view.catalog', 'view.scopes', 'view.history'])
      await looksTranslated(view, vscode.view(named(view)).locator('.pane-body'));
    noneFound();
  });

  it('fills the form, the request and the result of a run', async () => {
    const { vscode } = journey;
    await vscode.runCommandThatAsks(command('runModel'), /./, () => vscode.pick(/Sentiment/));
    const panel = await vscode.webview(/Sentiment/);
    await panel.getByRole('textbox').first().fill('lovely');
    await looksTranslated('form', panel);
    for (const tab of ['JSON', 'Code']) {
      await panel.getByRole('tab', { name: pseudo(tab), exact: true }).click();
      await looksTranslated(`request-${tab}`, panel);
    }
    await panel.getByRole('button', { name: pseudo('Run'), exact: true }).click();
    await panel
      .getByRole('region', { name: pseudo('Result') })
      .getByRole('tabpanel')
      .first()
      .waitFor();
    await looksTranslated('result', panel);
    await vscode.page.setViewportSize({ width: 760, height: 860 });
    await looksTranslated('result-narrow', panel);
    await vscode.page.setViewportSize({ width: 1280, height: 860 });
    await looksTranslated('history', vscode.view(named('view.history')).locator('.pane-body'));
    noneFound();
  });

  it('fills the comparison of two runs, and the search of the history', async () => {
    const { vscode } = journey;
    const panel = await vscode.webview(/Sentiment/);
    await panel.getByRole('tab', { name: pseudo('Form'), exact: true }).click();
    await panel.getByRole('textbox').first().fill('awful');
    await panel.getByRole('button', { name: pseudo('Run'), exact: true }).click();
    await vscode.view(named('view.history')).getByRole('treeitem', { name: /awful/ }).first().waitFor();
    const asks = (words: string) => new RegExp(pseudo(words).slice(1, -1).split(' ')[0]!);
    // The run that is on screen is the first.
    await vscode.runCommandThatAsks(command('compareRuns'), asks('with…'), async () => {
      await looksTranslated('compare-second', vscode.quickInput.locator('.quick-input-list'));
      await vscode.pick(/Sentiment/);
    });
    const page = await vscode.webview(/↔/);
    await page.locator('.places mark').first().waitFor();
    await check(page.getByRole('checkbox'));
    await looksTranslated('compare', page);
    await vscode.runCommandThatAsks(command('findRun'), /./, async () => {
      await vscode.quickInputBox.fill('awful');
      await vscode
        .quickPickRow(/Sentiment/)
        .nth(1)
        .waitFor({ state: 'detached' });
      await looksTranslated('find-run', vscode.quickInput.locator('.quick-input-list'));
      await vscode.page.keyboard.press('Escape');
    });
    noneFound();
  });

  it('fills the questions before a job, its notification, the scopes and a search', async () => {
    const { vscode } = journey;
    await vscode.contextMenu(await vscode.revealInExplorer('images'), pseudo('Index Image with Model…'));
    await vscode.quickPickRow('playground').first().waitFor();
    await looksTranslated('index-scope', vscode.quickInput.locator('.quick-input-list'));
    await vscode.pick('playground');
    await vscode.dialog.waitFor();
    await looksTranslated('index-question', vscode.dialog.locator('.dialog-message-container'));
    await vscode.dialog.getByRole('button', { name: /^⟦/ }).click();
    const done = vscode.notification(new RegExp(pseudo('Indexed').slice(0, 8)));
    await done.waitFor();
    await looksTranslated('index-done', done.locator('.notification-list-item-message'));
    await vscode.clearNotifications();
    await vscode.showModelBench();
    const scopes = named('view.scopes');
    await vscode.expandTreeRow(scopes, 'Image Similarity');
    await looksTranslated('scopes', vscode.view(scopes).locator('.pane-body'));
    const picture = await vscode.revealInExplorer('images', 'picture-0.png');
    await vscode.contextMenu(picture, pseudo('Find Similar…'));
    const search = await vscode.webview(/playground/);
    await search.locator('mb-thumbnail canvas').nth(1).waitFor();
    await looksTranslated('search', search);
    noneFound();
  });

  it('fills the usage and an experiment', async () => {
    const { vscode } = journey;
    await vscode.runCommand(command('showUsage'));
    const usage = await vscode.webview(pseudo('Usage and Billing'));
    await usage.getByRole('table').first().waitFor();
    await looksTranslated('usage', usage);
    await vscode.showExplorer();
    await vscode.explorerItem('moods.experiment.json').dblclick();
    const table = await vscode.webview(/^/);
    await table.getByRole('grid').waitFor();
    await looksTranslated('experiment', table);
    noneFound();
  });

  it('fills the walkthrough and the settings', async () => {
    const { vscode } = journey;
    await vscode.openWalkthrough(new RegExp(named('walkthrough.title').slice(0, 12)));
    // The pictures are beside the steps where there is room.
    await vscode.resize(1600, 3000);
    const steps = vscode.page.locator('.getting-started-step');
    await steps.first().waitFor();
    for (const step of await steps.all()) {
      await step.click();
      for (const part of await step.locator('.step-title, .step-description-container').all())
        await looksTranslated('walkthrough', part);
    }
    await vscode.page.getByRole('img', { name: named('walkthrough.cost.alt') }).waitFor();
    await vscode.runCommand('Preferences: Open Settings (UI)');
    const search = vscode.page.locator('.settings-header .suggest-input-container');
    await search.click();
    await vscode.page.keyboard.insertText('@ext:model-bench.model-bench');
    await search.filter({ hasText: '@ext:model-bench.model-bench' }).waitFor();
    const tab = (name: RegExp) => vscode.page.locator('.settings-tabs-widget').getByText(name);
    for (const [place, last] of [
      [/^User/, 'config.confirmPaidRuns'],
      [/^Remote/, 'config.indexing.concurrency'],
    ] as const) {
      await tab(place).click();
      const described = vscode.page.locator('.settings-editor .setting-item-description');
      await described.filter({ hasText: named(last) }).waitFor();
      for (const one of await described.all()) await looksTranslated('settings', one);
    }
    await vscode.resize(1280, 860);
    noneFound();
  });
});

/** Whether a text is of the service, of a file, or a name: it occurs only in its own language. */
function dataOf(values: readonly unknown[]): (text: string) => boolean {
  const known = new Set<string>();
  const visit = (value: unknown): void => {
    // A row shows the first sentence of a description.
    if (typeof value === 'string')
      for (const one of [value, value.split(/(?<=[.!?])\s/)[0]!]) known.add(plain(one));
    else if (Array.isArray(value)) value.forEach(visit);
    else if (value !== null && typeof value === 'object')
      for (const [key, member] of Object.entries(value)) {
        known.add(plain(key));
        visit(member);
      }
  };
  values.forEach(visit);
  const longestFirst = [...known].filter(Boolean).sort((one, other) => other.length - one.length);
  return (text) => {
    if (/^(?:: )?(?:\/\w+)+:?$/.test(text)) return true;
    const left = longestFirst.reduce(
      (rest, one) => rest.replaceAll(` ${one} `, ' '),
      ` ${plain(text.replaceAll(GENERATED, ' '))} `,
    );
    return !/\p{L}{2}/u.test(left);
  };
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
