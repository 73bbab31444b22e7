import * as l10n from '@vscode/l10n';
import { type AcceptedParts, followAccepted, readKept } from '../jobs/followAccepted';
import type { ServiceClient } from '../service/client';
import type { JobHead } from '../store/jobKind';
import type { Terminal } from './terminal';

/** The client, for jobs of its service only. */
export function ofService<Head extends { readonly baseUrl: string }>(client: ServiceClient) {
  return async ({ baseUrl }: Head) => (baseUrl === client.baseUrl ? client : undefined);
}

/** The runs of a target that an earlier call, or this one, has left accepted. */
export function acceptedRuns<Head extends JobHead & { readonly baseUrl: string }, Item, Payload>(
  parts: AcceptedParts<Head, Item, Payload>,
  target: string,
  terminal: Terminal,
  signal: AbortSignal,
) {
  return {
    /** Once, free of charge; kept responses are read again by the mapping of this call. */
    async ask(): Promise<void> {
      await readKept(parts, target);
      await followAccepted(parts, target, { once: true, signal });
    },
    /** Until they have outcomes, or the call is stopped. */
    async wait(): Promise<void> {
      const open = signal.aborted ? [] : parts.jobs.acceptedRuns(target);
      if (open.length === 0) return;
      terminal.print(waitingText(open.map(({ runId }) => runId)));
      await followAccepted(parts, target, { signal });
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
