import type { Json } from '../../domain/json';
import type { SchemaNode } from '../schema/node';
import type { Evaluated } from './evaluated';

/** The verdict on a value under a schema. `unknown`: it depends on a keyword that is not evaluated here. */
export type Validity = 'valid' | 'invalid' | 'unknown';

/** A keyword that a value certainly does not keep. */
export interface Finding {
  /** Below the pointer that the evaluation began with. */
  readonly pointer: string;
  readonly keyword: string;
  /** The value of the keyword in the schema. */
  readonly rule: unknown;
  readonly node: SchemaNode;
  readonly value: Json;
  /** Of `oneOf` and `anyOf`: no variant may match, or too many do. */
  readonly tooMany?: boolean;
}

export interface NodeOutcome {
  readonly verdict: Validity;
  readonly findings: readonly Finding[];
  /** Missing where the schema does not ask for evaluated members or items. */
  readonly evaluated?: Evaluated;
}

export const VALID: NodeOutcome = { verdict: 'valid', findings: [] };
export const UNKNOWN: NodeOutcome = { verdict: 'unknown', findings: [] };
