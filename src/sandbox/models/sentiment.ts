import { objectSchema, type SandboxModel } from './model';

/** How positive or negative an English text is, by the VADER lexicon and its rules for negation and emphasis. */
export const sentiment: SandboxModel = {
  slug: 'sentiment',
  name: 'Sentiment (English)',
  description: 'Says how positive or negative an English text is, as a whole or sentence by sentence.',
  category: 'Text',
  tags: ['text', 'classification', 'sentiment'],
  version: '1.1.3',
  modes: {
    execute: {
      title: 'Analyse',
      description: 'Score one text between -1 (very negative) and 1 (very positive).',
      price: { micros: 1_000, unit: 'run' },
      inputSchema: objectSchema(
        {
          text: {
            type: 'string',
            title: 'Text',
            minLength: 1,
            maxLength: 20_000,
            format: 'multiline',
          },
        },
        ['text'],
      ),
      paramsSchema: objectSchema({
        by_sentence: {
          type: 'boolean',
          title: 'Sentence by sentence',
          description: 'Also score every sentence on its own.',
          default: false,
        },
      }),
      examples: [
        {
          title: 'A mixed review',
          input: { text: 'The room was not bad at all, but the breakfast was terrible.' },
          params: { by_sentence: true },
        },
        { title: 'Praise', input: { text: 'What a wonderful, thoughtful gift!' }, params: {} },
      ],
      run: async ({ input, params }) => {
        const { SentimentIntensityAnalyzer } = await import('vader-sentiment');
        const text = input.text as string;
        const whole = SentimentIntensityAnalyzer.polarity_scores(text);
        return {
          label: labelOf(whole.compound),
          score: whole.compound,
          parts: { positive: whole.pos, neutral: whole.neu, negative: whole.neg },
          ...(params.by_sentence === true && {
            sentences: sentencesOf(text).map((sentence) => {
              const { compound } = SentimentIntensityAnalyzer.polarity_scores(sentence);
              return { text: sentence, label: labelOf(compound), score: compound };
            }),
          }),
        };
      },
    },
  },
};

/** The thresholds are those of the VADER paper. */
const labelOf = (compound: number) =>
  compound >= 0.05 ? 'positive' : compound <= -0.05 ? 'negative' : 'neutral';

const sentencesOf = (text: string) =>
  [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)]
    .map(({ segment }) => segment.trim())
    .filter((segment) => segment !== '');
