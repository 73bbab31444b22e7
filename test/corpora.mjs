// node test/corpora.mjs [CORPUS …]: how public contracts in bulk are read. See test/corpora/main.ts.
import './support/runtime/nodeWithSqlite.mjs';
import { register } from 'tsx/esm/api';

register();
const { main } = await import('./corpora/main.ts');
process.exit(await main(process.argv.slice(2)));
