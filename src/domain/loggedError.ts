import { errorCode } from './errorCode';
import type { LogLine } from './logLine';

/** Of a stack, the calls that are nearest. */
const MOST_CALLS = 8;

/** The beginning of the engine's most frequent message. The rest names a member, perhaps one of an input. */
const OF_NOTHING = /^Cannot (read|set) properties of (undefined|null)/;

/**
 * An error as a line of the log has it: its kind, the codes that are known of it, and where it happened. Never a
 * message that could quote somebody: sentences of a service repeat the request; JSON.parse, zod, URLs and the file
 * system quote their input. Users read the message where it happened (`showError`).
 */
export function loggedError(error: unknown): LogLine {
  if (!(error instanceof Error)) return `a value that is no error: ${typeof error}` as LogLine;
  return [facts(error), ...calls(error)].join('; ') as LogLine;
}

function facts(error: Error): string {
  const { kind, reason, details } = error as Partial<Record<'kind' | 'reason' | 'details', unknown>>;
  const { status, why } = (details ?? {}) as { status?: unknown; why?: { reason?: unknown } };
  const codes = [kind, reason, why?.reason, errorCode(error), status].filter(
    (fact) => typeof fact === 'number' || (typeof fact === 'string' && /^\w{1,60}$/.test(fact)),
  );
  const [mistake] = (error instanceof TypeError && OF_NOTHING.exec(error.message)) || [];
  return [error.name, ...codes].join(' ') + (mistake === undefined ? '' : `: ${mistake}`);
}

/** The nearest calls of its stack, which begins with the message: that may have lines that look like calls. */
function calls(error: Error): string[] {
  const stack = error.stack ?? '';
  const at = stack.indexOf(error.message);
  if (at < 0) return [];
  const lines = stack.slice(at + error.message.length).split('\n');
  return lines.slice(1, 1 + MOST_CALLS).map((line) => line.trim());
}
