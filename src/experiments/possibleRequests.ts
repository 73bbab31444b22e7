import type { Json } from '../domain/json';
import type { RunDraft, RunRequest } from '../domain/run';
import { isPlace } from './rowTemplate';
import { placed, possibleValues } from './tableText';

/** Of one run; a row that many columns of numbers are mapped from could have thousands. */
const MOST_REQUESTS = 256;

/**
 * The possible requests of a run, for any contract of its model: a contract decides how the text of a table is read,
 * whether a mode that was not chosen is sent, and whether a scope is. The first one is as the user wrote it, with any
 * contract: it identifies the run. A result with an ID made of another one is certainly the result of this run too.
 * @param values of the item, by their place in the request
 */
export function* possibleRequests(
  draft: RunDraft,
  values: Readonly<Record<string, Json>>,
  isText: boolean,
): Generator<RunRequest> {
  let count = 0;
  const places = Object.entries(values).filter(([pointer]) => isPlace(pointer));
  for (const filled of possibleDrafts(draft, places, isText))
    for (const request of possibleShapes(filled)) {
      if (++count > MOST_REQUESTS) return;
      yield request;
    }
}

function* possibleDrafts(
  draft: RunDraft,
  [first, ...rest]: readonly (readonly [string, Json])[],
  isText: boolean,
): Generator<RunDraft> {
  if (!first) return yield draft;
  const [pointer, text] = first;
  for (const value of isText || text === null ? possibleValues(text) : [text])
    yield* possibleDrafts(placed(draft, pointer, value), rest, isText);
}

/** The same members as `toRunRequest` writes. */
function possibleShapes({ model, mode, scope, input, params, options }: RunDraft): RunRequest[] {
  const modes = mode === 'execute' ? [{ mode }, {}] : [{ mode }];
  const scopes = scope ? [{ scope }, {}] : [{}];
  const own = options && Object.keys(options).length > 0 ? { options } : {};
  return modes.flatMap((named) =>
    scopes.map((scoped): RunRequest => ({ model, ...named, ...scoped, input, params, ...own })),
  );
}
