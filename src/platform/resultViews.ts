import type * as vscode from 'vscode';
import type { JsonSchema } from '../domain/json';
import type { ResultSource } from '../results/resultSource';
import type { ResultView, ViewKind } from '../results/resultView';
import { schemaViews } from '../results/schemaViews';
import { type ChosenViews, isViewKind, placePattern } from '../results/viewKinds';
import type { PageResult } from './resultHost';

/** Models and modes that are remembered: globalState is for small values. */
const MOST_MODELS = 200;
/** Places of one model's results. */
const MOST_PLACES = 20;
const KEY = 'resultViews';

type Views = Readonly<Record<string, ViewKind>>;
type Kept = readonly (readonly [of: string, views: Views])[];

export interface ResultOrigin {
  readonly baseUrl: string;
  readonly model: string;
  readonly mode: string;
  /** Of the mode's results, where the model publishes one. */
  readonly schema?: JsonSchema;
}

/**
 * How the places of a model's results are shown: chosen once for each model and mode, by the output schema, the first
 * result or the user, so that two results of one model can be compared.
 */
export class ResultViews {
  /** How often a view was chosen here. */
  #choices = 0;

  constructor(private readonly memory: vscode.Memento) {}

  /** A result in the views of its model; made again after one of them was chosen. */
  show(
    of: ResultOrigin,
    make: (views: ChosenViews) => ResultSource,
  ): Pick<PageResult, 'source' | 'chooseView'> {
    let made: { readonly source: ResultSource; readonly choices: number } | undefined;
    return {
      source: () => {
        if (made?.choices !== this.#choices) {
          made = { source: make(this.#viewsOf(of)), choices: this.#choices };
          void this.#note(of, made.source.view);
        }
        return made.source;
      },
      chooseView: async (pointer, kind) => {
        await this.#keep(of, { ...this.#kept(of), [placePattern(pointer)]: kind });
        this.#choices += 1;
      },
    };
  }

  #viewsOf(of: ResultOrigin): ChosenViews {
    const bySchema = of.schema === undefined ? [] : schemaViews(of.schema);
    return new Map([...bySchema, ...Object.entries(this.#kept(of))]);
  }

  /** Keeps the views of a first result for those that follow. A single string has no other. */
  async #note(of: ResultOrigin, { sections }: ResultView): Promise<void> {
    const known = this.#kept(of);
    const shown = sections.flatMap(({ pointer, part, views }) =>
      !isViewKind(part.kind) ||
      (part.kind === 'text' && views === undefined) ||
      Object.hasOwn(known, placePattern(pointer))
        ? []
        : [[placePattern(pointer), part.kind] as const],
    );
    if (shown.length > 0) await this.#keep(of, { ...Object.fromEntries(shown), ...known });
  }

  #kept(of: ResultOrigin): Views {
    return this.#all.find(([name]) => name === viewsKey(of))?.[1] ?? {};
  }

  async #keep(of: ResultOrigin, views: Views): Promise<void> {
    const name = viewsKey(of);
    const places = Object.fromEntries(Object.entries(views).slice(-MOST_PLACES));
    const others = this.#all.filter(([one]) => one !== name);
    await this.memory.update(KEY, [...others, [name, places]].slice(-MOST_MODELS));
  }

  get #all(): Kept {
    return this.memory.get<Kept>(KEY, []);
  }
}

function viewsKey({ baseUrl, model, mode }: ResultOrigin): string {
  return JSON.stringify([baseUrl, model, mode]);
}
