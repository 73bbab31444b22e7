import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import type { RunRequest } from '../domain/run';
import { badRequest } from './failures';

/** Section 2.1, rule 1: the platform's own. */
const MANAGED = ['resources', 'alias', 'collection', 'namespace'];
const SCOPE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const json = z.json();
const jsonObject = z.record(z.string(), json);
const runRequest = z.strictObject({
  model: z.string().check(z.minLength(1)),
  mode: z.optional(z.string().check(z.minLength(1))),
  scope: z.optional(z.string().check(z.regex(SCOPE))),
  input: jsonObject,
  params: jsonObject,
  options: z.optional(jsonObject),
});

/**
 * The bytes of a run request. Types keep what is forbidden out of our own code; this keeps it out whatever a cast,
 * a settings file or a command's argument brought in. The checks against the model's contract come before.
 * @throws ServiceError `invalidRequest`: nothing was sent
 */
export function runBody(request: RunRequest): Uint8Array {
  const given = request as unknown as Readonly<Record<string, unknown>>;
  const options = (given.options ?? {}) as Readonly<Record<string, unknown>>;
  for (const field of MANAGED)
    if (Object.hasOwn(given, field) || Object.hasOwn(options, field))
      throw badRequest(l10n.t('“{0}” is managed by the platform and must not be sent. Remove it.', field));
  if (Object.hasOwn(given, 'hardware_tier') || Object.hasOwn(options, 'hardware_tier'))
    throw badRequest(
      l10n.t('“hardware_tier” must not be sent: the hardware follows from the model’s release. Remove it.'),
    );
  if (Object.hasOwn(given, 'parameters')) throw badRequest(l10n.t('The name is “params”, not “parameters”.'));
  const checked = runRequest.safeParse(request);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    const place =
      issue?.path.join('.') || ((issue as { keys?: readonly string[] } | undefined)?.keys?.join(', ') ?? '');
    throw badRequest(
      place === 'scope' ? scopeSentence() : l10n.t('The run request is not valid at “{0}”.', place),
    );
  }
  const needsScope = request.mode === 'index' || request.mode === 'search';
  if (needsScope && request.scope === undefined)
    throw badRequest(l10n.t('The mode “{0}” needs a scope.', request.mode ?? ''));
  return new TextEncoder().encode(JSON.stringify(request));
}

function scopeSentence(): string {
  return l10n.t(
    'A scope starts with a letter or digit and has at most 64 letters, digits, dots, underscores and hyphens.',
  );
}
