import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { runFile } from '../../../src/runFiles/format';
import { root } from '../../support/paths';

const file = path.join(root, 'schemas/run-file.schema.json');

/** The initial content for people without a file; `allowTrailingCommas` is VS Code's own. */
const forEditors = {
  title: 'Run file of Model Bench',
  allowTrailingCommas: true,
  defaultSnippets: [
    {
      label: 'Run file',
      description: 'A request for a model',
      body: { version: 1, model: '$1', input: {}, params: {} },
    },
  ],
};

describe('The JSON schema of run files', () => {
  // UPDATE=1 writes it after a change of the format.
  it('equals the format’s', () => {
    const made = { ...z.toJSONSchema(runFile, { io: 'input', target: 'draft-7' }), ...forEditors };
    if (process.env.UPDATE) writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`);
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), made);
  });
});
