import { example, perRun, type RunContext, singleMode } from './model';
import { inputSchema, integer, paramsSchema, textSchema } from './schema';

const names = new Intl.DisplayNames(['en'], { type: 'language' });

/** The language of a text, identified by a small neural network over character n-grams. */
export const languageId = singleMode(
  {
    slug: 'language-id',
    name: 'Language Identification',
    description:
      'Identifies which of fifty languages a text is written in. Works best with a sentence or more.',
    category: 'Text',
    tags: ['text', 'classification', 'language'],
    version: '1.0.10',
  },
  {
    title: 'Identify',
    description: 'Identify the language of one text.',
    price: perRun(1_000),
    inputSchema: inputSchema({ text: { ...textSchema(), description: 'Text in one language.' } }),
    paramsSchema: paramsSchema({
      top_k: integer('Languages', { minimum: 1, maximum: 50, default: 5 }),
    }),
    examples: [
      example(
        'A French sentence',
        { text: 'Le chat dort au soleil pendant que la pluie tombe ailleurs.' },
        { top_k: 3 },
      ),
      example('A Danish sentence', { text: 'Hvor kan jeg finde en god kop kaffe?' }),
    ],
    run: identify,
  },
);

async function identify({ input, params }: RunContext) {
  const { default: lande } = await import('lande');
  const ranked = lande(input.text as string);
  const labels = ranked.slice(0, (params.top_k as number | undefined) ?? 5).map(([code, score]) => ({
    label: names.of(code) ?? code,
    code,
    score: Number(score.toFixed(4)),
  }));
  return { language: labels[0]?.code ?? null, labels };
}
