import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { itemFaultText } from '../../experiments/file/faultText';
import type { LoadedExperiment } from '../../experiments/file/load';
import { gridRuns, type PlannedRun } from '../../experiments/plan/plan';
import { planProblemPlace } from '../../experiments/plan/planProblemPlace';
import { type SortedRuns, underWayText } from '../../experiments/plan/wantedRuns';
import { FEW_INPUTS, offeredRuns } from '../../experiments/setup/offers';
import { sizeText } from '../../experiments/table/sizeText';
import type { Services } from '../../services';
import { formatSums } from '../../wording/money';
import type { WantedRuns } from './experimentRuns';
import type { ReadyExperiment } from './readyExperiment';
import { assessRuns } from './runCosts';

/** Inputs and runs that cannot be used are listed with their reasons, at most this many. */
const MOST_REASONS = 3;

/** One button of the question: which runs it would start. */
export interface RunChoice {
  readonly title: string;
  readonly runs: readonly PlannedRun[];
}

/** The possible choices of runs, the wanted first. Empty: there are none. */
export function choicesOf({ missing, failed, unconfirmed }: SortedRuns, which: WantedRuns): RunChoice[] {
  const retries = [choice(failed, retryFailed), choice(unconfirmed, retryUnconfirmed)];
  const all =
    which === 'failed'
      ? retries.slice(0, 1)
      : which === 'unconfirmed'
        ? retries.slice(1)
        : missing.length === 0
          ? retries
          : [
              choice(missing, start),
              choice(failed, includeFailed, missing),
              choice(unconfirmed, includeUnconfirmed, missing),
            ];
  return all.flat();
}

/** The first inputs in all columns, where there are more: the rest is run when the user has seen them. */
export function fewFirst(missing: readonly PlannedRun[], plan: LoadedExperiment['plan']): RunChoice[] {
  const few = offeredRuns('few', missing, plan);
  if (few.length === 0 || few.length === missing.length) return [];
  return [{ title: l10n.t('First {0} Inputs ({1} Runs)', FEW_INPUTS, few.length), runs: few }];
}

function choice(
  runs: readonly PlannedRun[],
  titleOf: (count: number) => string,
  besides: readonly PlannedRun[] = [],
): RunChoice[] {
  return runs.length === 0 ? [] : [{ title: titleOf(runs.length), runs: [...besides, ...runs] }];
}

const start = (count: number) => (count === 1 ? l10n.t('Start 1 Run') : l10n.t('Start {0} Runs', count));
const retryFailed = (count: number) =>
  count === 1 ? l10n.t('Retry 1 Failed Run') : l10n.t('Retry {0} Failed Runs', count);
const includeFailed = (count: number) =>
  count === 1 ? l10n.t('Include 1 Failed Run') : l10n.t('Include {0} Failed Runs', count);
const retryUnconfirmed = (count: number) =>
  count === 1 ? l10n.t('Retry 1 Unconfirmed Run') : l10n.t('Retry {0} Unconfirmed Runs', count);
const includeUnconfirmed = (count: number) =>
  count === 1 ? l10n.t('Include 1 Unconfirmed Run') : l10n.t('Include {0} Unconfirmed Runs', count);

/** Why nothing would be sent. */
export function nothingToRunText(
  loaded: LoadedExperiment,
  { finished, leftOut, underWay }: SortedRuns,
): string {
  const reasons = blockedReasons(loaded).join(' ');
  if (loaded.plan.runs.length === 0) return l10n.t('Nothing can be run. {0}', reasons);
  const rejected = loaded.plan.unsent.length;
  const facts = [
    finished === loaded.plan.runs.length && rejected === 0
      ? finished === 1
        ? l10n.t('Nothing to run: the run has finished.')
        : l10n.t('Nothing to run: all {0} runs have finished.', finished)
      : finished === 1
        ? l10n.t('Nothing to run: 1 run has finished.')
        : l10n.t('Nothing to run: {0} runs have finished.', finished),
    underWay.length > 0 ? underWayText(underWay.length) : '',
    leftOut > 0 ? l10n.t('{0} runs are left out, since their columns ended early.', leftOut) : '',
    rejected === 1 ? l10n.t('1 run cannot be sent.') : '',
    rejected > 1 ? l10n.t('{0} runs cannot be sent.', rejected) : '',
    reasons,
  ];
  return facts.filter(Boolean).join(' ');
}

