import { type FaultProxy, type FaultProxyOptions, startFaultProxy } from './faultProxy';

/** A service whose responses to runs can be held back, so that a test finds a job in progress on any machine. */
export interface HeldRuns extends FaultProxy {
  /**
   * From now on the next runs get their responses, and those after them wait, with all that wait already; all of them
   * are executed.
   */
  hold(afterRuns: number): void;
  /** How many runs were held back since the last `hold`. */
  held(): number;
  /** Gives the responses that were held back, and all further ones. */
  release(): void;
  /** Cuts the connections that wait, as the end of their process does; further responses are given. */
  cut(): void;
}

/** @param behind the service that executes the requests */
export async function startHeldRuns(behind: FaultProxyOptions['behind']): Promise<HeldRuns> {
  let left = 0;
  let held = 0;
  let gate: ReturnType<typeof newGate> | undefined;
  const proxy = await startFaultProxy({
    behind,
    fault: ({ method, path }) => {
      if (!gate || method !== 'POST' || path !== '/api/runs') return undefined;
      left -= 1;
      if (left >= 0) return undefined;
      held += 1;
      return { kind: 'hold', until: gate.opened };
    },
  });
  const open = () => {
    const opened = gate;
    gate = undefined;
    return opened;
  };
  return Object.assign(proxy, {
    hold: (afterRuns: number) => {
      left = afterRuns;
      held = 0;
      gate ??= newGate();
    },
    held: () => held,
    release: () => open()?.resolve(),
    cut: () => open()?.reject(new Error('cut')),
  });
}

function newGate() {
  let resolve = () => {};
  let reject: (reason: Error) => void = () => {};
  const opened = new Promise<void>((...ends) => {
    [resolve, reject] = ends;
  });
  // Perhaps no run waits when it is cut.
  opened.catch(() => undefined);
  return { opened, resolve, reject };
}
