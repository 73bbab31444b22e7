import type { ModeContract } from '../domain/model';
import { formOf, initialInput } from './buildForm';

/**
 * The types of files that the field at a place of a mode's request takes, see `isAccepted`; empty: any, or not known.
 */
export function acceptedAt({ input }: Pick<ModeContract, 'input'>, pointer: string): readonly string[] {
  const form = formOf(input.schema, initialInput(input.schema), '/input');
  const fields = form.kind === 'object' ? [...form.children()] : [];
  const place = pointer.replace(/\/\d+$/, '');
  const field = fields.find(
    (one) => one.pointer === pointer || (one.kind === 'mediaList' && one.pointer === place),
  );
  return field && (field.kind === 'media' || field.kind === 'mediaList') ? field.accept : [];
}
