/** After the focus has returned: by then the form has the choice of the dialog. */
const RETURN_MS = 300;

/**
 * Fields that just lost the focus. Their problems are not shown while a pointer is down: the error line would move
 * the clicked element away from the pointer, and the click on Run would be lost. They are not shown either while the
 * page has lost the focus, to a dialog in which a file is chosen for instance: the field is not left yet.
 */
export class LeftFields {
  #waiting: string[] = [];
  #pointerIsDown = false;

  constructor(private readonly show: (pointers: readonly string[]) => void) {
    const begin = () => {
      this.#pointerIsDown = true;
    };
    const end = () => {
      this.#pointerIsDown = false;
      // After the click that belongs to it.
      setTimeout(() => this.#showWaiting());
    };
    window.addEventListener('pointerdown', begin, true);
    for (const name of ['pointerup', 'pointercancel', 'dragend']) window.addEventListener(name, end, true);
    // Not captured: only the window's own.
    window.addEventListener('blur', end);
    window.addEventListener('focus', () => setTimeout(() => this.#showWaiting(), RETURN_MS));
  }

  add(pointer: string): void {
    this.#waiting.push(pointer);
    if (!this.#pointerIsDown) this.#showWaiting();
  }

  #showWaiting(): void {
    if (this.#waiting.length === 0 || !document.hasFocus()) return;
    this.show(this.#waiting.splice(0));
  }
}
