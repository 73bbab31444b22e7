import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Json } from '../../domain/json';
import { experimentOverview } from '../../experiments/table/overview';

/** Results that a table is compared with: of a commit, or in a file. */
const keptSource = z.union([
  z.object({ hash: z.string(), date: z.string(), subject: z.string(), path: z.string() }),
  z.object({ file: z.string() }),
]);
export type KeptSource = z.infer<typeof keptSource>;

/** The figures of a row, and the version of the results they are of. */
const keptOverview = z.extend(experimentOverview, { version: z.string() });

const keptTable = z.object({
  overview: z.catch(z.optional(keptOverview), undefined),
  view: z.optional(z.json()),
  sources: z.catch(z.array(keptSource), []),
});
export type KeptTable = Readonly<z.infer<typeof keptTable>>;

const KEY = 'experiments.tables';
/** Tables that were looked at longer ago are shown as new ones. */
const MOST_TABLES = 100;
/** Characters. */
const LONGEST_VIEW = 50_000;

const NOTHING: KeptTable = { sources: [] };

/** Views of tables and the results they are compared with, kept by file in this workspace. */
export class KeptTables {
  constructor(private readonly state: vscode.Memento) {}

  of(file: vscode.Uri): KeptTable {
    return keptTable.safeParse(this.#all()[file.toString()]).data ?? NOTHING;
  }

  async keepView(file: vscode.Uri, view: Json): Promise<void> {
    if (JSON.stringify(view).length <= LONGEST_VIEW) await this.#keep(file, { ...this.of(file), view });
  }

  async keepOverview(file: vscode.Uri, overview: z.infer<typeof keptOverview>): Promise<void> {
    if (this.of(file).overview?.version !== overview.version)
      await this.#keep(file, { ...this.of(file), overview });
  }

  async keepSources(file: vscode.Uri, sources: readonly KeptSource[]): Promise<void> {
    await this.#keep(file, { ...this.of(file), sources: [...sources] });
  }

  #all(): Readonly<Record<string, unknown>> {
    return this.state.get<Record<string, unknown>>(KEY, {});
  }

  /** The latest come last. */
  async #keep(file: vscode.Uri, table: KeptTable): Promise<void> {
    const key = file.toString();
    const others = Object.entries(this.#all()).filter(([name]) => name !== key);
    const all = [...others, [key, table] as const].slice(-MOST_TABLES);
    await this.state.update(KEY, Object.fromEntries(all));
  }
}
