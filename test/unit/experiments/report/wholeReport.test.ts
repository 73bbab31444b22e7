import assert from 'node:assert/strict';
import { tableFigures } from '../../../../src/experiments/figures/tableFigures';
import type { Metric } from '../../../../src/experiments/metrics/metrics';
import { htmlReport } from '../../../../src/experiments/report/html';
import { markdownSummary } from '../../../../src/experiments/report/markdown';
import { reportTexts } from '../../../../src/experiments/report/reportTexts';
import { reportRows } from '../../../../src/experiments/report/rows';
import { rowOf, tableOf } from '../../../support/experiments/table';

const ROWS = 40;
const DATE = 'November 22, 2026 at 10:30:00 AM';
const metrics: readonly Metric[] = [{ name: 'accuracy', tolerance: 0 }];

/** Of the second column 22 rows became wrong; one run failed, one is unconfirmed, one is missing. */
const table = tableOf({
  variations: ['one', 'two'].map((model) => ({ '/model': model })),
  items: Array.from({ length: ROWS }, (_, at) => rowOf(`text ${at}`, at === 39 ? '' : 'cat')),
  at: '/label',
  line: ({ variation, item }) => {
    if (variation === 0) return { result: { label: 'cat' }, cost: { amount: '0.01', currency: 'USD' } };
    if (item === 36) return undefined;
    if (item === 37) return { state: 'failed', reason: 'too long', duration_ms: 90_000 };
    if (item === 38) return { state: 'unconfirmed' };
    return { result: { label: item < 22 ? 'dog' : 'cat' }, duration_ms: 100 + item };
  },
});

async function textsOf({
  description,
  shown = [0, 1],
  by = metrics,
}: {
  readonly description?: string;
  readonly shown?: readonly number[];
  readonly by?: readonly Metric[];
} = {}) {
  const asked = { names: ['one', 'two'], locale: 'en', margin: undefined, shown };
  const of = { name: 'Pets', size: '2 models × 40 rows', description };
  const at = new Date(2026, 10, 22, 10, 30);
  const { date, ...texts } = reportTexts(of, await tableFigures(table, by, asked), at);
  // With the time zone of this computer behind it.
  return { ...texts, date: date.replaceAll(/\s/g, ' ').replace(/(?<=AM) \S+$/, '') };
}

