import type { UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { plainName } from '../readers/records';
import { mediaObjectSchema } from './mediaSchema';

// The names of types in hand-written contracts, as JSON Schema.

const TYPES: Readonly<Record<string, UnknownObject>> = {
  ...types({ type: 'string' }, 'string str text prompt varchar bytes char textbox textinput'),
  ...types({ type: 'string', format: 'uri' }, 'url uri'),
  ...types({ type: 'string', format: 'path' }, 'path filepath'),
  ...types(
    { type: 'integer' },
    'integer int long count short int8 int16 int32 int64 uint8 uint16 uint32 uint64 i32 i64 u32 u64 usize biginteger numberinteger',
  ),
  ...types(
    { type: 'number' },
    'number float double decimal numeric slider range fp16 fp32 fp64 bf16 float16 float32 float64 f32 f64 bigdecimal numberdouble',
  ),
  ...types({ type: 'boolean' }, 'boolean bool checkbox switch toggle flag'),
  ...types({ type: 'object' }, 'object dict map json record struct collection fixedcollection'),
  ...types({ type: 'array' }, 'array list tuple set'),
  ...types({}, 'any enum select choice multiplechoice dropdown radio options multioptions multiselect'),
  ...types({ type: 'null' }, 'null none'),
  ...Object.fromEntries(
    words('date time email uuid color password textarea').map((format) => [
      format,
      { type: 'string', format },
    ]),
  ),
  ...types({ type: 'string', format: 'date' }, 'localdate dateonly'),
  ...types({ type: 'string', format: 'uuid' }, 'guid'),
  ...types(
    { type: 'string', format: 'date-time' },
    'datetime timestamp localdatetime offsetdatetime zoneddatetime datetimeoffset instant',
  ),
  ...types({ type: 'string', format: 'textarea' }, 'paragraph'),
};

function types(schema: UnknownObject, names: string): Record<string, UnknownObject> {
  return Object.fromEntries(words(names).map((name) => [name, schema]));
}

/** Types made of another one, which is in the first group; the outermost is tried first. */
const COMPOSED: readonly (readonly [pattern: RegExp, compose: (inner: UnknownObject) => UnknownObject])[] = [
  [/^(.+)\|\s*(?:null|none)$/i, nullable],
  [/^(.+)\[\]$/, arraySchema],
  [/^\[\](.+)$/, arraySchema],
  [/^\[([\w!]+)\]$/, arraySchema],
  [/^(?:optional|option|nullable)\s*[[<(](.+)[\]>)]$/i, nullable],
  [/^(\w+)[-_]list$/i, arraySchema],
  [
    /^(?:array|list|ilist|arraylist|vec|set|sequence|iterable|collection|ienumerable)\s*(?:<|\[|\(|of\s)(.+?)(?:>|\]|\))?$/i,
    arraySchema,
  ],
];

function nullable(schema: UnknownObject): UnknownObject {
  return { ...schema, nullable: true };
}

function arraySchema(items: UnknownObject): UnknownObject {
  return { type: 'array', items };
}

/** "int | float" is any number. */
function unionOf(names: readonly string[]): UnknownObject | undefined {
  const anyOf = names.map(schemaOfTypeName);
  if (anyOf.includes(undefined)) return undefined;
  return anyOf.every((each) => each?.type === 'integer' || each?.type === 'number')
    ? { type: 'number' }
    : { anyOf };
}

/** "Literal['a', 'b']" of Python and "'a' | 'b'" of TypeScript. */
function literalsIn(name: string): UnknownObject | undefined {
  const [, list] = /^Literal\[(.+)\]$/i.exec(name) ?? [];
  const parts = (list ?? name).split(list === undefined ? '|' : ',');
  const values = parts.map((part) => /^(['"])(.*)\1$/.exec(part.trim())?.[2]);
  if (values.includes(undefined) || (list === undefined && values.length < 2)) return undefined;
  return { type: 'string', enum: values };
}

const MEDIA_TYPE = /^(?:uri)?(image|audio|video|file|media|document|upload)(?:ref|object|file|upload|path)?$/;

/** The schema of a type's name: "string", "int", "image", "image[]", "list[string]", "string|null", "Optional[int]". */
export function schemaOfTypeName(name: string): UnknownObject | undefined {
  if (name.length > 500) return undefined;
  // "java.lang.String", "System.Int32", "PIL.Image.Image", "TYPE_INT32".
  const written = name
    .trim()
    .replace(/[?!]$/, '')
    .replace(/^(?:[a-z]\w*\.)+(?=[a-z])/i, '')
    .replace(/^TYPE_(?=[A-Z])/, '');
  const literals = literalsIn(written);
  if (literals !== undefined) return literals;
  const plain = written.toLowerCase();
  for (const [pattern, compose] of COMPOSED) {
    const part = pattern.exec(written)?.[1];
    if (part === undefined) continue;
    const inner = schemaOfTypeName(part);
    return inner === undefined ? undefined : compose(inner);
  }
  if (plain.includes('|')) return unionOf(plain.split('|'));
  const media = MEDIA_TYPE.exec(plainName(plain))?.[1];
  if (media !== undefined) return mediaObjectSchema(/image|audio|video/.test(media) ? media : 'file');
  return Object.hasOwn(TYPES, plainName(plain)) ? TYPES[plainName(plain)] : undefined;
}
