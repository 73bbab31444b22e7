import type { Json } from '../../src/domain/json';
import type { ModelContract } from '../../src/domain/model';
import { childPointer } from '../../src/domain/pointer';
import { isObject, sameJson } from '../../src/domain/value';
import { readerFor } from '../../src/experiments/file/tableText';
import { compileSchema } from '../../src/forms/schema/compile';
import { flatten } from '../../src/forms/schema/flatten';
import { MEDIA_MARK, type Schema, type SchemaNode } from '../../src/forms/schema/node';
import { validateValue } from '../../src/forms/validate';

/** Fields whose valid values come back equal when they are written into a cell of CSV, and the others. */
export interface CellCheck {
  readonly equal: number;
  readonly changed: readonly string[];
}

/** Writes valid values of every field of a model's first mode into cells, and reads them again. */
export function checkCells(contract: ModelContract): CellCheck {
  const [mode] = contract.modes;
  const schema = mode?.input.schema;
  if (!mode || typeof schema !== 'object') return { equal: 0, changed: [] };
  const compiled = compileSchema(schema);
  const { properties } = flatten(compiled, compiled.root, undefined).node;
  const draft = { model: contract.slug, mode: mode.name, input: {}, params: {} };
  const changed: string[] = [];
  let equal = 0;
  for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
    const { node } = flatten(compiled, property as Schema, undefined);
    if (MEDIA_MARK in node) continue;
    const isValid = (value: Json) =>
      !validateValue(schema, { [name]: value }).issues.some(({ pointer }) =>
        pointer.startsWith(childPointer('', name)),
      );
    const read = readerFor(contract, draft, childPointer('/input', name));
    const values = sampleValues(node).filter(isValid);
    if (values.length === 0) continue;
    // A cell that is a valid text stays one, even if it has another meaning too.
    const wrong = values.find((value) => {
      const cell = typeof value === 'string' ? value : JSON.stringify(value);
      return !sameJson(read(cell), value) && !(typeof value !== 'string' && isValid(cell));
    });
    if (wrong === undefined) equal += 1;
    else changed.push(`${contract.slug} ${name}: ${JSON.stringify(wrong).slice(0, 80)}`);
  }
  return { equal, changed };
}

/** Values that a schema names, and plain ones; not all are valid. */
function sampleValues(node: SchemaNode): Json[] {
  const { default: usual, examples, enum: options, minimum, maximum } = node;
  const named = [
    usual,
    ...[examples, options].flatMap((list) => (Array.isArray(list) ? list : [])),
    minimum,
    maximum,
  ];
  const plain = ['a text', 1, 0.5, 64, true, [], ['a'], [1], {}];
  return [
    ...(named.filter((value) => value !== undefined && value !== null && value !== '') as Json[]),
    ...plain,
  ];
}
