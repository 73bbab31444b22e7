import assert from 'node:assert/strict';
import type { ModelContract } from '../../../src/domain/model';
import type { RunRequest } from '../../../src/domain/run';
import type { RunRecord } from '../../../src/domain/runRecord';
import type { Admission } from '../../../src/runs/budget/budget';
import type { Guard } from '../../../src/runs/budget/guard';
import type { History } from '../../../src/runs/history/history';
import { createRuns, type RunsParts } from '../../../src/runs/perform';
import type { LocalFile, RunOrder } from '../../../src/runs/runs';
import type { UploadCache } from '../../../src/runs/uploads/uploadFiles';
import type { RunResponse, ServiceClient, UploadSource } from '../../../src/service/client';
import { ServiceError } from '../../../src/service/errors';

const picture = 'file:///pictures/cat.png';

const contract: ModelContract = {
  slug: 'cats',
  name: 'Cats',
  tags: [],
  modeNames: ['execute'],
  modesDeclared: true,
  raw: undefined,
  modes: [
    {
      name: 'execute',
      vectorBacked: false,
      input: { schema: { type: 'object', required: ['image'] }, origin: 'declared' },
      params: { schema: true, origin: 'unknown' },
      examples: [],
    },
  ],
};

function fileOf(uri: string, content: string): LocalFile {
  const bytes = new TextEncoder().encode(content);
  const source: UploadSource = {
    filename: uri.slice(uri.lastIndexOf('/') + 1),
    contentType: 'image/png',
    mediaType: 'image',
    sizeBytes: bytes.length,
    async *open() {
      yield bytes;
    },
  };
  return { uri, source };
}

function order(changes: Partial<RunOrder> = {}): RunOrder {
  return {
    environment: { name: 'test', baseUrl: 'https://test.example' },
    contract,
    draft: { model: 'cats', mode: 'execute', input: { image: { media_ref: picture } }, params: {} },
    files: [fileOf(picture, 'meow')],
    source: 'panel',
    ...changes,
  };
}

const answered: RunResponse = {
  state: 'finished',
  output: { label: 'cat' },
  cost: { amount: '0.01' },
  recognised: true,
  raw: { status: 200, contentType: 'application/json', headers: {}, bytes: new TextEncoder().encode('{}') },
};

/** A service, a history, a guard and a cache of uploads that remember what happened to them, in order. */
function bench(run: (request: RunRequest) => Promise<RunResponse> = async () => answered) {
  const events: string[] = [];
  const requests: RunRequest[] = [];
  const records = new Map<string, RunRecord>();
  const refs = new Map<string, string>();
  const cache: UploadCache = {
    find: (key) => refs.get(key.sha256),
    remember: async (key, mediaRef) => void refs.set(key.sha256, mediaRef),
    forget: async (key) => void refs.delete(key.sha256),
  };
  const client = {
    environment: 'Test',
    baseUrl: 'https://models.test',
    upload: async () => {
      events.push('upload');
      return { mediaRef: `ref-${events.length}`, raw: answered.raw };
    },
    run: async (request: RunRequest) => {
      events.push('run');
      requests.push(request);
      return run(request);
    },
  } as unknown as ServiceClient;
  const history = {
    put: async (record: RunRecord) => {
      events.push(`put ${record.state}`);
      records.set(record.id, record);
      return record;
    },
  } as unknown as History;
  const admission: Admission = {
    confirm: () => undefined,
    settle: (cost) => events.push(`settle ${cost?.amount}`),
    release: () => events.push('release'),
    cannotPay: () => events.push('cannotPay'),
  };
  const guard = {
    admit: () => {
      events.push('admit');
      return admission;
    },
  } as unknown as Guard;
  const jobRuns = {} as RunsParts['jobRuns'];
  const runs = createRuns({ client: async () => client, history, guard, cache, jobRuns });
  return { events, requests, refs, history, runs };
}

const failing = (kind: ServiceError['kind'], status?: number) => async () => {
  throw new ServiceError(kind, { status });
};

