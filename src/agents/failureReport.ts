import * as l10n from '@vscode/l10n';
import { ServiceError } from '../service/errors';
import { messageOf } from '../wording/errors';
import type { Report } from './answer';

/** The report of a call that threw. Its sentence is data: it may have words of the service, or a path. */
export function failureReport(error: unknown, locale?: string): Report {
  const notes = error instanceof ServiceError ? [l10n.t('The service reported a failure.')] : [];
  return { notes, data: messageOf(error, locale), isError: true };
}
