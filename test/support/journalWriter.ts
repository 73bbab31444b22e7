// A process of its own for journal.test.ts: appends `count` records, and compacts now and then.
import { openJournal } from '../../src/journal/openJournal';

const [file = '', name = '', count = '0'] = process.argv.slice(2);
const journal = await openJournal(file, (value) => value as { id: string });
for (let n = 0; n < Number(count); n++) {
  await journal.append({ id: `${name}${n}` });
  if (n % 20 === 19)
    await journal.rewrite((current) => [...new Map(current.map((entry) => [entry.id, entry])).values()]);
}
await journal.close();
