import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../src/domain/json';
import { classifyResult, hitIdsIn, searchHits } from '../../../src/results/classify';
import { resultSource } from '../../../src/results/resultSource';
import type { TableSort } from '../../../src/results/resultView';
import { resultView } from '../../../src/results/resultView';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** The kinds of the parts, with their titles. */
function kinds(output: unknown): string[] {
  return classifyResult(output).sections.map(({ title, part }) =>
    title ? `${title}: ${part.kind}` : part.kind,
  );
}

describe('The view of a result', () => {
  /** Results of models, by task: the sandbox's outputs and the output schemas of `@huggingface/tasks`. */
  const cases: [name: string, output: unknown, expected: string[]][] = [
    ['labels', [{ label: 'cat', score: 0.9 }], ['labels']],
    [
      'a language',
      { language: 'en', confidence: 0.9, candidates: [{ language: 'en', score: 0.9 }] },
      ['facts', 'candidates: labels'],
    ],
    ['a palette', { palette: [{ hex: '#ff0000', share: 0.6 }] }, ['palette: colors']],
    ['search hits', { results: [{ id: 'a.png', score: 0.9 }] }, ['results: hits']],
    ['Markdown', { markdown: 'plain' }, ['markdown: text']],
    ['text', 'hello', ['text']],
    ['an embedding', { embedding: Array.from({ length: 64 }, () => 0.1) }, ['embedding: vector']],
    ['boxes', { boxes: [{ x: 1, y: 2, width: 3, height: 4, label: 'cat', score: 1 }] }, ['boxes: boxes']],
    ['segments', [{ label: 'cat', score: 0.9, mask: png }], ['masks']],
    ['entities', [{ entity_group: 'PER', score: 0.9, word: 'Bob', start: 0, end: 3 }], ['table']],
    ['zero-shot classes', { sequence: 's', labels: ['a', 'b'], scores: [0.9, 0.1] }, ['labels']],
    ['generated text', [{ generated_text: 'hello' }], ['generated_text: text']],
    [
      'a transcript',
      { text: 'hey', chunks: Array(2).fill({ text: 'hey', timestamp: [0, 1] }) },
      ['text: text', 'chunks: table'],
    ],
    ['a picture', { image: png }, ['image: media']],
    ['a data URI', `data:image/png;base64,${png}`, ['media']],
    ['a remote picture', { data: [{ url: 'https://x.test/a.png' }] }, ['data: media']],
    ['sound', { audio: `data:audio/wav;base64,${png}`, sampling_rate: 16000 }, ['audio: media', 'facts']],
  ];
  for (const [name, output, expected] of cases)
    it(`recognises ${name}`, () => assert.deepEqual(kinds(output), expected));

  it('reads coordinates as corners or sizes only if that is stated or certain', () => {
    const box = (items: unknown[]) => {
      const part = classifyResult(items).sections[0]?.part;
      assert.ok(part?.kind === 'boxes');
      return [part.boxes[0]!.width, part.orderGuessed];
    };
    assert.deepEqual(box([{ label: 'a', bbox: [10, 10, 30, 40] }]), [20, true]);
    assert.deepEqual(box([{ label: 'a', bbox: [10, 10, 5, 5] }]), [5, false]);
    assert.deepEqual(box([{ label: 'a', xywh: [10, 10, 30, 40] }]), [30, false]);
  });

  it('shows a response of bytes as a file, never as text', () => {
    const view = classifyResult(new Uint8Array([1, 2, 3]), { contentType: 'image/png' });
    assert.deepEqual(view.sections[0]?.part, {
      kind: 'media',
      media: [{ pointer: '', medium: 'image', from: 'inline', contentType: 'image/png' }],
      total: 1,
    });
  });

  it('gives for any JSON a view that fits its schema, and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (output) => {
        const view = classifyResult(output);
        assert.ok(resultView.safeParse(view).success);
        assert.equal(view.recognised, view.sections.length > 0);
      }),
      { numRuns: 500 },
    );
  });
});

describe('The chosen view of a place', () => {
  const views = (kind: 'hits' | 'labels' | 'text' | 'table', pattern: string) => new Map([[pattern, kind]]);
  const kindAt = (output: unknown, context: Parameters<typeof classifyResult>[1]) =>
    classifyResult(output, context).sections[0]?.part.kind;

  it('stays for other values of the model', () => {
    const parts = { parts: { positive: 0, neutral: 1, negative: 0 } };
    assert.equal(kindAt(parts, {}), 'facts');
    assert.equal(kindAt(parts, { views: views('labels', '/parts') }), 'labels');
  });
});

