import * as l10n from '@vscode/l10n';
import { segmentsOf } from '../../src/domain/pointer';

/** A pointer for people: "images › 1 › media_ref". */
export function placeName(pointer: string): string {
  const parts = segmentsOf(pointer);
  const names = parts[0] === 'input' || parts[0] === 'params' ? parts.slice(1) : parts;
  if (names.length === 0) return PARTS.get(parts[0])?.() ?? l10n.t('Input');
  return names.map((name) => (/^\d+$/.test(name) ? String(Number(name) + 1) : name)).join(' › ');
}

const PARTS = new Map<string | undefined, () => string>([
  [undefined, () => l10n.t('JSON')],
  ['params', () => l10n.t('Parameters')],
  ['options', () => l10n.t('Options')],
]);
