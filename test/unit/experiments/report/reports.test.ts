import assert from 'node:assert/strict';
import fc from 'fast-check';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import type { Json } from '../../../../src/domain/json';
import { htmlReport } from '../../../../src/experiments/report/html';
import { markdownSummary } from '../../../../src/experiments/report/markdown';
import { resultLines, runTable } from '../../../../src/experiments/report/runTable';
import { comparingOf } from '../../../../src/experiments/results/measuredValue';
import type { ResultLine } from '../../../../src/experiments/results/resultLine';
import { ExperimentTable } from '../../../../src/experiments/table/table';
import { readResults } from '../../../support/atOnce';
import { reportOf } from '../../../support/experiments/reportTexts';
import { rowOf, tableOf } from '../../../support/experiments/table';
import { hostileText } from '../../../support/hostileText';

const table = tableOf({
  items: [rowOf('hello', 'en'), rowOf('hallo', 'de')],
  repeats: 2,
  at: '/language',
  line: ({ item, variation, repeat }) => {
    if (item === 1 && variation === 1) return undefined;
    if (repeat === 1) return { state: 'failed', reason: '=HYPERLINK("x")' };
    return { result: { language: 'en' }, cost: { amount: '0.001', currency: 'USD' }, duration_ms: 40 };
  },
});
const accuracy = [{ name: 'accuracy', tolerance: 0 }] as const;

describe('An export of an experiment', () => {
  it('contains as a table a row for each result, in the shown order', () => {
    const { header, rows } = runTable(table, [1, 0], accuracy);
    const of = (name: string) => rows.map((row) => row[header.indexOf(name)]);
    assert.ok(rows.every((row) => row.length === header.length));
    assert.deepEqual(of('/input/text'), ['hallo', 'hallo', 'hello', 'hello', 'hello', 'hello']);
    assert.deepEqual(of('/model'), ['a', 'a', 'a', 'a', 'b', 'b']);
    const each = ['en', '=HYPERLINK("x")'];
    assert.deepEqual(of('outcome'), [...each, ...each, ...each]);
    assert.deepEqual(of('accuracy'), [0, 0, 1, 0, 1, 0], 'failed runs count as wrong');
    assert.deepEqual(of('repeat'), [1, 2, 1, 2, 1, 2]);
  });

  it('adds up as a table to the paid costs, and marks deleted inputs', () => {
    const line = { variation: {}, item: 'row 2', repeat: 0, request_sha256: '', state: 'finished' } as const;
    const results = new Map(
      ['a', 'gone'].map((id): [string, ResultLine] => [id, { ...line, custom_id: id }]),
    );
    const item = (name: string, isGone = false) => ({ name, values: {}, files: [], isGone });
    const plan = {
      variations: [{}],
      items: [item('row 2'), item('row 3'), item('row 3', true)],
      runs: [{ customId: 'a', repeat: 0, serves: [0, 1].map((row) => ({ variation: 0, item: row })) }],
      gone: [{ customId: 'gone', repeat: 0, serves: [{ variation: 0, item: 2 }] }],
    };
    const cost = (amount: string) => ({ amount, currency: 'USD' });
    const paid = new Map([
      ['a', [cost('0.10'), cost('0.10')]],
      ['gone', [cost('0.05')]],
    ]);
    const { header, rows } = runTable(
      new ExperimentTable(plan, results, comparingOf(undefined), [], paid),
      [0, 1, 2],
      [],
    );
    const of = (name: string) => rows.map((row) => row[header.indexOf(name)]);
    assert.deepEqual(of('cost'), ['0.2', '0', '0.05']);
    assert.deepEqual(of('item'), ['row 2', 'row 3', 'row 3 (changed or gone)']);
  });

  it('equals the results file as JSON lines', () => {
    const { results, unreadable } = readResults(resultLines(table, [0, 1]));
    assert.deepEqual([results.length, unreadable.length], [6, 0]);
    assert.deepEqual(new Set(results), new Set(table.results.values()));
  });

  it('names no absolute path of an input', () => {
    const file: Json = { media_ref: 'file:///home/me/photos/cat.png', filename: 'cat.png' };
    const photos = tableOf({
      items: [{ name: 'photos/cat.png', values: { '/input/image': file }, files: [] }],
      line: () => ({ result: 1 }),
    });
    assert.doesNotMatch(JSON.stringify(runTable(photos, [0], [])), /home/);
  });
});

