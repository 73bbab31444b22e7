import { Random } from './random';
import type { Scenario, Trouble } from './scenario';

/** A paid call of an agent. */
export interface AgentCallOrder {
  readonly afterMs: number;
  /** Of the call: a repeated one has the same. */
  readonly key: string;
  readonly request: string;
  /** It indexes the folder; else it is one run. */
  readonly indexes: boolean;
}

/** A process beside the windows, on the same store. */
export type Other = { readonly place: number; readonly atMs: number; readonly maxCents: number } & (
  | { readonly kind: 'terminal'; readonly choice: 'new' | 'failed' | 'unconfirmed' }
  | { readonly kind: 'server'; readonly client: string; readonly calls: readonly AgentCallOrder[] }
);

/** Told apart from the numbers of the seed itself. */
const OWN_NUMBERS = 0xa6e27;
/** Windows do not have such a place. */
const FIRST_PLACE = 100;

/** Terminals, MCP servers of agents, and permissions of people, from random numbers of their own. */
export function withOthers(scenario: Scenario): Scenario {
  const random = new Random(scenario.seed ^ OWN_NUMBERS);
  for (let i = 0; i < 5; i++) random.next();
  const count = random.chance(0.6) ? random.int(1, 3) : 0;
  const others = Array.from({ length: count }, (_, i) => otherOf(random, FIRST_PLACE + i));
  const troubles = others.flatMap((other) =>
    Array.from({ length: random.int(0, 3) }, () => troubleOf(random, other)),
  );
  const permits = others.length > 0 && random.chance(0.5) ? random.int(1, 3) : 0;
  const permitted = Array.from({ length: permits }, (): Trouble => {
    const window = random.int(0, scenario.windows - 1);
    const cents = random.chance(0.25) ? 0 : random.int(1, 20);
    return { kind: 'permit', window, atMs: random.int(0, 10_000), cents };
  });
  return { ...scenario, others, troubles: [...scenario.troubles, ...troubles, ...permitted] };
}

function otherOf(random: Random, place: number): Other {
  const atMs = random.int(0, random.pick([200, 4_000, 30_000]));
  const base = { place, atMs, maxCents: random.int(1, random.pick([4, 30])) };
  if (random.chance(0.4))
    return { ...base, kind: 'terminal', choice: random.pick(['new', 'failed', 'unconfirmed']) };
  const calls = Array.from({ length: random.int(1, 8) }, () => ({
    afterMs: random.int(0, random.pick([20, 2_000, 20_000])),
    key: random.pick(['a', 'b', 'c', 'd', 'e']),
    request: random.pick(['x', 'x', 'y', 'z']),
    indexes: random.chance(0.25),
  }));
  return { ...base, kind: 'server', client: random.pick(['one', 'one', 'two']), calls };
}

function troubleOf(random: Random, { place: window, atMs: from }: Other): Trouble {
  const atMs = from + random.int(0, random.pick([50, 2_000, 20_000]));
  const nth = random.int(1, 30);
  const forMs = random.pick([500, 5_000, 61_000, 90_000]);
  switch (
    random.pick(['death', 'deathAtChange', 'freeze', 'freezeAtChange', 'stop', 'open', 'open', 'disk'])
  ) {
    case 'death':
      return { kind: 'death', window, atMs };
    case 'deathAtChange':
      return {
        kind: 'deathAtChange',
        window,
        nth,
        when: random.pick(['deathBefore', 'deathIn', 'deathAfter']),
      };
    case 'freeze':
      return { kind: 'freeze', window, atMs, forMs };
    case 'freezeAtChange':
      return { kind: 'freezeAtChange', window, nth, forMs };
    case 'disk':
      return {
        kind: 'disk',
        window,
        nth,
        changes: random.pick([1, 5]),
        is: random.pick(['diskFull', 'busy']),
      };
    case 'stop':
      return { kind: 'user', window, atMs, act: 'stop' };
    default:
      return { kind: 'user', window, atMs, act: 'open' };
  }
}
