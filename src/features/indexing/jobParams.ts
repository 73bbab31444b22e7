import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { type Dataset, datasetKey } from '../../domain/dataset';
import type { Json, JsonObject } from '../../domain/json';
import type { ModeContract } from '../../domain/model';
import { beginning, valueText } from '../../domain/words';
import { formOf, initialInput } from '../../forms/buildForm';
import type { Field } from '../../forms/fieldTypes';
import { validateValue } from '../../forms/validate';

/** Longest value of a parameter in a line of a question. */
const LONGEST_VALUE = 40;

/** The parameters of index jobs of one dataset: as last set, else those that the model requires and defines. */
export class JobParams {
  #values: JsonObject;

  constructor(
    private readonly memory: vscode.Memento,
    private readonly dataset: Dataset,
    readonly mode: ModeContract,
  ) {
    this.#values = memory.get<JsonObject>(paramsKey(dataset)) ?? initialInput(mode.params.schema);
  }

  get values(): JsonObject {
    return this.#values;
  }

  /** Those that the model names and those that are set; empty: there is nothing to set. */
  get fields(): readonly Field[] {
    const form = formOf(this.mode.params.schema, this.#values, '/params');
    return form.kind === 'object' ? form.children() : [];
  }

  /**
   * The problem that keeps these values from being sent, as a sentence.
   * @param pointer of a member: only problems there
   */
  problemWith(values: JsonObject, pointer = '/params'): string | undefined {
    const { issues } = validateValue(this.mode.params.schema, values, '/params');
    const issue = issues.find((one) => `${one.pointer}/`.startsWith(`${pointer}/`));
    const field = this.fields.find((one) => one.pointer !== pointer && one.pointer === issue?.pointer);
    return issue && field ? `${field.label}: ${issue.message}` : issue?.message;
  }

  /** These values with another one for a member; undefined: left out, and so the service's default. */
  with(name: string, value: Json | undefined): JsonObject {
    const { [name]: _before, ...others } = this.#values;
    return value === undefined ? others : { ...others, [name]: value };
  }

  /** Remembers them for the next job of the dataset. */
  async set(values: JsonObject): Promise<void> {
    this.#values = values;
    await this.memory.update(paramsKey(this.dataset), values);
  }

  /** For the question before a job; empty: there is nothing to set. */
  get lines(): readonly string[] {
    const { fields } = this;
    if (fields.length === 0) return [];
    const set = fields.filter(({ value }) => value !== undefined);
    const listed = set.map(({ label, value }) => `${label} ${shownValue(value)}`).join(', ');
    const text =
      set.length === 0 ? l10n.t('Parameters: service defaults.') : l10n.t('Parameters: {0}.', listed);
    const problem = this.problemWith(this.#values);
    return problem === undefined ? [text] : [text, problem];
  }
}

/** A value in a line of text. */
export function shownValue(value: Json | undefined): string {
  return beginning(valueText(value ?? null), LONGEST_VALUE);
}

function paramsKey(dataset: Dataset): string {
  return `indexing.params.${datasetKey(dataset)}`;
}
