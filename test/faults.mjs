// node test/faults.mjs [PART …]: the long suite. See test/faults/main.ts.
import './support/runtime/nodeWithSqlite.mjs';
import { register } from 'tsx/esm/api';

register();
const { main } = await import('./faults/main.ts');
process.exit(await main(process.argv.slice(2)));
