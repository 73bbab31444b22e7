/** The signs of differences; each is shown with its word. */
export const MARKS = { better: '▲', worse: '▼', alike: '≈', unknown: '?' } as const;
