import type * as vscode from 'vscode';
import type { ChosenShape, ChosenShapes, ShapePart } from '../contracts/chosen';
import { isLoopback } from '../domain/loopback';

/** Models that are remembered for one environment: globalState is for small data. */
const MOST_MODELS = 500;

/**
 * The remembered facts about the models of one service: modes from details that were read, chosen schemas,
 * favourites.
 */
export class ModelMemory {
  #bySlug: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(
    private readonly memory: vscode.Memento,
    private readonly baseUrl: string,
  ) {}

  /** The modes that a model's detail declared; undefined: it was not read yet. */
  modesOf(slug: string): readonly string[] | undefined {
    // Asked for every row of a list.
    this.#bySlug ??= new Map(this.#modes);
    return this.#bySlug.get(slug);
  }

  async learnModes(slug: string, modes: readonly string[]): Promise<void> {
    const known = this.modesOf(slug);
    if (known?.join('\n') === modes.join('\n')) return;
    this.#bySlug = undefined;
    const others = this.#modes.filter(([other]) => other !== slug);
    await this.memory.update(this.#key('modes'), [...others, [slug, modes]].slice(-MOST_MODELS));
  }

  chosenShapes(slug: string): ChosenShapes {
    return this.memory.get<Record<string, ChosenShapes>>(this.#key('schemas'), {})[slug] ?? {};
  }

  /** @param chosen undefined: the published one again */
  async chooseShape(
    slug: string,
    mode: string,
    part: ShapePart,
    chosen: ChosenShape | undefined,
  ): Promise<void> {
    const all = this.memory.get<Record<string, ChosenShapes>>(this.#key('schemas'), {});
    const { [part]: _former, ...rest } = all[slug]?.[mode] ?? {};
    const own = { ...all[slug], [mode]: { ...rest, ...(chosen && { [part]: chosen }) } };
    await this.memory.update(this.#key('schemas'), { ...all, [slug]: own });
  }

  /** Slugs, in the order they were added. */
  get favourites(): readonly string[] {
    return this.memory.get<readonly string[]>(this.#key('favourites'), []);
  }

  async setFavourite(slug: string, isFavourite: boolean): Promise<void> {
    const others = this.favourites.filter((other) => other !== slug);
    await this.memory.update(this.#key('favourites'), isFavourite ? [...others, slug] : others);
  }

  get #modes(): readonly (readonly [slug: string, modes: readonly string[]])[] {
    return this.memory.get(this.#key('modes'), []);
  }

  #key(what: string): string {
    return keyOf(what, this.baseUrl);
  }
}

const keyOf = (part: string, baseUrl: string) => `models.${part}.${baseUrl}`;

/** The names of favourites in the memory, for services that other machines reach, too. */
export function sharedFavourites(baseUrls: readonly string[]): string[] {
  return baseUrls
    .filter((baseUrl) => !isLoopback(new URL(baseUrl).hostname))
    .map((baseUrl) => keyOf('favourites', baseUrl));
}
