import type { ModelContract } from '../../src/domain/model';
import type { Money } from '../../src/domain/money';
import type { RunResponse } from '../../src/domain/response';
import type { RunRequest } from '../../src/domain/run';
import type { RunRecord } from '../../src/domain/runRecord';
import type { Admission } from '../../src/runs/budget/budget';
import type { Guard } from '../../src/runs/budget/guard';
import type { History } from '../../src/runs/history/history';
import { createRuns, type RunsParts } from '../../src/runs/perform';
import type { LocalFile, RunOrder } from '../../src/runs/runs';
import type { UploadCache } from '../../src/runs/uploads/uploadFiles';
import type { SendOptions, ServiceClient, UploadSource } from '../../src/service/client';
import { ServiceError } from '../../src/service/errors';

export const picture = 'file:///pictures/cat.png';

export const contract: ModelContract = {
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

export function fileOf(uri: string, content: string): LocalFile {
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

export function order(changes: Partial<RunOrder> = {}): RunOrder {
  return {
    environment: { name: 'test', baseUrl: 'https://test.example' },
    contract,
    draft: { model: 'cats', mode: 'execute', input: { image: { media_ref: picture } }, params: {} },
    files: [fileOf(picture, 'meow')],
    ...changes,
  };
}

export const answered: RunResponse = {
  state: 'finished',
  output: { label: 'cat' },
  cost: { amount: '0.01' },
  recognised: true,
  raw: { status: 200, contentType: 'application/json', headers: {}, bytes: new TextEncoder().encode('{}') },
};

type Admitted = Parameters<Guard['admit']>[0];

/** A service, a history, a guard and a cache of uploads that record their calls, in order. */
export function runsInMemory(run: (request: RunRequest) => Promise<RunResponse> = async () => answered) {
  const events: string[] = [];
  const admitted: Admitted[] = [];
  const requests: RunRequest[] = [];
  const uploads: UploadSource[] = [];
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
    upload: async (source: UploadSource) => {
      events.push('upload');
      uploads.push(source);
      return { mediaRef: `ref-${events.length}` };
    },
    run: async (request: RunRequest, { onLeaving }: SendOptions) => {
      onLeaving?.();
      events.push('run');
      requests.push(request);
      return run(request);
    },
  } as unknown as ServiceClient;
  const history = {
    get: (id: string) => records.get(id),
    put: async (record: RunRecord) => {
      events.push(`put ${record.state}`);
      records.set(record.id, record);
      return record;
    },
  } as unknown as History;
  const admission: Admission = {
    reserve: async () => undefined,
    confirm: () => void events.push('confirm'),
    settle: (cost) => events.push(`settle ${cost?.amount}`),
    release: () => events.push('release'),
    cannotPay: () => events.push('cannotPay'),
  };
  const guard = {
    admit: (run: Admitted) => {
      admitted.push(run);
      events.push('admit');
      return admission;
    },
    resolve: (_run: unknown, { amount }: Money) => events.push(`resolve ${amount}`),
  } as unknown as Guard;
  const jobRuns = {} as RunsParts['jobRuns'];
  /** The user's messages about responses that are not saved. */
  const told: (string | undefined)[] = [];
  const runs = createRuns({
    ...{ history, guard, cache, jobRuns },
    client: async () => client,
    onUnsaved: (text) => told.push(text),
  });
  return { events, requests, uploads, refs, history, cache, runs, client, admitted, told };
}

export const failing = (kind: ServiceError['kind'], status?: number) => async () => {
  throw new ServiceError(kind, { status });
};
