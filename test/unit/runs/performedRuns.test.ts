import assert from 'node:assert/strict';
import type { ModelContract } from '../../../src/domain/model';
import type { SendOptions } from '../../../src/service/client';
import { ServiceError } from '../../../src/service/errors';
import { StoreProblem } from '../../../src/store/storeProblem';
import { eventually } from '../../support/eventually';
import { answered, contract, fileOf, order, picture, runsInMemory } from '../../support/runsInMemory';

describe('A run that waits for its turn while its window does not respond', () => {
  it('does not leave once another window has called it unknown', async () => {
    const { runs, history, client } = runsInMemory();
    let id = '';
    let left = 0;
    Object.assign(client, {
      run: async (_request: unknown, { onLeaving }: SendOptions) => {
        await history.put({ ...history.get(id)!, state: 'unknown' });
        onLeaving?.();
        left++;
        return answered;
      },
    });
    const { record } = await runs.perform(order(), {
      onRecorded: (its) => {
        id = its;
      },
    });
    assert.equal(left, 0);
    assert.equal(record.state, 'notSent');
  });
});

describe('A run that the service has accepted', () => {
  const accepted = { runId: 'r1', followUrl: 'https://test.example/api/runs/r1' };

  it('keeps its address on record from acceptance until it has finished, once the disk has room', async () => {
    const { runs, history, client } = runsInMemory();
    const put = history.put.bind(history);
    let refusals = 2;
    history.put = async (record) => {
      if (record.followUrl !== undefined && refusals-- > 0) throw new StoreProblem('diskFull', 'no room');
      return put(record);
    };
    let id = '';
    Object.assign(client, {
      run: async (_request: unknown, { onAccepted }: SendOptions) => {
        await onAccepted?.(accepted);
        const wanted = { state: 'running', ...accepted };
        await eventually(() => assert.partialDeepStrictEqual(history.get(id), wanted));
        return { ...answered, runId: 'r1' };
      },
    });
    const onRecorded = (its: string) => {
      id = its;
    };
    const { record } = await runs.perform(order(), { onRecorded });
    assert.deepEqual([record.state, record.runId, record.followUrl], ['finished', 'r1', undefined]);
  });

  it('gets the outcome that it is asked for later, once', async () => {
    const { runs, history, client, events } = runsInMemory(async () => ({
      ...answered,
      ...{ state: 'accepted', cost: undefined },
      ...accepted,
    }));
    const { record } = await runs.perform(order());
    assert.deepEqual([record.state, record.followUrl], ['accepted', accepted.followUrl]);
    Object.assign(client, { followRun: async () => ({ ...answered, runId: 'r1' }) });
    const { record: ended } = await runs.follow(record);
    assert.deepEqual([ended.state, ended.cost, ended.followUrl], ['finished', answered.cost, undefined]);
    assert.deepEqual(events.slice(-2), ['resolve 0.01', 'put finished'], 'its budget learns the cost');
    const puts = events.length;
    assert.equal((await runs.follow(record)).record.state, 'finished');
    assert.equal(events.length, puts);
    assert.equal(history.get(record.id)?.state, 'finished');
  });
});

describe('A run that cannot be recorded', () => {
  it('does not leave, and takes nothing of the budget', async () => {
    const { runs, events, history } = runsInMemory();
    const put = history.put.bind(history);
    const full = new Error('The disk is full.');
    history.put = async (record) => {
      if (record.state === 'running') throw full;
      return put(record);
    };
    const recorded: string[] = [];
    const { record, error } = await runs.perform(order(), { onRecorded: (id) => recorded.push(id) });
    assert.deepEqual([record.state, record.sentAt, error, recorded], ['notSent', undefined, full, []]);
    assert.match(record.message ?? '', /disk is full/);
    assert.deepEqual(events, ['admit', 'upload', 'release', 'put notSent']);
  });
});

