import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { transformSync } from 'esbuild';
import { root } from '../support/paths';

const require = createRequire(import.meta.url);
const { tokenizer } = require('acorn') as {
  tokenizer(source: string, options: object): Iterable<{ type: { label: string }; value: unknown }>;
};
/** Finds expressions that backtrack: between neighbours (Trade), in themselves (Self), from each start (Move). */
const { analyse } = require('scslre') as {
  analyse(literal: { source: string; flags: string }): {
    reports: readonly { type: 'Trade' | 'Self' | 'Move'; exponential: boolean }[];
  };
};

/**
 * Expressions that look through a run of characters again from each of its places. Their texts are short: names of
 * files and scopes, digits of an amount, a header of at most 1,000 characters, a pattern that a form's limit allows.
 */
const SHORT_TEXTS: ReadonlySet<string> = new Set([
  'src/domain/amounts.ts',
  'src/domain/fileName.ts',
  'src/domain/scope.ts',
  'src/experiments/results/resultBody.ts',
  'src/forms/patterns/syntax.ts',
  'src/service/retryAfter.ts',
]);

/** Slow regular expressions of a source text. */
function slowIn(source: string, file: string): string[] {
  const { code } = transformSync(source, { loader: 'ts', format: 'esm', target: 'esnext' });
  const slow: string[] = [];
  for (const { type, value } of tokenizer(code, { ecmaVersion: 'latest', sourceType: 'module' })) {
    if (type.label !== 'regexp') continue;
    const { pattern, flags } = value as { pattern: string; flags: string };
    const { reports } = analyse({ source: pattern, flags });
    for (const { type: kind, exponential } of reports)
      if (exponential || kind !== 'Move' || !SHORT_TEXTS.has(file))
        slow.push(`${file}: /${pattern}/${flags} (${kind}${exponential ? ', exponential' : ''})`);
  }
  return slow;
}

describe('Regular expressions', () => {
  it('take time that grows only with the text, for texts of services, files and names', () => {
    const files = globSync('{src,webview}/**/*.ts', { cwd: root });
    assert.ok(files.length > 500);
    assert.deepEqual(
      files.flatMap((file) =>
        slowIn(readFileSync(path.join(root, file), 'utf8'), file.replaceAll('\\', '/')),
      ),
      [],
    );
  });

  it('lead to a failure if they take longer', () => {
    const found = (expression: string) =>
      slowIn(`export const found = ${expression};`, 'src/x.ts').length > 0;
    for (const expression of ['/^(a+)+$/', '/^\\s*(x)?\\s*$/', '/\\s+$/', '/^(.*?)\\s*,$/'])
      assert.ok(found(expression), expression);
    for (const expression of ['/^a+b+$/', '/^(?:a+,)*$/', '/x/']) assert.ok(!found(expression), expression);
  });
});
