import { isAccepted } from '../../domain/media';
import type { ModeContract, ModelContract } from '../../domain/model';
import { formOf, initialInput } from '../../forms/buildForm';
import type { Field } from '../../forms/fieldTypes';
import type { Over } from './format';

type FileMap = Extract<Over, { files: unknown }>['map'];

export interface FileField {
  readonly mode: string;
  /** For `over.map`. */
  readonly map: FileMap;
  /** See `isAccepted`. */
  readonly accept: readonly string[];
}

const TEXT = ['text/*'];

/**
 * How a model takes files of these kinds, one in each run. Undefined when its modes take no such file. Modes that
 * write or read a dataset are left out: files are indexed, not tried.
 * @param contentTypes MIME types of the files
 */
export function fileField(contract: ModelContract, contentTypes: readonly string[]): FileField | undefined {
  const modes = contract.modes
    .filter(({ vectorBacked }) => !vectorBacked)
    .sort((a, b) => Number(b.name === 'execute') - Number(a.name === 'execute'));
  for (const mode of modes) {
    const field = fileFieldOf(mode, contentTypes);
    if (field) return field;
  }
  return undefined;
}

/**
 * The same for one mode, with any purpose.
 * @param pointer of the field that is to take them; missing: any
 */
export function fileFieldOf(
  { name, input }: Pick<ModeContract, 'name' | 'input'>,
  contentTypes: readonly string[],
  pointer = '/input',
): FileField | undefined {
  const form = formOf(input.schema, initialInput(input.schema), '/input');
  const fields = form.kind === 'object' ? [...form.children()] : [];
  // Required fields first.
  fields.sort((a, b) => Number(b.required) - Number(a.required));
  const wanted = fields.filter((field) => `${field.pointer}/`.startsWith(`${pointer}/`));
  const places = [...wanted.map(mediaPlace), ...wanted.map(textPlace)];
  const fitting = places.find((place) => place && takesSome(place.accept, contentTypes));
  return fitting && { mode: name, ...fitting };
}

function takesSome(accept: readonly string[], contentTypes: readonly string[]): boolean {
  return contentTypes.some((type) => isAccepted(type, accept));
}

type FieldPlace = Omit<FileField, 'mode'>;

function mediaPlace(field: Field): FieldPlace | undefined {
  if (field.kind === 'media') return { map: { [field.pointer]: 'file' }, accept: field.accept };
  if (field.kind !== 'mediaList') return undefined;
  const { pointer, idsPointer, accept } = field;
  const ids: FileMap = idsPointer === undefined ? {} : { [`${idsPointer}/0`]: 'name' };
  return { map: { [`${pointer}/0`]: 'file', ...ids }, accept };
}

function textPlace(field: Field): FieldPlace | undefined {
  if (field.kind !== 'text' || field.format !== 'none') return undefined;
  return { map: { [field.pointer]: 'text' }, accept: TEXT };
}
