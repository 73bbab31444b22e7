import type { UnknownObject } from '../../domain/value';
import { words } from '../../domain/words';
import { mediaObjectSchema } from './mediaSchema';
import { plainName } from './records';

// The names of types in hand-written contracts, as JSON Schema.

const TYPES: Readonly<Record<string, UnknownObject>> = {
  ...types({ type: 'string' }, 'string str text prompt varchar'),
  ...types({ type: 'string', format: 'uri' }, 'url uri'),
  ...types({ type: 'integer' }, 'integer int long int32 int64 count'),
  ...types({ type: 'number' }, 'number float double decimal numeric float32 float64 slider'),
  ...types({ type: 'boolean' }, 'boolean bool checkbox switch toggle flag'),
  ...types({ type: 'object' }, 'object dict map json record'),
  ...types({ type: 'array' }, 'array list tuple'),
  ...types({}, 'any enum select choice dropdown radio'),
  ...types({ type: 'null' }, 'null none'),
  ...Object.fromEntries(
    words('date time email uuid color password textarea').map((format) => [
      format,
      { type: 'string', format },
    ]),
  ),
  ...types({ type: 'string', format: 'date-time' }, 'datetime timestamp'),
};

function types(schema: UnknownObject, names: string): Record<string, UnknownObject> {
  return Object.fromEntries(words(names).map((name) => [name, schema]));
}

/** Types made of another one, which is in the first group; the outermost is tried first. */
const COMPOSED: readonly (readonly [pattern: RegExp, compose: (inner: UnknownObject) => UnknownObject])[] = [
  [/^(.+?)\s*\|\s*(?:null|none)$/, nullable],
  [/^(.+)\[\]$/, listOf],
  [/^optional\s*[[<(]\s*(.+?)\s*[\]>)]$/, nullable],
  [/^(?:array|list|sequence)\s*(?:<|\[|\(|of\s)\s*(.+?)\s*(?:>|\]|\))?$/, listOf],
];

function nullable(schema: UnknownObject): UnknownObject {
  return { ...schema, nullable: true };
}

function listOf(items: UnknownObject): UnknownObject {
  return { type: 'array', items };
}

const MEDIA_TYPE = /^(image|audio|video|file|media|document|upload)(?:ref|object|file|upload)?$/;

/** The schema of a type's name: "string", "int", "image", "image[]", "list[string]", "string|null", "Optional[int]". */
export function schemaOfTypeName(name: string): UnknownObject | undefined {
  const plain = name.trim().toLowerCase().replace(/[?!]$/, '');
  for (const [pattern, compose] of COMPOSED) {
    const part = pattern.exec(plain)?.[1];
    if (part === undefined) continue;
    const inner = schemaOfTypeName(part);
    return inner === undefined ? undefined : compose(inner);
  }
  const media = MEDIA_TYPE.exec(plainName(plain))?.[1];
  if (media !== undefined) return mediaObjectSchema(/image|audio|video/.test(media) ? media : 'file');
  return Object.hasOwn(TYPES, plainName(plain)) ? TYPES[plainName(plain)] : undefined;
}
