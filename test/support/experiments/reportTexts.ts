import type { ReportTexts } from '../../../src/experiments/report/reportTexts';

/** Texts of a report that say the same everywhere, for any columns. */
export function reportOf(
  text: string,
  { columns, ...more }: Pick<ReportTexts, 'name' | 'size' | 'columns'> & Partial<ReportTexts>,
): ReportTexts {
  const cell = {
    ...{ text, note: text, words: [text], isBest: true },
    interval: { text, low: 0.1, high: 0.9, at: 0.5 },
    difference: {
      sign: 'better',
      text,
      word: text,
      note: text,
      interval: { text, low: 0.4, high: 0.9, at: 0.7 },
    },
  } as const;
  return {
    ...{ date: text, baseline: text, columns },
    figures: [{ kind: 'metric', name: text, cells: columns.map(() => cell) }],
    changes: [{ title: text, text, rows: [text, text] }],
    checks: [{ text, passed: false }],
    ...more,
  };
}
