/**
 * Why the store cannot do its work:
 * - `missing`: this Node has no node:sqlite
 * - `folder`: the folder cannot be made, or a file in it cannot be written
 * - `diskFull`: there is no room for the change; the change was rolled back
 * - `damaged`: the file is no database, or a page of it is damaged; the file is left unchanged
 * - `locked`: another program holds the file
 * - `io`: the disk failed otherwise
 * - `replaced`: another program deleted or replaced files of the database while they were open
 * - `notOwner`: the lease under which the change was to be made now belongs to another window
 * - `closed`: this window is being closed
 * - `inFlight`: an item is part of a request whose outcome is not recorded, so it is not sent a second time
 */
export type StoreProblemKind =
  | 'missing'
  | 'folder'
  | 'diskFull'
  | 'damaged'
  | 'locked'
  | 'io'
  | 'replaced'
  | 'notOwner'
  | 'closed'
  | 'inFlight';

/** A problem of the store, as far as its words need it. */
export interface StoreFailure {
  readonly kind: StoreProblemKind;
  readonly folder?: string;
}
