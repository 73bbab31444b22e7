import type { Json } from '../domain/json';
import { pointerOf } from '../domain/pointer';
import { getAt, isObject, type UnknownObject } from '../domain/value';
import { members, pick, plainName } from '../readers/records';

// OpenAPI 3 and Swagger 2 documents, as servers of models publish them.

/** The parts of a document for one kind of run. */
export interface Operation {
  /** `execute`, `index` or `search` where the path or the identifier says so. */
  readonly mode?: string;
  /** The schema of the request's body, or of `input` in it. */
  readonly schema: UnknownObject;
  readonly at: string;
  /** `input`: the schema is that of `input` itself. */
  readonly of: 'input' | 'request';
  readonly examples: readonly unknown[];
}

/** Paths that are about runs, and paths that are about something else. */
const RUNS =
  /predict|runs?\b|invo(?:ke|cation)|infer|execut|generat|complet|process|score|classif|embed|detect|transcri|call|submit/i;
const OTHERS =
  /cancel|status|health|ready|live\b|metric|webhook|train|finetun|upload|login|token|auth|admin|shutdown|\{[^{}]*(?:request|prediction|run|job|task)/i;

/** All that a document has at its top. */
const OF_DOCUMENT =
  /^(?:openapi|swagger|info|servers|paths|components|definitions|security|securityDefinitions|tags|externalDocs|webhooks|jsonSchemaDialect|host|basePath|schemes|consumes|produces|parameters|responses|x-.*)$/;

/** Whether a record is a whole document: it says so, or has nothing but parts of one. */
export function isOpenApi(record: UnknownObject): boolean {
  const { paths, components, definitions } = record;
  const version = record.openapi ?? record.swagger;
  if (typeof version === 'string' || typeof version === 'number')
    return isObject(paths) || isObject(components) || isObject(definitions);
  const hasPaths = isObject(paths) && members(paths).every(([path]) => path.startsWith('/'));
  const hasSchemas = isObject(components) && isObject((components as UnknownObject).schemas);
  return (hasPaths || hasSchemas) && members(record).every(([key]) => OF_DOCUMENT.test(key));
}

/** The operations of a document that run the model, the likeliest first. */
export function openApiOperations(document: UnknownObject): readonly Operation[] {
  const known = operations.get(document) ?? readOperations(document);
  operations.set(document, known);
  return known;
}

/** The schema of a result in a document: the component `Output`, else that of the likeliest run's response. */
export function openApiOutput(document: UnknownObject): UnknownObject | undefined {
  const [operation] = openApiOperations(document);
  const home = operation?.at.replace(/\/(?:requestBody|parameters)\b.*$/, '');
  const response = `${home}/responses/200/content/application~1json/schema`;
  const place = operation?.of === 'input' ? '/components/schemas/Output' : response;
  const schema = operation && getAt(document as Json, place);
  return isObject(schema) ? (schema as UnknownObject) : undefined;
}

/** Several readers ask for those of one document. */
const operations = new WeakMap<UnknownObject, readonly Operation[]>();

function readOperations(document: UnknownObject): readonly Operation[] {
  const operations = posts(document).flatMap(({ path, operation, at }) => {
    const body = requestBody(document, operation, at);
    if (body === undefined) return [];
    const { operationId } = operation;
    const name = `${path} ${typeof operationId === 'string' ? operationId : ''}`;
    const mode = /(?:^|[/_.:\s-])(execute|index|search)(?:$|[/_.:\s-])/i.exec(name)?.[1]?.toLowerCase();
    return [{ ...body, of: 'request' as const, path, ...(mode !== undefined && { mode }) }];
  });
  const input = getAt(document as Json, '/components/schemas/Input');
  // The component `Input` is the `input` of /predictions; elsewhere it may be anything's.
  if (
    isObject(input) &&
    (operations.length === 0 || operations.some(({ schema }) => hasComponentInput(document, schema)))
  )
    return [{ schema: input as UnknownObject, at: '/components/schemas/Input', of: 'input', examples: [] }];
  const likely = operations.filter(({ path }) => !OTHERS.test(path));
  const rank = ({ path, mode }: { path: string; mode?: string }) =>
    mode !== undefined ? 0 : RUNS.test(path) ? 1 : 2;
  return likely.toSorted((a, b) => rank(a) - rank(b) || a.path.length - b.path.length);
}

function hasComponentInput(document: UnknownObject, schema: UnknownObject): boolean {
  const request = resolvedIn(document, schema);
  const input = isObject(request.properties) ? request.properties.input : undefined;
  return isObject(input) && JSON.stringify(input).includes('"#/components/schemas/Input"');
}

/** The schema that a lone reference names. */
export function resolvedIn(document: UnknownObject, schema: UnknownObject): UnknownObject {
  const { $ref } = schema;
  const target = typeof $ref === 'string' ? getAt(document as Json, $ref.replace(/^#/, '')) : undefined;
  return isObject(target) ? (target as UnknownObject) : schema;
}

interface Post {
  readonly path: string;
  readonly operation: UnknownObject;
  readonly at: string;
}

function posts({ paths }: UnknownObject): Post[] {
  if (!isObject(paths)) return [];
  return members(paths).flatMap(([path, item]) => {
    const method = isObject(item) ? ['post', 'put'].find((name) => isObject(item[name])) : undefined;
    if (method === undefined) return [];
    const operation = (item as UnknownObject)[method] as UnknownObject;
    return [{ path, operation, at: pointerOf(['paths', path, method]) }];
  });
}

type Body = Pick<Operation, 'schema' | 'at' | 'examples'>;

function requestBody(document: UnknownObject, operation: UnknownObject, at: string): Body | undefined {
  const written = isObject(operation.requestBody) ? operation.requestBody : undefined;
  if (written !== undefined) {
    const ref = typeof written.$ref === 'string' ? written.$ref : undefined;
    const body = ref === undefined ? written : getAt(document as Json, ref.replace(/^#/, ''));
    const content = isObject(body) ? body.content : undefined;
    if (!isObject(content)) return undefined;
    const types = members(content).map(([type]) => type);
    const type = types.find((name) => /json/i.test(name)) ?? types.find((name) => /form/i.test(name));
    const media = type === undefined ? undefined : content[type];
    if (type === undefined || !isObject(media) || !isObject(media.schema)) return undefined;
    const home = ref === undefined ? `${at}/requestBody` : ref.replace(/^#/, '');
    return {
      schema: media.schema as UnknownObject,
      at: `${home}${pointerOf(['content', type, 'schema'])}`,
      examples: examplesOf(media as UnknownObject),
    };
  }
  // Swagger 2.
  const parameters = Array.isArray(operation.parameters) ? operation.parameters.filter(isObject) : [];
  const index = parameters.findIndex((parameter) => parameter.in === 'body' && isObject(parameter.schema));
  const schema = parameters[index]?.schema;
  if (isObject(schema)) return { schema, at: `${at}/parameters/${index}/schema`, examples: [] };
  const form = parameters.filter(
    (parameter) => parameter.in === 'formData' && typeof parameter.name === 'string',
  );
  if (form.length === 0) return undefined;
  const properties = Object.fromEntries(form.map((each) => [each.name as string, each]));
  const required = form.filter((each) => each.required === true).map((each) => each.name);
  return { schema: { type: 'object', properties, required }, at: `${at}/parameters`, examples: [] };
}

function examplesOf(media: UnknownObject): unknown[] {
  const { examples } = media;
  const named = isObject(examples)
    ? members(examples).flatMap(([title, each]) =>
        isObject(each) && 'value' in each ? [{ title, value: each.value }] : [],
      )
    : [];
  return media.example === undefined ? named : [media.example, ...named];
}

/** Fields of a run's body beside `input`. */
const BESIDE_INPUT = new Set(
  'model mode scope params parameters options version id webhook webhookeventsfilter createdat outputfileprefix context stream policy s3config metadata'.split(
    ' ',
  ),
);

/** The schemas of `input` and `params` in that of a whole request; undefined when it is the input itself. */
export function partsOfRequest(
  schema: UnknownObject,
): { readonly input: UnknownObject; readonly params?: UnknownObject } | undefined {
  const { properties } = schema;
  if (!isObject(properties)) return undefined;
  const { input } = properties;
  if (!isObject(input) || !mayBeObject(input)) return undefined;
  if (!members(properties).every(([name]) => name === 'input' || BESIDE_INPUT.has(plainName(name))))
    return undefined;
  const params = pick(properties, 'params', 'parameters');
  return { input, ...(isObject(params) && { params }) };
}

function mayBeObject(schema: UnknownObject): boolean {
  return (
    schema.type === 'object' ||
    (schema.type === undefined &&
      ['$ref', 'properties', 'allOf', 'anyOf', 'oneOf'].some((key) => key in schema))
  );
}
