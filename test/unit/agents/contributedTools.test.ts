import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { inputSchemaOf } from '../../../src/agents/toolInputs';
import { contributedName, toolNames } from '../../../src/agents/toolNames';
import { toolTexts } from '../../../src/agents/toolTexts';
import { root } from '../../support/paths';

describe('The tools in package.json', () => {
  const { contributes } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const languageModelTools: readonly {
    readonly name: string;
    readonly modelDescription: string;
    readonly inputSchema: unknown;
  }[] = contributes.languageModelTools;

  it('match the tools of other clients: names, descriptions and schemas', () => {
    assert.deepEqual(
      languageModelTools.map(({ name, modelDescription, inputSchema }) => ({
        ...{ name, modelDescription, inputSchema },
      })),
      toolNames.map((tool) => ({
        name: contributedName(tool),
        modelDescription: toolTexts[tool].description,
        inputSchema: inputSchemaOf(tool),
      })),
    );
  });

  it('come to VS Code once, by no server of the Model Context Protocol', () => {
    assert.ok(!('mcpServerDefinitionProviders' in contributes));
  });

  it('use schemas that every client reads, without references and unions', () => {
    assert.doesNotMatch(JSON.stringify(languageModelTools), /"(?:\$ref|anyOf|oneOf|allOf)"/);
  });
});
