import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { networkSettings } from '../../connection/network';
import { compareAmounts } from '../../domain/amounts';
import type { Environment } from '../../domain/environment';
import type { ItemFile } from '../../experiments/file/items';
import { expectedJudging } from '../../experiments/judges/expectedJudging';
import { type AlikeRuns, costOfRuns, type ExperimentCost } from '../../experiments/plan/expectedCosts';
import {
  type InterruptedExperiment,
  planRuns,
  type RunningExperiment,
  remainingRuns,
} from '../../experiments/plan/experimentJobs';
import type { ExperimentHead } from '../../experiments/plan/experimentKind';
import { experimentPorts } from '../../experiments/plan/experimentPorts';
import { ExperimentStart, type StartPorts } from '../../experiments/plan/experimentStart';
import type { PlannedRun } from '../../experiments/plan/plan';
import type { SortedRuns } from '../../experiments/plan/wantedRuns';
import type { MediaPorts } from '../../experiments/results/mediaKeeper';
import { fetchMedium } from '../../experiments/results/remoteMedia';
import { cannotWriteText, resultPlaces, UnreadableLines } from '../../experiments/results/resultsFile';
import { offeredRuns } from '../../experiments/setup/offers';
import { allowMedia, mayFetchMedia } from '../../platform/keptMedia';
import { filenameOf, uploadSourceOf } from '../../platform/localFile';
import type { RunOffer } from '../../protocol/experimentSetUp';
import { createTransport } from '../../service/transport';
import type { Services } from '../../services';
import {
  showErrorMessage,
  showInformationMessage,
  showWarningMessage,
} from '../../vscode/messages/notifications';
import { readSetting } from '../../vscode/settings';
import type { WantedRuns } from './experimentRuns';
import { knownRunQuestions, showUnreadable } from './knownRuns';
import { type ReadyExperiment, readyExperiment } from './readyExperiment';
import { offeredCost, plannedCost } from './runCosts';
import { choicesOf, describeRuns, fewFirst, nothingToRunText } from './runQuestion';

/** The runs to start, and the offer on the pressed button: it is not asked about again. */
interface Wanted {
  readonly which: WantedRuns;
  readonly seen?: RunOffer | undefined;
}

/**
 * Reads an experiment, asks once, and plans its runs: they are not started yet. Undefined: there is nothing to run,
 * or it was not wanted.
 * @param interrupted the remains of a closed window
 */
export async function startRuns(
  services: Services,
  file: vscode.Uri,
  wanted: Wanted,
  interrupted: InterruptedExperiment | undefined,
): Promise<RunningExperiment | undefined> {
  const read = await readyExperiment(services, file);
  if (!read) return undefined;
  const store = await services.store();
  const results = resultPlaces(file.fsPath).file;
  const left = interrupted ? await remainingRuns(store, interrupted) : new Set<string>();
  const readyWith = ({ loaded }: SortedRuns) => ({ ...read, loaded });
  let agreed: readonly AlikeRuns[] = [];
  let isEarly = false;
  const first: StartPorts = {
    ...(await knownRunQuestions(services, results)),
    async choose(sorted) {
      const ready = readyWith(sorted);
      const isResumed =
        interrupted !== undefined &&
        (await isConfirmed(services, ready, sorted.missing, interrupted.head, left));
      const runs = isResumed ? sorted.missing : await askedFor(services, ready, sorted, wanted);
      agreed = expectedJudging(ready.loaded, runs ?? []);
      const { judges, experiment } = ready.loaded;
      // On the setup page, the compared part is chosen by these results: judges may look at that part.
      const isOpen =
        experiment.expected && !('judged' in experiment.expected) && experiment.expected.at === undefined;
      isEarly =
        wanted.seen !== undefined && isOpen === true && judges.some(({ output }) => output === undefined);
      return runs;
    },
    plan: (sorted, runs) => plan(services, file, readyWith(sorted), results, { ...sorted, runs }),
  };
  // Outcomes that the file lacks, and unreadable lines, are asked about when the user starts these runs.
  const judges: StartPorts = {
    accepted: async () => undefined,
    use: async () => undefined,
    choose: async (sorted) =>
      (await isAgreed(services, readyWith(sorted), sorted.missing, agreed)) ? sorted.missing : undefined,
    plan: (sorted, runs) =>
      plan(
        services,
        file,
        readyWith(sorted),
        results,
        { ...sorted, runs },
        l10n.t('the judges of {0}', filenameOf(file)),
      ),
  };
  const start = new ExperimentStart({ store, loaded: read.loaded, results }, { runs: first, judges });
  const running = await start.runs().catch(showUnreadable);
  if (!running || isEarly || read.loaded.judges.length === 0) return running;
  return { ...running, next: () => start.judges().catch(ignoreUnreadable) };
}

function ignoreUnreadable(error: unknown): undefined {
  if (!(error instanceof UnreadableLines)) throw error;
}

/** Whether the user has agreed to this number of judges' runs at that cost. */
async function isAgreed(
  services: Services,
  ready: ReadyExperiment,
  missing: readonly PlannedRun[],
  agreed: readonly AlikeRuns[],
): Promise<boolean> {
  const { contracts } = ready.loaded;
  const most = costOfRuns(agreed, contracts, ready.environment.baseUrl, await services.estimates());
  const cost = await plannedCost(services, ready, missing);
  return cost.runs <= most.runs && isWithin(cost, most.totals, most.unpriced.length);
}

