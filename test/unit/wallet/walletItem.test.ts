import assert from 'node:assert/strict';
import { type WalletFacts, walletLook } from '../../../src/features/wallet/walletItem';
import type { Spending } from '../../../src/runs/budget/budget';

const raw = { status: 200, contentType: 'application/json', headers: {}, bytes: new Uint8Array() };
const environment = { name: 'staging', baseUrl: 'https://staging.example' };
const spending = (changes: Partial<Spending> = {}): Spending => ({
  session: { spent: '0.42', reserved: '0', others: [] },
  workspace: { spent: '1', reserved: '0', others: [] },
  unknownRuns: 0,
  cannotPay: false,
  ...changes,
});

function facts(state: WalletFacts['state'], changes: Partial<WalletFacts> = {}): WalletFacts {
  return {
    state,
    environment,
    production: false,
    lowBalance: '5',
    spending: spending(),
    locale: 'en',
    ...changes,
  };
}

function read(amount: string, changes: object = {}): WalletFacts['state'] {
  const wallet = { balance: { amount, currency: 'USD' }, status: 'active' };
  const raw = { status: 200, contentType: 'application/json', headers: {}, bytes: new Uint8Array() };
  return { kind: 'read', wallet, raw, readAt: Date.UTC(2026, 0, 1, 12), stale: false, ...changes };
}

describe('The wallet in the status bar', () => {
  it('uses the color of production, and names it to a screen reader', () => {
    const look = walletLook(facts(read('102.3'), { production: true }));
    assert.deepEqual([look.colour, look.icon, look.text], ['warning', 'shield', 'staging: $102.30']);
    assert.match(look.label, /production environment$/);
    assert.equal(walletLook(facts(read('5'), { production: true })).icon, 'warning');
    const blocked = facts(read('100'), { production: true, spending: spending({ cannotPay: true }) });
    assert.equal(walletLook(blocked).colour, 'error');
    const none = facts({ kind: 'notConnected' }, { production: true, environment: undefined });
    assert.equal(walletLook(none).colour, 'plain');
  });

  it('warns at the threshold, not above it, and not without one', () => {
    assert.equal(walletLook(facts(read('5'))).colour, 'warning');
    assert.equal(walletLook(facts(read('5'))).icon, 'warning');
    assert.equal(walletLook(facts(read('5.01'))).colour, 'plain');
    assert.equal(walletLook(facts(read('0'), { lowBalance: undefined })).colour, 'plain');
  });

  it('shows an error color and text when the service reports that the wallet cannot pay', () => {
    for (const look of [
      walletLook(facts(read('100'), { spending: spending({ cannotPay: true }) })),
      walletLook(facts(read('100', { wallet: { balance: { amount: '100' }, status: 'suspended' } }))),
    ]) {
      assert.equal(look.colour, 'error');
      assert.match(look.text, /insufficient balance/);
      assert.match(look.label, /insufficient balance/);
    }
  });

  it('shows the balance alone once a positive one was read after a payment had failed', () => {
    const { readAt } = read('100') as { readAt: number };
    const lookAt = (amount: string, refusedAt: number) =>
      walletLook(facts(read(amount), { spending: spending({ cannotPay: true, refusedAt }) }));
    assert.doesNotMatch(lookAt('100', readAt - 1).text, /insufficient/);
    assert.equal(lookAt('100', readAt - 1).colour, 'plain');
    for (const look of [lookAt('100', readAt + 1), lookAt('0', readAt - 1)])
      assert.match(look.text, /insufficient balance/);
  });

  it('concludes nothing from a status word it does not know', () => {
    assert.equal(
      walletLook(facts(read('100', { wallet: { balance: { amount: '100' }, status: 'gold' } }))).colour,
      'plain',
    );
  });

  it('tells the last change with its sign', () => {
    const change = { from: { amount: '100.02', currency: 'USD' }, since: 0, at: 60_000 };
    assert.match(walletLook(facts(read('100', { change }))).tooltip.join('\n'), /Last change: −\$0\.02/);
  });

  it('never shows a number that was not told', () => {
    for (const state of [
      { kind: 'waiting' },
      { kind: 'failed', error: new Error('No.') },
      { kind: 'notConnected' },
      { kind: 'notUnderstood', raw, readAt: 0 },
    ] as const)
      assert.doesNotMatch(walletLook(facts(state)).text, /\d|undefined|null/);
  });
});
