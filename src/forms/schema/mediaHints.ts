import { isObject } from '../../domain/value';
import { type MediaMark, type SchemaNode, strings } from './node';

const KINDS: readonly [RegExp, string][] = [
  [/\b(images?|imgs?|photos?|pictures?|masks?|logos?|screenshots?|selfies?)\b/i, 'image/*'],
  [/\b(audios?|speech|voices?|sounds?|songs?|music)\b/i, 'audio/*'],
  [/\b(videos?|clips?|movies?)\b/i, 'video/*'],
];
const FORMATS = ['binary', 'base64', 'data-url', 'data-uri', 'file', 'path', 'image', 'audio', 'video'];
const MEDIA_FORMATS = new Set([...FORMATS, 'media', 'media_ref', 'media-ref']);
/** Names of files, unless the schema contradicts: `image`, `init_image`, `imageFile`, not `image_size`. */
const MEDIA_NAME =
  /^((input|init|source|src|reference|ref|target|control|start|end|first|last|style|mask|query)[_-]?)?(image|photo|picture|mask|audio|video|file|media)([_-]?(file|\d+|input))?$/i;
/** Types that hand-written contracts use for a file. */
const TYPE_NAME = /^(image|audio|video|file|media)$/i;
const LIST_NAME = /^(\w+[_-])?(images|photos|pictures|masks|audios|videos|files|media)$/i;

/** Whether an array of this name holds media, unless its items contradict. */
export function isMediaListName(name: string): boolean {
  return LIST_NAME.test(name);
}

/** "image" for "images": the name of one item of an array. */
export function singular(name: string): string {
  return name.replace(/ies$/i, 'y').replace(/s$/i, '');
}

/**
 * Whether a raw schema describes a file, and of which kinds. Contracts spell it in many ways: an object with
 * `media_ref` (section 2.2), `contentMediaType`, `format: binary`, Cog's `format: uri` on a field called
 * image, `type: file`, or nothing but the name.
 */
export function readMediaMark(name: string, schema: SchemaNode): MediaMark | undefined {
  // A field that only the service sets is shown without a file chooser.
  if (schema.readOnly === true) return undefined;
  const types = typeof schema.type === 'string' ? [schema.type] : strings(schema.type);
  const properties = isObject(schema.properties) ? schema.properties : undefined;
  const isRef = properties !== undefined && Object.hasOwn(properties, 'media_ref');
  const isText = types.includes('string');
  const combined = ['enum', 'const', '$ref', 'allOf', 'anyOf', 'oneOf'].some((key) => key in schema);
  const named = types.some((type) => TYPE_NAME.test(type));
  const mayBeRecord = (types.length === 0 && !('items' in schema)) || types.includes('object');
  const open = !combined && (named || isText || (mayBeRecord && !properties));
  if (!isRef && !(open && (named || saysMedia(name, schema, types)))) return undefined;
  return { accept: acceptedTypes(name, schema), text: !isRef && isText };
}

function saysMedia(name: string, schema: SchemaNode, types: readonly string[]): boolean {
  const format = typeof schema.format === 'string' ? schema.format.toLowerCase() : '';
  const content = typeof schema.contentMediaType === 'string' ? schema.contentMediaType : '';
  if (/^(image|audio|video)\/|^application\/(pdf|octet-stream|zip)/.test(content)) return true;
  if (schema.contentEncoding === 'base64' || schema.contentEncoding === 'binary') return true;
  if (MEDIA_FORMATS.has(format)) return format !== 'path' || MEDIA_NAME.test(name);
  if ([schema.comment, schema.$comment].includes('type=binary')) return true;
  if ('accept' in schema) return true;
  const isText = types.includes('string');
  const untyped = types.length === 0;
  if (untyped && /\binput (image|audio|video)\b/i.test(String(schema.description ?? ''))) return true;
  if (isText && isAddressFormat(format)) return MEDIA_NAME.test(name) || isMediaAddress(name, schema);
  if (!MEDIA_NAME.test(name)) return false;
  return untyped || types.includes('object') || (format === '' && !('pattern' in schema));
}

/** Whether a schema is of an address: whether it takes a file, the name of the field says. */
export function isAddress({ format }: SchemaNode): boolean {
  return typeof format === 'string' && isAddressFormat(format.toLowerCase());
}

function isAddressFormat(format: string): boolean {
  return /^(uri|url|iri|http-url)$/.test(format);
}

/**
 * Whether a field for an address takes a file, as its name, title or description says. The fields of plain interfaces
 * (`callback_url`, "the URL to notify when the image is done") take none.
 */
function isMediaAddress(name: string, schema: SchemaNode): boolean {
  const words = nameWords(name).trim();
  // `model_image` and `profile_photo` are files, `model_url` and `image_host` are not.
  if (LAST_MEDIA_WORD.test(words)) return true;
  if (NO_FILE.test(words)) return false;
  const about = lowerText(schema.description);
  if (ADDRESS.test(words))
    return about === '' || FOREIGN.test(about) ? MEDIA_WORD.test(words) : TAKES_FILE.test(about);
  return MEDIA_WORD.test(words) || MEDIA_WORD.test(`${lowerText(schema.title)}. ${about}`);
}