describe('The tree of a result', () => {
  it('gives every value of any JSON at its pointer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (output) => {
        const source = resultSource(output);
        const seen = async (pointer: string, depth: number): Promise<void> => {
          for (const child of await source.children(pointer, 0, 500)) {
            const parent = source.valueAt(pointer) as Record<string, unknown>;
            assert.deepEqual(source.valueAt(child.pointer), parent[child.key as string]);
            if (child.size > 0 && depth < 6) await seen(child.pointer, depth + 1);
          }
        };
        await seen('', 0);
      }),
    );
  });

  it('finds keys and values, with the path to each', async () => {
    const source = resultSource({ a: [{ Name: 'x' }, { b: 'the name' }], 'c/d': { name: 1 } });
    const found = await source.search('name');
    assert.deepEqual(found.matches, [
      { pointer: '/a/0/Name', path: [0, 0, 0] },
      { pointer: '/a/1/b', path: [0, 1, 0] },
      { pointer: '/c~1d/name', path: [1, 0] },
    ]);
  });
});

describe('The rows of a table', () => {
  const items = [{ n: 10, t: 'b10' }, { n: 9, t: 'b9' }, { t: 'a' }, { n: 10, t: null }];
  const rows = (sort: TableSort | undefined, from: number, count: number) =>
    resultSource(items).rows('', sort, from, count);

  it('keep the order of the service', async () =>
    assert.deepEqual((await rows(undefined, 0, 10))[1], { row: 1, cells: ['9', 'b9'] }));

  it('arrive in pieces', async () => {
    const places = async (...asked: Parameters<typeof rows>) => (await rows(...asked)).map(({ row }) => row);
    assert.deepEqual(await places(undefined, 2, 1), [2]);
    assert.deepEqual(await places({ column: 0, descending: false }, 3, 9), [2]);
  });

  it('reads shares of colors as parts of 1 or of 100, all in one way', () => {
    const sharesOf = (...shares: number[]) => {
      const { sections } = classifyResult(shares.map((percentage) => ({ hex: '#ff0000', percentage })));
      const { part } = sections[0]!;
      return part.kind === 'colors' ? part.colors.map(({ share }) => share) : part.kind;
    };
    assert.deepEqual(sharesOf(98, 1, 0.5), [0.98, 0.01, 0.005], 'not 100% and 50%');
    assert.deepEqual(sharesOf(0.98, 0.01, 0.005), [0.98, 0.01, 0.005]);
    assert.deepEqual(sharesOf(1), [1]);
  });
});

describe('A search without hits', () => {
  it('contains only empty lists, in any envelope', () => {
    for (const body of [
      [],
      { matches: [], namespace: 'n' },
      { took: 5, hits: { total: { value: 0 }, hits: [] } },
      { ids: [[]], distances: [[]] },
      { result: { points: [] }, warnings: [] },
    ])
      assert.equal(searchHits(body)?.total, 0, JSON.stringify(body));
    for (const body of [{}, { results: { a: 0.9 }, errors: [] }, { rows: [[1]] }, { a: [], b: [{}] }, null])
      assert.notEqual(searchHits(body)?.total, 0, JSON.stringify(body));
  });

  it('shows hits without scores, and says when a search looked at a part only', () => {
    const unscored = searchHits({ results: [{ image_id: 'a.png' }, { image_id: 'b.jpg' }] });
    const shown = unscored?.hits.map(({ id, score }) => `${id} ${score}`);
    assert.deepEqual(shown, ['a.png undefined', 'b.jpg undefined']);
    const shards = (failed: number, hits: object[]) => ({ _shards: { total: 3, failed }, hits: { hits } });
    assert.equal(searchHits(shards(3, [])), undefined);
    assert.equal(searchHits(shards(0, []))?.total, 0);
    const hit = { _id: 'a', _score: 0.9 };
    assert.equal(searchHits(shards(1, [hit]))?.isPartial, true);
    assert.equal(searchHits(shards(0, [hit]))?.isPartial, false);
    assert.equal(searchHits({ matches: [], partial: true }), undefined);
  });
});

describe('A result of a foreign service', () => {
  it('shows the hits of vector stores, with the ID and the measure of each', () => {
    const both = (hit: (id: string, score: number) => object) => [hit('a', 0.9), hit('b', 0.5)];
    const bodies: Readonly<Record<string, unknown>> = {
      elasticsearch: { hits: { hits: both((_id, _score) => ({ _id, _score, _source: { x: 1 } })) } },
      weaviate: { data: { Get: { Image: both((id, certainty) => ({ _additional: { id, certainty } })) } } },
      jsonApi: { data: both((id, score) => ({ id, type: 'hits', attributes: { score } })) },
      qdrantPayload: { result: both((id, score) => ({ id: '5c56', score, payload: { image_id: id } })) },
      paths: both((path, score) => ({ path, score })),
      sentIds: { image_ids: ['a', 'b'], scores: [0.9, 0.5] },
      chroma: { ids: [['a', 'b']], distances: [[0.9, 0.5]], metadatas: [[null, null]] },
    };
    for (const [name, body] of Object.entries(bodies)) {
      const part = classifyResult(body).sections.find((section) => section.part.kind === 'hits')?.part;
      assert.ok(part?.kind === 'hits', name);
      const shown = part.hits.map(({ id, score }) => `${id} ${score}`);
      assert.deepEqual(shown, ['a 0.9', 'b 0.5'], name);
      assert.deepEqual(hitIdsIn(body as Json), ['a', 'b'], name);
    }
  });
});
