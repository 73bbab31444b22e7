import assert from 'node:assert/strict';
import { hasMember } from '../../../src/domain/value';
import { readRunResponse } from '../../../src/readers/run';
import { readWallet } from '../../../src/readers/wallet';
import { rawOf } from '../../support/rawOf';

/** Names that every object has, without having been given them. */
const INHERITED = [...Object.getOwnPropertyNames(Object.prototype), 'prototype'];

describe('A word of the service that every object has as a name', () => {
  it('leaves the state of a run unknown, but its cost and result readable', () => {
    for (const word of INHERITED) {
      const raw = rawOf({
        status: word,
        output: { text: 'hello' },
        cost: { amount: '0.01', currency: word },
      });
      const run = readRunResponse(raw, new URL('https://models.test/api/runs'));
      assert.equal(typeof run.state, 'string', word);
      assert.deepEqual(run.output, { text: 'hello' });
      assert.doesNotThrow(() => structuredClone({ ...run, raw: undefined }), word);
    }
  });

  it('never becomes a currency', () => {
    for (const word of INHERITED) {
      const { wallet } = readWallet(rawOf({ balance: '5', currency: word }));
      assert.ok(wallet === undefined || typeof (wallet.balance.currency ?? '') === 'string', word);
    }
  });

  it('shows up in the check of a page’s message', () => {
    const sent = JSON.parse('{"input":{"deep":[{"__proto__":{"x":1}}]}}') as unknown;
    assert.ok(hasMember(sent, '__proto__'));
    assert.ok(!hasMember({ input: { deep: [{ proto: 1 }] }, bytes: new Uint8Array(1e7) }, '__proto__'));
  });
});
