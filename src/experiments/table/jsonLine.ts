import type { Json } from '../../domain/json';

/** JSON on one line. Results files come from other people too: it may be nested deeper than it can be written. */
export function jsonLine(value: Json): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return '…';
    throw error;
  }
}
