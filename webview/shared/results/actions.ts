import type { TableRows, TableSort, TreeMatches, TreeNode, ViewKind } from '../../../src/results/resultView';

/** The host's actions for a shown result: the page has no network and does not hold the whole output. */
export interface ResultActions {
  /** The result's name, for menus. */
  readonly result: string;
  children(pointer: string, from: number, count: number): Promise<TreeNode[]>;
  search(text: string, signal: AbortSignal): Promise<TreeMatches>;
  rows(pointer: string, sort: TableSort | undefined, from: number, count: number): Promise<TableRows>;
  /** Puts the media at a pointer where the page may load it from; fetches remote media. */
  media(pointer: string): Promise<{ readonly src: string; readonly contentType: string }>;
  saveMedia(pointer: string): Promise<unknown>;
  openHit(file: string): Promise<unknown>;
  copyText(text: string): Promise<unknown>;
  /** Copies the value at a pointer, whole, as JSON (a string unchanged). */
  copyValue(pointer: string): Promise<unknown>;
  /** Opens the value at a pointer, whole, in an editor. */
  openValue(pointer: string): Promise<unknown>;
  /** Names the part that the value at a pointer is, in all responses of the service. */
  useAs(pointer: string): Promise<unknown>;
  /** Shows the value in another view, from now on for this model. */
  chooseView(pointer: string, kind: ViewKind): Promise<unknown>;
}
