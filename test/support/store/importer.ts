// A process of its own for import.test.ts: imports the files of version 0.1.0.
import { importOldFiles } from '../../../src/store/import/importOld';
import { openDatabase } from '../../../src/store/open';

const [storeFolder = '', folder = '', results = ''] = process.argv.slice(2);
const { database } = await openDatabase(storeFolder);
console.log('importing');
await importOldFiles(database, { folder, results, closedReason: 'closed' });
await database.close();
