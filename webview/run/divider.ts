import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import type { RunPage } from './page';
import { LEAST_SPLIT } from './state';

/** Percent that an arrow key moves it. */
const STEP = 5;

/** Between form and result: dragged, or moved by the arrow keys; a double click puts it back into the middle. */
export function divider(page: RunPage): TemplateResult {
  const { split } = page.state;
  const onKey = (event: KeyboardEvent) => {
    const places: Record<string, number> = {
      ArrowLeft: split - STEP,
      ArrowRight: split + STEP,
      Home: LEAST_SPLIT,
      End: 100 - LEAST_SPLIT,
    };
    const next = places[event.key];
    if (next === undefined) return;
    event.preventDefault();
    page.resize(next);
  };
  const onPointer = (event: PointerEvent) => {
    const bar = event.currentTarget as HTMLElement;
    if (event.type === 'pointerdown') bar.setPointerCapture(event.pointerId);
    else if (bar.hasPointerCapture(event.pointerId)) page.resize((event.clientX / window.innerWidth) * 100);
  };
  return html`<div
    class="divider"
    role="separator"
    tabindex="0"
    aria-orientation="vertical"
    aria-label=${l10n.t('Width of the Form')}
    aria-valuenow=${Math.round(split)}
    aria-valuemin=${LEAST_SPLIT}
    aria-valuemax=${100 - LEAST_SPLIT}
    @keydown=${onKey}
    @pointerdown=${onPointer}
    @pointermove=${onPointer}
    @dblclick=${() => page.resize(50)}
  ></div>`;
}
