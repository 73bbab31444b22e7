import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Json } from '../../../src/domain/json';
import { isLocalRef, isMediaObject, isOfOtherType } from '../../../src/domain/media';
import { getAt, insertAt, moveAt, removeAt, setAt } from '../../../src/domain/value';
import type { MediaField, MediaListField } from '../../../src/forms/fieldTypes';
import type { AttachedFile } from '../../../src/protocol/run';
import { formatBytes } from '../../../src/wording/bytes';
import { iconButton } from '../../shared/buttons';
import { typedIn } from '../../shared/controls';
import { allowDrop } from '../../shared/fileIntake';
import { icon } from '../../shared/icon';
import { type MenuItem, menuButton } from '../../shared/menu';
import { chooseFiles, filePreview, mediaKind, mediaValue, openFile, takeFiles } from '../files';
import type { RunPage } from '../page';
import { control, frame, moveItems } from './frame';
import { fieldIds } from './ids';

/** One medium: a drop zone while there is none, then the medium with its facts. */
export function mediaField(page: RunPage, field: MediaField): TemplateResult {
  const put = ([file]: readonly AttachedFile[]) => {
    if (file) page.editAt(field.pointer, mediaValue(file));
  };
  const filled = refOf(field.value) !== undefined && refOf(field.value) !== '';
  const replace = () => chooseFiles(page, field.accept, false).then(put);
  const remove = () => {
    page.editAt(field.pointer, field.required ? { media_ref: '' } : undefined);
    focusLater(page, `#${CSS.escape(fieldIds(field).control)}`);
  };
  const content = filled
    ? html`<div
        class="card medium-card line wraps"
        role="group"
        id=${fieldIds(field).control}
        tabindex="-1"
        aria-labelledby=${fieldIds(field).label}
        @paste=${(event: ClipboardEvent) => void onPaste(page, event, put)}
        @drop=${(event: DragEvent) => void onDrop(page, event, put)}
        @dragover=${allowDrop}
      >
        ${preview(page, field)}
        <div class="medium-tools">
          ${iconButton('replace', l10n.t('Replace…'), replace, { tab: -1 })}
          ${iconButton('trash', l10n.t('Remove'), remove, { tab: -1 })}
        </div>
      </div>`
    : dropZone(page, field, false, put, () => enterReference(page, field));
  const items = (): MenuItem[] =>
    filled
      ? [
          { label: l10n.t('Replace…'), icon: 'replace', act: replace },
          { label: l10n.t('Remove'), icon: 'trash', act: remove },
        ]
      : waysIn(page, field, put, () => enterReference(page, field));
  return frame(page, field, html`${content}${typedRef(page, field, filled)}`, {
    group: true,
    below: true,
    items: field.readOnly ? () => [] : items,
  });
}

