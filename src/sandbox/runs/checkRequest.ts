import { badField, badRequest, type Detail } from '../http/errors';
import { isObject, type JsonObject } from '../json';
import type { Catalog } from '../models/catalog';
import type { ModelMode, SandboxModel } from '../models/model';
import { schemaProblems } from './schemaProblems';

/** A run request that satisfies every rule of the interface (sections 2.1 and 4, rule 3). */
export interface CheckedRun {
  readonly model: SandboxModel;
  readonly modeName: string;
  readonly mode: ModelMode;
  readonly scope?: string;
  readonly input: JsonObject;
  readonly params: JsonObject;
  /** Of the items that it writes. */
  readonly ids?: readonly string[];
  /** How many it is charged for. */
  readonly units: number;
}

const FIELDS = ['model', 'mode', 'scope', 'input', 'params', 'options'];
const MANAGED = ['resources', 'alias', 'collection', 'namespace'];
const SCOPE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * Validates a run request against the interface and the model's contract.
 *
 * @throws {HttpError} 400 with every problem, 404 unknown or unpublished model
 */
export function checkRequest(body: JsonObject, catalog: Catalog): CheckedRun {
  rejectForbidden(body);
  const { model: slug, mode: modeName = 'execute', scope, input, params = {}, options } = body;
  if (typeof slug !== 'string' || slug === '') {
    throw badField('/model', 'missing_model', '"model" must be the slug or identifier of a published model.');
  }
  if (typeof modeName !== 'string') throw badField('/mode', 'invalid_mode', '"mode" must be a string.');
  if (!isObject(input)) throw badField('/input', 'invalid_input', '"input" must be a JSON object.');
  if (!isObject(params)) {
    throw badField('/params', 'invalid_params', '"params" must be a JSON object, also when it is empty.');
  }
  if (scope !== undefined) checkScope(scope);
  checkOptions(options);

  const model = catalog.find(slug);
  const mode = Object.hasOwn(model.modes, modeName) ? model.modes[modeName] : undefined;
  if (mode === undefined) {
    const known = Object.keys(model.modes).join(', ');
    throw badField(
      '/mode',
      'unsupported_mode',
      `The model ${model.slug} has no mode "${modeName}"; it has: ${known}.`,
    );
  }
  if (mode.vectorBacked && scope === undefined) {
    throw badField(
      '/scope',
      'missing_scope',
      `The mode "${modeName}" reads or writes a dataset: "scope" is required.`,
    );
  }
  const problems: Detail[] = [
    ...schemaProblems(mode.inputSchema, input, '/input'),
    ...schemaProblems(mode.paramsSchema, params, '/params'),
  ];
  if (problems.length > 0) {
    const where = problems[0]!.path;
    throw badRequest(
      'schema_mismatch',
      `The request does not match the contract of ${model.slug}: ${where}: ${problems[0]!.message}`,
      problems,
    );
  }
  const ids = mode.itemIds?.(input);
  return {
    model,
    modeName,
    mode,
    scope: scope as string | undefined,
    input,
    params,
    ids,
    units: ids?.length ?? 1,
  };
}

function rejectForbidden(body: JsonObject): void {
  const managed = MANAGED.filter((field) => Object.hasOwn(body, field));
  if (managed.length > 0) {
    throw badRequest(
      'managed_field',
      `These fields are managed by the platform and must not be sent: ${managed.join(', ')}.`,
      managed.map((field) => ({ path: `/${field}`, message: 'is managed by the platform' })),
    );
  }
  const unknown = Object.keys(body).filter((field) => !FIELDS.includes(field));
  if (unknown.length > 0) {
    const hint = unknown.includes('parameters') ? ' The name is "params", not "parameters".' : '';
    throw badRequest(
      'unknown_field',
      `Unknown fields in the run request: ${unknown.join(', ')}.${hint}`,
      unknown.map((field) => ({ path: `/${field}`, message: 'is not a field of a run request' })),
    );
  }
}

function checkScope(scope: unknown): void {
  if (typeof scope === 'string' && SCOPE.test(scope)) return;
  throw badField(
    '/scope',
    'invalid_scope',
    '"scope" must start with a letter or digit and have at most 64 letters, digits, ".", "_" or "-".',
  );
}

function checkOptions(options: unknown): void {
  if (options === undefined) return;
  if (!isObject(options)) throw badField('/options', 'invalid_options', '"options" must be a JSON object.');
  for (const field of ['hardware_tier', ...MANAGED]) {
    if (Object.hasOwn(options, field)) {
      throw badField(
        `/options/${field}`,
        'forbidden_option',
        `"${field}" must not be sent: the model's published release determines it.`,
      );
    }
  }
}
