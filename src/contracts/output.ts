import type { Shape } from '../domain/model';
import { isObject, type UnknownObject } from '../domain/value';
import { plainName } from '../readers/records';
import { isSchema } from './jsonSchema';
import type { MergedMode } from './modeLists';
import { isOpenApi, outputOf } from './openApi';
import { around, lookedAt, memberOf, type Place } from './places';
import { completeShape } from './ranking';

/** Names of the schema of a result. */
const OUTPUTS = /^(?:model)?(?:output|response|result)s?(?:json)?(?:schema|contract|spec|definition|shape)?$/;

/**
 * The schema of results, where a body has one beside that of the input: the mode's own, else the model's. It may
 * describe the whole response, with the result in it.
 * @param shared the records around the mode; empty where they are about other modes
 */
export function readOutput(mode: MergedMode, shared: readonly Place[]): Shape | undefined {
  const own = mode.from.flatMap(({ place }) => place ?? []);
  for (const place of [...own, ...shared])
    for (const { schema, document } of schemasIn(place)) {
      const shape: Shape = { schema, origin: 'declared' };
      return completeShape({ shape, around: [...document, ...around(place)] });
    }
  return undefined;
}

function schemasIn(place: Place): { schema: UnknownObject; document: UnknownObject[] }[] {
  const named = (name: string, value: unknown) =>
    OUTPUTS.test(plainName(name)) && isObject(value) && isSchema(value)
      ? [{ schema: value, document: [] }]
      : [];
  const documented = (value: unknown) => {
    const schema = isObject(value) && isOpenApi(value) ? outputOf(value) : undefined;
    return schema ? [{ schema, document: [value as UnknownObject] }] : [];
  };
  const members = lookedAt(place.record).map(([key]) => [key, memberOf(place, key)] as const);
  return [
    ...members.flatMap(([key, value]) => named(key, value)),
    ...[place.record, ...members.map(([, value]) => value)].flatMap(documented),
  ];
}
