import type { ModelContract } from '../../src/domain/model';
import type { LocalFile } from '../../src/runs/runs';
import type { SentRun } from './judge';
import { MODEL, type SimService } from './service';
import { type Parts, PRICE, type Surroundings } from './window';

const anything = { schema: true, origin: 'unknown' } as const;
export const CONTRACT: ModelContract = {
  ...{ slug: MODEL, name: MODEL, tags: [], modeNames: [], modesDeclared: true, raw: {}, price: PRICE },
  modes: [{ name: 'execute', vectorBacked: false, input: anything, params: anything, examples: [] }],
};

/** One run of a run panel, with a file of the workspace or without; its text names it. */
export async function runPanel(
  { runs }: Parts,
  { world, folder }: Surroundings,
  { baseUrl }: SimService,
  workspace: number,
): Promise<void> {
  const text = `panel run ${world.random.next()}`;
  const [file] = world.random.chance(0.5) ? folder.list(workspace) : [];
  const files: LocalFile[] = file
    ? [{ uri: file.uri, source: await folder.jobFiles.uploadSource(file.uri) }]
    : [];
  const image = file && { image: { media_ref: file.uri } };
  const { record } = await runs.perform({
    environment: { name: 'simulated', baseUrl },
    contract: CONTRACT,
    draft: { model: MODEL, mode: 'execute', input: { text, ...image }, params: {} },
    ...{ files },
  });
  world.mark(`panel: ${record.state}`);
}

/** The history's outcome of a panel's run equals the real one. */
export function comparePanelRuns({ judge, disk }: Pick<Surroundings, 'judge' | 'disk'>): void {
  const rows = disk.rows('SELECT draft, state FROM run');
  const recorded = rows.map(({ draft, state }) => ({ draft: String(draft), state: String(state) }));
  // A run that was not executed may have been sent again: the last one decides.
  const last = new Map(judge.sent.flatMap((run) => (run.isPanel && !run.call ? [[run.ids[0]!, run]] : [])));
  for (const run of last.values()) {
    const record = recorded.find(({ draft }) => draft.includes(`"${run.ids[0]}"`));
    if (record) compare(judge, run, record.state);
    else
      judge.fail('nothing the service has is recorded as never sent', `${run.ids[0]} is not in the history`);
  }
  for (const { draft, state } of recorded)
    if (state === 'finished' && !judge.sent.some(({ ids }) => draft.includes(`"${ids[0]}"`)))
      judge.fail('nothing is recorded as done that the service does not have', `${draft} was never sent`);
}

function compare(judge: Surroundings['judge'], run: SentRun, state: string): void {
  const { isAlive, isHindered, wasFrozen } = run.process;
  const isExcused = !isAlive || isHindered || wasFrozen;
  const what = `${run.ids[0]} is ${state}; its response ${run.told ?? 'never came'}`;
  switch (state) {
    case 'running':
      judge.fail('every job ends or says why not', what);
      return;
    case 'notSent':
      // After a 429, which proves that it was not executed, it may never have been sent again.
      if (run.told !== 'notExecuted') judge.fail('nothing the service has is recorded as never sent', what);
      return;
    case 'finished':
    case 'accepted':
      if (!run.served) judge.fail('nothing is recorded as done that the service does not have', what);
      return;
    case 'failed':
      if (run.told === 'read') judge.fail('the store equals the service', what);
      return;
    case 'unknown':
      if (run.told !== undefined && run.told !== 'unclear' && !isExcused)
        judge.fail('unconfirmed is only what was in flight', what);
  }
}
