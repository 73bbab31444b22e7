import type { RunPage } from './page';

/** Shows the place of a problem and puts the focus there; folded groups on the way open. */
export function focusProblem(page: RunPage, pointer: string): void {
  const header = ({ '/scope': 'scope', '/mode': 'mode' } as Record<string, string>)[pointer];
  if (header !== undefined) {
    document.getElementById(header)?.focus();
    return;
  }
  if (page.isBroken) {
    page.editWork({ tab: 'json' });
    requestAnimationFrame(() =>
      requestAnimationFrame(() => document.querySelector<HTMLElement>('mb-request-json')?.focus()),
    );
    return;
  }
  if (page.state.work?.tab !== 'form') page.editWork({ tab: 'form' });
  page.touched.add(pointer);
  page.update();
  // Two frames: the form of another tab has to be there first.
  requestAnimationFrame(() => requestAnimationFrame(() => focusPlace(pointer)));
}

/**
 * Where typing belongs, best first. A selector list has no order of preference: its first match in the document may be
 * the field's menu, where a typed letter would choose an entry.
 */
const PREFERRED = [
  ':is(input, textarea, select, [role=checkbox])[aria-invalid="true"]',
  '.drop-zone[aria-invalid="true"]',
  'input:not([tabindex="-1"]), textarea, select, [role=checkbox]',
  '.drop-zone, summary',
  'button:not([tabindex="-1"], .field-menu)',
  '[tabindex="-1"]:not(button)',
];

function focusPlace(pointer: string): void {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    // The chosen variant of a choice has the pointer of the choice around it.
    const place = [...document.querySelectorAll<HTMLElement>(`[data-pointer="${CSS.escape(at)}"]`)].at(-1);
    if (!place) continue;
    for (let node: HTMLElement | null = place; node; node = node.parentElement) {
      if (node instanceof HTMLDetailsElement) node.open = true;
    }
    const [control = place] = PREFERRED.flatMap(
      (selector) => place.querySelector<HTMLElement>(selector) ?? [],
    );
    control.focus();
    place.scrollIntoView({ block: 'nearest' });
    return;
  }
}
