import { dirname } from 'node:path';
import type { RunResult } from './result';
import { nameOf, resultText, verdictOf } from './result';

/** Results as JSON, for scripts. */
export function jsonReport(results: readonly RunResult[]): string {
  const runs = results.map((result) => {
    const { file, record, outcome, checks } = result;
    return {
      file: file.name,
      name: nameOf(file),
      verdict: verdictOf(result),
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
  return `${JSON.stringify({ version: 1, runs }, null, 2)}\n`;
}

/** Results as JUnit XML, as CI services read it (the schema of Jenkins's xUnit plugin). */
export function junitReport(results: readonly RunResult[]): string {
  const of = (verdict: string) => results.filter((result) => verdictOf(result) === verdict).length;
  const seconds = results.reduce((sum, { outcome }) => sum + (outcome.seconds ?? 0), 0);
  const head = `tests="${results.length}" failures="${of('failed')}" errors="${of('error')}" time="${seconds}"`;
  const cases = results.map(testCase).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${head}><testsuite name="model-bench" ${head}>${cases}</testsuite></testsuites>\n`;
}

function testCase(result: RunResult): string {
  const { file, record, outcome, checks } = result;
  const verdict = verdictOf(result);
  const tag = verdict === 'failed' ? 'failure' : 'error';
  const first = checks.find(({ passed }) => !passed)?.title ?? record.message ?? '';
  const details = resultText(result).slice(1).join('\n');
  const inside = verdict === 'passed' ? '' : `<${tag} message="${xml(first)}">${xml(details)}</${tag}>`;
  const attributes = `name="${xml(nameOf(file))}" classname="${xml(dirname(file.name))}" file="${xml(file.name)}"`;
  return `<testcase ${attributes} time="${outcome.seconds ?? 0}">${inside}</testcase>`;
}

/** A text in XML; characters that XML 1.0 has no place for are left out. */
function xml(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that XML excludes
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  );
}
