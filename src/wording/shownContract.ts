import type { ModelContract, ShownContract } from '../domain/model';
import { visibleText } from './plainText';

/**
 * A contract as pages show it: without the raw body, and with the hidden characters of its texts shown. A mark of
 * direction in a name would change how a price is read. Parts that are sent (slugs, mode names, schemas, examples)
 * stay unchanged.
 */
export function toShown({ raw: _raw, ...contract }: ModelContract): ShownContract {
  const { name, group, tags, version, modes } = contract;
  return {
    ...contract,
    name: visibleText(name),
    ...(group !== undefined && { group: visibleText(group) }),
    ...(version !== undefined && { version: visibleText(version) }),
    ...described(contract),
    tags: tags.map(visibleText),
    modes: modes.map((mode) => ({
      ...mode,
      ...titled(mode),
      ...described(mode),
      examples: mode.examples.map((example) => ({ ...example, ...titled(example) })),
    })),
  };
}

function titled({ title }: { readonly title?: string }): { readonly title?: string } {
  return title === undefined ? {} : { title: visibleText(title) };
}

function described({ description }: { readonly description?: string }): { readonly description?: string } {
  return description === undefined ? {} : { description: visibleText(description) };
}
