import * as l10n from '@vscode/l10n';
import type { Json } from '../../domain/json';
import { beginning } from '../../domain/words';
import type { ShownCell } from '../../protocol/experiment';
import { classifyResult } from '../../results/classify';
import type { ResultPart } from '../../results/resultView';
import { formatNumber, formatPower } from '../../wording/number';
import { readableValue } from '../results/measuredValue';
import { type ResultLine, resultFiles } from '../results/resultLine';
import { isContentMark } from '../results/resultMedia';
import { jsonLine } from './jsonLine';

/**
 * The outcome of one run, for a cell of the table.
 * `file`: of a picture or other media, even beside the compared part; relative to the results file
 */
export type LineOutcome = Pick<ShownCell, 'kind' | 'text' | 'value' | 'score' | 'more'> & { file?: string };

/** A cell shows the beginning; the full result is beside the table. */
const LONGEST_SHOWN = 240;
const PICTURES = /\.(?:png|jpe?g|webp|gif|avif|bmp)$/i;

/**
 * The outcome in a result line. Never throws: results files come from other people too.
 * @param at JSON pointer to the compared part of a result, which is shown first
 */
export function lineOutcome(line: ResultLine, at: string): LineOutcome {
  switch (line.state) {
    case 'failed':
      return { kind: 'failure', text: shortened(line.reason ?? l10n.t('Failed')) };
    case 'unconfirmed':
      // The service's message, where there was a response; else the known facts of the request.
      return line.reason === undefined
        ? { kind: 'none', text: '' }
        : { kind: 'failure', text: shortened(line.reason) };
    case 'finished':
      return resultOutcome(line, at);
  }
}

function resultOutcome(line: ResultLine, at: string): LineOutcome {
  const { result, result_file: first } = line;
  const [picture, ...others] = resultFiles(line).filter((name) => PICTURES.test(name));
  const value = readableValue(line, at);
  const scalar = at === '' && first === undefined ? undefined : scalarOutcome(value);
  const compared = scalar && !isContentMark(scalar.text) ? scalar : undefined;
  if (picture !== undefined) {
    const files = { file: picture, ...(others.length > 0 && { more: others.length }) };
    // Of the whole result the picture says more than the text beside it.
    return at !== '' && compared
      ? { ...compared, ...files }
      : { kind: 'picture', text: fileName(picture), ...files };
  }
  if (compared) return compared;
  if (first !== undefined && (result === undefined || !isText(first)))
    return { kind: 'media', text: fileName(first), file: first };
  if (result === undefined) return { kind: 'none', text: '' };
  return scalarOutcome(result) ?? recognised(result) ?? { kind: 'json', text: jsonText(result) };
}

/** Whether a file has a long result as text or JSON, not a medium of the result. */
function isText(file: string): boolean {
  return /\.(?:json|txt)$/i.test(file);
}

function scalarOutcome(value: Json | undefined): LineOutcome | undefined {
  if (typeof value === 'number') return { kind: 'number', text: numberText(value), value };
  if (typeof value === 'boolean') return { kind: 'label', text: String(value) };
  if (typeof value !== 'string') return undefined;
  const isLabel = value.length <= 60 && !value.includes('\n');
  return { kind: isLabel ? 'label' : 'text', text: shortened(value) };
}

/** Very large and very small numbers as powers of ten: the others as people write them. */
export function numberText(value: number, locale?: string): string {
  const size = Math.abs(value);
  return size >= 1e15 || (size > 0 && size < 1e-4)
    ? formatPower(value, 4, locale)
    : formatNumber(value, locale);
}

/** The score that the result gives to the label, where it lists labels with scores. It takes longer than the label. */
export function labelScore({ result }: ResultLine, { kind, text, score }: LineOutcome): number | undefined {
  if (kind !== 'label' || score !== undefined || typeof result !== 'object') return score;
  for (const { part } of classifyResult(result).sections) {
    if (part.kind !== 'labels') continue;
    const labelScore = part.labels.find(({ label }) => label === text)?.score;
    if (labelScore !== undefined) return labelScore;
  }
  return undefined;
}

/** Kinds of parts in the order in which they are worth a cell; the others are shown as JSON. */
const WORTH: readonly ResultPart['kind'][] = ['media', 'labels', 'hits', 'text', 'boxes', 'facts'];

function recognised(result: Json): LineOutcome | undefined {
  const parts = classifyResult(result).sections.map(({ part }) => part);
  const best = WORTH.flatMap((kind) => parts.find((part) => part.kind === kind) ?? [])[0];
  return best && partOutcome(best);
}

function partOutcome(part: ResultPart): LineOutcome | undefined {
  switch (part.kind) {
    case 'text':
      return { kind: 'text', text: shortened(part.text) };
    case 'labels': {
      const [first] = part.labels.toSorted((a, b) => b.score - a.score);
      return first && { kind: 'label', text: shortened(first.label), score: first.score };
    }
    case 'hits': {
      const ids = part.hits.slice(0, 5).map(({ id }) => id);
      const text = ids.length === 0 ? l10n.t('No hits.') : ids.join(', ');
      return { kind: 'hits', text: shortened(l10n.t('{0} hits: {1}', part.total, text)) };
    }
    case 'boxes': {
      const labels = part.boxes.flatMap(({ label }) => label ?? []).join(', ');
      return { kind: 'json', text: shortened(l10n.t('{0} boxes {1}', part.total, labels)) };
    }
    case 'facts':
      return {
        kind: 'json',
        text: shortened(part.facts.map(({ name, value }) => `${name}: ${String(value)}`).join(', ')),
      };
    case 'media': {
      const [medium] = part.media;
      // Not loaded from here: a page reaches no network, and the address may have expired.
      if (medium?.from === 'remote' && URL.canParse(medium.address ?? ''))
        return { kind: 'media', text: shortened(l10n.t('Address: {0}', new URL(medium.address!).host)) };
      return medium && { kind: 'media', text: shortened(medium.name ?? medium.medium) };
    }
    default:
      return undefined;
  }
}

function jsonText(value: Json): string {
  return shortened(jsonLine(value));
}

function fileName(file: string): string {
  return shortened(file.slice(file.lastIndexOf('/') + 1));
}

/** The beginning of a text on one line. */
export function shortened(text: string, most = LONGEST_SHOWN): string {
  const line = text
    .slice(0, most * 4)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return beginning(line, most);
}
