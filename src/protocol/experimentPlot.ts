import * as z from 'zod/mini';
import type { Methods } from './channel';
import { cell, index, rowHead } from './experimentCell';

/** The X/Y plot of an experiment: its axes, then the cells in sight, so that no message grows with the experiment. */

export const MOST_CELLS_AT_ONCE = 400;

/** A cell of the table; `repeat` only where runs are repeated. */
const place = z.object({ row: index, column: index, repeat: z.optional(index) });

const axes = z.object({
  /** The varied places, with their values in the order of the file. */
  places: z.array(z.object({ pointer: z.string(), name: z.string(), values: z.array(z.string()) })),
  /** By column of the table: which value it has of each place. */
  columns: z.array(z.array(index)),
  rows: index,
  repeats: index,
  /** Texts that all runs send, such as a prompt. */
  fixed: z.array(z.object({ name: z.string(), text: z.string() })),
});

export const plotMethods = {
  plotAxes: { params: z.null(), result: axes },
  plotCells: {
    params: z.object({ cells: z.array(place).check(z.maxLength(MOST_CELLS_AT_ONCE)) }),
    result: z.array(cell),
  },
  plotRows: {
    params: z.object({ rows: z.array(index).check(z.maxLength(MOST_CELLS_AT_ONCE)) }),
    result: z.array(rowHead),
  },
  /** The whole text of a cell that shows its beginning. */
  plotText: { params: place, result: z.string() },
} as const satisfies Methods;

export type PlotAxes = z.infer<typeof axes>;
export type PlotPlace = z.infer<typeof place>;
export type RowHead = z.infer<typeof rowHead>;
