import type { Problem } from '../domain/problems';
import { markAt, nameAt, type ParsedText, type TextSpan } from './text';

/** A problem of a text that is JSON. */
interface TextProblem extends Problem {
  /** A syntax error has a place in the text only. */
  readonly place?: TextSpan;
  /** The problem is the name of the member, not its value. */
  readonly onName?: boolean;
}

/** VS Code shows 1,000 problems of a file, errors first, and with one more says that there are others. */
const MOST_MARKED = 1_001;

/** The problems that an editor shows of a file: finding the places of tens of thousands takes seconds. */
export function markedProblems<T extends { readonly severity: 'error' | 'warning' }>(
  problems: readonly T[],
): readonly T[] {
  if (problems.length <= MOST_MARKED) return problems;
  const errors = problems.filter(({ severity }) => severity === 'error');
  const others = problems.filter(({ severity }) => severity !== 'error');
  return [...errors, ...others].slice(0, MOST_MARKED);
}

/** Where a problem is marked: its value, its name, or the object in which something is missing. */
export function problemPlace(problem: TextProblem, file: Pick<ParsedText, 'root'>): TextSpan {
  if (problem.place) return problem.place;
  const name = problem.onName ? nameAt(file.root, problem.pointer) : undefined;
  return name ?? markAt(file.root, problem.pointer).place;
}

/** A problem's message; that of a missing member names it. */
export function messageFor({ pointer, message, place }: TextProblem, file: Pick<ParsedText, 'root'>): string {
  const { missing } = place ? { missing: undefined } : markAt(file.root, pointer);
  return missing === undefined ? message : `${missing}: ${message}`;
}
