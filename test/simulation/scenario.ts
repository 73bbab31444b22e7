import { moreTroubles } from './moreTroubles';
import { type Other, withOthers } from './others';
import { Random } from './random';

/** The effect of a proxy, the network or the service on one request. */
export type Fate =
  | { readonly kind: 'refused' | 'lostOnTheWay' | 'lostOnTheWayBack' | 'twice' | 'silent' }
  | { readonly kind: 'slow'; readonly ms: number }
  | Cut
  /** Not executed, unless `executed`. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly executed?: boolean;
      readonly retryAfter?: RetryAfter;
    }
  | { readonly kind: 'page' | 'redirect' }
  | { readonly kind: 'accepted'; readonly becomes: 'indexed' | 'nothing' };

/** The connection ends at a byte of the request or of the response. */
export interface Cut {
  readonly kind: 'cut';
  readonly of: 'request' | 'response';
  /** 0: before its first byte. */
  readonly share: number;
  /** The response's length is not announced: its received part passes for all of it. */
  readonly endsOpen: boolean;
}

export interface RetryAfter {
  readonly form: 'seconds' | 'date' | 'milliseconds';
  readonly ms: number;
}

export type Route = 'run' | 'init' | 'bytes' | 'complete';

const userActs = [
  'index',
  'indexUnconfirmed',
  'retryFailed',
  'pause',
  'resume',
  'cancel',
  'stopWaiting',
  'close',
  'open',
  'run',
  'stop',
] as const;
const jobActs = userActs.filter((act) => act !== 'run' && act !== 'stop');
export type UserAct = (typeof userActs)[number];

/** Trouble that happens once, and that a failure's story may leave out. */
export type Trouble =
  | { readonly kind: 'request'; readonly route: Route; readonly nth: number; readonly fate: Fate }
  /** At the nth change that a window makes to the store. */
  | {
      readonly kind: 'deathAtChange';
      readonly window: number;
      readonly nth: number;
      readonly when: 'deathBefore' | 'deathIn' | 'deathAfter';
    }
  | { readonly kind: 'death'; readonly window: number; readonly atMs: number }
  | { readonly kind: 'freeze'; readonly window: number; readonly atMs: number; readonly forMs: number }
  /** In the midst: after the nth change, before anything else of the window goes on. */
  | { readonly kind: 'freezeAtChange'; readonly window: number; readonly nth: number; readonly forMs: number }
  | { readonly kind: 'clock'; readonly window: number; readonly atMs: number; readonly byMs: number }
  | {
      readonly kind: 'disk';
      readonly window: number;
      readonly nth: number;
      readonly changes: number;
      readonly is: 'diskFull' | 'busy';
    }
  | { readonly kind: 'user'; readonly window: number; readonly atMs: number; readonly act: UserAct }
  /** The user lets every agent spend this; 0: ends all permissions. */
  | { readonly kind: 'permit'; readonly window: number; readonly atMs: number; readonly cents: number }
  | {
      readonly kind: 'file';
      readonly file: number;
      readonly atMs: number;
      readonly act: 'edit' | 'touch' | 'delete';
    }
  /** The network is out. */
  | { readonly kind: 'outage'; readonly atMs: number; readonly forMs: number }
  /** The service forgets every upload. */
  | { readonly kind: 'expiry'; readonly atMs: number; readonly status: 400 | 404 | 409 | 410 | 422 };

/** All that a run of the simulation follows from. */
export interface Scenario {
  readonly seed: number;
  readonly windows: number;
  /** 1 or 2; two have nothing in common but the files. */
  readonly services: number;
  /** Per workspace. */
  readonly files: number;
  /** 1 or 2: folders whose files have the same paths, opened in turns by the windows. */
  readonly workspaces: number;
  /** Places of files that the service does not accept. */
  readonly corrupt: readonly number[];
  /** Places of files of the same content as the first. */
  readonly twins: readonly number[];
  readonly carries: 'media' | 'text';
  readonly uploadsTo: 'service' | 'elsewhere';
  readonly batchSize: number;
  readonly concurrency: number;
  readonly timeoutMs: number;
  /** The service's wording of a batch's outcome. */
  readonly wording: 'results' | 'count' | 'plain';
  /** How it says that a file is corrupt. */
  readonly rejects: 'batchNamed' | 'batchUnnamed' | 'item';
  /** Whether responses name a cost. */
  readonly namesCosts: boolean;
  /** Most that a window, or all together, may spend; hundredths. */
  readonly budget?: { readonly of: 'session' | 'workspace'; readonly cents: number };
  /** From this run on, a service charges a multiple of its published price. */
  readonly rise?: { readonly from: number; readonly times: number };
  /** Most time that a request takes one way. */
  readonly latencyMs: number;
  /** Most time that reading the key takes. */
  readonly keyMs: number;
  readonly others: readonly Other[];
  readonly troubles: readonly Trouble[];
}

