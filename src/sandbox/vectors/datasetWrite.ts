/** What a run writes at its end, in one transaction with its charge; `write` returns the run's output. */
export class DatasetWrite {
  constructor(readonly write: () => unknown) {}
}
