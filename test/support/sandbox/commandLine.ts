import { parseArgs } from 'node:util';
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
      wallet: { type: 'string' },
    },
  });
  if (values.data === undefined) throw new RangeError('--data DIR is missing.');
  return {
    dataDir: values.data,
    port: whole('--port', values.port, 65_535),
    uploadPort: whole('--upload-port', values['upload-port'], 65_535),
    latencyMs: whole('--latency', values.latency, 600_000),
    wallet: values.wallet,
  };
}

function whole(name: string, text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text) || Number(text) > max) {
    throw new RangeError(`${name} takes a whole number up to ${max}, not "${text}".`);
  }
  return Number(text);
}
