/** The source of ids. A variant has its choice's pointer, and its ids must differ. */
export interface Placed {
  readonly pointer: string;
  readonly idSuffix?: string;
}

/** Ids of a field's parts. Pointers may hold any character, ids in `aria-describedby` no space. */
export function fieldIds({ pointer, idSuffix = '' }: Placed) {
  const id = `at${encodeURIComponent(pointer).replaceAll('%', '_')}${idSuffix}`;
  return { control: id, label: `${id}-label`, hint: `${id}-hint`, error: `${id}-error`, list: `${id}-list` };
}
