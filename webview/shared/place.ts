/** Distance of a popover from the edges of the page, px. */
const EDGE = 8;

/** Puts an open popover under its button, or above it where there is more room; never over the edge of the page. */
export function place(popover: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect();
  const { width, height } = popover.getBoundingClientRect();
  const isRight = at.left + width > window.innerWidth - EDGE;
  const left = isRight ? at.right - width : at.left;
  const isBelow = at.bottom + height <= window.innerHeight - EDGE || at.top < height;
  const top = isBelow ? at.bottom + 2 : at.top - height - 2;
  popover.style.left = `${Math.max(EDGE, left)}px`;
  popover.style.top = `${Math.max(EDGE, Math.min(top, window.innerHeight - height - EDGE))}px`;
}
