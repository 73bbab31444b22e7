import { childPointer } from '../domain/pointer';
import { getAt, isObject } from '../domain/value';
import { beginning } from '../domain/words';
import { limits } from './limits';
import type { ResultPart, ResultSection, ResultView } from './resultView';
import { cellTextAt } from './table';

/** Values of a result that are looked at; the rest of a larger one is in the tree. */
const MOST_VALUES = 5_000;
/** Characters of a string that are enough to find it in a text around it. */
const HEAD = 100;

interface Leaf {
  readonly pointer: string;
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/**
 * The view, followed by facts with all strings that its parts do not show: a recognised part must not hide the rest of
 * the JSON. If there are too many, the view is incomplete and the page adds the tree.
 */
export function withRest(output: unknown, view: ResultView): ResultView {
  if (!view.recognised || output instanceof Uint8Array) return view;
  const { leaves, isWhole } = stringsIn(output);
  const isShown = shownBy(output, view.sections);
  const rest = leaves.filter((leaf) => leaf.text !== '' && !isShown(leaf));
  const facts = rest.slice(0, limits.facts).map(({ path, text }) => ({
    name: path.map((key) => (typeof key === 'number' ? key + 1 : key)).join(' › '),
    value: beginning(text, limits.factCharacters),
  }));
  const sections =
    facts.length === 0
      ? view.sections
      : [...view.sections, { pointer: '', part: { kind: 'facts' as const, facts } }];
  const isComplete = isWhole && rest.length === facts.length && !view.sections.some(isCut);
  return { ...view, sections, ...(!isComplete && { incomplete: true }) };
}

/** Without recursion: deep JSON would overflow it. */
function stringsIn(output: unknown): { leaves: Leaf[]; isWhole: boolean } {
  const leaves: Leaf[] = [];
  const stack: { value: unknown; pointer: string; path: readonly (string | number)[] }[] = [
    { value: output, pointer: '', path: [] },
  ];
  let seen = 0;
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, pointer, path } = next;
    if (++seen > MOST_VALUES) return { leaves, isWhole: false };
    if (typeof value === 'string') leaves.push({ pointer, path, text: value });
    const members: (readonly [string | number, unknown])[] = Array.isArray(value)
      ? value.slice(0, MOST_VALUES).map((item: unknown, at) => [at, item])
      : isObject(value)
        ? Object.entries(value).slice(0, MOST_VALUES)
        : [];
    for (const [key, member] of members.reverse())
      stack.push({ value: member, pointer: childPointer(pointer, key), path: [...path, key] });
  }
  return { leaves, isWhole: true };
}

/** Parts that show only the first of their items say so, and the tree has the others. */
function isCut({ part }: ResultSection): boolean {
  switch (part.kind) {
    case 'hits':
      return part.total > part.hits.length;
    case 'labels':
      return part.total > part.labels.length;
    case 'boxes':
      return part.total > part.boxes.length;
    case 'masks':
      return part.total > part.masks.length;
    case 'media':
      return part.total > part.media.length;
    case 'table':
      return part.moreColumns > 0;
    default:
      return false;
  }
}

function shownBy(output: unknown, sections: readonly ResultSection[]): (leaf: Leaf) => boolean {
  const whole = new Set<string>();
  const texts: string[] = [];
  const media = new Set<string>();
  const tables: string[] = [];
  for (const { pointer, part } of sections) {
    if (part.kind === 'table') tables.push(pointer);
    for (const text of partTexts(part)) whole.add(text);
    if (part.kind === 'text') texts.push(part.text);
    if (part.kind === 'labels') for (const { about = '' } of part.labels) texts.push(about);
    if (part.kind === 'colors') for (const { about = '' } of part.colors) texts.push(about);
    if (part.kind === 'media') for (const one of part.media) media.add(one.pointer);
    if (part.kind === 'masks') for (const one of part.masks) media.add(one.media.pointer);
  }
  const inTable = (leaf: Leaf) =>
    tables.some((table) => {
      if (!leaf.pointer.startsWith(`${table}/`)) return false;
      const [row, column] = leaf.path.slice(table.split('/').length - 1);
      const items = getAt(output as never, table);
      if (!Array.isArray(items) || typeof row !== 'number') return false;
      const cell = cellTextAt(items, row, typeof column === 'string' ? column : '');
      return cell.includes(leaf.text.slice(0, HEAD)) || cell.includes(inJson(leaf.text.slice(0, HEAD)));
    });
  return (leaf) =>
    whole.has(leaf.text) ||
    whole.has(leaf.text.slice(0, limits.cellCharacters)) ||
    media.has(leaf.pointer) ||
    inTable(leaf) ||
    texts.some((text) => text.includes(leaf.text.slice(0, HEAD)));
}

/** A string in the form that JSON writes, without its quotes. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The strings that a part shows each for itself. */
function partTexts(part: ResultPart): string[] {
  switch (part.kind) {
    case 'text':
      return [part.text];
    case 'labels':
      return part.labels.map(({ label }) => label);
    case 'hits':
      return part.hits.flatMap(({ id, members = [] }) => [id, ...members.map(({ value }) => value)]);
    case 'boxes':
      return part.boxes.flatMap(({ label }) => label ?? []);
    case 'masks':
      return part.masks.flatMap(({ label }) => label ?? []);
    case 'media':
      return part.media.flatMap(({ name, address, contentType }) =>
        [name, address, contentType].filter((text) => text !== undefined),
      );
    case 'colors':
      return part.colors.flatMap(({ color, name }) => (name === undefined ? [color] : [color, name]));
    case 'facts':
      return part.facts.map(({ value }) => String(value));
    case 'vector':
    case 'table':
      return [];
  }
}
