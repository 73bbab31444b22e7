import { existsSync } from 'node:fs';

const heights = ['unit', 'processes', 'host', 'panels', 'journeys', 'desktop'] as const;
export type Height = (typeof heights)[number];

export interface Arguments {
  readonly heights: readonly Height[];
  /** Test files that were named, instead of all. */
  readonly files: readonly string[];
  /** Mocha's other arguments: --grep and the like. */
  readonly mocha: readonly string[];
  /** Of `--shard=1/2`: only this part of the files of each height, out of `parts`. */
  readonly shard?: { readonly part: number; readonly parts: number };
}

const SHARD = /^--shard=(\d+)\/(\d+)$/;

const all: readonly Height[] = ['unit', 'processes', 'host', 'panels', 'journeys'];

/** Reads `[unit|processes|host|panels|journeys|desktop|all] [-- mocha's arguments, test files]`; throws a sentence for the user. */
export function readArguments(args: readonly string[]): Arguments {
  const asked: Height[] = [];
  const rest: string[] = [];
  for (const [at, arg] of args.entries()) {
    if (arg === '--' || arg.startsWith('-')) {
      rest.push(...args.slice(arg === '--' ? at + 1 : at));
      break;
    }
    if (arg === 'all') asked.push(...all);
    else if ((heights as readonly string[]).includes(arg)) asked.push(arg as Height);
    else if (arg.endsWith('.test.ts')) rest.push(arg);
    else throw new Error(`“${arg}” is none of: all, ${heights.join(', ')}, a *.test.ts file.`);
  }
  const files = rest.filter((arg) => arg.endsWith('.test.ts'));
  const missing = files.filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`There is no ${missing.join(', ')} here.`);
  const shard = rest.map((arg) => SHARD.exec(arg)).find((match) => match !== null);
  const mocha = rest.filter((arg) => !arg.endsWith('.test.ts') && !SHARD.test(arg));
  if (asked.length === 0 && files.length > 0) asked.push(...heightsOf(files));
  return {
    heights: asked.length > 0 ? asked : all,
    files,
    mocha,
    ...(shard && { shard: { part: Number(shard[1]), parts: Number(shard[2]) } }),
  };
}

function heightsOf(files: readonly string[]): Height[] {
  return heights.filter((height) => files.some((file) => file.includes(`test/${height}/`)));
}
