// A process of its own for history.test.ts: a window that is killed while a run is under way.
import { openStore } from '../../../src/store/store';
import { runNamed } from './samples';

const store = await openStore(process.argv[2]!);
await store.runs.put(runNamed('killed', { state: 'running', sentAt: 2 }));
console.log('recorded');
setInterval(() => undefined, 1_000);