/** The scenario of a seed. */
export function scenarioOf(seed: number): Scenario {
  const random = new Random(seed);
  // The first numbers of neighbouring seeds are alike.
  for (let i = 0; i < 5; i++) random.next();
  const windows = random.pick([1, 2, 2, 3, 4]);
  const files = random.int(1, random.pick([6, 12, 24]));
  const some = (most: number) => Array.from({ length: random.int(0, most) }, () => random.int(0, files - 1));
  const scenario: Scenario = {
    ...{ seed, windows, workspaces: 1, others: [], troubles: [] },
    services: random.chance(0.15) ? 2 : 1,
    files,
    corrupt: random.chance(0.3) ? some(2) : [],
    twins: random.chance(0.2) ? some(2) : [],
    carries: random.chance(0.15) ? 'text' : 'media',
    uploadsTo: random.chance(0.5) ? 'service' : 'elsewhere',
    batchSize: random.pick([1, 2, 3, 4, 8]),
    concurrency: random.pick([1, 2, 3, 4, 8]),
    timeoutMs: random.chance(0.15) ? random.int(200, 20_000) : 0,
    wording: random.pick(['results', 'count', 'plain'] as const),
    rejects: random.pick(['batchNamed', 'batchUnnamed', 'item'] as const),
    namesCosts: random.chance(0.8),
    ...(random.chance(0.25) && {
      budget: {
        of: random.pick(['session', 'workspace'] as const),
        cents: random.int(1, Math.max(2, files)),
      },
    }),
    ...(random.chance(0.5) && { rise: { from: random.int(0, 8), times: random.pick([2, 5, 20, 50]) } }),
    latencyMs: random.pick([5, 50, 400]),
    keyMs: random.pick([0, 5, 100]),
  };
  const count = random.int(0, random.pick([4, 10, 16]));
  const troubles = Array.from({ length: count }, () => troubleOf(random, scenario));
  return withOthers({ ...scenario, ...moreTroubles(scenario, troubles) });
}

/** The time when most of the work has ended without a delay. */
const BUSY_MS = 4_000;

function troubleOf(random: Random, { windows, files }: Scenario): Trouble {
  const window = random.int(0, windows - 1);
  const atMs = random.int(0, random.pick([200, BUSY_MS, BUSY_MS, 30_000, 120_000]));
  const kinds = [
    ...['request', 'request', 'request', 'request', 'user', 'user', 'user', 'deathAtChange', 'death'],
    ...['freeze', 'freezeAtChange', 'clock', 'disk', 'file', 'expiry', 'outage', 'user', 'request'],
  ];
  switch (random.pick(kinds)) {
    case 'request':
      return requestTrouble(random);
    case 'deathAtChange':
      return {
        ...{ kind: 'deathAtChange', window, nth: random.int(1, 40) },
        when: random.pick(['deathBefore', 'deathIn', 'deathAfter']),
      };
    case 'death':
      return { kind: 'death', window, atMs };
    case 'freeze':
      return { kind: 'freeze', window, atMs, forMs: pauseMs(random) };
    case 'freezeAtChange':
      return { kind: 'freezeAtChange', window, nth: random.int(1, 40), forMs: pauseMs(random) };
    case 'clock':
      return {
        ...{ kind: 'clock', window, atMs },
        byMs: random.pick([-1, 1]) * random.pick([1_000, 20_000, 3_600_000, 86_400_000]),
      };
    case 'disk':
      return {
        ...{ kind: 'disk', window, nth: random.int(1, 40), changes: random.pick([1, 1, 5, 2_000]) },
        is: random.pick(['diskFull', 'busy', 'busy']),
      };
    case 'file':
      return {
        ...{ kind: 'file', file: random.int(0, files - 1), atMs },
        act: random.pick(['edit', 'edit', 'touch', 'delete']),
      };
    case 'outage':
      return { kind: 'outage', atMs, forMs: random.pick([200, 3_000, 20_000]) };
    case 'expiry':
      return { kind: 'expiry', atMs, status: random.pick([400, 404, 409, 410, 422]) };
    default:
      return { kind: 'user', window, atMs, act: random.pick(jobActs) };
  }
}

function pauseMs(random: Random): number {
  return random.pick([500, 5_000, 61_000, 90_000, 400_000]);
}

function requestTrouble(random: Random): Trouble {
  const route = random.pick(['run', 'run', 'run', 'init', 'bytes', 'complete'] as const);
  return { kind: 'request', route, nth: random.int(1, random.pick([4, 12])), fate: fateOf(random, route) };
}

function fateOf(random: Random, route: Route): Fate {
  const retryAfter: RetryAfter = {
    form: random.pick(['seconds', 'seconds', 'date', 'milliseconds']),
    ms: random.pick([1_000, 2_000, 5_000, 20_000, 75_000]),
  };
  const common: readonly Fate[] = [
    { kind: 'refused' },
    { kind: 'lostOnTheWay' },
    { kind: 'lostOnTheWayBack' },
    { kind: 'silent' },
    { kind: 'twice' },
    { kind: 'slow', ms: random.pick([2_000, 30_000]) },
    { kind: 'status', status: 429, retryAfter },
    { kind: 'status', status: 429, retryAfter },
    { kind: 'status', status: 429 },
    { kind: 'status', status: 503, executed: random.chance(0.5), retryAfter },
    { kind: 'status', status: random.pick([500, 502, 504]), executed: random.chance(0.5) },
    { kind: 'status', status: random.pick([401, 402, 403, 404]) },
    { kind: 'page' },
    { kind: 'redirect' },
  ];
  const ofRuns: readonly Fate[] = [
    { kind: 'accepted', becomes: 'indexed' },
    { kind: 'accepted', becomes: 'nothing' },
    { kind: 'status', status: random.pick([400, 409, 410, 413, 422]) },
    { kind: 'lostOnTheWayBack' },
  ];
  return random.pick(route === 'run' ? [...common, ...ofRuns] : common);
}
