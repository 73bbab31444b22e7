import type { FilePlaces } from '../../src/indexing/filePlaces';
import type { IndexFile } from '../../src/indexing/indexFile';
import type { JobFiles } from '../../src/indexing/indexPorts';
import { contentTypeOf } from '../../src/intake/contentType';
import type { Scenario } from './scenario';
import { contentOf } from './service';
import type { World } from './world';

interface SimFile {
  readonly uri: string;
  readonly workspace: number;
  readonly name: string;
  content: string;
  modifiedMs: number;
  isThere: boolean;
}

/** The files that every window sees, and that change under them. */
export class Folder {
  readonly #files: SimFile[];
  readonly jobFiles: JobFiles;
  /** A window's view of places: this disk has neither links nor two spellings of a name. */
  readonly places: FilePlaces = {
    isThere: async (uri) => this.#at(uri) !== undefined,
    isSame: async (one, other) => one === other,
  };
  /** Of all contents that a file has had, by URI. */
  readonly #hashes = new Map<string, Set<string>>();
  #versions = 0;

  constructor(
    private readonly world: World,
    scenario: Scenario,
  ) {
    const { corrupt, twins, carries } = scenario;
    const kind = carries === 'text' ? 'txt' : 'png';
    this.#files = Array.from({ length: scenario.files * scenario.workspaces }, (_, at) => {
      const [i, workspace] = [at % scenario.files, Math.floor(at / scenario.files)];
      const of = twins.includes(i) ? 0 : i;
      const name = `${i % 3 === 0 ? 'more/' : ''}${String(i).padStart(2, '0')}.${kind}`;
      // Each second file of another workspace has the content of the one of the same path, and no other has.
      const number = of + (i % 2 === 0 ? 100 * workspace : 0);
      const content = `${corrupt.includes(of) ? 'corrupt' : 'picture'} ${String(number).padStart(3, '0')} v000`;
      return { uri: uriOf(workspace, name), workspace, name, content, modifiedMs: 1_000_000, isThere: true };
    });
    for (const file of this.#files) this.#note(file);
    this.jobFiles = {
      facts: async (uri) => {
        const file = this.#at(uri);
        return file && { sizeBytes: file.content.length, modifiedMs: file.modifiedMs };
      },
      open: (uri) => this.#open(uri),
      uploadSource: async (uri) => {
        const file = this.#existing(uri);
        const contentType = contentTypeOf(file.name);
        return {
          ...{ filename: file.name, contentType, mediaType: 'image', sizeBytes: file.content.length },
          open: () => this.#open(uri),
        };
      },
    };
  }

  /** As a walk of the workspace finds them. */
  list(of: number): IndexFile[] {
    return this.#files
      .filter(({ isThere, workspace }) => isThere && workspace === of)
      .map(({ uri, name, content, modifiedMs }) => ({
        ...{ uri, imageId: name, filename: name, contentType: contentTypeOf(name) },
        ...{ sizeBytes: content.length, modifiedMs, open: () => this.#open(uri) },
      }));
  }

  /** By URI. */
  contents(): ReadonlyMap<string, string> {
    return new Map(this.#files.filter(({ isThere }) => isThere).map(({ uri, content }) => [uri, content]));
  }

  /** URIs of files that have, or had, this content and are still there. */
  filesOf(sha256: string): readonly string[] {
    return this.#files
      .filter(({ uri, isThere }) => isThere && this.#hashes.get(uri)?.has(sha256))
      .map(({ uri }) => uri);
  }

  /** A change of the same size, as hard to notice as can be. */
  change(place: number, act: 'edit' | 'touch' | 'delete'): void {
    const file = this.#files[place]!;
    this.world.tell(`${file.uri} is ${{ edit: 'edited', touch: 'touched', delete: 'deleted' }[act]}`);
    if (act === 'delete') file.isThere = false;
    else file.modifiedMs = 1_000_000 + ++this.#versions;
    if (act === 'edit')
      file.content = file.content.replace(/v\d+$/, `v${String(this.#versions).padStart(3, '0')}`);
    this.#note(file);
  }

  #note({ uri, content }: SimFile): void {
    this.#hashes.set(uri, (this.#hashes.get(uri) ?? new Set()).add(contentOf(content).sha256));
  }

  async *#open(uri: string): AsyncGenerator<Uint8Array> {
    const { content } = this.#existing(uri);
    yield Buffer.from(content.slice(0, 7));
    await new Promise((resolve) => setTimeout(resolve, 1));
    yield Buffer.from(this.#existing(uri).content.slice(7));
  }

  #existing(uri: string): SimFile {
    const file = this.#at(uri);
    if (!file) throw Object.assign(new Error(`no such file, ${uri}`), { code: 'ENOENT' });
    return file;
  }

  #at(uri: string): SimFile | undefined {
    return this.#files.find((file) => file.isThere && file.uri === uri);
  }
}

function uriOf(workspace: number, name: string): string {
  return `file:///folder-${workspace + 1}/${name}`;
}
