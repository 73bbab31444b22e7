import * as l10n from '@vscode/l10n';
import { sumByCurrency, timesAmount } from '../../domain/amounts';
import { localMedia } from '../../domain/media';
import type { ModelContract } from '../../domain/model';
import type { Money } from '../../domain/money';
import { type ExpectedCost, expectedCost } from '../../runFiles/expectedCost';
import type { Estimates } from '../../runs/estimates/estimates';
import { formatSums } from '../../wording/money';
import type { LoadedExperiment } from '../file/load';
import { expectedJudging } from '../judges/expectedJudging';
import { priceOf } from './experimentPorts';
import type { PlannedRun } from './plan';

export interface ExperimentCost extends ExpectedCost {
  /** Names of models of which neither a price nor a cost is known. */
  readonly unpriced: readonly string[];
}

/** Runs that are expected to cost the same. */
export interface AlikeRuns {
  readonly model: string;
  readonly mode: string;
  /** Media of one run. */
  readonly media: number;
  readonly runs: number;
}

/** The expected cost of an experiment's runs, each by its model and mode, and of the judges that follow. */
export function expectedCosts(
  runs: readonly PlannedRun[],
  loaded: Pick<LoadedExperiment, 'contracts' | 'judges' | 'plan'>,
  baseUrl: string,
  estimates: Pick<Estimates, 'of'>,
): ExperimentCost {
  const alike = new Map<string, AlikeRuns>();
  for (const { request } of runs) {
    const { model, mode = 'execute', input } = request;
    const media = localMedia(input).length;
    const key = JSON.stringify([model, mode, media]);
    alike.set(key, { model, mode, media, runs: (alike.get(key)?.runs ?? 0) + 1 });
  }
  const all = [...alike.values(), ...expectedJudging(loaded, runs)];
  return costOfRuns(all, loaded.contracts, baseUrl, estimates);
}

/** The same of runs that are only counted. */
export function costOfRuns(
  alike: readonly AlikeRuns[],
  contracts: ReadonlyMap<string, ModelContract>,
  baseUrl: string,
  estimates: Pick<Estimates, 'of'>,
): ExperimentCost {
  const unpriced = new Set<string>();
  const all = alike.map(({ model, mode, media, runs }) => {
    const price = priceOf(contracts, { model, mode });
    const items = Math.max(1, media);
    const one = expectedCost([estimates.of({ baseUrl, model, mode, items, ...(price && { price }) })]);
    if (one.unknown > 0) unpriced.add(contracts.get(model)?.name ?? model);
    const times = (money: Money): Money => ({ ...money, amount: timesAmount(money.amount, runs) });
    const { totals, highest, unknown } = one;
    return { runs, totals: totals.map(times), highest: highest.map(times), unknown: runs * unknown };
  });
  const sum = (of: (one: ExpectedCost) => number) => all.reduce((total, one) => total + of(one), 0);
  return {
    runs: sum(({ runs }) => runs),
    totals: sumByCurrency(all.flatMap(({ totals }) => totals)),
    highest: sumByCurrency(all.flatMap(({ highest }) => highest)),
    unknown: sum(({ unknown }) => unknown),
    unpriced: [...unpriced],
  };
}

/** "about $2.40; 1 model has no published price". Undefined: there are no runs. @param locale BCP 47 */
export function costText({ totals, unpriced }: ExperimentCost, locale?: string): string | undefined {
  const about = formatSums(totals, locale, { about: true });
  const none =
    unpriced.length === 1
      ? l10n.t('1 model has no published price')
      : l10n.t('{0} models have no published price', unpriced.length);
  const parts = [
    ...(about === '' ? [] : [l10n.t('about {0}', about)]),
    ...(unpriced.length > 0 ? [none] : []),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}
