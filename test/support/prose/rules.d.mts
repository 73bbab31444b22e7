/** The first sentence of an item that breaks a rule, with a better way to write it. */
export function firstRiddle(item: {
  readonly kind: string;
  readonly text: string;
}): { readonly sentence: string; readonly advice: string } | undefined;
