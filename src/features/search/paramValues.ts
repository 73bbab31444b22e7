import type * as vscode from 'vscode';
import type { Json, JsonObject } from '../../domain/json';
import type { SearchParam } from '../../protocol/search';

/** The values of a search's parameters, kept for the next search with the same model. */
export class ParamValues {
  #values: JsonObject;
  /** Parameters with a typed text that is no value: the shown text is not the value to send. */
  readonly #invalid = new Set<string>();

  constructor(
    private readonly memory: vscode.Memento,
    private readonly key: string,
  ) {
    this.#values = memory.get<JsonObject>(key, {});
  }

  get all(): JsonObject {
    return this.#values;
  }

  /** @param value undefined: not sent */
  async set(name: string, value: Json | undefined, isInvalid: boolean): Promise<void> {
    if (isInvalid) {
      this.#invalid.add(name);
      return;
    }
    this.#invalid.delete(name);
    const { [name]: _before, ...others } = this.#values;
    this.#values = value === undefined ? others : { ...others, [name]: value };
    await this.memory.update(this.key, this.#values);
  }

  invalidIn(params: readonly SearchParam[]): SearchParam | undefined {
    return params.find(({ name }) => this.#invalid.has(name));
  }

  /** Typed texts are gone with their page. */
  forgetTyped(): void {
    this.#invalid.clear();
  }
}
