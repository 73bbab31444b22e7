import type { Json } from '../../domain/json';
import { isMediaObject } from '../../domain/media';
import type { RunDraft } from '../../domain/run';
import { isObject } from '../../domain/value';
import type { ItemFile } from '../file/items';

/** The values that the run of a judge can name as `{{input}}`. */
export const PLACEHOLDERS = ['input', 'output', 'expected', 'other'] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** The value of a placeholder: text, and the file for a media object. */
export interface JudgedValue {
  readonly text?: string;
  readonly file?: ItemFile;
}
export type JudgedValues = Readonly<Partial<Record<Placeholder, JudgedValue>>>;

const PLACEHOLDER = /\{\{\s*([\w-]+)\s*\}\}/g;

/** The names in `{{…}}` of a run's input and parameters, known or not. */
export function namesIn({ input, params }: Pick<RunDraft, 'input' | 'params'>): ReadonlySet<string> {
  const names = new Set<string>();
  const look = (value: Json) => {
    if (typeof value === 'string') for (const [, name] of value.matchAll(PLACEHOLDER)) names.add(name!);
    else if (Array.isArray(value)) value.forEach(look);
    else if (isObject(value)) Object.values(value).forEach(look);
  };
  look(input);
  look(params);
  return names;
}

/** A placeholder of the template without a fitting value: the run cannot be judged. */
export class NoValue extends Error {
  constructor(
    readonly placeholder: Placeholder,
    readonly wanted: 'text' | 'file',
  ) {
    super(`No ${wanted} for {{${placeholder}}}`);
  }
}

/**
 * The run with its placeholders filled in, each once: text of a value is never read as a placeholder. A media object with a
 * placeholder becomes the file.
 * @throws NoValue
 */
export function filledDraft(draft: RunDraft, values: JudgedValues): RunDraft {
  const placeholderText = (name: string): string => {
    const placeholder = name as Placeholder;
    const text = values[placeholder]?.text;
    if (text === undefined) throw new NoValue(placeholder, 'text');
    return text;
  };
  const fill = (value: Json): Json => {
    if (typeof value === 'string')
      return value.replace(PLACEHOLDER, (_, name: string) => placeholderText(name));
    if (Array.isArray(value)) return value.map(fill);
    if (!isObject(value)) return value;
    const [, name] = (isMediaObject(value) && /^\{\{\s*([\w-]+)\s*\}\}$/.exec(value.media_ref)) || [];
    if (name !== undefined) {
      const file = values[name as Placeholder]?.file;
      if (!file) throw new NoValue(name as Placeholder, 'file');
      return { ...value, media_ref: file.uri, filename: file.filename };
    }
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fill(member)]));
  };
  return {
    ...draft,
    input: fill(draft.input) as RunDraft['input'],
    params: fill(draft.params) as RunDraft['params'],
  };
}
