import * as l10n from '@vscode/l10n';

/** A size for people: "812 B", "3.4 MB". */
export function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  let size = bytes;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || size >= 100 ? 0 : 1;
  return `${size.toLocaleString(undefined, { maximumFractionDigits: digits })} ${units[unit]}`;
}

/** A time span for people: "34 ms", "0.4 s", "12 s", "3 min 05 s". */
export function durationText(milliseconds: number): string {
  if (milliseconds < 100) return l10n.t('{0} ms', Math.round(milliseconds));
  const seconds = milliseconds / 1000;
  if (seconds < 10) return l10n.t('{0} s', (Math.floor(seconds * 10) / 10).toFixed(1));
  if (seconds < 60) return l10n.t('{0} s', Math.floor(seconds));
  const rest = String(Math.floor(seconds % 60)).padStart(2, '0');
  return l10n.t('{0} min {1} s', Math.floor(seconds / 60), rest);
}
