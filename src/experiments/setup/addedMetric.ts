import { type Json, tryParseJson } from '../../domain/json';
import { isObject } from '../../domain/value';
import { readPattern } from '../../runFiles/pattern';
import { withMembers } from '../../runFiles/write';
import { metricName } from '../file/askedMetrics';
import type { MetricEntry } from '../file/format';
import { readExperiment } from '../file/read';
import { numberIn } from '../metrics/equality';
import { variedFrom } from './variedValues';

/** The members of a check that can be typed. */
export const TYPED_CHECKS = [
  'matches',
  'contains',
  'equals',
  'oneOf',
  'near',
  'schema',
  'hitsContain',
  'maxSeconds',
  'maxCost',
] as const;
export type TypedCheck = (typeof TYPED_CHECKS)[number];

/** A check from typed text: "3 ± 0.1", "eng, fra", "^[a-z]+$". Undefined: the text is not a check. */
export function checkFrom(
  kind: TypedCheck,
  typed: string,
): Extract<MetricEntry, { check: unknown }>['check'] | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  switch (kind) {
    case 'matches':
      return readPattern(text) ? { matches: text } : undefined;
    case 'contains':
      return { contains: tryParseJson(text) ?? text };
    case 'equals':
      return { equals: tryParseJson(text) ?? text };
    case 'oneOf': {
      const values = variedFrom(text, true);
      return Array.isArray(values) ? { oneOf: values } : undefined;
    }
    case 'hitsContain': {
      const ids = text.split(',').map((id) => id.trim());
      return { hitsContain: ids.filter((id) => id !== '') };
    }
    case 'near': {
      const [value, tolerance, ...others] = text
        .split(/[\s±]|\+\/-/)
        .filter((part) => part !== '')
        .map(numberIn);
      const isNear = value !== undefined && tolerance !== undefined && tolerance >= 0 && others.length === 0;
      return isNear ? { near: { value, tolerance } } : undefined;
    }
    case 'schema': {
      const schema = tryParseJson(text);
      return isObject(schema) ? { schema } : undefined;
    }
    case 'maxSeconds':
    case 'maxCost': {
      const limit = numberIn(text);
      return limit !== undefined && limit >= 0 ? { [kind]: limit } : undefined;
    }
  }
}

/** The text of an experiment with one more metric; it gets a name of its own where another has its name. */
export function withMetric(text: string, entry: Extract<MetricEntry, object>): string {
  const { experiment } = readExperiment(text);
  if (!experiment) return text;
  const known = experiment.metrics ?? [];
  const names = new Set(known.map(metricName));
  const name = metricName(entry);
  let number = 2;
  while (names.has(`${name} ${number}`)) number += 1;
  const own = names.has(name) ? { ...entry, name: `${name} ${number}` } : entry;
  return withMembers(text, { metrics: [...known, own] as Json });
}
