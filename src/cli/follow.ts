import * as l10n from '@vscode/l10n';
import { ofService, untilGone, waitingText } from '../commands/acceptedRuns';
import { UsageError } from '../commands/usageError';
import type { Money } from '../domain/money';
import type { RunResponse } from '../domain/response';
import type { RunState } from '../domain/run';
import type { RunRecord } from '../domain/runRecord';
import { acceptedExperimentRuns } from '../experiments/plan/acceptedRuns';
import { cannotWriteText } from '../experiments/results/resultsFile';
import { ResultsWriter } from '../experiments/results/resultsWriter';
import { acceptedIndexRuns } from '../indexing/acceptedRuns';
import { type AcceptedParts, followAccepted } from '../jobs/followAccepted';
import { followRecord } from '../runs/perform';
import type { ServiceClient } from '../service/client';
import type { JobHead } from '../store/jobKind';
import type { Store } from '../store/store';
import { messageOf } from '../wording/errors';
import { runCostText, runStateMessage, runStateText } from '../wording/runStates';
import { exitCodes } from './exitCodes';
import type { Terminal } from './terminal';

/**
 * Waits for runs that the service has accepted, of any earlier call with this state, and records their outcomes.
 * @param ids the service's identifiers; none: all
 * @returns the exit code
 */
export async function follow(
  ids: readonly string[],
  client: ServiceClient,
  open: () => Promise<Store>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const store = await open();
  try {
    const code = await followIn(store, ids, client, terminal, signal);
    if (code === undefined) terminal.print(l10n.t('No accepted run can be asked for its outcome.'));
    return code ?? exitCodes.passed;
  } finally {
    await store.close();
  }
}

/** The same with an open store, which stays open. Undefined: there are none. */
export async function followIn(
  store: Store,
  ids: readonly string[],
  client: ServiceClient,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number | undefined> {
  const ofExperiments = acceptedExperimentRuns(store, ofService(client));
  const ofIndexing = acceptedIndexRuns(store, ofService(client));
  // Runs of a process that was killed a moment ago are accepted, not running.
  await untilGone(async () => {
    await store.runs.settleLeft(l10n.t('Model Bench was closed before the response was received.'));
    const inWork = [...ofExperiments.jobs.acceptedInWork(), ...ofIndexing.jobs.acceptedInWork()];
    return store.runs.areRunningElsewhere() || inWork.length > 0;
  });
  const isMeant = ({ runId }: { readonly runId?: string }) =>
    ids.length === 0 || (runId !== undefined && ids.includes(runId));
  const ended: RunState[] = [];
  const tell = (runId: string | undefined, { state, cost, message }: Outcome) => {
    ended.push(state);
    const facts = [runStateText(state), runCostText({ state, cost }) ?? [], message ?? []].flat();
    terminal.print(`${runId ?? l10n.t('(no identifier)')}: ${facts.join(' · ')}`);
  };
  const single = store.runs.accepted().filter((run) => run.baseUrl === client.baseUrl && isMeant(run));
  const experiments = kindOf(ofExperiments, client, isMeant, tell, signal);
  const indexing = kindOf(ofIndexing, client, isMeant, tell, signal);
  const waiting: readonly { readonly runId?: string }[] = [...single, ...experiments.open, ...indexing.open];
  const unknown = ids.filter((id) => !waiting.some(({ runId }) => runId === id));
  if (unknown.length > 0)
    throw new UsageError(
      l10n.t(
        'No accepted run {0} is waited for at this service. --state names where it was kept.',
        unknown.join(', '),
      ),
    );
  if (waiting.length === 0) return undefined;
  terminal.print(waitingText(waiting.map(({ runId }) => runId)));
  const parts = {
    client: async () => client,
    guard: {
      resolve: ({ baseUrl, id }: RunRecord, cost: Money) => void store.spending.learn(baseUrl, id, cost),
    },
    history: {
      get: (id: string) => store.runs.get(id),
      async put(...put: Parameters<typeof store.runs.put>) {
        await store.runs.put(...put);
        return put[0];
      },
    },
  };
  await Promise.all([
    experiments.follow(),
    indexing.follow(),
    ...single.map(async (run) => {
      try {
        const { record, response } = await followRecord(parts, run, { signal });
        tell(record.runId, { ...record, message: record.message ?? runStateMessage(record.state) });
        if (response?.state === 'finished') terminal.printJson(response.output ?? null);
      } catch (error) {
        terminal.warn(`${run.runId ?? l10n.t('(no identifier)')}: ${messageOf(error)}`);
      }
    }),
  ]);
  for (const file of new Set(experiments.open.map(({ head }) => head.results)))
    await new ResultsWriter(store.experimentResults, file, () => undefined)
      .flush()
      .catch((error: unknown) => terminal.warn(cannotWriteText(file, error)));
  const isOpen = ended.length < waiting.length || ended.includes('accepted');
  if (isOpen || ended.includes('unclear')) return exitCodes.service;
  return ended.includes('failed') ? exitCodes.failed : exitCodes.passed;
}

type Outcome =
  | Pick<RunResponse, 'state' | 'cost' | 'message'>
  | { state: RunState; cost?: RunResponse['cost']; message?: string };

function kindOf<Head extends JobHead & { readonly baseUrl: string }, Item, Payload>(
  parts: AcceptedParts<Head, Item, Payload>,
  { baseUrl }: ServiceClient,
  isMeant: (run: { readonly runId?: string }) => boolean,
  tell: (runId: string | undefined, outcome: Outcome) => void,
  signal: AbortSignal,
) {
  const open = parts.jobs.acceptedRuns().filter((run) => run.head.baseUrl === baseUrl && isMeant(run));
  const wanted: AcceptedParts<Head, Item, Payload> = {
    ...parts,
    isWanted: isMeant,
    ended: ({ runId }, response) => tell(runId, response),
  };
  return { open, follow: () => followAccepted(wanted, undefined, { signal }) };
}
