import { plainName } from '../readers/records';

/**
 * The role that a name gives to its value:
 * - `input`, `params`: their schema, fields or example
 * - `request`: the whole body of a run, of which input and params are parts
 * - `schema`: a schema, under a name that does not give its role
 * - `output`, `example`, `aside`: their values do not describe this model's input
 * - `layer`: anything; looked into
 */
export type Role = 'input' | 'params' | 'request' | 'schema' | 'output' | 'example' | 'aside' | 'layer';

const SUFFIX =
  '(?:json|openapi)?(?:schema|contract|spec|specification|definition|fields?|shape|signature|format|info|properties|variables|form|parameters|params|arguments|args|structure|config)?s?';

const PATTERNS: readonly (readonly [Role, RegExp])[] = [
  [
    'output',
    new RegExp(
      `^(?:model)?(?:output|response|result|return|error|webhook|callback|event|stream|chunk)s?${SUFFIX}$`,
    ),
  ],
  ['output', /^(?:out|gives|produces|emits|yields|returns|replies|answers?)$/],
  ['output', /^(?:schema|fields)(?:out|output|response|stream|error)$|^out(?:schema|fields)$/],
  [
    'example',
    /^(?:default|sample|example|test|demo|mock)(?:model)?(?:input|request|payload|run|prediction|case|body)s?$/,
  ],
  [
    'example',
    /^(?:default|run|input|model|usage)?(?:examples?|samples?)$|^(?:tests?|widgetdata|prefill|fixtures?)$/,
  ],
  [
    'aside',
    /^(?:related|similar|recommend|alternativ|sibling|forks?$|dependenc|training|train|finetun|hyperparam|pric|cost|billing|metric|benchmark|statistic|stats$|usage|limits?$|ratelimit|licen|readme|changelog|history|previous|deprecated|hardware|architecture|authors?$|owners?$|links?$|urls?$)/,
  ],
  ['request', new RegExp(`^(?:request|body|requestbody|payload(?=.)|run(?=.))${SUFFIX}$`)],
  ['input', new RegExp(`^(?:model|user|predict|inference)?(?:input|instance|argument|arg)s?${SUFFIX}$`)],
  ['input', /^(?:schema|fields|spec)(?:for)?(?:in|inputs?)$|^in(?:schema|fields)$|^form(?:schema|fields)$/],
  [
    'params',
    new RegExp(
      `^(?:model|inference|generation|sampling|default|supported|run|mode)?(?:param|parameter)s?${SUFFIX}$`,
    ),
  ],
  ['params', /^(?:options?|settings?|config(?:uration)?)(?:schema|contract|spec|fields)$/],
  [
    'schema',
    /^(?:json|model|api|contract|tool|function)?schemas?$|^(?:model|api)?(?:contract|interface|signature|definition|spec|specification)$|^(?:open)?api(?:document|doc|spec|json|schema|30)?$|^swagger(?:json|doc|spec)?$|^fields$/,
  ],
];

const known = new Map<string, Role>();

/** The role of a name, in any spelling. */
export function nameRole(name: string): Role {
  if (name.length > 60) return 'layer';
  let role = known.get(name);
  if (role === undefined) {
    const plain = plainName(name).replace(/[^a-z0-9]/g, '');
    role = PATTERNS.find(([, pattern]) => pattern.test(plain))?.[0] ?? 'layer';
    // Names come from bodies: the table must not grow with them for ever.
    if (known.size > 5000) known.clear();
    known.set(name, role);
  }
  return role;
}

/** The mode that a name mentions, and the rest of the name: "searchInputSchema", "input_schema_index". */
export function modeInName(name: string): { readonly mode: string; readonly rest: string } | undefined {
  // Asked of every name in a body; hardly any has one.
  if (!/execute|index|search/i.test(name)) return undefined;
  const plain = plainName(name);
  const match = /^(execute|index|search)(.+)$/.exec(plain) ?? undefined;
  if (match?.[1] !== undefined && match[2] !== undefined) return { mode: match[1], rest: match[2] };
  const last = /^(.+?)(?:for)?(execute|index|search)$/.exec(plain);
  return last?.[1] !== undefined && last[2] !== undefined ? { mode: last[2], rest: last[1] } : undefined;
}
