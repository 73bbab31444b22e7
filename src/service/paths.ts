import { invalidRequest } from './failures';

/**
 * A path template that keeps parameters in their segment: each is percent-encoded, and one that is empty or that a
 * server or proxy could read as `.` or `..` (also after decoding `%2F` or `%2E`) is rejected.
 * @example path`/api/marketplace/models/${slug}`
 * @throws ServiceError `invalidRequest`
 */
export function path(strings: TemplateStringsArray, ...parameters: readonly string[]): string {
  return strings.reduce((before, part, index) => before + segment(parameters[index - 1] ?? '') + part);
}

function segment(parameter: string): string {
  const parts = parameter.split(/[/\\]|%2f|%5c/i);
  if (parameter === '' || parts.some((part) => /^(?:\.|%2e){1,2}$/i.test(part)))
    throw invalidRequest({ reason: 'modelName', model: parameter });
  try {
    return encodeURIComponent(parameter);
  } catch {
    // A lone surrogate has no UTF-8 form.
    throw invalidRequest({ reason: 'modelName', model: parameter });
  }
}

/** The query of a billing route: only the parameters that are set, encoded. */
export function query(parameters: Readonly<Record<string, string | undefined>>): string {
  const set = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return set.length === 0 ? '' : `?${new URLSearchParams(set)}`;
}
