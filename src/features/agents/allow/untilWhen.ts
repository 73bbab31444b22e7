import * as l10n from '@vscode/l10n';
import type { StepChoice } from '../../../platform/pickers/askSteps';

const HOUR_MS = 3_600_000;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Rows for the end of a grant; the text of a row is a day or `hour`. The first is the default. */
export function untilChoices(now: Date): readonly StepChoice[] {
  return [
    { text: dayText(now), label: l10n.t('Today'), description: l10n.t('until midnight') },
    { text: 'hour', label: l10n.t('One hour') },
  ];
}

/** The row for a typed date; undefined: it is none, or is past. */
export function typedUntil(text: string, now: Date): StepChoice | undefined {
  const until = endOf(text, now);
  if (until === undefined || !DAY.test(text)) return undefined;
  return { text, label: text, description: l10n.t('until the end of this day') };
}

/** The end in milliseconds since the epoch, by the local calendar; undefined: the text is none. */
export function endOf(text: string, now: Date): number | undefined {
  if (text === 'hour') return now.getTime() + HOUR_MS;
  const [, year, month, day] = DAY.exec(text) ?? [];
  const end = new Date(Number(year), Number(month) - 1, Number(day) + 1);
  // Only a date of the calendar: of 31 February another one would be made.
  const isReal = dayText(new Date(end.getFullYear(), end.getMonth(), end.getDate() - 1)) === text;
  return isReal && end > now ? end.getTime() : undefined;
}

function dayText(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
