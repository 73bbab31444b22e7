import type { Violation } from './judge';
import type { Scenario, Trouble } from './scenario';
import { type Outcome, simulate } from './simulate';

/** Scenarios to try before the rest is short enough. */
const MOST_TRIES = 400;

/** The same violation by as little as possible: fewer troubles, files and windows, nothing that plays no part in it. */
export async function shrunk(failed: Outcome): Promise<Outcome> {
  let best = failed;
  let tries = 0;
  const isSame = (outcome: Outcome) => invariantOf(outcome) === invariantOf(failed);
  for (let isSmaller = true; isSmaller && tries < MOST_TRIES; ) {
    isSmaller = false;
    for (const smaller of simpler(best.scenario)) {
      if (++tries > MOST_TRIES) break;
      const outcome = await simulate(smaller);
      if (!isSame(outcome)) continue;
      best = outcome;
      isSmaller = true;
      break;
    }
  }
  return best;
}

function invariantOf({ violation }: Outcome): string | undefined {
  return violation && ((violation as Violation).invariant ?? violation.name);
}

/** The likelier to make it short first. */
function* simpler(scenario: Scenario): Generator<Scenario> {
  const { troubles, windows, files } = scenario;
  for (let size = Math.ceil(troubles.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let at = 0; at < troubles.length; at += size)
      yield { ...scenario, troubles: [...troubles.slice(0, at), ...troubles.slice(at + size)] };
  for (const other of scenario.others)
    yield { ...scenario, others: scenario.others.filter((one) => one !== other) };
  if (scenario.workspaces > 1) yield { ...scenario, workspaces: 1 };
  if (windows > 1) {
    const isLeft = (one: Trouble) => !('window' in one) || one.window !== windows - 1;
    yield { ...scenario, windows: windows - 1, troubles: troubles.filter(isLeft) };
  }
  for (const fewer of [1, files >> 1, files - 1])
    if (fewer > 0 && fewer < files) yield { ...scenario, ...withFiles(scenario, fewer) };
  const { budget: _none, ...withoutBudget } = scenario;
  if (scenario.budget) yield withoutBudget;
  const plain: Partial<Scenario> = {
    ...{ services: 1, corrupt: [], twins: [], timeoutMs: 0, keyMs: 0, uploadsTo: 'service', latencyMs: 5 },
    ...{ batchSize: 1, concurrency: 1, wording: 'results', namesCosts: true, rejects: 'batchNamed' },
  };
  for (const [name, value] of Object.entries(plain))
    if (JSON.stringify(scenario[name as keyof Scenario]) !== JSON.stringify(value))
      yield { ...scenario, [name]: value };
}

function withFiles({ corrupt, twins, troubles }: Scenario, files: number): Partial<Scenario> {
  const isLeft = (place: number) => place < files;
  return {
    ...{ files, corrupt: corrupt.filter(isLeft), twins: twins.filter(isLeft) },
    troubles: troubles.filter((one) => one.kind !== 'file' || isLeft(one.file)),
  };
}
