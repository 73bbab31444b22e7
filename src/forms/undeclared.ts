import * as l10n from '@vscode/l10n';
import type { Json, JsonSchema } from '../domain/json';
import { type ModelContract, modeOf, type Shape } from '../domain/model';
import { nearestName } from '../domain/nearestName';
import { childPointer, parentPointer } from '../domain/pointer';
import type { Problem } from '../domain/problems';
import type { RunDraft } from '../domain/run';
import { isObject } from '../domain/value';
import { compileSchema } from './schema/compile';
import { flatten } from './schema/flatten';
import {
  type CompiledSchema,
  childSchema,
  MEDIA_MARK,
  type Schema,
  schemaList,
  schemaMap,
} from './schema/node';

/** A member of a value that its schema does not name. */
interface Undeclared {
  readonly pointer: string;
  readonly name: string;
  /** The names that the schema has there, but for those that the value has too. */
  readonly others: readonly string[];
}

/** Further ones are not useful to show. */
const MOST = 20;
/** Of lists, only the first items are looked at. */
const MOST_ITEMS = 20;

/**
 * Members of a request that its model does not declare, where it declares others: a service ignores most of them, and
 * the run is paid for. Members that the model allows by a rule, and those that it rejects, are not among them.
 */
export function undeclaredMembers(contract: ModelContract, draft: RunDraft): Problem[] {
  const mode = modeOf(contract, draft.mode);
  if (!mode) return [];
  const undeclared = [
    ...undeclaredIn(mode.input, draft.input, '/input'),
    ...undeclaredIn(mode.params, draft.params, '/params'),
  ];
  return undeclared.map(({ pointer, name, others }) => {
    const near = nearestName(name, others);
    const place = near === undefined ? undefined : childPointer(parentPointer(pointer), near);
    const message =
      place === undefined
        ? l10n.t('{0} declares no field “{1}”: it may have no effect.', contract.name, name)
        : l10n.t(
            '{0} declares no field “{1}”: it may have no effect. Did you mean {2}?',
            contract.name,
            name,
            place,
          );
    return { pointer, message };
  });
}

function undeclaredIn({ schema, origin }: Shape, value: Json, pointer: string): Undeclared[] {
  // An example shows some fields, and need not show all.
  return origin === 'declared' || origin === 'fields' ? undeclaredAt(schema, value, pointer) : [];
}

function undeclaredAt(schema: JsonSchema, value: Json, pointer: string): Undeclared[] {
  const compiled = compileSchema(schema);
  compiled.work.renew();
  const undeclared: Undeclared[] = [];
  look(compiled, [compiled.root], value, pointer, undeclared);
  return undeclared;
}

/** @param schemas that apply here: of a choice all its variants */
function look(
  compiled: CompiledSchema,
  schemas: readonly Schema[],
  value: Json | undefined,
  pointer: string,
  undeclared: Undeclared[],
): void {
  if (typeof value !== 'object' || value === null || undeclared.length >= MOST) return;
  const parts = schemas.flatMap((schema) => variantsIn(compiled, schema, value));
  const nodes = parts.map((schema) => flatten(compiled, schema, value).node);
  const isMedia = nodes.some((node) => MEDIA_MARK in node);
  const childrenOf = (key: string): Schema[] =>
    nodes
      .map((node) => childSchema(compiled, node, key, Array.isArray(value)))
      .filter((schema) => schema !== undefined);
  if (Array.isArray(value)) {
    for (const [at, item] of value.slice(0, MOST_ITEMS).entries())
      look(compiled, childrenOf(String(at)), item, childPointer(pointer, String(at)), undeclared);
    return;
  }
  const names = new Set(nodes.flatMap((node) => Object.keys(schemaMap(node.properties))));
  const others = [...names].filter((name) => !Object.hasOwn(value, name));
  for (const [name, member] of Object.entries(value)) {
    const schemasBelow = childrenOf(name);
    const at = childPointer(pointer, name);
    if (schemasBelow.length > 0) look(compiled, schemasBelow, member, at, undeclared);
    else if (names.size > 0 && !isMedia && !names.has(name)) undeclared.push({ pointer: at, name, others });
  }
}

/** The cost of looking into a variant, in steps. */
const VARIANT = 1000;

/** A schema with all variants of its choices: a member that any of them names is declared. */
function variantsIn(compiled: CompiledSchema, schema: Schema, value: Json): Schema[] {
  const { node } = flatten(compiled, schema, value);
  const variants = [...schemaList(node.oneOf), ...schemaList(node.anyOf)].filter(isObject) as Schema[];
  if (variants.length === 0 || !compiled.work.spend(VARIANT)) return [schema];
  // Ends: a variant is one level deeper in the schema, and reference loops are removed on compiling.
  return [schema, ...variants.flatMap((variant) => variantsIn(compiled, variant, value))];
}
