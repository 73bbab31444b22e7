import type { JsonObject } from '../domain/json';
import type { ModeContract, RunExample, Shape } from '../domain/model';
import { isVectorMode } from '../domain/requestFaults';
import { isObject, type UnknownObject } from '../domain/value';
import { readPrice } from '../readers/price';
import { pick, pickText, plainName } from '../readers/records';
import { documentedShape } from './documentedShapes';
import { best, completeShape, type Evidence, substance } from './evidence';
import { pickRecord } from './fields';
import { isSchema } from './jsonSchema';
import type { FoundMode } from './modeLists';
import { isOpenApi, openApiOutput } from './openApi';
import { lookedAt, type RecordPlace } from './places';
import { nameRole } from './roles';

// The contract of one mode, from all that the records of a body say of it.

const VECTOR_FLAGS = ['vectorbacked', 'vectorenabled', 'requiresscope', 'scoperequired'];
const UNKNOWN: Shape = { schema: true, origin: 'unknown' };

/**
 * The contract of one mode.
 * @param near the detail and the record that lists the modes: an example of an input in other records may be anything
 * @param evidence that outside of lists of modes
 * @param names of all modes
 */
export function readMode(
  mode: FoundMode,
  near: readonly RecordPlace[],
  evidence: readonly Evidence[],
  names: readonly string[],
): ModeContract {
  const { name, records } = mode;
  const isShared = sharesModelSchema(name, names);
  const own = Object.fromEntries(records.toReversed().flatMap(({ record }) => Object.entries(record)));
  const shared = evidence.filter(
    (each) =>
      (each.mode === undefined ? isShared : plainName(each.mode) === plainName(name)) &&
      (substance(each.shape) > 1 || near.includes(each.place)),
  );
  const input = chosen('input', mode, shared);
  const params = chosen('params', mode, shared);
  const output = readOutput([...records, ...(isShared ? near : [])]);
  const ownExamples = examplesIn(own);
  const published =
    ownExamples.length > 0 || !isShared ? ownExamples : near.flatMap(({ record }) => examplesIn(record));
  return {
    name,
    title: pickText(own, 'title', 'displayname', 'label'),
    description: pickText(own, 'description', 'summary'),
    vectorBacked: isVectorMode(name) || VECTOR_FLAGS.some((flag) => pick(own, flag) === true),
    input: input ? completeShape(input) : (documentedShape(name) ?? UNKNOWN),
    params: params ? completeShape(params) : UNKNOWN,
    ...(output && { output }),
    examples: published.length > 0 ? published : requestExamples(input?.examples),
    price: readPrice(own),
  };
}

/** Two modes of a vector model take different input, so the model's one schema is that of `execute`, or of the others. */
function sharesModelSchema(name: string, names: readonly string[]): boolean {
  if (names.length <= 1 || /^execute$/i.test(name)) return true;
  return !isVectorMode(name) && !names.some((other) => /^execute$/i.test(other));
}

/** The mode's own shape before one for this mode, before a shared one, unless the later restricts more. */
function chosen(
  part: 'input' | 'params',
  mode: FoundMode,
  shared: readonly Evidence[],
): Evidence | undefined {
  return [mode.evidence, shared.filter((each) => each.mode !== undefined), shared]
    .map((group) => best(group.filter((each) => each.part === part)))
    .reduce((known, each) =>
      each && (known === undefined || substance(each.shape) > substance(known.shape)) ? each : known,
    );
}

/**
 * The schema of results, where a body has one beside that of the input, in the first of these records. It may describe
 * the whole response, with the result in it.
 */
function readOutput(places: readonly RecordPlace[]): Shape | undefined {
  for (const place of places)
    for (const [name, value] of [['', place.record], ...lookedAt(place.record)] as const) {
      if (!isObject(value)) continue;
      const schema = isOpenApi(value)
        ? openApiOutput(value)
        : nameRole(name) === 'output' && isSchema(value)
          ? value
          : undefined;
      const shape = schema && ({ schema, origin: 'declared' } as const);
      if (shape) return completeShape({ shape, around: [value, ...place.around] });
    }
  return undefined;
}

// Examples, in the detail of a model or of a mode, under the usual names.

/** The examples in a record: {input, params}, or the input alone; one, or a list of them. */
function examplesIn(record: UnknownObject): RunExample[] {
  return requestExamples(pick(record, 'examples', 'example', 'samples', 'defaultexample'));
}

/** The examples in a value that is known to hold some. */
function requestExamples(value: unknown): RunExample[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.slice(0, 50).flatMap((each) => (isObject(each) ? [readExample(each)] : []));
}

function readExample(value: UnknownObject): RunExample {
  const request = pickRecord(value, 'request', 'value', 'body');
  const record = request ?? value;
  const title = pickText(value, 'title', 'name', 'label', 'summary');
  const input = pickRecord(record, 'input', 'inputs');
  if (input === undefined) return { title: request && title, input: record as JsonObject, params: {} };
  // A `parameters` beside the input of one request; a payload may have both of them inside.
  const params = pick(record, 'params', 'parameters');
  return { title, input: input as JsonObject, params: isObject(params) ? (params as JsonObject) : {} };
}
