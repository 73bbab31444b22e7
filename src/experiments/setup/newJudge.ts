import type { Json } from '../../domain/json';
import { type ModelContract, modeOf } from '../../domain/model';
import { childPointer } from '../../domain/pointer';
import { isObject, setAt } from '../../domain/value';
import type { JudgeEntry } from '../file/format';
import { numberIn } from '../metrics/equality';
import { fieldsFor } from './columns';

export const JUDGE_KINDS = ['rubric', 'choices', 'pairwise'] as const;
export type JudgeKind = (typeof JUDGE_KINDS)[number];

/** A new judge: the run that is its file, and its metric. */
export interface NewJudge {
  readonly run: Json;
  readonly entry: JudgeEntry;
}

/**
 * A judge with a text that one adapts. Undefined: the model has no field for a text.
 * @param file path of its run file, relative to the experiment
 * @param choices label → value, of `choices`
 */
export function newJudge(
  contract: ModelContract,
  order: {
    readonly kind: JudgeKind;
    readonly name: string;
    readonly file: string;
    readonly hasExpected: boolean;
    readonly choices?: Readonly<Record<string, number>>;
  },
): NewJudge | undefined {
  const { kind, name, file, hasExpected, choices = { good: 1, bad: 0 } } = order;
  const mode = modeOf(contract, 'execute') ?? contract.modes[0];
  const field =
    mode && fieldsFor(mode).find((one) => one.kind === 'text' && one.pointer.startsWith('/input/'));
  if (!mode || !field) return undefined;
  const begun: Json = {
    version: 1,
    model: contract.slug,
    ...(mode.name !== 'execute' && { mode: mode.name }),
    input: {},
  };
  const at = answerPlace(mode.output?.schema);
  const how = {
    rubric: { rubric: { from: 1, to: 5 } },
    choices: { choices: { ...choices } },
    pairwise: { pairwise: {} },
  }[kind];
  return {
    run: setAt(begun, field.pointer, promptOf(kind, hasExpected, Object.keys(choices))),
    entry: { name, judge: file, ...(at !== '' && { at }), ...how },
  };
}

/** The text for a model that follows instructions; other models get the placeholders that they need by an edit. */
function promptOf(kind: JudgeKind, hasExpected: boolean, labels: readonly string[]): string {
  const isPair = kind === 'pairwise';
  const [first, last] = {
    rubric: ['Grade the answer from 1 (useless) to 5 (perfect).', 'Reply with the number only.'],
    choices: ['Judge the answer.', `Reply with one of these words only: ${labels.join(', ')}.`],
    pairwise: ['Which answer is better?', 'Reply with A, B or tie only.'],
  }[kind] as [string, string];
  return [
    `${first}\nQuestion:\n{{input}}`,
    ...(hasExpected ? ['Reference:\n{{expected}}'] : []),
    `${isPair ? 'Answer A' : 'Answer'}:\n{{output}}`,
    ...(isPair ? ['Answer B:\n{{other}}'] : []),
    last,
  ].join('\n\n');
}

const ANSWERS = ['answer', 'text', 'output', 'content', 'response', 'label', 'score'];

/** The place of the answer by the output schema: a text or number, those with a usual name first. */
function answerPlace(schema: unknown): string {
  const properties = isObject(schema as Json) ? (schema as { properties?: Json }).properties : undefined;
  if (!isObject(properties)) return '';
  const names = Object.entries(properties).flatMap(([key, value]) =>
    isObject(value) && ['string', 'number', 'integer'].includes(String(value.type)) ? key : [],
  );
  const place = ANSWERS.find((one) => names.includes(one)) ?? names[0];
  return place === undefined ? '' : childPointer('', place);
}

/** "good = 1, bad = 0", or labels alone, of which the first is worth 1 and the others 0. Undefined: fewer than two. */
export function choicesFrom(typed: string): Record<string, number> | undefined {
  const parts = typed
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const pairs = parts.map((part, at): [string, number | undefined] => {
    const [label = '', value] = part.split('=').map((one) => one.trim());
    return [label, value === undefined ? Number(at === 0) : numberIn(value)];
  });
  const isUsable = pairs.every(([label, value]) => label !== '' && value !== undefined);
  const choices = Object.fromEntries(pairs) as Record<string, number>;
  return isUsable && Object.keys(choices).length > 1 ? choices : undefined;
}