/** Several media, with a parallel list of IDs. */
export function mediaListField(page: RunPage, field: MediaListField): TemplateResult {
  const items = field.items();
  const add = (files: readonly AttachedFile[]) =>
    page.editDraft((draft) => files.reduce((next, file) => appended(next, field, file), draft));
  const ids = field.idsPointer === undefined ? undefined : page.valueAt(field.idsPointer);
  // The focus follows the moved item; after a removal it goes to the drop zone.
  const move = (from: number, to: number) => {
    page.editDraft((draft) => {
      const moved = moveAt(draft, field.pointer, from, to);
      return field.idsPointer ? moveAt(moved, field.idsPointer, from, to) : moved;
    });
    focusLater(page, `[data-pointer="${CSS.escape(`${field.pointer}/${to}`)}"] .field-menu`);
  };
  const remove = (index: number) => {
    page.editDraft((draft) => {
      const without = removeAt(draft, `${field.pointer}/${index}`);
      return field.idsPointer ? removeAt(without, `${field.idsPointer}/${index}`) : without;
    });
    focusLater(page, `#${CSS.escape(fieldIds(field).control)}`);
  };
  // A card without a text box is reached by its menu.
  const hasTextBox = ({ value }: MediaField) => ids !== undefined || !isLocalRef(refOf(value) ?? '');
  const replace = (index: number) =>
    chooseFiles(page, field.accept, false).then(([file]) => {
      if (file) page.editDraft((draft) => replaced(draft, field, index, file));
    });
  const cardItems = ({ value }: MediaField, index: number): MenuItem[] => [
    ...openItems(page, value),
    ...moveItems(index, 0, items.length - 1, (to) => move(index, to)),
    { label: l10n.t('Replace…'), icon: 'replace', act: () => replace(index) },
    { label: l10n.t('Remove'), icon: 'trash', act: () => remove(index) },
  ];
  const rows = items.map(
    (item, index) => html`<div
      class="card medium-card line wraps"
      role="group"
      aria-label=${l10n.t('Item {0}', index + 1)}
      data-pointer=${item.pointer}
    >
      ${preview(page, item, -1)} ${ids === undefined ? nothing : idInput(page, field, ids, index)}
      ${refInput(page, item)}
      <div class="medium-tools">
        ${menuButton(l10n.t('File Actions (Ctrl+.)'), () => cardItems(item, index), {
          className: 'field-menu',
          tab: hasTextBox(item) ? -1 : undefined,
        })}
        ${iconButton('replace', l10n.t('Replace…'), () => replace(index), { tab: -1 })}
        ${iconButton('trash', l10n.t('Remove'), () => remove(index), { tab: -1 })}
      </div>
    </div>`,
  );
  const addReference = () => page.editDraft((draft) => insertAt(draft, field.pointer, { media_ref: '' }));
  const full = field.maxItems !== undefined && items.length >= field.maxItems;
  return frame(
    page,
    field,
    html`${rows}
      ${full ? html`<div class="quiet">${l10n.t('The maximum is {0}.', field.maxItems)}</div>` : dropZone(page, field, true, add, addReference)}`,
    {
      group: true,
      below: true,
      items: () => (full || field.readOnly ? [] : waysIn(page, field, add, addReference)),
    },
  );
}

/** The draft with one more file, and an ID from its name that no other file has. */
function appended(draft: Json, field: MediaListField, file: AttachedFile): Json {
  const withFile = insertAt(draft, field.pointer, mediaValue(file));
  if (field.idsPointer === undefined) return withFile;
  const keys = field.idsPointer;
  const list = getList(withFile, keys);
  const media = getList(withFile, field.pointer);
  let next = withFile;
  // Missing or empty IDs of the items before it are filled too, so that each item has one.
  for (const [index, item] of media.entries()) {
    if (list[index] !== undefined && list[index] !== '') continue;
    const name = isMediaObject(item) ? (item.filename ?? '') : '';
    const id = freeId(name || `item-${index + 1}`, getList(next, keys));
    next = index < list.length ? setAt(next, `${keys}/${index}`, id) : insertAt(next, keys, id);
  }
  return next;
}

/** The draft with a file replaced; an ID that was the old file's name becomes the new one's. */
function replaced(draft: Json, field: MediaListField, index: number, file: AttachedFile): Json {
  const before = getList(draft, field.pointer)[index];
  const next = setAt(draft, `${field.pointer}/${index}`, mediaValue(file));
  const ids = field.idsPointer === undefined ? [] : getList(draft, field.idsPointer);
  if (ids[index] === undefined || ids[index] !== mediaName(before)) return next;
  return setAt(next, `${field.idsPointer}/${index}`, freeId(file.filename, ids.toSpliced(index, 1)));
}

function getList(draft: Json, pointer: string): Json[] {
  const list = getAt(draft, pointer);
  return Array.isArray(list) ? list : [];
}

function freeId(name: string, taken: readonly Json[]): string {
  let id = name;
  for (let n = 2; taken.includes(id); n += 1)
    id = name.replace(/(\.[^.]*)?$/, (extension) => `-${n}${extension}`);
  return id;
}

