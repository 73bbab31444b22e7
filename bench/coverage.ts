import {
  alarmsTogether,
  coverageOf,
  coverageTable,
  SHARED_RUNS,
  SIMULATIONS,
} from '../test/simulation/coverage';

/**
 * Measures the figures of experiments on simulated ones whose truth is known, and prints the table of
 * docs/experiments.md. Exits non-zero when more tests alarm falsely than chance
 * makes of 5%, or less than 93% of intervals hold.
 */
const COUNTS = (process.argv[3] ?? '5,10,30,60,100').split(',').map(Number);
const SEED = 2026;
const experiments = Number(process.argv[2] ?? 1000);

const found = await coverageOf([...SIMULATIONS, ...SHARED_RUNS], COUNTS, experiments, SEED);
console.log(coverageTable(found, COUNTS));
for (const rows of COUNTS) {
  const share = await alarmsTogether(rows, experiments, SEED);
  console.log(`n = ${rows}: ${(100 * share).toFixed(1)}% of six equal columns have an alarm`);
}
// Of fewer intervals the share that holds is not known.
const isLow = ({ given, held }: { readonly given: number; readonly held: number }) =>
  given * experiments >= 100 && held < 0.93;
/** Of tests that alarm falsely in 5%, one simulation in 1,000 has a larger share. */
const mostAlarms = 0.05 + 3.09 * Math.sqrt((0.05 * 0.95) / experiments);
const wrong = found.filter((one) => one.falseAlarms > mostAlarms || isLow(one) || isLow(one.differences));
for (const one of wrong) console.error(`Missed: ${JSON.stringify(one)}`);
process.exitCode = wrong.length > 0 ? 1 : 0;
