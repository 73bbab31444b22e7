import { example, perRun, type RunContext, singleMode } from './model';
import { boolean, inputSchema, paramsSchema, textSchema } from './schema';

/** How positive or negative an English text is, by the VADER lexicon and its rules for negation and emphasis. */
export const sentiment = singleMode(
  {
    slug: 'sentiment',
    name: 'Sentiment (English)',
    description: 'Scores how positive or negative an English text is, as a whole or sentence by sentence.',
    category: 'Text',
    tags: ['text', 'classification', 'sentiment'],
    version: '1.1.3',
  },
  {
    title: 'Analyse',
    description: 'Score one text between -1 (very negative) and 1 (very positive).',
    price: perRun(1_000),
    inputSchema: inputSchema({ text: textSchema() }),
    paramsSchema: paramsSchema({
      by_sentence: boolean('Sentence by sentence', {
        description: 'Also score each sentence.',
        default: false,
      }),
    }),
    examples: [
      example(
        'A mixed review',
        { text: 'The room was not bad at all, but the breakfast was terrible.' },
        { by_sentence: true },
      ),
      example('Praise', { text: 'What a wonderful, thoughtful gift!' }),
    ],
    run: analyse,
  },
);

async function analyse({ input, params }: RunContext) {
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
}

/** The thresholds are those of the VADER paper. */
const labelOf = (compound: number) =>
  compound >= 0.05 ? 'positive' : compound <= -0.05 ? 'negative' : 'neutral';

const sentencesOf = (text: string) =>
  [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)]
    .map(({ segment }) => segment.trim())
    .filter((segment) => segment !== '');
