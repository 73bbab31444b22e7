import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { DisposableStore } from '../../../src/vscode/disposables';

describe('A store of disposables', () => {
  const store = () => {
    const calls: string[] = [];
    const of = (name: string) => ({ dispose: () => void calls.push(name) });
    return { store: new DisposableStore(), calls, of };
  };

  it('disposes its items once, the last one first, and later ones when they are added', () => {
    const { store: all, calls, of } = store();
    all.add(of('first'));
    all.add(of('second'));
    all.dispose();
    all.dispose();
    all.add(of('late'));
    assert.deepEqual(calls, ['second', 'first', 'late']);
  });

  describe('with work that it does soon', () => {
    beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
    afterEach(() => mock.timers.reset());

    it('joins the calls of a burst', () => {
      const { store: all, calls } = store();
      const soon = all.soon(100, () => void calls.push('done'));
      soon();
      mock.timers.tick(60);
      soon();
      mock.timers.tick(60);
      assert.deepEqual(calls, ['done']);
      soon();
      mock.timers.tick(100);
      assert.deepEqual(calls, ['done', 'done']);
    });

    it('does nothing of it after disposal', () => {
      const { store: all, calls } = store();
      const soon = all.soon(100, () => void calls.push('done'));
      soon();
      all.dispose();
      soon();
      mock.timers.tick(200);
      assert.deepEqual(calls, []);
    });
  });
});
