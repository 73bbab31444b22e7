import * as l10n from '@vscode/l10n';
import type { Json } from '../../domain/json';
import type { ModelContract } from '../../domain/model';
import type { Problem } from '../../domain/problems';
import type { RunDraft, RunRequest } from '../../domain/run';
import { checkDraft, KnownParts, toRunRequest } from '../../forms/checkDraft';
import { mediaPaths } from '../../runFiles/mediaPaths';
import type { ExperimentItem, Items } from '../file/items';
import type { Labels } from '../file/labels';
import { isPlace, withRow } from '../file/rowTemplate';
import { randomOrder } from '../file/sample';
import { type CellReading, placed, readerFor } from '../file/tableText';
import { type RunPlace, runPlaces, type Variation, variedDraft } from './grid';
import { customId, idPart, requestHash } from './runId';

export interface PlannedRun {
  /** Made of the request as the user wrote it: no contract changes it. */
  readonly customId: string;
  /** Further IDs that its result may have: of several texts with one request any may have been the first. */
  readonly otherIds?: readonly string[];
  readonly repeat: number;
  /** The places of the table that show it: the first is the one it runs for, the others ask for the same. */
  readonly serves: readonly Pick<RunPlace, 'variation' | 'item'>[];
  readonly requestSha256: string;
  /** Local files are still URIs. */
  readonly request: RunRequest;
  /** The metric that it judges results for; missing: a run of the grid. */
  readonly judge?: string;
}

/** A run that cannot be sent now. An earlier result of it is still one. */
export interface UnsentRun extends Pick<PlannedRun, 'customId' | 'repeat' | 'serves'> {
  /** The model's contract rejects its request; else the contract is not known. */
  readonly isRejected: boolean;
}

/** Why runs cannot be sent: each problem once, with the variations and items that have it. */
export interface PlanProblem extends Problem {
  readonly variations: ReadonlySet<number>;
  readonly items: ReadonlySet<number>;
}

export interface ExperimentPlan {
  readonly base?: RunDraft;
  readonly variations: readonly Variation[];
  readonly labels?: Labels;
  readonly items: readonly ExperimentItem[];
  /** In the order in which they run; a run that several cells ask for is there once. */
  readonly runs: readonly PlannedRun[];
  /** The other runs of the grid. */
  readonly unsent: readonly UnsentRun[];
  readonly problems: readonly PlanProblem[];
}

export interface PlanOrder {
  readonly base: RunDraft;
  readonly variations: readonly Variation[];
  readonly items: Items;
  readonly repeats: number;
  /** Of the order in which the items run: see `randomOrder`. */
  readonly seed?: number;
  /** SHA-256 of local files by their URI in requests; missing: those of the items alone. */
  readonly hashes?: ReadonlyMap<string, string>;
  /** Places with text in which `{{column}}` is filled from each item. */
  readonly templates?: readonly string[];
  /** The contracts of the models, by the slug that the request has. */
  readonly contracts: ReadonlyMap<string, ModelContract>;
}

/** The runs of the grid, without those of judges. */
export function gridRuns({ runs }: Pick<ExperimentPlan, 'runs'>): readonly PlannedRun[] {
  return runs.filter(({ judge }) => judge === undefined);
}

/** An experiment with other runs in its plan. */
export function withRuns<E extends { readonly plan: ExperimentPlan }>(
  loaded: E,
  runs: readonly PlannedRun[],
): E {
  return { ...loaded, plan: { ...loaded.plan, runs } };
}

/** Runs under the IDs of their results: see `otherIds`. */
export function withRecordedIds<R extends Pick<PlannedRun, 'customId' | 'otherIds'>>(
  runs: readonly R[],
  isRecorded: (id: string) => boolean,
): readonly R[] {
  return runs.map((run) => {
    const other = isRecorded(run.customId) ? undefined : run.otherIds?.find(isRecorded);
    return other === undefined ? run : { ...run, customId: other };
  });
}

/** The runs of judges. */
export function judgesRuns({ runs }: Pick<ExperimentPlan, 'runs'>): readonly PlannedRun[] {
  return runs.filter(({ judge }) => judge !== undefined);
}

/** More problems than this are not useful to show. */
const MOST_PROBLEMS = 50;

/** The part that IDs have of the hash of a request as the user wrote it, and the request. */
type Planned = { readonly key: string } & (
  | { readonly request: RunRequest; readonly requestSha256: string }
  | { readonly isRejected: boolean }
);

/**
 * The runs of an experiment, each checked like a form's request. Does not read or send; a request is made and checked
 * once for each variation and item, for all its repeats. A step for each run of the grid: 200,000 of them would hold up
 * the host.
 */
export function* planning(order: PlanOrder): Generator<undefined, ExperimentPlan> {
  const { base, variations, items, repeats, seed = 0 } = order;
  const size = { variations: variations.length, items: items.items.length, repeats };
  const planned = new Map<string, Planned>();
  const maker = new RequestMaker(order);
  const runs = new Map<string, PlannedRun & Served>();
  const unsent = new Map<string, UnsentRun & Served>();
  for (const { variation, item, repeat } of runPlaces(size)) {
    const key = `${variation} ${item}`;
    const made = planned.get(key) ?? maker.make(variation, item);
    if (repeats > 1) planned.set(key, made);
    yield;
    const id = customId(made.key, repeat);
    const serves = [{ variation, item }];
    // Literals of all members: spread ones take twice the memory.
    if ('request' in made) {
      // Texts that are read as the same value, as " 2" and "2", lead to one request: it is sent once.
      const { request, requestSha256 } = made;
      const run = { customId: id, repeat, serves, requestSha256, request };
      addRun(runs, customId(requestSha256, repeat), run);
    } else {
      const { isRejected } = made;
      addRun(unsent, id, { customId: id, repeat, serves, isRejected });
    }
  }
  return {
    base,
    variations,
    items: items.items,
    problems: maker.problems,
    runs: inOrder([...runs.values()], items.items, seed),
    unsent: [...unsent.values()],
  };
}

