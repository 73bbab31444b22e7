import assert from 'node:assert/strict';
import type { ScopesNode } from '../../../src/features/scopes/nodes';
import { indexJobs } from '../../../src/indexing/indexJobs';
import type { Services } from '../../../src/services';
import type { Store } from '../../../src/store/store';
import { eventually } from '../../support/eventually';
import { useStoreFolder } from '../../support/store/openStore';
import { stubVSCode } from '../../support/vscodeStub';

const FILES = 7;
const environment = { name: 'Staging', baseUrl: 'https://staging.test' };

describe('A job whose window is gone', () => {
  const use = useStoreFolder();
  before(stubVSCode);

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

  async function window() {
    const store = await use.open();
    const never = () => ({ dispose: () => undefined });
    // Another environment is active: the job stays that of its own.
    const active = { name: 'Live', baseUrl: 'https://live.test' };
    const services = {
      connection: { active, onDidChange: never },
      catalog: { active: { models: [] }, onDidChange: never },
      log: { warn: assert.fail },
      store: async () => store,
    } as unknown as Services;
    const { IndexJobs } = await import('../../../src/features/indexing/jobs');
    const { ScopesTree } = await import('../../../src/features/scopes/tree');
    const jobs = new IndexJobs(services);
    const tree = new ScopesTree({ ...services, jobs }, () => undefined);
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

  it('shows a row with its numbers while another window works on it', async () => {
    const other = await use.open();
    const jobsThere = indexJobs(other);
    const head = await planned(other);
    const { jobs, tree, rows } = await window();
    await rows('elsewhere');
    assert.deepEqual(jobs.interrupted, []);
    const left = async () => {
      const [row] = await rows('elsewhere');
      const [below] = await tree.getChildren(row);
      assert.equal(below?.kind, 'elsewhereFiles');
      return below.job.counts.planned;
    };
    assert.equal(await left(), FILES);
    assert.ok(await jobsThere.takeOver(head, 'unused'));
    await jobsThere.left(head, [0, 1], 'skipped');
    await eventually(async () => assert.equal(await left(), FILES - 2));
    await jobsThere.end(head);
    await jobsThere.release(head);
    await eventually(() => assert.deepEqual(jobs.elsewhere, []));
    tree.dispose();
    jobs.dispose();
  });
});
