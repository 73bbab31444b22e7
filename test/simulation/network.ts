import type { Transport } from '../../src/service/transport';
import { Exchange } from './exchange';
import type { Judge } from './judge';
import type { Random } from './random';
import type { Fate, Route, Scenario } from './scenario';
import type { SimProcess, World } from './world';

/** The way between windows and services: it delays, reorders, cuts, doubles. */
export class Network {
  /** Requests so far, by route. */
  readonly #counts = new Map<Route, number>();
  readonly #random: Random;
  /** The network has no more faults. */
  isCalm = false;
  /** The network is out. */
  isOut = false;

  constructor(
    private readonly world: World,
    private readonly judge: Judge,
    private readonly scenario: Scenario,
  ) {
    this.#random = world.random.of(1);
  }

  /** The transport of one window. */
  of(process: SimProcess): Transport {
    const closed = new AbortController();
    return {
      send: (request) =>
        new Promise((resolve, reject) => {
          new Exchange(this, process, request, closed.signal, { resolve, reject }).begin();
        }),
      close: () => closed.abort(new Error('closed')),
    };
  }

  get parts() {
    const { world, judge } = this;
    return { world, judge };
  }

  /** The fate of the next request of a route. */
  fate(url: URL): Fate | undefined {
    const route = routeOf(url);
    const nth = (this.#counts.get(route) ?? 0) + 1;
    this.#counts.set(route, nth);
    if (this.isCalm) return undefined;
    if (this.isOut) return { kind: 'refused' };
    const trouble = this.scenario.troubles.find(
      (one) => one.kind === 'request' && one.route === route && one.nth === nth,
    );
    return trouble?.kind === 'request' ? trouble.fate : undefined;
  }

  delay(): number {
    return this.#random.next() * this.scenario.latencyMs;
  }
}

export function routeOf({ pathname }: URL): Route {
  if (pathname.startsWith('/upload/')) return 'bytes';
  if (pathname.endsWith('/init')) return 'init';
  return pathname.endsWith('/complete') ? 'complete' : 'run';
}
