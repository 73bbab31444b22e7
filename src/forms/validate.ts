import type { OutputUnit } from '@cfworker/json-schema';
import * as l10n from '@vscode/l10n';
import type { Json, JsonSchema } from '../domain/json';
import { isLocalRef, isMediaObject } from '../domain/media';
import { childPointer, parentPointer, segmentsOf } from '../domain/pointer';
import type { Problem } from '../domain/problems';
import { getAt, isObject } from '../domain/value';
import { wordingOf } from './issueMessage';
import { compileSchema } from './schema/compile';
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
import { findings } from './schema/validator';

/** A problem that the schema finds in a value. */
export interface Issue extends Problem {
  /** The JSON Schema keyword that is not kept. */
  readonly keyword: string;
}

export interface Validation {
  /** In the order of the form; at most one for each place and wording. */
  readonly issues: readonly Issue[];
  /** What was not checked, in sentences for the user. */
  readonly notes: readonly string[];
}

/**
 * Checks a value against a schema of any draft. Says one thing for each wrong place: of the variants of a choice only
 * the nearest one speaks. Never throws; what cannot be checked is said in `notes` and left to the service.
 *
 * @param pointer where the value stands in the run request; pointers of issues start with it
 */
export function validateValue(schema: JsonSchema, value: Json, pointer = ''): Validation {
  const compiled = compileSchema(schema);
  const notes = compiled.notes.map((note) => note.message);
  const found = findings(compiled, compiled.root, value, 'all');
  if (found === undefined) {
    const note = l10n.t('This input could not be checked against the model; the service will check it.');
    return { issues: [], notes: [...notes, note] };
  }
  const issues = found.length === 0 ? [] : new Explanation(compiled, value, pointer).issues(found);
  return { issues, notes: [...new Set(notes)] };
}

/** Findings that only say that something inside is wrong; what is inside says it better. */
const WRAPPERS = new Set([
  '$ref',
  '$recursiveRef',
  'allOf',
  'if',
  'properties',
  'patternProperties',
  'dependentSchemas',
  'items',
  'prefixItems',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
]);

/** Findings that say it for everything inside them. */
const SPEAK_FOR_ALL = new Set(['not', 'contains', 'propertyNames']);

class Explanation {
  constructor(
    private readonly compiled: CompiledSchema,
    private readonly value: Json,
    private readonly pointer: string,
  ) {}

  issues(found: readonly OutputUnit[]): Issue[] {
    // The validator finds `required` once for each name that is missing; its explanation names them all.
    const told = new Set<string>();
    const isNew = ({ keyword, keywordLocation, instanceLocation }: OutputUnit) => {
      if (keyword !== 'required' && keyword !== 'dependentRequired') return true;
      const place = `${keywordLocation}\n${instanceLocation}`;
      return !told.has(place) && told.add(place);
    };
    const issues = this.spoken(found)
      .filter(isNew)
      .flatMap((unit) => this.explain(unit));
    const unique = new Map<string, Issue>();
    for (const issue of issues) {
      const key = `${issue.pointer}\n${issue.message}`;
      if (!unique.has(key)) unique.set(key, issue);
    }
    return inFormOrder(this.compiled, this.value, this.pointer, [...unique.values()]);
  }

  /** Leaves out wrappers, and of each choice all variants but the nearest. */
  private spoken(found: readonly OutputUnit[]): OutputUnit[] {
    const silent = new Set<OutputUnit>();
    for (const unit of found) {
      const isChoice = unit.keyword === 'anyOf' || unit.keyword === 'oneOf';
      if (silent.has(unit) || !(isChoice || SPEAK_FOR_ALL.has(unit.keyword))) continue;
      const inside = found.filter(
        (other) =>
          isBelow(other.keywordLocation, unit.keywordLocation) &&
          isAtOrBelow(other.instanceLocation, unit.instanceLocation),
      );
      const own = isChoice ? this.nearestLocation(unit) : undefined;
      const nearest = inside.filter((other) => own !== undefined && isAtOrBelow(other.keywordLocation, own));
      for (const other of inside) if (!nearest.includes(other)) silent.add(other);
      if (nearest.length > 0) silent.add(unit);
    }
    return found.filter((unit) => !silent.has(unit) && !WRAPPERS.has(unit.keyword));
  }

  /** Where the findings of the nearest variant stand; undefined when several variants match and none is to blame. */
  private nearestLocation(unit: OutputUnit): string | undefined {
    if (unit.keyword === 'oneOf' && !unit.error.includes('(0 matches)')) return undefined;
    const variants = schemaList(this.keywordValue(unit));
    return `${unit.keywordLocation}/${nearestVariant(this.compiled, variants, this.valueAt(unit) ?? null)}`;
  }

  private explain(unit: OutputUnit): Issue[] {
    const at = this.pointer + pointerAt(unit.instanceLocation);
    const here = this.valueAt(unit);
    if (unit.keyword === 'required')
      return this.missing(strings(this.keywordValue(unit)), here, at, unit.keyword);
    if (unit.keyword === 'dependentRequired') {
      const rules = schemaMap(this.schemaAt(unit)?.dependentRequired);
      const present = Object.entries(rules).filter(([key]) => isObject(here) && Object.hasOwn(here, key));
      return present.flatMap(([key, names]) => this.missing(strings(names), here, at, unit.keyword, key));
    }
    if (at.endsWith('/media_ref') && here === '') return [noFile(parentPointer(at), unit.keyword)];
    if (this.isLocalFile(unit) && unit.keyword !== 'minLength') return [];
    const schema = this.schemaAt(unit);
    const message = wordingOf(unit.keyword, this.keywordValue(unit), here, schema);
    return [{ pointer: at, message, keyword: unit.keyword }];
  }

  private missing(
    names: readonly string[],
    here: Json | undefined,
    at: string,
    keyword: string,
    because?: string,
  ): Issue[] {
    const absent = names.filter((name) => !(isObject(here) && Object.hasOwn(here, name)));
    // What is missing is the file, and its field is the media object.
    if (absent.includes('media_ref') && this.isFile(here)) return [noFile(at, keyword)];
    return absent.map((name) => ({
      pointer: childPointer(at, name),
      keyword,
      message:
        because === undefined
          ? l10n.t('This is required.')
          : l10n.t('This is required because {0} is set.', because),
    }));
  }

  private isFile(here: Json | undefined): boolean {
    return isObject(here) && Object.keys(here).every((key) => key === 'filename');
  }

  /** A file that is not uploaded yet stands as its URI: what the schema says of a media_ref does not hold for it. */
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
    const path = segmentsOf(pointerAt(unit.keywordLocation)).slice(0, -1);
    const at = this.walk(path);
    return isObject(at) ? at : undefined;
  }

  private keywordValue(unit: OutputUnit): unknown {
    return this.schemaAt(unit)?.[unit.keyword];
  }

  private walk(path: readonly string[]): unknown {
    let at: unknown = this.compiled.root;
    for (const key of path) {
      const next: unknown =
        typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined;
      at =
        key === '$ref' && typeof next === 'string'
          ? (this.compiled.lookup[next] as Schema | undefined)
          : next;
    }
    return at;
  }
}

function noFile(pointer: string, keyword: string): Issue {
  return { pointer, keyword, message: l10n.t('Choose a file, or enter a media_ref.') };
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
