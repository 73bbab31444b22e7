import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readModel } from '../../../src/contracts/model';
import { root } from '../../support/paths';

/** Input schemas of Hugging Face's tasks (MIT): contracts by other authors. `npm run corpora` reads thousands. */
const TASKS = path.join(root, 'node_modules/@huggingface/tasks/src/tasks');
const files = globSync('*/spec/input.json', { cwd: TASKS });

describe('Published contracts', () => {
  it('exist', () => assert.ok(files.length > 25, `${files.length}`));

  for (const file of files)
    it(`stay unchanged, in any usual place: ${path.dirname(path.dirname(file))}`, () => {
      const schema: unknown = JSON.parse(readFileSync(path.join(TASKS, file), 'utf8'));
      const output_schema = { type: 'object', properties: { label: { type: 'string' } } };
      for (const detail of [
        { slug: 'm', input_schema: schema, output_schema },
        { data: { model: { slug: 'm', spec: { input: schema, output: output_schema } } } },
        {
          slug: 'm',
          modes: ['execute'],
          release: { contract: { operations: { execute: { inputSchema: schema } } } },
        },
        { slug: 'm', versions: [{ version: '2', inputSchema: JSON.stringify(schema) }] },
      ]) {
        const input = readModel(detail, 'm')?.modes[0]?.input;
        assert.equal(input?.origin, 'declared');
        assert.deepEqual(input.schema, schema);
      }
    });
});
