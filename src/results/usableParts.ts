import { assertNever } from '../domain/assertNever';
import type { PartOf, ResultMedia, ResultView } from './resultView';

/** The parts of a result that another model can take as its input. */
export type UsablePart =
  | { readonly kind: 'text'; readonly pointer: string }
  | { readonly kind: 'labels'; readonly labels: readonly string[] }
  | { readonly kind: 'media'; readonly media: ResultMedia };

/** The parts of a result that can be handed on, in the order they are shown: media that can be had, texts and labels. */
export function usableParts({ sections }: ResultView): UsablePart[] {
  return sections.flatMap(({ part, pointer }): UsablePart[] => {
    switch (part.kind) {
      case 'media':
        return part.media.filter(isHad).map((media) => ({ kind: 'media', media }));
      case 'masks':
        return masksOf(part);
      case 'text':
        return [{ kind: 'text', pointer }];
      case 'labels':
        return [{ kind: 'labels', labels: part.labels.map(({ label }) => label) }];
      case 'hits':
      case 'boxes':
      case 'vector':
      case 'table':
      case 'colors':
      case 'facts':
        return [];
      default:
        return assertNever(part);
    }
  });
}

function masksOf({ masks }: PartOf<'masks'>): UsablePart[] {
  return masks.flatMap(({ media }): UsablePart[] => (isHad(media) ? [{ kind: 'media', media }] : []));
}

/** The bytes of a reference of the service cannot be had. */
function isHad({ from }: ResultMedia): boolean {
  return from !== 'reference';
}
