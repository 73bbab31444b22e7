import type { Problem } from '../../src/domain/problems';

type ByPlace = ReadonlyMap<string, readonly Problem[]>;

const below = new WeakMap<readonly Problem[], ByPlace>();

/**
 * The problems at a place of the request or below it. They are sorted by place once: each of hundreds of fields asks
 * at each key.
 */
export function problemsFrom(problems: readonly Problem[], pointer: string): readonly Problem[] {
  const known = below.get(problems) ?? byPlaces(problems);
  below.set(problems, known);
  return known.get(pointer) ?? [];
}

function byPlaces(problems: readonly Problem[]): ByPlace {
  const places = new Map<string, Problem[]>();
  for (const problem of problems)
    for (let at = problem.pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
      const here = places.get(at);
      if (here) here.push(problem);
      else places.set(at, [problem]);
      if (!at.includes('/')) break;
    }
  return places;
}
