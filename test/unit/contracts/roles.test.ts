import assert from 'node:assert/strict';
import fc from 'fast-check';
import { modeInName, type Role, roleOf } from '../../../src/contracts/roles';

/** A name in a spelling that hardly ever repeats: the role of a name is remembered. */
const spelled = (plain: string) =>
  fc
    .tuple(
      fc.array(fc.boolean(), { minLength: plain.length, maxLength: plain.length }),
      fc.array(fc.constantFrom('', '_', '-', ' ', '__'), {
        minLength: plain.length,
        maxLength: plain.length,
      }),
    )
    .map(([upper, between]) =>
      [...plain]
        .map((letter, at) => `${at > 0 ? between[at] : ''}${upper[at] ? letter.toUpperCase() : letter}`)
        .join(''),
    )
    .filter((name) => name.length <= 60);

const ROLES: Readonly<Record<Role, string>> = {
  input:
    'input inputs inputschema modelinput userinputs inputcontract inputopenapischema arguments schemain form_schema',
  params: 'params parameters paramsschema modelparameters inferenceparams optionsschema configschema',
  request: 'request requests requestbody body bodyschema payloadschema runschema requestcontract',
  schema: 'schema jsonschema apischema contract modelcontract openapidocument swagger api30 tool_schema',
  output: 'output outputs responseschema resultformat webhook returns outschema schemaout streamschema error',
  example: 'example examples defaultinput sampleinput testcases inputexamples widgetdata prefill mockrequest',
  aside: 'relatedmodels training pricing hyperparameters readme previousversions license statistics urls',
  layer: 'payload run model data latestversion spectrum outline inputter research configuration exampled',
};

describe('The role of a name in a contract', () => {
  for (const [role, names] of Object.entries(ROLES))
    it(`stays the same in any spelling: ${role}`, () => {
      for (const name of names.split(' '))
        fc.assert(
          fc.property(spelled(name.replaceAll('_', '')), (written) => {
            assert.equal(roleOf(written), role, written);
            assert.equal(roleOf(written), role, 'asked again');
          }),
          { numRuns: 5 },
        );
    });

  it('stays open for a text that is too long for a name, or consists of signs only', () => {
    assert.equal(roleOf(`input${'_'.repeat(55)}`), 'input');
    const names = fc.nat({ max: 1e9 }).map((n) => [`inputs${'_'.repeat(60)}${n % 2 ? 's' : ''}`, `…${n}…`]);
    fc.assert(
      fc.property(names, (all) => assert.deepEqual(all.map(roleOf), ['layer', 'layer'])),
      { numRuns: 10 },
    );
    fc.assert(
      fc.property(fc.nat(99), (n) =>
        assert.equal(roleOf(`[${'.'.repeat(n % 20)}input:${'.'.repeat(n % 30)}]`), 'input'),
      ),
      { numRuns: 10 },
    );
  });

  it('names its mode at its beginning or its end', () => {
    for (const [name, found] of [
      ['searchInputSchema', { mode: 'search', rest: 'inputschema' }],
      ['INDEX_PARAMS', { mode: 'index', rest: 'params' }],
      ['execute-x', { mode: 'execute', rest: 'x' }],
      ['input_schema_index', { mode: 'index', rest: 'inputschema' }],
      ['paramsForExecute', { mode: 'execute', rest: 'params' }],
      ['x_search', { mode: 'search', rest: 'x' }],
      ['search', undefined],
      ['input_schema', undefined],
      ['input_searching', undefined],
      ['my_search_input', undefined],
    ] as const)
      assert.deepEqual(modeInName(name), found, name);
  });
});
