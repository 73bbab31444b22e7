import fc from 'fast-check';

/**
 * Property tests generate the same values in each run, so that a run on another machine means the same: `npm run
 * faults` runs without this file, and `MODEL_BENCH_SEED=random` or another number asks for other values.
 */
const FIXED = 20_261_126;

const { MODEL_BENCH_SEED = String(FIXED) } = process.env;
if (MODEL_BENCH_SEED !== 'random')
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(MODEL_BENCH_SEED) });
