import { rejectDuplicateIds } from './duplicateIds';
import {
  NO_PARAMS,
  objectSchema,
  type RunContext,
  type SandboxModel,
  SEARCH_PARAMS,
  searchHits,
} from './model';
import { textScore, textVector } from './textVector';

const TEXT = { type: 'string', title: 'Text', minLength: 1, maxLength: 20_000, format: 'multiline' };

/** Texts that share words and parts of words: a second kind of dataset, whose items are no media. */
export const textSimilarity: SandboxModel = {
  slug: 'text-similarity',
  name: 'Text Similarity',
  description: 'Finds texts that share words or parts of words, in any language with spaces.',
  category: 'Text',
  tags: ['text', 'search', 'similarity', 'vector'],
  version: '1.0.0',
  modes: {
    execute: {
      title: 'Compare',
      description: 'Compare two texts.',
      price: { micros: 500, unit: 'run' },
      inputSchema: objectSchema({ text: TEXT, compare_with: { ...TEXT, title: 'Compare with' } }, [
        'text',
        'compare_with',
      ]),
      paramsSchema: NO_PARAMS,
      examples: [
        {
          title: 'Two sentences',
          input: { text: 'The cat sat on the mat.', compare_with: 'A cat is sitting on a mat.' },
          params: {},
        },
      ],
      run: ({ input }) => {
        const [a, b] = [textVector(input.text as string), textVector(input.compare_with as string)];
        const distance = a.reduce((sum, value, i) => sum + Math.abs(value - b[i]!), 0);
        return { similarity: Number(textScore(distance).toFixed(4)) };
      },
    },
    index: {
      title: 'Index',
      description: 'Add texts to a scope, or replace them by id.',
      vectorBacked: true,
      price: { micros: 100, unit: 'text' },
      inputSchema: objectSchema(
        {
          texts: {
            type: 'array',
            title: 'Texts',
            minItems: 1,
            maxItems: 100,
            items: {
              type: 'object',
              properties: {
                id: { type: 'string', title: 'Id', minLength: 1, maxLength: 1024 },
                text: TEXT,
              },
              required: ['id', 'text'],
              additionalProperties: false,
            },
          },
        },
        ['texts'],
      ),
      paramsSchema: NO_PARAMS,
      examples: [
        {
          title: 'Two notes',
          input: {
            texts: [
              { id: 'notes/milk', text: 'Buy milk and bread on the way home.' },
              { id: 'notes/bike', text: 'Repair the bicycle before the weekend.' },
            ],
          },
          params: {},
        },
      ],
      countItems: ({ texts }) => {
        const ids = (texts as { id: string }[]).map(({ id }) => id);
        return { units: ids.length, ids };
      },
      run: indexTexts,
    },
    search: {
      title: 'Search',
      description: 'Find the texts of a scope that have most in common with this one.',
      vectorBacked: true,
      price: { micros: 500, unit: 'run' },
      inputSchema: objectSchema({ text: TEXT }, ['text']),
      paramsSchema: SEARCH_PARAMS,
      examples: [{ title: 'What about the bike?', input: { text: 'bicycle repair' }, params: { top_k: 3 } }],
      run: (context) => searchHits(context, textVector(context.input.text as string), textScore),
    },
  },
};

function indexTexts({ input, vectors }: RunContext) {
  const texts = input.texts as { id: string; text: string }[];
  const ids = texts.map(({ id }) => id);
  rejectDuplicateIds(ids, '/input/texts');
  const added = vectors.add(
    texts.map(({ id, text }) => ({ facts: { id, text: text.slice(0, 200) }, vector: textVector(text) })),
  );
  return {
    scope: vectors.scope,
    indexed: texts.length,
    added,
    replaced: texts.length - added,
    ids,
    total_in_scope: vectors.count(),
  };
}
