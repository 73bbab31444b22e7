import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { customId, itemSha256, requestHash } from '../../../src/experiments/plan/runId';
import { resultText } from '../../../src/experiments/results/results';

const texts = [
  ['The weather is lovely and we are going for a walk', 'en'],
  ['Das Wetter ist schön und wir gehen spazieren', 'de'],
  ['Il fait beau et nous allons nous promener', 'fr'],
  ['Hace buen tiempo y vamos a dar un paseo', 'es'],
] as const;

const experiment = {
  version: 1,
  run: { model: 'language-id', input: {} },
  vary: { '/model': ['language-id', 'word-statistics'] },
  over: { rows: 'labels.csv', map: { '/input/text': 'text' } },
  expected: { column: 'language', at: '/language' },
  metrics: ['accuracy'],
};

/** Results that another computer has left: this one has no connection. */
export const languageResults = (model: string) =>
  texts.map(([text, language], at) => {
    const sha256 = requestHash({ model, mode: 'execute', input: { text }, params: {} }, new Map());
    return resultText({
      custom_id: customId(sha256, 0),
      variation: { '/model': model },
      item: `row ${at + 2}`,
      item_sha256: itemSha256({ values: { '/input/text': text }, files: [] }),
      repeat: 0,
      request_sha256: sha256,
      state: 'finished',
      result: { language: at === 3 ? 'pt' : language },
      duration_ms: 40 + at,
    });
  });

/** An experiment over a table in a folder, with the results of its first model: `languages.experiment.json`. */
export async function writeLanguages(folder: string): Promise<void> {
  const put = (name: string, text: string) => writeFile(path.join(folder, name), text);
  const rows = texts.map(([text, language]) => `"${text}",${language}`);
  await put('labels.csv', ['text,language', ...rows, ''].join('\n'));
  await put('languages.experiment.json', `${JSON.stringify(experiment, null, 2)}\n`);
  await put('languages.results.jsonl', languageResults('language-id').join(''));
}
