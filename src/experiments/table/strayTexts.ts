import * as l10n from '@vscode/l10n';
import { sumByCurrency } from '../../domain/amounts';
import { formatSums } from '../../wording/money';
import { itemLabel } from '../file/itemLabel';
import type { ResultLine } from '../results/resultLine';
import type { StrayResults } from './placedPlan';

/** Inputs that are named; the others are counted. */
const MOST_NAMES = 3;

/**
 * The file's results outside of the grid, in sentences.
 * @param locale BCP 47
 */
export function strayTexts({ ofGoneInputs, ofOtherRuns }: StrayResults, locale?: string): string[] {
  const texts: string[] = [];
  const [gone, others] = [ofGoneInputs.length, ofOtherRuns.length];
  if (gone > 0) {
    const facts = [namesText(ofGoneInputs), costText(ofGoneInputs, locale)];
    texts.push(
      gone === 1
        ? l10n.t(
            '1 result is of an input that has changed or is gone: {0}{1}. It is shown below the inputs and not measured.',
            ...facts,
          )
        : l10n.t(
            '{0} results are of inputs that have changed or are gone: {1}{2}. They are shown below the inputs and not measured.',
            gone,
            ...facts,
          ),
    );
  }
  if (others > 0) {
    const cost = costText(ofOtherRuns, locale);
    texts.push(
      others === 1
        ? l10n.t(
            '1 result in the file is of another grid or an earlier version of the run{0}, and not shown.',
            cost,
          )
        : l10n.t(
            '{0} results in the file are of another grid or an earlier version of the run{1}, and not shown.',
            others,
            cost,
          ),
    );
  }
  return texts;
}

/** An input by the name that it had. */
function namesText(lines: readonly ResultLine[]): string {
  const names = [...new Set(lines.map(({ item }) => itemLabel(item)))];
  const shown = names.slice(0, MOST_NAMES).join(', ');
  return names.length > MOST_NAMES ? l10n.t('{0} and {1} more', shown, names.length - MOST_NAMES) : shown;
}

function costText(lines: readonly ResultLine[], locale: string | undefined): string {
  const sums = sumByCurrency(lines.flatMap(({ cost }) => cost ?? []));
  return sums.length === 0 ? '' : ` (${formatSums(sums, locale)})`;
}
