import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { joined } from '../../../src/service/bytesInTurns';
import { jsonInTurns } from '../../../src/service/jsonInTurns';
import { jsonText } from '../../../src/service/jsonText';
import { laidOut } from '../../../src/service/laidOut';
import { LongText } from '../../../src/service/longText';
import { bytesWithoutSecret } from '../../../src/service/redact';
import { atOnce, Turns } from '../../../src/service/turns';
import { busyFor, turnsOfOthers } from '../../support/turnsOfOthers';

/** More than one turn takes. */
const LONG_MS = 6;

/** Where the machine is busy, a short time may be over before one has looked: one try of many shows what holds. */
async function inSomeTry(look: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 100; tries++) if (await look()) return true;
  return false;
}

describe('Work in turns', () => {
  it('has a turn of some milliseconds, and another after everything else had one', async () => {
    assert.ok(await inSomeTry(() => !new Turns().isOver));
    const turns = new Turns();
    busyFor(LONG_MS);
    assert.equal(turns.isOver, true);
    let others = 0;
    setImmediate(() => others++);
    await turns.next();
    assert.equal(others, 1);
    const isNew = async () => {
      await turns.next();
      return !turns.isOver;
    };
    assert.ok(await inSomeTry(isNew));
    busyFor(LONG_MS);
    assert.equal(turns.isOver, true);
  });

  it('ends with its signal, at the end of a turn', async () => {
    const controller = new AbortController();
    const turns = new Turns(controller.signal);
    await turns.next();
    const reason = new Error('enough');
    const next = turns.next();
    controller.abort(reason);
    await assert.rejects(next, (error) => error === reason);
  });

  it('pauses between its steps, as often as it is long', async () => {
    const steps = function* (count: number, ms: number) {
      for (let step = 0; step < count; step++) {
        busyFor(ms);
        yield step;
      }
      return 'done';
    };
    const long = await turnsOfOthers(() => new Turns().through(steps(5, LONG_MS)));
    assert.equal(long.result, 'done');
    assert.ok(long.turns >= 5, `${long.turns} turns`);
    const isAtOnce = async () => {
      let others = 0;
      setImmediate(() => others++);
      assert.equal(await new Turns().through(steps(3, 0)), 'done');
      return others === 0;
    };
    assert.ok(await inSomeTry(isAtOnce), 'short work needs no more than its own turn');
    assert.equal(atOnce(steps(3, LONG_MS)), 'done');
    const controller = new AbortController();
    const stopped = new Turns(controller.signal).through(steps(5, LONG_MS));
    controller.abort(new Error('enough'));
    await assert.rejects(stopped, /enough/);
  });
});

describe('A list that is sorted in turns', () => {
  it('is as the platform sorts it, texts by their code units', async () => {
    const text = fc.constantFrom('', 'a', 'B', 'ab', 'é', '\u{1f600}', '\uff5e');
    const texts = fc.array(text, { maxLength: 700, minLength: 200 });
    await fc.assert(
      fc.asyncProperty(texts, async (list) => {
        const before = [...list];
        assert.deepEqual(await new Turns().sorted(list), [...list].sort());
        assert.deepEqual(list, before, 'the list itself stays');
      }),
      { numRuns: 15 },
    );
    assert.deepEqual(await new Turns().sorted([]), []);
    assert.deepEqual(await new Turns().sorted(['b', 'B', 'a', '\u{1f600}', '\uff5e']), [
      'B',
      'a',
      'b',
      '\u{1f600}',
      '\uff5e',
    ]);
  });

  it('keeps the order of what is equal, at every length', async () => {
    for (const length of [1, 255, 256, 257, 511, 512, 513, 1024, 1025, 3000]) {
      const list = Array.from({ length }, (_, at) => ({ rank: (at * 7) % 5, at }));
      const compare = (a: { rank: number }, b: { rank: number }) => a.rank - b.rank;
      assert.deepEqual(await new Turns().sorted(list, compare), list.toSorted(compare), String(length));
    }
  });

  it('lets everything else have its turn, while it is cut and while it is merged', async () => {
    const random = (at: number) => (at * 7_919) % 100_003;
    const list = Array.from({ length: 4096 }, (_, at) => random(at));
    // The first 2,304 comparisons or so of each run of 256 are made at once.
    let slow = 0;
    const { result, turns } = await turnsOfOthers(() =>
      new Turns().sorted(list, (a, b) => {
        if (slow++ % 500 === 0) busyFor(3);
        return a - b;
      }),
    );
    assert.deepEqual(
      result,
      list.toSorted((a, b) => a - b),
    );
    assert.ok(turns >= 24, `${turns} turns`);
    const controller = new AbortController();
    const ordered = Array.from({ length: 512 }, (_, at) => at);
    let compared = 0;
    const sorting = new Turns(controller.signal).sorted([...ordered, ...ordered], (a, b) => {
      if (++compared === 1600) {
        controller.abort(new Error('enough'));
        busyFor(LONG_MS);
      }
      return a - b;
    });
    await assert.rejects(sorting, /enough/);
  });
});

describe('While much is read or written', () => {
  const MB = 2 ** 20;
  const value = Array.from({ length: 120_000 }, (_, at) => ({ at, name: `n${at}` }));
  const works: Readonly<Record<string, () => Promise<unknown>>> = {
    'a long text is decoded': () => LongText.decoded(Buffer.alloc(48 * MB, 'é')),
    'many values are written': () => jsonText(value),
    'a long text is written': () => jsonText(['\u0001'.repeat(6 * MB)]),
    'JSON is laid out': () => laidOut(new LongText([JSON.stringify(value)])),
    'a key is looked for': () => bytesWithoutSecret(Buffer.alloc(24 * MB, 'mb-live '), 'mb-live-0123456789'),
    'many bytes are joined': () => joined(Array.from({ length: 400 }, () => Buffer.alloc(256 * 1024))),
  };
  for (const [what, work] of Object.entries(works))
    it(`everything else has its turn: ${what}`, async () => {
      await nextTurn();
      const { turns } = await turnsOfOthers(work);
      assert.ok(turns > 3, `${turns} turns`);
    });
});

describe('While little is read or written', () => {
  const works: Readonly<Record<string, () => Promise<unknown>>> = {
    'a text is decoded': () => LongText.decoded(Buffer.from('text')),
    'values are written': () => jsonText({ a: [1] }),
    'JSON is laid out': () => laidOut(new LongText(['[1,2]'])),
    'JSON is parsed': () => jsonInTurns(Buffer.from('{"a":[1]}')),
    'a key is looked for': () => bytesWithoutSecret(Buffer.from('a text'), 'mb-live-0123456789'),
    'bytes are joined': () => joined([Buffer.from('a'), Buffer.from('b')]),
    'a list is sorted': () => new Turns().sorted(['b', 'a']),
  };
  for (const [what, work] of Object.entries(works))
    it(`nothing is put off: ${what}`, async () => {
      const isAtOnce = async () => {
        let others = 0;
        setImmediate(() => others++);
        await work();
        return others === 0;
      };
      assert.ok(await inSomeTry(isAtOnce));
    });
});
