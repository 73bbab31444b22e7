import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../support/paths';

/** Lines of code that read responses: one rule, and a mapping for the rest. */
const MOST_LINES = { 'src/readers': 1700, 'src/contracts': 1200 } as const;

/** Makers of services and frameworks: their layouts are for a response mapping, not for a table of ours. */
const COMPANIES =
  /\b(?:openai|openrouter|anthropic|amazon|aws|sagemaker|azure|google|vertex|replicate|hugging ?face|salesforce|elasticsearch|qdrant|milvus|typesense|baidu|tencent|cohere|ollama|deepseek|kling|minimax|stability|seldon|triton|kong|laravel|django|fastapi|spring boot|comfyui|n8n|firestore|dynamodb)\b/i;

const linesOf = (file: string) => readFileSync(path.join(root, file), 'utf8').split('\n');
const filesIn = (folder: string) =>
  globSync(`${folder}/**/*.ts`, { cwd: root }).map((file) => file.replaceAll('\\', '/'));

describe('The rooms that read responses', () => {
  for (const [room, most] of Object.entries(MOST_LINES))
    it(`stays within its lines: ${room}`, () => {
      const lines = filesIn(room).reduce((sum, file) => sum + linesOf(file).length - 1, 0);
      assert.ok(lines > 0 && lines <= most, `${lines} lines of ${most}: read by the rule, or by a mapping`);
    });

  it('names no company', () => {
    const named = filesIn('src').flatMap((file) =>
      linesOf(file).flatMap((line, at) =>
        COMPANIES.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [],
      ),
    );
    assert.deepEqual(named, []);
  });
});
