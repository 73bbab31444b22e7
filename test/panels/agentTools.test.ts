import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WindowDoor } from '../../src/agents/pipe/attach';
import { contributedName, type ToolName } from '../../src/agents/toolNames';
import { startMcp } from '../support/agents/mcpClient';
import { CancellationTokenSource, type MarkdownString } from '../support/panels/values';
import { makePictures } from '../support/pictures';
import { cliProgram } from '../support/programs';
import { useService } from './useService';

describe('The tools of agents in a window', () => {
  const suite = useService({
    environments: ['Local'],
    prepare: (workspace) => makePictures(path.join(workspace, 'images'), 3),
  });
  const { sent } = suite;
  let home: string;
  const { HOME } = process.env;
  before(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'model-bench-home-'));
    process.env.HOME = home;
  });
  after(async () => {
    process.env.HOME = HOME;
    await rm(home, { recursive: true });
  });

  const toolOf = (tool: ToolName) => suite.panels.window.tools.get(contributedName(tool))!;
  const call = async (tool: ToolName, input: object): Promise<string> => {
    const { token } = new CancellationTokenSource();
    const result = await toolOf(tool).invoke({ input, toolInvocationToken: undefined }, token as never);
    return (result!.content as { value: string }[]).map(({ value }) => value).join('\n');
  };
  const run = (text: string, key = text) => ({
    ...{ model: 'sentiment', input: { text }, idempotency_key: key },
  });

  it('send nothing before a person allows an amount, and are paid once after that', async () => {
    const { panels } = suite;
    assert.match(await call('run_model', run('A good day.')), /Needs approval: about \$0\.001/);
    assert.equal(await sent(), 0);
    await panels.agentSpending(/^(Allow Agent Spending|Change)…$/);
    await panels.enter(/Amount/, '0.01');
    (await panels.question(/Tools/)).accept?.();
    await panels.answer(/Until/, 'Today');
    await panels.notification(/Agents may spend \$0\.01/);
    const answers = await Promise.all([1, 2, 3].map(() => call('run_model', run('A good day.'))));
    assert.match(answers[0]!, /"label":"positive"/);
    const withoutWords = answers.map((answer) => answer.replaceAll(/service-data-[\w-]+/g, 'service-data'));
    assert.deepEqual(new Set(withoutWords).size, 1);
    assert.equal(await sent(), 1);
    await panels.row('History', /VS Code chat/);
    const many = await Promise.all(
      Array.from({ length: 30 }, (_, at) => call('run_model', run(`day ${at}`))),
    );
    assert.ok(
      many.some((text) => /has \$0\.00.* left of \$0\.01/.test(text)),
      many.at(-1),
    );
    assert.ok((await sent()) <= 10);
  });

  it('name the argument that does not fit', async () => {
    assert.match(await call('estimate_cost', { model: 'm', input: {} }), /Unrecognized key: "input"/);
    assert.match(await call('describe_model', {}), /\/model: .*expected string/);
  });

  it('say model, environment, price and files before a paid call', async () => {
    const prepare = async (tool: ToolName, input: object) => {
      const { token } = new CancellationTokenSource();
      const prepared = await toolOf(tool).prepareInvocation!({ input }, token as never);
      const { confirmationMessages: asked } = prepared as {
        confirmationMessages?: { message: MarkdownString };
      };
      return asked?.message.value.replaceAll('\\', '');
    };
    await suite.panels.runCommand('Model Bench: Run Model…');
    await suite.panels.answer('Choose a model to run', /Sentiment/);
    await suite.panels.page(/Sentiment/);
    const message = await prepare('run_model', run('x'));
    assert.match(message!, /Model: sentiment\s+Environment: Local\s+Price of a run: about \$0\.001/);
    const pictures = {
      model: 'm',
      input: { image: [{ media_ref: './images/1.png' }, { media_ref: 'media_1' }] },
    };
    assert.match((await prepare('run_model', pictures))!, /File: \.\/images\/1\.png$/);
    const paths = Array.from({ length: 9 }, (_, at) => `images/${at}.png`);
    assert.match(
      (await prepare('index_files', { paths, scope: 's', model: 'm' }))!,
      /images\/4\.png\s+and 4 more/,
    );
    assert.equal(await prepare('find_models', {}), undefined);
  });

  it('say the model, without waiting for a price that does not come', async () => {
    const never = new Promise<never>(() => undefined);
    const services = { connection: {}, store: () => never, estimates: () => never } as never;
    const { preparedCall } = await import('../../src/features/agents/tools/preparedCall');
    const { confirmationMessages } = await preparedCall(services, 'run_model', run('x'));
    assert.match(
      (confirmationMessages!.message as MarkdownString).value.replaceAll('\\', ''),
      /Model: sentiment/,
    );
  });

  it('connect to another client after a question, without the key, and do its calls', async () => {
    const { panels } = suite;
    await panels.agentSpending('Connect Other Agents…');
    await panels.answer(/Choose the program/, 'Cursor');
    const dialog = await panels.dialog(/Add this entry/);
    const file = path.join(home, '.cursor', 'mcp.json');
    assert.ok(dialog.text.includes(file));
    assert.ok(!dialog.text.includes('␊'), 'lines stay lines');
    await assert.rejects(readFile(file));
    dialog.pick('Add');
    await panels.answer(/Copy the skill/, 'Copy Skill');
    await panels.notification(/Start the agent again/);
    const written = await readFile(file, 'utf8');
    assert.ok(!written.includes(suite.sandbox.apiKey));
    const { args } = JSON.parse(written).mcpServers['model-bench'];
    assert.deepEqual(args.slice(0, 2), ['mcp', '--window']);
    assert.match(
      await readFile(path.join(home, '.agents/skills/model-bench/SKILL.md'), 'utf8'),
      /^---\nname: model-bench/,
    );
    const door = new WindowDoor(args[2], panels.workspace);
    const { text } = await door.call(
      'Cursor',
      'find_models',
      { text: 'sentiment' },
      new AbortController().signal,
    );
    assert.match(text, /<service-data-[\da-f]{12}>\nsentiment /);
    const other = { environment: 'Production' };
    assert.match(
      (await door.call('Cursor', 'find_models', other, new AbortController().signal)).text,
      /“Local” only/,
    );
    await door.close();
    // The program that the entry starts, with the official client, and without a key of its own.
    const program = await startMcp(await cliProgram(), args.slice(1), {
      cwd: panels.workspace,
      name: 'Cursor',
    });
    const before = await sent();
    const answer = await program.call('run_model', run('A day of another agent.'));
    assert.match(answer.text, /"label":"|Needs approval/);
    assert.ok((await sent()) <= before + 1);
    assert.ok(!answer.text.includes(suite.sandbox.apiKey));
    await program.close();
  });
});
