import type { OutputUnit } from '@cfworker/json-schema';
import * as l10n from '@vscode/l10n';
import type { Json } from '../domain/json';
import { isLocalRef, isMediaObject } from '../domain/media';
import { childPointer, parentPointer, segmentsOf } from '../domain/pointer';
import type { Problem } from '../domain/problems';
import { getAt, isObject } from '../domain/value';
import { words } from '../domain/words';
import { issueMessage } from './issueMessage';
import { nearestVariant } from './schema/nearestVariant';
import {
  type CompiledSchema,
  type Schema,
  type SchemaNode,
  schemaList,
  schemaMap,
  strings,
} from './schema/node';
import { inFormOrder } from './schema/order';

/** A problem that the schema finds in a value. */
export interface Issue extends Problem {
  /** The JSON Schema keyword that the value does not keep. */
  readonly keyword: string;
}

/**
 * The validator's findings as issues, in the order of the form. One issue for each wrong place: of the variants of a
 * choice only those of the nearest one are reported.
 */
export function issuesOf(
  compiled: CompiledSchema,
  value: Json,
  pointer: string,
  found: readonly OutputUnit[],
): Issue[] {
  return found.length === 0 ? [] : new Explanation(compiled, value, pointer).issues(found);
}

/** Keywords whose findings only repeat that something inside is wrong. */
const WRAPPERS = new Set(
  words(`
    $ref $recursiveRef allOf if properties patternProperties dependentSchemas items prefixItems
    additionalProperties unevaluatedProperties unevaluatedItems
  `),
);

/** Keywords whose finding stands for all findings inside them. */
const SUMMARIES = new Set(['not', 'contains', 'propertyNames']);

class Explanation {
  constructor(
    private readonly compiled: CompiledSchema,
    private readonly value: Json,
    private readonly pointer: string,
  ) {}

  issues(found: readonly OutputUnit[]): Issue[] {
    const unique = new Map<string, Issue>();
    for (const issue of withoutRepeats(this.reported(found)).flatMap((unit) => this.explain(unit))) {
      const key = `${issue.pointer}\n${issue.message}`;
      if (!unique.has(key)) unique.set(key, issue);
    }
    return inFormOrder(this.compiled, this.value, this.pointer, [...unique.values()]);
  }

  /** Leaves out wrappers, and of each choice all variants but the nearest. */
  private reported(found: readonly OutputUnit[]): OutputUnit[] {
    const left = new Set<OutputUnit>();
    for (const unit of found) {
      const isChoice = unit.keyword === 'anyOf' || unit.keyword === 'oneOf';
      if (left.has(unit) || !(isChoice || SUMMARIES.has(unit.keyword))) continue;
      const inside = found.filter(
        (other) =>
          isBelow(other.keywordLocation, unit.keywordLocation) &&
          isAtOrBelow(other.instanceLocation, unit.instanceLocation),
      );
      const own = isChoice ? this.nearestLocation(unit) : undefined;
      const nearest = inside.filter((other) => own !== undefined && isAtOrBelow(other.keywordLocation, own));
      for (const other of inside) if (!nearest.includes(other)) left.add(other);
      if (nearest.length > 0) left.add(unit);
    }
    return found.filter((unit) => !left.has(unit) && !WRAPPERS.has(unit.keyword));
  }

  /** Where the findings of the nearest variant are; undefined when several variants match, which is the problem. */
  private nearestLocation(unit: OutputUnit): string | undefined {
    if (unit.keyword === 'oneOf' && !unit.error.includes('(0 matches)')) return undefined;
    const variants = schemaList(this.keywordValue(unit));
    return `${unit.keywordLocation}/${nearestVariant(this.compiled, variants, this.valueAt(unit) ?? null)}`;
  }

  private explain(unit: OutputUnit): Issue[] {
    const { keyword } = unit;
    const at = this.pointer + pointerAt(unit.instanceLocation);
    const here = this.valueAt(unit);
    if (keyword === 'required') return missing(strings(this.keywordValue(unit)), here, at, keyword);
    if (keyword === 'dependentRequired') {
      const rules = schemaMap(this.schemaAt(unit)?.dependentRequired);
      const present = Object.entries(rules).filter(([key]) => isObject(here) && Object.hasOwn(here, key));
      return present.flatMap(([key, names]) => missing(strings(names), here, at, keyword, key));
    }
    if (at.endsWith('/media_ref') && here === '') return [noFile(parentPointer(at), keyword)];
    if (this.isLocalFile(unit) && keyword !== 'minLength') return [];
    return [{ pointer: at, message: issueMessage(keyword, this.keywordValue(unit), here), keyword }];
  }

  /** A file that is not uploaded yet stands as its URI, to which the schema of a media_ref does not apply. */
  private isLocalFile(unit: OutputUnit): boolean {
    const at = pointerAt(unit.instanceLocation);
    const parent = getAt(this.value, parentPointer(at));
    return at.endsWith('/media_ref') && isMediaObject(parent) && isLocalRef(parent.media_ref);
  }

  private valueAt(unit: OutputUnit): Json | undefined {
    return getAt(this.value, pointerAt(unit.instanceLocation));
  }

  /** The schema that holds the keyword of a finding. */
  private schemaAt(unit: OutputUnit): SchemaNode | undefined {
    let at: unknown = this.compiled.root;
    for (const key of segmentsOf(pointerAt(unit.keywordLocation)).slice(0, -1)) {
      const next: unknown =
        typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined;
      const isReference = key === '$ref' && typeof next === 'string';
      at = isReference ? (this.compiled.lookup[next] as Schema | undefined) : next;
    }
    return isObject(at) ? at : undefined;
  }

  private keywordValue(unit: OutputUnit): unknown {
    return this.schemaAt(unit)?.[unit.keyword];
  }
}

/** The validator finds `required` once for each missing name, while one explanation names them all. */
function withoutRepeats(found: readonly OutputUnit[]): OutputUnit[] {
  const places = new Set<string>();
  return found.filter(({ keyword, keywordLocation, instanceLocation }) => {
    if (keyword !== 'required' && keyword !== 'dependentRequired') return true;
    const place = `${keywordLocation}\n${instanceLocation}`;
    return !places.has(place) && places.add(place);
  });
}

/** @param because the member whose presence makes the names required */
function missing(
  names: readonly string[],
  here: Json | undefined,
  at: string,
  keyword: string,
  because?: string,
): Issue[] {
  const absent = names.filter((name) => !(isObject(here) && Object.hasOwn(here, name)));
  // What is missing is the file, and its field is the media object.
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

function isBelow(location: string, base: string): boolean {
  return location.startsWith(`${base}/`);
}

function isAtOrBelow(location: string, base: string): boolean {
  return location === base || isBelow(location, base);
}

/** The validator's locations are URI fragments. */
function pointerAt(location: string): string {
  try {
    return decodeURIComponent(location.replace(/^#/, ''));
  } catch {
    return location.replace(/^#/, '');
  }
}