function lowerText(text: unknown): string {
  return typeof text === 'string' ? text.replace(/\s+/g, ' ').trim() : '';
}

const MEDIA =
  '(?:images?|imgs?|photos?|pictures?|masks?|logos?|screenshots?|selfies?|portraits?|frames?|audios?|speech|voices?|vocals|sounds?|songs?|music|videos?|clips?|movies?|gifs?|files?|zip|archives?|pdf|documents?|media|mesh|glb|obj|svg|mp3|mp4|wav|png|jpe?g|csv|tar)';
const MEDIA_WORD = new RegExp(`\\b${MEDIA}\\b`, 'i');
const LAST_MEDIA_WORD = new RegExp(`\\b${MEDIA}$`, 'i');
/** A name that asks for an address, not for the content at the address. */
const ADDRESS = /\b(ur[li]s?|links?|href)$/i;
/** In a script with words that are not known here. */
const FOREIGN = /[^\p{Script=Latin}\P{L}]/u;
const INPUT_WORD =
  '(?:input|source|src|reference|ref|target|original|initial|init|first|last|start|end|driving|control|query)';
/**
 * The model's input: "the input image", "an image to edit", or nothing but "URL of the image". Another use of a
 * picture ("a link to an image for the user's avatar") takes the address of one that is shown elsewhere.
 */
const TAKES_FILE = new RegExp(
  [
    `\\b${INPUT_WORD} (?:[\\w-]+ ){0,2}?${MEDIA}\\b`,
    `\\b${MEDIA}(?: (?:file|ur[li]|link)s?)? (?:(?:that|which) (?:will|should) |to )(?!not\\b|be (?:shown|displayed)\\b)[a-z]`,
    `^\\W*(?:(?:the|an?|your|enter|provide|list|public|publicly|accessible|direct|ur[li]s?|links?|paths?|address|of|to|for|pointing) )*${MEDIA}(?: files?)?(?: input| ur[li]s?| links?)?\\W*(?:[.,;:(].*)?$`,
  ].join('|'),
  'i',
);
/** Addresses that are called, opened or identified, even if their description mentions a file. */
const NO_FILE =
  /\b(callback|webhook|hook|redirect|return|notify|notification|notifications|endpoint|api|base|proxy|homepage|website|site|page|webpage|docs|documentation|help|support|terms|privacy|policy|license|repo|repository|origin|referer|referrer|success|cancel|error|status|profile|schema|issuer|server|host|service|upload|destination|output|namespace|feed|rss|git|model|checkpoint)\b/i;

/** Camel and snake case as words, so that `initImage` and `init_image` are read alike. */
function nameWords(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_-]+|(?<!mp)\d+/gi, ' ');
}

/**
 * The file types that a chooser should offer (see `isAccepted`), from the strongest hint to the weakest; empty: any.
 */
export function acceptedTypes(name: string, schema: SchemaNode): string[] {
  if (typeof schema.contentMediaType === 'string' && schema.contentMediaType !== 'application/octet-stream')
    return [schema.contentMediaType];
  const accept = typeof schema.accept === 'string' ? schema.accept.split(',') : strings(schema.accept);
  if (accept.length > 0) return [...new Set(accept.flatMap(acceptedType))];
  for (const hint of [schema.format, schema.type, nameWords(name), schema.title, schema.description]) {
    if (typeof hint !== 'string') continue;
    const kinds = KINDS.filter(([pattern]) => pattern.test(hint)).map(([, mime]) => mime);
    if (kinds.length > 0) return kinds;
  }
  return [];
}

/**
 * A type or an ending as an `<input>` has it: contracts also write "*.png", "png" and "image". Empty for other texts.
 */
function acceptedType(written: string): string[] {
  const type = written.trim().toLowerCase();
  if (type.includes('/')) return [written.trim()];
  if (/^(image|audio|video|text)s?$/.test(type)) return [`${type.replace(/s$/, '')}/*`];
  const ending = /^(?:\*?\.)?([\da-z][\w+-]*(?:\.[\w+-]+)*)$/.exec(type)?.[1];
  return ending === undefined || /^(any|all|files?|binary)$/.test(ending) ? [] : [`.${ending}`];
}

/** `image_ids` (or `imageIds`) for `images`: section 2.2 wants one id per media object. */
export function idsField(key: string, named: Readonly<Record<string, unknown>>): string | undefined {
  if (!isMediaListName(key)) return undefined;
  const names = [`${singular(key)}_ids`, `${singular(key)}Ids`, 'ids', `${key}_ids`];
  return names.find((name) => Object.hasOwn(named, name));
}
