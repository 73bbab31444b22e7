import assert from 'node:assert/strict';
import type { PastRun } from '../../../src/domain/runRecord';
import { Estimates } from '../../../src/runs/estimates/estimates';

/** The kept runs, and the number of reads. */
class Source {
  runs: readonly PastRun[] = [];
  readonly asked: (string | undefined)[] = [];
  #listener = () => {};

  past(_baseUrl: string, _model: string, mode?: string): readonly PastRun[] {
    this.asked.push(mode);
    return this.runs;
  }

  onDidChange(listener: () => void): () => void {
    this.#listener = listener;
    return () => {};
  }

  change(runs: readonly PastRun[]): void {
    this.runs = runs;
    this.#listener();
  }
}

const run = (ms: number, amount?: string): PastRun => ({
  ...{ startedAt: 0, sentAt: 0, finishedAt: ms, state: 'finished', items: 1 },
  ...(amount !== undefined && { cost: { amount, currency: 'USD' } }),
});
const what = { baseUrl: 'https://models.test', model: 'm' };
const price = (per?: string) => ({
  price: { money: { amount: '0.25', currency: 'USD' }, ...(per && { per }) },
});

describe('The estimate of a run in words', () => {
  const estimates = (runs: readonly PastRun[]) => {
    const source = new Source();
    source.runs = runs;
    return new Estimates([source], 'en');
  };
  const text = (runs: readonly PastRun[], more: object = {}) => estimates(runs).text({ ...what, ...more });
  const short = (runs: readonly PastRun[], more: object = {}) => estimates(runs).short({ ...what, ...more });

  it('shortens to cost and time', () => {
    assert.equal(short([]), '');
    assert.equal(short([run(1300, '0.02')]), 'about $0.02 · 1.3 s');
    assert.equal(short([], price('run')), 'about $0.25');
    assert.equal(short([run(1300)], price('second')), '$0.25 per second · 1.3 s');
    assert.equal(short([run(1300)]), '1.3 s');
  });

  it('shows the published price until a run has a cost', () => {
    assert.equal(text([]), '');
    assert.equal(text([], price('run')), 'Estimate: published price $0.25 per run');
    assert.equal(text([], price('second')), 'Estimate: published price $0.25 per second');
    assert.equal(
      text([run(1300)], price('run')),
      'Estimate: published price $0.25 per run · 1.3 s, from your last run',
    );
    assert.equal(text([run(1300)]), 'Estimate: cost unknown · 1.3 s, from your last run');
    assert.equal(text([run(1300), run(1300)]), 'Estimate: cost unknown · 1.3 s, from your last runs');
  });
});

describe('Estimates', () => {
  it('read the kept runs once, until they change', () => {
    const [history, jobs] = [new Source(), new Source()];
    const estimates = new Estimates([history, jobs], 'en');
    let changes = 0;
    estimates.onDidChange(() => (changes += 1));
    const ask = (more: object = {}) => estimates.of({ ...what, ...more });
    ask();
    ask();
    assert.deepEqual([history.asked, jobs.asked], [[undefined], [undefined]]);
    for (const other of [
      { mode: 'index' },
      { mode: '' },
      { model: 'n' },
      { items: 3 },
      price('run'),
      { baseUrl: 'b' },
    ]) {
      const before = history.asked.length;
      ask(other);
      ask(other);
      assert.equal(history.asked.length, before + 1, JSON.stringify(other));
    }
    assert.deepEqual(history.asked.slice(1, 3), ['index', undefined], 'no mode is every mode');
    jobs.change([run(500, '0.02')]);
    assert.equal(changes, 1);
    assert.deepEqual([ask().runs, ask().medianMs, ask().medianCost?.amount], [1, 500, '0.02']);
    assert.equal(ask().published, undefined);
    assert.equal(ask(price('run')).published?.amount, '0.25');
    assert.equal(ask({ ...price('image'), items: 3 }).published?.amount, '0.75');
  });
});
