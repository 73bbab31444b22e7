import type { UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { plainName } from '../readers/records';
import { mediaObjectSchema } from './documentedShapes';

// The names of types in hand-written contracts, as JSON Schema.

const FORMATS = words('date time email uuid color password textarea');
const TYPES: Readonly<Record<string, UnknownObject>> = {
  ...types({ type: 'string' }, 'string str text'),
  ...types({ type: 'string', format: 'uri' }, 'url uri'),
  ...types({ type: 'string', format: 'date-time' }, 'datetime'),
  ...types({ type: 'integer' }, 'integer int'),
  ...types({ type: 'number' }, 'number float double'),
  ...types({ type: 'boolean' }, 'boolean bool'),
  ...types({ type: 'object' }, 'object dict json'),
  ...types({ type: 'array' }, 'array list'),
  ...types({}, 'any enum select options'),
  ...types({ type: 'null' }, 'null none'),
  ...Object.fromEntries(FORMATS.map((format) => [format, { type: 'string', format }])),
};

function types(schema: UnknownObject, names: string): Record<string, UnknownObject> {
  return Object.fromEntries(words(names).map((name) => [name, schema]));
}

const LIST = /^(.+)\[\]$|^(?:array|list)\s*(?:<|\[|\(|of\s)(.+?)(?:>|\]|\))?$/i;
const NULLABLE = /^(.+)\|\s*(?:null|none)$|^optional\s*[[<(](.+)[\]>)]$/i;
const MEDIA_TYPE = /^(image|audio|video|file|media)(?:ref|object|file)?$/;

/** The schema of a type's name: "string", "int", "image", "image[]", "list[string]", "string|null", "Optional[int]". */
export function schemaOfTypeName(name: string): UnknownObject | undefined {
  if (name.length > 500) return undefined;
  const written = name.trim().replace(/[?!]$/, '');
  const [, before, inside] = LIST.exec(written) ?? NULLABLE.exec(written) ?? [];
  const inner = before ?? inside;
  if (inner !== undefined) {
    const schema = schemaOfTypeName(inner);
    return schema && (LIST.test(written) ? { type: 'array', items: schema } : { ...schema, nullable: true });
  }
  const plain = plainName(written);
  const media = MEDIA_TYPE.exec(plain)?.[1];
  if (media !== undefined) return mediaObjectSchema(media === 'media' ? 'file' : media);
  return Object.hasOwn(TYPES, plain) ? TYPES[plain] : undefined;
}
