import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { Connection } from '../../src/connection/connection';
import { readEnvironments } from '../../src/connection/environments';
import type { Environment } from '../../src/domain/environment';
import type { ServiceClient } from '../../src/service/client';
import { ServiceError } from '../../src/service/errors';
import { eventually } from '../support/eventually';
import { memento, secretsIn } from '../support/memory';

/** The parts of an extension context that the connection uses, in memory. */
function memoryContext(folder: string) {
  const secrets = new Map<string, string>();
  const reads = { count: 0 };
  const stored = secretsIn(secrets, new vscode.EventEmitter());
  const context = {
    secrets: {
      ...stored,
      get: async (key: string) => {
        reads.count++;
        return stored.get(key);
      },
    },
    globalState: memento(),
    workspaceState: memento(),
    globalStorageUri: vscode.Uri.file(folder),
  };
  return { context: context as unknown as vscode.ExtensionContext, secrets, reads };
}

/** A client that only reports its environment and the key it would send. */
interface Probe extends ServiceClient {
  readonly key: () => Promise<string | undefined>;
}

const settings = () => vscode.workspace.getConfiguration('modelBench');
const setEnvironments = (value: unknown) =>
  settings().update('environments', value, vscode.ConfigurationTarget.Global);

describe('The connection', () => {
  let log: vscode.LogOutputChannel;
  let connection: Connection;
  let secrets: Map<string, string>;
  let reads: { count: number };
  let context: vscode.ExtensionContext;
  let folder: string;
  const closed: string[] = [];
  const probes = {
    isBuiltIn: ({ name }: Environment) => name === 'Sandbox',
    make: async ({ name, baseUrl }: Environment, key: Probe['key']) =>
      ({ environment: name, baseUrl, key, close: () => closed.push(name) }) as unknown as Probe,
  };

  beforeEach(async () => {
    await setEnvironments(undefined);
    log = vscode.window.createOutputChannel('connection test', { log: true });
    folder = await mkdtemp(path.join(tmpdir(), 'connection-'));
    const memory = memoryContext(folder);
    secrets = memory.secrets;
    reads = memory.reads;
    context = memory.context;
    closed.length = 0;
    connection = new Connection(context, probes, log);
  });

  afterEach(async () => {
    connection.dispose();
    log.dispose();
    await setEnvironments(undefined);
    await rm(folder, { recursive: true });
  });

  const rejectsAs = async (kind: string) =>
    assert.rejects(connection.client(), (error) => error instanceof ServiceError && error.kind === kind);

  it('offers no client without an environment', () => rejectsAs('notConnected'));

  it('keeps staging and production apart, each with its own key', async () => {
    await connection.save({ name: 'Staging', baseUrl: 'https://staging.example.com' }, 'key-of-staging');
    await connection.save({ name: 'Production', baseUrl: 'https://example.com' }, 'key-of-production');
    assert.equal(await ((await connection.client()) as Probe).key(), 'key-of-production');
    await connection.setActive('Staging');
    const client = (await connection.client()) as Probe;
    assert.equal(client.baseUrl, 'https://staging.example.com');
    assert.equal(await client.key(), 'key-of-staging');
  });

  it('keeps one client per environment open while its window is open, even if another becomes active', async () => {
    await connection.save({ name: 'Staging', baseUrl: 'https://staging.example.com' }, 'key-of-staging');
    const staging = await connection.client();
    await connection.save({ name: 'Production', baseUrl: 'https://example.com' }, 'key-of-production');
    assert.equal((await connection.client()).environment, 'Production');
    const held = { name: 'Staging', baseUrl: 'https://staging.example.com' };
    assert.equal(await connection.client(held), staging, 'reached while another one is active');
    await connection.setActive('Staging');
    assert.equal(await connection.client(), staging);
    assert.deepEqual(closed, []);
    connection.dispose();
    await eventually(async () => assert.deepEqual(closed.sort(), ['Production', 'Staging']));
  });

  it('keeps the sandbox out of the settings, which go to other machines, until its key is forgotten', async () => {
    const sandbox = { name: 'Sandbox', baseUrl: 'http://127.0.0.1:9' };
    await setEnvironments({ Sandbox: 'http://127.0.0.1:8' });
    await connection.save(sandbox, 'key-of-sandbox');
    assert.deepEqual(connection.environments, [sandbox]);
    assert.equal(((await connection.client()) as Probe).baseUrl, sandbox.baseUrl);
    assert.deepEqual(settings().inspect('environments')?.globalValue, { Sandbox: 'http://127.0.0.1:8' });
    await setEnvironments(undefined);
    await connection.forgetKey();
    assert.deepEqual(connection.environments, []);
  });

  it('reports an environment that is added or marked, in any window, as no change of the active one', async () => {
    await connection.save({ name: 'Staging', baseUrl: 'https://staging.example.com' }, 'key-of-staging');
    const other = new Connection(context, probes, log);
    try {
      const changes: string[] = [];
      connection.onDidChange(() => changes.push('active'));
      connection.onDidChangeList(() => changes.push('list'));
      await other.save({ name: 'Sandbox', baseUrl: 'http://127.0.0.1:9' }, 'key-of-sandbox');
      await eventually(async () => assert.equal(connection.environments.length, 2));
      await settings().update('productionEnvironments', ['Staging', 5], vscode.ConfigurationTarget.Global);
      await eventually(async () => assert.ok(connection.isProduction({ name: 'Staging' })));
      assert.equal(other.active?.name, 'Sandbox');
      assert.equal(
        connection.active?.name,
        'Staging',
        'a window keeps its environment until its user moves it',
      );
      assert.deepEqual(new Set(changes), new Set(['list']));
    } finally {
      other.dispose();
      await settings().update('productionEnvironments', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('says which environment is gone from the settings instead of using another one', async () => {
    await connection.save({ name: 'Staging', baseUrl: 'https://staging.example.com' }, 'key-of-staging');
    const gone = { name: 'Gone', baseUrl: 'https://gone.example.com' };
    await assert.rejects(
      connection.client(gone),
      (error) => error instanceof ServiceError && error.details.why?.reason === 'environmentGone',
    );
    const renamed = { name: 'Former name', baseUrl: 'https://staging.example.com' };
    assert.equal((await connection.client(renamed)).environment, 'Staging');
  });

  describe('with a list of allowed base URLs', () => {
    const staging = { name: 'Staging', baseUrl: 'https://staging.example.com/gateway' };
    const allow = async (list: unknown) => {
      const changed = new Promise<void>((resolve) => connection.onDidChangeList(resolve));
      await settings().update('allowedBaseUrls', list, vscode.ConfigurationTarget.Global);
      await changed;
    };
    const isNotAllowed = (error: unknown) =>
      error instanceof ServiceError && error.details.why?.reason === 'notAllowed';
    beforeEach(() => connection.save(staging, 'key-of-staging'));
    afterEach(() => settings().update('allowedBaseUrls', undefined, vscode.ConfigurationTarget.Global));

    it('creates clients for its origins only, and gives no key to other addresses', async () => {
      await allow(['https://*.example.com']);
      const client = (await connection.client()) as Probe;
      assert.equal(await client.key(), 'key-of-staging');
      const elsewhere = { name: 'Elsewhere', baseUrl: 'https://example.com.evil.com' };
      assert.throws(() => connection.requireAllowed(elsewhere), isNotAllowed);
      await assert.rejects(((await connection.trial(elsewhere, 'typed')) as Probe).key(), isNotAllowed);
      await connection.save(elsewhere, 'key-of-elsewhere');
      await assert.rejects(connection.client(), isNotAllowed);
    });

    it('applies a change to a client that is open, and reports it', async () => {
      const client = (await connection.client()) as Probe;
      const changed = new Promise<void>((resolve) => connection.onDidChange(resolve));
      await allow(['https://models.example.org']);
      await changed;
      await assert.rejects(client.key(), isNotAllowed);
      await assert.rejects(connection.client(), isNotAllowed);
      await allow([]);
      assert.equal(await client.key(), 'key-of-staging');
    });

    it('allows no address for an unreadable list, except the built-in service', async () => {
      const own = { name: 'Sandbox', baseUrl: 'http://127.0.0.1:9' };
      for (const list of ['https://staging.example.com', { any: true }, ['*'], [5], [null], true, 7]) {
        await allow(list);
        await assert.rejects(connection.client(), isNotAllowed, JSON.stringify(list));
        connection.requireAllowed(own);
        await allow(undefined);
      }
    });
  });

  it('switches at once, before the key of the next environment is looked up', async () => {
    await connection.save({ name: 'Staging', baseUrl: 'https://staging.example.com' }, 'one');
    await connection.save({ name: 'Production', baseUrl: 'https://example.com' }, 'two');
    let reported: string | undefined;
    connection.onDidChange(() => {
      reported ??= connection.active?.name;
    });
    const switching = connection.setActive('Staging');
    assert.equal(reported, 'Staging');
    await switching;
  });

  it('asks again instead of sending a key to a changed base URL', async () => {
    await connection.save({ name: 'Production', baseUrl: 'https://example.com' }, 'canary');
    const before = (await connection.client()) as Probe;
    const changed = new Promise<void>((resolve) => connection.onDidChange(resolve));
    await setEnvironments({ Production: 'https://elsewhere.example' });
    await changed;
    assert.equal(await connection.hasKey(), false);
    await rejectsAs('notConnected');
    // The client of the former address keeps its runs, and the key of that address alone.
    assert.deepEqual(closed, []);
    assert.equal(before.baseUrl, 'https://example.com');
    assert.equal(await before.key(), 'canary');
  });

  it('goes on with the key when only the path of the base URL changes', async () => {
    await connection.save({ name: 'Production', baseUrl: 'https://example.com' }, 'canary');
    const changed = new Promise<void>((resolve) => connection.onDidChange(resolve));
    await setEnvironments({ Production: 'https://example.com/gateway' });
    await changed;
    assert.equal(await connection.hasKey(), true);
  });

  it('keeps keys nowhere but in the secret storage', async () => {
    await connection.save({ name: 'Production', baseUrl: 'https://example.com' }, 'canary-7f3a');
    assert.ok([...secrets.values()].some((value) => value.includes('canary-7f3a')));
    assert.ok(!JSON.stringify(settings().inspect('environments')).includes('canary-7f3a'));
  });

  it('reads a key once for many requests, and no secret where no environment is set', async () => {
    assert.equal(await connection.hasKey(), false);
    assert.equal(reads.count, 0);
    await connection.save({ name: 'Production', baseUrl: 'https://example.com' }, 'canary');
    // It reads the key again for its own change, and would be counted.
    connection.dispose();
    const window = new Connection(context, probes, log);
    try {
      const before = reads.count;
      for (let request = 0; request < 100; request++)
        assert.equal(await ((await window.client()) as Probe).key(), 'canary');
      assert.equal(reads.count - before, 1);
    } finally {
      window.dispose();
    }
  });

  it('notices a key that another window changes or forgets, and ends no run for it', async () => {
    const other = new Connection(context, probes, log);
    try {
      await connection.save({ name: 'Production', baseUrl: 'https://example.com' }, 'first');
      const client = (await connection.client()) as Probe;
      assert.equal(await client.key(), 'first');
      const told = () => new Promise<void>((resolve) => connection.onDidChange(resolve));
      const changed = told();
      await other.save({ name: 'Production', baseUrl: 'https://example.com' }, 'second');
      await changed;
      assert.deepEqual(closed, []);
      assert.equal(await client.key(), 'second');
      assert.equal(await ((await connection.client()) as Probe).key(), 'second');
      const forgotten = told();
      await other.forgetKey();
      await forgotten;
      assert.equal(secrets.size, 0);
      assert.equal(await connection.hasKey(), false);
      // Also a client that someone still holds has no key any more.
      assert.equal(await client.key(), undefined);
      await rejectsAs('notConnected');
    } finally {
      other.dispose();
    }
  });

  it('says that VS Code kept no key, where its secret storage was emptied', async () => {
    await connection.save({ name: 'Production', baseUrl: 'https://example.com' }, 'first');
    secrets.clear();
    const reloaded = new Connection(context, probes, log);
    try {
      await assert.rejects(reloaded.client(), /keyLost/);
    } finally {
      reloaded.dispose();
    }
  });

  it('uses no key that another window changed or forgot, in a host that tells a window nothing', async () => {
    // Like VS Code in a browser: each window has the secrets from the time when it opened.
    const before = { name: 'Production', baseUrl: 'https://example.com' };
    await connection.save(before, 'first');
    const frozen = new Map(secrets);
    const stale = {
      ...context,
      secrets: { ...context.secrets, get: async (key: string) => frozen.get(key) },
    };
    const other = new Connection(stale as vscode.ExtensionContext, probes, log);
    try {
      const held = (await other.client()) as Probe;
      assert.equal(await held.key(), 'first');
      const told = new Promise<void>((resolve) => other.onDidChange(resolve));
      await connection.save(before, 'second');
      await told;
      assert.equal(await held.key(), undefined);
      await assert.rejects(other.client(), /keyReplaced/);
      // As after a reload of that window.
      for (const [key, value] of secrets) frozen.set(key, value);
      assert.equal(await ((await other.client()) as Probe).key(), 'second');
      await connection.forgetKey();
      // The notice of the other window arrives with the next events of the file system.
      await eventually(() => assert.rejects(other.client(), /keyReplaced/));
    } finally {
      other.dispose();
    }
  });

  it('leaves nothing of a forgotten key behind, derived or not', async () => {
    await connection.save({ name: 'Production', baseUrl: 'https://example.com' }, 'canary-7f3a');
    await connection.client();
    await connection.forgetKey();
    assert.equal(secrets.size, 0);
    const digest = createHash('sha256').update('canary-7f3a').digest('hex');
    const values = [context.globalState, context.workspaceState].flatMap((state) =>
      state.keys().map((key) => JSON.stringify(state.get(key))),
    );
    for (const name of await readdir(folder, { recursive: true })) {
      const text = await readFile(path.join(folder, name), 'utf8').catch(() => '');
      values.push(name, text);
    }
    assert.ok(values.length > 1);
    for (const value of values)
      for (const trace of ['canary-7f3a', digest, Buffer.from('canary-7f3a').toString('base64').slice(0, 12)])
        assert.ok(!value.includes(trace), `${trace} in ${value}`);
  });

  it('forgets with a key those of environments that are named no more', async () => {
    await connection.save({ name: 'Staging', baseUrl: 'https://staging.example.com' }, 'one');
    await connection.save({ name: 'Kept', baseUrl: 'https://kept.example.com' }, 'two');
    await connection.save({ name: 'Production', baseUrl: 'https://example.com' }, 'three');
    const changed = new Promise<void>((resolve) => connection.onDidChangeList(resolve));
    await setEnvironments({ Production: 'https://example.com', Kept: 'https://kept.example.com' });
    await changed;
    assert.equal(secrets.size, 3);
    await connection.forgetKey();
    assert.deepEqual(
      [...secrets.values()].map((value) => JSON.parse(value).apiKey),
      ['two'],
    );
  });

  it('takes only https, or http on this machine, and says what to change', () => {
    const { environments, problems } = readEnvironments({
      good: 'https://example.com/',
      local: 'http://127.0.0.1:8080/api',
      plain: 'http://example.com',
      nonsense: 'example',
      number: 4,
    });
    assert.deepEqual(environments, [
      { name: 'good', baseUrl: 'https://example.com' },
      { name: 'local', baseUrl: 'http://127.0.0.1:8080' },
    ]);
    assert.equal(problems.length, 3);
    for (const problem of problems) assert.match(problem, /^modelBench\.environments, “\w+”: [A-Z]/);
  });

  it('takes no environment from a workspace', async () => {
    const inspected = settings().inspect('environments');
    assert.equal(inspected?.workspaceValue, undefined);
    assert.deepEqual(connection.environments, []);
    await assert.rejects(
      Promise.resolve(
        settings().update(
          'environments',
          { Evil: 'https://evil.example' },
          vscode.ConfigurationTarget.Workspace,
        ),
      ),
      'an application setting cannot be written into a workspace',
    );
  });
});
