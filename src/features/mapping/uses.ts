import * as l10n from '@vscode/l10n';
import type { ResponseMapping, RunMapping } from '../../domain/responseMapping';

/** A use of a value at a place of a response. */
export interface Use {
  readonly label: string;
  /** Amounts: their currency is asked for. */
  readonly isMoney?: true;
  apply(mapping: ResponseMapping, at: string, currency?: string): ResponseMapping;
}

type Meaning = 'finished' | 'failed' | 'accepted';

/** The uses of a value in the response of a run. */
export function runUses(value: unknown): readonly Use[] {
  const run = (label: string, change: (at: string) => RunMapping): Use => ({
    label,
    apply: (mapping, at) => ({ ...mapping, run: { ...mapping.run, ...change(at) } }),
  });
  const isWord = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  const isList = Array.isArray(value);
  return [
    ...(isWord ? states(String(value)) : []),
    run(l10n.t('Result'), (at) => ({ result: at })),
    ...(isWord
      ? [
          run(l10n.t('Run ID'), (at) => ({ id: at })),
          ...amounts(l10n.t('Cost'), (mapping, cost, money) => ({
            ...mapping,
            run: { ...mapping.run, cost, ...money },
          })),
          run(l10n.t('Message of a failure'), (at) => ({ message: at })),
        ]
      : []),
    ...(isList
      ? [
          {
            label: l10n.t('Hits of a search'),
            apply: (mapping: ResponseMapping, at: string) => ({ ...mapping, search: { hits: at } }),
          },
        ]
      : []),
  ];
}

type MoneyMapping = Pick<NonNullable<ResponseMapping['wallet']>, 'unit' | 'currency'>;

/** An amount in each of its units. */
function amounts(
  name: string,
  put: (mapping: ResponseMapping, at: string, money: MoneyMapping) => ResponseMapping,
): readonly Use[] {
  const units = [
    [name, 'whole'],
    [l10n.t('{0} in hundredths (cents)', name), 'cents'],
    [l10n.t('{0} in millionths', name), 'micros'],
  ] as const;
  return units.map(([label, unit]) => ({
    label,
    isMoney: true,
    apply: (mapping, at, currency) => put(mapping, at, { unit, ...(currency !== undefined && { currency }) }),
  }));
}

/** One word of a state has one meaning; the words at another place are kept. */
function states(word: string): readonly Use[] {
  const meanings: readonly (readonly [Meaning, string])[] = [
    ['finished', l10n.t('State: “{0}” means finished', word)],
    ['failed', l10n.t('State: “{0}” means failed', word)],
    ['accepted', l10n.t('State: “{0}” means still running', word)],
  ];
  return meanings.map(([meaning, label]) => ({
    label,
    apply: (mapping, at) => {
      const run: RunMapping = { ...mapping.run, state: at };
      for (const [each] of meanings) {
        const words = Array.isArray(run[each]) ? run[each].filter((other) => other !== word) : [];
        if (each === meaning || run[each] !== undefined)
          run[each] = each === meaning ? [...words, word] : words;
      }
      return { ...mapping, run };
    },
  }));
}

/** The uses of a value in a response of the catalog or of billing. */
export function otherUses(value: unknown): readonly Use[] {
  if (Array.isArray(value))
    return [
      {
        label: l10n.t('List of models'),
        apply: (mapping, list) => ({ ...mapping, models: { ...mapping.models, list } }),
      },
      { label: l10n.t('Rows of usage'), apply: (mapping, rows) => ({ ...mapping, usage: { rows } }) },
      {
        label: l10n.t('List of activity'),
        apply: (mapping, list) => ({ ...mapping, activity: { ...mapping.activity, list } }),
      },
    ];
  const contract: Use = {
    label: l10n.t('Contract of a model'),
    apply: (mapping, at) => ({ ...mapping, model: { contract: at } }),
  };
  if (typeof value === 'object') return [contract];
  return [
    ...amounts(l10n.t('Balance'), (mapping, balance, money) => ({
      ...mapping,
      wallet: { balance, ...money },
    })),
    {
      label: l10n.t('Number of models on all pages'),
      apply: (mapping, total) => ({ ...mapping, models: { ...mapping.models, total } }),
    },
    {
      label: l10n.t('Number of entries of activity'),
      apply: (mapping, total) => ({ ...mapping, activity: { ...mapping.activity, total } }),
    },
  ];
}
