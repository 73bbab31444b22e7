import type { JsonSchema } from '../../../src/domain/json';
import type { ModeContract, ModelContract } from '../../../src/domain/model';

const declared = (schema: JsonSchema) => ({ schema: schema as never, origin: 'declared' as const });

/** A mode with declared schemas. */
export function modeWith(
  input: JsonSchema,
  more: Partial<ModeContract> & { params?: never } = {},
): ModeContract {
  return {
    name: 'execute',
    vectorBacked: false,
    input: declared(input),
    params: declared({ type: 'object', properties: { top_k: { type: 'integer', minimum: 1, maximum: 10 } } }),
    examples: [],
    ...more,
  };
}

export function contractOf(...modes: readonly ModeContract[]): ModelContract {
  return { slug: 'm', name: 'M', tags: [], modeNames: [], raw: {}, modes, modesDeclared: true };
}
