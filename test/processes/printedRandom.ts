import { Random } from '../simulation/random';

/** Numbers of a seed that is printed, for the report of a failure; MODEL_BENCH_SEED asks for another, or for any. */
export function printedRandom(what: string): Random {
  const { MODEL_BENCH_SEED = process.env.MODEL_BENCH_FAULTS === 'full' ? 'random' : '1' } = process.env;
  const seed = MODEL_BENCH_SEED === 'random' ? Date.now() % 2 ** 32 : Number(MODEL_BENCH_SEED);
  console.log(`      ${what}: MODEL_BENCH_SEED=${seed}`);
  return new Random(seed);
}
