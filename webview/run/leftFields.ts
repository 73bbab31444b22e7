/**
 * Fields that just lost the focus. Their problems are not shown while a pointer is down: the error line would move
 * the clicked element away from the pointer, and the click on Run would be lost. Where the page itself has lost the
 * focus, to a dialog or another part of VS Code, the field is not left: it has the focus again when the page has.
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
  }

  add(pointer: string): void {
    if (!document.hasFocus()) return;
    this.#waiting.push(pointer);
    if (!this.#pointerIsDown) this.#showWaiting();
  }

  #showWaiting(): void {
    if (this.#waiting.length > 0) this.show(this.#waiting.splice(0));
  }
}
