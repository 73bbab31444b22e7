import * as l10n from '@vscode/l10n';
import type { ShownRun } from '../../src/protocol/run';
import { formatDuration } from '../../src/wording/duration';

/** What became of a run, in a few words. */
export function headline(run: Pick<ShownRun, 'state' | 'startedAt' | 'finishedAt'>): string {
  const time = run.finishedAt === undefined ? '' : formatDuration(run.finishedAt - run.startedAt);
  switch (run.state) {
    case 'finished':
      return l10n.t('Finished in {0}', time);
    case 'accepted':
      return l10n.t('Accepted, not finished yet');
    case 'failed':
      return l10n.t('Failed after {0}', time);
    case 'notSent':
      return l10n.t('Not sent');
    case 'running':
    case 'unknown':
      return l10n.t('Outcome unknown');
  }
}

/** The codicon of each outcome. */
export const SIGNS: Record<ShownRun['state'], string> = {
  finished: 'pass',
  accepted: 'clock',
  failed: 'error',
  notSent: 'circle-slash',
  running: 'question',
  unknown: 'question',
};
