import * as vscode from 'vscode';
import type { RunResponse } from '../../domain/response';
import type { RunRecord } from '../../domain/runRecord';
import type { ShownRun } from '../../protocol/run';
import { checkExpectations } from '../../runFiles/expectations';
import { runFileOutcome } from '../../runFiles/outcome';
import { expectationsIn, problemsIn } from '../../runFiles/read';
import type { FileLink } from './fileLink';

/** The expectations of a panel's run file, checked; undefined where there are none, or the run has no outcome. */
export function linkedChecks(
  { file }: FileLink,
  record: RunRecord,
  response: RunResponse | undefined,
): ShownRun['checks'] {
  const expected = file ? expectationsIn(file) : [];
  if (!file || expected.length === 0 || record.state === 'notSent') return undefined;
  // Expectations that cannot be checked are problems of the file, and are shown there.
  if (problemsIn(file, undefined).some(({ pointer }) => pointer.startsWith('/expect'))) return undefined;
  return checkExpectations(expected, runFileOutcome(record, response), vscode.env.language);
}
