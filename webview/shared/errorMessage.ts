import { visibleText } from '../../src/wording/plainText';

export function errorMessage(error: unknown): string {
  return visibleText(error instanceof Error ? error.message : String(error));
}
