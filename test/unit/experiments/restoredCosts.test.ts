import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { addAmounts } from '../../../src/domain/amounts';
import { noteLateCosts } from '../../../src/experiments/results/lateCosts';
import type { ResultLine } from '../../../src/experiments/results/resultLine';
import { readResults } from '../../support/atOnce';
import { useStoreFolder } from '../../support/store/openStore';
import { flushResults, recordResults } from '../../support/store/storedResults';

const START = Date.UTC(2026, 10, 25, 10);

type Step =
  | {
      readonly does: 'request';
      readonly id: string;
      readonly state: ResultLine['state'];
      readonly cents: number;
      readonly late: boolean;
    }
  | { readonly does: 'write' | 'lose' | 'receipts' | 'move' };

describe('The cost of an experiment', () => {
  const use = useStoreFolder();

  it('equals that of its requests, even after its file was lost and restored, moved or adopted', async () => {
    const store = await use.open();
    const { experimentResults } = store;
    const step: fc.Arbitrary<Step> = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          does: fc.constant('request' as const),
          id: fc.constantFrom('a', 'b', 'c'),
          state: fc.constantFrom<ResultLine['state'][]>('finished', 'failed', 'unconfirmed'),
          cents: fc.integer({ min: 1, max: 500 }),
          late: fc.boolean(),
        }),
      },
      { weight: 3, arbitrary: fc.record({ does: fc.constantFrom('write', 'lose', 'receipts', 'move') }) },
    ) as fc.Arbitrary<Step>;
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), fc.boolean(), async (steps, isAdopted) => {
        round += 1;
        let file = path.join(use.folder, `${round}.results.jsonl`);
        const flush = () => flushResults(store, file);
        const late: Parameters<typeof noteLateCosts>[1][number][] = [];
        const ids = new Set<string>();
        const receipts = () => noteLateCosts(store, late.splice(0));
        const sumOf = async (name: string) => {
          const text = await readFile(name, 'utf8').catch(() => '');
          const paid = [...readResults(text).costs.values()].flat();
          return Math.round(100 * Number(paid.reduce((sum, { amount }) => addAmounts(sum, amount), '0')));
        };
        let cents = 0;
        for (const [n, one] of steps.entries()) {
          const at = START + n * 60_000;
          if (one.does === 'request') {
            const cost = { amount: (one.cents / 100).toFixed(2), currency: 'USD' };
            const runId = `${round} ${n}`;
            const line = JSON.stringify({
              ...{ custom_id: one.id, variation: {}, item: 'row 2', repeat: 0, request_sha256: one.id },
              ...{ state: one.state, started_at: new Date(at).toISOString(), run_id: runId },
              ...(!one.late && { cost }),
            });
            await recordResults(store, file, [{ customId: one.id, state: one.state, line, at: at + 5 }]);
            if (one.late) late.push({ runId, cost, sentAt: at, finishedAt: at + 4 });
            cents += one.cents;
            ids.add(one.id);
          } else if (one.does === 'write') await flush();
          else if (one.does === 'lose') await rm(file, { force: true });
          else if (one.does === 'receipts') await receipts();
          else {
            const to = file.replace('.results', '-moved.results');
            await writeFile(to, await readFile(file).catch(() => ''));
            await experimentResults.moved(file, to);
            file = to;
          }
        }
        await receipts();
        if (isAdopted) {
          const other = path.join(use.folder, `${round}-other.results.jsonl`);
          const kept = [...ids].map(
            (customId) => ({ customId, file, state: 'finished', startedAt: '', sender: '' }) as const,
          );
          await experimentResults.bring(other, kept);
          file = other;
        } else await experimentResults.writeAgain(file, [...ids]);
        await flush();
        assert.equal(await sumOf(file), cents);
        await flush();
        assert.equal(await sumOf(file), cents, 'a second time changes nothing');
      }),
      { numRuns: 60 },
    );
  });
});
