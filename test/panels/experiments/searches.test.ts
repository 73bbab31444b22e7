import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { violationsInEachTheme } from '../../support/axe';
import { callHere } from '../../support/commandLine';
import { writeColorFolders } from '../../support/experiments/colorFolders';
import { chooseInMenu } from '../../support/pageMenu';
import { showInTheme, themeNames } from '../../support/themes';
import { useService } from '../useService';

describe('A search that is measured', () => {
  const suite = useService({
    prepare: (folder) => writeColorFolders(path.join(folder, 'photos')),
  });
  const experiment = async (name: string) =>
    JSON.parse(await fs.readFile(path.join(suite.panels.workspace, name), 'utf8'));
  const terminal = (...words: readonly string[]) => {
    const { panels, service, sandbox } = suite;
    const more = ['--base-url', service.url, '--state', path.join(panels.workspace, '..', 'state')];
    return callHere([...words, ...more, '--max-cost', '1'], {
      cwd: panels.workspace,
      apiKey: sandbox.apiKey,
    });
  };

  const isWritten = (name: string) =>
    fs.stat(path.join(suite.panels.workspace, 'photos', name)).then(
      () => true,
      () => false,
    );

  it('begins from a folder, which is indexed first', async () => {
    const { panels } = suite;
    await panels.explorerMenu('Experiment with Model…', 'photos');
    const { choices } = await panels.question(/Run which model on the files/);
    assert.equal(choices[0], 'Image Similarity: index first, then search (0 of 18 indexed)');
    await panels.answer(/Run which model on the files/, /index first/);
    await panels.answer(/Into which scope/, 'photos');
    (await panels.dialog()).pick('Index 18 Files');
    await panels.indexedInto('photos');
    const page = await panels.page('photos.experiment.json');
    await page.getByRole('button', { name: /^Run 18 \(about \$/ }).waitFor();
  });

  it('asks before an audit of the index, with its price, and leaves nothing where that is declined', async () => {
    const { panels } = suite;
    await panels.rowMenu(await panels.row('Scopes', /image similarity/i), 'Audit Index…');
    const asked = await panels.dialog();
    assert.match(asked.text, /\$/);
    assert.match(asked.choices[0] ?? '', /^Start 18 Runs/);
    asked.cancel();
    await panels.until(async () => !(await isWritten('photos-audit.experiment.json')), 'No file');
  });

  it('shows the figures and the hits as thumbnails, four clicks after a right-click', async () => {
    const { panels } = suite;
    await panels.explorerMenu('Experiment with Model…', 'photos');
    const { choices } = await panels.question(/Run which model on the files/);
    assert.equal(choices[0], 'Image Similarity: search in photos (18 of 18 indexed)');
    await panels.answer(/Run which model on the files/, /search in photos/);
    const page = await panels.page('photos-2.experiment.json');
    await page.getByRole('button', { name: /^Run 18 \(about \$/ }).click();
    await page
      .getByTitle(/^hit@1 \d.*without the query itself/s)
      .first()
      .waitFor();
    await page
      .getByTitle(/^precision@5 \d/)
      .first()
      .waitFor();
    const written = await experiment('photos-2.experiment.json');
    assert.deepEqual([written.run.mode, written.run.scope], ['search', 'photos']);
    assert.deepEqual([written.expected, written.metrics], [{ folder: true }, ['hit@1', 'precision@5']]);
    const first = page.locator('#cell-0-0');
    await first
      .getByRole('img', { name: /right|wrong/ })
      .nth(4)
      .waitFor();
    assert.equal(await first.locator('.hit mb-thumbnail').count(), 5);
    const value =
      (await page
        .getByTitle(/^hit@1 \d/)
        .first()
        .getAttribute('title')) ?? '';
    assert.doesNotMatch(value, /hit@1 1\.000/);
  });

  it('shows all hits of a row in a strip for each column, and walks them by arrow keys', async () => {
    const { panels } = suite;
    const page = await panels.page('photos-2.experiment.json');
    await page.locator('#cell-0-0').dblclick();
    const hits = page.getByRole('region', { name: 'Hits' });
    await hits.getByRole('button', { name: /^Hit 1 · / }).focus();
    await page.keyboard.press('ArrowRight');
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    assert.match(await focused(), /^Hit 2 · /);
    const before = await page.getByRole('complementary').getByRole('heading').first().innerText();
    await page.keyboard.press('ArrowDown');
    await panels.until(
      async () => (await page.getByRole('complementary').getByRole('heading').first().innerText()) !== before,
      'The next row',
    );
    await panels.until(async () => /^Hit 1 · /.test(await focused()), 'Its first hit');
    assert.deepEqual(await violationsInEachTheme(page), []);
  });

  it('takes grades of hits by keys, beside the experiment and for every column', async () => {
    const { panels } = suite;
    const page = await panels.page('photos-2.experiment.json');
    const file = path.join(panels.workspace, 'photos-2.qrels.jsonl');
    const lines = async () => {
      const text = await fs.readFile(file, 'utf8').catch(() => '');
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    };
    const hits = page.getByRole('region', { name: 'Hits' });
    const hit = hits.getByRole('button', { name: /^Hit 5 · .*wrong/ });
    const id = await hit.getAttribute('data-id');
    await hit.focus();
    await page.keyboard.press('3');
    await hits.getByRole('button', { name: /^Hit 5 · .*right · grade 3/ }).waitFor();
    const [judged] = await lines();
    assert.deepEqual([judged.hit, judged.grade, judged.query.length], [id, 3, 64]);
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    assert.match(await focused(), /^Hit 6 · /);
    await page.keyboard.press('?');
    await hits.getByRole('button', { name: /^Hit 6 · .*cannot tell/ }).waitFor();
    await hits.getByRole('button', { name: /^Hit 5 · / }).focus();
    await page.keyboard.press('Delete');
    await hits.getByRole('button', { name: /^Hit 5 · .*wrong$/ }).waitFor();
    assert.equal((await lines()).length, 3);
  });

  it('counts the folders of first hits as a chart', async () => {
    const { panels } = suite;
    const page = await panels.page('photos-2.experiment.json');
    await page.keyboard.press('Escape');
    await chooseInMenu(page, 'View', 'Charts');
    await page.getByRole('button', { name: /^Expected red, got red: \d/ }).waitFor();
  });

  it('reaches the same figures in a terminal, and fails below a threshold', async () => {
    const { panels } = suite;
    const page = await panels.page('photos-2.experiment.json');
    const shown =
      (await page
        .getByTitle(/^hit@1 \d/)
        .first()
        .getAttribute('title')) ?? '';
    const reports = ['--json', 'out.json', '--junit', 'out.xml', '--report', 'out.html'];
    const run = ['experiment', 'photos-2.experiment.json', '--results', 'terminal.results.jsonl'];
    const { code, out, err } = await terminal(...run, ...reports, '--fail-below', 'hit@1=0.99');
    assert.equal(code, 1, out + err);
    const value = /hit@1 (\d\.\d+)/.exec(shown)?.[1];
    assert.ok(value && out.includes(value), `${shown} ${out}`);
    const read = (name: string) => fs.readFile(path.join(panels.workspace, name), 'utf8');
    assert.match(await read('out.json'), /"hit@1"/);
    assert.match(await read('out.xml'), /hit@1/);
    const html = await read('out.html');
    assert.match(html, /hit@1/);
    const thumbnails = html.match(/<img alt="photos\/[a-z]+\/[a-z]+\d\.png" title/g) ?? [];
    assert.equal(thumbnails.length, 18 * 5);
    const again = await terminal(...run, '--fail-below', 'hit@1=0.2');
    assert.equal(again.code, 0, again.out + again.err);
  });

  it('shows the hits of a scope that a terminal has filled, beside those of another column', async () => {
    const { panels } = suite;
    const indexed = await terminal('index', 'photos', '--model', 'image-similarity', '--scope', 'theirs');
    assert.equal(indexed.code, 0, indexed.out + indexed.err);
    const own = await experiment('photos-2.experiment.json');
    const text = JSON.stringify({ ...own, vary: { '/scope': ['photos', 'theirs'] }, sample: { inputs: 3 } });
    await fs.writeFile(path.join(panels.workspace, 'theirs.experiment.json'), text);
    assert.equal((await terminal('experiment', 'theirs.experiment.json')).code, 0);
    panels.openFile('theirs.experiment.json');
    const page = await panels.page('theirs.experiment.json');
    await page.locator('#cell-0-1 .hit mb-thumbnail').nth(4).waitFor();
    await page.locator('#cell-0-1').dblclick();
    await page.locator('mb-hits .tile mb-thumbnail').first().waitFor();
    const hits = page.getByRole('region', { name: 'Hits' });
    await hits.getByText('overlap@5 1').waitFor();
    assert.equal(await hits.locator('.same line:not(.lost)').count(), 9);
    await page.setViewportSize({ width: 1400, height: 900 });
    for (const theme of themeNames) {
      await showInTheme(page, theme);
      await page.screenshot({ path: `out/journeys/search-row-${theme}.png` });
    }
  });

  it('takes the better of two searches by a key, blind', async () => {
    const { panels } = suite;
    const page = await panels.page('theirs.experiment.json');
    await chooseInMenu(page, 'View', 'Judge');
    await page.getByRole('button', { name: 'Judge Blind' }).click();
    await page.locator('#cell-0-0').dblclick();
    const hits = page.getByRole('region', { name: 'Hits' });
    await hits.getByText('The hits of all columns').waitFor();
    await hits.getByText('Outcome B').waitFor();
    await page.screenshot({ path: 'out/journeys/search-row-blind.png' });
    await hits
      .getByRole('button', { name: /^Hit 1 · / })
      .first()
      .focus();
    await page.keyboard.press('l');
    const preferred = async () => {
      const read = await fs.readFile(path.join(panels.workspace, 'theirs.results.jsonl'), 'utf8');
      return [...read.matchAll(/"judgement":"preferred".*"value":(\d)/g)].map(([, value]) => value).sort();
    };
    await panels.until(async () => (await preferred()).join() === '0,1', 'The judgements');
  });

  it('audits the index from its scope by results that are paid, and lists it again without a question', async () => {
    const { panels } = suite;
    const row = await panels.row('Scopes', /image similarity/i);
    const listed = async () => {
      await panels.rowMenu(row, 'Audit Index…');
      if (!(await isWritten('photos-audit.results.jsonl')))
        (await panels.dialog(/were paid in/)).pick('Use Results');
      const audit = await panels.question(/Audit of the index/);
      assert.match(audit.separators.join('\n'), /^Not their own first hit: 0 of 18, 0\.0% \(0\.0% to /);
      return audit;
    };
    (await listed()).cancel();
    (await listed()).pick(/\.png$/);
    const isPicture = ({ id, args }: { id: string; args: readonly unknown[] }) =>
      id === 'vscode.open' && /photos\/\w+\/\w+\.png/.test(String(args[0]));
    await panels.until(() => panels.window.builtIns.some(isPicture), 'The picture');
  });

  it('starts from a scope, and from the page that searches it, with its own files', async () => {
    const { panels } = suite;
    const row = await panels.row('Scopes', /image similarity/i);
    await panels.rowMenu(row, 'Measure This Search…');
    await panels.until(() => isWritten('photos.experiment.json'), 'The experiment');
    const page = await panels.page(/^photos\.experiment\.json/);
    await page.getByRole('button', { name: /^Run 18 \(about \$/ }).waitFor();
    const written = await experiment('photos/photos.experiment.json');
    assert.deepEqual(written.over.files, '**/*.png');
    assert.deepEqual(written.metrics, ['hit@1', 'precision@5']);
    await panels.rowMenu(row, 'Search Scope…');
    const search = await panels.page('Search photos');
    await chooseInMenu(search, 'More Actions', 'Measure This Search…');
    await panels.until(() => isWritten('photos-2.experiment.json'), 'Another experiment');
  });
});
