import assert from 'node:assert/strict';
import fc from 'fast-check';
import { contract, formsOf, wrapper } from '../../support/placedContracts';

// However a contract is spelled and packed, the form is the same.

type Style = (words: readonly string[]) => string;

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const styles: Record<string, Style> = {
  snake: (words) => words.join('_'),
  kebab: (words) => words.join('-'),
  camel: ([first = '', ...rest]) => first + rest.map(capital).join(''),
  pascal: (words) => words.map(capital).join(''),
  capitals: (words) => words.join('_').toUpperCase(),
};

/** Names of the contract itself: those of fields, and keywords of schemas, are sent and must stay unchanged. */
const OURS =
  /^(?:modes|operations|supported_modes|schemas|(?:input|params|request|openapi)_?schema|fields_in|parameters|input|params|slug)$/i;

/** A body in which the contract's own names are spelled in a style; schemas, fields and documents stay. */
function restyled(value: unknown, style: Style): unknown {
  if (Array.isArray(value)) return value.map((item) => restyled(item, style));
  if (typeof value !== 'object' || value === null || 'openapi' in value) return value;
  if ('properties' in value || ('name' in value && 'type' in value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const words = key
        .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
        .toLowerCase()
        .split(/[_-]/);
      return [OURS.test(key) ? style(words) : key, restyled(member, style)];
    }),
  );
}

const nothing = fc.constantFrom<unknown>(null, {}, [], '');
const empty = fc.dictionary(
  fc.constantFrom(
    'input_schema',
    'inputSchema',
    'params_schema',
    'openapi_schema',
    'modes',
    'supportedModes',
    'operations',
    'parameters',
    'inputs',
    'examples',
    'schema',
    'contract_v0',
  ),
  nothing,
  { maxKeys: 4 },
);

describe('A contract, however it is spelled', () => {
  it('gives the same form in any style of names', () => {
    fc.assert(
      fc.property(contract, fc.constantFrom(...Object.keys(styles)), (bare, style) => {
        const body = restyled({ slug: 'm', ...bare }, styles[style] as Style);
        assert.deepEqual(formsOf(body), formsOf({ slug: 'm', ...bare }), JSON.stringify(body));
      }),
      { numRuns: 300 },
    );
  });

  it('gives the same form beside parts that are null or empty', () => {
    fc.assert(
      fc.property(
        contract,
        fc.array(fc.tuple(wrapper, empty), { minLength: 1, maxLength: 4 }),
        (bare, layers) => {
          const body = layers.reduce<object>((inner, [name, beside]) => ({ ...beside, [name]: inner }), bare);
          assert.deepEqual(
            formsOf({ slug: 'm', ...body }),
            formsOf({ slug: 'm', ...bare }),
            JSON.stringify(body),
          );
        },
      ),
      { numRuns: 500 },
    );
  });
});
