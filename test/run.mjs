// node test/run.mjs [unit|processes|host|panels|journeys|desktop|all] [-- Mocha's arguments, test files]
import './support/runtime/nodeWithSqlite.mjs';
import { register } from 'tsx/esm/api';

register();
const { main } = await import('./run/main.ts');
process.exit(
  await main(process.argv.slice(2)).catch((error) => {
    console.error(error);
    console.log('\n0 passed, 1 failed');
    return 1;
  }),
);
