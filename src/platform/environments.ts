import * as vscode from 'vscode';
import { parseBaseUrl } from '../service/baseUrl';
import { baseUrlText } from '../wording/errors';

/** A service the user has named: `modelBench.environments`, name → base URL. */
export interface Environment {
  readonly name: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}

/** Reads environments from the user's settings only: a workspace must not point a key elsewhere. */
export function readEnvironments(setting: unknown): { environments: Environment[]; problems: string[] } {
  const environments: Environment[] = [];
  const problems: string[] = [];
  if (setting === undefined || setting === null) return { environments, problems };
  if (typeof setting !== 'object' || Array.isArray(setting)) {
    const problem = vscode.l10n.t('modelBench.environments must be an object of names and base URLs.');
    return { environments, problems: [problem] };
  }
  for (const [name, value] of Object.entries(setting)) {
    const read = parseBaseUrl(typeof value === 'string' ? value : '');
    if ('problem' in read) problems.push(`modelBench.environments, “${name}”: ${baseUrlText(read.problem)}`);
    else environments.push({ name, baseUrl: read.baseUrl });
  }
  return { environments, problems };
}
