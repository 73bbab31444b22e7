import * as l10n from '@vscode/l10n';
import type { NextStep } from '../../domain/problems';
import { isUnconfirmed } from '../../domain/run';
import type { RunRecord } from '../../domain/runRecord';
import { durationOf, uploadTimeOf } from '../../domain/runTimes';
import type { ShownNextStep, ShownResponse, ShownRun } from '../../protocol/run';
import { ServiceError } from '../../service/errors';
import { kindOfStatus } from '../../service/failures';
import { actionFor } from '../../vscode/showError';
import { nextStepAfter, nextStepOf } from '../../wording/errors';
import { runStateMessage } from '../../wording/runStates';

/**
 * A run's record as the page shows it.
 * @param uploadsForgotten its files had been uploaded before, and the service may have deleted them since. A rejected run
 *   may still be charged, so the user decides whether it is sent again.
 */
export function shownRun(
  record: RunRecord,
  response: ShownResponse | undefined,
  error: unknown,
  uploadsForgotten = false,
): ShownRun {
  const { id, state, environment, status, runId, cost, agent, request } = record;
  const message = record.message ?? runStateMessage(record.state);
  const reused = l10n.t(
    'Its files were uploaded earlier, and the service may have deleted them. The next run uploads them again.',
  );
  return {
    id,
    state,
    environment,
    status,
    runId,
    cost,
    agent,
    request,
    durationMs: durationOf(record),
    uploadMs: uploadTimeOf(record),
    message: uploadsForgotten ? `${message} ${reused}` : message,
    attachments: record.attachments.map(({ uri, filename, mediaRef }) => ({ uri, filename, mediaRef })),
    nextStep: uploadsForgotten
      ? { step: 'retry', title: l10n.t('Upload Again and Run') }
      : error instanceof ServiceError
        ? shownStep(nextStepOf(error))
        : stepFor(record),
    response,
  };
}

/** For a run of the history: an accepted one is asked for, and the activity shows whether an unconfirmed one was executed. */
function stepFor({
  state,
  status,
  followUrl,
  environment: name,
  baseUrl,
}: RunRecord): ShownNextStep | undefined {
  if (state === 'accepted' && followUrl !== undefined) return shownStep('askAgain');
  if (state === 'unclear') return shownStep('showWhatCame');
  if (isUnconfirmed(state) || state === 'accepted' || state === 'running') return shownStep('showUsage');
  return state === 'failed' && status !== undefined && status >= 400
    ? shownStep(nextStepAfter({ kind: kindOfStatus(status), details: { status } }, { name, baseUrl }))
    : undefined;
}

/**
 * The button of a next step: VS Code's commands, and two that the page does itself.
 * @param canOpen there is a response to open; that of a run is already in its JSON tab
 */
export function shownStep(step: NextStep, canOpen = false): ShownNextStep | undefined {
  if (step === 'fixInput') return { step, title: l10n.t('Go to the Input') };
  if (step === 'showWhatCame') return { step, title: l10n.t('Show What Came') };
  if (step === 'retry') return { step, title: l10n.t('Run Again') };
  if (step === 'none') return undefined;
  if (step === 'showRaw' && canOpen) return { step, title: l10n.t('Open the Response') };
  const action = actionFor(step, undefined, undefined);
  return action && { step: step === 'showRaw' ? 'showLog' : step, title: action.title };
}
