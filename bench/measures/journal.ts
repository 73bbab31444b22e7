import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openJournal } from '../../src/journal/openJournal';
import { type Measure, timed } from '../measure';

const ENTRIES = 100_000;

/** Opening the journal, next to parsing the same bytes. */
export const journal: Measure = {
  name: 'journal',
  what: `open ${ENTRIES} entries / JSON.parse of the same bytes as one array`,
  goals: [{ figure: 'ratio', label: 'time', unit: '', atMost: 3 }],
  pairs: 15,
  async prepare({ folder }) {
    const entries = Array.from({ length: ENTRIES }, (_, i) => ({
      model: 'image-similarity',
      scope: 'playground',
      imageId: `images/folder-${i % 100}/picture-${i}.png`,
      file: `file:///home/someone/project/images/folder-${i % 100}/picture-${i}.png`,
      sha256: i.toString(16).padStart(64, '0'),
      sizeBytes: 1000 + i,
      modifiedMs: 1_700_000_000_000 + i,
      outcome: 'indexed',
    }));
    const file = path.join(folder, 'ledger.jsonl');
    const writing = await openJournal(file, (value) => value);
    await writing.rewrite(entries);
    await writing.close();
    const array = path.join(folder, 'array.json');
    writeFileSync(array, JSON.stringify(entries));
    return {
      warmUp: 2,
      async pair() {
        const yardstick = await timed(() => JSON.parse(readFileSync(array, 'utf8')));
        const ours = await timed(async () => {
          const opened = await openJournal(file, (value) => value);
          if (opened.records.length !== ENTRIES)
            throw new Error(`${opened.records.length} entries came back.`);
          await opened.close();
        });
        return { ratio: ours / yardstick };
      },
    };
  },
};
