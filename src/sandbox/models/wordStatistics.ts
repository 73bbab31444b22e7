import { example, perRun, type RunContext, singleMode } from './model';
import { inputSchema, integer, list, paramsSchema, string, textSchema } from './schema';

export const wordStatistics = singleMode(
  {
    slug: 'word-statistics',
    name: 'Word Statistics',
    description:
      'Counts words, sentences and characters of a text in any language, and lists its most common words.',
    category: 'Text',
    tags: ['text', 'statistics', 'table'],
    version: '1.0.0',
  },
  {
    title: 'Count',
    description: 'Count the words of one text.',
    price: perRun(500),
    inputSchema: inputSchema(
      {
        text: textSchema('Text', 1_000_000),
        ignore: list(
          'Ignore',
          { type: 'string', minLength: 1 },
          { description: 'Words that are not counted.', maxItems: 100, uniqueItems: true },
        ),
      },
      ['ignore'],
    ),
    paramsSchema: paramsSchema({
      top_k: integer('Words listed', { minimum: 1, maximum: 200, default: 10 }),
      min_length: integer('Shortest word', { minimum: 1, maximum: 30, default: 1 }),
      language: string('Language', {
        description: 'Decides where words end.',
        enum: ['en', 'de', 'fr', 'es', 'ja', 'zh', 'th'],
        default: 'en',
      }),
    }),
    examples: [
      example(
        'A tongue twister',
        { text: 'How much wood would a woodchuck chuck if a woodchuck could chuck wood?', ignore: ['a'] },
        { top_k: 3, min_length: 3 },
      ),
    ],
    run: count,
  },
);

function count({ input, params }: RunContext) {
  const text = input.text as string;
  const language = (params.language as string | undefined) ?? 'en';
  const minLength = (params.min_length as number | undefined) ?? 1;
  const ignored = new Set(((input.ignore as string[] | undefined) ?? []).map((word) => word.toLowerCase()));
  const words = [...new Intl.Segmenter(language, { granularity: 'word' }).segment(text)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment.toLowerCase());
  const counts = new Map<string, number>();
  for (const word of words) {
    if (word.length >= minLength && !ignored.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const sentences = [...new Intl.Segmenter(language, { granularity: 'sentence' }).segment(text)];
  return {
    words: words.length,
    different_words: new Set(words).size,
    sentences: sentences.filter(({ segment }) => segment.trim() !== '').length,
    characters: [...new Intl.Segmenter(language).segment(text)].length,
    // 238 words a minute is the mean of silent reading in English (Brysbaert 2019).
    reading_seconds: Math.round((words.length / 238) * 60),
    top_words: [...counts]
      .sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]))
      .slice(0, (params.top_k as number | undefined) ?? 10)
      .map(([word, times]) => ({ word, count: times, share: Number((times / words.length).toFixed(4)) })),
  };
}
