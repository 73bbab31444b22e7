import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { timesAmount } from '../../../src/domain/amounts';
import { tellFigures } from '../../support/figures';
import { plain } from '../../support/memorySpending';
import { damageOf, useStoreFolder } from '../../support/store/openStore';
import { dataset } from '../../support/store/samples';
import { start, useBundled } from '../children/childProcess';

/** Of each window; `npm run faults` asks for more. */
const ROUNDS = Number(process.env.MODEL_BENCH_FAULTS_TOGETHER_ROUNDS ?? 40);
const TERMINALS = Math.max(2, ROUNDS / 20);

describe('Two windows and a terminal on one store', () => {
  const use = useStoreFolder();
  const child = useBundled('./neighbour.ts');

  it(`lose nothing, count nothing twice, and receive the changes of one another, in ${ROUNDS} rounds`, async () => {
    const store = await use.open();
    const log = join(use.folder, 'log');
    const begin = (rounds: number, kind: 'window' | 'terminal') =>
      start(child.file, [join(use.folder, 'store'), log, String(rounds), kind]);
    const windows = [begin(ROUNDS, 'window'), begin(ROUNDS, 'window')];
    // A terminal comes, works for a moment, and goes.
    for (let terminal = 0; terminal < TERMINALS; terminal++) await begin(10, 'terminal').ended;
    for (const window of windows) await window.said('written');
    writeFileSync(`${log}.over`, '');
    for (const window of windows) {
      await window.said('heard of everything');
      await window.ended;
    }

    const lines = (kind: string) => {
      const file = `${log}.${kind}`;
      return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    };
    const [sent, shown, deleted] = [lines('sent'), lines('shown'), lines('deleted')];
    assert.equal(shown.length, sent.length);
    assert.equal(shown.length, 2 * ROUNDS + TERMINALS * 10);
    const kept = store.runs.list({ limit: 10_000 });
    const unfinished = kept.filter(({ state }) => state !== 'finished');
    const lost = sent.length - deleted.length - kept.length + unfinished.length;
    assert.equal(lost, 0);
    const spent = plain(store.spending.of('w', dataset.baseUrl));
    assert.deepEqual(spent, { spent: timesAmount('0.01', shown.length), reserved: '0' });
    const turns = lines('turnstile');
    const overlaps = turns.filter(
      (line, n) => n % 2 === 1 && line !== turns[n - 1]!.replace('in ', 'out '),
    ).length;
    assert.equal(overlaps, 0, 'a lease was held twice');
    assert.deepEqual(damageOf(store), []);
    tellFigures({
      case: `store: two windows and ${TERMINALS} terminals, ${ROUNDS} rounds`,
      ...{ tried: sent.length, lost, doubled: overlaps, leaked: 0 },
      note: `${turns.length / 2} leases, never held twice; each window heard of everything`,
    });
  });
});
