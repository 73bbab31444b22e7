import * as l10n from '@vscode/l10n';
import { type AcceptedParts, followAccepted, readKept, requestsOf } from '../jobs/followAccepted';
import type { ServiceClient } from '../service/client';
import type { JobHead } from '../store/jobKind';
import type { Show } from './show';

/** The client, for jobs of its service only. */
export function ofService<Head extends { readonly baseUrl: string }>(client: ServiceClient) {
  return async ({ baseUrl }: Head) => (baseUrl === client.baseUrl ? client : undefined);
}

/** A process that was killed shows as gone after it was watched this long. */
const WATCH_MS = 2_000;
const LOOK_EVERY_MS = 250;

/** Until no process is there that may have been killed a moment ago, or it was watched for long enough. */
export async function untilGone(isThere: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < WATCH_MS && (await isThere()); waited += LOOK_EVERY_MS)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
}

/** The runs of a target that an earlier call, or this one, has left accepted. */
export function acceptedRuns<Head extends JobHead & { readonly baseUrl: string }, Item, Payload>(
  all: AcceptedParts<Head, Item, Payload>,
  target: string,
  show: Show,
  signal: AbortSignal,
) {
  const { jobs } = all;
  let parts = { ...all, isWanted: requestsOf(jobs, target) };
  return {
    /**
     * Once, free of charge; kept responses are read again by the mapping of this call.
     * @param keys see `requestsOf`
     */
    async ask(keys?: ReadonlySet<string>): Promise<void> {
      parts = { ...all, isWanted: requestsOf(jobs, target, keys) };
      await untilGone(() => jobs.acceptedInWork().some(parts.isWanted));
      await readKept(parts);
      await followAccepted(parts, undefined, { once: true, signal });
    },
    /** Until they have outcomes, or the call is stopped. Resolves to whether there were any. */
    async wait(): Promise<boolean> {
      const open = signal.aborted ? [] : jobs.acceptedRuns().filter(parts.isWanted);
      if (open.length === 0) return false;
      show.print(waitingText(open.map(({ runId }) => runId)));
      await followAccepted(parts, undefined, { signal });
      return true;
    },
  };
}

/** @param runIds the service's identifiers, where it gave some */
export function waitingText(runIds: readonly (string | undefined)[]): string {
  const ids = runIds.filter((id) => id !== undefined).join(', ');
  return ids === ''
    ? l10n.t('{0} runs are accepted and not finished. Waiting for them, which costs nothing…', runIds.length)
    : l10n.t(
        '{0} runs are accepted and not finished: {1}. Waiting for them, which costs nothing…',
        runIds.length,
        ids,
      );
}
