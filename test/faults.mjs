// The faults in full number, where the unit suite takes a sample: `npm run faults`. About a minute.
import { spawnSync } from 'node:child_process';

const full = {
  MODEL_BENCH_FAULTS_RUNS: '1000',
  MODEL_BENCH_FAULTS_RETRY_AFTER: '100000',
  MODEL_BENCH_FAULTS_BODIES: '50000',
  MODEL_BENCH_FAULTS_UPLOAD_MIB: '1024',
};
const { status } = spawnSync(
  process.execPath,
  [
    '--import',
    'tsx',
    'node_modules/mocha/bin/mocha.js',
    '--exit',
    '--timeout',
    '300000',
    'test/unit/service/*.test.ts',
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit', cwd: new URL('..', import.meta.url), env: { ...process.env, ...full } },
);
process.exit(status ?? 1);
