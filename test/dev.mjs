// npm run dev                       the run panel of a sandbox model in a browser, which reloads when a page is saved
// npm run dev -- run form-showcase  of another model; also: usage, search
import './support/runtime/nodeWithSqlite.mjs';
import { register } from 'tsx/esm/api';

register();
const { main } = await import('./dev/main.ts');
await main(process.argv.slice(2));
