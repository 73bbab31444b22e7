import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import fc from 'fast-check';
import type * as vscode from 'vscode';
import type { ModelContract } from '../../../src/domain/model';
import { runHostMethods } from '../../../src/protocol/run';
import type { RunOrder } from '../../../src/runs/runs';
import type { Services } from '../../../src/services';
import { tellFigures } from '../../support/figures';
import { stubVSCode } from '../../support/vscodeStub';

/** `npm run faults` asks for ten times as many. */
const MESSAGES = Number(process.env.MODEL_BENCH_FAULTS_MESSAGES ?? 1_000);
/** The text that must not reach a message or a response. */
const KEY = 'mb-canary-panel-key';

const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withTypedArray: true });
const methods = Object.keys(runHostMethods);
const method = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...methods) },
  { weight: 2, arbitrary: fc.constant('run') },
  { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString', 'perform', 'Run') },
  fc.string(),
);
const object = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 });
const draft = fc.record(
  {
    model: fc.constantFrom('model', 'another', ''),
    mode: fc.constantFrom('execute', 'index', 'toString'),
    scope: fc.constantFrom('playground', '../..'),
    input: fc.oneof(object, fc.constant({ image: { media_ref: 'file:///etc/passwd', filename: 'passwd' } })),
    params: object,
    options: object,
  },
  { requiredKeys: ['model', 'mode', 'input'] },
);
const likelyParams = fc.record(
  {
    draft: fc.oneof(draft, anything),
    work: draft,
    anyway: fc.oneof(fc.boolean(), anything),
    uris: fc.array(fc.constantFrom('file:///etc/passwd', 'https://example.com/', 'not a uri', '')),
    uri: fc.constantFrom('file:///etc/passwd', 'vscode-remote://x/y', ''),
    id: fc.oneof(fc.string(), fc.constantFrom('../../x', '1')),
    filename: fc.constantFrom('../../escape', 'a.png', ''),
    contentType: fc.string(),
    sizeBytes: fc.oneof(fc.integer(), fc.double()),
    bytes: fc.oneof(fc.uint8Array(), anything),
    from: fc.integer(),
    to: fc.integer(),
    part: fc.constantFrom('output', 'body', 'key'),
    text: fc.string(),
    language: fc.string(),
    url: fc.constantFrom('command:modelBench.runModel', 'javascript:1', 'https://example.com'),
    step: fc.constantFrom('connect', 'retry', 'runModel'),
    many: fc.boolean(),
    tab: fc.constantFrom('form', 'json'),
    runId: fc.string(),
  },
  { requiredKeys: [] },
);
const message = fc.oneof(
  { weight: 1, arbitrary: anything },
  {
    weight: 12,
    arbitrary: fc.record(
      {
        kind: fc.constantFrom('call', 'notify', 'cancel', 'response', 'error', 'run'),
        id: fc.oneof(fc.nat(50), anything),
        method,
        params: fc.oneof({ weight: 6, arbitrary: likelyParams }, anything),
        value: fc.jsonValue(),
        message: fc.string(),
      },
      { requiredKeys: ['kind'] },
    ),
  },
);

/** Whether a message is the page's message for Run: only that is a confirmation. */
function isConfirmation(message: unknown): boolean {
  if (typeof message !== 'object' || message === null) return false;
  const { kind, method: asked, id, params } = message as Record<string, unknown>;
  if ((kind !== 'call' && kind !== 'notify') || asked !== 'run') return false;
  return (kind === 'notify' || typeof id === 'number') && runHostMethods.run.params.safeParse(params).success;
}

