import type { Json } from '../../domain/json';
import { sameJson } from '../../domain/value';
import { withMembers } from '../../runFiles/write';
import { valueKey } from '../file/labels';
import { readExperiment } from '../file/read';

/** The text of an experiment in which a value has another name; an empty name removes the old one. Comments and all else stay. */
export function withLabel(text: string, pointer: string, value: Json, name: string): string {
  const { experiment } = readExperiment(text);
  if (!experiment) return text;
  const { [pointer]: names = {}, ...others } = experiment.labels ?? {};
  const { [valueKey(value)]: _, ...left } = names;
  const label = name.trim();
  const own = label === '' || sameJson(label, value) ? left : { ...names, [valueKey(value)]: label };
  const labels = { ...others, ...(Object.keys(own).length > 0 && { [pointer]: own }) };
  return withMembers(text, { labels: Object.keys(labels).length > 0 ? (labels as Json) : undefined });
}
