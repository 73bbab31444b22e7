import { plainName } from '../readers/records';

/**
 * The role that a name gives to its value:
 * - `input`, `params`: their schema, fields or example
 * - `request`: the whole body of a run, of which input and params are parts
 * - `schema`: a schema, under a name that does not give its role
 * - `output`: that of a result
 * - `aside`: its value does not describe this model's input
 * - `layer`: anything; looked into
 */
type Role = 'input' | 'params' | 'request' | 'schema' | 'output' | 'aside' | 'layer';

const SUFFIX = '(?:json)?(?:schema|contract|spec|definition|fields?|shape|parameters|params)?s?$';

const PATTERNS: readonly (readonly [Role, RegExp])[] = [
  ['output', new RegExp(`^(?:model)?(?:output|response|result)s?${SUFFIX}`)],
  [
    'aside',
    /example|sample|^(?:tests?$|related|similar|training|pric|cost|metric|usage|limits?$|previous|deprecated|webhook|error)/,
  ],
  ['request', new RegExp(`^(?:request|body|requestbody|run(?=.))${SUFFIX}`)],
  ['input', new RegExp(`^(?:model)?(?:input|argument)s?${SUFFIX}`)],
  ['params', new RegExp(`^(?:model|mode|run)?(?:param|parameter|option)s?${SUFFIX}`)],
  ['schema', /^(?:json|model|api|openapi|contract)?(?:schema|spec|contract|document|interface)s?$|^fields$/],
];

/** Cleared when it is long: names come from bodies. */
const known = new Map<string, Role>();

/** The role of a name, in any spelling. */
export function nameRole(name: string): Role {
  if (name.length > 60) return 'layer';
  let role = known.get(name);
  if (role === undefined) {
    const plain = plainName(name).replace(/[^a-z0-9]/g, '');
    role = PATTERNS.find(([, pattern]) => pattern.test(plain))?.[0] ?? 'layer';
    if (known.size > 5000) known.clear();
    known.set(name, role);
  }
  return role;
}