describe('A run', () => {
  it('is on record as running before it is sent, and once more with what became of it', async () => {
    const { runs, events, requests } = bench();
    const { record } = await runs.perform(order());
    assert.deepEqual(events, ['admit', 'upload', 'put running', 'run', 'settle 0.01', 'put finished']);
    assert.deepEqual(requests[0]?.input, { image: { media_ref: 'ref-2' } });
    assert.deepEqual(record.request, requests[0]);
    assert.equal(record.attachments[0]?.mediaRef, 'ref-2');
    assert.equal(record.draft.input.image !== undefined, true);
  });

  it('tells its steps in order', async () => {
    const { runs } = bench();
    const steps: string[] = [];
    await runs.perform(order(), { onStep: ({ step }) => steps.push(step) });
    assert.deepEqual([...new Set(steps)], ['checking', 'uploading']);
  });

  it('uploads the same content once and uses its reference again', async () => {
    const { runs, events } = bench();
    await runs.perform(order());
    await runs.perform(order({ files: [fileOf(picture, 'meow')] }));
    assert.equal(events.filter((event) => event === 'upload').length, 1);
    await runs.perform(order({ files: [fileOf(picture, 'purr')] }));
    assert.equal(events.filter((event) => event === 'upload').length, 2);
  });

  it('uploads anew after a reference that was used again was refused, and does not send by itself', async () => {
    let refuse = false;
    const { runs, events } = bench(async () => {
      if (refuse) return failing('invalidRequest', 400)();
      return answered;
    });
    await runs.perform(order());
    refuse = true;
    const { record } = await runs.perform(order());
    assert.equal(record.state, 'failed');
    assert.equal(events.filter((event) => event === 'run').length, 2);
    refuse = false;
    await runs.perform(order());
    assert.equal(events.filter((event) => event === 'upload').length, 2);
  });

  it('never reads a file that the user did not attach', async () => {
    const { runs, events } = bench();
    const { record } = await runs.perform(order({ files: [] }));
    assert.equal(record.state, 'notSent');
    assert.match(record.message ?? '', /cat\.png/);
    assert.deepEqual(events, ['put notSent']);
  });

  it('says so also of a file whose address is malformed', async () => {
    const { runs, events } = bench();
    const image = { media_ref: 'file:///pictures/%E0%A4%A.png' };
    const draft = { model: 'cats', mode: 'execute', input: { image }, params: {} };
    const { record } = await runs.perform(order({ draft, files: [], check: { schema: 'skip' } }));
    assert.equal(record.state, 'notSent');
    assert.match(record.message ?? '', /“?%E0%A4%A\.png/);
    assert.deepEqual(events, ['put notSent']);
  });

  it('is not sent with a problem, unless the user says that the service shall decide', async () => {
    const { runs, events } = bench();
    const draft = { model: 'cats', mode: 'execute', input: {}, params: {} };
    assert.equal((await runs.perform(order({ draft }))).record.state, 'notSent');
    assert.ok(!events.includes('run'));
    await runs.perform(order({ draft, check: { schema: 'skip' } }));
    assert.ok(events.includes('run'));
  });

  it('ends as unknown when its response was lost, and counts as maybe billed', async () => {
    for (const kind of ['outcomeUnknown', 'timedOut', 'unreadableResponse'] as const) {
      const { runs, events } = bench(failing(kind));
      const { record } = await runs.perform(order());
      assert.equal(record.state, 'unknown');
      assert.equal(events.filter((event) => event === 'run').length, 1);
      assert.ok(events.includes('settle undefined'));
    }
  });

  it('costs nothing when it was refused or never left', async () => {
    for (const [kind, state] of [
      ['unreachable', 'notSent'],
      ['cancelled', 'notSent'],
      ['badKey', 'failed'],
      ['rateLimited', 'failed'],
    ] as const) {
      const { runs, events } = bench(failing(kind));
      assert.equal((await runs.perform(order())).record.state, state);
      assert.ok(events.includes('release'), kind);
    }
    const { runs, events } = bench(failing('cannotPay', 402));
    await runs.perform(order());
    assert.ok(events.includes('cannotPay'));
  });

  it('keeps its outcome and response when the history cannot be written', async () => {
    const { runs, history } = bench();
    const put = history.put.bind(history);
    history.put = async (record) => {
      if (record.state !== 'running') throw new Error('The disk is full.');
      return put(record);
    };
    const { record, response } = await runs.perform(order());
    assert.equal(record.state, 'finished');
    assert.match(record.message ?? '', /disk is full/);
    assert.equal(response, answered);
  });

  it('may be stopped before it is sent, and then is not', async () => {
    const { runs, events } = bench();
    const { record } = await runs.perform(order(), { signal: AbortSignal.abort() });
    assert.equal(record.state, 'notSent');
    assert.ok(!events.includes('run'));
    assert.ok(events.includes('release'));
  });
});
