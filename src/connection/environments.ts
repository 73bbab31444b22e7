import * as l10n from '@vscode/l10n';
import type { Environment } from '../domain/environment';
import { type OriginPattern, readOriginPattern } from '../service/allowedOrigins';
import { parseBaseUrl } from '../service/baseUrl';
import { baseUrlText } from '../wording/errors';

/** Reads environments from the user's settings only: a workspace must not point a key elsewhere. */
export function readEnvironments(setting: unknown): { environments: Environment[]; problems: string[] } {
  const environments: Environment[] = [];
  const problems: string[] = [];
  if (setting === undefined || setting === null) return { environments, problems };
  if (typeof setting !== 'object' || Array.isArray(setting)) {
    const problem = l10n.t('modelBench.environments must be an object of names and base URLs.');
    return { environments, problems: [problem] };
  }
  for (const [name, value] of Object.entries(setting)) {
    const read = parseBaseUrl(typeof value === 'string' ? value : '');
    if ('problem' in read) problems.push(`modelBench.environments, “${name}”: ${baseUrlText(read.problem)}`);
    else environments.push({ name, baseUrl: read.baseUrl });
  }
  return { environments, problems };
}

/** Names of the environments that the user has marked as production: of the user's settings only. */
export function readProductionNames(setting: unknown): { names: ReadonlySet<string>; problems: string[] } {
  const given = setting ?? [];
  const names = (Array.isArray(given) ? given : []).filter((name) => typeof name === 'string');
  const isUnderstood = Array.isArray(given) && names.length === given.length;
  const problem = l10n.t('modelBench.productionEnvironments must be a list of names of environments.');
  return { names: new Set(names), problems: isUnderstood ? [] : [problem] };
}

/**
 * Reads the list of allowed base URLs. Undefined, as without one: any. An unreadable list allows no URL, since its
 * author meant to restrict.
 */
export function readAllowedOrigins(setting: unknown): {
  allowed: readonly OriginPattern[] | undefined;
  problems: string[];
} {
  const given = setting ?? [];
  if (!Array.isArray(given)) {
    const problem = l10n.t(
      'modelBench.allowedBaseUrls must be a list of base URLs. Until it is, only the built-in sandbox can be used.',
    );
    return { allowed: [], problems: [problem] };
  }
  const read = given.map((entry: unknown) => ({
    entry,
    pattern: typeof entry === 'string' ? readOriginPattern(entry) : undefined,
  }));
  const problems = read
    .filter(({ pattern }) => !pattern)
    .map(({ entry }) =>
      l10n.t(
        'modelBench.allowedBaseUrls, “{0}”: enter an origin such as https://models.example.com or https://*.example.com. Until it is one, it allows nothing.',
        typeof entry === 'string' ? entry : JSON.stringify(entry),
      ),
    );
  return { allowed: given.length === 0 ? undefined : read.flatMap(({ pattern }) => pattern ?? []), problems };
}
