import { objectSchema, type SandboxModel } from './model';

const names = new Intl.DisplayNames(['en'], { type: 'language' });

/** Which of fifty languages a text is in, by a small neural net over character n-grams. */
export const languageId: SandboxModel = {
  slug: 'language-id',
  name: 'Language Identification',
  description: 'Tells which of fifty languages a text is written in. Best with a sentence or more.',
  category: 'Text',
  tags: ['text', 'classification', 'language'],
  version: '1.0.10',
  modes: {
    execute: {
      title: 'Identify',
      description: 'Identify the language of one text.',
      price: { micros: 1_000, unit: 'run' },
      inputSchema: objectSchema(
        {
          text: {
            type: 'string',
            title: 'Text',
            description: 'A text in one language.',
            minLength: 1,
            maxLength: 20_000,
            format: 'multiline',
          },
        },
        ['text'],
      ),
      paramsSchema: objectSchema({
        top_k: { type: 'integer', title: 'Languages', minimum: 1, maximum: 50, default: 5 },
      }),
      examples: [
        {
          title: 'A French sentence',
          input: { text: 'Le chat dort au soleil pendant que la pluie tombe ailleurs.' },
          params: { top_k: 3 },
        },
        { title: 'A Danish one', input: { text: 'Hvor kan jeg finde en god kop kaffe?' }, params: {} },
      ],
      run: async ({ input, params }) => {
        const { default: lande } = await import('lande');
        const ranked = lande(input.text as string);
        const labels = ranked.slice(0, (params.top_k as number | undefined) ?? 5).map(([code, score]) => ({
          label: names.of(code) ?? code,
          code,
          score: Number(score.toFixed(4)),
        }));
        return { language: labels[0]?.code ?? null, labels };
      },
    },
  },
};