describe('The messages of a run panel', () => {
  it(`start no run that the user did not confirm, and tell no key (${MESSAGES} messages)`, async () => {
    stubVSCode();
    const { RunPanel } = await import('../../../src/features/runPanel/panel');
    const { SavedPanels } = await import('../../../src/features/runPanel/savedPanels');
    const { Uri } = (await import('vscode')) as typeof vscode;
    const folder = await fs.mkdtemp(join(tmpdir(), 'model-bench-messages-'));
    // The build's lists of a page, in the stand-in for the extension's folder.
    await fs.mkdir(join(folder, 'dist/webview'), { recursive: true });
    await fs.writeFile(join(folder, 'dist/webview/chunks.json'), '{"run":[]}');
    const orders: RunOrder[] = [];
    const posted: unknown[] = [];
    let receive: ((message: unknown) => void) | undefined;
    const panel = fakePanel(posted, (listener) => {
      receive = listener;
    });
    const services = fakeServices(orders, folder, Uri);
    const saved = { id: 'p', model: 'model', modelName: 'Model', baseUrl: 'http://127.0.0.1:1', granted: [] };
    const folders = { attachments: Uri.file(join(folder, 'a')), responses: Uri.file(join(folder, 'b')) };
    const host = new RunPanel(
      panel,
      { ...saved, closed: false },
      services,
      new SavedPanels(join(folder, 'panels')),
      folders,
      false,
    );
    let confirmed = 0;
    try {
      for (const sent of fc.sample(message, { numRuns: MESSAGES, seed: 20_260_101 })) {
        if (isConfirmation(sent)) confirmed++;
        receive?.(sent);
        // As in VS Code, each message is a turn of its own.
        await new Promise((resolve) => setImmediate(resolve));
        if (orders.length > confirmed) assert.fail(`a run was started by ${inspect(sent)}`);
      }
      assert.ok(confirmed > 0, 'some of the messages were confirmations: the panel was alive');
      // Earlier messages are in progress once a press of Run after all of them has started its own; while a run is in
      // progress, a press has no effect.
      const last = { model: 'model', mode: 'execute', input: { text: 'the last' }, params: {} };
      while (!orders.some(({ draft }) => draft.input.text === 'the last')) {
        confirmed++;
        receive?.({ kind: 'notify', method: 'run', params: { draft: last, anyway: true } });
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      host.dispose();
    }
    assert.ok(orders.length > 0, 'a confirmation starts a run');
    const leaked = JSON.stringify(posted, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    ).includes(KEY);
    // Its last change may still be on its way to the disk.
    await fs.rm(folder, { recursive: true, force: true, maxRetries: 10 });
    tellFigures({
      case: `fuzzed messages of a run panel (${confirmed} of them a press of Run)`,
      tried: MESSAGES,
      lost: 0,
      doubled: Math.max(0, orders.length - confirmed),
      leaked: leaked ? 1 : 0,
      note: `${orders.length} runs started`,
    });
    assert.ok(!leaked, 'the key is in no message');
  }).timeout(60_000 + MESSAGES * 20);
});

function fakePanel(
  posted: unknown[],
  listen: (listener: (message: unknown) => void) => void,
): vscode.WebviewPanel {
  const nothing = { dispose: () => undefined };
  const webview = {
    html: '',
    options: {},
    cspSource: 'csp',
    asWebviewUri: (uri: unknown) => uri,
    postMessage: async (sent: unknown) => posted.push(sent),
    onDidReceiveMessage: (listener: (message: unknown) => void) => {
      listen(listener);
      return nothing;
    },
  };
  const panel = { webview, title: '', visible: true, reveal: () => undefined };
  return { ...panel, onDidDispose: () => nothing, viewColumn: 1 } as unknown as vscode.WebviewPanel;
}

function fakeServices(orders: RunOrder[], folder: string, Uri: typeof vscode.Uri): Services {
  const quiet = () => undefined;
  const contract = {
    slug: 'model',
    name: 'Model',
    modes: [{ name: 'execute', vectorBacked: false, input: anyShape, params: anyShape, examples: [] }],
    tags: [],
    raw: {},
  } as unknown as ModelContract;
  const event = () => ({ dispose: quiet });
  const client = { apiKey: KEY };
  return {
    context: {
      extensionUri: Uri.file(folder),
      globalStorageUri: Uri.file(folder),
      subscriptions: [],
      client,
    },
    log: { info: quiet, warn: quiet, error: quiet, debug: quiet },
    connection: {
      ...{ onDidChange: event, onDidChangeList: event },
      ...{ active: environment, environments: [environment] },
      find: () => environment,
      isProduction: () => false,
    },
    catalog: { of: () => ({ contract: async () => contract, cachedContract: async () => contract }) },
    runs: async () => ({
      perform: async (order: RunOrder) => {
        orders.push(order);
        return { record: { ...record, draft: order.draft, id: `run-${orders.length}` } };
      },
    }),
    history: async () => ({ get: quiet, result: async () => undefined }),
    estimates: async () => ({
      of: () => ({ runs: 0, costFrom: 0 }),
      text: () => '',
      onDidChange: () => quiet,
    }),
    store: async () => ({ datasets: { summaries: () => [], find: quiet } }),
    guard: async () => ({}),
  } as unknown as Services;
}

const environment = { name: 'test', baseUrl: 'http://127.0.0.1:1' };
const anyShape = { schema: true, origin: 'published' };
const record = {
  environment: 'test',
  baseUrl: 'http://127.0.0.1:1',
  modelName: 'Model',
  attachments: [],
  startedAt: 0,
  state: 'finished',
};
