import { parseArgs } from 'node:util';
import type { FaultRule } from './faults';
import type { RateLimitOptions } from './rateLimit';
import type { WatchedOptions } from './watchedSandbox';

/** The command line of program.ts. @throws {RangeError | TypeError} an unknown or invalid argument */
export function readArguments(argv: readonly string[]): WatchedOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      data: { type: 'string' },
      port: { type: 'string' },
      'upload-port': { type: 'string' },
      latency: { type: 'string' },
      'rate-limit': { type: 'string' },
      wallet: { type: 'string' },
      faults: { type: 'string' },
      seed: { type: 'string' },
    },
  });
  if (values.data === undefined) throw new RangeError('--data DIR is missing.');
  return {
    dataDir: values.data,
    port: whole('--port', values.port, 65_535),
    uploadPort: whole('--upload-port', values['upload-port'], 65_535),
    latencyMs: whole('--latency', values.latency, 600_000),
    rateLimit: readRateLimit(values['rate-limit']),
    wallet: values.wallet,
    faults: readFaults(values.faults),
    seed: whole('--seed', values.seed, 2 ** 32 - 1),
  };
}

function whole(name: string, text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text) || Number(text) > max) {
    throw new RangeError(`${name} takes a whole number up to ${max}, not "${text}".`);
  }
  return Number(text);
}

function readRateLimit(text: string | undefined): RateLimitOptions | undefined {
  if (text === undefined) return undefined;
  const parts = /^(\d+)\/(\d+(?:\.\d+)?)$/.exec(text);
  if (parts === null || Number(parts[1]) < 1 || Number(parts[2]) <= 0) {
    throw new RangeError(`--rate-limit takes N/SECONDS, not "${text}".`);
  }
  return { limit: Number(parts[1]), windowSeconds: Number(parts[2]) };
}

function readFaults(text: string | undefined): FaultRule[] | undefined {
  if (text === undefined) return undefined;
  const rules: unknown = JSON.parse(text);
  if (!Array.isArray(rules)) throw new RangeError('--faults takes a JSON list of rules.');
  return rules as FaultRule[];
}
