import { acceptedExperimentRuns } from '../../experiments/plan/acceptedRuns';
import { ResultsWriter } from '../../experiments/results/resultsWriter';
import { acceptedIndexRuns } from '../../indexing/acceptedRuns';
import { type AcceptedParts, readKept } from '../../jobs/followAccepted';
import type { Services } from '../../services';
import type { JobHead } from '../../store/jobKind';

/** The runs of indexing jobs and of experiments at a service whose kept responses were not understood. */
export async function keptJobRuns(services: Services, baseUrl: string) {
  const store = await services.store();
  const client = async () => undefined;
  const kindOf = <Head extends JobHead & { readonly baseUrl: string }, Item, Payload>(
    parts: AcceptedParts<Head, Item, Payload>,
  ) => {
    const own = () => parts.jobs.keptRuns().filter(({ head }) => head.baseUrl === baseUrl);
    /** Records their outcomes by the present mapping, and their costs: reserved amounts follow. */
    const read = () =>
      readKept({
        ...parts,
        isWanted: ({ head }) => head.baseUrl === baseUrl,
      });
    return { own, read };
  };
  const experiments = kindOf(acceptedExperimentRuns(store, client));
  const indexing = kindOf(acceptedIndexRuns(store, client));
  const files = new Set(experiments.own().map(({ head }) => head.results));
  return {
    count: experiments.own().length + indexing.own().length,
    /** Returns how many have an outcome now; none is sent. */
    async read(): Promise<number> {
      const count = (await experiments.read()) + (await indexing.read());
      for (const file of files)
        await new ResultsWriter(store.experimentResults, file, () => undefined)
          .flush()
          .catch(() => undefined);
      store.changes.report();
      return count;
    },
  };
}
