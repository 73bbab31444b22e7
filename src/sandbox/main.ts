import { parseArgs } from 'node:util';
import { runSandbox } from './process';
import { startSandbox } from './server';

const { data } = parseArgs({ options: { data: { type: 'string' } } }).values;
if (data === undefined) throw new RangeError('--data DIR is missing: the folder for key, media and billing.');
runSandbox(data, () => startSandbox({ dataDir: data }));