function inOrder(
  runs: readonly PlannedRun[],
  items: readonly ExperimentItem[],
  seed: number,
): readonly PlannedRun[] {
  if (runs.length === 0) return runs;
  const ranks: number[] = items.map(() => 0);
  for (const [rank, item] of randomOrder(items, seed).entries()) ranks[item] = rank;
  const itemRank = ({ serves }: PlannedRun) => ranks[serves[0]!.item]!;
  return runs.toSorted((a, b) => a.repeat - b.repeat || itemRank(a) - itemRank(b));
}

interface Served {
  readonly serves: Pick<RunPlace, 'variation' | 'item'>[];
  otherIds?: string[];
}

function addRun<R extends Served & Pick<PlannedRun, 'customId'>>(
  runs: Map<string, R>,
  key: string,
  run: R,
): void {
  const known = runs.get(key);
  if (!known) {
    runs.set(key, run);
    return;
  }
  known.serves.push(...run.serves);
  if (known.customId !== run.customId && known.otherIds?.includes(run.customId) !== true)
    known.otherIds = [...(known.otherIds ?? []), run.customId];
}

/** Makes and checks requests, and collects their problems. */
class RequestMaker {
  readonly #problems = new Map<string, PlanProblem & { variations: Set<number>; items: Set<number> }>();
  readonly #readers = new Map<string, (value: Json) => CellReading>();
  readonly #known = new KnownParts();
  /** Made one by one: each may be long. */
  readonly #drafts: RunDraft[] = [];
  readonly #hashes: ReadonlyMap<string, string>;

  constructor(private readonly order: PlanOrder) {
    const { items, hashes } = order;
    this.#hashes =
      hashes ??
      new Map(items.items.flatMap(({ files }) => files.map(({ uri, sha256 }) => [uri, sha256] as const)));
  }

  get problems(): readonly PlanProblem[] {
    return [...this.#problems.values()];
  }

  make(variation: number, item: number): Planned {
    const { varied, draft, contract } = this.#draft(variation, item);
    const key = idPart(requestHash(askedRequest(varied, this.order.items.items[item]!.values), this.#hashes));
    // A cell or a text gives a reference of the service; files have members of their own.
    const strays = mediaPaths(draft).filter(({ path }) => !this.#hashes.has(path));
    for (const { pointer } of strays) this.#note({ pointer, message: strayPathText() }, variation, item);
    if (strays.length > 0) return { key, isRejected: true };
    if (!contract) return { key, isRejected: false };
    const checked = checkDraft(contract, draft, { known: this.#known });
    for (const one of checked) this.#note(one, variation, item);
    if (checked.length > 0) return { key, isRejected: true };
    const request = toRunRequest(contract, draft);
    return { key, request, requestSha256: requestHash(request, this.#hashes) };
  }

  #draft(variation: number, item: number) {
    const own = this.order.items.items[item]!;
    const { base, variations, templates = [] } = this.order;
    this.#drafts[variation] ??= variedDraft(base, variations[variation]!);
    const varied = withRow(this.#drafts[variation], templates, own.values);
    const draft = withItem(this.order, varied, own, this.#readers);
    return { varied, draft, contract: this.order.contracts.get(draft.model) };
  }

  #note(problem: Problem, variation: number, item: number): void {
    const key = `${problem.pointer} ${problem.message}`;
    const known = this.#problems.get(key);
    known?.variations.add(variation);
    known?.items.add(item);
    if (!known && this.#problems.size < MOST_PROBLEMS)
      this.#problems.set(key, { ...problem, variations: new Set([variation]), items: new Set([item]) });
  }
}

/** A run's request as the user wrote it, with any contract: it identifies the run. */
export function askedRequest(draft: RunDraft, values: ExperimentItem['values']): RunRequest {
  const places = Object.entries(values).filter(([pointer]) => isPlace(pointer));
  const filled = places.reduce((so, [pointer, value]) => placed(so, pointer, value), draft);
  const { model, mode, scope, input, params, options } = filled;
  const isOpen = options && Object.keys(options).length > 0;
  return { model, mode, ...(scope && { scope }), input, params, ...(isOpen && { options }) };
}

function strayPathText(): string {
  return l10n.t(
    'This is a path or the address of a file, which is not sent. Name files with "media" or by a map to "file".',
  );
}

/** The models that an experiment runs. */
export function modelsOf(base: RunDraft, variations: readonly Variation[]): string[] {
  const named = variations.map((variation) => variation['/model'] ?? base.model);
  return [...new Set(named)].filter((model): model is string => typeof model === 'string');
}

function withItem(
  { contracts, items }: PlanOrder,
  varied: RunDraft,
  item: ExperimentItem,
  readers: Map<string, (value: Json) => CellReading>,
): RunDraft {
  const contract = contracts.get(varied.model);
  const places = Object.entries(item.values).filter(([pointer]) => isPlace(pointer));
  return places.reduce<RunDraft>((draft, [pointer, value]) => {
    // In JSONL, only null may mean a missing field.
    if (!contract || !(items.isText || value === null)) return placed(draft, pointer, value);
    const key = `${varied.model} ${varied.mode} ${pointer}`;
    if (!readers.has(key)) readers.set(key, readerFor(contract, varied, pointer));
    return placed(draft, pointer, readers.get(key)!(value));
  }, varied);
}