function idInput(page: RunPage, field: MediaListField, ids: Json, index: number): TemplateResult {
  const at = `${field.idsPointer}/${index}`;
  const name = field.idsPointer?.split('/').at(-1) ?? 'id';
  const value = Array.isArray(ids) ? ids[index] : undefined;
  return html`<label class="id line"
    >${name} ${index + 1}
    <input
      type="text"
      id=${fieldIds({ pointer: at }).control}
      autocomplete="off"
      spellcheck="false"
      .value=${live(typeof value === 'string' ? value : '')}
      @input=${(event: Event) => page.editDraft((draft) => setAt(draft, at, typedIn(event)))}
      @blur=${() => page.touch(at)}
  /></label>`;
}

function openItems(page: RunPage, value: Json | undefined): MenuItem[] {
  const file = page.files.get(refOf(value) ?? '');
  if (!file) return [];
  const open = () => page.ask(page.host.call('openFile', { uri: file.uri }));
  return [{ label: l10n.t('Open {0}', file.filename), icon: 'go-to-file', act: open }];
}

/** Facts and an image, a player or an icon. @param tab whether the name is a Tab stop */
function preview(page: RunPage, field: MediaField, tab?: -1): TemplateResult {
  const ref = refOf(field.value) ?? '';
  const file = page.files.get(ref);
  const name = file?.filename ?? mediaName(field.value) ?? (ref === '' ? l10n.t('no file chosen') : ref);
  const facts = file
    ? `${file.contentType} · ${formatBytes(file.sizeBytes)}`
    : isLocalRef(ref)
      ? l10n.t('Not attached in this panel. Choose the file again.')
      : 'media_ref';
  return html`<div class="medium line">
    <div class="medium-view">${file ? view(page, file) : icon(isLocalRef(ref) ? 'warning' : 'link')}</div>
    <div class="grow">
      ${
        file
          ? html`<button
              type="button"
              class="text-button name"
              tabindex=${tab ?? nothing}
              title=${l10n.t('Open {0}', name)}
              @click=${() => page.ask(page.host.call('openFile', { uri: file.uri }))}
            >
              ${name}
            </button>`
          : html`<div class="name">${name}</div>`
      }
      <div class="quiet">${facts}</div>
      ${file && isOfOtherType(file, field.accept) ? otherType(field, file) : nothing}
    </div>
  </div>`;
}

/** Says of a file that the field does not take it. It stays all the same: only the service knows for certain. */
function otherType({ accept }: MediaField, { filename }: AttachedFile): TemplateResult {
  return html`<div role="note">
    ${icon('warning')}
    ${l10n.t(
      '“{0}” is not of a type that this field takes ({1}). The service may reject it.',
      filename,
      accept.join(', '),
    )}
  </div>`;
}

function view(page: RunPage, file: AttachedFile): TemplateResult {
  const src = filePreview(page, file);
  const family = file.contentType.split('/', 1)[0];
  if (src === undefined) return icon(family === 'image' ? 'file-media' : 'file');
  switch (family) {
    case 'image':
      return html`<img src=${src} alt="" />`;
    case 'audio':
      return html`<audio src=${src} controls aria-label=${file.filename}></audio>`;
    case 'video':
      return html`<video src=${src} controls muted aria-label=${file.filename}></video>`;
    default:
      return icon('file');
  }
}

/** Fields with a reference being typed: they show its text box, even while it is empty. */
const typing = new Set<string>();

function enterReference(page: RunPage, { pointer }: MediaField): void {
  typing.add(pointer);
  page.update();
  focusLater(page, `[data-pointer="${CSS.escape(pointer)}"] label.id > input`);
}

/** A text box for a media_ref of the service, once it is asked for. */
function typedRef(page: RunPage, field: MediaField, filled: boolean): unknown {
  const ref = refOf(field.value);
  const isTyped = filled && ref !== undefined && !isLocalRef(ref);
  if (filled && !isTyped) typing.delete(field.pointer);
  if (isTyped) typing.add(field.pointer);
  return typing.has(field.pointer) ? refInput(page, field) : nothing;
}

