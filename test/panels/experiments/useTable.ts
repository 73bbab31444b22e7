import type { Locator, Page } from 'playwright-core';
import {
  type ExperimentPageHarness,
  type ExperimentPageOptions,
  openExperimentPage,
} from '../../support/experiments/page';
import { usePages } from '../../support/webviewPage';

/** The table in the page of a test. */
export interface OpenTable {
  readonly opened: ExperimentPageHarness;
  /** Opens the page, with other options than usual; resolves when it shows its rows. */
  readonly open: (options?: Partial<ExperimentPageOptions>) => Promise<Page>;
  readonly grid: () => Locator;
  readonly cell: (row: number, column: number) => Locator;
  /** Compares the open cell with the one beside it, by the keys of the grid. */
  readonly compareWithNext: () => Promise<void>;
}

export function useExperimentTable(usual: ExperimentPageOptions): OpenTable {
  const openPage = usePages(openExperimentPage);
  let opened: ExperimentPageHarness;
  const grid = () => opened.page.getByRole('grid');
  return {
    get opened() {
      return opened;
    },
    open: async (options = {}) => {
      opened = await openPage({ ...usual, ...options });
      await opened.page.locator('.grid[aria-busy="false"]').waitFor();
      return opened.page;
    },
    grid,
    cell: (row, column) => opened.page.locator(`#cell-${row}-${column}`),
    compareWithNext: async () => {
      const { page } = opened;
      await page.getByRole('button', { name: 'Compare…' }).click();
      await grid().focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
    },
  };
}
