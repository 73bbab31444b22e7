// npm run coverage [-- EXPERIMENTS]: see bench/coverage.ts.
import '../test/support/runtime/nodeWithSqlite.mjs';
import { register } from 'tsx/esm/api';

register();
await import('./coverage.ts');
