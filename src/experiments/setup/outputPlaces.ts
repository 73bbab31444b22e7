import * as l10n from '@vscode/l10n';
import type { Json, JsonSchema } from '../../domain/json';
import { type ModelContract, modeOf } from '../../domain/model';
import { nearestName } from '../../domain/nearestName';
import { segmentsOf } from '../../domain/pointer';
import type { Problem } from '../../domain/problems';
import { getAt, isObject, ownOf, type UnknownObject } from '../../domain/value';
import type { ExperimentFile } from '../file/format';
import { comparingOf, placeIn } from '../results/measuredValue';

/** Compared places that results of a model certainly do not have, by its output schema. */
export function missingOutputs(
  experiment: ExperimentFile,
  mode: string,
  contracts: ReadonlyMap<string, ModelContract>,
): Problem[] {
  // With another mode, results are others.
  if (Object.hasOwn(experiment.vary ?? {}, '/mode')) return [];
  const { at } = comparingOf(experiment);
  return [...contracts].flatMap(([model, contract]) => {
    const place = placeIn(at, { '/model': model });
    const schema = modeOf(contract, mode)?.output?.schema;
    if (schema === undefined || hasPlace(schema, segmentsOf(place))) return [];
    const names = Object.keys(resolved(schema, schema).properties ?? {});
    const near = nearestName(segmentsOf(place).at(-1) ?? '', names);
    const message =
      near === undefined
        ? l10n.t('By its output schema, the result of {0} has no {1}.', contract.name, place)
        : l10n.t(
            'By its output schema, the result of {0} has no {1}. Did you mean “{2}”?',
            ...[contract.name, place, near],
          );
    return [{ pointer: '/expected/at', message }];
  });
}

/** Layers of a response that may be around the result. */
const MOST_LAYERS = 3;

/** Whether a result may have a place. The schema may be that of the response, which has the result in it. */
function hasPlace(root: JsonSchema, segments: readonly string[], part: unknown = root, layers = 0): boolean {
  if (mayHave(root, part, segments)) return true;
  return (
    layers < MOST_LAYERS && schemaMembers(root, part).some((one) => hasPlace(root, segments, one, layers + 1))
  );
}

function schemaMembers(root: JsonSchema, part: unknown): unknown[] {
  const { properties } = resolved(root, part);
  return isObject(properties) ? Object.values(properties) : [];
}

/** The schema that a local reference names. */
function resolved(root: JsonSchema, schema: unknown): UnknownObject {
  const { $ref } = isObject(schema) ? (schema as UnknownObject) : {};
  const target =
    typeof $ref === 'string' && $ref.startsWith('#') ? getAt(root as Json, $ref.slice(1)) : schema;
  return isObject(target) ? (target as UnknownObject) : {};
}

/** Keywords that may allow more, or refer to another place: not followed. */
const OPEN = ['allOf', 'anyOf', 'oneOf', 'if', 'patternProperties', 'dependentSchemas', '$dynamicRef'];
const DEEPEST = 30;

function mayHave(root: JsonSchema, schema: unknown, segments: readonly string[], depth = 0): boolean {
  const [first, ...others] = segments;
  if (first === undefined || !isObject(schema) || depth > DEEPEST) return schema !== false;
  const { $ref, type, properties, items, additionalProperties } = schema as UnknownObject;
  // Without named members, `{}` is open.
  if (typeof $ref === 'string') return mayHave(root, resolved(root, schema), segments, depth + 1);
  if (OPEN.some((keyword) => Object.hasOwn(schema, keyword))) return true;
  const types = [type].flat();
  const isOf = (name: string) => type === undefined || types.includes(name);
  if (
    isOf('array') &&
    /^\d+$/.test(first) &&
    (items === undefined || mayHave(root, items, others, depth + 1))
  )
    return true;
  if (!isOf('object')) return false;
  const member = isObject(properties) ? ownOf(properties, first) : undefined;
  return mayHave(root, member ?? additionalProperties, others, depth + 1);
}
