import type { Shape } from '../../domain/model';
import { isObject } from '../../domain/value';
import type { MergedMode } from './contract/modeLists';
import { around, lookedAt, memberOf, type Place } from './contract/places';
import { completeShape } from './contract/ranking';
import { isSchema } from './jsonSchema';
import { plainName } from './records';

/** Names of the schema of a result. */
const OUTPUTS = /^(?:model)?(?:output|response|result)s?(?:json)?(?:schema|contract|spec|definition|shape)?$/;

/**
 * The schema of results, where a body has one beside that of the input: the mode's own, else the model's. It may
 * describe the whole response, with the result in it.
 * @param shared the records around the mode; none where they are about other modes
 */
export function* readOutput(mode: MergedMode, shared: readonly Place[]): Generator<void, Shape | undefined> {
  const own = mode.from.flatMap(({ place }) => place ?? []);
  for (const place of [...own, ...shared])
    for (const [key] of lookedAt(place.record)) {
      if (!OUTPUTS.test(plainName(key))) continue;
      const schema = memberOf(place, key);
      if (!isObject(schema) || !isSchema(schema)) continue;
      const shape: Shape = { schema, origin: 'declared' };
      return yield* completeShape({ shape, around: around(place) });
    }
  return undefined;
}
