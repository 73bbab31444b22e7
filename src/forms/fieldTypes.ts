import type { Json } from '../domain/json';

/**
 * The form's field for one place of the value. `formOf` builds the tree from a schema and the current value. The tree
 * holds no state: it is built again after each edit (domain/value.ts). The parts of a group, list or choice are built
 * on first use (`children()`, `items()`, `content()`).
 */
export type Field =
  | TextField
  | NumberField
  | BooleanField
  | EnumField
  | ConstField
  | MediaField
  | MediaListField
  | StringListField
  | ArrayField
  | TupleField
  | ObjectField
  | MapField
  | ChoiceField
  | JsonField;

export interface FieldBase {
  /** RFC 6901, below the pointer that `formOf` was given: "/input/images/0". Edits and problems use the same. */
  readonly pointer: string;
  /** Property name or index; "" for the root. */
  readonly key: string;
  /** The schema's title, else the unchanged property name; never empty but for the root. */
  readonly label: string;
  /** Markdown, from the service: render it as untrusted. */
  readonly description?: string;
  /** undefined: left out of the request. */
  readonly value: Json | undefined;
  /** Required: it cannot be removed from the request. */
  readonly required: boolean;
  /** null is allowed and can be set ("Set to null"). */
  readonly nullable: boolean;
  readonly deprecated: boolean;
  readonly readOnly: boolean;
  /** The service's value for a member that is left out. Shown as placeholder, never sent by itself. */
  readonly default?: Json;
  readonly examples: readonly Json[];
  /** Folded under "Advanced" in its group. */
  readonly advanced: boolean;
  /** The schema does not name this member: it can be removed and renamed. */
  readonly extra: boolean;
  /** The value to write when the user adds this optional member, or replaces a value of the wrong type. */
  initial(): Json;
}

export type TextFormat = 'none' | 'url' | 'email' | 'date' | 'time' | 'date-time' | 'color' | 'uuid';

export interface TextField extends FieldBase {
  readonly kind: 'text';
  readonly style: 'line' | 'lines' | 'secret';
  readonly format: TextFormat;
  /** The value does not look like its format. The service may accept it all the same. */
  readonly formatHint?: string;
  readonly placeholder?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Suggested values; others are allowed too. */
  readonly suggestions: readonly string[];
}

export interface NumberField extends FieldBase {
  readonly kind: 'number';
  readonly integer: boolean;
  /** Inclusive, or exclusive when `exclusiveMin`. */
  readonly min?: number;
  readonly max?: number;
  readonly exclusiveMin: boolean;
  readonly exclusiveMax: boolean;
  /** `multipleOf`, 1 for integers; undefined: any. */
  readonly step?: number;
  /** The range has few steps: shows a slider beside the number, moving by `sliderStep`. */
  readonly slider: boolean;
  readonly sliderStep: number;
  readonly placeholder?: string;
}

export interface BooleanField extends FieldBase {
  readonly kind: 'boolean';
}

export interface EnumOption {
  readonly value: Json;
  readonly label: string;
  readonly description?: string;
}

export interface EnumField extends FieldBase {
  readonly kind: 'enum';
  readonly options: readonly EnumOption[];
  /** Index of the option that is the value; -1: left out, null, or not listed. */
  readonly selected: number;
}

export interface ConstField extends FieldBase {
  readonly kind: 'const';
  /** The only value allowed: shown as text, with a checkbox to send it when it is optional. */
  readonly constant: Json;
}

export interface MediaField extends FieldBase {
  readonly kind: 'media';
  /** For the chooser: see `isAccepted`. */
  readonly accept: readonly string[];
  /** A string (a URL or a media_ref) is allowed too. Files always become media objects. */
  readonly textAllowed: boolean;
}

export interface MediaListField extends FieldBase {
  readonly kind: 'mediaList';
  readonly accept: readonly string[];
  readonly textAllowed: boolean;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** The list of ids beside it (`image_ids`), one per item in the same order: both are edited together. */
  readonly idsPointer?: string;
  items(): readonly MediaField[];
}

export interface StringListField extends FieldBase {
  readonly kind: 'stringList';
  /** The only values allowed; empty: any string. */
  readonly options: readonly EnumOption[];
  readonly minItems?: number;
  readonly maxItems?: number;
  /** These are the ids of the media list at this pointer. */
  readonly mediaPointer?: string;
}

export interface ArrayField extends FieldBase {
  readonly kind: 'array';
  readonly minItems?: number;
  readonly maxItems?: number;
  /** The item that "Add" appends. */
  newItem(): Json;
  items(): readonly Field[];
}

export interface TupleField extends FieldBase {
  readonly kind: 'tuple';
  /** The fixed places, then further items. */
  items(): readonly Field[];
  /** Number of fixed places; later items can be removed. */
  readonly fixed: number;
  /** Undefined: no more items are allowed. */
  readonly newItem?: () => Json;
}

export interface ObjectField extends FieldBase {
  readonly kind: 'object';
  /** In the order to show. */
  children(): readonly Field[];
  /** The value of an entry that the user adds; undefined: no names may be added. */
  readonly newEntry?: () => Json;
  /** Collapsed at first: optional and not set, or deeply nested. */
  readonly collapsed: boolean;
}

export interface MapField extends FieldBase {
  readonly kind: 'map';
  entries(): readonly Field[];
  newEntry(): Json;
  /** The pattern of names, as a hint; the validator enforces it. */
  readonly namePattern?: string;
}

interface Variant {
  readonly label: string;
  readonly description?: string;
  /** The value to write when the user chooses this variant. */
  /** @param entered the value of another variant: members that this one takes are kept */
  initial(entered?: Json): Json;
}

export interface ChoiceField extends FieldBase {
  readonly kind: 'choice';
  readonly variants: readonly Variant[];
  /** The variant that the value matches or is nearest to; -1: the value is left out or null. */
  readonly selected: number;
  /** The selected variant's field, at the same pointer; undefined when none is selected. */
  content(): Field | undefined;
}

export interface JsonField extends FieldBase {
  readonly kind: 'json';
  /** Why the form shows JSON: the schema allows anything (open), or the value has another type (misfit). */
  readonly reason: 'open' | 'misfit';
}

/** State of a form besides the value. */
export interface FormState {
  /**
   * Variants that the user selected, pointer → index: shown also if the value matches another one. Never changed in
   * place: fields are kept while it is the same object.
   */
  readonly choices?: ReadonlyMap<string, number>;
}