describe('The report of an experiment as a whole', () => {
  it('shows in Markdown all figures, checks and the first changed rows', async () => {
    const checks = [
      { text: 'two: accuracy >= 0.9', passed: false },
      { text: 'one: accuracy >= 0.9', passed: true },
    ];
    const texts = await textsOf({ description: 'Which pet?' });
    const named = Array.from({ length: 20 }, (_, at) => `- row ${at < 10 ? 6 : 7}: text ${at}`);
    assert.equal(
      markdownSummary({ ...texts, checks }).replaceAll('\\', ''),
      `# Pets

Which pet?

2 models × 40 rows

${DATE}. Baseline: one

- ✗ two: accuracy >= 0.9
- ✓ one: accuracy >= 0.9

|  | one | two |
| --- | --- | --- |
| accuracy | 1.000 (0.910 to 1.000, n 39 of 40) | 0.378 (0.241 to 0.539, n 37 of 40)<br>▼ −0.622 worse (−0.759 to −0.435) |
| most frequent label | 1.000 (cat, 39 of 39) | 1.000 (cat, 37 of 37) |
| finished | 40 of 40 | 37 of 40 (1 unconfirmed) |
| failed | 0 | 1 (38 of 40, counts as wrong) |
| cost | $0.40 |  |
| median time |  | 118 ms (38 of 40, n 37) |

two, against one: 23 became wrong, 0 became right

${named.join('\n')}
- And 3 more.

| Variation | In words |
| --- | --- |
| one | 40 finished<br>accuracy 1.000 (0.910 to 1.000), 39 of 40 rows<br>1 row has no expected value<br>$0.40 |
| two | 37 of 40 finished, 1 failed, 1 unconfirmed<br>accuracy 0.378 (0.241 to 0.539), 37 of 40 rows<br>accuracy −0.622 (−0.759 to −0.435), 0.378 against 1.000 in 37 rows that both have: worse (p < 0.001)<br>1 failed run counts as wrong<br>1 row has no expected value<br>median 118 ms, 95% within 135 ms, n 37 |

`,
    );
  });

  it('names no baseline beside a single column, and no changes without a metric', async () => {
    const markdown = markdownSummary(await textsOf({ shown: [1], by: [] }));
    assert.doesNotMatch(markdown, /Baseline|became|\bone\b|accuracy/);
  });

  it('shows the same in HTML, with intervals as bars and the outcome of each run', async () => {
    const source = {
      ...{ table, metrics, order: [39, 37, 0, 36], columns: [0, 1], folder: '/none', locale: 'en' },
      resultPath: () => undefined,
    };
    const rows = await reportRows(source, new AbortController().signal);
    const html = htmlReport(await textsOf({ description: 'Which pet?' }), rows!, 'en');
    const bar = (left: string, width: string, at: string, none = '') =>
      `<svg width="100" height="12" viewBox="0 0 100 12" aria-hidden="true"><line x1="0" y1="6" x2="100" y2="6"/><rect x="${left}" y="4" width="${width}" height="4"/>${none}<rect class="point" x="${at}" y="1" width="2" height="10"/></svg>`;
    for (const part of [
      '<h1>Pets</h1>\n<p>Which pet?</p>',
      ...[DATE, '2 models × 40 rows', 'Baseline: one'].map((line) => `<p class="about">${line}</p>\n`),
      '<thead><tr><td></td><th scope="col">one</th><th scope="col">two</th></tr></thead>',
      `<td>1.000<small>0.910 to 1.000, n 39 of 40</small>${bar('91.0', '9.0', '99.0')}</td>`,
      `<td>0.378<small>0.241 to 0.539, n 37 of 40</small><p>${bar('0.0', '21.3', '8.1', '<line x1="50" y1="0" x2="50" y2="12" stroke-dasharray="2 2"/>')}<span class="bad">▼ −0.622 worse</span><small>−0.759 to −0.435</small></p></td></tr>\n`,
      '<tr><th scope="row">cost</th><td>$0.40</td><td></td></tr>\n',
      '<p>one</p><ul><li>40 finished</li><li>accuracy 1.000 (0.910 to 1.000), 39 of 40 rows</li><li>1 row has no expected value</li><li>$0.40</li></ul>',
      '<p><b>two, against one</b>: 23 became wrong, 0 became right</p><ul><li>row 6: text 0</li>',
      `<tbody>
<tr><th scope="row">text 39<small>row 7</small></th><td>cat<small>$0.01</small></td><td>cat<small>139 ms</small></td></tr>
<tr><th scope="row">text 37<small>row 7</small><small>expected cat</small></th><td><span class="good">✓ right</span> cat<small>$0.01</small></td><td><span class="bad">✗ wrong</span> failed too long<small>1 min 30 s</small></td></tr>
<tr><th scope="row">text 0<small>row 6</small><small>expected cat</small></th><td><span class="good">✓ right</span> cat<small>$0.01</small></td><td><span class="bad">✗ wrong</span> dog<small>100 ms</small></td></tr>
<tr><th scope="row">text 36<small>row 7</small><small>expected cat</small></th><td><span class="good">✓ right</span> cat<small>$0.01</small></td><td>not run</td></tr>
</tbody>`,
    ])
      assert.ok(html.includes(part), `${part}\n\n${html.slice(html.indexOf('<body>'))}`);
    assert.doesNotMatch(html, /Checks|left out/);
    const plain = htmlReport(
      { ...(await textsOf()), changes: [], checks: [{ text: 'a < b', passed: true }] },
      [],
      'en',
    );
    assert.ok(plain.includes('<h2>Checks</h2>\n<ul><li class="good">✓ a &#60; b</li></ul>\n'));
    assert.doesNotMatch(plain, /Regressions|Which pet/);
  });
});