/**
 * The one question before runs are sent: their number, their cost, and the left out ones. It warns where the cost is
 * unknown, or above the limit for spending without a question; there are doubts where more is to be known.
 * @param cells those of the first choice
 */
export async function describeRuns(
  services: Services,
  ready: ReadyExperiment,
  sorted: SortedRuns,
  cells: readonly PlannedRun[],
) {
  const { environment, loaded, warnings, purpose } = ready;
  const { name, baseUrl } = environment;
  const { cost, verdict, unchecked } = await assessRuns(services, ready, cells);
  const { unpriced } = cost;
  const judging = cost.runs - cells.length;
  const isProduction = services.connection.isProduction(environment);
  const lines = [
    isProduction
      ? l10n.t('Environment: {0}, {1}, marked as production.', name, baseUrl)
      : l10n.t('Environment: {0}, {1}', name, baseUrl),
    ...(await sentElsewhere(services, sorted, baseUrl)),
    purpose ?? `${gridSizeText(loaded)}.`,
    sorted.finished === 1 ? l10n.t('1 has finished (not sent again).') : '',
    sorted.finished > 1 ? l10n.t('{0} have finished (not sent again).', sorted.finished) : '',
    sorted.underWay.length > 0 ? underWayText(sorted.underWay.length) : '',
    sorted.unconfirmed.length > 0
      ? l10n.t(
          '{0} unconfirmed (sent before, their outcome is not known): if you run them again, you may be charged twice.',
          sorted.unconfirmed.length,
        )
      : '',
    judging === 0 ? '' : l10n.t('Judges then make up to {0} further runs; the cost includes them.', judging),
    `${verdict.text}.`,
    unchecked.length > 0
      ? l10n.t(
          '{0} of it is in another currency than the budget, and not checked against it.',
          formatSums(unchecked, vscode.env.language, { about: true }),
        )
      : '',
    unpriced.length > 0 ? l10n.t('No published price: {0}.', unpriced.join(', ')) : '',
    verdict.consequence ?? '',
    ...someOf(warnings),
    ...blockedReasons(loaded),
    vscode.workspace.isTrusted
      ? ''
      : l10n.t(
          'You have not trusted this workspace: its requests, and the files that they name, are sent with your key.',
        ),
  ];
  const doubts =
    verdict.consequence !== undefined ||
    (await services.guard()).spending(environment.baseUrl).cannotPay ||
    isProduction ||
    unpriced.length > 0 ||
    unchecked.length > 0 ||
    warnings.length > 0 ||
    blockedReasons(loaded).length > 0 ||
    !vscode.workspace.isTrusted;
  return {
    question:
      cells.length === 1
        ? l10n.t('Start 1 run in “{0}”?', name)
        : l10n.t('Start {0} runs in “{1}”?', cells.length, name),
    detail: lines.filter((line) => line !== ''),
    warns: verdict.ask || doubts,
    doubts,
  };
}

/** The address of the environment may have changed since. */
async function sentElsewhere(services: Services, { all }: SortedRuns, baseUrl: string): Promise<string[]> {
  const { jobRuns } = await services.store();
  const ids = new Set(all.map(({ customId }) => customId));
  return [...jobRuns.elsewhere(baseUrl, ids)].map(([at, count]) =>
    l10n.t('At least {0} of its runs were sent to another address: {1}.', count, at),
  );
}

function gridSizeText({ plan, experiment, inputs }: LoadedExperiment): string {
  const counts = { all: inputs.length, sampled: plan.items.length };
  return sizeText(experiment, counts, gridRuns(plan).length + plan.unsent.length, vscode.env.language);
}

/** The parts of the experiment that cannot be run, with the reason. */
function blockedReasons({ faults, plan }: LoadedExperiment): string[] {
  const all = [
    ...faults.map(itemFaultText),
    ...plan.problems.map((problem) =>
      l10n.t(
        '{0} cannot be run: {1}: {2}',
        planProblemPlace(problem, plan),
        problem.pointer,
        problem.message,
      ),
    ),
  ];
  return someOf(all);
}

/** The first of them, and how many there are besides. */
function someOf(texts: readonly string[]): string[] {
  const shown = [...new Set(texts)];
  const others = shown.length - MOST_REASONS;
  return others > 0 ? [...shown.slice(0, MOST_REASONS), l10n.t('And {0} more.', others)] : shown;
}
