import { isObject, type UnknownObject } from '../../../domain/value';

/** {oneOf: [{properties: {mode: {const: "execute"}, input: ...}}, ...]}: empty unless all variants are of one mode. */
export function variantsByMode({
  oneOf,
  anyOf,
}: UnknownObject): { mode: string; variant: UnknownObject; path: string }[] {
  const [list, keyword] = Array.isArray(oneOf) ? [oneOf, 'oneOf'] : [anyOf, 'anyOf'];
  if (!Array.isArray(list) || list.length > 50) return [];
  const variants = list.flatMap((variant: unknown, index) => {
    const properties = isObject(variant) && isObject(variant.properties) ? variant.properties : {};
    const named = isObject(properties.mode) ? (properties.mode as UnknownObject) : {};
    const [mode, ...others] = Array.isArray(named.enum) ? (named.enum as unknown[]) : [named.const];
    return isObject(variant) && typeof mode === 'string' && others.length === 0
      ? [{ mode, variant: variant as UnknownObject, path: `/${keyword}/${index}` }]
      : [];
  });
  return variants.length === list.length ? variants : [];
}
