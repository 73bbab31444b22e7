import { readModel } from '../../src/contracts/model';
import { isObject } from '../../src/domain/value';
import { formOf } from '../../src/forms/buildForm';
import type { Published } from './sources';

// Which fields for addresses take files: all of a publisher whose `format: uri` is a file, none of plain interfaces.

/** Fields for an address, by their result: names with their contract. */
export interface AddressFields {
  readonly takingFiles: readonly string[];
  readonly others: readonly string[];
}

const ADDRESS_NAME = /(?:^|_|-|[a-z](?=U))ur[il]s?$/i;

/**
 * The fields of the form of the first mode that have `format: uri`, or whose name ends in `_url`.
 * @param byFormat only those with the format
 */
export function addressFieldsOf({ name, detail }: Published, byFormat: boolean): AddressFields {
  const schema = readModel(detail, 'asked')?.modes[0]?.input.schema ?? true;
  const form = formOf(schema, undefined, '/input');
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
  const takingFiles: string[] = [];
  const others: string[] = [];
  for (const { key, kind } of form.kind === 'object' ? form.children() : [])
    if (isUri(properties[key]) || (!byFormat && ADDRESS_NAME.test(key)))
      (kind === 'media' || kind === 'mediaList' ? takingFiles : others).push(`${name}: ${key}`);
  return { takingFiles, others };
}

/** Also a list of them. */
function isUri(schema: unknown): boolean {
  return isObject(schema) && [schema, schema.items].some((each) => isObject(each) && each.format === 'uri');
}
