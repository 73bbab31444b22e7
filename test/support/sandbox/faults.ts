import type { RouteName } from '../../../src/sandbox/http/routes';

/** The fault of a request that a rule selects. The last two execute (and charge) it first. */
type FaultAction =
  | 'delay' // served after an additional `ms` milliseconds
  | `status:${number}`
  | '429' // with `Retry-After: retryAfterSeconds` (default 1)
  | 'reset-before' // the connection is reset
  | 'reset-after-execute'
  | 'truncate'; // half of the response and a reset

/** Selects requests of a route: the `nth`, each `every`-th, or by `probability`; without these, all of them. */
export interface FaultRule {
  readonly route: RouteName | '*';
  /** Only runs of this mode. */
  readonly mode?: string;
  /** Counted from 1 among the requests that the rule looks at. */
  readonly nth?: number;
  readonly every?: number;
  /** 0 to 1, drawn from a seeded sequence of the rule's own. */
  readonly probability?: number;
  /** Maximum number of requests that the rule affects. */
  readonly times?: number;
  readonly action: FaultAction;
  readonly ms?: number;
  readonly retryAfterSeconds?: number;
}

interface ArmedRule {
  readonly rule: FaultRule;
  readonly random: () => number;
  seen: number;
  struck: number;
}

/** The rules in force. The same seed, rules and order of requests give the same faults. */
export class Faults {
  #armed: ArmedRule[] = [];

  constructor(rules: readonly FaultRule[] = [], seed = 1) {
    this.set(rules, seed);
  }

  set(rules: readonly FaultRule[], seed = 1): void {
    this.#armed = rules.map((rule, index) => ({
      rule,
      random: seededRandom(seed + index * 7919),
      seen: 0,
      struck: 0,
    }));
  }

  /** The rules that strike this request, in their order. */
  strike(request: { route: RouteName; mode?: unknown }): FaultRule[] {
    return this.#armed.flatMap((armed) => {
      const { rule } = armed;
      const meant =
        (rule.route === '*' || rule.route === request.route) &&
        (rule.mode === undefined || rule.mode === (request.mode ?? 'execute'));
      if (!meant) return [];
      armed.seen += 1;
      if (!isDue(armed) || armed.struck >= (rule.times ?? Number.POSITIVE_INFINITY)) return [];
      armed.struck += 1;
      return [rule];
    });
  }
}

function isDue({ rule, seen, random }: ArmedRule): boolean {
  // Drawn for every request, so that a change of `nth` or `every` does not shift the sequence.
  const drawn = random();
  if (rule.nth !== undefined && rule.nth !== seen) return false;
  if (rule.every !== undefined && seen % rule.every !== 0) return false;
  return rule.probability === undefined || drawn < rule.probability;
}

/** mulberry32: numbers in [0, 1), the same for the same seed. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
