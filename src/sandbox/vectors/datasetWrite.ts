/** The writes of a run, in one transaction with its charge; `write` returns the run's output. */
export class DatasetWrite {
  constructor(readonly write: () => unknown) {}
}
