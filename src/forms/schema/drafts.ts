import { isObject } from '../../domain/value';

/** How a schema's keywords are to be read. */
export interface Dialect {
  /** 3 to 7, 2019 or 2020; undefined: not declared. */
  readonly draft: number | undefined;
  /** Keywords beside a `$ref`: ignored up to draft 7, applied since; without a declared draft, either is possible. */
  readonly besideRef: 'applies' | 'ignored' | 'unknown';
  /** The schema names a metaschema that is not known here: any keyword may mean something else. */
  readonly isForeign: boolean;
}

const UNDECLARED: Dialect = { draft: undefined, besideRef: 'unknown', isForeign: false };

/** The draft in which a keyword came, for those that draft 3 did not have. */
const SINCE: ReadonlyMap<string, number> = new Map([
  ...keywords(4, 'allOf anyOf oneOf not multipleOf minProperties maxProperties'),
  ...keywords(6, 'const contains propertyNames'),
  ...keywords(7, 'if'),
  ...keywords(2019, 'dependentRequired dependentSchemas unevaluatedProperties unevaluatedItems'),
  ...keywords(2019, 'minContains maxContains'),
  ...keywords(2020, 'prefixItems'),
]);

function keywords(draft: number, names: string): [string, number][] {
  return names.split(' ').map((name) => [name, draft]);
}

/** Whether a keyword means nothing in a schema of this draft, though later drafts have it. */
export function isTooNew(keyword: string, { draft }: Dialect): boolean {
  return draft !== undefined && draft < (SINCE.get(keyword) ?? 0);
}

/** The dialect of a whole document, from `$schema`, an OpenAPI version, or keywords of the newest drafts. */
export function schemaDialect(document: { readonly [key: string]: unknown }): Dialect {
  if (typeof document.$schema === 'string') return declaredDialect(document.$schema);
  const version = String(document.openapi ?? document.swagger ?? '');
  if (/^3\.[1-9]/.test(version) || isObject(document.$defs)) return { ...UNDECLARED, besideRef: 'applies' };
  return /^[23]\./.test(version) ? { ...UNDECLARED, besideRef: 'ignored' } : UNDECLARED;
}

/** The dialect that a `$schema` names. */
export function declaredDialect(schema: string): Dialect {
  const old = /json-schema\.org\/draft-0?([1-7])\//.exec(schema)?.[1];
  if (old !== undefined) return { draft: Number(old), besideRef: 'ignored', isForeign: false };
  const recent = /json-schema\.org\/draft\/(20\d\d)-/.exec(schema)?.[1];
  if (recent !== undefined) return { draft: Number(recent), besideRef: 'applies', isForeign: false };
  const isNewest = /json-schema\.org\/|spec\.openapis\.org\/oas\/3\.[1-9]/.test(schema);
  if (isNewest) return { draft: undefined, besideRef: 'applies', isForeign: false };
  return { ...UNDECLARED, isForeign: true };
}
