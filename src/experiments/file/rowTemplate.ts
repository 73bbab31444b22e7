import * as l10n from '@vscode/l10n';
import type { Json } from '../../domain/json';
import { childPointer } from '../../domain/pointer';
import type { RunDraft } from '../../domain/run';
import { getAt, setAt } from '../../domain/value';
import { valueText } from '../../domain/words';
import { formatBytes } from '../../wording/bytes';
import { shortened } from '../table/outcome';
import type { ExperimentFile } from './format';
import type { ExperimentItem } from './items';

/** Texts of a run that name columns of the table as `{{column}}`, filled from each row. */

/** A part of a template: unchanged text, or the name of a column. */
type Part = string | { readonly column: string };

/** A `{{` that no `}}` closes, or that names nothing. */
export class UnreadableTemplate extends Error {}

/**
 * Four open braces are two in the text, and closing braces alone are text.
 * @throws UnreadableTemplate
 */
export function templateParts(template: string): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  let text = '';
  for (let open = template.indexOf('{{'); open >= 0; open = template.indexOf('{{', from)) {
    text += template.slice(from, open);
    if (template.startsWith('{{{{', open)) {
      text += '{{';
      from = open + 4;
      continue;
    }
    const close = template.indexOf('}}', open);
    const column =
      close < 0
        ? ''
        : template
            .slice(open + 2, close)
            .trim()
            .normalize('NFC');
    if (column === '') throw new UnreadableTemplate();
    parts.push(text, { column });
    text = '';
    from = close + 2;
  }
  parts.push(text + template.slice(from));
  return parts;
}

/** Where an input has the value of a column: no place in the request looks like it. */
export function columnKey(column: string): string {
  return `{{${column}}}`;
}

/** Whether a value of an input goes to a place of the request itself. */
export function isPlace(key: string): boolean {
  return key.startsWith('/');
}

/** The run with its templates filled; cells that are no text are written as JSON. */
export function withRow(
  draft: RunDraft,
  templates: readonly string[],
  values: Readonly<Record<string, Json>>,
): RunDraft {
  return templates.reduce<RunDraft>((filled, place) => {
    const template = getAt(filled as unknown as Json, place);
    if (typeof template !== 'string') return filled;
    const text = templateParts(template).map((part) => {
      if (typeof part === 'string') return part;
      return valueText(values[columnKey(part.column)] ?? '');
    });
    return setAt(filled as unknown as Json, place, text.join('')) as unknown as RunDraft;
  }, draft);
}

export interface Templates {
  /** The columns that they name. */
  readonly columns: readonly string[];
  /** Characters of all of them, of all variations. */
  readonly length: number;
  readonly problems: readonly { readonly pointer: string; readonly message: string }[];
}

/**
 * The templates of an experiment.
 * @param draftsOf the run of each variation; made only where there are templates
 */
export function templatesIn(
  experiment: Pick<ExperimentFile, 'run' | 'vary' | 'over'>,
  draftsOf: () => readonly RunDraft[],
): Templates {
  const { over } = experiment;
  const places = over && 'rows' in over ? (over.templates ?? []) : [];
  const columns = new Set<string>();
  const problems = new Map<string, string>();
  const drafts = places.length === 0 ? [] : draftsOf();
  let length = 0;
  for (const [at, place] of places.entries()) {
    const texts = new Set<string>();
    for (const draft of drafts) {
      const template = getAt(draft as unknown as Json, place);
      if (typeof template === 'string') {
        length += template.length;
        texts.add(template);
      } else
        problems.set(
          childPointer('/over/templates', at),
          l10n.t('There is no text at {0}. Write the template there, in "run" or in "vary".', place),
        );
    }
    for (const text of texts) {
      const named = columnsIn(text);
      for (const column of named ?? []) columns.add(column);
      if (named || problems.size >= MOST_PROBLEMS) continue;
      problems.set(
        templatePlace(experiment, place, text),
        l10n.t(
          '“{0}”: write the name of a column between {1} and {2}. For the characters {1} themselves, write {3}.',
          ...[shortened(text, 60), '{{', '}}', '{{{{'],
        ),
      );
    }
  }
  return {
    columns: [...columns],
    length,
    problems: [...problems].map(([pointer, message]) => ({ pointer, message })),
  };
}

/** More problems of templates are not useful to show. */
const MOST_PROBLEMS = 50;

/** Undefined: the template cannot be read. */
function columnsIn(template: string): string[] | undefined {
  try {
    return templateParts(template).flatMap((part) => (typeof part === 'string' ? [] : part.column));
  } catch (error) {
    if (error instanceof UnreadableTemplate) return undefined;
    throw error;
  }
}

/** Where the file has a template: a varied value, or in the run. */
function templatePlace(
  { run, vary = {} }: Pick<ExperimentFile, 'run' | 'vary'>,
  place: string,
  template: string,
): string {
  const values = vary[place];
  const inVary = childPointer('/vary', place);
  if (values) return Array.isArray(values) ? childPointer(inVary, values.indexOf(template)) : inVary;
  return typeof run === 'string' ? '/run' : `/run${place}`;
}

/** Characters of all texts that templates make: more would fill the memory. */
const MOST_FILLED = 50_000_000;

/** Why the texts of templates are too long together; undefined where they are not. */
export function tooLongText(
  { columns, length }: Templates,
  items: readonly Pick<ExperimentItem, 'values'>[],
  variations: number,
): string | undefined {
  if (columns.length === 0) return undefined;
  let cells = 0;
  for (const { values } of items)
    for (const column of columns) {
      const value = values[columnKey(column)];
      cells += typeof value === 'string' ? value.length : JSON.stringify(value ?? '').length;
    }
  return length * items.length + cells * variations <= MOST_FILLED
    ? undefined
    : l10n.t(
        'The filled texts have more than {0} together. Use fewer inputs or values.',
        formatBytes(MOST_FILLED),
      );
}
