import { Random } from './random';
import type { Cut, Route, Scenario, Trouble } from './scenario';

/** Told apart from the numbers of the seed itself. */
const OWN_NUMBERS = 0x5eed;

/**
 * Runs of the run panel, connections that are cut at any byte, and a second workspace: from random numbers of their
 * own, so that older seeds keep their scenarios.
 */
export function moreTroubles(
  { seed, windows }: Scenario,
  troubles: readonly Trouble[],
): Pick<Scenario, 'troubles' | 'workspaces'> {
  const random = new Random(seed ^ OWN_NUMBERS);
  for (let i = 0; i < 5; i++) random.next();
  const workspaces = windows > 1 && random.chance(0.25) ? 2 : 1;
  const cuts = random.chance(0.35) ? random.int(1, 3) : 0;
  const runs = random.chance(0.35) ? random.int(1, 6) : 0;
  return {
    workspaces,
    troubles: [
      ...troubles,
      ...Array.from({ length: cuts }, () => cutOf(random)),
      ...Array.from({ length: runs }, () => panelRunOf(random, windows)),
    ],
  };
}

function panelRunOf(random: Random, windows: number): Trouble {
  const atMs = random.int(0, random.pick([200, 4_000, 4_000, 30_000]));
  return { kind: 'user', window: random.int(0, windows - 1), atMs, act: 'run' };
}

function cutOf(random: Random): Trouble {
  const route = random.pick<Route>(['run', 'run', 'run', 'init', 'bytes', 'complete']);
  const fate: Cut = {
    ...{ kind: 'cut', of: random.pick(['request', 'response', 'response']) },
    ...{ share: random.pick([0, random.next(), random.next(), 1]), endsOpen: random.chance(0.5) },
  };
  return { kind: 'request', route, nth: random.int(1, random.pick([4, 12])), fate };
}
