import type { Problem } from '../domain/problems';
import { markAt, nameAt, type ParsedText, type Place } from './text';

/** A problem of a text that is JSON. */
interface TextProblem extends Problem {
  /** A syntax error has a place in the text only. */
  readonly place?: Place;
  /** The name of the member is what is wrong, not its value. */
  readonly onName?: boolean;
}

/** Where a problem is marked: its value, its name, or the object in which something is missing. */
export function placeOf(problem: TextProblem, file: Pick<ParsedText, 'root'>): Place {
  if (problem.place) return problem.place;
  const name = problem.onName ? nameAt(file.root, problem.pointer) : undefined;
  return name ?? markAt(file.root, problem.pointer).place;
}

/** A problem's message; that of a missing member names it. */
export function messageFor({ pointer, message, place }: TextProblem, file: Pick<ParsedText, 'root'>): string {
  const { missing } = place ? { missing: undefined } : markAt(file.root, pointer);
  return missing === undefined ? message : `${missing}: ${message}`;
}
