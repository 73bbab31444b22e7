import * as z from 'zod/mini';
import { resultView, tableRows, treeMatches, treeNode, viewKind } from '../results/resultView';
import type { Methods } from './channel';

/**
 * The host methods of a page that shows a result: spread into the page's own. `result` is which of a page's results
 * is meant (a run's ID): a result that was replaced meanwhile has no view.
 */

const of = { result: z.string() };
const at = { ...of, pointer: z.string() };

export const resultHostMethods = {
  /** Null if the host no longer holds this result. */
  resultView: { params: z.object(of), result: z.nullable(resultView) },
  resultChildren: {
    params: z.object({ ...at, from: z.number(), count: z.number() }),
    result: z.array(treeNode),
  },
  resultSearch: { params: z.object({ ...of, text: z.string() }), result: treeMatches },
  resultRows: {
    params: z.object({
      ...at,
      sort: z.optional(z.object({ column: z.number(), descending: z.boolean() })),
      from: z.number(),
      count: z.number(),
    }),
    result: tableRows,
  },
  /** Puts media into a file the page may load; fetches remote media, never with the key. */
  resultMedia: { params: z.object(at), result: z.object({ src: z.string(), contentType: z.string() }) },
  resultSaveMedia: { params: z.object(at), result: z.void() },
  resultOpenHit: { params: z.object({ file: z.string() }), result: z.void() },
  copyText: { params: z.object({ text: z.string() }), result: z.void() },
  resultCopyValue: { params: z.object(at), result: z.void() },
  /** Shows a place of this model's results in another view, from now on. */
  resultChooseView: { params: z.object({ ...at, kind: viewKind }), result: z.void() },
  /** Names the part that the value is, in all responses of the service. */
  resultUseAs: { params: z.object(at), result: z.void() },
  resultOpenValue: { params: z.object(at), result: z.void() },
} as const satisfies Methods;

export type ResultHostMethods = typeof resultHostMethods;
