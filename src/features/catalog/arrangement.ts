import { compareAmounts, readAmount } from '../../domain/amounts';
import { type Modality, modelModality } from '../../domain/modality';
import type { ModelSummary } from '../../domain/model';
import { filterWords, matchesFilter } from '../../domain/modelFilter';

/** `service`: as the service lists them. */
export const SORTS = ['service', 'name', 'price', 'recent'] as const;
/** `group`: the service's own groups; `owner`: the part of an ID before its slash. */
export const GROUPS = ['group', 'kind', 'owner', 'none'] as const;

export interface Arrangement {
  readonly sort: (typeof SORTS)[number];
  readonly group: (typeof GROUPS)[number];
}

const AS_LISTED: Arrangement = { sort: 'service', group: 'group' };

/** A remembered arrangement; a part that is not known has its default. */
export function arrangementIn(value: unknown): Arrangement {
  const { sort, group } = (value ?? {}) as Partial<Record<keyof Arrangement, unknown>>;
  return {
    sort: SORTS.find((one) => one === sort) ?? AS_LISTED.sort,
    group: GROUPS.find((one) => one === group) ?? AS_LISTED.group,
  };
}

/** The models that a filter leaves. */
export function filtered(models: readonly ModelSummary[], filter: string): readonly ModelSummary[] {
  const words = filterWords(filter);
  return words.length === 0 ? models : models.filter((model) => matchesFilter(model, words));
}

/** @param recent slugs, the model that was run last first */
export function sorted(
  models: readonly ModelSummary[],
  { sort }: Arrangement,
  recent: readonly string[],
): readonly ModelSummary[] {
  switch (sort) {
    case 'service':
      return models;
    case 'name': {
      const { compare } = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
      return models.toSorted((a, b) => compare(a.name, b.name));
    }
    case 'price': {
      const amounts = new Map(models.map((model) => [model, amountOf(model)]));
      return models.toSorted((a, b) => comparePrices(amounts.get(a), amounts.get(b)));
    }
    case 'recent': {
      const rank = new Map(recent.map((slug, at) => [slug, at]));
      const rankOf = ({ slug }: ModelSummary) => rank.get(slug) ?? recent.length;
      return models.toSorted((a, b) => rankOf(a) - rankOf(b));
    }
  }
}

function amountOf({ price }: ModelSummary): string | undefined {
  return price?.money && readAmount(price.money.amount);
}

/** Models without a price come last. */
function comparePrices(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return compareAmounts(a, b);
}

/** The models by the name of their group; those of no group under ''. */
export function grouped(
  models: readonly ModelSummary[],
  { group }: Arrangement,
  kindText: (kind: Modality) => string,
): ReadonlyMap<string, readonly ModelSummary[]> {
  const displayName = (model: ModelSummary): string => {
    switch (group) {
      case 'group':
        return model.group ?? '';
      case 'kind': {
        const kind = modelModality(model);
        return kind === undefined ? '' : kindText(kind);
      }
      case 'owner':
        return /^([^/]+)\//.exec(model.slug)?.[1] ?? '';
      case 'none':
        return '';
    }
  };
  return Map.groupBy(models, displayName);
}
