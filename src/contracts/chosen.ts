import type { Json } from '../domain/json';
import type { ModelContract, Shape } from '../domain/model';
import { childPointer, pointerOf, segmentsOf } from '../domain/pointer';
import { getAt, isObject, type UnknownObject } from '../domain/value';
import { withDefinitions } from './definitions';
import { substance } from './evidence';
import { isSchema } from './jsonSchema';
import { readModel } from './model';
import { isOpenApi } from './openApi';
import { readShape } from './shape';

// Shapes that a user chooses in place of those that were found.

export type ShapePart = 'input' | 'params';
/** A place in the model's response, or a contract of the user's own. */
export type ChosenShape = { readonly at: string } | { readonly pasted: unknown };
/** By mode and part. */
export type ChosenShapes = Readonly<Record<string, Partial<Readonly<Record<ShapePart, ChosenShape>>>>>;

/** Values that are looked at, and shapes that are offered. */
const MOST_VALUES = 5000;
const MOST_SHAPES = 200;

/** All meaningful shapes in a body, with their places; outer ones first. */
export function shapesIn(raw: unknown): Shape[] {
  const shapes: Shape[] = [];
  const queue: { value: unknown; at: string }[] = [{ value: raw, at: '' }];
  for (let next = 0; next < queue.length && next < MOST_VALUES && shapes.length < MOST_SHAPES; next++) {
    const { value, at } = queue[next] as { value: unknown; at: string };
    const shape = at === '' ? undefined : described(value);
    if (shape !== undefined) shapes.push({ ...shape, at });
    else if (typeof value === 'object' && value !== null)
      for (const [key, member] of Object.entries(value).slice(0, 2000))
        queue.push({ value: member, at: childPointer(at, key) });
  }
  return shapes;
}

/** The shape that a value itself is; a record that has one in it is a layer. */
function described(value: unknown): Shape | undefined {
  const isOne = isObject(value) ? isSchema(value) : Array.isArray(value) || typeof value === 'string';
  const shape = isOne ? readShape(value) : undefined;
  return shape !== undefined && substance(shape) === 3 ? shape : undefined;
}

/** The shape of the value at a place of a body; undefined when it cannot be read as one. */
export function shapeAt(raw: unknown, at: string): Shape | undefined {
  const shape = inputShape(getAt(raw as Json, at));
  const segments = segmentsOf(at);
  const around = segments.map((_, count) => getAt(raw as Json, pointerOf(segments.slice(0, count))));
  const records = around.filter(isObject).toReversed() as UnknownObject[];
  return shape && { ...shape, schema: withDefinitions(shape.schema, records), at, chosen: 'place' };
}

/** The shape of a contract that a user wrote; undefined when it can be read as none. */
export function pastedShape(pasted: unknown): Shape | undefined {
  const shape = inputShape(pasted);
  return shape && { ...shape, chosen: 'pasted' };
}

/** An OpenAPI document contains its input; any other value is read unchanged. */
function inputShape(value: unknown): Shape | undefined {
  if (!isObject(value) || !isOpenApi(value)) return readShape(value);
  const { schema, origin } = readModel(value, '')?.modes[0]?.input ?? {};
  return schema === undefined || origin !== 'declared' ? undefined : { schema, origin };
}

/** A contract with the shapes that a user chose; a place that is no longer there counts as not chosen. */
export function withChosenShapes(contract: ModelContract, chosen: ChosenShapes): ModelContract {
  const modes = contract.modes.map((mode) => {
    const own = chosen[mode.name];
    if (own === undefined) return mode;
    const shapeOf = (part: ShapePart) => own[part] && chosenShape(contract.raw, own[part]);
    return { ...mode, input: shapeOf('input') ?? mode.input, params: shapeOf('params') ?? mode.params };
  });
  return { ...contract, modes };
}

function chosenShape(raw: unknown, chosen: ChosenShape): Shape | undefined {
  return 'at' in chosen ? shapeAt(raw, chosen.at) : pastedShape(chosen.pasted);
}