function refInput(page: RunPage, field: MediaField): unknown {
  const ref = refOf(field.value) ?? '';
  if (isLocalRef(ref)) return nothing;
  const write = (text: string) => {
    const isAddress = /^([a-z][a-z\d+.-]*:\/\/|data:)/i.test(text);
    const keepsText = typeof field.value === 'string' || (field.textAllowed && isAddress);
    const empty = text === '' && !field.required;
    const before = isMediaObject(field.value) ? field.value : {};
    page.editAt(field.pointer, empty ? undefined : keepsText ? text : { ...before, media_ref: text });
  };
  return html`<label class="id line"
    >${field.textAllowed ? l10n.t('URL or media_ref') : 'media_ref'}
    <input
      type="text"
      ${control(page, field, { below: true, id: null })}
      autocomplete="off"
      spellcheck="false"
      .value=${live(ref)}
      @input=${(event: Event) => write(typedIn(event))}
  /></label>`;
}

type Take = (files: readonly AttachedFile[]) => void;

/** Ways in beside a drop, a paste and the dialog: the file in the editor, and a file that the service has. */
function waysIn(
  page: RunPage,
  field: MediaField | MediaListField,
  take: Take,
  enterRef: () => void,
): { readonly label: string; readonly icon: string; readonly act: () => unknown }[] {
  const kind = mediaKind(field.accept);
  const isTextAllowed = field.kind === 'media' && field.textAllowed;
  return [
    {
      label: kind === 'image' ? l10n.t('Use the Open Image') : l10n.t('Use the Open File'),
      icon: 'window',
      act: () => page.arrive(openFile(page, kind).then(take)),
    },
    {
      label: isTextAllowed ? l10n.t('Enter a URL or a file reference') : l10n.t('Enter a file reference'),
      icon: 'link',
      act: enterRef,
    },
  ];
}

/** One row. It grows only while something is dragged; its icons are no Tab stops, since the field's menu has them too. */
function dropZone(
  page: RunPage,
  field: MediaField | MediaListField,
  many: boolean,
  take: Take,
  enterRef: () => void,
): TemplateResult {
  const ids = fieldIds(field);
  const kind = mediaKind(field.accept);
  const { dragging } = page.state;
  return html`<div class="drop-row line ${dragging ? 'awaiting' : ''}">
    <button
      type="button"
      class="drop-zone line grow"
      ${control(page, field, { below: true })}
      aria-labelledby="${ids.label} ${ids.control}"
      title=${l10n.t('Hold Shift while dropping')}
      ?disabled=${field.readOnly}
      @click=${() => void chooseFiles(page, field.accept, many).then(take)}
      @paste=${(event: ClipboardEvent) => void onPaste(page, event, take)}
      @dragover=${allowDrop}
      @drop=${(event: DragEvent) => void onDrop(page, event, take)}
    >
      ${icon(kind === 'image' ? 'file-media' : 'file-add')}
      <span>${many ? l10n.t('Choose, drop or paste files') : l10n.t('Choose, drop or paste a file')}</span>
    </button>
    ${
      field.readOnly
        ? nothing
        : waysIn(page, field, take, enterRef).map(({ label, icon: glyph, act }) =>
            iconButton(glyph, label, act, { tab: -1, describedBy: ids.label }),
          )
    }
  </div>`;
}

/** Focuses the element after the next rendering; if it is disabled, the next button that is not. */
function focusLater(page: RunPage, selector: string): void {
  page.afterRender(() => {
    const place = document.querySelector<HTMLElement & { disabled?: boolean }>(selector);
    const at = place?.disabled ? place.parentElement?.querySelector<HTMLElement>('button:enabled') : place;
    at?.focus();
  });
}

async function onDrop(page: RunPage, event: DragEvent, take: Take) {
  event.preventDefault();
  page.update({ dragging: false });
  await page.arrive(takeFiles(page, event.dataTransfer).then(take));
}

async function onPaste(page: RunPage, event: ClipboardEvent, take: Take) {
  if (event.target instanceof HTMLInputElement || !event.clipboardData?.files.length) return;
  event.preventDefault();
  await page.arrive(takeFiles(page, event.clipboardData).then(take));
}

function refOf(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return isMediaObject(value) ? value.media_ref : undefined;
}

function mediaName(value: Json | undefined): string | undefined {
  return isMediaObject(value) && typeof value.filename === 'string' ? value.filename : undefined;
}