describe('A report of an experiment', () => {
  it('shows any text as text, without anything that could load or run', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '<script>alert(1)</script>',
        '"><img src=x onerror=alert(1)>',
        '&lt;b&gt;',
        "' onload='x",
      ),
    );
    fc.assert(
      fc.property(text, text, (one, other) => {
        const row = {
          name: one,
          inputs: [{ text: other }],
          expected: one,
          cells: [{ text: other, facts: one, isRight: true }],
        };
        const texts = reportOf(other, {
          name: one,
          description: other,
          size: one,
          columns: [{ name: other, words: [one, other] }],
        });
        const html = htmlReport(texts, [row], 'en');
        const tags = [...html.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, tag]) => tag!.toLowerCase());
        const own =
          'html head meta title style body h1 h2 p ul li b span small svg line rect details summary';
        const ofTable = 'table thead tbody tr th td';
        const allowed = `${own} ${ofTable}`.split(' ');
        const others = tags.filter((tag) => !allowed.includes(tag));
        assert.deepEqual(others, []);
      }),
    );
  });

  it('uses almost all of its 5 MB in any script, and says how many rows it leaves out', () => {
    const rows = Array.from({ length: 3_000 }, () => ({
      name: '行',
      inputs: [{ text: '日本語'.repeat(300) }],
      cells: [{ text: '猫' }],
    }));
    const texts = reportOf('x', {
      ...{ name: '写真', size: '' },
      columns: [{ name: 'a', words: ['x'] }],
    });
    const html = htmlReport(texts, rows, 'en');
    const bytes = Buffer.byteLength(html);
    assert.ok(bytes < 5_000_000 && bytes > 4_990_000, String(bytes));
    const shown = html.split('<th scope="row">').length - 1 - texts.figures.length;
    assert.match(html, new RegExp(`${3_000 - shown} more rows are left out`));
    const first = rows.slice(0, 2);
    assert.match(htmlReport(texts, first, 'en', 7_000), /6998 more rows are left out/);
    assert.match(htmlReport(texts, first, 'en', 3), /1 more row is left out/);
    assert.doesNotMatch(htmlReport(texts, first, 'en'), /left out/);
  });
});

describe('The Markdown summary', () => {
  it('contains one line for each column, with any content', () => {
    const names = [
      'a | b',
      'line\nbreak',
      '<script>x</script>',
      '[link](command:x)',
      '`code`',
      '# no heading',
    ];
    const columns = names.map((name) => ({ name, words: [name, name] }));
    const markdown = markdownSummary(reportOf('a | b', { name: 'x\n# y', size: 's', columns, figures: [] }));
    const rows = markdown.split('\n').filter((line) => line.startsWith('|'));
    assert.equal(rows.length, names.length + 2);
    for (const row of rows) assert.equal(row.match(/(?<!\\)\|/g)?.length, 3, row);
    assert.doesNotMatch(markdown, /(?<!\\)<script|(?<!\\)\]\(|^# y/m);
  });

  it('renders any text as text', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const columns = [{ name: text, words: [text, text] }];
        const markdown = markdownSummary(
          reportOf(text, { name: text, description: text, size: text, columns }),
        );
        const html = micromark(markdown, {
          allowDangerousHtml: true,
          extensions: [gfm()],
          htmlExtensions: [gfmHtml()],
        });
        const tags = new Set([...html.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, tag]) => tag!.toLowerCase()));
        const own = ['h1', 'p', 'br', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'ul', 'li', 'strong'];
        for (const tag of own) tags.delete(tag);
        assert.deepEqual([...tags], [], markdown);
        assert.doesNotMatch(html, /[@#][\w]/, 'neither mention nor reference');
      }),
      { numRuns: 300 },
    );
  });
});
