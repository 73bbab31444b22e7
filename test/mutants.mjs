// node test/mutants.mjs [FILE OR FOLDER …] [--changed[=COMMIT]]: see test/mutants/main.ts.
import './support/runtime/nodeWithSqlite.mjs';
import { register } from 'tsx/esm/api';

register();
const { main } = await import('./mutants/main.ts');
process.exit(await main(process.argv.slice(2)));
