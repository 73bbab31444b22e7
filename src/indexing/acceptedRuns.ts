import type { AcceptedParts } from '../jobs/followAccepted';
import { lateOutcomes } from '../runs/jobRun';
import type { Store } from '../store/store';
import { indexJobs } from './indexJobs';
import type { IndexHead, IndexItem } from './indexKind';
import { batchOutcome } from './indexWork';

/** Accepted runs of indexing; the target of their jobs is the dataset. */
export function acceptedIndexRuns(
  store: Store,
  client: AcceptedParts<IndexHead, IndexItem, undefined>['client'],
): AcceptedParts<IndexHead, IndexItem, undefined> {
  const jobs = indexJobs(store);
  return {
    jobs,
    client,
    noteCost: lateOutcomes(store, jobs.kind.key),
    read: (response, { items }) => batchOutcome(response, items),
  };
}
