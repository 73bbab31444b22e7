import type { GridPlace } from './gridGeometry';
import type { ExperimentPage } from './page';

/** The classes of a cell of the grid, of the head too. */
export function classes(page: ExperimentPage, { row, column }: GridPlace, ...more: string[]): string {
  const { active } = page.state;
  const isActive = active.row === row && active.column === column;
  return ['cell', isActive ? 'active' : '', ...more].filter(Boolean).join(' ');
}
