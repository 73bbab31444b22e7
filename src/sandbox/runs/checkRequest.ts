import { Validator } from '@cfworker/json-schema';
import { badField, badRequest, type Detail } from '../http/errors';
import { isObject, type JsonObject } from '../json';
import { findModel } from '../models/catalog';
import type { Schema } from '../models/schema';

/** A run request that satisfies every rule of the interface (sections 2.1 and 4, rule 3). */
export type CheckedRun = ReturnType<typeof checkRequest>;

const FIELDS = ['model', 'mode', 'scope', 'input', 'params', 'options'];
const MANAGED = ['resources', 'alias', 'collection', 'namespace'];

/** Validates a run request. @throws {HttpError} 400 with every problem, 404 unknown or unpublished model */
export function checkRequest(body: JsonObject) {
  rejectFields(body);
  const { model: slug, mode: modeName = 'execute', scope, input, params = {}, options = {} } = body;
  if (typeof slug !== 'string' || slug === '') {
    throw badField('/model', 'missing_model', '"model" must be the slug or identifier of a published model.');
  }
  if (typeof modeName !== 'string') throw badField('/mode', 'invalid_mode', '"mode" must be a string.');
  if (!isObject(input)) throw badField('/input', 'invalid_input', '"input" must be a JSON object.');
  if (!isObject(params)) {
    throw badField('/params', 'invalid_params', '"params" must be a JSON object, also when it is empty.');
  }
  if (scope !== undefined && !isScope(scope)) {
    const rule = 'must start with a letter or digit and have at most 64 letters, digits, ".", "_" or "-"';
    throw badField('/scope', 'invalid_scope', `"scope" ${rule}.`);
  }
  checkOptions(options);

  const model = findModel(slug);
  const mode = Object.hasOwn(model.modes, modeName) ? model.modes[modeName] : undefined;
  if (mode === undefined) {
    const known = Object.keys(model.modes).join(', ');
    const message = `The model ${model.slug} has no mode "${modeName}"; it has: ${known}.`;
    throw badField('/mode', 'unsupported_mode', message);
  }
  if (mode.vectorBacked && scope === undefined) {
    const message = `The mode "${modeName}" reads or writes a dataset: "scope" is required.`;
    throw badField('/scope', 'missing_scope', message);
  }
  const problems = [
    ...schemaProblems(mode.inputSchema, input, '/input'),
    ...schemaProblems(mode.paramsSchema, params, '/params'),
  ];
  if (problems.length > 0) {
    const { path, message } = problems[0]!;
    const summary = `The request does not match the contract of ${model.slug}: ${path}: ${message}`;
    throw badRequest('schema_mismatch', summary, problems);
  }
  // Of the items that it writes; it is charged for each.
  const ids = mode.itemIds?.(input);
  const units = ids?.length ?? 1;
  return { model, modeName, mode, scope, input, params, ids, units, cost: mode.price.micros * units };
}

const isScope = (scope: unknown): scope is string =>
  typeof scope === 'string' && /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(scope);

function rejectFields(body: JsonObject): void {
  const reject = (fields: readonly string[], code: string, summary: string, message: string, hint = '') => {
    if (fields.length === 0) return;
    const details = fields.map((field) => ({ path: `/${field}`, message }));
    throw badRequest(code, `${summary}: ${fields.join(', ')}.${hint}`, details);
  };
  reject(
    MANAGED.filter((field) => Object.hasOwn(body, field)),
    'managed_field',
    'These fields are managed by the platform and must not be sent',
    'is managed by the platform',
  );
  reject(
    Object.keys(body).filter((field) => !FIELDS.includes(field)),
    'unknown_field',
    'Unknown fields in the run request',
    'is not a field of a run request',
    Object.hasOwn(body, 'parameters') ? ' The name is "params", not "parameters".' : '',
  );
}

function checkOptions(options: unknown): void {
  if (!isObject(options)) throw badField('/options', 'invalid_options', '"options" must be a JSON object.');
  const field = ['hardware_tier', ...MANAGED].find((name) => Object.hasOwn(options, name));
  if (field === undefined) return;
  const message = `"${field}" must not be sent: the model's published release determines it.`;
  throw badField(`/options/${field}`, 'forbidden_option', message);
}

const validators = new WeakMap<Schema, Validator>();

/** Keywords with an error that only repeats that of a nested keyword. */
const CONTAINERS = new Set(['properties', 'items', 'additionalItems', 'prefixItems', '$ref', 'allOf']);

/** The places where a value violates a schema; `base` is the pointer to the value. */
function schemaProblems(schema: Schema, value: unknown, base: string): Detail[] {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = new Validator(schema, '2020-12', false);
    validators.set(schema, validator);
  }
  const { errors } = validator.validate(value);
  const specific = errors.filter(({ keyword }) => !CONTAINERS.has(keyword));
  const problems = (specific.length > 0 ? specific : errors).map(({ instanceLocation, error }) => ({
    path: `${base}${instanceLocation.replace(/^#/, '')}`,
    message: error,
  }));
  // Each once.
  return [...new Map(problems.map((problem) => [`${problem.path}\n${problem.message}`, problem])).values()];
}
