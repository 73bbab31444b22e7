import assert from 'node:assert/strict';
import { type ChosenShapes, pastedShape, shapeAt, withChosenShapes } from '../../../src/contracts/chosen';
import { readModel } from '../../../src/contracts/model';

const text = { type: 'object', properties: { text: { type: 'string' } } };
const other = { type: 'object', properties: { size: { $ref: '#/$defs/Size' } } };
const body = {
  slug: 'm',
  input_schema: text,
  drafts: { 'next/one': [{ schema: other }], fields: [{ name: 'a', type: 'int' }] },
  $defs: { Size: { type: 'string', enum: ['s', 'l'] } },
};

describe('Another schema', () => {
  it('replaces the published one, with its definitions, and says that the user chose it', () => {
    const found = readModel(body, 'm');
    assert.ok(found);
    const at = '/drafts/next~1one/0/schema';
    const { input } = withChosenShapes(found, { execute: { input: { at } } }).modes[0]!;
    assert.deepEqual(input, {
      schema: { ...other, $defs: body.$defs },
      origin: 'declared',
      at,
      chosen: 'place',
    });
  });

  it('loses to the published one if its place is gone, or it belongs to another mode', () => {
    const found = readModel(body, 'm');
    assert.ok(found);
    const gone: ChosenShapes[] = [
      { execute: { input: { at: '/gone' } } },
      { index: { input: { at: '/$defs' } } },
    ];
    for (const chosen of gone) assert.deepEqual(withChosenShapes(found, chosen), found);
  });

  it('comes from a pasted schema, fields, a document or an example', () => {
    const document = {
      openapi: '3.0.0',
      paths: { '/run': { post: { requestBody: { content: { 'application/json': { schema: text } } } } } },
    };
    for (const pasted of [text, [{ name: 'text', type: 'string' }], document, { text: 'hello' }]) {
      const { schema, chosen } = pastedShape(pasted) ?? {};
      assert.deepEqual(Object.keys((schema as { properties: object }).properties), ['text']);
      assert.equal(chosen, 'pasted');
    }
    for (const pasted of [1, null, 'text', [], {}, { ...document, paths: {} }])
      assert.equal(pastedShape(pasted), undefined);
    assert.deepEqual(shapeAt({ a: document }, '/a')?.schema, text);
  });
});
