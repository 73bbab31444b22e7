import type { Dataset } from '../../domain/dataset';
import type { Json } from '../../domain/json';
import { loggedError } from '../../domain/loggedError';
import type { RunRecord } from '../../domain/runRecord';
import { isNamedFor } from '../../indexing/payload';
import type { PinnedSearch, SearchQuery } from '../../protocol/search';
import type { Services } from '../../services';
import { Owner } from '../../vscode/disposables';
import { inputText } from '../../wording/inputText';

/** Characters of a searched text that fit in a row. */
const LABEL_LENGTH = 60;

/** Runs may be recorded in bursts. */
const READ_AGAIN_MS = 200;

/**
 * The searches of a dataset that the user keeps: runs of the history that are pinned, there or in the panel. So they
 * outlive the window and the history's limit, with their hits.
 */
export class PinnedSearches extends Owner {
  #runs: readonly RunRecord[] = [];

  /** @param onChanged called when there are others than before */
  constructor(
    private readonly services: Services,
    private readonly dataset: Dataset,
    private readonly onChanged: () => void,
  ) {
    super();
    this.#follow().catch((error: unknown) => services.log.warn(loggedError(error)));
  }

  get list(): PinnedSearch[] {
    return this.#runs.flatMap((record) => {
      const query = recordQuery(record);
      if (!query) return [];
      const label = query.kind === 'file' ? query.name : inputText(query.text, LABEL_LENGTH);
      return [{ run: record.id, label: record.name ?? label }];
    });
  }

  /** The query of a pinned search; undefined: it is not pinned, or its query cannot be used again. */
  pinnedQuery(run: string): SearchQuery | undefined {
    const record = this.#runs.find(({ id }) => id === run);
    return record && recordQuery(record);
  }

  async pin(run: string, pinned: boolean): Promise<void> {
    await (await this.services.history()).mark(run, { pinned });
  }

  async #follow(): Promise<void> {
    const history = await this.services.history();
    const read = () => {
      const before = JSON.stringify(this.list);
      this.#runs = history.runs.pinned().filter((run) => this.#isOurs(run));
      if (JSON.stringify(this.list) !== before) this.onChanged();
    };
    this.store.add({ dispose: history.onDidChange(this.store.soon(READ_AGAIN_MS, read)) });
    read();
  }

  #isOurs({ state, baseUrl, draft }: RunRecord): boolean {
    const { dataset } = this;
    return (
      isNamedFor(draft.mode, 'search') &&
      state === 'finished' &&
      baseUrl === dataset.baseUrl &&
      draft.model === dataset.model &&
      draft.scope === dataset.scope
    );
  }
}

function recordQuery({ attachments, draft }: RunRecord): SearchQuery | undefined {
  const [file] = attachments;
  if (file) return { kind: 'file', uri: file.uri, name: file.filename };
  const text = firstText(draft.input);
  return text === undefined ? undefined : { kind: 'text', text };
}

/** The text of a search: ids beside it are empty. */
function firstText(value: Json): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const each of Object.values(value)) {
    const text = firstText(each as Json);
    if (text !== undefined) return text;
  }
  return undefined;
}
