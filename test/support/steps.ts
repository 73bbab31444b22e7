import type { Page } from 'playwright-core';
import { watchWaits } from './waits';

/** The number of newest steps to keep. */
const KEPT = 400;
/** The kept length of a typed or clicked text. */
const LONGEST = 80;

/** The actions in a window so far, in words, for the reader of a failed test. */
export class Steps {
  readonly #lines: string[] = [];
  #subject: string | undefined;

  /** @param subject of text that is typed letter by letter: a step replaces the one before it on the same subject. */
  add(words: string, subject?: string): void {
    if (subject !== undefined && subject === this.#subject) this.#lines.pop();
    this.#subject = subject;
    this.#lines.push(`${new Date().toISOString().slice(11, 23)}  ${words}`);
    if (this.#lines.length > KEPT) this.#lines.shift();
  }

  toString(): string {
    return this.#lines.join('\n');
  }

  /**
   * Records clicks, keys and typed texts in every frame that is opened in a page after this: tests use more than the
   * verbs. Text in a password field is not kept.
   */
  async recordIn(page: Page): Promise<void> {
    // The wrapper of esbuild around named functions; those of tests and measures go into frames without it.
    await page.addInitScript('globalThis.__name = (named) => named;');
    await watchWaits(page);
    await page.exposeBinding('recordStep', (_source, words: string, subject?: string) =>
      this.add(`  ${words}`, subject ?? undefined),
    );
    await page.addInitScript(`(${listen.toString()})(${LONGEST})`);
  }
}

/** Runs in the page. Only reads, and in the capture phase, so that page code cannot hide a step from it. */
function listen(longest: number): void {
  const { recordStep } = globalThis as unknown as {
    recordStep?: (words: string, subject?: string) => Promise<void>;
  };
  // A frame may be on its way out.
  const record = (words: string, subject?: string) =>
    void recordStep?.(words, subject).catch(() => undefined);
  const short = (text: string) => text.replaceAll(/\s+/g, ' ').trim().slice(0, longest);
  const nameOf = ({ ariaLabel, title, textContent }: HTMLElement) =>
    short(ariaLabel || title || textContent || '');
  // Through shadow roots as well: the first element around the target that has a role and a name.
  const inWords = (event: Event): string => {
    const around = event.composedPath().filter((one): one is HTMLElement => one instanceof HTMLElement);
    const isControl = (one: Element) =>
      one.matches('button, a, input, textarea, select, [role], [aria-label]');
    const named = around.find((one) => isControl(one) && nameOf(one) !== '') ?? around[0];
    return named ? `${named.getAttribute('role') ?? named.localName} “${nameOf(named)}”` : 'the page';
  };
  const on = (type: string, hear: (event: Event) => void) => addEventListener(type, hear, { capture: true });
  on('click', (event) => record(`clicked ${inWords(event)}`));
  on('contextmenu', (event) => record(`right-clicked ${inWords(event)}`));
  on('drop', (event) => record(`dropped on ${inWords(event)}`));
  on('paste', (event) => record(`pasted into ${inWords(event)}`));
  on('keydown', (event) => {
    const { key, ctrlKey, altKey, metaKey, shiftKey } = event as KeyboardEvent;
    if (key === undefined || (key.length === 1 && !ctrlKey && !altKey && !metaKey)) return;
    const held = Object.entries({ Ctrl: ctrlKey, Alt: altKey, Meta: metaKey, Shift: shiftKey });
    const keys = [...held.filter(([, isHeld]) => isHeld).map(([name]) => name), key];
    record(`pressed ${keys.join('+')}`);
  });
  on('input', (event) => {
    const { value, type } = event.composedPath()[0] as Partial<HTMLInputElement>;
    if (typeof value !== 'string') return;
    const where = inWords(event);
    record(`typed ${type === 'password' ? 'a secret' : `“${short(value)}”`} into ${where}`, where);
  });
}
