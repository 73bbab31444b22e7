import assert from 'node:assert/strict';
import { inMenu, paletteTitles, welcomeOf } from '../support/panels/menus';
import { usePanels } from './usePanels';

describe('The first minute', () => {
  const suite = usePanels();
  const offered = () => paletteTitles(Object.fromEntries(suite.panels.window.contexts));

  it('offers only commands in the palette that can act before there is a connection', () => {
    assert.deepEqual(offered(), [
      'Connect to a Service…',
      'Run Model…',
      'Show Log',
      'Try the Built-in Sandbox',
    ]);
  });

  it('offers nothing for a picture in the menus of its tab before there is a connection', () => {
    const picture = { resourceScheme: 'file', resourceFilename: 'a.png', resourceExtname: '.png' };
    const keys = { ...Object.fromEntries(suite.panels.window.contexts), ...picture };
    const titles = ['Index Image with Model…', 'Find Similar…', 'Run with Model…'];
    const inMenus = (known: object) =>
      titles.map((title) => inMenu('editor/title/context', title, { ...keys, ...known }) !== undefined);
    assert.deepEqual(inMenus({}), [false, false, false]);
    assert.deepEqual(inMenus({ 'modelBench.connected': true }), [true, true, true]);
  });

  it('welcomes in no view before it is known whether there is an environment', () => {
    for (const view of ['Catalog', 'Scopes', 'Experiments', 'History']) {
      assert.equal(welcomeOf(view, {}), undefined, view);
      assert.ok(welcomeOf(view, Object.fromEntries(suite.panels.window.contexts)), view);
    }
  });

  it('does nothing more when the question where to run models is cancelled', async () => {
    const { panels } = suite;
    panels.command('modelBench.searchScope');
    (await panels.question(/Where do you want to run models/)).cancel();
    panels.command('modelBench.showLog');
    assert.deepEqual(panels.window.questions.open, []);
    assert.deepEqual(panels.window.notifications, []);
  });

  it('starts the sandbox from the command to run a model, and goes on to choose one', async () => {
    const { panels } = suite;
    await panels.runCommand('Model Bench: Run Model…');
    await panels.answer(/Where do you want to run models/, 'Built-in Sandbox');
    await panels.answer('Choose a model to run', /Sentiment/);
    await panels.runPanel(/Sentiment/);
    await panels.noNotification(/Connect to a service first/);
  });

  it('then offers the others, and finds Run Model… first for its name', () => {
    const all = offered();
    assert.equal(
      all.find((title) => /run.*model/i.test(title)),
      'Run Model…',
    );
    for (const title of ['Find Run…', 'Index Image with Model…', 'Show Usage and Billing'])
      assert.ok(all.includes(title), title);
    for (const title of ['Pause Indexing', 'Cancel Experiment', 'Run File', 'Open Run'])
      assert.ok(!all.includes(title), title);
  });
});

describe('A window with an environment whose secret store is slow', () => {
  const suite = usePanels({
    settings: { 'modelBench.environments': { Local: 'http://127.0.0.1:1' } },
  });
  const keys = () => Object.fromEntries(suite.panels.window.contexts);

  it('asks for no key before it has looked for one', async () => {
    const { panels } = suite;
    let release = () => {};
    const held = new Promise<undefined>((resolve) => {
      release = () => resolve(undefined);
    });
    panels.kept.secrets.get = () => held as never;
    await panels.reload();
    assert.equal(welcomeOf('Catalog', keys()), undefined);
    release();
    await panels.until(() => welcomeOf('Catalog', keys())?.includes('key'), 'the welcome of an environment');
  });
});

describe('The start of the sandbox', () => {
  const suite = usePanels();
  const catalog = () => suite.panels.window.trees.get('modelBench.catalog')!;

  it('shows the catalog in a side bar with another view', async () => {
    const { panels } = suite;
    catalog().show(false);
    await panels.window.executeCommand('modelBench.startSandbox');
    assert.ok(catalog().view.visible);
  });

  it('leaves the side bar to a user who has left the catalog meanwhile', async () => {
    const { panels } = suite;
    const started = panels.window.executeCommand('modelBench.startSandbox');
    catalog().show(false);
    await started;
    assert.ok(!catalog().view.visible);
  });
});

describe('The first result', () => {
  const suite = usePanels({ settings: { 'modelBench.openModelAfterConnecting': true } });

  it('needs two clicks in the open side bar: the sandbox and Run, without a question', async () => {
    const { panels } = suite;
    const asked: string[] = [];
    panels.window.questions.changed.event(() =>
      asked.push(...panels.window.questions.open.map(({ text }) => text)),
    );
    panels.command('modelBench.startSandbox');
    const panel = await panels.runPanel('Color Palette');
    await panel.button('Run').click();
    await panel.result
      .getByText(/^Finished in/)
      .last()
      .waitFor();
    assert.deepEqual(asked, []);
    assert.deepEqual(panels.window.notifications, []);
  });
});
