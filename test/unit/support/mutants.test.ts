import assert from 'node:assert/strict';
import { rangesIn } from '../../mutants/changedLines';
import { readScores } from '../../mutants/score';

describe('Mutation testing', () => {
  it('breaks only lines that a change added or changed', () => {
    const diff = [
      'diff --git a/a.ts b/a.ts',
      '@@ -1 +1 @@ first',
      '-old',
      '+new @@ -9 +9 @@',
      '@@ -4,2 +4,0 @@ only taken away',
      '-gone',
      '-gone',
      '@@ -10,0 +9,3 @@ only added',
      '+one',
      '+two',
      '+three',
    ].join('\n');
    assert.deepEqual(rangesIn(diff), [':1-1', ':9-11']);
    assert.deepEqual(rangesIn(''), []);
  });

  it('counts noticed mutants, names survivors, and leaves out those that do not compile', () => {
    const mutant = (status: string, line: number) => ({
      ...{ id: String(line), status, mutatorName: 'ConditionalExpression', replacement: 'true' },
      location: { start: { line } },
    });
    const statuses = ['Killed', 'Timeout', 'Survived', 'NoCoverage', 'CompileError', 'Ignored'];
    const files = { 'a.ts': { mutants: statuses.map(mutant) } };
    assert.deepEqual(readScores(JSON.stringify({ files })), [
      {
        file: 'a.ts',
        noticed: 2,
        all: 4,
        survivors: [
          'line 2, ConditionalExpression: true',
          'line 3, ConditionalExpression: true (not reached)',
        ],
      },
    ]);
    const [sample] = readScores(JSON.stringify({ files }), 3);
    assert.deepEqual([sample?.noticed, sample?.all], [1, 2], 'of each third one');
  });
});
