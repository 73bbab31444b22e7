import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import {
  type ResponseMapping,
  responseMappingSchema,
  useResponseMappings,
} from '../../../src/domain/responseMapping';
import { readBatchOutcomes } from '../../../src/readers/batch';
import { readRunResponse } from '../../../src/readers/run';
import { PLAIN_BODIES } from '../../support/plainBodies';
import { rawOf } from '../../support/rawOf';

const asked = new URL('https://a.example/api/runs');
function read(body: unknown, status: number, mapping?: ResponseMapping) {
  useResponseMappings(() => mapping);
  return readRunResponse(rawOf(body, status), asked);
}

function verdict([, status, body, want]: (typeof PLAIN_BODIES)[number], mapping?: ResponseMapping): string {
  const { state, runId, cost, output } = read(body, status, mapping);
  const isRight =
    state === want.state &&
    (want.id === undefined || runId === want.id) &&
    (want.cost === undefined || cost?.amount === want.cost) &&
    (!('output' in want) || isDeepStrictEqual(output, want.output));
  return isRight ? 'right' : state === 'unclear' ? 'unclear' : 'wrong';
}

describe('Bodies of plain services', () => {
  afterEach(() => useResponseMappings(() => undefined));

  it('read as a person reads them, or stay unclear', () => {
    const verdicts = PLAIN_BODIES.map((each) => [each[0], verdict(each)] as const);
    assert.deepEqual(
      verdicts.filter(([, one]) => one === 'wrong'),
      [],
    );
    const unclear = verdicts.filter(([, one]) => one === 'unclear').map(([name]) => name);
    assert.deepEqual(
      unclear,
      PLAIN_BODIES.filter(([, , , , mapping]) => mapping !== undefined).map(([name]) => name),
    );
  });

  for (const each of PLAIN_BODIES.filter(([, , , , mapping]) => mapping !== undefined))
    it(`read right after a mapping of one to four places: ${each[0]}`, () => {
      const run = each[4]!;
      const places = Object.values(run).filter((value) => /^(?:\/|$)/.test(String(value)));
      assert.ok(places.length <= 4);
      assert.equal(verdict(each, { run }), 'right');
    });
});

describe('A response mapping', () => {
  afterEach(() => useResponseMappings(() => undefined));
  const body = {
    ref: '7f3a',
    phase: 'ABGESCHLOSSEN',
    payload: { answer: { tone: 'warm' } },
    billing: { ct: 1 },
  };
  const run = {
    state: '/phase',
    finished: ['abgeschlossen'],
    failed: ['FEHLER'],
    accepted: ['LÄUFT'],
    result: '/payload/answer',
    id: '/ref',
    cost: '/billing/ct',
    unit: 'cents',
    currency: 'EUR',
    poll: '/api/runs/{id}',
  } as const satisfies ResponseMapping['run'];

  it('wins over the usual names, and its places are named', () => {
    const before = read(body, 200);
    assert.deepEqual([before.state, before.readBy], ['unclear', undefined]);
    const after = read({ ...body, status: 'failed', error: 'no' }, 200, { run });
    assert.deepEqual(
      [after.state, after.output, after.runId, after.cost],
      ['finished', { tone: 'warm' }, '7f3a', { amount: '0.01', currency: 'EUR' }],
    );
    assert.deepEqual(after.readBy?.[0], { part: 'state', at: '/phase' });
    assert.equal(read({ ...body, phase: 'Fehler' }, 200, { run }).state, 'failed');
    assert.equal(read({ ...body, phase: 'paused' }, 200, { run }).state, 'unclear');
  });

  it('asks for an accepted run below the base URL, for any identifier', () => {
    const pathOf = (ref: unknown) => read({ ref, phase: 'Läuft' }, 200, { run }).followUrl;
    assert.equal(pathOf('7f3a'), 'https://a.example/api/runs/7f3a');
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (ref) => {
        const address = pathOf(ref);
        if (address === undefined) return;
        const url = new URL(address);
        assert.equal(url.origin, asked.origin);
        assert.match(url.pathname, /^\/api\/runs\/[^/]*$/);
      }),
    );
    for (const poll of 'https://b.example/{id} //b.example/{id} /api/../x/{id} /other/{id} /api/runs'.split(
      ' ',
    ))
      assert.equal(responseMappingSchema.safeParse({ run: { poll } }).success, false, poll);
  });

  it('leaves a response unclear that lacks one of its places, and names it', () => {
    for (const [part, at, without] of [
      ['state', '/phase', { ...body, phase: undefined }],
      ['result', '/payload/answer', { ...body, payload: {} }],
      ['cost', '/billing/ct', { ...body, billing: {} }],
    ] as const) {
      const { state, missing } = read(without, 200, { run });
      assert.deepEqual([state, missing], ['unclear', { part, at }]);
    }
  });

  it('takes hits and entries for the results of their modes, and the usual words for a failure', () => {
    const modes = { run, search: { hits: '/hits' }, batch: { entries: '/all', id: '/id' } };
    for (const name of ['hits', 'all'])
      assert.equal(read({ ...body, payload: {}, [name]: [{ id: 'a' }] }, 200, modes).state, 'finished');
    assert.equal(read({ phase: 'FEHLER', msg: 'too dark' }, 200, { run }).message, 'too dark');
  });

  it('finishes no run without its words, and throws for no body', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        const { state } = read(json, 200, { run });
        assert.notEqual(state, 'finished', JSON.stringify(json));
      }),
    );
  });

  it('reads the entries of a batch by their IDs, or their places', () => {
    const batch = ['a.png', 'b.png'].map((imageId) => ({ imageId, mediaRef: '' }));
    const { state, finished, failed } = run;
    const of = (entries: object[], mapping: ResponseMapping['batch']) => {
      const response = read({ phase: 'abgeschlossen', fertig: entries }, 200, {
        run: { state, finished, failed },
        batch: mapping,
      });
      return readBatchOutcomes(response, batch).map(({ outcome }) => outcome);
    };
    const places = { entries: '/fertig', id: '/datei', state: '/wie' };
    assert.deepEqual(of([{ datei: 'b.png', wie: 'ABGESCHLOSSEN' }], places), ['unconfirmed', 'done']);
    const byPlace = { entries: '/fertig', state: '/wie' };
    assert.deepEqual(of([{ wie: 'Fehler' }, { wie: 'ok' }], byPlace), ['failed', 'done']);
  });
});
