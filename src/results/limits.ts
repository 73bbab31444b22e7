/** Bounds on the data that a page gets in one message. */
export const limits = {
  textCharacters: 100_000,
  labels: 200,
  hits: 500,
  boxes: 500,
  masks: 50,
  media: 100,
  plotted: 512,
  columns: 40,
  cellCharacters: 300,
  facts: 60,
  /** Of a string that no other part shows. */
  factCharacters: 2000,
  sections: 40,
  previewCharacters: 160,
  childrenAtOnce: 500,
  matches: 1000,
  /** Rows that are sorted in natural order; more of them by code units, which is ten times as fast. */
  naturallySorted: 50_000,
} as const;
