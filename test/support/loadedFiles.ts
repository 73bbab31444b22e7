import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The files that a bundle of ES modules loads with itself: its own and those it imports statically, not on first use. */
export function filesLoadedWith(file: string): string[] {
  const seen = new Set<string>();
  const pending = [file];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const statements = readFileSync(next, 'utf8').matchAll(
      /(?:^|[;\n])\s*(?:import|export)[^;()'"]*?["'](\.[^"']+)["']/g,
    );
    for (const [, name] of statements) pending.push(path.resolve(path.dirname(next), name!));
  }
  return [...seen];
}