describe('A response whose run cannot be saved', () => {
  it('stays in memory with a message, and goes on record at the next chance, after any failure', async () => {
    for (const kind of ['diskFull', 'locked', 'io', 'replaced'] as const) {
      const { runs, history, events, told } = runsInMemory();
      const put = history.put.bind(history);
      const responses: unknown[] = [];
      let refusals = 3;
      history.put = async (record, response) => {
        if (record.state !== 'running' && refusals-- > 0) throw new StoreProblem(kind, 'no room');
        responses.push(response);
        return put(record, response);
      };
      const { record, response } = await runs.perform(order());
      assert.deepEqual([record.state, response], ['finished', answered], kind);
      assert.match(
        record.message ?? '',
        /^1 response was received but is not saved yet\. Saving is retried\./,
      );
      await eventually(() => assert.ok(events.includes('put finished')));
      await eventually(() => assert.equal(told.at(-1), undefined));
      assert.match(told[0] ?? '', /^1 response was received but is not saved yet/);
      assert.deepEqual(responses.at(-1), {
        bytes: answered.raw.bytes,
        contentType: answered.raw.contentType,
      });
      assert.equal(events.filter((event) => event === 'run').length, 1);
    }
  });

  it('disappears with its window', async () => {
    const { runs, history, told } = runsInMemory();
    let kind: 'diskFull' | 'closed' = 'diskFull';
    let asked = 0;
    history.put = async (record) => {
      if (record.state === 'running') return record;
      if (++asked > 2) kind = 'closed';
      throw new StoreProblem(kind, 'no room');
    };
    await runs.perform(order());
    await eventually(() => assert.deepEqual([told.length, told.at(-1)], [2, undefined]));
    assert.equal(asked, 3);
  });
});

describe('A rejected run', () => {
  /** Whether the reference is kept that was used again. */
  async function keeps(status: number, reuses = true) {
    let rejects = !reuses;
    const bench = runsInMemory(async () => {
      if (rejects) throw new ServiceError('invalidRequest', { status });
      return answered;
    });
    if (reuses) await bench.runs.perform(order());
    rejects = true;
    const { uploadsForgotten } = await bench.runs.perform(order());
    return [bench.refs.size === 1, uploadsForgotten];
  }

  it('forgets a reused upload that may be the reason of the rejection', async () => {
    for (const status of [400, 404, 409, 410, 422])
      assert.deepEqual(await keeps(status), [false, true], `${status}`);
    for (const status of [401, 402, 403, 413, 429, 500])
      assert.deepEqual(await keeps(status), [true, false], `${status}`);
  });
});

describe('The outcome of a run', () => {
  const outcome = async (error: unknown) => {
    const { runs, events } = runsInMemory(async () => {
      throw error;
    });
    return [(await runs.perform(order())).record.state, events.at(-2)];
  };

  it('becomes unknown after an unexpected error, and is charged as such', async () => {
    assert.deepEqual(await outcome(new TypeError('no function')), ['unknown', 'settle undefined']);
  });

  it('becomes notSent when its time ended before it left', async () => {
    const late = new ServiceError('timedOut', { why: { reason: 'notSentInTime' } });
    assert.deepEqual(await outcome(late), ['notSent', 'release']);
    assert.deepEqual(await outcome(new ServiceError('timedOut')), ['unknown', 'settle undefined']);
  });
});

describe('A run that is admitted', () => {
  it('uses the price of its mode, else of its model, and counts its files as items', async () => {
    const price = (amount: string) => ({ amount, unit: 'run' }) as never;
    const [mode] = contract.modes;
    const cases: [ModelContract, unknown][] = [
      [{ ...contract, price: price('1'), modes: [{ ...mode!, price: price('2') }] }, price('2')],
      [{ ...contract, price: price('1') }, price('1')],
      [contract, undefined],
    ];
    for (const [priced, expected] of cases) {
      const { runs, admitted } = runsInMemory();
      const { record } = await runs.perform(order({ contract: priced }));
      const { id, baseUrl, model, mode: of, price: asked, items } = admitted[0]!;
      assert.deepEqual(
        [id, baseUrl, model, of, asked, items],
        [...[record.id, 'https://models.test', 'cats', 'execute', expected, 1]],
      );
    }
    const other = 'file:///pictures/dog.png';
    const input = { image: { media_ref: picture }, more: [{ media_ref: other }, { media_ref: picture }] };
    const draft = { model: 'cats', mode: 'execute', input, params: {} };
    const files = [fileOf(picture, 'meow'), fileOf(other, 'woof'), fileOf('file:///unused.png', 'x')];
    const { runs, admitted, events } = runsInMemory();
    const { record } = await runs.perform(order({ draft, files, check: { schema: 'skip' } }));
    assert.deepEqual(
      [(admitted[0]?.items ?? 0) > 1, events.filter((event) => event === 'upload').length],
      [true, 2],
    );
    assert.deepEqual(
      record.attachments.map(({ uri }) => uri),
      [picture, other],
    );
  });
});
