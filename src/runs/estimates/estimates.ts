import * as l10n from '@vscode/l10n';
import { Listeners } from '../../domain/listeners';
import type { PastRun } from '../../domain/runRecord';
import { formatDuration } from '../../wording/duration';
import { formatMoney, formatPrice } from '../../wording/money';
import type { Estimate, EstimateOf } from './estimate';
import { estimateFrom, isPerRun, publishedCost } from './estimateFrom';

/** Where runs are kept: the history, and the runs of jobs. */
interface RunSource {
  /** The last runs of a model that got a response, or of one of its modes. */
  past(baseUrl: string, model: string, mode?: string): readonly PastRun[];
  onDidChange(listener: () => void): () => void;
}

/**
 * Estimates per model, from the kept facts of runs; remembered until those change, so that asking for every row of
 * the catalog is cheap.
 */
export class Estimates {
  readonly #estimates = new Map<string, Omit<Estimate, 'published'>>();
  readonly #changed = new Listeners();
  readonly onDidChange = this.#changed.add;

  /** @param locale BCP 47, for the texts. */
  constructor(
    private readonly sources: readonly RunSource[],
    private readonly locale?: string,
  ) {
    const forget = () => {
      this.#estimates.clear();
      this.#changed.call();
    };
    for (const source of sources) source.onDidChange(forget);
  }

  of(what: EstimateOf): Estimate {
    const perRun = what.price !== undefined && isPerRun(what.price);
    const key = JSON.stringify([what.baseUrl, what.model, what.mode ?? null, what.items ?? null, perRun]);
    let estimate = this.#estimates.get(key);
    if (!estimate) {
      const { baseUrl, model, mode, items } = what;
      const runs = this.sources.flatMap((source) => source.past(baseUrl, model, mode || undefined));
      estimate = estimateFrom(runs, { items, perRun });
      this.#estimates.set(key, estimate);
    }
    const published = publishedCost(what.price, what.items);
    return published ? { ...estimate, published } : estimate;
  }

  /** "about $0.02 · 1.3 s": for a line with little room. */
  short(what: EstimateOf): string {
    const { medianCost, medianMs, published } = this.of(what);
    const cost = medianCost ?? published;
    return [
      cost
        ? l10n.t('about {0}', formatMoney(cost, this.locale, { about: true }))
        : formatPrice(what.price, this.locale),
      medianMs !== undefined && formatDuration(medianMs, this.locale),
    ]
      .filter(Boolean)
      .join(' · ');
  }

  /** "Estimate: about $0.02 · 1.3 s, median of your last 20 runs"; empty without facts. */
  text(what: EstimateOf): string {
    const { medianCost, costFrom, medianMs, published, runs } = this.of(what);
    const time = medianMs === undefined ? [] : [formatDuration(medianMs, this.locale)];
    if (medianCost) {
      const cost = l10n.t('about {0}', formatMoney(medianCost, this.locale, { about: true }));
      const about = [cost, ...time].join(' · ');
      return costFrom === 1
        ? l10n.t('Estimate: {0}, from your last run', about)
        : l10n.t('Estimate: {0}, median of your last {1} runs', about, costFrom);
    }
    // A price that cannot be converted into the cost of a run is shown as published.
    const words = formatPrice(what.price, this.locale);
    const price = published
      ? l10n.t('published price {0} per run', formatMoney(published, this.locale))
      : words && l10n.t('published price {0}', words);
    if (time.length === 0) return price ? l10n.t('Estimate: {0}', price) : '';
    const facts = [price || l10n.t('cost unknown'), ...time].join(' · ');
    return runs === 1
      ? l10n.t('Estimate: {0}, from your last run', facts)
      : l10n.t('Estimate: {0}, from your last runs', facts);
  }
}
