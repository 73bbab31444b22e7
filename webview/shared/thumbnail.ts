import * as l10n from '@vscode/l10n';
import { isDrawing, loaded } from './picture';

/** Pixels of a thumbnail's side, on a display of twice the density: it bounds the memory of one, for any file. */
const SIDE = 288;
/** Pictures that are decoded at the same time. */
const AT_ONCE = 4;
/** Pixels, of four bytes: larger pictures are decoded one after another. */
const LARGE = 16_000_000;

const waiting: (() => Promise<void>)[] = [];
let decoding = 0;
let large: Promise<void> = Promise.resolve();

function decodeNext(): void {
  if (decoding >= AT_ONCE) return;
  const work = waiting.shift();
  if (!work) return;
  decoding++;
  void work().finally(() => {
    decoding--;
    decodeNext();
  });
}

/**
 * Draws a picture so small that no side is longer than `side` pixels. The browser keeps no larger copy of its pixels,
 * as it does after `decode`.
 * @param picture a loaded one; it is empty afterwards
 * @param isWanted asked once it is decoded: the canvas may be for another picture by then
 * @throws where this window cannot decode it
 */
export function drawSmall(
  canvas: HTMLCanvasElement,
  picture: HTMLImageElement,
  side: number,
  isWanted = () => true,
): Promise<void> {
  const draw = () => drawNow(canvas, picture, side, isWanted);
  if (picture.naturalWidth * picture.naturalHeight <= LARGE) return draw();
  const drawing = large.then(draw);
  large = drawing.catch(() => undefined);
  return drawing;
}

async function drawNow(
  canvas: HTMLCanvasElement,
  picture: HTMLImageElement,
  side: number,
  isWanted: () => boolean,
): Promise<void> {
  const { naturalWidth: width, naturalHeight: height } = picture;
  // Not resized here: Chromium then ignores how a photograph is turned. A drawing without a size has no bitmap.
  const whole = await createImageBitmap(picture).catch(() => picture.decode());
  if (!isWanted()) return whole?.close();
  const scale = Math.min(1, side / Math.max(width, height));
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext('2d')!;
  context.imageSmoothingQuality = 'high';
  context.drawImage(whole ?? picture, 0, 0, canvas.width, canvas.height);
  whole?.close();
  picture.removeAttribute('src');
}

/** Does work that decodes a picture when it is its turn. */
export function decodeInTurn<T>(work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    waiting.push(() => work().then(resolve, reject));
    decodeNext();
  });
}

/**
 * A picture drawn small, once it comes near the screen. The file itself is released after drawing, so that a gallery
 * of large photographs holds thumbnails only; lit keeps the element while its hit stays.
 */
class Thumbnail extends HTMLElement {
  #src = '';
  #side = SIDE;
  #observer: IntersectionObserver | undefined;
  readonly #canvas = document.createElement('canvas');

  get src(): string {
    return this.#src;
  }

  set src(src: string) {
    if (src === this.#src) return;
    this.#src = src;
    if (this.isConnected) this.#watch();
  }

  /** Pixels of its longer side. */
  set side(side: number) {
    if (side === this.#side) return;
    this.#side = side;
    if (this.isConnected) this.#watch();
  }

  connectedCallback(): void {
    this.#watch();
  }

  disconnectedCallback(): void {
    this.#observer?.disconnect();
  }

  #watch(): void {
    this.#observer?.disconnect();
    this.replaceChildren(this.#canvas);
    this.#observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        this.#observer?.disconnect();
        void decodeInTurn(() => this.#draw(this.#src));
      },
      { rootMargin: '400px' },
    );
    this.#observer.observe(this);
  }

  async #draw(src: string): Promise<void> {
    if (!this.isConnected) return;
    const isCurrent = () => src === this.#src;
    try {
      const picture = await loaded(src);
      await drawSmall(this.#canvas, picture, this.#side, isCurrent);
    } catch {
      if (isCurrent()) this.replaceChildren(...notShown(src));
    }
  }
}

/** In place of an SVG, and of a picture that this window cannot decode: HEIC, TIFF, a damaged file. */
function notShown(src: string): HTMLElement[] {
  const sign = document.createElement('span');
  sign.className = 'codicon codicon-file-media';
  sign.ariaHidden = 'true';
  const text = document.createElement('span');
  text.className = 'not-shown';
  text.textContent = isDrawing(src) ? 'SVG' : l10n.t('Cannot be shown');
  return [sign, text];
}

customElements.define('mb-thumbnail', Thumbnail);
