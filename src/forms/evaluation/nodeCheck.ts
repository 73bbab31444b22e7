import type { Json } from '../../domain/json';
import { type Schema, type SchemaNode, SOFT } from '../schema/node';
import type { CheckLimit } from '../work';
import { Evaluated } from './evaluated';
import type { Finding, NodeOutcome, Validity } from './outcome';

/** The checks of one schema node on one value, and their results so far. */
export class NodeCheck {
  private verdict: Validity = 'valid';
  private readonly findings = new Set<Finding>();
  readonly evaluated: Evaluated | undefined;
  private readonly soft: readonly string[] | true | undefined;

  /**
   * @param evaluate checks a schema inside: on this value, or on a part of it
   * @param tracks whether evaluated members matter somewhere in the schema
   */
  constructor(
    readonly node: SchemaNode,
    readonly value: Json,
    readonly pointer: string,
    readonly work: CheckLimit,
    readonly evaluate: (schema: Schema, value: Json, pointer: string) => NodeOutcome,
    tracks: boolean,
  ) {
    this.soft = node[SOFT] as readonly string[] | true | undefined;
    if (tracks && typeof value === 'object' && value !== null) this.evaluated = new Evaluated();
  }

  /** Adds the verdict of a keyword on the value itself; undefined: not known. */
  demand(keyword: string, holds: boolean | undefined, finding: Partial<Finding> = {}): void {
    if (holds === true) return;
    if (holds === undefined || this.isSoft(keyword)) {
      this.doubt();
      return;
    }
    const { node, value, pointer } = this;
    this.verdict = 'invalid';
    this.findings.add({ pointer, keyword, rule: node[keyword], node, value, ...finding });
  }

  /** A schema that has to hold. `certain` is false when it is not known whether it applies. */
  include(keyword: string, outcome: NodeOutcome, certain = true): void {
    const isSure = certain && !this.isSoft(keyword);
    if (outcome.verdict === 'invalid' && isSure) {
      this.verdict = 'invalid';
      for (const finding of outcome.findings) this.findings.add(finding);
    } else if (outcome.verdict !== 'valid') this.doubt();
  }

  /** Adds the members and items that another schema on this very value has evaluated. */
  adopt(keyword: string, { verdict, evaluated }: NodeOutcome, certain = true): void {
    if (!this.evaluated || verdict === 'invalid') return;
    const isSure = certain && verdict === 'valid' && !this.isSoft(keyword);
    if (evaluated) this.evaluated.merge(evaluated, isSure ? 'sure' : 'possible');
  }

  /** A part of the schema is not evaluated here: it may refuse the value, and evaluate any part of it. */
  unknown(): void {
    this.doubt();
    this.evaluated?.addAll('possible');
  }

  isSoft(keyword: string): boolean {
    return this.soft === true || (this.soft?.includes(keyword) ?? false);
  }

  outcome(): NodeOutcome {
    const { verdict, evaluated } = this;
    return { verdict, findings: [...this.findings], ...(evaluated ? { evaluated } : {}) };
  }

  private doubt(): void {
    if (this.verdict === 'valid') this.verdict = 'unknown';
  }
}
