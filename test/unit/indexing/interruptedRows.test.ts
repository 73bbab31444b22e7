import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScopesNode } from '../../../src/features/scopes/nodes';
import { indexJobs } from '../../../src/indexing/indexJobs';
import type { Services } from '../../../src/services';
import { openStore, type Store } from '../../../src/store/store';
import { eventually } from '../../support/eventually';
import { stubVSCode } from '../../support/vscodeStub';

const FILES = 7;
const environment = { name: 'Staging', baseUrl: 'https://staging.test' };

describe('A job whose window is gone', () => {
  let folder: string;
  let store: Store;
  before(stubVSCode);
  beforeEach(async () => {
    folder = await fs.mkdtemp(join(tmpdir(), 'interrupted-rows-'));
  });
  afterEach(async () => {
    await store.close();
    await fs.rm(folder, { recursive: true });
  });

  const open = () => openStore(folder);

  /** A job of another window, which has it open. */
  function planned(other: Store) {
    const { name, baseUrl } = environment;
    return indexJobs(other).plan(
      {
        ...{ environment: name, baseUrl, model: 'm', modelName: 'Model M' },
        ...{ scope: 'struck', mode: 'index', params: {} },
      },
      Array.from({ length: FILES }, (_, at) => ({
        ...{ uri: `file:///w/${at}.png`, imageId: `${at}.png`, filename: `${at}.png` },
        ...{ contentType: 'image/png', sizeBytes: 5, modifiedMs: 1 },
      })),
    );
  }

  /** A window that plans a job, sends two of its files, and is gone. */
  async function interruptedJob(): Promise<void> {
    const before = await open();
    const jobs = indexJobs(before);
    const head = await planned(before);
    assert.ok(await jobs.takeOver(head, 'gone'));
    await jobs.sent(head, [2, 4]);
    await before.close();
  }

  async function window() {
    store = await open();
    const never = () => ({ dispose: () => undefined });
    // Another environment is active: the job stays that of its own.
    const active = { name: 'Live', baseUrl: 'https://live.test' };
    const services = {
      connection: { active, onDidChange: never },
      catalog: { active: { models: [] }, onDidChange: never },
      log: { warn: assert.fail },
      store: async () => store,
    } as unknown as Services;
    const { Jobs } = await import('../../../src/features/indexing/jobs');
    const { ScopesTree } = await import('../../../src/features/scopes/tree');
    const jobs = new Jobs(services);
    const tree = new ScopesTree({ ...services, jobs });
    const rows = async (kind: ScopesNode['kind']) => {
      let found: ScopesNode[] = [];
      await eventually(async () => {
        found = (await tree.getChildren()).filter((row) => row.kind === kind);
        return found.length > 0;
      });
      return found;
    };
    return { jobs, tree, rows };
  }

  it('shows a row of its own, with its files that were sent without a response, until it is discarded', async () => {
    await interruptedJob();
    const { jobs, tree, rows } = await window();
    const [row] = await rows('interrupted');
    assert.ok(row);
    const below = await tree.getChildren(row);
    assert.deepEqual(
      below.map((one) => (one.kind === 'unconfirmed' ? one.file.imageId : one.kind)),
      ['interruptedFiles', '2.png', '4.png'],
    );
    const [interrupted] = jobs.interrupted;
    assert.deepEqual([interrupted?.head.environment, interrupted?.counts.inFlight], ['Staging', 2]);
    assert.ok(interrupted && (await jobs.discard(interrupted)));
    await jobs.lookForInterrupted();
    assert.deepEqual(jobs.interrupted, []);
    const dataset = { baseUrl: environment.baseUrl, model: 'm', scope: 'struck' };
    const unconfirmed = await store.datasets.itemsWith(dataset, 'unknown');
    assert.deepEqual(
      unconfirmed.map(({ imageId }) => imageId),
      ['2.png', '4.png'],
    );
    tree.dispose();
    jobs.dispose();
  });

  it('shows a row with its numbers while another window works on it', async () => {
    const other = await open();
    const jobsThere = indexJobs(other);
    const head = await planned(other);
    const { jobs, tree, rows } = await window();
    const [row] = await rows('elsewhere');
    assert.ok(row);
    assert.deepEqual(jobs.interrupted, []);
    const drawn: ScopesNode[] = [];
    tree.onDidChangeTreeData((node) => node && drawn.push(node));
    const left = async () => {
      const [below] = await tree.getChildren(row);
      assert.equal(below?.kind, 'elsewhereFiles');
      return below.job.counts.planned;
    };
    assert.equal(await left(), FILES);
    assert.ok(await jobsThere.takeOver(head, 'unused'));
    await jobsThere.left(head, [0, 1], 'skipped');
    await eventually(() => drawn.length > 0);
    assert.equal(await left(), FILES - 2);
    await jobsThere.end(head);
    await jobsThere.release(head);
    await eventually(() => assert.deepEqual(jobs.elsewhere, []));
    await other.close();
    tree.dispose();
    jobs.dispose();
  });
});

describe('The folders in which added files are looked for', () => {
  const dataset = { baseUrl: environment.baseUrl, model: 'm', scope: 's' };
  const memory = () => {
    const values = new Map<string, unknown>();
    return {
      keys: () => [...values.keys()],
      get: <T>(key: string, fallback: T) => (values.get(key) as T | undefined) ?? fallback,
      update: async (key: string, value: unknown) => void values.set(key, value),
    };
  };
  before(stubVSCode);

  it('include the user’s choice, with the files inside, and others with several files', async () => {
    const { foldersToLookIn, rememberFolders } = await import(
      '../../../src/features/indexing/indexedFolders'
    );
    const { Uri } = await import('vscode');
    const root = await fs.mkdtemp(join(tmpdir(), 'indexed-folders-'));
    try {
      await fs.mkdir(join(root, 'images/deep'), { recursive: true });
      await fs.writeFile(join(root, 'single.png'), '');
      const kept = memory() as never;
      const at = (...parts: string[]) => Uri.file(join(root, ...parts));
      await rememberFolders(kept, dataset, [at('single.png'), at('images', 'deep')]);
      await rememberFolders(kept, dataset, [at('images')]);
      const files = ['images/1.png', 'images/deep/2.png', 'single.png', 'several/1.png', 'several/2.png'];
      const found = foldersToLookIn(
        kept,
        dataset,
        files.map((name) => at(name).toString()),
      );
      assert.deepEqual(
        found.map((uri) => uri.toString()),
        [at('images').toString(), at('several').toString()],
      );
      const others = foldersToLookIn(kept, { ...dataset, scope: 'another' }, []);
      assert.deepEqual(others, [], 'each dataset has its own');
    } finally {
      await fs.rm(root, { recursive: true });
    }
  });
});
