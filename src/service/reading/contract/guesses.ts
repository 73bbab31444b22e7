import { isObject } from '../../../domain/value';
import { plainName } from '../records';
import { isSchema } from '../shape';
import { type Evidence, evidenceOfMode, mayBeObject } from './evidence';
import { childPlace, isClosed, lookedAt, memberOf, type Place } from './places';
import { substance } from './ranking';
import { modeInName, roleOf } from './roles';

// Schemas under names that do not say what they describe. Asked for only where nothing else describes an input.

/** Names of what goes in, that may also be those of anything else. */
const TAKES =
  /^(?:in|takes|accepts|consumes|expects|receives|needs|form|fields|controls|variables|widgets|properties)$/;

/** Names of what is about a model and goes into no run. */
const ABOUT =
  /meta|config|settings?|state|memory|secret|credential|environment|auth|header|label|tag|stat|metric|column|dataset/;

/** The schemas and lists of fields in a record that may be those of the input, of which no name says so. */
export function guessesIn(place: Place): Evidence[] {
  const { record, bounds } = place;
  if (isClosed(record) || bounds.records-- <= 0) return [];
  return lookedAt(record).flatMap(([key]) => {
    const value = memberOf(place, key);
    if (!isDescription(value) || !isOpen(key) || ABOUT.test(plainName(key))) return [];
    const weight = TAKES.test(plainName(key)) ? 1 : 0;
    return evidenceOfMode(value, childPlace(place, key, isObject(value) ? value : {}))
      .filter(({ shape }) => substance(shape) === 3)
      .map((each) => ({ ...each, weight }));
  });
}

/** Whether a name says nothing of its schema: "search_input_schema" is that of one mode, and of no other. */
function isOpen(key: string): boolean {
  return roleOf(key) === 'layer' && roleOf(modeInName(key)?.rest ?? '') === 'layer';
}

function isDescription(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isObject);
  return isObject(value) && isSchema(value) && mayBeObject(value);
}
