import type { Json } from '../domain/json';

/**
 * What a form shows for one place of the value. `formOf` makes the whole tree from a schema and the current value;
 * nothing in it is state, so after an edit (value.ts) the form is made again, which is cheap: the parts of a group,
 * list or choice are made only when asked for (`children()`, `items()`, `content()`), and each response is kept.
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
  /** The schema's title, else the property name as it is; never empty but for the root. */
  readonly label: string;
  /** Markdown, from the service: render it as untrusted. */
  readonly description?: string;
  /** What stands here; undefined: left out of the request. */
  readonly value: Json | undefined;
  /** The member must be there: offer no "leave out". */
  readonly required: boolean;
  /** null is allowed: offer it ("Set to null"); `value === null` means it is chosen. */
  readonly nullable: boolean;
  readonly deprecated: boolean;
  readonly readOnly: boolean;
  /** What the service assumes when the member is left out. Shown as placeholder, never sent by itself. */
  readonly default?: Json;
  readonly examples: readonly Json[];
  /** `x-order`; children already come sorted. */
  readonly order?: number;
  /** Folded under "Advanced" in its group. */
  readonly advanced: boolean;
  /** Of a member the schema does not name: offer to remove it, and to rename it when `keyEditable`. */
  readonly extra: boolean;
  /** What to write when the user adds this optional member, or starts over where the value does not fit. */
  initial(): Json;
}

export type TextFormat = 'none' | 'url' | 'email' | 'date' | 'time' | 'date-time' | 'color' | 'uuid';

export interface TextField extends FieldBase {
  readonly kind: 'text';
  readonly style: 'line' | 'lines' | 'secret';
  readonly format: TextFormat;
  readonly placeholder?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** Values the schema names without forbidding others: for a datalist. */
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
  /** Both bounds are near: show a slider beside the number, moving by `sliderStep`. */
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
  /** Index of the option that is the value; -1: none is (left out, null, or a value that is not listed). */
  readonly selected: number;
}

export interface ConstField extends FieldBase {
  readonly kind: 'const';
  /** The one value allowed: show it as text, with a checkbox to send it when not required. */
  readonly constant: Json;
}

export interface MediaField extends FieldBase {
  readonly kind: 'media';
  /** MIME types or wildcards for the chooser; empty: any file. */
  readonly accept: readonly string[];
  /** A bare string is allowed too (an address, or a media_ref where the schema says string). Files always become media objects. */
  readonly textAllowed: boolean;
}

export interface MediaListField extends FieldBase {
  readonly kind: 'mediaList';
  readonly accept: readonly string[];
  readonly textAllowed: boolean;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Of the list of ids beside it (`image_ids`), one id per item in the same order: add, move and remove in both. */
  readonly idsPointer?: string;
  items(): readonly MediaField[];
}

export interface StringListField extends FieldBase {
  readonly kind: 'stringList';
  /** Show as chips. When `options` is not empty only these are allowed: show checkboxes or a multi-select. */
  readonly options: readonly EnumOption[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly unique: boolean;
  /** These are the ids of the media list at this pointer. */
  readonly mediaPointer?: string;
}

export interface ArrayField extends FieldBase {
  readonly kind: 'array';
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly unique: boolean;
  /** "Add" puts this at the end. */
  newItem(): Json;
  items(): readonly Field[];
}

export interface TupleField extends FieldBase {
  readonly kind: 'tuple';
  /** The fixed places, then what stands beyond them. */
  items(): readonly Field[];
  /** How many places are fixed; later ones can be removed. */
  readonly fixed: number;
  /** Undefined: no more items are allowed. */
  readonly newItem?: () => Json;
}

export interface ObjectField extends FieldBase {
  readonly kind: 'object';
  /** In the order to show; those with `advanced` folded, those with `extra` not named by the schema. */
  children(): readonly Field[];
  /** Names not in the schema may be added; `newEntry` is what a new one holds. Undefined: none may. */
  readonly newEntry?: () => Json;
  /** Show collapsed at first: optional and not set, or deep. */
  readonly collapsed: boolean;
}

export interface MapField extends FieldBase {
  readonly kind: 'map';
  entries(): readonly Field[];
  newEntry(): Json;
  /** What names must match, for a hint; the validator enforces it. */
  readonly namePattern?: string;
}

export interface Variant {
  readonly label: string;
  readonly description?: string;
  /** What to write when the user chooses this variant. */
  initial(): Json;
}

export interface ChoiceField extends FieldBase {
  readonly kind: 'choice';
  readonly variants: readonly Variant[];
  /** Which variant the value is, or is nearest to; -1: nothing chosen (the value is left out or null). */
  readonly selected: number;
  /** The chosen variant's field, at the same pointer; undefined when nothing is chosen. */
  content(): Field | undefined;
}

export interface JsonField extends FieldBase {
  readonly kind: 'json';
  /** Why the form shows JSON: the schema allows anything, or the value is of another type than the schema wants. */
  readonly reason: 'open' | 'misfit';
}

/** What a form remembers beside the value. */
export interface FormState {
  /** Variants chosen by hand, pointer → index. One that the value contradicts is ignored. */
  readonly choices?: ReadonlyMap<string, number>;
}
