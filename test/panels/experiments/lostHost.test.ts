import assert from 'node:assert/strict';
import type { TableProgress } from '../../../src/protocol/experiment';
import { eventually } from '../../support/eventually';
import { rowOf, tableOf } from '../../support/experiments/table';
import { useExperimentTable } from './useTable';

const SECOND = 1_000;

describe('The table of an experiment whose extension host dies', () => {
  let isHostThere: boolean;
  let pulses: number;
  const suite = useExperimentTable({
    table: tableOf({ items: [rowOf('a')], line: () => ({ result: 'b' }) }),
    hasClock: true,
    pulse: () => {
      pulses += 1;
      return isHostThere ? undefined : new Promise(() => undefined);
    },
  });
  beforeEach(async () => {
    isHostThere = true;
    pulses = 0;
    await suite.open();
  });
  const progress = (state: TableProgress['state']) =>
    suite.opened.notify('progress', {
      ...{ state, total: 342, finished: 74, missing: 268, failed: 0, unconfirmed: 0, rejected: 0 },
      text: '74 of 342 runs, about 53 s left',
    });
  const alert = () =>
    suite.opened.page.getByRole('alert').filter({ hasText: 'extension host does not respond' });

  it('says so while runs are under way, once the host does not answer', async () => {
    const { page } = suite.opened;
    await progress('running');
    await page.getByText('about 53 s left').waitFor();
    // The page asks again once the host has answered.
    await eventually(async () => {
      await page.clock.runFor(SECOND);
      return pulses > 3;
    });
    assert.equal(await alert().count(), 0, 'a host that answers');
    isHostThere = false;
    await page.clock.runFor(30 * SECOND);
    await alert().waitFor();
  });

  it('asks only while runs are under way, and after a click', async () => {
    const { page } = suite.opened;
    await progress('running');
    await page.clock.runFor(5 * SECOND);
    await eventually(() => pulses > 0);
    await progress('idle');
    await page.getByRole('button', { name: 'Run 268' }).waitFor();
    const before = pulses;
    await page.clock.runFor(60 * SECOND);
    assert.equal(pulses, before);
    isHostThere = false;
    await page.getByRole('columnheader').first().click();
    await page.clock.runFor(20 * SECOND);
    await alert().waitFor();
    // The set-up waits for the host without an end.
    await page.getByRole('button', { name: 'Set Up' }).click();
    await page.getByRole('button', { name: 'Add Column…' }).waitFor({ state: 'detached' });
    await alert().getByText('close this editor and open it again').waitFor();
  });
});
