import { html, nothing, render, type TemplateResult } from 'lit';
import { icon } from './icon';
import { place } from './place';

interface MenuAction {
  readonly label: string;
  readonly icon?: string;
  /** Of one of several choices: the present one has a check mark. */
  readonly checked?: boolean;
  /** With `checked`: it is turned on and off by itself. */
  readonly isToggle?: boolean;
  readonly disabled?: boolean;
  act(): unknown;
}

/** An entry of a menu; a line between two groups of them; false: one that is not offered now. */
export type MenuItem = MenuAction | 'line' | false;

let menu: HTMLElement | undefined;
let owner: HTMLElement | undefined;
/** The element that had the focus before. */
let returnTo: HTMLElement | undefined;
/** The button of the open menu was pressed: the click that follows closes the menu and does not open it again. */
let pressed: HTMLElement | undefined;

/** Shows a menu under a button, after which the focus returns to its place. One menu of a page is open at a time. */
function showMenu(button: HTMLElement, name: string, items: readonly MenuItem[]): void {
  const wasOpen = pressed === button;
  pressed = undefined;
  if (wasOpen) return;
  menu ??= createMenu();
  owner = button;
  returnTo = document.activeElement instanceof HTMLElement ? document.activeElement : button;
  menu.ariaLabel = name;
  const offered = items.filter((item) => item !== false);
  // A line is between two groups of entries: one of them may have none now.
  const isShown = (item: MenuAction | 'line', at: number) =>
    item !== 'line' || (at > 0 && at + 1 < offered.length && offered[at + 1] !== 'line');
  render(offered.filter(isShown).map(itemTemplate), menu);
  menu.showPopover();
  place(menu, button);
  button.ariaExpanded = 'true';
  entries()[0]?.focus();
}

function createMenu(): HTMLElement {
  const made = document.createElement('div');
  made.className = 'menu';
  made.role = 'menu';
  made.popover = 'auto';
  made.addEventListener('keydown', onKey);
  made.addEventListener('beforetoggle', (event) => {
    if ((event as ToggleEvent).newState === 'closed' && owner) owner.ariaExpanded = 'false';
  });
  // A closed menu keeps no names: those of columns are hidden while one judges blind.
  made.addEventListener('toggle', (event) => {
    if ((event as ToggleEvent).newState === 'open') return;
    render(nothing, made);
    made.ariaLabel = null;
  });
  // A popover closes when the pointer is released elsewhere, which is before the click.
  document.addEventListener(
    'pointerdown',
    ({ target }) => {
      pressed = made.matches(':popover-open') && owner?.contains(target as Node) ? owner : undefined;
    },
    { capture: true },
  );
  window.addEventListener('blur', () => made.hidePopover());
  return (document.querySelector('main') ?? document.body).appendChild(made);
}

function entries(): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
}

function itemTemplate(item: MenuAction | 'line'): TemplateResult {
  if (item === 'line') return html`<hr />`;
  const act = () => {
    if (item.disabled) return;
    menu?.hidePopover();
    returnTo?.focus();
    void item.act();
  };
  const glyph = item.checked ? 'check' : item.icon;
  return html`<button
    type="button"
    class="menu-item"
    role=${item.checked === undefined ? 'menuitem' : item.isToggle ? 'menuitemcheckbox' : 'menuitemradio'}
    aria-checked=${item.checked === undefined ? nothing : String(item.checked)}
    aria-disabled=${item.disabled ? 'true' : nothing}
    tabindex="-1"
    @click=${act}
  >
    ${glyph === undefined ? html`<span></span>` : icon(glyph)}<span>${item.label}</span>
  </button>`;
}

/** Arrows, Home and End move; a letter goes to the next entry that begins with it; Tab closes. Escape is the popover's own. */
function onKey(event: KeyboardEvent): void {
  const all = entries();
  const at = all.indexOf(document.activeElement as HTMLElement);
  const steps: Record<string, number> = {
    ArrowDown: (at + 1) % all.length,
    ArrowUp: (at - 1 + all.length) % all.length,
    Home: 0,
    End: all.length - 1,
  };
  if (event.key === 'Tab') {
    menu?.hidePopover();
    returnTo?.focus();
    return;
  }
  const isLetter = event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey;
  const begins = (entry: HTMLElement) =>
    entry.innerText.trim().toLowerCase().startsWith(event.key.toLowerCase());
  const next = isLetter
    ? [...all.slice(at + 1), ...all.slice(0, at + 1)].find(begins)
    : all[steps[event.key] ?? -1];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

interface MenuButtonOptions {
  readonly icon?: string;
  /** The element that names the entries' object. */
  readonly describedBy?: string;
  readonly className?: string;
  readonly tab?: -1;
  readonly disabled?: boolean;
}

export function textMenuButton(name: string, items: () => readonly MenuItem[]): TemplateResult {
  return html`<button
    type="button"
    class="secondary"
    aria-haspopup="menu"
    @click=${(event: Event) => showMenu(event.currentTarget as HTMLElement, name, items())}
    >${name} ${icon('chevron-down')}</button
  >`;
}

/** A button that opens a menu. Its entries are made when it is opened. */
export function menuButton(
  name: string,
  items: () => readonly MenuItem[],
  { icon: glyph = 'ellipsis', describedBy, className = '', tab, disabled = false }: MenuButtonOptions = {},
): TemplateResult {
  return html`<button
    type="button"
    class="icon-button ${className}"
    title=${name}
    aria-label=${name}
    aria-haspopup="menu"
    aria-describedby=${describedBy ?? nothing}
    tabindex=${tab ?? nothing}
    ?disabled=${disabled}
    @click=${(event: Event) => showMenu(event.currentTarget as HTMLElement, name, items())}
    ><span class="codicon codicon-${glyph}" aria-hidden="true"></span
  ></button>`;
}

/** A button with further ways to do the same beside it, if there are any. */
export function splitButton(
  button: TemplateResult,
  name: string,
  items: readonly MenuItem[],
  { kind = 'primary', disabled = false }: { kind?: 'primary' | 'secondary'; disabled?: boolean } = {},
): TemplateResult {
  if (!items.some(Boolean)) return button;
  const className = `more ${kind}`;
  return html`<div class="split">${button}${menuButton(name, () => items, { icon: 'chevron-down', className, disabled })}</div>`;
}
