import type { Json } from '../../domain/json';
import { isObject } from '../../domain/value';
import {
  type CompiledSchema,
  DYNAMIC,
  type DynamicTargets,
  RESOURCE,
  type Schema,
  type SchemaNode,
  UNCHECKED,
} from '../schema/node';
import type { CheckLimit } from '../work';
import { checkArray, checkUnevaluatedItems } from './arrays';
import { checkCombinations } from './combinations';
import { NodeCheck } from './nodeCheck';
import { checkObject, checkUnevaluatedProperties } from './objects';
import { type NodeOutcome, UNKNOWN, VALID } from './outcome';
import { checkAnyType, checkNumber, checkString } from './scalars';

/** The cost of checking a value against one schema node, in steps. */
const NODE = 12;

/**
 * Checks values against a compiled schema in three values: a keyword that is not evaluated here (a reference to
 * elsewhere, a pattern that looks around, a keyword of another draft) makes a value neither valid nor invalid, also
 * inside `not`, `oneOf` or `if`. No validator of the registries knows a third value, which is why this is our own.
 *
 * Each target of a reference is checked once for each place of the value, and all together take at most
 * `compiled.work`; the remaining checks are unknown.
 */
export class Evaluation {
  /** The resources entered on the way to here, the outermost first. */
  private readonly way: string[] = [];
  private readonly kept = new Map<string, Map<string, NodeOutcome>>();

  constructor(private readonly compiled: CompiledSchema) {}

  /** @param pointer of the value; pointers of findings start with it */
  readonly evaluate = (schema: Schema, value: Json, pointer = ''): NodeOutcome => {
    if (schema === true) return VALID;
    if (schema === false) return forbidden(value, pointer);
    const { work, tracksEvaluated } = this.compiled;
    if (!work.spend(NODE)) return UNKNOWN;
    const entered = schema[RESOURCE] as string | undefined;
    const isNew = entered !== undefined && !this.way.includes(entered);
    if (isNew) this.way.push(entered);
    const outcome = this.checkNode(schema, value, pointer, work, tracksEvaluated);
    if (isNew) this.way.pop();
    return outcome;
  };

  private checkNode(
    schema: SchemaNode,
    value: Json,
    pointer: string,
    work: CheckLimit,
    tracksEvaluated: boolean,
  ): NodeOutcome {
    const check = new NodeCheck(schema, value, pointer, work, this.evaluate, tracksEvaluated);
    if (schema[UNCHECKED] === true) check.unknown();
    if (typeof schema.$ref === 'string') this.follow(check, schema.$ref);
    const dynamic = schema[DYNAMIC] as DynamicTargets | undefined;
    if (dynamic) this.follow(check, this.way.map((address) => dynamic.get(address)).find(Boolean) ?? '');
    checkAnyType(check);
    checkCombinations(check);
    if (typeof value === 'string') checkString(check, value);
    else if (typeof value === 'number') checkNumber(check, value);
    else if (Array.isArray(value)) {
      checkArray(check, value, this.compiled.containsEvaluates);
      checkUnevaluatedItems(check, value);
    } else if (isObject(value)) {
      checkObject(check, value);
      checkUnevaluatedProperties(check, value);
    }
    return check.outcome();
  }

  private follow(check: NodeCheck, reference: string): void {
    const outcome = this.target(reference, check.value, check.pointer);
    check.include('$ref', outcome);
    check.adopt('$ref', outcome);
    if (outcome === UNKNOWN) check.unknown();
  }

  private target(reference: string, value: Json, pointer: string): NodeOutcome {
    const schema = this.compiled.lookup[reference];
    if (schema === undefined) return UNKNOWN;
    const name = [reference, ...this.way].join(' ');
    let places = this.kept.get(name);
    if (!places) {
      places = new Map();
      this.kept.set(name, places);
    }
    const known = places.get(pointer);
    if (known) return known;
    // A loop back to here without a step down in the value would never end.
    places.set(pointer, UNKNOWN);
    const outcome = this.evaluate(schema, value, pointer);
    places.set(pointer, outcome);
    return outcome;
  }
}

const NOTHING: SchemaNode = {};

function forbidden(value: Json, pointer: string): NodeOutcome {
  const finding = { pointer, keyword: 'false', rule: false, node: NOTHING, value };
  return { verdict: 'invalid', findings: [finding] };
}
