import type { Json } from '../domain/json';
import { pointerOf } from '../domain/pointer';
import { getAt, isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { members, pick, plainName, scalarText } from '../readers/records';

// OpenAPI documents, as servers of models publish them.

/** The parts of a document for one kind of run. */
export interface Operation {
  /** `execute`, `index` or `search` where the path or the identifier says so. */
  readonly mode?: string;
  /** The schema of the request's body, or of `input` in it. */
  readonly schema: UnknownObject;
  readonly at: string;
  readonly examples: readonly unknown[];
}

/** Paths that are about runs. */
const RUNS = /predict|runs?\b|invoke|infer|execut|generat/i;

/** Whether a record is a whole document. */
export function isOpenApi({ openapi, swagger, paths, components }: UnknownObject): boolean {
  const version = openapi ?? swagger;
  return (
    (typeof version === 'string' || typeof version === 'number') && (isObject(paths) || isObject(components))
  );
}

/** The schema of a result in a document: the component `Output`, else that of the likeliest run's response. */
export function openApiOutput(document: UnknownObject): UnknownObject | undefined {
  const [operation] = openApiOperations(document);
  const place = operation?.at
    .replace(/\/requestBody\b.*$/, '/responses/200/content/application~1json/schema')
    .replace(/\/Input$/, '/Output');
  const schema = place === undefined ? undefined : getAt(document as Json, place);
  return isObject(schema) ? (schema as UnknownObject) : undefined;
}

/** The operations of a document that run the model, the likeliest first. */
export function openApiOperations(document: UnknownObject): readonly Operation[] {
  const { paths } = document;
  const operations = (isObject(paths) ? members(paths) : []).flatMap(([path, item]) => {
    const operation = isObject(item) ? item.post : undefined;
    const at = pointerOf(['paths', path, 'post']);
    const body = isObject(operation) ? requestBody(document, operation.requestBody, at) : undefined;
    if (body === undefined) return [];
    const name = `${path} ${scalarText((operation as UnknownObject).operationId)}`;
    const mode = /(?:^|[/_.:\s-])(execute|index|search)(?:$|[/_.:\s-])/i.exec(name)?.[1]?.toLowerCase();
    return [{ ...body, path, ...(mode !== undefined && { mode }) }];
  });
  const at = '/components/schemas/Input';
  const input = getAt(document as Json, at);
  // The component `Input` is the `input` of a run; elsewhere it may be anything's.
  const inputOf = ({ schema }: Operation) => getAt(resolvedIn(document, schema) as Json, '/properties/input');
  const isOfRun = (each: Operation) => JSON.stringify(inputOf(each) ?? '').includes(`"#${at}"`);
  if (isObject(input) && (operations.length === 0 || operations.some(isOfRun)))
    return [{ schema: input as UnknownObject, at, examples: [] }];
  const rank = ({ path, mode }: { path: string; mode?: string }) =>
    mode !== undefined ? 0 : RUNS.test(path) ? 1 : 2;
  return operations.toSorted((a, b) => rank(a) - rank(b) || a.path.length - b.path.length);
}

/** The schema that a lone reference names. */
export function resolvedIn(document: UnknownObject, schema: UnknownObject): UnknownObject {
  const { $ref } = schema;
  const target = typeof $ref === 'string' ? getAt(document as Json, $ref.replace(/^#/, '')) : undefined;
  return isObject(target) ? (target as UnknownObject) : schema;
}

function requestBody(document: UnknownObject, written: unknown, at: string): Operation | undefined {
  if (!isObject(written)) return undefined;
  const home = typeof written.$ref === 'string' ? written.$ref.replace(/^#/, '') : `${at}/requestBody`;
  const { content } = resolvedIn(document, written);
  if (!isObject(content)) return undefined;
  const typed = (kind: RegExp) => Object.keys(content).find((name) => kind.test(name));
  const type = typed(/json/i) ?? typed(/form/i) ?? '';
  const media = content[type];
  if (!isObject(media) || !isObject(media.schema)) return undefined;
  return {
    schema: media.schema as UnknownObject,
    at: `${home}${pointerOf(['content', type, 'schema'])}`,
    examples: examplesOf(media as UnknownObject),
  };
}

function examplesOf({ example, examples }: UnknownObject): unknown[] {
  const named = (isObject(examples) ? members(examples) : []).flatMap(([title, each]) =>
    isObject(each) && 'value' in each ? [{ title, value: each.value }] : [],
  );
  return example === undefined ? named : [example, ...named];
}

/** Fields of a run's body beside `input`. */
const BESIDE_INPUT = words('input model mode scope params parameters options version id webhook metadata');

/** The schemas of `input` and `params` in that of a whole request; undefined when it is the input itself. */
export function partsOfRequest({
  properties,
}: UnknownObject): { readonly input: UnknownObject; readonly params?: UnknownObject } | undefined {
  const { input } = isObject(properties) ? properties : {};
  if (!isObject(properties) || !isObject(input) || !(input.type === undefined || input.type === 'object'))
    return undefined;
  if (!members(properties).every(([name]) => BESIDE_INPUT.includes(plainName(name)))) return undefined;
  const params = pick(properties, 'params', 'parameters');
  return { input, ...(isObject(params) && { params }) };
}
