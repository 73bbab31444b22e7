import type { AcceptedParts } from '../../jobs/followAccepted';
import { lateOutcomes } from '../../runs/jobRun';
import type { Store } from '../../store/store';
import { resultFilePlaces } from '../results/resultsFile';
import { experimentJobs } from './experimentJobs';
import type { ExperimentHead, ExperimentRun } from './experimentKind';
import { readRunOutcome } from './experimentWork';
import type { RunPayload } from './outcomes';

/** Accepted runs of experiments; the target of their jobs is the results file. */
export function acceptedExperimentRuns(
  store: Store,
  client: AcceptedParts<ExperimentHead, ExperimentRun, RunPayload>['client'],
): AcceptedParts<ExperimentHead, ExperimentRun, RunPayload> {
  const jobs = experimentJobs(store);
  return {
    jobs,
    client,
    noteCost: lateOutcomes(store, jobs.kind.key),
    read: (response, { head, items: [run] }) =>
      readRunOutcome(response, undefined, run!, resultFilePlaces(head.results).folder),
  };
}
