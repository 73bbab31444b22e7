import type * as vscode from 'vscode';
import type { RunRecord } from '../domain/runRecord';
import type { ResultView, ViewKind } from '../results/resultView';
import { type ChosenViews, patternOf } from '../results/viewKinds';

/** Models and modes that are remembered: globalState is for small values. */
const MOST_MODELS = 200;
/** Places of one model's results. */
const MOST_PLACES = 20;
const KEY = 'resultViews';

type Kept = readonly (readonly [of: string, views: Readonly<Record<string, ViewKind>>])[];

/**
 * How the places of a model's results are shown: chosen once for each model and mode, by the first result or by the user,
 * so that two results of one model can be compared.
 */
export class ResultViews {
  constructor(private readonly memory: vscode.Memento) {}

  of(record: RunRecord): ChosenViews {
    return new Map(Object.entries(this.#viewsOf(record)));
  }

  async choose(record: RunRecord, pointer: string, kind: ViewKind): Promise<void> {
    await this.#keep(record, { ...this.#viewsOf(record), [patternOf(pointer)]: kind });
  }

  /** Keeps the views of a first result for those that follow. */
  async note(record: RunRecord, { sections }: ResultView): Promise<void> {
    const known = this.#viewsOf(record);
    const shown = sections.flatMap(({ pointer, part, views }) =>
      views === undefined || patternOf(pointer) in known
        ? []
        : [[patternOf(pointer), part.kind as ViewKind] as const],
    );
    if (shown.length > 0) await this.#keep(record, { ...Object.fromEntries(shown), ...known });
  }

  #viewsOf(record: RunRecord): Readonly<Record<string, ViewKind>> {
    return this.#kept.find(([of]) => of === nameOf(record))?.[1] ?? {};
  }

  async #keep(record: RunRecord, views: Readonly<Record<string, ViewKind>>): Promise<void> {
    const name = nameOf(record);
    const places = Object.fromEntries(Object.entries(views).slice(-MOST_PLACES));
    const others = this.#kept.filter(([of]) => of !== name);
    await this.memory.update(KEY, [...others, [name, places]].slice(-MOST_MODELS));
  }

  get #kept(): Kept {
    return this.memory.get<Kept>(KEY, []);
  }
}

function nameOf({ baseUrl, draft: { model, mode } }: RunRecord): string {
  return JSON.stringify([baseUrl, model, mode]);
}
