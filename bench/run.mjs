// npm run bench [-- MEASURE …]: see bench/run.ts.
import '../test/support/runtime/nodeWithSqlite.mjs';
import { register } from 'tsx/esm/api';

register();
await import('./run.ts');
