import * as l10n from '@vscode/l10n';
import type { Json, JsonSchema } from '../domain/json';
import { childPointer, parentPointer } from '../domain/pointer';
import type { Problem } from '../domain/problems';
import { isObject } from '../domain/value';
import { Evaluation } from './evaluation/evaluation';
import { type Finding, type NodeOutcome, UNKNOWN, type Validity } from './evaluation/outcome';
import { issueMessage } from './issueMessage';
import { compileSchema } from './schema/compile';
import { nearestVariant } from './schema/nearestVariant';
import { type CompiledSchema, schemaList, strings } from './schema/node';
import { inFormOrder } from './schema/order';

export interface Validation {
  readonly verdict: Validity;
  /** In the order of the form; at most one for each place and message. */
  readonly issues: readonly Issue[];
  /** The constraints that were not checked, in sentences for the user. */
  readonly notes: readonly string[];
}

/**
 * Checks a value against a schema of any draft. Never throws; constraints that cannot be checked are named in `notes`
 * and left to the service.
 *
 * @param pointer the value's place in the run request; pointers of issues start with it
 */
export function validateValue(schema: JsonSchema, value: Json, pointer = ''): Validation {
  const compiled = compileSchema(schema);
  const notes = new Set(compiled.notes);
  compiled.work.renew();
  const outcome = evaluated(compiled, value, pointer);
  if (outcome === undefined || compiled.work.isUsedUp)
    notes.add(l10n.t('This input is too large to check in full. Only the service checks the rest.'));
  compiled.work.renew();
  const { verdict, findings } = outcome ?? UNKNOWN;
  return { verdict, issues: validationIssues(compiled, value, pointer, findings), notes: [...notes] };
}

/** Undefined for a value nested deeper than the stack. */
function evaluated(compiled: CompiledSchema, value: Json, pointer: string): NodeOutcome | undefined {
  try {
    return new Evaluation(compiled).evaluate(compiled.root, value, pointer);
  } catch {
    return undefined;
  }
}

interface Issue extends Problem {
  /** The JSON Schema keyword that the value does not keep. */
  readonly keyword: string;
}

/** Findings that wait and are explained: a list of ten thousand wrong items would block the page. */
const MOST_ISSUES = 200;

/**
 * The findings as issues, in the order of the form. One issue for each wrong place: of the variants of a choice only
 * those of the nearest one are reported.
 */
function validationIssues(
  compiled: CompiledSchema,
  value: Json,
  pointer: string,
  findings: readonly Finding[],
): Issue[] {
  const unique = new Map<string, Issue>();
  for (const finding of findings) {
    for (const issue of explain(compiled, finding)) unique.set(`${issue.pointer}\n${issue.message}`, issue);
    if (unique.size >= MOST_ISSUES) break;
  }
  return inFormOrder(compiled, value, pointer, [...unique.values()]);
}

function explain(compiled: CompiledSchema, finding: Finding): Issue[] {
  const { keyword, pointer, rule, value } = finding;
  if (keyword === 'required') return missing(strings(rule), value, pointer, keyword);
  if (keyword === 'dependentRequired' && isObject(rule))
    return missing(strings(rule.absent), value, pointer, keyword, String(rule.because));
  if (pointer.endsWith('/media_ref') && value === '') return [noFile(parentPointer(pointer), keyword)];
  const inside = keyword === 'oneOf' || keyword === 'anyOf' ? ofNearestVariant(compiled, finding) : [];
  if (inside.length > 0) return inside;
  return [{ pointer, keyword, message: issueMessage(keyword, rule, value) }];
}

/**
 * The problems in the variant nearest to the value; empty when several match, because then the number of matches is
 * the problem.
 */
function ofNearestVariant(compiled: CompiledSchema, { rule, value, pointer, tooMany }: Finding): Issue[] {
  const variants = schemaList(rule);
  if (tooMany || variants.length === 0) return [];
  const nearest = variants[nearestVariant(compiled, variants, value)] ?? true;
  const { findings } = new Evaluation(compiled).evaluate(nearest, value, pointer);
  return findings.flatMap((finding) => explain(compiled, finding));
}

/** @param because the member that makes the names required when it is present */
function missing(
  names: readonly string[],
  here: Json,
  at: string,
  keyword: string,
  because?: string,
): Issue[] {
  const absent = names.filter((name) => !(isObject(here) && Object.hasOwn(here, name)));
  // The file itself is missing, and its field is the media object.
  const isFile = isObject(here) && Object.keys(here).every((key) => key === 'filename');
  if (absent.includes('media_ref') && isFile) return [noFile(at, keyword)];
  const message =
    because === undefined
      ? l10n.t('This is required.')
      : l10n.t('This is required because {0} is set.', because);
  return absent.map((name) => ({ pointer: childPointer(at, name), keyword, message }));
}

function noFile(pointer: string, keyword: string): Issue {
  return { pointer, keyword, message: l10n.t('Choose a file or enter a file reference.') };
}
