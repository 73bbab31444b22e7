import { dirname } from 'node:path';
import * as l10n from '@vscode/l10n';
import { type CheckedRunFile, reportedName, resultText, runFileVerdict } from '../commands/checkedRunFile';
import { xmlCharacters } from '../wording/xmlCharacters';

/** Results as JSON, for scripts. @param notRun files as named in the call, after a stop */
export function jsonReport(results: readonly CheckedRunFile[], notRun: readonly string[]): string {
  const runs = results.map((result) => {
    const { file, record, outcome, checks } = result;
    return {
      file: file.name,
      name: reportedName(file),
      verdict: runFileVerdict(result),
      state: record.state,
      status: record.status,
      run_id: record.runId,
      message: record.message,
      cost: record.cost,
      seconds: outcome.seconds,
      request: record.request,
      result: outcome.result,
      expectations: checks.map(({ pointer, title, passed, wanted, got }) => ({
        pointer,
        title,
        passed,
        wanted,
        got,
      })),
    };
  });
  return `${JSON.stringify({ version: 1, runs, not_run: notRun }, null, 2)}\n`;
}

/** Reports of a call that ended before its first run. @param files as named in the call */
export function unrunJunit(files: readonly string[], reason: string): string {
  return junitText(unrunCases(files, reason));
}

function unrunCases(files: readonly string[], reason: string): JunitCase[] {
  const problem = { isError: true, message: reason.split('\n')[0]!, details: reason };
  return files.map((file) => ({ name: file, classname: dirname(file), file, problem }));
}

/** As `unrunJunit`. */
export function unrunJson(isRun: boolean, files: readonly string[], reason: string): string {
  const of = isRun ? { runs: [], files } : { experiment: files[0], columns: [], checks: [] };
  return `${JSON.stringify({ version: 1, error: reason, ...of }, null, 2)}\n`;
}

/** Results of run files as JUnit XML. @param notRun files as named in the call, after a stop */
export function junitReport(results: readonly CheckedRunFile[], notRun: readonly string[]): string {
  const reason = l10n.t('Not run: the call was stopped before.');
  return junitText([...results.map(testCase), ...unrunCases(notRun, reason)]);
}

function testCase(result: CheckedRunFile): JunitCase {
  const { file, record, outcome, checks } = result;
  const verdict = runFileVerdict(result);
  return {
    name: reportedName(file),
    classname: dirname(file.name),
    file: file.name,
    seconds: outcome.seconds ?? 0,
    ...(verdict !== 'passed' && {
      problem: {
        isError: verdict !== 'failed',
        message: checks.find(({ passed }) => !passed)?.title ?? record.message ?? '',
        details: resultText(result).slice(1).join('\n'),
      },
    }),
  };
}

export interface JunitCase {
  readonly name: string;
  readonly classname: string;
  /** The name in the call. */
  readonly file: string;
  readonly seconds?: number;
  readonly properties?: Readonly<Record<string, number>>;
  /** Its output, both after a pass and a failure. */
  readonly output?: string;
  /** Missing: it passed. */
  readonly problem?: { readonly isError: boolean; readonly message: string; readonly details: string };
}

/** Tests as JUnit XML, as CI services read it (the schema of Jenkins's xUnit plugin). */
export function junitText(cases: readonly JunitCase[]): string {
  const of = (isError: boolean) => cases.filter(({ problem }) => problem?.isError === isError).length;
  const seconds = cases.reduce((sum, one) => sum + (one.seconds ?? 0), 0);
  const head = `tests="${cases.length}" failures="${of(false)}" errors="${of(true)}" time="${seconds}"`;
  const inner = cases.map(caseXml).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${head}><testsuite name="model-bench" ${head}>${inner}</testsuite></testsuites>\n`;
}

function caseXml({
  name,
  classname,
  file,
  seconds = 0,
  problem,
  properties = {},
  output,
}: JunitCase): string {
  const tag = problem?.isError ? 'error' : 'failure';
  const inside = problem ? `<${tag} message="${xml(problem.message)}">${xml(problem.details)}</${tag}>` : '';
  const attributes = `name="${xml(name)}" classname="${xml(classname)}" file="${xml(file)}"`;
  const numbers = Object.entries(properties).map(
    ([key, value]) => `<property name="${xml(key)}" value="${value}"/>`,
  );
  const known = numbers.length > 0 ? `<properties>${numbers.join('')}</properties>` : '';
  const systemOut = output === undefined ? '' : `<system-out>${xml(output)}</system-out>`;
  return `<testcase ${attributes} time="${seconds}">${known}${inside}${systemOut}</testcase>`;
}

function xml(text: string): string {
  return xmlCharacters(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
