import * as l10n from '@vscode/l10n';
import { findNodeAtLocation, findNodeAtOffset, type Node, parseTree } from 'jsonc-parser';
import type { JsonObject } from '../../../src/domain/json';

export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/**
 * How a file gets into a JSON text at the caret: it replaces the value there (a string, null, an empty object,
 * another file), becomes an item of the list around it or a member of the object around it. Undefined where the text
 * is not JSON enough to tell.
 *
 * @param levels of objects that stay unchanged: 2 for a request with its `input` and `params`, 1 for one of these, 0
 * else
 */
export function placeFile(
  text: string,
  caret: number,
  media: JsonObject,
  levels: number,
): TextChange | undefined {
  const file = JSON.stringify(media).replaceAll('":', '": ').replaceAll('","', '", "');
  const tree = parseTree(text);
  if (!tree)
    return text.trim() === '' && levels === 0 ? { from: 0, to: text.length, insert: file } : undefined;
  let node = memberValue(findNodeAtOffset(tree, caret, true) ?? tree);
  if (levels === 2 && node === tree) node = findNodeAtLocation(tree, ['input']) ?? node;
  if (node.type === 'array') return inList(node, caret, file);
  if (node.type === 'object' && (depthOf(node) < levels || !isReplaced(node))) {
    return levels === 2 && node === tree ? undefined : asMember(node, file);
  }
  return depthOf(node) < levels
    ? undefined
    : { from: node.offset, to: node.offset + node.length, insert: file };
}

/** Of a name, or of a member as a whole, its value; of a media_ref the media object. */
function memberValue(node: Node): Node {
  const isRef = node.parent?.children?.[0]?.value === 'media_ref' && node.parent.type === 'property';
  if (isRef && node.parent?.parent) return node.parent.parent;
  const member = node.type === 'property' ? node : node.parent?.type === 'property' ? node.parent : undefined;
  return member?.children?.[1] ?? node;
}

/** How many objects and lists contain a node. */
function depthOf(node: Node): number {
  let depth = 0;
  for (let at = node.parent; at; at = at.parent) if (at.type !== 'property') depth += 1;
  return depth;
}

function isReplaced(node: Node): boolean {
  const names = node.children?.map((member) => member.children?.[0]?.value) ?? [];
  return names.length === 0 || names.includes('media_ref');
}

function inList(list: Node, caret: number, file: string): TextChange {
  const items = list.children ?? [];
  const before = items.filter((item) => item.offset + item.length <= caret).at(-1);
  if (before) {
    const from = before.offset + before.length;
    return { from, to: from, insert: `, ${file}` };
  }
  const from = list.offset + 1;
  return { from, to: from, insert: items.length > 0 ? `${file}, ` : file };
}

/** At the end of an object, under a name that is free. */
function asMember(object: Node, file: string): TextChange {
  const members = object.children ?? [];
  const names = members.map((member) => member.children?.[0]?.value as unknown);
  let name = 'file';
  for (let n = 2; names.includes(name); n += 1) name = `file_${n}`;
  const last = members.at(-1);
  const from = last ? last.offset + last.length : object.offset + 1;
  return { from, to: from, insert: `${last ? ', ' : ''}"${name}": ${file}` };
}

/** Where the text has no place for a file. */
export function notPlaced(): string {
  return l10n.t('Put the caret into a value of the JSON, or fix the JSON first, and attach the file again.');
}
