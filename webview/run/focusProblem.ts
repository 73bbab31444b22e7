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

function focusPlace(pointer: string): void {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const place = document.querySelector<HTMLElement>(`[data-pointer="${CSS.escape(at)}"]`);
    if (!place) continue;
    for (let node: HTMLElement | null = place; node; node = node.parentElement) {
      if (node instanceof HTMLDetailsElement) node.open = true;
    }
    const control = place.querySelector<HTMLElement>(
      'input:not([aria-hidden]), textarea, select, button.drop-zone, summary, [tabindex="-1"], button',
    );
    (control ?? place).focus();
    place.scrollIntoView({ block: 'nearest' });
    return;
  }
}
