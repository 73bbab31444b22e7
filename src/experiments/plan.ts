import type { Json } from '../domain/json';
import type { ModelContract } from '../domain/model';
import { modeOf } from '../domain/model';
import type { Problem } from '../domain/problems';
import type { RunDraft, RunRequest } from '../domain/run';
import { getAt, isObject, setAt } from '../domain/value';
import { checkDraft, KnownParts, toRunRequest } from '../forms/checkDraft';
import { validateValue } from '../forms/validate';
import { customId, requestHash } from './cellId';
import { cellsOf, type GridCell, type Variation } from './grid';
import type { ExperimentItem, Items } from './items';

/** One run of the experiment. */
export interface Cell {
  readonly customId: string;
  readonly repeat: number;
  /** The places of the table that show it: the first is the one it runs for, the others ask for the same. */
  readonly serves: readonly Pick<GridCell, 'variation' | 'item'>[];
  readonly requestSha256: string;
  /** Local files are still URIs. */
  readonly request: RunRequest;
}

/** Why runs cannot be sent: each problem once, with the variations and items that have it. */
export interface PlanProblem extends Problem {
  readonly variations: ReadonlySet<number>;
  readonly items: ReadonlySet<number>;
}

export interface ExperimentPlan {
  readonly variations: readonly Variation[];
  readonly items: readonly ExperimentItem[];
  /** In the order in which they run; a run that several cells ask for is there once. */
  readonly cells: readonly Cell[];
  readonly problems: readonly PlanProblem[];
}

export interface PlanOrder {
  /** The run that is varied. */
  readonly base: RunDraft;
  readonly variations: readonly Variation[];
  readonly items: Items;
  readonly repeats: number;
  readonly sample?: { readonly count: number; readonly seed: number };
  /** SHA-256 of local files by the URI that stands in requests; missing: those of the items alone. */
  readonly hashes?: ReadonlyMap<string, string>;
  /** The contracts of the models, by the slug that the request has. */
  readonly contracts: ReadonlyMap<string, ModelContract>;
}

/** Further problems help nobody. */
const MOST_PROBLEMS = 50;

/**
 * The runs of an experiment, each checked as a form's request is. Nothing is read or sent here; a request is made and
 * checked once for each variation and item, however often it is repeated.
 */
export function planExperiment(order: PlanOrder): ExperimentPlan {
  const { variations, items, repeats, sample } = order;
  const size = { variations: variations.length, items: items.items.length, repeats };
  const requests = new Map<string, { request: RunRequest; sha256: string } | undefined>();
  const readers = new Map<string, (value: Json) => Json>();
  const known = new KnownParts();
  const drafts = variations.map((variation) => variedDraft(order.base, variation));
  const problems = new Map<string, PlanProblem & { variations: Set<number>; items: Set<number> }>();
  const hashes =
    order.hashes ??
    new Map(items.items.flatMap(({ files }) => files.map(({ uri, sha256 }) => [uri, sha256] as const)));
  const make = ({ variation, item }: GridCell) => {
    const draft = withItem(order, drafts[variation]!, items.items[item]!, readers);
    const contract = order.contracts.get(draft.model);
    if (!contract) return undefined;
    const found = checkDraft(contract, draft, { known });
    if (found.length > 0) {
      for (const one of found) {
        const key = `${one.pointer} ${one.message}`;
        const known = problems.get(key);
        known?.variations.add(variation);
        known?.items.add(item);
        if (!known && problems.size < MOST_PROBLEMS)
          problems.set(key, { ...one, variations: new Set([variation]), items: new Set([item]) });
      }
      return undefined;
    }
    const request = toRunRequest(contract, draft);
    return { request, sha256: requestHash(request, hashes) };
  };
  const cells = new Map<string, Cell & { serves: Pick<GridCell, 'variation' | 'item'>[] }>();
  for (const place of cellsOf(size, sample)) {
    const key = `${place.variation} ${place.item}`;
    if (!requests.has(key)) requests.set(key, make(place));
    const made = requests.get(key);
    if (!made) continue;
    const { sha256, request } = made;
    const { variation, item, repeat } = place;
    const id = customId(sha256, repeat);
    const cell = cells.get(id);
    if (cell) cell.serves.push({ variation, item });
    else
      cells.set(id, { customId: id, repeat, serves: [{ variation, item }], requestSha256: sha256, request });
  }
  return { variations, items: items.items, cells: [...cells.values()], problems: [...problems.values()] };
}

/** The models that an experiment runs. */
export function modelsOf(base: RunDraft, variations: readonly Variation[]): string[] {
  const named = variations.map((variation) => variation['/model'] ?? base.model);
  return [...new Set(named)].filter((model): model is string => typeof model === 'string');
}

function variedDraft(base: RunDraft, variation: Variation): RunDraft {
  return Object.entries(variation).reduce<Json>(
    (draft, [pointer, value]) => setAt(draft, pointer, value),
    base as unknown as Json,
  ) as unknown as RunDraft;
}

function withItem(
  { contracts, items }: PlanOrder,
  varied: RunDraft,
  item: ExperimentItem,
  readers: Map<string, (value: Json) => Json>,
): RunDraft {
  const contract = contracts.get(varied.model);
  return Object.entries(item.values).reduce<Json>(
    (draft, [pointer, value]) => {
      if (!items.isText || !contract) return setAt(draft, pointer, value);
      const key = `${varied.model} ${varied.mode} ${pointer}`;
      if (!readers.has(key)) readers.set(key, readerFor(contract, varied, pointer));
      return setAt(draft, pointer, readers.get(key)!(value));
    },
    varied as unknown as Json,
  ) as unknown as RunDraft;
}

/**
 * How the text of a table becomes what a field takes. The field is asked by trying values: text where it takes text,
 * otherwise numbers, booleans or JSON. What cannot be read so stays text, and is a problem of its row.
 */
function readerFor(contract: ModelContract, draft: RunDraft, pointer: string): (value: Json) => Json {
  const takes = (value: Json): boolean => {
    const changed = setAt(draft as unknown as Json, pointer, value);
    const mode = modeOf(contract, draft.mode);
    const part = pointer.startsWith('/params') ? 'params' : 'input';
    const shape = mode?.[part];
    const body = getAt(changed, `/${part}`);
    if (!shape || body === undefined) return true;
    return validateValue(shape.schema, body, `/${part}`).issues.every((issue) => issue.pointer !== pointer);
  };
  const asText = (value: Json) => value;
  if (takes('a text')) return asText;
  if (takes(1) || takes(0.5)) return (value) => numberIn(value) ?? value;
  if (takes(true)) return (value) => BOOLEANS.get(String(value).trim().toLowerCase()) ?? value;
  if (takes([]) || takes({})) return (value) => jsonIn(value) ?? value;
  return asText;
}

const BOOLEANS = new Map([
  ...['true', 'yes', '1'].map((text) => [text, true] as const),
  ...['false', 'no', '0'].map((text) => [text, false] as const),
]);

function numberIn(value: Json): number | undefined {
  const text = String(value).trim();
  const number = Number(text);
  return text !== '' && Number.isFinite(number) ? number : undefined;
}

function jsonIn(value: Json): Json | undefined {
  try {
    const read = JSON.parse(String(value)) as Json;
    return isObject(read) || Array.isArray(read) ? read : undefined;
  } catch {
    return undefined;
  }
}
