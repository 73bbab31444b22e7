import type { AcceptedParts } from '../jobs/followAccepted';
import type { Store } from '../store/store';
import { indexJobs } from './indexJobs';
import type { IndexHead, IndexItem } from './indexKind';
import { batchOutcome } from './indexWork';

/** Accepted runs of indexing; the target of their jobs is the dataset. */
export function acceptedIndexRuns(
  store: Store,
  client: AcceptedParts<IndexHead, IndexItem, undefined>['client'],
): AcceptedParts<IndexHead, IndexItem, undefined> {
  return {
    jobs: indexJobs(store),
    client,
    read: (response, { items }) => batchOutcome(response, items),
  };
}
