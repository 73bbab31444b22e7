import { isObject } from '../../domain/value';
import type { MediaField, MediaListField } from '../fieldTypes';
import { acceptedTypes } from '../schema/mediaHints';
import { MEDIA_MARK, type MediaMark } from '../schema/node';
import { definedMembers, type FieldContext, type ListParts, once } from './context';

/** The mark of a schema that takes a file; undefined for every other schema. */
export function mediaMark(node: { readonly [MEDIA_MARK]?: unknown }): MediaMark | undefined {
  return node[MEDIA_MARK] as MediaMark | undefined;
}

export function mediaField({ base, flat, place }: FieldContext, mark: MediaMark): MediaField {
  const accept = mark.accept.length > 0 ? mark.accept : acceptedTypes(place.label ?? base.key, flat.node);
  return { ...base, kind: 'media', accept, textAllowed: mark.text };
}

/** A list of files; undefined when a value in it is not a file. */
export function mediaListField(
  { base, flat, place }: FieldContext,
  mark: MediaMark,
  { value, item, bounds }: ListParts,
): MediaListField | undefined {
  if (!value.every((entry) => isObject(entry) || typeof entry === 'string')) return undefined;
  const accept = mark.accept.length > 0 ? mark.accept : acceptedTypes(base.key, flat.node);
  const items = once(() =>
    value.map(
      (entry, index): MediaField => ({
        ...item(index),
        kind: 'media',
        value: entry,
        accept,
        textAllowed: mark.text,
      }),
    ),
  );
  const ids = definedMembers({ idsPointer: place.idsPointer });
  return { ...base, kind: 'mediaList', accept, textAllowed: mark.text, items, ...bounds, ...ids };
}