/**
 * Whether the user has confirmed exactly these runs before the window was closed: at this service, in this environment,
 * for no less than they may cost now, and in a workspace that was as trusted. Production is always asked about.
 */
async function isConfirmed(
  services: Services,
  { environment, loaded }: ReadyExperiment,
  missing: readonly PlannedRun[],
  { environment: name, baseUrl, consent }: ExperimentHead,
  left: ReadonlySet<string>,
): Promise<boolean> {
  if (missing.length === 0 || services.connection.isProduction(environment)) return false;
  if (name !== environment.name || baseUrl !== environment.baseUrl || !consent) return false;
  if (consent.trusted && !vscode.workspace.isTrusted) return false;
  if (!missing.every(({ customId }) => left.has(customId))) return false;
  const cost = await plannedCost(services, { environment, loaded }, missing);
  return isWithin(cost, consent.totals, consent.unpriced);
}

function isWithin(
  { totals, unpriced }: ExperimentCost,
  agreed: readonly { readonly amount: string; readonly currency?: string | undefined }[],
  agreedUnpriced: number,
): boolean {
  if (unpriced.length > agreedUnpriced) return false;
  return totals.every(({ amount, currency }) => {
    const confirmed = agreed.find((total) => total.currency === currency);
    return confirmed !== undefined && compareAmounts(amount, confirmed.amount) <= 0;
  });
}

/** The user's choice of runs. Undefined: cancelled. */
export async function askedFor(
  services: Services,
  ready: ReadyExperiment,
  sorted: SortedRuns,
  { which, seen }: Wanted,
): Promise<readonly PlannedRun[] | undefined> {
  const isPart = which === 'trial' || which === 'few';
  const choices = isPart
    ? choicesOf(
        {
          ...sorted,
          missing: offeredRuns(which, sorted.missing, ready.loaded.plan),
          failed: [],
          unconfirmed: [],
        },
        'missing',
      )
    : choicesOf(sorted, which);
  const [first] = choices;
  if (!first) {
    void showInformationMessage(nothingToRunText(ready.loaded, sorted));
    return undefined;
  }
  const { question, detail, warns, doubts } = await describeRuns(services, ready, sorted, first.runs);
  const cost = await offeredCost(services, ready, first.runs);
  if (seen && choices.length === 1 && !doubts && seen.runs === first.runs.length && seen.cost === cost)
    return first.runs;
  const ask = warns ? showWarningMessage : showInformationMessage;
  const asked = [
    first,
    ...(which === 'missing' && ready.purpose === undefined
      ? fewFirst(sorted.missing, ready.loaded.plan)
      : []),
    ...choices.slice(1),
  ];
  const chosen = await ask(question, { modal: true, detail }, ...asked.map(({ title }) => title));
  return asked.find(({ title }) => title === chosen)?.runs;
}

/** @param results absolute path of the results file */
export async function plan(
  services: Services,
  file: vscode.Uri,
  ready: ReadyExperiment,
  results: string,
  order: { readonly runs: readonly PlannedRun[] } & Pick<SortedRuns, 'since' | 'known'>,
  name = filenameOf(file),
): Promise<RunningExperiment> {
  const { environment, loaded } = ready;
  const { totals, unpriced } = await plannedCost(services, ready, order.runs);
  const consent = { totals: [...totals], unpriced: unpriced.length, trusted: vscode.workspace.isTrusted };
  const memory = services.context.globalState;
  const uploadSource = ({ path }: ItemFile) => uploadSourceOf(vscode.Uri.file(path), memory);
  // Asked before the runs start: a question during them would block them.
  for (const one of loaded.files.values()) await uploadSource(one);
  (await services.guard()).approve(environment.baseUrl);
  const ports = experimentPorts({
    environment,
    contracts: loaded.contracts,
    uploadSource,
    // Opened before the job: a run that fails in itself may have been sent.
    runs: await services.runs(),
    client: () => services.connection.client(environment),
    concurrency: () => readSetting('indexing.concurrency'),
    timeoutMs: () => readSetting('runTimeoutSeconds') * 1_000,
  });
  return planRuns(await services.store(), {
    environment,
    file: file.fsPath,
    results,
    name,
    loaded,
    ports,
    consent,
    ...order,
    media: mediaPorts(services, environment),
    cannotWrite: (error) => void showErrorMessage(cannotWriteText(results, error)),
  });
}

/** Origins whose files are not fetched, until the window is reloaded. */
const notNow = new Set<string>();
const MOST_HOSTS = 5;

/** Keeps the media that results name by address, after one question for each service. */
function mediaPorts({ context }: Services, { name, baseUrl }: Environment): MediaPorts {
  const { origin } = new URL(baseUrl);
  const { globalState } = context;
  // No client of the service: these requests have no key.
  const transport = createTransport(networkSettings);
  return {
    async mayKeep(hosts) {
      if (mayFetchMedia(globalState, baseUrl)) return true;
      if (notNow.has(origin)) return false;
      notNow.add(origin);
      const keep = l10n.t('Keep Files');
      const chosen = await showInformationMessage(
        l10n.t(
          'Results of “{0}” name pictures or other media by address ({1}). Such addresses may expire. Keep these files beside the results? They are fetched without your key.',
          name,
          hosts.slice(0, MOST_HOSTS).join(', '),
        ),
        keep,
        l10n.t('Not Now'),
      );
      if (chosen !== keep) return false;
      notNow.delete(origin);
      await allowMedia(globalState, baseUrl);
      return true;
    },
    fetch: (address) => fetchMedium(address, baseUrl, transport),
  };
}
