import { cpuMs } from './stall';

/** Milliseconds that this thread works on something; other work of the machine does not count. */
export function threadTime(act: () => void): number {
  const before = cpuMs();
  act();
  return cpuMs() - before;
}
