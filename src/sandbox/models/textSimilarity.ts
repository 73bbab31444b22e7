import { distance } from '../imaging/descriptor';
import { indexItems, rejectDuplicateIds, SEARCH_PARAMS, searchHits } from './dataset';
import { example, perRun, type RunContext, type SandboxModel } from './model';
import { inputSchema, list, object, paramsSchema, string, textSchema } from './schema';

/** Finds texts that share words and parts of words: a dataset with items that are not media. */
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
      price: perRun(500),
      inputSchema: inputSchema({ text: textSchema(), compare_with: textSchema('Compare with') }),
      paramsSchema: paramsSchema(),
      examples: [
        example('Two sentences', {
          text: 'The cat sat on the mat.',
          compare_with: 'A cat is sitting on a mat.',
        }),
      ],
      run: ({ input }) => {
        const [a, b] = [textVector(input.text as string), textVector(input.compare_with as string)];
        return { similarity: Number(textScore(distance(a, b)).toFixed(4)) };
      },
    },
    index: {
      title: 'Index',
      description: 'Add texts to a scope, or replace them by id.',
      vectorBacked: true,
      price: { micros: 100, unit: 'text' },
      inputSchema: inputSchema({
        texts: list(
          'Texts',
          object({ id: string('ID', { minLength: 1, maxLength: 1024 }), text: textSchema() }),
          {
            minItems: 1,
            maxItems: 100,
          },
        ),
      }),
      paramsSchema: paramsSchema(),
      examples: [
        example('Two notes', {
          texts: [
            { id: 'notes/milk', text: 'Buy milk and bread on the way home.' },
            { id: 'notes/bike', text: 'Repair the bicycle before the weekend.' },
          ],
        }),
      ],
      itemIds: ({ texts }) => (texts as { id: string }[]).map(({ id }) => id),
      run: indexTexts,
    },
    search: {
      title: 'Search',
      description: 'Find the texts of a scope that are most similar to this one.',
      vectorBacked: true,
      price: perRun(500),
      inputSchema: inputSchema({ text: textSchema() }),
      paramsSchema: SEARCH_PARAMS,
      examples: [example('Bicycle', { text: 'bicycle repair' }, { top_k: 3 })],
      run: (context) => searchHits(context, textVector(context.input.text as string), textScore),
    },
  },
};

function indexTexts(context: RunContext) {
  const texts = context.input.texts as { id: string; text: string }[];
  const ids = texts.map(({ id }) => id);
  rejectDuplicateIds(ids, '/input/texts');
  const items = texts.map(({ id, text }) => ({
    facts: { id, text: text.slice(0, 200) },
    vector: textVector(text),
  }));
  return indexItems(context, items, { ids });
}

const DIMENSIONS = 512;

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}

/**
 * A text as a histogram of hashed words and of their three-letter pieces, adding up to 1 (or all zero when
 * there is no letter). Half the L1 distance of two such histograms is the share they do not have in common.
 */
function textVector(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  let sum = 0;
  const addPiece = (piece: string, weight: number) => {
    vector[hash(piece) % DIMENSIONS]! += weight;
    sum += weight;
  };
  for (const word of text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []) {
    addPiece(`=${word}`, 2);
    const padded = `^${word}$`;
    for (let i = 0; i + 3 <= padded.length; i++) addPiece(padded.slice(i, i + 3), 1);
  }
  if (sum > 0) for (let i = 0; i < DIMENSIONS; i++) vector[i]! /= sum;
  return vector;
}

/** The share that two texts have in common: 1 for the same words, 0 for none. */
const textScore = (distance: number) => Math.max(0, 1 - distance / 2);
